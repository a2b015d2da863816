"""When a session should be read for memories. Pure: takes the session's figures, reads no clock and no text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TOPIC_COSINE = 0.3  # consecutive contexts less alike than this have changed topic
TOPIC_TURNS_MIN = 4  # turns since the last extraction before a topic change counts
EVERY_TURNS = 12  # taken over from an earlier system of this kind; not measured here
CHARS_MIN = 200  # shorter transcripts hold nothing worth reading


class Why(StrEnum):
    """Why a session is read now."""

    TOPIC_CHANGED = "topic_changed"
    MANY_TURNS = "many_turns"
    ENDED = "ended"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What happened in a session since it was last read."""

    turns: int
    chars: int
    topic_cosine: float | None = None  # of the last two contexts; None when there is only one
    ended: bool = False
    crashed: bool = False


def extraction_due(progress: Progress) -> Why | None:
    """The reason to read the session now, or None."""
    if progress.chars < CHARS_MIN:
        return None
    if progress.crashed:
        return Why.CRASHED
    if progress.ended:
        return Why.ENDED
    if progress.turns >= EVERY_TURNS:
        return Why.MANY_TURNS
    if progress.topic_cosine is not None and progress.topic_cosine < TOPIC_COSINE and progress.turns >= TOPIC_TURNS_MIN:
        return Why.TOPIC_CHANGED
    return None
