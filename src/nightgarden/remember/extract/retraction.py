"""A user who takes back what was said before in the same conversation. The words for it: domain/taking_back.py.

What is taken back is the last message that gave something, or what was said about the topic that is named.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.domain.taking_back import takes_back, topic_taken_back
from nightgarden.domain.text import query_terms
from nightgarden.remember.draft import Draft

REACH_MESSAGES = 8  # what was said longer ago is taken back only by naming it


def taken_back(text: str, said: Sequence[tuple[int, Draft]], *, position: int) -> set[int]:
    """Which drafts (each with the position of its message) the message at `position` takes back: their places."""
    if not takes_back(text):
        return set()
    if terms := topic_taken_back(text):
        return {n for n, (_, draft) in enumerate(said) if terms & set(query_terms(draft.content))}
    near = [place for place, _ in said if position - place <= REACH_MESSAGES]
    return {n for n, (place, _) in enumerate(said) if near and place == max(near)}
