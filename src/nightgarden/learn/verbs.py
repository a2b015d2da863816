"""What sessions taught, as somebody at a place has it: the `garden.learn` part of the public API."""

from __future__ import annotations

import builtins
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from nightgarden.domain.gate import Gate
from nightgarden.domain.given import one_of
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.learning import Ask, Lessons
from nightgarden.domain.memory import (
    Category,
    Ending,
    Memory,
    Procedure,
    ProcedureUse,
    Provenance,
    Scope,
    ScopeKind,
    Status,
)
from nightgarden.domain.ports import Clock, Embedder, MemoryFilter, Store
from nightgarden.domain.text import squash
from nightgarden.errors import BadInput, Conflict, NotFound, RuleRefused
from nightgarden.learn.as_memories import procedure_text
from nightgarden.learn.capture.capturing import Capture
from nightgarden.learn.capture.gap_review import review_gaps
from nightgarden.learn.capture.taking import CaptureReport, Remember
from nightgarden.learn.core import Core
from nightgarden.learn.digest import Digests
from nightgarden.learn.from_episodes import KnownEpisodes, actions_in, actions_of, known_procedures, learn_procedures
from nightgarden.learn.from_sessions import SESSIONS, Recorded, is_work, record_one, record_sessions
from nightgarden.learn.handoffs import retire_handoffs
from nightgarden.learn.missions import Missions
from nightgarden.learn.notebook import Notebook
from nightgarden.learn.notebook_purge import purge_in_notebooks
from nightgarden.learn.procedure_given import TEXT_CHARS_MAX, checked, lines_of
from nightgarden.learn.procedures import START, followed, same_steps, standing
from nightgarden.learn.skills import Skills
from nightgarden.learn.tiers import Tiers
from nightgarden.remember.edit import archived
from nightgarden.scope import Place, branch_words, parse_scope, visible_scopes
from nightgarden.settings import Settings

DOING_SESSIONS = 2  # whose titles tell what is being worked on; taste
DOING_CHARS_MAX = 600
SIMILAR = 0.75  # share of the larger one's steps from which one that is added is said to be like another


@dataclass(frozen=True, slots=True, kw_only=True)
class LentLearning:
    """What learning borrows from the rooms above it."""

    remember: Remember  # writes a note through the gate, in a cycle
    embedder: Callable[[], Awaitable[Embedder | None]]
    data_folder: Path
    machine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureShown:
    """A procedure with the episodes it was derived from."""

    memory: Memory
    sources: tuple[str, ...]


class Learning:
    """Episodes and procedures. Reading and saying only: making episodes is tending's, and the end of a session's."""

    def __init__(
        self, store: Store, place: Place, settings: Settings, clock: Clock, ids: IdMaker, *, lent: LentLearning
    ) -> None:
        self._store = store
        self._place = place
        self._all_settings = settings
        self._settings = settings.remember
        self._clock = clock
        self._ids = ids
        self._lent = lent

    # -- its parts ---------------------------------------------------------------------------------------------------
    @property
    def skills(self) -> Skills:
        """Procedures as files that clients load."""
        return Skills(self._store, self._place, self._settings, self._clock, self._ids)

    @property
    def missions(self) -> Missions:
        """Pieces of work with a scope of their own."""
        return Missions(
            self._store, self._place.scope, self._settings, self._clock, self._ids, remember=self._lent.remember
        )

    @property
    def capture(self) -> Capture:
        """What is learned from reviews, errors and corrections."""
        return Capture(
            self._store,
            self._place.scope,
            self._clock,
            self._ids,
            remember=self._lent.remember,
            folder=self._lent.data_folder,
        )

    def core(self, agent: str | None = None) -> Core:
        """The core memory of an agent in this project; without a name, of the one that acts."""
        name = self._all_settings.agent.name if agent is None else agent
        return Core(self._store, self._place.scope, name, self._settings, self._clock)

    @property
    def digest(self) -> Digests:
        """Commits made outside of known sessions."""
        return Digests(self._store, self._place, self._clock)

    @property
    def notebook(self) -> Notebook:
        """What is remembered of this project, as pages that people read and edit."""
        return Notebook(
            self._store, self._place, self._clock, self._ids, remember=self._lent.remember, machine=self._lent.machine
        )

    @property
    def tiers(self) -> Tiers:
        """Candidates, promoting, pinning."""
        return Tiers(self._store, self._clock)

    # -- learning ----------------------------------------------------------------------------------------------------
    async def plan(self, now: datetime, ask: Ask | None = None) -> Lessons:
        """All that sessions teach and the garden does not have yet."""
        recorded = await record_sessions(self._store, now=now, ask=ask)
        episodes = {memory.id: memory for memory in await self._episodes()} | recorded.episodes
        lessons = [
            *recorded.lessons,
            *await retire_handoffs(self._store, list(episodes.values()), now=now),
            *learn_procedures(list(episodes.values()), await known_procedures(self._store), now=now),
        ]
        return Lessons(lessons=tuple(lessons), state={SESSIONS: recorded.marks}, noted=recorded.noted)

    async def after_session(self, session_id: str) -> str | None:
        """Records one session that is over: its episode, and what it left undone. Returns the cycle to undo it by, or
        None when there is nothing new to record."""
        session = await self._store.session(session_id)
        if session is None or not session.messages or not is_work(session):
            return None
        now = self._clock.now()
        found = Recorded()
        await record_one(self._store, session, found, now=now, ask=None)
        changes = [change for lesson in found.lessons for change in lesson.changes]
        if not changes:
            return None
        cycle = f"learn-{self._ids.make(now)}"
        try:
            await self._store.apply(changes, Origin(actor="learn", operation=Operation.LEARN, cycle=cycle), at=now)
        except Conflict:  # tending recorded it meanwhile
            return None
        return cycle

    async def after_reading(self, session_id: str, cycle: str | None = None) -> CaptureReport:
        """What a session that was just read for statements holds besides, and questions that it answers."""
        report = await self.capture.from_session(session_id, cycle=cycle)
        await review_gaps(self.capture, self._store, session_id, await self._lent.embedder(), now=self._clock.now())
        return report

    async def doing_now(self) -> str:
        """What is being worked on here, in words to search by: the focus, the missions, the branch, the latest
        sessions. Empty when nothing is known of it."""
        core = (await self.core().show()).core
        who = self._all_settings.agent
        missions = await self.missions.worked_on(agent=who.name, session_id=who.session)
        point = await self.core().checkpoint_of(who.session) if who.session else None
        latest = await self._store.list_sessions(scopes=[self._place.scope], limit=DOING_SESSIONS)
        words = [core.focus, point.doing if point else "", *(f"{m.name} {m.goal}" for m in missions)]
        words += [branch_words(self._place.root), *(session.title for session in latest)]
        return squash(" ".join(words))[:DOING_CHARS_MAX]

    async def forget_session(self, session_id: str) -> str | None:
        """Archives what held only in a session that is over. Returns the cycle to undo it by, or None."""
        now = self._clock.now()
        which = MemoryFilter(scopes=(Scope(ScopeKind.SESSION, session_id),))
        changes = [Change(memory, archived(memory, at=now)) for memory in await self._store.list_memories(which)]
        if not changes:
            return None
        cycle = f"learn-{self._ids.make(now)}"
        origin = Origin(actor="learn", operation=Operation.LEARN, reason="its session is over", cycle=cycle)
        await self._store.apply(changes, origin, at=now)
        return cycle

    async def records_of(self, session_ids: Iterable[str]) -> builtins.list[str]:
        """Ids of the episodes and handoffs made of these sessions: whoever erases a session erases them."""
        found: builtins.list[str] = []
        for session_id in session_ids:
            which = MemoryFilter(
                session_id=session_id, categories=(Category.EPISODE, Category.HANDOFF), statuses=tuple(Status)
            )
            found += [memory.id for memory in await self._store.list_memories(which) if memory.episode is not None]
        return found

    async def purge_in_notebooks(self, ids: Collection[str]) -> builtins.list[Path]:
        """Takes the lines of erased memories out of the notebooks on this machine. Returns pages that may keep one."""
        return await purge_in_notebooks(self._store, self._lent.machine, ids, at=self._clock.now())

    # -- episodes ----------------------------------------------------------------------------------------------------
    async def episodes(
        self, *, scope: Scope | str | None = None, outcome: Ending | str | None = None, limit: int | None = 50
    ) -> builtins.list[Memory]:
        """Episodes, newest first. `scope="all"`: of every project."""
        wanted = one_of(Ending, outcome, "outcome") if outcome is not None else None
        found = [
            memory
            for memory in await self._listed(Category.EPISODE, scope)
            if memory.episode is not None and (wanted is None or memory.episode.outcome is wanted)
        ]
        return found[:limit]

    async def episode(self, memory_id: str) -> Memory:
        """One episode. Raises NotFound."""
        memory = await self._get(memory_id)
        if memory is None or memory.episode is None:
            raise NotFound(f"there is no episode {memory_id!r}; `nightgarden episodes list` shows them")
        return memory

    # -- procedures --------------------------------------------------------------------------------------------------
    async def procedures(
        self, *, scope: Scope | str | None = None, archived: bool = False, limit: int | None = 50
    ) -> builtins.list[Memory]:
        """Procedures with steps, the surest first; archived and superseded ones only when asked for."""
        found = await self._listed(Category.PROCEDURE, scope, statuses=tuple(Status))
        kept = [memory for memory in found if memory.procedure is not None and (archived or memory.live)]
        return sorted(kept, key=lambda m: (not m.live, -m.confidence, m.id))[:limit]

    async def procedure(self, memory_id: str) -> ProcedureShown:
        """One procedure, whole. Raises NotFound."""
        known = await self._known(memory_id)
        return ProcedureShown(memory=known.memory, sources=tuple(sorted(known.sources)))

    async def add_procedure(
        self,
        name: str,
        steps: Iterable[str],
        *,
        trigger: str = "",
        prerequisites: Iterable[str] = (),
        warnings: Iterable[str] = (),
        tools: Iterable[str] = (),
        scope: Scope | str | None = None,
        supersedes: str | None = None,
        actor: str = "user",
        cycle: str | None = None,
    ) -> Memory:
        """Adds a procedure in somebody's own words. With `supersedes` it takes the place of another one. Raises
        BadInput when the same steps are known already."""
        procedure = checked(
            Procedure(
                name=squash(name),
                trigger=squash(trigger),
                steps=lines_of(steps),
                prerequisites=lines_of(prerequisites),
                warnings=lines_of(warnings),
                tools=lines_of(tools),
            )
        )
        now = self._clock.now()
        user = actor == "user"
        memory = Memory(
            id=self._ids.make(now),
            content=procedure_text(procedure),
            category=Category.PROCEDURE,
            scope=self._scope(scope),
            status=Status.PROMOTED if user else Status.CANDIDATE,
            provenance=Provenance.USER_STATED if user else Provenance.OBSERVED,
            confidence=1.0 if user else START,
            confidence_reason="the user gave it" if user else "an agent gave it",
            created_at=now,
            updated_at=now,
            confirmed_at=now,
            procedure=replace(procedure, actions=actions_in(procedure.steps)),
        )
        self._refuse(memory)
        old = await self._known(supersedes) if supersedes is not None else None
        await self._need_new(memory, old)
        replaced, edge = _superseding(old.memory, memory, now) if old is not None else ((), ())
        changes = [*replaced, Change(None, memory), *edge]
        origin = Origin(actor=actor, operation=Operation.REMEMBER, reason="procedure added", cycle=cycle)
        await self._store.apply(changes, origin, at=now)
        return memory

    async def outcome(
        self,
        memory_id: str,
        outcome: Ending | str,
        *,
        reason: str = "",
        actor: str = "user",
        cycle: str | None = None,
    ) -> Memory:
        """Says how following a procedure went: success makes it surer, failure less sure. It is promoted when it held,
        archived when it failed again and again."""
        known = await self._known(memory_id)
        memory = known.memory
        assert memory.procedure is not None
        now = self._clock.now()
        use = ProcedureUse(
            at=now, outcome=one_of(Ending, outcome, "outcome"), confidence=0.0, reason=squash(reason)[:TEXT_CHARS_MAX]
        )
        self._refuse(use)
        uses = followed([*memory.procedure.uses, use], start=known.start)
        status, confidence = standing(memory, uses, start=known.start)
        after = replace(
            memory,
            procedure=replace(memory.procedure, uses=uses),
            confidence=confidence,
            status=status,
            archived_at=now if status is Status.ARCHIVED else memory.archived_at,
            confirmed_at=now if use.outcome is Ending.SUCCESS else memory.confirmed_at,
            updated_at=now,
        )
        origin = Origin(actor=actor, operation=Operation.FEEDBACK, reason=f"followed: {use.outcome}", cycle=cycle)
        await self._store.apply([Change(memory, after)], origin, at=now)
        return after

    async def procedure_history(self, memory_id: str) -> tuple[ProcedureUse, ...]:
        """How following it went each time, oldest first. Raises NotFound."""
        known = await self._known(memory_id)
        assert known.memory.procedure is not None
        return known.memory.procedure.uses

    # -- inside ------------------------------------------------------------------------------------------------------
    async def _episodes(self) -> builtins.list[Memory]:
        return await self._store.list_memories(MemoryFilter(categories=(Category.EPISODE,)))

    async def _listed(
        self,
        category: Category,
        scope: Scope | str | None,
        *,
        statuses: tuple[Status, ...] = (Status.CANDIDATE, Status.PROMOTED),
    ) -> builtins.list[Memory]:
        scopes = None if scope == "all" else visible_scopes(self._place) if scope is None else (self._scope(scope),)
        which = MemoryFilter(categories=(category,), scopes=scopes, statuses=statuses)
        return await self._store.list_memories(which, newest_first=True)

    async def _get(self, memory_id: str) -> Memory | None:
        found = await self._store.memories([memory_id])
        return found[0] if found else None

    async def _known(self, memory_id: str) -> KnownEpisodes:
        memory = await self._get(memory_id)
        if memory is None or memory.procedure is None:
            raise NotFound(f"there is no procedure {memory_id!r}; `nightgarden procedures list` shows them")
        edges = await self._store.edges([memory_id], kinds=[EdgeKind.DERIVED_FROM], incoming=False)
        return KnownEpisodes(memory=memory, sources={edge.target: edge for edge in edges if edge.source == memory_id})

    async def _need_new(self, memory: Memory, old: KnownEpisodes | None) -> None:
        """Compared by steps: the same said in other words under another name is still the same."""
        assert memory.procedure is not None
        for known in await known_procedures(self._store):
            other = known.memory
            if not other.live or other.scope != memory.scope or (old is not None and other.id == old.memory.id):
                continue
            assert other.procedure is not None
            same_words = [squash(s).casefold() for s in other.procedure.steps] == [
                squash(s).casefold() for s in memory.procedure.steps
            ]
            if same_words or same_steps(actions_of(other), actions_of(memory)) >= SIMILAR:
                raise BadInput(
                    f"procedure {other.id} ({other.procedure.name}) has these steps already; record how it went with "
                    f"`nightgarden procedures outcome`, or replace it with --supersedes {other.id}"
                )

    def _refuse(self, value: object) -> None:
        gate = Gate(personal_allowed=frozenset(self._settings.personal_allowed))
        if refused := gate.refuse(value):
            what = refused.findings[0].what if refused.findings else ""
            raise RuleRefused(f"not stored ({refused.rule.id}): {refused.rule.sentence} – {what}")

    def _scope(self, scope: Scope | str | None) -> Scope:
        if scope is None:
            return self._place.scope
        return parse_scope(scope, self._place) if isinstance(scope, str) else scope


def _superseding(old: Memory, new: Memory, now: datetime) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """What goes before the new one, which may say the same words, and what after it."""
    edge = Edge(source=new.id, target=old.id, kind=EdgeKind.SUPERSEDES, weight=1.0, created_at=now, updated_at=now)
    return (Change(old, replace(old, superseded_by=new.id, updated_at=now)),), (Change(None, edge),)
