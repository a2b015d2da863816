"""A short statement read into words: what each means, whether it is denied, and where the clauses end. Pure.

Knows shapes, stems and negation scope by position. It does not parse grammar: a clause is what stands between
punctuation marks or words such as "because", and a negator denies what follows it in its clause.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nightgarden.domain.text import fold
from nightgarden.remember.compare.entities import EntityKind, scan
from nightgarden.remember.compare.lexicon import classes, grammar
from nightgarden.remember.compare.lexicon.alike import lemma
from nightgarden.remember.compare.number_words import with_french_figures

_NUMBER_WORDS = {
    word: str(value)
    for value, names in enumerate(
        """zero/null one/eins/uno two/zwei/deux/dos three/drei/trois/tres four/vier/quatre/cuatro
        five/funf/cinq/cinco six/sechs/seis         seven/sieben/sept/siete eight/acht/huit/ocho
        nine/neun/neuf/nueve ten/zehn/dix/diez eleven/elf/onze twelve/zwolf/douze/doce         thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty/zwanzig/vingt/veinte""".split()
    )
    for word in names.split("/")
} | {
    word: str(10 * tens)
    for tens, names in enumerate(
        """thirty/dreißig/dreissig/trente/treinta forty/vierzig/quarante/cuarenta fifty/funfzig/cinquante/cincuenta
        sixty/sechzig/soixante/sesenta seventy/siebzig/setenta eighty/achtzig/ochenta ninety/neunzig/noventa
        hundred""".split(),
        start=3,
    )
    for word in names.split("/")
}
# "one" is a number only before what it counts; alone it is a pronoun ("the old one").
_COUNTED = "hour|minute|second|day|week|month|year|approval|person"
_SPELLED = re.compile(
    rf"\b(?:{'|'.join(set(_NUMBER_WORDS) - {'one', 'null', 'elf', 'sept', 'zero'})}|one(?=[ -](?:{_COUNTED})s?\b))\b",
    re.IGNORECASE,
)
_ORDINALS = {
    word: f"{value}{ending}"
    for value, (word, ending) in enumerate(
        zip(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth".split(),
            ["st", "nd", "rd"] + ["th"] * 10,
            strict=True,
        ),
        start=1,
    )
}
_CONTRACTIONS = (
    (re.compile(r"\bcan(?:not|['’]t)\b", re.I), "can not"),
    (re.compile(r"\bwon['’]t\b", re.I), "will not"),
    (re.compile(r"\bshan['’]t\b", re.I), "shall not"),
    (re.compile(r"(?<=[a-z])n['’]t\b", re.I), " not"),
    (re.compile(r"(?<=[a-z])['’](?:ll|re|ve|m|d)\b", re.I), " "),
    (re.compile(r"\b(?:do|does|did)nt\b", re.I), "do not"),
    (re.compile(r"\bn['’](?=[a-z])", re.I), "ne "),
    (re.compile(r"\b(qu|l|d|j|c|s)['’](?=[a-z])", re.I), r"\1' "),
)
_CONTRACTED = re.compile(
    r"['’]|cannot|(?:do|does|did)nt\b", re.I
)  # most statements have none, and six patterns cost 20 µs
_PHRASES = {
    tuple(phrase.split()): word
    for phrase, _, word in (
        entry.strip().partition(": ")
        for entry in """
    no longer: not; not any longer: not; ya no: not; nicht mehr: nicht; not anymore: not; instead of: instead_of;
    rather than: rather_than; as opposed to: as_opposed_to; not only: also; no one: nobody; next to: beside; far
    away from: far; far from: far; out of: out_of; in front of: front; vs code: vscode; visual studio code: vscode;
    google cloud: gcp; amazon web services: aws; sql server: mssql; united states: usa; united kingdom: uk; pull
    request: pr; git hub: github; node js: nodejs; mac os: macos; snake case: snakecase; camel case: camelcase;
    kebab case: kebabcase; pascal case: pascalcase; turn on: enable; turned on: enabled; turn off: disable; turned
    off: disabled; switched on: enabled; switched off: disabled; switch off: disable; switch on: enable; opt in:
    opt_in; opt out: opt_out; read only: readonly; open source: opensource; every day: daily; every week: weekly;
    every month: monthly; every year: yearly; every hour: hourly; every night: nightly; at least: atleast; at most:
    atmost; from now on: now; in favor of: favor_of; in favour of: favor_of; put on: put_on; take off: take_off; log
    in: log_in; log out: log_out; make sure: ensure; got rid of: dropped;
    took over: took_over; takes over: took_over; taken over: took_over; not any more: not
    """.split(";")
    )
}
_ENDS = re.compile(r"[,;.!?:()\n–—]")


@dataclass(frozen=True, slots=True)
class Word:
    """One word or value of a statement."""

    text: str  # as written, folded
    low: str
    key: str  # what it is matched by
    kind: EntityKind | None
    content: bool  # carries meaning by itself
    clause: int
    denied: bool = False

    @property
    def numeric(self) -> bool:
        return self.kind in _NUMERIC

    @property
    def specific(self) -> bool:
        """Names one thing: a value, a name, a path, a tool."""
        return self.kind is not None


_NUMERIC = frozenset(
    {EntityKind.NUMBER, EntityKind.QUANTITY, EntityKind.VERSION, EntityKind.DATE, EntityKind.TIME, EntityKind.PORT}
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A text as words, with what was found about it on the way."""

    words: tuple[Word, ...]
    content: tuple[Word, ...]
    negators: int
    lows: frozenset[str]

    @property
    def changes(self) -> bool:
        """Does it speak of a change: moved to, now uses, no longer, replaced?"""
        return not self.lows.isdisjoint(grammar.CHANGE_MARKS) or any(
            word.key in grammar.CHANGE_VERBS for word in self.words
        )


def _joined(items: list[tuple[EntityKind | None, int, int, str]]) -> list[tuple[EntityKind | None, int, int, str]]:
    """Fixed phrases become one word each."""
    lows = [value.lower() if kind is None or kind is EntityKind.TECHNOLOGY else "" for kind, _, _, value in items]
    listed = classes.phrases()
    out: list[tuple[EntityKind | None, int, int, str]] = []
    index = 0
    while index < len(items):
        for length in (3, 2):
            window = tuple(lows[index : index + length])
            if len(window) < length or "" in window:
                continue
            single = _PHRASES.get(window) or ("_".join(window) if "_".join(window) in listed else None)
            if single:
                out.append((None, items[index][1], items[index + length - 1][2], single))
                index += length
                break
        else:
            out.append(items[index])
            index += 1
    return out


_OWNERS = frozenset("the a my our their his her its your every".split())


def _word(
    kind: EntityKind | None, value: str, clause: int, *, first: bool, previous: str, function: frozenset[str]
) -> Word:
    low = value.lower().removesuffix("'s").removesuffix("’s")
    if low in _ORDINALS and (low != "second" or previous in _OWNERS):
        kind, key = EntityKind.NUMBER, _ORDINALS[low]
    elif kind is None and low.endswith(("teenth", "tieth")):
        kind, key = EntityKind.NUMBER, low
    elif kind in _NUMERIC or kind is EntityKind.PATH or kind is EntityKind.URL:
        key = value
    elif low == "one":
        key = "1"
    else:
        key = lemma(low)
        if kind is None and value[:1].isupper() and not first and low not in function and len(low) > 1:
            kind = EntityKind.NAME
    content = kind is not None or (low not in function and low not in grammar.NEGATORS)
    return Word(value, low, key, kind, content, clause)


_REACH = 40  # words a negator can deny; longer clauses are pasted text without punctuation


def _negates(words: list[Word], index: int, foreign: bool) -> bool:
    low = words[index].low
    following = words[index + 1].low if index + 1 < len(words) else ""
    if low == "no" and following[:1].isdigit():  # "No. 4"
        return False
    if low in grammar.STOPPING:
        return following.endswith("ing")
    if low in grammar.DROPPING:
        return index > 0 and words[index - 1].low in grammar.DROPPERS and following not in grammar.PREPOSITIONS
    return low in grammar.NEGATORS or (foreign and low in grammar.FOREIGN_NEGATORS)


def _denials(words: list[Word], foreign: bool) -> tuple[list[bool], set[int], set[int]]:
    """For each word whether an odd number of negators reaches it, where the negators are, and their partners."""
    denied = [False] * len(words)
    negators: set[int] = set()
    silent: set[int] = set()
    partnered = -1
    for index, word in enumerate(words):
        if partnered == word.clause and word.low in grammar.NEGATION_PARTNERS:
            silent.add(index)
            continue
        whole_clause = word.low in grammar.CLAUSE_NEGATORS and (
            word.low in grammar.BARE_CLAUSE_NEGATORS or (index > 0 and words[index - 1].low in grammar.COPULAS)
        )
        if not whole_clause and not _negates(words, index, foreign):
            continue
        if whole_clause and denied[index]:  # "not deprecated": the two cancel
            for position, other in enumerate(words):
                if other.clause == word.clause and position > index - 2:
                    denied[position] = False
            continue
        partnered = word.clause
        negators.add(index)
        first = max(0, index - _REACH) if whole_clause else index + 1
        for position in range(first, min(len(words), index + _REACH)):
            if words[position].clause == word.clause and position != index:
                denied[position] = not denied[position]
    return denied, negators, silent


_FOREIGN = (grammar.FUNCTION_WORDS - {"all", "over", "up"}) | grammar.FOREIGN_FUNCTION_WORDS | grammar.FOREIGN_NEGATORS


@lru_cache(maxsize=4096)
def read(text: str) -> Statement:
    """Reads a statement; the same text is read once."""
    plain = fold(text)
    if _CONTRACTED.search(plain):
        for pattern, expanded in _CONTRACTIONS:
            plain = pattern.sub(expanded, plain)
    plain = _SPELLED.sub(lambda match: _NUMBER_WORDS[match.group().lower()], with_french_figures(plain))
    words: list[Word] = []
    clause, end = 0, 0
    items = _joined(scan(plain))
    lows = {value.lower() for _, _, _, value in items}
    foreign = lows.isdisjoint(grammar.ENGLISH_MARKS) and not lows.isdisjoint(grammar.FOREIGN_MARKS)
    function = _FOREIGN if foreign else grammar.FUNCTION_WORDS
    for kind, start, stop, value in items:
        between = plain[end:start]
        if words and (_ENDS.search(between) or value.lower() in grammar.CLAUSE_ENDS):
            clause += 1
        said = between.rstrip()
        first = not words or said.endswith((".", "!", "?")) or "\n" in between[len(said) :]
        previous = words[-1].low if words else ""
        words.append(_word(kind, value, clause, first=first, previous=previous, function=function))
        end = stop
    denied, negators, silent = _denials(words, foreign)
    told = tuple(
        Word(w.text, w.low, w.key, w.kind, w.content and at not in negators and at not in silent, w.clause, denied[at])
        for at, w in enumerate(words)
    )
    return Statement(
        words=told,
        content=tuple(word for word in told if word.content),
        negators=len(negators),
        lows=frozenset(word.low for word in told),
    )
