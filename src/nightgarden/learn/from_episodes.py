"""Which procedures the episodes teach, set against those that are known. Plans changes; makes none.

Everything is worked out anew from all episodes, so the order in which they came, and being told twice, change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change
from nightgarden.domain.learning import Lesson
from nightgarden.domain.memory import Category, Memory, Procedure, Provenance, Scope, Status
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.learn.actions import commands_of
from nightgarden.learn.as_memories import procedure_memory, procedure_text
from nightgarden.learn.episode_groups import EPISODES_MAX, cluster
from nightgarden.learn.procedures import (
    SAME_STEPS,
    SOURCES_MIN,
    LearnedProcedure,
    done_in,
    followed,
    learn,
    same_steps,
    standing,
    start_of,
    uses_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEpisodes:
    """A procedure in the garden, with the episodes it was derived from."""

    memory: Memory
    sources: Mapping[str, Edge]

    @property
    def ours(self) -> bool:
        """Made by learning, and so changed by it; somebody else's words are left as they are."""
        return self.memory.provenance is Provenance.CONSOLIDATED

    @property
    def start(self) -> float:
        """How sure it is before any use."""
        return start_of(_procedure(self)) if self.ours else 1.0


async def known_procedures(store: Store) -> list[KnownEpisodes]:
    """All with steps, archived and superseded ones too: what was put aside is not learned again."""
    which = MemoryFilter(categories=(Category.PROCEDURE,), statuses=tuple(Status))
    memories = [memory for memory in await store.list_memories(which) if memory.procedure is not None]
    sources: dict[str, dict[str, Edge]] = {memory.id: {} for memory in memories}
    for edge in await store.edges(list(sources), kinds=[EdgeKind.DERIVED_FROM], incoming=False):
        if edge.source in sources:
            sources[edge.source][edge.target] = edge
    return [KnownEpisodes(memory=memory, sources=sources[memory.id]) for memory in memories]


def learn_procedures(episodes: Sequence[Memory], known: Sequence[KnownEpisodes], *, now: datetime) -> list[Lesson]:
    """What is new or changed."""
    lessons = []
    for scope, members in _by_scope(episodes).items():
        here = [each for each in known if each.memory.scope == scope]
        for learned in _learned(members):
            found = _find(learned, here)
            if found is not None:
                here.remove(found)
            lesson = _lesson(learned, found, members, scope, now)
            if lesson is not None:
                lessons.append(lesson)
    return lessons


def _by_scope(episodes: Iterable[Memory]) -> dict[Scope, dict[str, Memory]]:
    found: dict[Scope, dict[str, Memory]] = {}
    for memory in episodes:
        if memory.category is Category.EPISODE and memory.episode is not None and memory.live:
            found.setdefault(memory.scope, {})[memory.id] = memory
    return {scope: _newest(found[scope]) for scope in sorted(found)}


def _newest(members: Mapping[str, Memory]) -> dict[str, Memory]:
    ids = sorted(members, key=lambda each: (members[each].created_at, each))[-EPISODES_MAX:]
    return {each: members[each] for each in ids}


def _learned(members: Mapping[str, Memory]) -> list[LearnedProcedure]:
    done = {each: frozenset(done_in(memory)) for each, memory in members.items()}
    groups = ([members[each] for each in ids] for ids in cluster(done) if len(ids) >= SOURCES_MIN)
    found = [learned for group in groups if (learned := learn(group)) is not None]
    return sorted(found, key=lambda learned: (-len(learned.sources), learned.procedure.name, learned.sources))


def _find(learned: LearnedProcedure, known: Sequence[KnownEpisodes]) -> KnownEpisodes | None:
    """The known procedure that does the same: made of the same episodes, or of the same steps. Somebody's own first."""

    def alike(each: KnownEpisodes) -> tuple[bool, float]:
        shared = len(each.sources.keys() & set(learned.sources)) / max(1, min(len(each.sources), len(learned.sources)))
        steps = same_steps(actions_of(each.memory), learned.procedure.actions)
        return not each.ours and steps >= SAME_STEPS, max(shared, steps)

    best = max(known, key=lambda each: (*alike(each), each.memory.id), default=None)
    return best if best is not None and alike(best)[1] >= SAME_STEPS else None


def actions_of(memory: Memory) -> tuple[str, ...]:
    """What a procedure does, in the words of episodes; of one that somebody wrote, the commands in its steps."""
    procedure = memory.procedure
    if procedure is None:
        return ()
    return procedure.actions or actions_in(procedure.steps)


def actions_in(steps: Iterable[str]) -> tuple[str, ...]:
    """The commands between backticks; prose says nothing that could be compared."""
    quoted = (text for step in steps for text in step.split("`")[1::2])
    return tuple(dict.fromkeys(name for text in quoted for name, _ in commands_of(text)))


def _lesson(
    learned: LearnedProcedure, found: KnownEpisodes | None, members: Mapping[str, Memory], scope: Scope, now: datetime
) -> Lesson | None:
    # The oldest episodes made it known; the sessions after them followed it. Of somebody's own, those since it came.
    sources = [members[each] for each in learned.sources]
    later = sources[SOURCES_MIN:]
    if found is not None and not found.ours:
        later = [memory for memory in sources if memory.created_at >= found.memory.created_at]
    by_hand = [use for use in _procedure(found).uses if use.episode_id is None] if found is not None else []
    procedure = learned.procedure
    if found is not None and found.ours:
        procedure = replace(procedure, start=_procedure(found).start)
    start = start_of(procedure) if found is None or found.ours else found.start
    procedure = replace(procedure, uses=followed([*by_hand, *uses_of(later)], start=start))
    if found is None:
        return _new(procedure, sources, scope, now)
    if found.memory.superseded_by is not None:
        return None
    return _changed(found, procedure, learned.sources, now)


def _procedure(known: KnownEpisodes) -> Procedure:
    assert known.memory.procedure is not None
    return known.memory.procedure


def _new(procedure: Procedure, sources: Sequence[Memory], scope: Scope, now: datetime) -> Lesson:
    first = sources[:SOURCES_MIN]
    key = "\x1f".join((str(scope), *(memory.session_id or memory.id for memory in first)))
    start = start_of(procedure)
    memory = procedure_memory(procedure, scope, key=key, at=first[-1].created_at, confidence=start)
    status, confidence = standing(memory, procedure.uses, start=start)
    memory = replace(memory, status=status, confidence=confidence, tainted=any(s.tainted for s in sources))
    reason = f"done alike in {len(sources)} sessions"
    edges = [Change(None, _edge(memory.id, source.id, now), reason) for source in sources]
    changes = (Change(None, memory, reason), *edges)
    return Lesson(what="procedures learned", changes=changes, reason=f"{procedure.name}: {reason}")


def _changed(found: KnownEpisodes, procedure: Procedure, sources: Sequence[str], now: datetime) -> Lesson | None:
    before = found.memory
    known = _procedure(found)
    kept = procedure if found.ours else replace(known, uses=procedure.uses)
    start = start_of(procedure) if found.ours else before.confidence
    status, confidence = standing(before, procedure.uses, start=start)
    if before.status is Status.ARCHIVED:
        status = before.status
    after = replace(before, procedure=kept, status=status, confidence=confidence)
    if found.ours and before.procedure and before.content == procedure_text(before.procedure):
        after = replace(after, content=procedure_text(kept))
    if status is Status.ARCHIVED and before.status is not Status.ARCHIVED:
        after = replace(after, archived_at=now)
    reason = f"{len(procedure.uses)} uses so far, confidence {confidence:.2f}"
    new = [Change(None, _edge(before.id, s, now), reason) for s in sources if s not in found.sources]
    changes = [Change(before, replace(after, updated_at=now), reason)] if after != before else []
    if not changes and not new:
        return None
    failed = status is Status.ARCHIVED and before.status is not Status.ARCHIVED
    word = "procedures archived" if failed else "procedures kept up"
    return Lesson(what=word, changes=(*changes, *new), reason=f"{kept.name}: {reason}")


def _edge(procedure_id: str, episode_id: str, now: datetime) -> Edge:
    return Edge(
        source=procedure_id, target=episode_id, kind=EdgeKind.DERIVED_FROM, weight=1.0, created_at=now, updated_at=now
    )
