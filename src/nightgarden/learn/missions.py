"""Missions, as somebody at a place has them: the `garden.learn.missions` part of the public API.

A mission that ends writes to the project what it taught, all of it in one cycle, each memory once: ending it again, or
twice at the same moment, changes nothing.
"""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nightgarden.domain.documents import ABSENT
from nightgarden.domain.gate import Gate
from nightgarden.domain.given import one_of
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.ledger import Source
from nightgarden.domain.memory import Category, Importance, Memory, Provenance, Scope, ScopeKind
from nightgarden.domain.mission import (
    GOAL_CHARS_MAX,
    NAME_CHARS_MAX,
    Mission,
    MissionOutcome,
    mission_slug,
    qualifies,
    went_wrong,
)
from nightgarden.domain.ports import Clock, MemoryFilter, Store
from nightgarden.domain.shelf import Kept, Shelf
from nightgarden.domain.text import squash
from nightgarden.domain.verdict import Verdict
from nightgarden.errors import BadInput, Conflict, NotFound, RuleRefused
from nightgarden.learn.capture.lessons import has_cue, sentences
from nightgarden.learn.capture.taking import CapturedItem, CaptureReport, Remember, Taking
from nightgarden.learn.learning_documents import MISSION
from nightgarden.learn.mission_episode import belongs_to, mission_episode
from nightgarden.remember.note import Note
from nightgarden.settings import RememberSettings

REASON_CHARS_MIN = 12  # shorter ones ("gave up") teach nothing
REASON_CHARS_MAX = 600
_ATTEMPTS = 20
_FAILURE_SURE = 0.68  # taken over from an earlier system of this kind
_FAILED_WORDS = frozenset("fails failed failing broke broken breaks crash crashed error wrong".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionEnd:
    """What the end of a mission wrote."""

    mission: Mission
    report: CaptureReport


class Missions:
    """The missions of a project."""

    def __init__(
        self, store: Store, project: Scope, settings: RememberSettings, clock: Clock, ids: IdMaker, remember: Remember
    ) -> None:
        self._store = store
        self._project = project
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._remember = remember
        self._shelf = Shelf(store, MISSION)

    async def start(
        self, name: str, *, goal: str = "", agent: str = "", session_id: str | None = None, actor: str = "user"
    ) -> Mission:
        """Starts a mission; one of that name that goes on already in this project is returned as it is."""
        name, goal = squash(name), squash(goal)
        slug = mission_slug(name)
        if not slug or len(name) > NAME_CHARS_MAX or len(goal) > GOAL_CHARS_MAX:
            raise BadInput(
                f"a mission needs a name with letters or digits of at most {NAME_CHARS_MAX} characters, and a goal of "
                f"at most {GOAL_CHARS_MAX}"
            )
        self._refuse({"name": name, "goal": goal, "agent": agent, "session_id": session_id or ""})
        for number in range(1, _ATTEMPTS + 1):
            key = slug if number == 1 else f"{slug}-{number}"
            known = await self._shelf.get(key)
            if known is not None and known.value.active and known.value.project == self._project:
                return known.value
            if known is None:
                mission = Mission(
                    id=key,
                    name=name,
                    goal=goal,
                    project=self._project,
                    agent=agent,
                    session_id=session_id,
                    started_at=self._clock.now(),
                    started_by=actor,
                )
                try:
                    await self._keep(mission, ABSENT)
                except Conflict:
                    continue
                return mission
        raise BadInput(f"there were {_ATTEMPTS} missions named {name!r} before; choose another name")

    async def note(
        self, text: str, *, mission_id: str | None = None, category: Category | str | None = None, actor: str = "user"
    ) -> Verdict:
        """Remembers something for a mission; for the one that goes on when there is only one. Raises NotFound."""
        mission = await self._meant(mission_id)
        if not mission.active:
            raise BadInput(f"mission {mission.id} ended ({mission.outcome}); start another one to note something")
        now = self._clock.now()
        note = Note(
            content=text,
            scope=mission.scope,
            wider_scopes=(self._project,),
            created_at=now,
            category=one_of(Category, category, "category") if category is not None else None,
            provenance=Provenance.USER_STATED if actor == "user" else Provenance.OBSERVED,
        )
        return await self._remember(note, None, actor)

    async def end(
        self, outcome: MissionOutcome | str, *, mission_id: str | None = None, reason: str = "", actor: str = "user"
    ) -> MissionEnd:
        """Ends a mission. Success copies what qualifies to the project, failure what went wrong, cancelling nothing;
        what is in the mission stays there. Ending it the same way again changes nothing."""
        wanted, reason = one_of(MissionOutcome, outcome, "outcome"), squash(reason)[:REASON_CHARS_MAX]
        self._refuse({"reason": reason})
        kept = await self._kept((await self._meant(mission_id, ended=True)).id)
        mission = kept.value
        if mission.outcome not in (None, wanted):
            raise BadInput(f"mission {mission.id} ended already: {mission.outcome}")
        if mission.outcome is None:
            now = self._clock.now()
            cycle = f"mission-{self._ids.make(now)}"
            mission = replace(mission, outcome=wanted, reason=reason, ended_at=now, cycle=cycle)
            await self._keep(mission, kept.version)
        report = await self._hand_over(mission, actor)
        await self._record(mission, actor)
        return MissionEnd(mission=mission, report=report)

    async def promote(self, memory_id: str, *, actor: str = "user") -> Verdict:
        """Copies one memory of a mission to its project, whatever became of the mission."""
        found = await self._store.memories([memory_id])
        if not found or found[0].scope.kind is not ScopeKind.MISSION:
            raise NotFound(f"there is no memory {memory_id!r} of a mission; `nightgarden mission show` lists them")
        memory = found[0]
        mission = (await self._kept(memory.scope.owner)).value
        note = Note(
            content=memory.content,
            scope=mission.project,
            created_at=self._clock.now(),
            category=memory.category,
            tags=memory.tags,
            importance=memory.importance,
            provenance=Provenance.PROMOTED,
            tainted=memory.tainted,
            confidence=1.0,
            confidence_reason=f"promoted from mission {mission.id}",
            procedure=memory.procedure,
            file_paths=memory.file_paths,
        )
        return await self._remember(note, None, actor)

    async def list(self, *, ended: bool = True, everywhere: bool = False) -> builtins.list[Mission]:
        """Missions, newest first."""
        statuses = None if ended else ("active",)
        found = await self._shelf.list(owner=None if everywhere else str(self._project), statuses=statuses)
        return sorted((kept.value for kept in found), key=lambda m: (m.started_at, m.id), reverse=True)

    async def get(self, mission_id: str) -> Mission:
        """One mission. Raises NotFound."""
        return (await self._kept(mission_id)).value

    async def memories(self, mission_id: str) -> builtins.list[Memory]:
        """What was noted in a mission, oldest first."""
        return await self._store.list_memories(MemoryFilter(scopes=((await self.get(mission_id)).scope,)))

    async def worked_on(self, *, agent: str, session_id: str) -> builtins.list[Mission]:
        """The missions that a session of this agent works on."""
        found = await self._shelf.list(owner=str(self._project), statuses=("active",))
        return [kept.value for kept in found if kept.value.is_of(agent=agent, session_id=session_id)]

    # -- inside ------------------------------------------------------------------------------------------------------
    async def _hand_over(self, mission: Mission, actor: str) -> CaptureReport:
        memories = await self._store.list_memories(MemoryFilter(scopes=(mission.scope,)))
        match mission.outcome:
            case MissionOutcome.SUCCESS:
                items = [_copied(mission, memory) for memory in memories if qualifies(memory)]
            case MissionOutcome.FAILURE:
                items = _failed(mission, memories)
            case _:
                items = []
        taking = Taking(self._store, mission.project, self._clock, self._remember, actor=actor)
        return await taking.take(items, cycle=mission.cycle)

    async def _record(self, mission: Mission, actor: str) -> None:
        """The episode of a mission that succeeded or failed, once; of one in which something was noted or done."""
        if mission.outcome is MissionOutcome.CANCELLED or mission.ended_at is None:
            return
        memories = await self._store.list_memories(MemoryFilter(scopes=(mission.scope,)))
        which = MemoryFilter(scopes=(mission.project,), categories=(Category.EPISODE,))
        sessions = [each for each in await self._store.list_memories(which) if belongs_to(mission, each)]
        memory = mission_episode(mission, memories, sessions)
        if memory is None or await self._store.tombstones([memory.id]) or await self._store.history(memory.id):
            return  # nothing to record, or it was, whatever became of it since
        origin = Origin(
            actor=actor, operation=Operation.LEARN, reason=f"mission {mission.id} ended", cycle=mission.cycle
        )
        try:
            await self._store.apply([Change(None, memory)], origin, at=mission.ended_at)
        except Conflict:  # somebody ended it at the same moment
            return

    async def _meant(self, mission_id: str | None, *, ended: bool = False) -> Mission:
        if mission_id is not None:
            return (await self._kept(mission_id)).value
        active = await self.list(ended=False)
        if not active and ended and (over := await self.list()):
            return over[0]
        if len(active) != 1:
            names = ", ".join(mission.id for mission in active) or "none goes on"
            raise BadInput(f"say which mission is meant ({names})")
        return active[0]

    async def _kept(self, mission_id: str) -> Kept[Mission]:
        kept = await self._shelf.get(mission_id)
        if kept is None:
            raise NotFound(f"there is no mission {mission_id!r}; `nightgarden mission list` shows them")
        return kept

    async def _keep(self, mission: Mission, expected: int) -> None:
        status = mission.outcome.value if mission.outcome is not None else "active"
        await self._shelf.put(
            mission.id, mission, expected=expected, owner=str(mission.project), status=status, at=self._clock.now()
        )

    def _refuse(self, value: object) -> None:
        gate = Gate(personal_allowed=frozenset(self._settings.personal_allowed))
        if refused := gate.refuse(value):
            raise RuleRefused(f"not stored ({refused.rule.id}): {refused.rule.sentence}")


def _copied(mission: Mission, memory: Memory) -> CapturedItem:
    return CapturedItem(
        source=Source.MISSION_SUCCESS,
        key=f"{mission.id}:{memory.id}",
        text=memory.content,
        category=memory.category,
        confidence=max(memory.confidence, 0.7),  # what succeeded need not prove itself again
        at=mission.ended_at or memory.created_at,
        outside=False,
        provenance=Provenance.PROMOTED,
        importance=memory.importance,
        reason=f"held in mission {mission.id}, which succeeded",
        files=memory.file_paths,
        judged=True,
    )


def _failed(mission: Mission, memories: Sequence[Memory]) -> list[CapturedItem]:
    """What went wrong: traps and corrections noted on the way, sentences that speak of a failure, and the reason."""
    texts = {memory.content: memory.id for memory in memories if went_wrong(memory)}
    for memory in memories:
        if memory.live and not memory.tainted and memory.content not in texts:
            for sentence in sentences(memory.content):
                if _FAILED_WORDS & set(sentence.lower().split()):
                    texts.setdefault(sentence, memory.id)
    if len(mission.reason) >= REASON_CHARS_MIN and (has_cue(mission.reason) or len(mission.reason.split()) >= 4):
        texts.setdefault(f"{mission.name} failed: {mission.reason}", "reason")
    return [
        CapturedItem(
            source=Source.MISSION_FAILURE,
            key=f"{mission.id}:{key}:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}",
            text=text,
            category=Category.GOTCHA,
            confidence=_FAILURE_SURE,
            at=mission.ended_at or mission.started_at,
            outside=False,
            importance=Importance.HIGH,
            reason=f"mission {mission.id} failed",
            judged=True,
        )
        for text, key in sorted(texts.items(), key=lambda each: (each[1], each[0]))
    ]
