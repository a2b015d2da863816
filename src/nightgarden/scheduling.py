"""Tasks for later as the `Garden` offers them: scheduled, listed, closed, and said when they are due.

A due task is said at the start of every session that sees it, until somebody closes it, and once in a turn if no start
said it before. Nothing here carries a task out.
"""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from nightgarden.background import Background
from nightgarden.domain.gate import Gate
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import Clock, Store
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.schedule import (
    DETAIL_CHARS_MAX,
    FILES_MAX,
    STATE_PREFIX,
    TASK_CHARS_MAX,
    Priority,
    ScheduledTask,
    TaskOutcome,
    in_order,
    state_key,
    wake_moment,
)
from nightgarden.domain.session import PROBE_PREFIX
from nightgarden.domain.verdict import Refused
from nightgarden.errors import BadInput, NotFound, RuleRefused
from nightgarden.given import one_of
from nightgarden.recall.due import TOLD_MAX, tell_due
from nightgarden.recall.inject import Injection
from nightgarden.remember.refuse import CODE_DERIVABLE, refuse
from nightgarden.scope import Place, branch_at, parse_scope, visible_scopes
from nightgarden.settings import RememberSettings

OPEN_MAX = 100  # taste: more is a mistake in a loop, or belongs into a tracker
CLOSED_KEPT = 100  # taste: the newest closed ones can still be listed
LOOK_EVERY = timedelta(seconds=60)  # how soon what another process scheduled is seen here
FIRST_LOOK_SECONDS_MAX = 0.1  # a turn does not wait longer for a store that is slow; the next one knows


class Tasks:
    """The tasks of one garden, known in memory between looks, so that a turn asks the store for nothing.

    Changes of this process are made one at a time. Two processes that change one task in the same millisecond leave
    what the later one wrote.
    """

    def __init__(self, store: Store, clock: Clock, background: Background) -> None:
        self._store = store
        self._clock = clock
        self._background = background
        self._known: dict[str, ScheduledTask] | None = None
        self._looked_at: datetime | None = None
        self._looking: asyncio.Task[None] | None = None
        self._told: set[str] = set()  # said by this process; the store may not have heard yet
        self._changing = asyncio.Lock()

    async def read(self) -> list[ScheduledTask]:
        """All there are, closed ones too, as the store has them now."""
        await self._look()
        assert self._known is not None
        return list(self._known.values())

    async def known(self) -> list[ScheduledTask]:
        """The same as of the last look, at most a minute or so old. Never fails, and hardly ever waits: only a first
        look is waited for, not for long, and not by each turn anew while a store hangs."""
        if self._known is None and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look_quietly(), name="nightgarden schedule")
            await asyncio.wait({self._looking}, timeout=FIRST_LOOK_SECONDS_MAX)
        elif self._looked_at is not None and self._clock.now() - self._looked_at > LOOK_EVERY:
            self._looked_at = self._clock.now()
            self._background.submit("look at the schedule", self._look)
        return list((self._known or {}).values())

    def look_again(self) -> None:
        """What is known may be out of date: something else wrote to the store."""
        self._known = None

    async def put(self, task: ScheduledTask) -> None:
        async with self._changing:
            await self._put(task)

    async def close(self, task_id: str, outcome: TaskOutcome) -> ScheduledTask:
        """Raises NotFound, and BadInput when it was closed the other way."""
        async with self._changing:
            record = await self._store.get_state(state_key(task_id))
            if record is None:
                raise NotFound(f"there is no task {task_id!r}; `nightgarden schedule list --all` shows them")
            task = from_record(ScheduledTask, record)
            closed = task.close(outcome, self._clock.now())
            if closed is not task:
                await self._put(closed)
        await self._drop_old()
        return closed

    def take_unsaid(self, tasks: Iterable[ScheduledTask]) -> list[ScheduledTask]:
        """Those that nobody was told of."""
        return [task for task in tasks if task.said_at is None and task.id not in self._told]

    def note_said(self, ids: Sequence[str]) -> None:
        """From here on they count as said; the store hears of it after the answer."""
        fresh = [id for id in ids if id not in self._told]
        self._told.update(fresh)
        if fresh and not self._store.read_only:
            at = self._clock.now()
            self._background.submit("note what was said", lambda: self._write_said(fresh, at))

    async def _write_said(self, ids: Sequence[str], at: datetime) -> None:
        for task_id in ids:
            async with self._changing:
                record = await self._store.get_state(state_key(task_id))
                task = from_record(ScheduledTask, record) if record is not None else None
                if task is not None and (said := task.said(at)) is not task:
                    await self._put(said)

    async def _put(self, task: ScheduledTask) -> None:
        await self._store.put_state(state_key(task.id), to_record(task))
        if self._known is not None:
            self._known[task.id] = task

    async def _look(self) -> None:
        async with self._changing:
            found = await self._store.state_items(STATE_PREFIX)
            tasks = [from_record(ScheduledTask, record) for record in found.values()]
            self._known = {task.id: task for task in tasks}
            self._looked_at = self._clock.now()

    async def _look_quietly(self) -> None:
        try:
            await self._look()
        except Exception as error:  # noqa: BLE001 - a turn is never broken by it; counted, shown in stats
            self._background.outcomes[f"look at the schedule: failed ({type(error).__name__})"] += 1

    async def _drop_old(self) -> None:
        closed = [task for task in await self.read() if not task.open]
        for task in sorted(closed, key=_closed_at, reverse=True)[CLOSED_KEPT:]:
            await self._store.put_state(state_key(task.id), None)
            self.look_again()


class Schedule:
    """Tasks for later, as somebody at a place has them. The `garden.schedule` part of the public API."""

    def __init__(
        self,
        tasks: Tasks,
        *,
        place: Place,
        settings: RememberSettings,
        clock: Clock,
        ids: IdMaker,
    ) -> None:
        self._tasks = tasks
        self._place = place
        self._settings = settings
        self._clock = clock
        self._ids = ids

    async def add(
        self,
        task: str,
        *,
        wake_in_minutes: float | None = None,
        wake_at: datetime | str | None = None,
        priority: Priority | str = Priority.NORMAL,
        relevant_files: Iterable[str] = (),
        background: str = "",
        success_criteria: str = "",
        scope: Scope | str | None = None,
        session_id: str | None = None,
        tainted: bool = False,
        allow: Iterable[str] = (),
        actor: str = "user",
    ) -> ScheduledTask:
        """Schedules a task, by `wake_in_minutes` or `wake_at` (ISO 8601 with a time zone). Sessions of this project are
        told when it is due; with `scope="global"` any session is. Raises BadInput."""
        now = self._clock.now()
        files = tuple(relevant_files)
        if len(files) > FILES_MAX:
            raise BadInput(f"at most {FILES_MAX} relevant files, not {len(files)}; name the folder instead")
        wake = wake_moment(now, wake_in_minutes=wake_in_minutes, wake_at=wake_at)
        allowed = frozenset(allow) | {CODE_DERIVABLE}  # a task may well speak of code
        check = _Check(self._settings, tainted=tainted, allowed=allowed)
        made = ScheduledTask(
            id=self._ids.make(now),
            task=check.text("task", task, TASK_CHARS_MAX),
            wake_at=wake,
            created_at=now,
            scope=self._scope(scope) if scope is not None else self._place.scope,
            priority=one_of(Priority, priority, "priority"),
            relevant_files=tuple(check.text("a relevant file", file, TASK_CHARS_MAX) for file in files),
            background=check.text("background", background, DETAIL_CHARS_MAX) if background.strip() else "",
            success_criteria=(
                check.text("success_criteria", success_criteria, DETAIL_CHARS_MAX) if success_criteria.strip() else ""
            ),
            directory=str(self._place.root),
            branch=await asyncio.to_thread(branch_at, Path(self._place.root)),
            session_id=session_id,
            actor=actor,
            tainted=tainted,
        )
        gate = Gate(tainted=tainted, allowed=allowed, personal_allowed=frozenset(self._settings.personal_allowed))
        if refused := gate.refuse(replace(made, directory="", branch="")):  # these two say where it was, not what
            raise RuleRefused(
                f"not scheduled ({refused.rule.id}): {refused.rule.sentence} – {refused.findings[0].what}"
            )
        if sum(each.open for each in await self._tasks.read()) >= OPEN_MAX:
            raise BadInput(f"{OPEN_MAX} tasks are scheduled already; close some first: `nightgarden schedule list`")
        await self._tasks.put(made)
        return made

    async def list(
        self, *, scope: Scope | str | None = None, include_closed: bool = False
    ) -> builtins.list[ScheduledTask]:
        """Tasks of this project and the global ones, by priority and time; closed ones last. `scope="all"`: all."""
        seen = await self._tasks.read()
        if scope != "all":
            scopes = visible_scopes(self._place) if scope is None else (self._scope(scope),)
            seen = [task for task in seen if task.scope in scopes]
        closed = sorted((task for task in seen if not task.open), key=_closed_at, reverse=True)
        return [*in_order(task for task in seen if task.open), *(closed if include_closed else ())]

    async def done(self, task_id: str) -> ScheduledTask:
        """It was carried out. Raises NotFound."""
        return await self._tasks.close(task_id, TaskOutcome.DONE)

    async def cancel(self, task_id: str) -> ScheduledTask:
        """It is not wanted any more. Raises NotFound."""
        return await self._tasks.close(task_id, TaskOutcome.CANCELLED)

    async def count_due(self, *, everywhere: bool = False) -> int:
        """How many tasks are due and open, here or in the whole garden."""
        return len(await self._due(None if everywhere else visible_scopes(self._place)))

    async def say_at_start(self, scopes: Sequence[Scope]) -> Injection | None:
        """What a session that starts is told: all that is due and open, what was never said first."""
        due = await self._due(scopes)
        unsaid = self._tasks.take_unsaid(due)
        first = {task.id for task in unsaid}
        return self._say([*unsaid, *(task for task in due if task.id not in first)])

    async def say_in_turn(self, scopes: Sequence[Scope], session_id: str) -> Injection | None:
        """What a turn is told: what is due and was never said. None almost always, and then at no cost."""
        if session_id.startswith(PROBE_PREFIX):
            return None
        return self._say(self._tasks.take_unsaid(await self._due(scopes, session_id)))

    def _scope(self, scope: Scope | str) -> Scope:
        return parse_scope(scope, self._place) if isinstance(scope, str) else scope

    def _say(self, due: Sequence[ScheduledTask]) -> Injection | None:
        if not due:
            return None
        self._tasks.note_said([task.id for task in due[:TOLD_MAX]])
        return tell_due(due, self._clock.now())

    async def _due(self, scopes: Sequence[Scope] | None, session_id: str | None = None) -> builtins.list[ScheduledTask]:
        now = self._clock.now()
        due = [task for task in await self._tasks.known() if task.is_due(now)]
        return in_order(task for task in due if scopes is None or task.concerns(scopes, session_id))


class _Check:
    """The rules of `remember` against secrets, personal data and orders from outside, on a task's texts."""

    def __init__(self, settings: RememberSettings, *, tainted: bool, allowed: frozenset[str]) -> None:
        self._settings = settings
        self._tainted = tainted
        self._allowed = allowed

    def text(self, name: str, text: str, chars_max: int) -> str:
        """The text as it may be kept. Raises BadInput."""
        if len(text) > chars_max:
            raise BadInput(f"{name} has {len(text):,} characters; at most {chars_max:,}, so keep the point of it")
        passed = refuse(
            text.strip(),
            tainted=self._tainted,
            allowed=self._allowed,
            personal_allowed=frozenset(self._settings.personal_allowed),
            redact_secrets=self._settings.redact_secrets,
        )
        if isinstance(passed, Refused):
            raise RuleRefused(f"not scheduled ({passed.rule.id}): {name}: {passed.rule.sentence}")
        return passed.text


def _closed_at(task: ScheduledTask) -> tuple[datetime, str]:
    return task.closed_at or task.created_at, task.id
