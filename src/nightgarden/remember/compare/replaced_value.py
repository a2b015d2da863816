"""Whether a text still says what a newer statement replaced: it names the value or the name that was given up, or it
repeats the older statement. Pure.

Knows the words of the two statements. What names nothing of that ("restart the worker there") is not recognised, and
a text that names the new value as well tells of the change itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nightgarden.remember.compare.align import Alignment, agree, align
from nightgarden.remember.compare.change import TOOK_OVER, find_change
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.statement import Statement, Word, read

REPEATED_MIN = 0.8  # of the older statement's content words, for a text to be its echo; taste
TEXT_CHARS_MAX = 4_000
_SHARED_MAX = 3  # words of the older statement that one that only ends it ("Redis replaced Memcached") has
_GIVEN_UP_MAX = 2  # words of one place; more are another wording
_GENERIC = (
    grammar.COMMON_THINGS | grammar.LIGHT | grammar.HABITS | grammar.SINGLE_HOLDER | grammar.SINGLE_NOUNS
) | grammar.CHANGE_VERBS
_OF_CHANGE = grammar.DROPPERS | grammar.CHANGE_MARKS | grammar.MOMENTS | {TOOK_OVER}
_ENDS = re.compile(
    r"\b(?:replac\w+|ditched|dropped|abandoned|retired|renamed|superseded|left|gone|history|away from|got rid of"
    r"|ersetz\w+|abgelöst\w*|löst\w*|umbenannt|abgeschafft|weg|verlassen"
    r"|remplac\w+|abandonn\w+|renomm\w+|quitt\w+|succéd\w+"
    r"|sustitu\w+|reemplaz\w+|renombr\w+|abandon\w+|dejamos|dejado)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class GivenUp:
    """What no longer holds, and what took its place."""

    words: tuple[Word, ...]
    taken: tuple[Word, ...]
    about: tuple[Word, ...]  # what else the older statement tells
    by_itself: bool  # naming it is saying it; otherwise only beside something that it was about


def still_says(text: str, older: str, newer: str) -> bool:
    """Whether the text holds what the newer statement replaced of the older one."""
    said = read(text[:TEXT_CHARS_MAX])
    given_up = find_given_up(older, newer)
    if _any_in(given_up.taken, said):
        return False
    if _repeats(said, read(older)):
        return True
    named = [word for word in given_up.words if _in(word, said)]
    alone = given_up.by_itself and any(not word.numeric for word in named)
    return bool(named) and (alone or _any_in(given_up.about, said))


@lru_cache(maxsize=1024)
def find_given_up(older: str, newer: str) -> GivenUp:
    """What the newer statement put an end to, by the words of both."""
    before, after = read(older), read(newer)
    laid = align(before, after)
    change = find_change(after)
    left = tuple(word for word in before.content if change and any(agree(word, each) for each in change.left))
    by_itself = TOOK_OVER not in after.lows
    if not left and _ENDS.search(newer):
        left = _shared(before, laid)
    if not left:
        left, by_itself = _exchanged(before, laid)
    fresh = tuple(word for word in after.content if not _in(word, before) and not _says_little(word))
    others = tuple(word for word in before.content if word not in left)
    about = tuple(word for word in others if not _says_little(word))
    return GivenUp(left, fresh, about or others, by_itself)


def _shared(before: Statement, laid: Alignment) -> tuple[Word, ...]:
    """ "Redis replaced Memcached" has of "the cache is Memcached" nothing but what it ends."""
    at = sorted({i for i, _ in (*laid.pairs, *laid.moved)})
    words = tuple(before.content[i] for i in at if not _says_little(before.content[i]))
    named = tuple(word for word in words if word.specific)
    return (named or words) if len(words) <= _SHARED_MAX else ()


def _exchanged(before: Statement, laid: Alignment) -> tuple[tuple[Word, ...], bool]:
    """What stands in the older statement where the newer one has something else. At its start that is who does
    something, of whom other things may be told."""
    for gap in laid.gaps:
        words = [before.content[i] for i in gap.old if not _says_little(before.content[i])]
        if gap.new and 0 < len(words) <= _GIVEN_UP_MAX:
            values = [word for word in words if word.numeric] or words[-1:]  # "auf dem Rechner heron"
            return tuple(values), 0 not in gap.old
    return (), False


def _repeats(said: Statement, before: Statement) -> bool:
    there = sum(_in(word, said) for word in before.content)
    return bool(before.content) and there >= REPEATED_MIN * len(before.content)


def _says_little(word: Word) -> bool:
    return not word.numeric and (word.key in _GENERIC or word.low in _OF_CHANGE)


def _any_in(words: Iterable[Word], said: Statement) -> bool:
    return any(_in(word, said) for word in words)


def _in(word: Word, said: Statement) -> bool:
    among: Sequence[Word] = said.content
    return any(agree(word, each) for each in among)
