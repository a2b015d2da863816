"""Which memories may be shown to an agent that did not ask for them, by what they are and not by what was said. Pure.

Not what is no longer believed, nor what was judged not helpful again and again, nor what holds only in another season.
Whoever asks finds all of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from nightgarden.domain.belief import effective_confidence
from nightgarden.domain.memory import Category, Memory, Status, Tier
from nightgarden.domain.season import in_season

# Under this nothing is believed any more: what is pruned when nobody met it twice (tend/prune.py).
BELIEVED_MIN = 0.05
# Each time that it is judged not helpful it loses some confidence; below this it was judged so again and again, for no
# memory starts below it by itself.
HELPFUL_MIN = 0.25
_IN_EVERY_SEASON = (Category.NEGATIVE, Category.CORRECTION)


def is_believed(memory: Memory, now: datetime) -> bool:
    """Whether enough is left of it to be shown unasked. What is pinned always is."""
    if memory.pinned:
        return True
    return effective_confidence(memory, now) >= BELIEVED_MIN and not is_unhelpful(memory)


def is_unhelpful(memory: Memory) -> bool:
    """Whether it was judged not helpful again and again."""
    return memory.confidence < HELPFUL_MIN and not memory.learned


def is_fading(memory: Memory) -> bool:
    """Whether it is looked for only in deep searches. A candidate is new, not fading."""
    return memory.tier is Tier.FADING and memory.status is Status.PROMOTED


def is_now(memory: Memory, now: datetime, *, seasons: Iterable[str] = (), about: str = "") -> bool:
    """Whether the season it holds in is now. What the user forbade or corrected is told in every season: "never in
    summer" is read by who plans for it in spring."""
    season = memory.temporal.seasonal
    return not season or memory.category in _IN_EVERY_SEASON or in_season(season, now, named=seasons, about=about)


def may_surface(memory: Memory, now: datetime, *, seasons: Iterable[str] = (), about: str = "") -> bool:
    """Whether it may be shown unasked."""
    return is_believed(memory, now) and is_now(memory, now, seasons=seasons, about=about)
