"""Why a memory may not hold, as values; the sentence about it is made where it is shown. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum


class DoubtKind(StrEnum):
    """What speaks against a memory."""

    CONTRADICTS = "contradicts"  # others may say the opposite
    GONE = "gone"  # what it states is not in the project
    UNWANTED = "unwanted"  # an agent asked to forget what the user stated
    OTHER = "other"  # in words only, from an earlier version


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """One reason why the user should look at a memory."""

    kind: DoubtKind
    against: tuple[str, ...] = ()  # ids of the memories that it may contradict
    rule: str = ""  # id of the rule that saw it
    detail: str = ""  # what was seen, for people

    @property
    def sentence(self) -> str:
        match self.kind:
            case DoubtKind.CONTRADICTS:
                return f"may contradict {', '.join(self.against)}" + (f" ({self.detail})" if self.detail else "")
            case DoubtKind.GONE:
                return "not found in the project" + (f": {self.detail}" if self.detail else "")
            case DoubtKind.UNWANTED:
                return "an agent asked to forget it"
            case DoubtKind.OTHER:
                return self.detail


def describe(doubts: Iterable[Doubt]) -> str:
    """All doubts about a memory for people; empty when there are none."""
    return "; ".join(doubt.sentence for doubt in doubts)


def without_kind(doubts: Iterable[Doubt], kind: DoubtKind) -> tuple[Doubt, ...]:
    return tuple(doubt for doubt in doubts if doubt.kind is not kind)


def without_memory(doubts: Iterable[Doubt], memory_id: str) -> tuple[Doubt, ...]:
    """The doubts when a memory no longer stands against: those that named no other are gone."""
    kept = []
    for doubt in doubts:
        others = tuple(each for each in doubt.against if each != memory_id)
        if others or not doubt.against:
            kept.append(replace(doubt, against=others))
    return tuple(kept)
