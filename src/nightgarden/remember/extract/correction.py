"""Puts the right value into a statement that its speaker corrects: "sorry, I meant 90", "American spelling".

Pure. Knows the statement and the words of the correction, no dialogue. Answers None wherever it is not plain which
words are to be replaced: a wrong statement is worse than none.
"""

from __future__ import annotations

import re
from itertools import takewhile

from nightgarden.domain.text import fold
from nightgarden.remember.compare.lexicon.alike import lemma
from nightgarden.remember.compare.lexicon.classes import exclusive
from nightgarden.remember.compare.lexicon.grammar import FOREIGN_FUNCTION_WORDS, FUNCTION_WORDS
from nightgarden.remember.compare.number_words import read_number

_CLEFT = re.compile(
    r"^(?:it(?:'s| is| was)|c'est|c'était|es|era)\s+(?P<what>(?:the|our|my|le|la|les|l'|notre|nos|el|los|las"
    r"|nuestr[ao]s?)"
    r"\s?(?:[^\s,.;!?]+\s+){1,5}?)(?:that|which|qui|(?:el |la |los |las )?que)\s+(?P<does>[^,;!?]{3,80}?)[.!]*$",
    re.IGNORECASE,
)
_CLEFT_GERMAN = re.compile(
    r"^(?:es|das) (?:ist|war)\s+(?P<what>(?:der|die|das|unsere?)\s+(?:[^\s,.;!?]+\s?){1,4}),\s+(?:der|die|das)\s+"
    r"(?P<rest>(?:[^\s,;!?]+\s+){1,6})(?P<verb>\w+(?:t|st|en))[.!]*$",
    re.IGNORECASE,
)
_AROUND_VALUE = (
    r"(?:(?:it(?:'s| is| was| should be)|that(?:'s| is)|should be|make that|meant|es ist|das ist|es|ist|sind"
    r"|son|sont|sondern|c'est|c'était"
    r"|plutôt|era|más bien|on|at|in|auf|sur|en|port|puerto|the|an?|der|die|das|ein|eine|le|la|les|un|une|el|los"
    r"|las|una) )"
)
_LEAD = re.compile(rf"^{_AROUND_VALUE}{{1,4}}", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:(?<![\s,])[\s,]{1,3}(?:of course|obviously|naturally|instead|actually|sorry|natürlich"
    r"|selbstverständlich|stattdessen"
    r"|bien sûr"
    r"|évidemment|pardon|claro|por supuesto|perdón)){1,2}$",
    re.IGNORECASE,
)
_INSTEAD_OF = re.compile(
    r"^(?P<value>[^\s,;]+),? (?:and not|not|instead of|rather than|nicht|statt|und nicht|pas|et pas|au lieu de"
    r"|no|y no|en vez de)"
    r" (?P<old>[^\s,;]+)$",
    re.IGNORECASE,
)
_UNIT = (
    r"(?:ms|s|sec|min|h|d|seconds?|minutes?|hours?|days?|weeks?|months?|sekunden?|minuten?|stunden?|tagen?"
    r"|wochen?|secondes?"
    r"|heures?|jours?|semaines?|segundos?|minutos?|horas?|días?|semanas?|[kmg]b|px|%|percent|characters|zeichen"
    r"|caractères|caracteres)"
)
_NUMBER = re.compile(r"(?<![\w./:-])v?\d+(?:[.:,]\d+){0,3}(?![\w/]|[.:,]\d)")
_QUANTITY = re.compile(rf"^(?P<number>v?\d+(?:[.:,]\d+){{0,3}})(?:\s?(?P<unit>{_UNIT}))?$", re.IGNORECASE)
_COUNTED = re.compile(r"^\d+\s(?P<what>[^\W\d_]{2,20})$")
_ENDING_CHARS_MIN = 5  # of a word after the number that it begins with
_WORD = re.compile(r"[\w'#+@/-]+(?:\.[\w/-]+)*")
# Verbs that give something its name or value, and small words before what a habit is done with, on or in.
_NAMES = frozenset(
    "is are called named ist sind heißt heissen heißen est sont s'appelle s'appellent es son llama llaman".split()
)
_TAKES = _NAMES | frozenset(
    """on to with in at use uses via auf mit nutzen benutzen verwenden in nach zu sur avec utilise utilisons
    vers en con usa usamos utilizamos a into from""".split()
)
_NO_VALUE = re.compile(
    r"^(?:no|not|nope|never|only|just|yes|ok|okay|thanks?|sorry|please|nein|nicht|nur|nie|ja|danke|bitte|non"
    r"|pas|jamais|seulement"
    r"|oui|merci|sí|si|nunca|solo|sólo|gracias|wait|later|it|that|this|these|those|them|both|all|none|nothing"
    r"|everything|das|dies|ça"
    r"|eso|esto|i|we|you|they|he|she|ich|wir|du|je|tu|on|nous|yo|what|how|why|other|another|same|here|there|again)$",
    re.IGNORECASE,
)
# Tells how something is, and is no name of it: "no, it's protected".
_TELLS_HOW = re.compile(
    r"^(?:fine|broken|wrong|right|true|false|good|bad|done|old|new|gone|dead|kaputt|falsch|richtig|alt|neu|weg"
    r"|cassé|faux|vrai"
    r"|roto|falso|cierto|(?-i:[a-z]{2,}(?:ed|ing|able|less|ful|ly)))$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|don't|doesn't|without|avoid|nicht|nie|niemals|kein\w{0,2}|ohne|pas|jamais|sans|ne|nunca"
    r"|sin|stop)\b",
    re.IGNORECASE,
)
_VALUE_WORDS_MAX = 2


def corrected(statement: str, said: str, *, wrong: str = "", meant: bool = False) -> str | None:
    """The statement as its speaker puts it right, or None. `wrong` is what they name as wrong. `meant`: they say that
    these words are the right ones, and do not only say no."""
    statement, said = statement.strip(), said.replace("’", "'").strip()
    whole = _from_cleft(said)
    if whole is not None:
        return whole
    bare = _TAIL.sub("", said.strip(" .!")).strip(" ,.!")
    emphatic = bare != said.strip(" .!") or meant
    value = _LEAD.sub("", bare).strip("`\"' ")
    named = value != bare or emphatic
    instead = _INSTEAD_OF.match(value)
    if instead is not None:
        return _swapped(statement, instead["old"], instead["value"])
    if not value or any(_NO_VALUE.match(word) for word in value.split()):
        return None
    if len(value.split()) <= _VALUE_WORDS_MAX:
        filled = _filled(statement, value, wrong if named else "")
        if filled is not None:
            return filled
        told = emphatic or (wrong and statement.rstrip(".!").casefold().endswith(f" {wrong.casefold()}"))
        return _at_the_end(statement, value, _TAKES if told else _NAMES) if named else None
    return None if _NEGATED.search(statement) else _same_ending(statement, value)


def _from_cleft(said: str) -> str | None:
    """ "It's the test database that is on 5440" says: the test database is on 5440."""
    match = _CLEFT.match(said)
    if match is not None:
        return _sentence(f"{match['what'].strip()} {match['does'].strip()}")
    match = _CLEFT_GERMAN.match(said)
    return _sentence(f"{match['what'].strip()} {match['verb']} {match['rest'].strip()}") if match is not None else None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _filled(statement: str, value: str, wrong: str) -> str | None:
    """The statement with the value in the one place where its like stands."""
    quantity = _QUANTITY.match(value)
    if quantity is not None:
        return _with_number(statement, quantity["number"], quantity["unit"] or "")
    if (counted := _COUNTED.match(value)) is not None:
        return _counting(statement, value, counted["what"])
    if (
        wrong
        and re.search(r"[A-Z\d]", wrong)
        and " " not in wrong
        and not (_exclude_kinds(wrong, value) or _TELLS_HOW.match(value))
    ):
        return _swapped(statement, wrong, value)
    if " " in value:
        return None
    alike = {word for word in _WORD.findall(statement) if _spelt_alike(word, value)}
    if len(alike) == 1:
        return _swapped(statement, alike.pop(), value)
    rivals = {
        word for word in _WORD.findall(statement) if _exclude_each_other(word, value) or _count_alike(word, value)
    }
    return _swapped(statement, rivals.pop(), value) if len(rivals) == 1 else None


def _with_number(statement: str, number: str, unit: str) -> str | None:
    found = [m for m in _NUMBER.finditer(statement) if (":" in m[0]) == (":" in number)]
    if len(found) != 1 or found[0][0] == number:
        return None
    start, end = found[0].span()
    if unit:
        after = re.compile(rf"\s?{_UNIT}\b", re.IGNORECASE).match(statement, end)
        if after is None:
            return None
        return f"{statement[:start]}{number} {unit}{statement[after.end() :]}"
    return f"{statement[:start]}{number}{statement[end:]}"


def _counting(statement: str, value: str, what: str) -> str | None:
    """ "4 spaces" in place of "2 spaces"."""
    found = list(re.finditer(rf"(?<![\w.:])\d+\s{re.escape(what)}(?!\w)", statement, re.IGNORECASE))
    if len(found) != 1 or found[0][0].casefold() == value.casefold():
        return None
    return f"{statement[: found[0].start()]}{value}{statement[found[0].end() :]}"


def _spelt_alike(one: str, other: str) -> bool:
    """Two identifiers that differ in their figures, or two hosts of one domain: "qa3.intern" and "qa4.intern"."""
    one, other = one.casefold(), other.casefold()
    if one == other or one.isdigit() or other.isdigit():
        return False
    if re.sub(r"\d+", "0", one) == re.sub(r"\d+", "0", other):
        return True
    (host, dot, domain), (_, _, another) = one.partition("."), other.partition(".")
    return bool(dot) and domain == another and not host.isdigit()


def _count_alike(one: str, other: str) -> bool:
    """Two numbers in words, or two words that say of how many: "three" and "four", "sechsstellig" and "achtstellig"."""
    one, other = one.casefold(), other.casefold()
    if one == other:
        return False
    same = sum(1 for _ in takewhile(lambda ends: ends[0] == ends[1], zip(reversed(one), reversed(other), strict=False)))
    if same < _ENDING_CHARS_MIN:
        return _number(one) is not None and _number(other) is not None
    pairs = ((_number(one[: len(one) - at]), _number(other[: len(other) - at])) for at in range(same + 1))
    return any(first is not None and second is not None and first != second for first, second in pairs)


def _number(word: str) -> float | None:
    found = read_number([word.rstrip("-")], 0) if word.rstrip("-") else None
    return found[0] if found is not None else None


def _exclude_each_other(one: str, other: str) -> bool:
    return exclusive(lemma(fold(one).lower()), lemma(fold(other).lower()))


def _swapped(statement: str, old: str, new: str) -> str | None:
    """With one word in place of another that occurs once."""
    found = [m for m in _WORD.finditer(statement) if m[0].lower() == old.strip("`\"'.,").lower()]
    if len(found) != 1 or _NO_VALUE.match(new):
        return None
    return f"{statement[: found[0].start()]}{new}{statement[found[0].end() :]}"


def _at_the_end(statement: str, value: str, after: frozenset[str]) -> str | None:
    """In place of the last word, where the word before it gives it as a name or value."""
    found = list(_WORD.finditer(statement))
    if len(found) < 3 or found[-2][0].lower() not in after or found[-1][0].lower() == value.lower():
        return None
    if _QUANTITY.match(found[-1][0]) or _exclude_kinds(found[-1][0], value) or _TELLS_HOW.match(value):
        return None
    return f"{statement[: found[-1].start()]}{value}{statement[found[-1].end() :]}"


def _exclude_kinds(one: str, other: str) -> bool:
    """Whether one is written as a name and the other as none."""
    return (one[:1].isupper() or any(map(str.isdigit, one))) != (other[:1].isupper() or any(map(str.isdigit, other)))


def _same_ending(statement: str, said: str) -> str | None:
    """A correction that repeats the end of the statement: the words before that are the right ones."""
    ours, theirs = list(_WORD.finditer(statement)), list(_WORD.finditer(said))
    same = 0
    while same < min(len(ours), len(theirs)) and ours[-1 - same][0].lower() == theirs[-1 - same][0].lower():
        same += 1
    new = theirs[: len(theirs) - same]
    if not 1 <= len(new) <= _VALUE_WORDS_MAX or len(ours) - same <= len(new) or not _has_content(ours[-same:]):
        return None
    old = ours[len(ours) - same - len(new) : len(ours) - same]
    if not all(_has_content([word]) for word in (*new, *old)) or _exclude_kinds(old[-1][0], new[-1][0]):
        return None
    start, end = old[0].start(), old[-1].end()
    return f"{statement[:start]}{said[new[0].start() : new[-1].end()]}{statement[end:]}"


def _has_content(found: list[re.Match[str]]) -> bool:
    small = FUNCTION_WORDS | FOREIGN_FUNCTION_WORDS
    return any(match[0].lower() not in small and not _NO_VALUE.match(match[0]) for match in found)
