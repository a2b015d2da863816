"""When what was left undone is done or stale. Plans changes; makes none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from nightgarden.domain.journal import Change
from nightgarden.domain.learning import Lesson
from nightgarden.domain.memory import Category, Ending, Memory, Status
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.learn.as_memories import HANDOFF_DAYS
from nightgarden.learn.from_sessions import told_of
from nightgarden.learn.undone import files_named, is_done


async def retire_handoffs(store: Store, episodes: Sequence[Memory], *, now: datetime) -> list[Lesson]:
    """Those that later episodes of the same scope took care of, wholly or in part, and those that nobody took up."""
    which = MemoryFilter(categories=(Category.HANDOFF,))
    found = []
    for handoff in await store.list_memories(which):
        if handoff.live and (lesson := retire(handoff, episodes, now=now)) is not None:
            found.append(lesson)
    return found


def retire(handoff: Memory, episodes: Sequence[Memory], *, now: datetime) -> Lesson | None:
    """Pure. A handoff that somebody wrote by hand, without items, only becomes stale."""
    if handoff.valid_until is not None and handoff.valid_until <= now:
        return _archive(handoff, "nobody took it up", now)
    if handoff.episode is None:
        return None
    left_at = handoff.valid_until - timedelta(days=HANDOFF_DAYS) if handoff.valid_until else handoff.updated_at
    later = [memory for memory in episodes if memory.scope == handoff.scope and memory.created_at >= left_at]
    open_items = tuple(item for item in handoff.episode.undone if not any(_covers(memory, item) for memory in later))
    if open_items == handoff.episode.undone:
        return None
    if not open_items:
        return _archive(handoff, "done since", now)
    head = handoff.content.partition("): ")[0]
    after = replace(
        handoff,
        content=f"{head}): " + "; ".join(open_items),
        episode=replace(handoff.episode, undone=open_items),
        updated_at=now,
    )
    reason = "some of it is done"
    return Lesson(what="partly done", changes=(Change(handoff, after, reason),), reason=reason)


def _covers(memory: Memory, item: str) -> bool:
    episode = memory.episode
    if episode is None or episode.outcome is Ending.FAILURE or item in episode.undone:
        return False
    if item.endswith(" fails"):
        return any(step.action == item.removesuffix(" fails") and not step.failed for step in episode.steps)
    named = files_named(item)
    changed = all(any(f"/{file}".endswith(f"/{name}") for file in episode.files) for name in named)
    return (bool(named) and changed) or is_done(item, told_of(episode))


def _archive(handoff: Memory, reason: str, now: datetime) -> Lesson:
    after = replace(handoff, status=Status.ARCHIVED, archived_at=now, updated_at=now)
    return Lesson(what="handed over", changes=(Change(handoff, after, reason),), reason=reason)
