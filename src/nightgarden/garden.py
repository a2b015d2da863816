"""The public API.

    async with Garden.open() as garden:
        await garden.remember("The staging database runs on port 5433")
        found = await garden.recall("which port does staging use?")

Everything here is asynchronous; there is no synchronous twin.
"""

from __future__ import annotations

import asyncio
import builtins
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nightgarden.domain.given import one_of
from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.memory import GLOBAL, Category, Memory, Scope, Status
from nightgarden.domain.ports import Clock, MemoryFilter, Store, View
from nightgarden.domain.requests.reading import Recall
from nightgarden.domain.requests.taking import takes
from nightgarden.domain.requests.writing import Remember
from nightgarden.domain.text import tag_name
from nightgarden.domain.vocabulary import Mode, Size
from nightgarden.facade.lookup import GardenLookup
from nightgarden.facade.opened import OpenGarden, open_garden
from nightgarden.machine.clock import SystemClock
from nightgarden.scope import (
    Place,
    acting_scopes,
    branch_at,
    machine_of,
    real_directory,
    resolve_place,
    scope_at,
    visible_scopes,
)
from nightgarden.settings import Settings, data_folder, garden_address, load_settings

if TYPE_CHECKING:  # each room is loaded by the verb that needs it; all of them take 500 ms
    from nightgarden.domain.gap import Gap
    from nightgarden.domain.graph import Edge, Tag
    from nightgarden.domain.journal import JournalEntry
    from nightgarden.domain.memory import Importance
    from nightgarden.domain.mind import Mind
    from nightgarden.domain.ports import Check
    from nightgarden.domain.verdict import Verdict
    from nightgarden.errors import ModelDamaged
    from nightgarden.facade.care import Care
    from nightgarden.facade.files import Files, Imported
    from nightgarden.facade.memory_writes import MemoryWrites
    from nightgarden.facade.scheduling import Schedule
    from nightgarden.facade.stats import Stats
    from nightgarden.learn.verbs import Learning
    from nightgarden.minds.minds import Minds
    from nightgarden.models.pace import QueueHealth
    from nightgarden.recall.brief import Briefing
    from nightgarden.recall.inject import Injection
    from nightgarden.recall.options import Request
    from nightgarden.recall.result import Recalled
    from nightgarden.remember.note import Note
    from nightgarden.sessions.hooked import Said
    from nightgarden.sessions.keep import Sessions
    from nightgarden.sessions.turn import Turns, TurnUpdate
    from nightgarden.tend.health import Health
    from nightgarden.tend.report import Report
    from nightgarden.tend.wish import Progress


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Garden:
    """The whole store of one user or team, as somebody at a place has it. Open it with `Garden.open`."""

    _opened: OpenGarden
    _place: Place
    _settings: Settings

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        path_or_url: str | Path | None = None,
        *,
        directory: str | Path | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        read_only: bool = False,
        env: Mapping[str, str] | None = None,
        mind: Mind | None = None,
        rest_seconds: float = 0.0,
        background: bool = True,
    ) -> AsyncIterator[Garden]:
        """Opens a garden: a path, a postgresql:// address, or None for the one in the settings.

        `directory` is where its user works (the working directory when None): it decides which project's memories are
        written and seen. A `mind`, here or in the settings, verifies what turns show, reads sessions more closely and
        helps tending; one passed in is under no cap. What is learned after an answer rests for
        `rest_seconds` first. Without `background`, vectors that are missing are not made until something is written or
        searched for.
        """
        env = os.environ if env is None else env
        start = real_directory(directory)
        settings = settings or load_settings(start, env)
        async with open_garden(
            str(path_or_url or garden_address(settings, env)),
            settings=settings,
            clock=clock or SystemClock(),
            read_only=read_only,
            env=env,
            mind=mind,
            rest_seconds=rest_seconds,
        ) as opened:
            garden = cls(_opened=opened, _place=resolve_place(start, env), _settings=settings)
            if not opened.store.read_only:
                if await opened.purge_unfinished():
                    await garden.files.finish_purge()
                await garden.register()
                if background:
                    _ = opened.queue  # which goes to work
            yield garden

    def at(self, place: Place, settings: Settings) -> Garden:
        """The same open garden as somebody at another place has it, with the settings there. Shares everything else."""
        return replace(self, _place=place, _settings=settings)

    # -- what it is --------------------------------------------------------------------------------------------------
    @property
    def store(self) -> Store:
        """The store below. For the program's own rooms; its shape may change."""
        return self._opened.store

    @property
    def place(self) -> Place:
        """The project that writing and recall go to by default."""
        return self._place

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def opened_with(self) -> Settings:
        """The settings that chose the models; those of another place may differ (see `at`)."""
        return self._opened.settings

    @property
    def damaged(self) -> int:
        """How many records were left out so far because they cannot be read."""
        return self._opened.store.damaged

    @property
    def outdated(self) -> bool:
        """Whether a newer program has migrated the garden, so that this one can write it no more."""
        return self._opened.store.outdated

    @property
    def embedding_health(self) -> QueueHealth:
        """How the embedding queue does."""
        return self._opened.queue.health

    # -- its parts ---------------------------------------------------------------------------------------------------
    @property
    def sessions(self) -> Sessions:
        """Conversations in the garden."""
        from nightgarden.sessions.keep import Sessions  # 40 ms

        opened = self._opened
        return Sessions(
            opened.store,
            self._scope_of,
            changed=opened.changed,
            remember=self._writes.remember_said,
            forget=self._writes.forget_said,
            clock=opened.clock,
            reading=opened.reading,
            classifier=opened.models.get_classifier_async,
            mind=opened.chosen_mind.asked_for("extract") if opened.chosen_mind else None,
            after_reading=self.learn.after_reading,
            personal_allowed=frozenset(self._settings.remember.personal_allowed),
            told=opened.told_secrets,
        )

    @property
    def lookup(self) -> GardenLookup:
        """Things by their ids, and what belongs to them; nothing counts as recalled."""
        return GardenLookup(self._opened, self._settings, self.scopes(None))

    @property
    def minds(self) -> Minds:
        """Language models: which there are, which one is asked, what it took."""
        return self._opened.minds

    @property
    def files(self) -> Files:
        """Exports, imports and backups."""
        from nightgarden.facade.files import Files  # 80 ms

        opened = self._opened
        changed, remember, pages = opened.taken_in, self._writes.remember_imported, self.learn.purge_in_notebooks
        needs = (opened.store, self._settings, opened.clock, Path(data_folder(opened.env)))
        return Files(*needs, changed=changed, remember=remember, purge_pages=pages)

    @property
    def schedule(self) -> Schedule:
        """Tasks for later."""
        from nightgarden.facade.scheduling import Schedule  # 60 ms with the rules of what is refused

        opened = self._opened
        return Schedule(
            opened.tasks, place=self._place, settings=self._settings.remember, clock=opened.clock, ids=opened.ids
        )

    @property
    def learn(self) -> Learning:
        """What sessions taught: episodes, procedures, skills; missions, core memory, captures, digest, notebook."""
        from nightgarden.learn.verbs import Learning, LentLearning  # 130 ms

        opened = self._opened
        lent = LentLearning(
            remember=self._writes.remember_learned,
            embedder=opened.models.get_async,
            data_folder=data_folder(opened.env),
            machine=machine_of(self._settings),
        )
        return Learning(opened.store, self._place, self._settings, opened.clock, opened.ids, lent=lent)

    async def acting(self, *, session_id: str = "", agent: str = "") -> Garden:
        """The garden as a session of an agent has it: with their own memories, and those of missions they work on."""
        who = self._settings.agent
        who = replace(who, name=agent or who.name, session=session_id or who.session)
        missions = [] if who.mission else await self.learn.missions.worked_on(agent=who.name, session_id=who.session)
        who = replace(who, mission=who.mission or ",".join(mission.id for mission in missions))
        return self.at(self._place, replace(self._settings, agent=who))

    @property
    def turns(self) -> Turns:
        """The turn pipeline. For the program's own rooms; its shape may change."""
        return self._opened.turns

    @property
    def _care(self) -> Care:
        from nightgarden.facade.care import Care  # 90 ms

        opened = self._opened
        return Care(
            opened.store,
            self._settings,
            opened.clock,
            opened.ids,
            opened.queue,
            sessions=self.sessions,
            models=opened.models,
            learn=self.learn.plan,
            mind=opened.chosen_mind,
        )

    @property
    def _writes(self) -> MemoryWrites:
        from nightgarden.facade.memory_writes import MemoryWrites  # 100 ms with the rules of writing

        return MemoryWrites(self._opened, self._place, self._settings)

    def scopes(self, scope: Scope | str | Sequence[Scope] | None) -> tuple[Scope, ...] | None:
        """Which scopes a search looks in; None is all of them. By default what this place sees."""
        if scope is None:
            return visible_scopes(self._place, *acting_scopes(self._settings.agent))
        if scope == "all":
            return None
        if isinstance(scope, Scope | str):
            return (scope_at(scope, self._place, self._settings.agent),)
        return tuple(scope)

    # -- write -------------------------------------------------------------------------------------------------------
    @takes(Remember)
    async def remember(self, asked: Remember) -> Verdict:
        """Stores a statement, or says why not. The verdict is Saved, Reinforced, Superseded, Flagged or Refused.

        Without a scope it belongs to the project, unless it is about the user as a person and so holds everywhere.
        What writes with the same `cycle`, here and below, `undo(cycle)` takes back as one.
        """
        return await self._writes.remember(asked)

    async def remember_note(
        self, note: Note, *, actor: str = "user", keep_purged: bool = False, cycle: str | None = None
    ) -> Verdict:
        """The same for a note made elsewhere, by an importer or by extraction."""
        return await self._writes.remember_note(note, actor=actor, keep_purged=keep_purged, cycle=cycle)

    async def update(  # noqa: PLR0913 - as many as a memory has fields to edit
        self,
        memory_id: str,
        *,
        content: str | None = None,
        category: Category | str | None = None,
        importance: Importance | str | None = None,
        pinned: bool | None = None,
        confidence: float | None = None,
        valid_until: datetime | None = None,
        scope: Scope | str | None = None,
        allow: Iterable[str] = (),
        actor: str = "user",
        cycle: str | None = None,
    ) -> Memory:
        """Changes fields of a memory; None leaves a field alone. New content meets the same rules as a new memory."""
        return await self._writes.update(
            memory_id,
            content=content,
            category=category,
            importance=importance,
            pinned=pinned,
            confidence=confidence,
            valid_until=valid_until,
            scope=scope,
            allow=allow,
            actor=actor,
            cycle=cycle,
        )

    async def forget(
        self, memory_id: str, *, reason: str = "", actor: str = "user", cycle: str | None = None
    ) -> Memory:
        """Archives a memory: recall no longer returns it, nor the passages that say it; `restore` brings them back.
        What the user stated, an agent only flags."""
        return await self._writes.forget(memory_id, reason=reason, actor=actor, cycle=cycle)

    async def restore(self, memory_id: str, *, actor: str = "user", cycle: str | None = None) -> Memory:
        """Brings an archived or superseded memory back."""
        return await self._writes.restore(memory_id, actor=actor, cycle=cycle)

    async def purge(self, *ids: str) -> builtins.list[str]:
        """Erases memories, passages, sessions or tasks for good, in backups too; with a memory the sentences it came
        from, with a session its episode. Returns what existed, or was purged before: asking again does no harm."""
        gone = await self.files.purge([*ids, *await self.learn.records_of(ids)])
        await self._opened.turns.live.forget(gone)
        self._opened.tasks.look_again()
        self._opened.changed()
        return gone

    async def feedback(self, memory_id: str, *, helpful: bool, actor: str = "user", cycle: str | None = None) -> Memory:
        """Tells whether a memory helped: it becomes surer and stronger, or less sure."""
        return await self._writes.feedback(memory_id, helpful=helpful, actor=actor, cycle=cycle)

    async def settle_flag(
        self, memory_id: str, decision: str, *, actor: str = "user", cycle: str | None = None
    ) -> Memory:
        """Decides a contradiction: `keep` (it replaces what it contradicts), `drop` (archive it) or `both` (unflag)."""
        return await self._writes.settle_flag(memory_id, decision, actor=actor, cycle=cycle)

    # -- graph -------------------------------------------------------------------------------------------------------
    async def tag(
        self,
        memory_id: str,
        *,
        add: Iterable[str] = (),
        remove: Iterable[str] = (),
        actor: str = "user",
        cycle: str | None = None,
    ) -> Memory:
        """Adds and removes tags."""
        return await self._writes.tag(memory_id, add=tuple(add), remove=tuple(remove), actor=actor, cycle=cycle)

    async def tags(self) -> list[Tag]:
        """All tags with how many live memories carry each."""
        return await self._opened.store.tags()

    async def link(
        self,
        source_id: str,
        target_id: str,
        kind: EdgeKind | str = EdgeKind.RELATES_TO,
        *,
        weight: float = 0.5,
        actor: str = "user",
        cycle: str | None = None,
    ) -> Edge:
        """Links two memories. Linking them again sets the weight."""
        return await self._writes.link(source_id, target_id, kind, weight=weight, actor=actor, cycle=cycle)

    async def related(self, memory_id: str, *, depth: int = 1) -> list[tuple[Memory, Edge]]:
        """Live memories related to this one through links, each with the edge that led there."""
        from nightgarden.recall.related import related  # at use, as what follows: recall takes 80 ms

        await self.get(memory_id)
        return await related(self._opened.store, memory_id, depth=depth)

    # -- read --------------------------------------------------------------------------------------------------------
    @takes(Recall)
    async def recall(self, asked: Recall) -> Recalled:
        """The memories and passages that answer a query best, with reasons. `scope="all"` looks everywhere.

        Without a query: what fits the work that is being done here. The memories among the first three count as used,
        which keeps them from fading.
        """
        from nightgarden.recall.afterwards import read_first  # 80 ms with all of recall
        from nightgarden.recall.echoes import outdated_last
        from nightgarden.recall.recall_request import request_asked
        from nightgarden.remember.compare.replaced_value import still_says

        if not asked.query.strip():
            asked = asked.but(query=await self.learn.doing_now())
        found = await self.recall_request(request_asked(asked, self.scopes(asked.scope), self._settings.recall))
        if asked.as_of is None:
            found = await outdated_last(found, self._opened.store, still_says)
        read = read_first(found.results)
        if read and asked.as_of is None and not self._opened.store.read_only:
            self.later("count access", lambda: self._opened.store.touch(read, at=self.now()))
        return found

    async def similar(
        self, memory_id: str, *, limit: int | None = None, scope: Scope | str | Sequence[Scope] | None = None
    ) -> Recalled:
        """Memories that say something like this one, nearest first."""
        from nightgarden.recall.options import Request  # 80 ms with all of recall

        return await self.recall_request(
            Request(
                query=(await self.get(memory_id)).content,
                kinds=("memory",),
                scopes=self.scopes(scope),
                limit=limit or self._settings.recall.limit,
                exclude_ids=frozenset({memory_id}),
                deep=True,
            )
        )

    async def recall_request(self, request: Request) -> Recalled:
        """The same for a request made elsewhere, with every switch of recall; nothing counts as read."""
        from nightgarden.recall.recall import recall  # 80 ms

        embedder, now = await self._opened.models.get_async(), self.now()
        reranker = await self._opened.models.get_reranker_async() if request.rerank else None
        found = await recall(request, store=self._opened.store, embedder=embedder, reranker=reranker, now=now)
        self._opened.look_after_indexes(now)
        if self._opened.count_retrieval():
            self.later("refine clusters", self._care.refine_clusters)
        return found

    async def turn(
        self,
        text: str,
        *,
        session_id: str,
        directory: str | Path | None = None,
        files: Sequence[str] = (),
        recent: Sequence[Said] = (),
        attachments: int = 0,
        deadline_ms: int | None = None,
    ) -> Injection | None:
        """What to show an agent at a user's turn, unasked: few memories in one fenced block, or None. Call it once a
        turn. Answers within the deadline (None: as the settings say) or not at all."""
        from nightgarden.recall.due import before_injection  # 80 ms with all of recall

        place = await asyncio.to_thread(resolve_place, directory) if directory is not None else self._place
        given = {"files": tuple(files), "recent": tuple(recent), "attachments": attachments}
        update = await self.at(place, self._settings).turn_update(text, session_id=session_id, **given)
        shown = await self._opened.turns.take(update, deadline_ms=deadline_ms)
        if self._opened.count_retrieval():
            self.later("refine clusters", self._care.refine_clusters)
        if not self._settings.turn.enabled:
            return shown
        return before_injection(await self.schedule.say_in_turn(update.scopes, session_id), shown)

    async def turn_update(self, text: str, *, session_id: str, **given: Any) -> TurnUpdate:
        """A turn that is taken here, with what its session sees. For the program's own rooms."""
        from nightgarden.sessions.turn import TurnUpdate  # 80 ms with all of recall

        try:
            acting = await self.acting(session_id=session_id)
        except Exception:  # noqa: BLE001 - memory never breaks a turn: without its missions, which the store cannot tell
            acting = self
        scopes = visible_scopes(self._place, *acting_scopes(acting.settings.agent))
        seasons, settings = self._settings.agent.seasons, self._settings.turn
        return TurnUpdate(
            session_id=session_id,
            text=text,
            scopes=scopes,
            scope=self._place.scope,
            seasons=seasons,
            settings=settings,
            **given,
        )

    async def briefing(
        self,
        mode: Mode | str = Mode.SESSION,
        *,
        task: str = "",
        size: Size | str | None = None,
        scopes: Iterable[Scope | str] = (),
        files: Sequence[str] = (),
        known: Sequence[str] = (),
    ) -> Briefing:
        """What an agent should know before it starts, and what is due; `known` memories left out. `scopes` are more."""
        from nightgarden.facade.starting import before_memories  # 150 ms with all of recall and learning
        from nightgarden.recall.brief import brief
        from nightgarden.recall.due import before_briefing

        agent = self._settings.agent
        more = (scope_at(scope, self._place, agent) for scope in scopes)
        chosen = visible_scopes(self._place, *acting_scopes(agent), *more)
        wanted = one_of(Mode, mode, "mode")
        told = await brief(
            wanted,
            scopes=chosen,
            task=task,
            branch=await asyncio.to_thread(branch_at, Path(self._place.root)),
            files=files,
            known=known,
            size=one_of(Size, size, "size") if size is not None else None,
            seasons=self._settings.agent.seasons,
            store=self._opened.store,
            embedder=await self._opened.models.get_async(),
            now=self.now(),
        )
        if told.ids and not self._opened.store.read_only:
            self.later("count access", lambda: self._opened.store.touch(told.ids, at=self.now()))
        if not await self._is_off(chosen):
            told = await before_memories(wanted, told, self.learn, read_only=self._opened.store.read_only)
        due = await self.schedule.say_at_start(chosen) if wanted in (Mode.SESSION, Mode.WAKE) else None
        return before_briefing(due, told)

    async def is_off(self) -> bool:
        """Whether memory is switched off at this place, or everywhere."""
        return await self._is_off((self._place.scope,))

    async def _is_off(self, scopes: Sequence[Scope]) -> bool:
        from nightgarden.recall.switch import is_off  # 10 ms

        return await is_off(self._opened.store, scopes)

    async def switch(self, *, on: bool, everywhere: bool = False) -> bool:
        """Switches memory on or off for agents, at this place or everywhere. False: it was so already."""
        from nightgarden.recall.switch import switch_off, switch_on  # 10 ms

        turn = switch_on if on else switch_off
        return await turn(self._opened.store, GLOBAL if everywhere else self._place.scope, self.now())

    def now(self) -> datetime:
        """The garden's own time."""
        return self._opened.clock.now()

    def later(self, name: str, work: Callable[[], Awaitable[None]]) -> bool:
        """Does work after the answer, one piece at a time; failures are counted in `stats`. False: too much waits."""
        return self._opened.background.submit(name, work)

    async def gaps(self, *, include_closed: bool = False) -> builtins.list[Gap]:
        """Turns that asked for what nobody had remembered; the most asked for first."""
        from nightgarden.recall.gaps import list_gaps  # 50 ms

        return await list_gaps(self._opened.store, include_closed=include_closed)

    async def close_gap(self, gap_id: str, *, actor: str = "user", cycle: str | None = None) -> Gap:
        """Closes a gap by hand. Raises NotFound."""
        from nightgarden.domain.journal import Operation  # 50 ms with recall
        from nightgarden.recall.gaps import close_by_hand

        origin = self._writes.origin(Operation.CLOSE_GAP, actor, "closed by hand", cycle)
        return await close_by_hand(gap_id, origin, store=self._opened.store, now=self.now())

    async def warm(self) -> ModelDamaged | None:
        """Loads the models and what else turns need. Returns the first file of our own that cannot be read, if any."""
        _ = self._opened.turns, self.learn, self.schedule
        return await self._opened.models.warm()

    async def get(self, memory_id: str) -> Memory:
        """One memory. Raises NotFound."""
        from nightgarden.remember.changing import get_memory  # 20 ms

        return await get_memory(self._opened.store, memory_id)

    async def list(
        self,
        *,
        scope: Scope | str | Sequence[Scope] | None = None,
        category: Category | str | None = None,
        tag: str | None = None,
        archived: bool = False,
        flagged: bool | None = None,
        limit: int | None = 50,
        after: str | None = None,
        newest_first: bool = True,
    ) -> builtins.list[Memory]:
        """Memories by creation; archived ones only when asked for."""
        which = MemoryFilter(
            scopes=self.scopes(scope),
            categories=(one_of(Category, category, "category"),) if category is not None else None,
            statuses=(Status.ARCHIVED,) if archived else (Status.CANDIDATE, Status.PROMOTED),
            tag=tag_name(tag) if tag is not None else None,
            flagged=flagged,
        )
        return await self._opened.store.list_memories(which, limit=limit, after=after, newest_first=newest_first)

    async def history(self, subject_id: str | None = None, *, cycle: str | None = None) -> builtins.list[JournalEntry]:
        """What happened to a memory, in a cycle, or to everything; oldest first."""
        return await self._opened.store.history(subject_id, cycle=cycle)

    async def undo(self, entry_or_cycle: str | None = None, *, actor: str = "user") -> tuple[JournalEntry, ...]:
        """Takes back what a journal entry belongs to, a whole cycle, or without an id the last thing that was done: all
        of it or nothing. Raises UndoConflict when later changes stand on it."""
        from nightgarden.tend.undo import undo  # 20 ms

        entries = await undo(self._opened.store, entry_or_cycle, actor=actor, at=self.now())
        self._opened.changed()
        return entries

    def changes(self, *, after: str | None = None) -> AsyncIterator[JournalEntry]:
        """What happens in the garden, in whatever process, as it happens and without an end. `after` is the id of the
        last change that was seen, to go on from there (an empty text: from the beginning); None begins now. Each comes
        at least once: after a restart, those of the last seconds before `after` come again."""
        from nightgarden.store.follow import follow  # 10 ms

        return follow(self._opened.store, after)

    def export(self, form: str = "jsonl") -> AsyncIterator[str]:
        """The whole garden as text, a piece at a time; `form` is jsonl or markdown."""
        return self.files.export(form)

    async def import_(
        self,
        path: str | Path,
        *,
        form: str | None = None,
        trust: bool = False,
        allow: Iterable[str] = (),
        cycle: str | None = None,
    ) -> Imported:
        """Takes in an export, or another tool's memories. Doing it twice changes nothing. Without `trust` the file is
        outside text, whatever it says of itself; with it, an export keeps who said what, and its own history: a `cycle`
        marks what enters by any other way."""
        self._writes.pass_cycle(cycle)
        return await self.files.import_(Path(path), form=form, trust=trust, allow=allow, cycle=cycle)

    async def register(self) -> None:
        """Notes where the project of this place is on this machine, unless that was done before."""
        await self._opened.register(self._place, self._settings)

    async def own_state(self, key: str) -> Any:
        """A small fact that the program keeps for itself (domain/state_keys.py), or None."""
        return await self._opened.store.get_state(key)

    async def keep_own_state(self, key: str, value: Any) -> None:
        """Keeps such a fact; None takes it away."""
        await self._opened.store.put_state(key, value)

    # -- care --------------------------------------------------------------------------------------------------------
    async def maintain(self) -> None:
        """Keeps the indexes in order."""
        await self._opened.store.maintain()

    async def settle(self) -> None:
        """Waits until background work is done: what follows turns and writes, and every vector that can be made."""
        await self._opened.settle()

    async def stats(self) -> Stats:
        """How much of everything there is, and how the embedding queue does."""
        return await self._opened.stats(self._place)

    async def tend(
        self,
        *only: str,
        dry_run: bool = False,
        allow_loss: bool = False,
        full: bool = False,
        progress: Progress | None = None,
        cycle: str | None = None,
    ) -> Report:
        """Tends the garden: all operations, or those named. What it changed, `undo(report.cycle)` takes back.

        A run that would archive too much of a scope stops, unless `allow_loss`. `full` looks at everything again, not
        only at what is new. `cycle` is the one to work in, a new one when None. Raises GardenBusy when the garden is
        being tended already.
        """
        from nightgarden.tend.wish import Wish  # 10 ms

        self._writes.pass_cycle(cycle)
        wish = Wish(only=only, dry_run=dry_run, allow_loss=allow_loss, full=full, cycle=cycle)
        return await self._care.tend(wish, progress)

    async def health(self) -> Health:
        """How the garden does: what is believed, doubted, missing and over its limits."""
        return await self._care.health()

    async def doctor(self, *, repair: bool = False) -> builtins.list[Check]:
        """Checks file, full text, vectors and graph; repairs what can be rebuilt."""
        from nightgarden.recall.triggers import check_triggers  # 20 ms

        store = self._opened.store
        checks = await store.check(repair=repair)
        everything = View(now=self.now(), scopes=None, kinds=("memory",))
        return [*checks, await self.files.check_purge(), check_triggers(await store.triggered(everything))]

    # -- inside ------------------------------------------------------------------------------------------------------
    def _scope_of(self, directory: str) -> Scope:
        return resolve_place(directory, self._opened.env).scope if directory else self._place.scope
