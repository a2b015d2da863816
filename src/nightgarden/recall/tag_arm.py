"""The tag arm: memories that carry a tag the query names. Their tags are indexed as words, so the text arm finds
them; this lifts those where the words are the tag itself. Pure."""

from __future__ import annotations

from nightgarden.domain.memory import Memory

TAG_WEIGHT = 0.8  # for the first tag named; by taste, a little under a speaker's name (docs/why/fusion.md)


def named_tags(memory: Memory, possible: frozenset[str]) -> tuple[str, ...]:
    """The tags of a memory that a query names."""
    return tuple(tag for tag in memory.tags if tag in possible)


def tag_boost(named: tuple[str, ...]) -> float:
    """The second tag adds half, the third a third: several tags are seldom independent."""
    return TAG_WEIGHT * sum(1.0 / n for n in range(1, len(named) + 1))
