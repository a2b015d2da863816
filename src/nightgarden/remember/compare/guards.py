"""Signs that can be read off two statements: other numbers, words exchanged for their opposites or put in another
order, one denial, names in another order, terms in common, and whether one begins with the whole of the other.

Exact and quick. Some forbid a merge whatever the two seem to mean, and some ask for more evidence: two copies are the
cheaper mistake. Does not see opposites without such a sign ("in words", "in figures").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from nightgarden.domain.other_languages import beyond_western_letters
from nightgarden.domain.text import query_terms
from nightgarden.remember.compare.align import agree
from nightgarden.remember.compare.ended import names_what_it_ends, says_it_is_over
from nightgarden.remember.compare.entities import EntityKind
from nightgarden.remember.compare.lexicon.classes import classes_of
from nightgarden.remember.compare.lexicon.grammar import FOREIGN_FUNCTION_WORDS
from nightgarden.remember.compare.lexicon.opposites import opposed
from nightgarden.remember.compare.number_words import read_number
from nightgarden.remember.compare.quantities import adds_a_number, tells_another_value
from nightgarden.remember.compare.statement import Statement, Word, read
from nightgarden.remember.compare.two_clauses import is_two

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CLAUSE = re.compile(r"[;.!?]\s|\s[–—]\s|[；。]")
_CLAUSE_OR_HALF = re.compile(_CLAUSE.pattern + r"|,?\s(?:and|und|et|y|e|en|i|и)\s|[，、]")
# Both ends of a range; who names a new beginning says nothing of the end.
_RANGE = re.compile(
    r"\b(?:from|between)\s(?=[^.;]{0,30}\d)[^.;]{1,30}?\s(?:to|until|till|through|and)\s[^.;]{0,20}\d", re.IGNORECASE
)
_PATH = re.compile(r"(?<![\w./:@-])(?:[\w.-]{1,60}/){1,8}[\w-]{1,60}\.[a-z]{1,5}\b")  # of a file, with its folder
_HOST = re.compile(r"(?<![\w.@/-])(?:[a-z0-9-]{1,60}\.){2,5}[a-z]{2,12}(?![\w.-])", re.IGNORECASE)
# For what or where something holds.
_PLACE = re.compile(r"\b(?:for|in|at|during|on|für|bei|pour|para) (?:the |our |a |an )?([^\W\d][\w-]*)(?!\w| ?\d)")
_FIGURE = re.compile(r"^\d[\d.,]*(?:e[+-]?\d+)?")  # 14 days are 1.2096e+06 seconds
_OTHER_WORDS_MIN = 3  # that two statements do not share, on either side
_CLAUSE_TERMS_MIN = 2
_ABOUT_SHARE, _HARDLY_SHARE = 0.4, 0.34  # of a clause's terms
_ABOUT_SHARE_ALONE = 0.3  # where the other clause shares nothing
_CLAUSE_ENDS = tuple(",;.:!(")
_DENIES = frozenset(
    "no not never none nobody nothing neither nor without cannot don't doesn't didn't isn't aren't won't can't"
    " shouldn't mustn't nicht nich nix kein keine keinen keiner keinem nie niemals niemand ohne pas jamais sans aucun"
    " aucune rien nunca sin jamás tampoco nada não nem sem non mai senza niet geen nooit zonder nie bez".split()
)
# What comes first, and which way: in statements that are else alike, these words are the whole difference.
_DIRECTIONS = frozenset(
    "before after first then last afterwards to from into onto over under above below inside outside until since left"
    " right vor nach von zu zuerst danach avant après antes después".split()
)
# Which way something goes; "into" is "to", and "out of" is "from".
_TOWARDS = re.compile(
    r"\b(from|out of|to|into|onto|before|after|aus|von|nach|vor)\s"
    r"(?:the |our |my |der |die |das |dem |den )?([^\W\d_]{2,40})"
)
_WAYS = {"out of": "from", "aus": "from", "von": "from", "into": "to", "onto": "to"}
_OTHER_WAY = {"from": "to", "to": "from", "before": "after", "after": "before", "vor": "nach", "nach": "vor"}
_EQUALS = frozenset("is are was were ist sind war es son est sont è sono é são zijn".split())
_PER = re.compile(r"\b(?:per|pro|por) ([^\W\d_]{2,40})")
# Of what is over: where only the newer statement has such a word, it may be the end of what the older one says.
_OVER = frozenset(
    "gone closed removed retired abolished dead history dropped discontinued off cancelled canceled ended stopped"
    " instead longer anymore ditched scrapped deprecated left quit former weg gekündigt abgeschafft statt mehr früher"
    " antes cerrado dejamos".split()
)
_ALIKE_SHARE = 0.5  # of the terms of the longer statement, from which on two are alike
_SWAPPED_SHARE = 0.75  # the same, for nothing but the order of names to differ


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSigns:
    """What can be read off an older and a newer statement."""

    other_numbers: bool = False  # the newer one has a number that the older one has not
    other_paths: bool = False  # both name files, or both hosts, and none of them in common
    reordered: bool = False  # the same words to the letter, in another order
    opposed: bool = False  # a word of one is exchanged for its opposite in the other, or the direction turned round
    one_is_over: bool = False  # the newer one alone has a word for what has ended
    ends_it: bool = False  # the newer one says in plain words that something is no more: "Slack is gone"
    one_denies: bool = False
    names_swapped: bool = False
    roles_swapped: bool = False  # the same, in statements that hardly differ else: "Ana reviews Ben"
    another_value: bool = False  # each has one value of one kind that the other has not: "at 1 am", "at 03:15"
    other_directions: bool = False  # alike, but for words such as "before" and "to"
    other_units: bool = False  # each tells one number, and of two kinds
    older_narrower: bool = False  # each tells one number of a kind, and the older one says for what: "for avatars"
    shares_little: bool = False  # one word at most, of at least four on either side
    shared_terms: int = 2
    repeats: bool = False  # the older one begins with the whole of the newer one, and takes nothing back after it
    names_what_it_ends: bool = False  # the newer one names a value of the older as the past: "from 10 to 20 seconds"
    told_as_change: bool = False  # the newer one speaks of a change: moved to, now, no longer
    older_says_more: bool = False  # a whole clause of the older one is on something that the newer one does not touch
    older_is_two: bool = False  # and what it says more can be told apart, or it is a range and the newer one none
    unread: bool = False  # one is in letters of a language that no network here has learned
    goes_with: bool = False  # one begins with the whole of the other, and the newer one takes nothing back after it

    @property
    def mergeable(self) -> bool:
        """Whether nothing exact stands against taking the two for one."""
        against = (self.other_numbers, self.other_paths, self.reordered, self.opposed, self.names_what_it_ends)
        return not any((*against, self.ends_it))

    @property
    def doubtful(self) -> bool:
        """Whether something speaks against it that can also be another way to say the same."""
        return self.one_denies or self.names_swapped or self.other_directions or self.one_is_over


def signs(older: str, newer: str) -> PairSigns:
    """All signs of two statements."""
    one, other = read(older), read(newer)
    before = _adds(newer, older)
    first, second = set(query_terms(older)), set(query_terms(newer))
    shared = len(first & second) / max(len(first), len(second), 1)
    names_swapped = not _names_in_order(older, newer)
    ranges = _is_range(older) and not _is_range(newer)
    more = ranges or says_more(older, newer)
    return PairSigns(
        other_numbers=adds_a_number(older, newer),
        other_paths=_other_paths(older, newer),
        reordered=_reordered(older, newer),
        opposed=any(opposed(word, other) for word in first - second for other in second - first)
        or _turned_round(older, newer),
        one_is_over=_is_over(newer) and not _is_over(older),
        ends_it=says_it_is_over(newer) and not says_it_is_over(older),
        one_denies=denied(older) != denied(newer),
        names_swapped=names_swapped,
        roles_swapped=names_swapped and shared >= _SWAPPED_SHARE,
        another_value=tells_another_value(older, newer),
        other_directions=shared >= _ALIKE_SHARE and directions(older) != directions(newer),
        other_units=_other_units(one, other),
        older_narrower=_narrower(older, one, other, second),
        shares_little=len(first & second) <= 1 and _shares_little(one, other),
        shared_terms=len(first & second),
        repeats=before is Addition.DETAIL,
        names_what_it_ends=names_what_it_ends(older, newer),
        told_as_change=other.changes,
        older_says_more=more,
        older_is_two=more and (ranges or is_two(older)),
        unread=beyond_western_letters(older) or beyond_western_letters(newer),
        goes_with=before is not None or _adds(older, newer) is Addition.DETAIL,
    )


def _one_number_each(one: Statement, other: Statement) -> tuple[Word, Word] | None:
    """The number of either statement; None unless each tells exactly one."""
    before, after = ([word for word in each.content if word.numeric] for each in (one, other))
    return (before[0], after[0]) if len(before) == len(after) == 1 else None


def _same_unit(one: Word, other: Word) -> bool:
    """Whether two numbers are of one kind: "14 days" and "30 invoices" are not."""
    return _unit(one) == _unit(other)


def _unit(word: Word) -> tuple[EntityKind | None, str]:
    return word.kind, _FIGURE.sub("", word.low).strip("0123456789., ")


def _other_units(one: Statement, other: Statement) -> bool:
    """A time and a bare number can be of one kind ("standup at 9:30", "moved to 10"); a quantity says what it is of."""
    numbers = _one_number_each(one, other)
    if numbers is None or all(word.kind is not EntityKind.QUANTITY for word in numbers):
        return False
    return not _same_unit(*numbers)


def _narrower(older: str, one: Statement, other: Statement, said: set[str]) -> bool:
    numbers = _one_number_each(one, other)
    if numbers is None or not _same_unit(*numbers):
        return False
    telling = {word.low for word in one.content}
    return any(place in telling and _names_a_place(place, said) for place in _PLACE.findall(older.casefold()))


def _names_a_place(word: str, said: set[str]) -> bool:
    """Whether a word after "for" or "in" says for what something holds, and the other statement has not got it. A day
    or a number says when or how much: "on Wednesday at 16:30"."""
    if "weekday" in classes_of(word) or read_number([word], 0) is not None:
        return False
    return not set(query_terms(word)) & said


def _shares_little(one: Statement, other: Statement) -> bool:
    """ "The staging bucket is called foo", "the staging database listens on 5440": one word, which names neither."""

    def alone(of: Statement, beside: Statement) -> int:
        return sum(not any(agree(word, each) for each in beside.content) for word in of.content)

    return min(alone(one, other), alone(other, one)) >= _OTHER_WORDS_MIN


class Addition(Enum):
    """What a longer text says besides the shorter one that it begins with."""

    DETAIL = auto()
    DENIAL = auto()


def _adds(short: str, long: str) -> Addition | None:
    """None when the longer text is not the shorter one and a clause more."""
    start = short.strip().rstrip(".!;,").casefold()
    whole = long.strip().casefold()
    rest = whole[len(start) :]
    if not start or not whole.startswith(start) or rest[:1] not in ("", *_CLAUSE_ENDS):
        return None
    return Addition.DENIAL if denied(rest) else Addition.DETAIL


def says_more(older: str, newer: str) -> bool:
    """Whether one clause of the older statement is what the newer one is about, and another hardly is. What "and" joins
    counts where the two can be told apart: "she signs every report" hangs on "Ines is our conservator"."""
    if _touches_a_part(_CLAUSE.split(older), newer):
        return True
    return is_two(older) and _touches_a_part(_CLAUSE_OR_HALF.split(older), newer)


def _touches_a_part(parts: Sequence[str], newer: str) -> bool:
    touched = _telling_terms(newer)
    clauses = [terms for part in parts if len(terms := _telling_terms(part)) >= _CLAUSE_TERMS_MIN]
    shares = [len(touched & each) / len(each) for each in clauses]
    if len(shares) < 2:
        return False
    return max(shares) >= (_ABOUT_SHARE if min(shares) else _ABOUT_SHARE_ALONE) and min(shares) <= _HARDLY_SHARE


def _telling_terms(text: str) -> set[str]:
    return set(query_terms(text)) - FOREIGN_FUNCTION_WORDS


def _is_range(text: str) -> bool:
    return _RANGE.search(text) is not None and not read(text).changes  # and not moved from one port to another


def _other_paths(one: str, other: str) -> bool:
    first, second = set(_PATH.findall(one)), set(_PATH.findall(other))
    if first and second and not any(a.endswith(b) or b.endswith(a) for a in first for b in second):
        return True
    hosts, others = ({host.casefold() for host in _HOST.findall(text)} for text in (one, other))
    return bool(hosts and others) and not hosts & others


def _turned_round(one: str, other: str) -> bool:
    """ "from blue to green", "from green to blue"; "300 euros per year", "300 euros per claim"."""
    first, second = _ways(one), _ways(other)
    if any((_OTHER_WAY.get(way), what) in second and (way, what) not in second for way, what in first):
        return True
    rates, others = (set(_PER.findall(text.casefold())) for text in (one, other))
    return bool(rates and others) and not rates & others


def _ways(text: str) -> set[tuple[str, str]]:
    found = _TOWARDS.findall(text.casefold())
    return {(_WAYS.get(way, way), what.removesuffix("s")) for way, what in found}


def _is_over(text: str) -> bool:
    return any(word in _OVER for word in _WORD.findall(text.casefold()))


def _reordered(one: str, other: str) -> bool:
    first, second = (re.findall(r"\w+", text.casefold()) for text in (one, other))
    return first != second and sorted(first) == sorted(second) and not _moved(first, second)


def _moved(first: list[str], second: list[str]) -> bool:
    """Whether all that differs is which half comes first, which turns nothing round: "Every second Friday we hold
    retro", "Femke is my manager"."""
    size = len(first)
    if any(first[at:] + first[:at] == second for at in range(1, size)):
        return True
    return any(word in _EQUALS and [*first[at + 1 :], word, *first[:at]] == second for at, word in enumerate(first))


def directions(text: str) -> list[str]:
    """Its words for what comes first, and which way: in another order they turn round what is said."""
    return sorted(word for word in _WORD.findall(text.casefold()) if word in _DIRECTIONS)


def denied(text: str) -> bool:
    """Whether a text denies something: not, never, kein."""
    return any(word.lower() in _DENIES for word in _WORD.findall(text))


def _names_in_order(one: str, other: str) -> bool:
    """Whether the names that both use come in one order: who reviews whom is told by nothing else."""
    first = list(dict.fromkeys(word for word in _WORD.findall(one) if word[0].isupper()))
    second = list(dict.fromkeys(word for word in _WORD.findall(other) if word[0].isupper()))
    return [word for word in first if word in second] == [word for word in second if word in first]
