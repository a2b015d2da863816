"""What of a memory or passage is searched: which text is indexed by words, and which is embedded.

A passage is found by who said it and when as well as by what was said, so speaker and date are part of its text.
"""

from __future__ import annotations

from datetime import datetime

from nightgarden.domain.memory import Memory
from nightgarden.domain.session import Passage
from nightgarden.domain.text import terms

# Roles that say nothing about who spoke; any other role is taken for a speaker's name.
PLAIN_ROLES = frozenset({"user", "assistant", "system", "tool"})
_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def date_words(moment: datetime) -> str:
    """8 May 2023 Monday: the words people search a day by, whatever the machine's locale."""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year} {_DAYS[moment.weekday()]}"


def _said_by(passage: Passage) -> str:
    if passage.role.casefold() in PLAIN_ROLES or passage.content.casefold().startswith(passage.role.casefold() + ":"):
        return ""
    return f"{passage.role}: "


def word_text(item: Memory | Passage) -> str:
    """The text that full text indexes."""
    if isinstance(item, Passage):
        return f"{_said_by(item)}{item.content}\n{date_words(item.created_at)}"
    return "\n".join((item.content, " ".join(item.tags), " ".join(item.file_paths))).rstrip()


def meaning_text(item: Memory | Passage) -> str:
    """The text that is embedded."""
    return f"{_said_by(item)}{item.content}" if isinstance(item, Passage) else item.content


def indexed_terms(item: Memory | Passage) -> str:
    """The terms of `word_text`, separated by spaces, as both stores keep them."""
    return " ".join(terms(word_text(item)))
