"""Tasks for later as the `Garden` offers them: scheduled, listed, taken, closed, and said when they are due.

A due task that is for sessions is said at the start of every one that sees it, until somebody closes it, and once in a
turn if no start said it before. Who carries a task out takes it first, by its version, so that nobody else does.
Nothing here carries a task out.
"""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypedDict

from nightgarden.domain.documents import ABSENT, DocumentKind
from nightgarden.domain.gate import Gate
from nightgarden.domain.given import one_of
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import Clock, Store
from nightgarden.domain.schedule import (
    DETAIL_CHARS_MAX,
    FILES_MAX,
    RESULT_CHARS_MAX,
    TASK_CHARS_MAX,
    Outcome,
    Priority,
    ScheduledTask,
    Target,
    in_order,
    wake_moment,
)
from nightgarden.domain.session import PROBE_PREFIX
from nightgarden.domain.shelf import Kept, Shelf, new
from nightgarden.domain.verdict import Refused
from nightgarden.errors import BadInput, Conflict, NotFound, RuleRefused
from nightgarden.machine.one_at_a_time import Background
from nightgarden.recall.due import TOLD_MAX, tell_due
from nightgarden.recall.inject import Injection
from nightgarden.remember.refuse import CODE_DERIVABLE, refuse
from nightgarden.scope import Place, branch_at, parse_scope, visible_scopes
from nightgarden.settings import RememberSettings

TASK = DocumentKind("task", ScheduledTask)
ATTEMPTS = 20  # of a change that others keep overtaking
OPEN_MAX = 100  # taste: more is a mistake in a loop, or belongs into a tracker
CLOSED_KEPT = 100  # taste: the newest closed ones can still be listed
LOOK_EVERY = timedelta(seconds=60)  # how soon what another process scheduled is seen here
FIRST_LOOK_SECONDS_MAX = 0.1  # a turn does not wait longer for a store that is slow; the next one knows


class TaskLabels(TypedDict):
    """What a document is found by."""

    owner: str
    status: str
    due_at: datetime | None


class Tasks:
    """The tasks of one garden, known in memory between looks, so that a turn asks the store for nothing."""

    def __init__(self, store: Store, clock: Clock, background: Background) -> None:
        self._store = store
        self._shelf = Shelf(store, TASK)
        self._clock = clock
        self._background = background
        self._known: dict[str, ScheduledTask] | None = None
        self._looked_at: datetime | None = None
        self._looking: asyncio.Task[None] | None = None
        self._told: set[str] = set()  # said by this process; the store may not have heard yet

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

    async def add(self, task: ScheduledTask, *, cycle: str | None = None) -> None:
        await self._write(task, None, cycle)

    async def change(
        self,
        task_id: str,
        make: Callable[[ScheduledTask], ScheduledTask | None],
        *,
        cycle: str | None = None,
    ) -> tuple[ScheduledTask, bool]:
        """Changes a task to what `make` makes of it as it is by then; None leaves it. The task, and whether this call
        changed it. What a `cycle` changes is undone with it. Raises NotFound."""
        for _ in range(ATTEMPTS):
            kept = await self._shelf.get(task_id)
            if kept is None:
                raise NotFound(f"there is no task {task_id!r}; `nightgarden schedule list --all` shows them")
            after = make(kept.value)
            if after is None or after == kept.value:
                return kept.value, False
            try:
                await self._write(after, kept, cycle)
            except Conflict:
                continue
            return after, True
        raise Conflict(f"task {task_id} is being changed by others all the time; ask again")

    async def close(self, task_id: str, outcome: Outcome) -> ScheduledTask:
        """Raises NotFound, and BadInput when it was closed the other way."""
        closed, _ = await self.change(task_id, lambda task: task.close(outcome, self._clock.now()))
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
            with suppress(NotFound):  # purged meanwhile
                await self.change(task_id, lambda task: task.said(at))

    async def _write(self, task: ScheduledTask, before: Kept[ScheduledTask] | None, cycle: str | None) -> None:
        """Raises Conflict when somebody else was first. What a cycle writes goes through the journal."""
        at, labels = self._clock.now(), _labels(task)
        if cycle is None:
            await self._shelf.put(task.id, task, expected=before.version if before else ABSENT, at=at, **labels)
        else:
            old = before.document if before else None
            fresh = new(TASK, task.id, task, at=at, **labels)
            after = fresh if old is None else replace(fresh, version=old.version + 1, created_at=old.created_at)
            origin = Origin(actor=task.actor, operation=Operation.SCHEDULE, reason="schedule", cycle=cycle)
            await self._store.apply([Change(old, after)], origin, at=at)
        if self._known is not None:
            self._known[task.id] = task

    async def _look(self) -> None:
        self._known = {kept.key: kept.value for kept in await self._shelf.list()}
        self._looked_at = self._clock.now()

    async def _look_quietly(self) -> None:
        try:
            await self._look()
        except Exception as error:  # noqa: BLE001 - a turn is never broken by it; counted, shown in stats
            self._background.outcomes[f"look at the schedule: failed ({type(error).__name__})"] += 1

    async def _drop_old(self) -> None:
        closed = [task for task in await self.read() if not task.open]
        for task in sorted(closed, key=_closed_at, reverse=True)[CLOSED_KEPT:]:
            await self._shelf.remove(task.id, expected=None, at=self._clock.now())
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

    async def add(  # noqa: PLR0913 - as many as a task has fields
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
        target: Target | str = Target.TELL,
        tainted: bool = False,
        allow: Iterable[str] = (),
        actor: str = "user",
        cycle: str | None = None,
    ) -> ScheduledTask:
        """Schedules a task, by `wake_in_minutes` or `wake_at` (ISO 8601 with a time zone). Sessions of this project are
        told when it is due; with `scope="global"` any session is. With another `target` it is done: `ambient` by the
        ambient agent, `resume` by the session `session_id`, `spawn` by a new session. Raises BadInput."""
        now = self._clock.now()
        files = tuple(relevant_files)
        if len(files) > FILES_MAX:
            raise BadInput(f"at most {FILES_MAX} relevant files, not {len(files)}; name the folder instead")
        wake = wake_moment(now, wake_in_minutes=wake_in_minutes, wake_at=wake_at)
        for_whom = one_of(Target, target, "target")
        if for_whom is Target.RESUME and not session_id:
            raise BadInput("a task that resumes a session needs that session's id: session_id")
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
            target=for_whom,
        )
        gate = Gate(tainted=tainted, allowed=allowed, personal_allowed=frozenset(self._settings.personal_allowed))
        if refused := gate.refuse(replace(made, directory="", branch="")):  # these two say where it was, not what
            raise RuleRefused(
                f"not scheduled ({refused.rule.id}): {refused.rule.sentence} – {refused.findings[0].what}"
            )
        if sum(each.open for each in await self._tasks.read()) >= OPEN_MAX:
            raise BadInput(f"{OPEN_MAX} tasks are scheduled already; close some first: `nightgarden schedule list`")
        await self._tasks.add(made, cycle=cycle)
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
        return await self._tasks.close(task_id, Outcome.DONE)

    async def cancel(self, task_id: str) -> ScheduledTask:
        """It is not wanted any more. Raises NotFound."""
        return await self._tasks.close(task_id, Outcome.CANCELLED)

    # -- for whoever carries tasks out -----------------------------------------------------------------------------
    async def get(self, task_id: str) -> ScheduledTask:
        """One task. Raises NotFound."""
        task, _ = await self._tasks.change(task_id, lambda task: None)
        return task

    async def take(self, task_id: str, *, by: str) -> ScheduledTask | None:
        """Takes a due task for oneself, so that nobody else does it. None when somebody else has it, or it is closed.
        Taking again what one has is the same."""
        now = self._clock.now()
        targets = tuple(Target)
        task, _ = await self._tasks.change(task_id, lambda task: task.take(by) if task.takeable(now, targets) else None)
        return task if task.taken_by == by and task.open else None

    async def give_back(self, task_id: str, *, by: str, why: str = "") -> bool:
        """Lets go of a task that one has not done."""
        _, changed = await self._tasks.change(
            task_id, lambda task: task.give_back(why[:RESULT_CHARS_MAX]) if task.taken_by == by and task.open else None
        )
        return changed

    async def tell_instead(self, task_id: str, *, why: str) -> bool:
        """The user is told of a task, because nobody is there to do it."""
        _, changed = await self._tasks.change(
            task_id, lambda task: task.tell_instead(why) if task.open and task.target is not Target.TELL else None
        )
        return changed

    async def note_start(self, task_id: str, *, by: str) -> bool:
        """A session is about to be started for a task that one has: once and never again. False: it was before."""
        now = self._clock.now()
        _, changed = await self._tasks.change(
            task_id,
            lambda task: replace(task, started_at=now) if task.taken_by == by and task.started_at is None else None,
        )
        return changed

    async def finish(self, task_id: str, *, by: str, outcome: Outcome, result: str, cycle: str | None = None) -> bool:
        """Closes a task that one has. False when it is not one's own, or closed already."""
        now, result = self._clock.now(), result[:RESULT_CHARS_MAX]
        _, changed = await self._tasks.change(
            task_id,
            lambda task: task.close(outcome, now, result) if task.taken_by == by and task.open else None,
            cycle=cycle,
        )
        return changed

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
        due = [task for task in await self._tasks.known() if task.is_told(now)]
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


def _labels(task: ScheduledTask) -> TaskLabels:
    """What a task is found by."""
    status = "taken" if task.open and task.taken_by else "open" if task.open else str(task.outcome)
    return {"owner": str(task.scope), "status": status, "due_at": task.wake_at if task.open else None}


def _closed_at(task: ScheduledTask) -> tuple[datetime, str]:
    return task.closed_at or task.created_at, task.id
