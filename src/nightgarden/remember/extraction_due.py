"""When a mind should read a session for memories. Pure: takes the session's figures, reads no clock and no text.

What the rules find costs nothing and is looked for at every stop; a mind costs tokens, and reads a piece of some length
better than each turn alone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TOPIC_TURNS_MIN = 4  # turns since the last extraction before a topic change counts
EVERY_TURNS = 12  # taken over from an earlier system of this kind; not measured here
CHARS_MIN = 200  # shorter transcripts hold nothing worth reading


class ExtractionReason(StrEnum):
    """Why a mind reads a session now."""

    TOPIC_CHANGED = "topic_changed"
    MANY_TURNS = "many_turns"
    ENDED = "ended"
    CRASHED = "crashed"
    REQUESTED = "requested"  # somebody asked for this session to be read


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionProgress:
    """What happened in a session since a mind last read it."""

    turns: int
    chars: int
    topic_changed: bool = False  # with the last turn
    ended: bool = False
    crashed: bool = False
    requested: bool = False


def extraction_due(progress: ExtractionProgress) -> ExtractionReason | None:
    """The reason to ask a mind now, or None."""
    if progress.requested and progress.turns:
        return ExtractionReason.REQUESTED
    if progress.chars < CHARS_MIN or progress.turns == 0:
        return None
    if progress.crashed:
        return ExtractionReason.CRASHED
    if progress.ended:
        return ExtractionReason.ENDED
    if progress.turns >= EVERY_TURNS:
        return ExtractionReason.MANY_TURNS
    if progress.topic_changed and progress.turns >= TOPIC_TURNS_MIN:
        return ExtractionReason.TOPIC_CHANGED
    return None
