"""Whether a statement is about its user as a person, so that it holds in every project and not only in this one.

Told by its own words where they say it ("in all my repos", "call me Sam"), else by the classifier that reads sessions,
which was trained on this question; without it the answer is no. What names the project is about the project, however
personal it sounds.
"""

from __future__ import annotations

import re

from nightgarden.domain.classify import Classifier
from nightgarden.domain.memory import ScopeKind
from nightgarden.domain.requests.writing import Remember
from nightgarden.remember.whose import Reach, stated_reach
from nightgarden.scope import Place

PERSONAL_CHARS_MAX = 400  # people say such things of themselves in a sentence or two; taste
PERSONAL_MIN = 0.6  # the same as for what is said in a session
_NAMES_PROJECT = re.compile(
    r"\b(?:this|the|our) (?:project|repo(?:sitory)?|code ?base|monorepo|app|service|team)\b|\bhere\b|\bour\b|\bwe\b",
    re.IGNORECASE,
)
_THIRD_PERSON = (  # as agents write it; the classifier read what people say of themselves
    (re.compile(r"^(?:the )?user(?:'s|’s)\b", re.IGNORECASE), "My"),
    (re.compile(r"^(?:the )?user\b", re.IGNORECASE), "I"),
    (re.compile(r"^(?=(?:prefer|like|love|hate|dislike|want)s\b)", re.IGNORECASE), "I "),
)


def may_hold_everywhere(asked: Remember, place: Place) -> bool:
    """Whether its text decides where it holds: no scope was given, and nothing else ties it to this place."""
    tied = asked.scope is not None or asked.tainted or asked.file_paths or asked.session_only
    return not tied and place.scope.kind is ScopeKind.PROJECT and len(asked.content) <= PERSONAL_CHARS_MAX


def is_personal(text: str, classifier: Classifier | None) -> bool:
    """Whether it holds wherever its user works. Blocks for some milliseconds."""
    match stated_reach(text):
        case Reach.EVERYWHERE:
            return True
        case Reach.PROJECT:
            return False
    if classifier is None or _NAMES_PROJECT.search(text):
        return False
    for written, said in _THIRD_PERSON:
        text = written.sub(said, text)
    words = classifier.read_message(text, previous="").words
    return bool(words) and sum(word.personal for word in words) / len(words) >= PERSONAL_MIN
