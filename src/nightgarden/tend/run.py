"""One run: the operations in their order, under a lock, with checkpoints, behind the loss gate.

A run that was killed is gone on with by the next one, under the same cycle and the same moment: operations that were
done are not repeated, and each batch was written together with its checkpoint. A dry run plans on what it would have
changed, writes nothing and needs no lock.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.journal import Operation, Origin
from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import Store
from nightgarden.domain.record import read_scope
from nightgarden.domain.time import read_moment, write_moment
from nightgarden.errors import GardenBusy
from nightgarden.settings import Settings
from nightgarden.tend import (
    backfill,
    cluster,
    consolidate,
    contradictions,
    extract,
    gap_closing,
    learn,
    merge,
    prune,
    relate,
    sweep,
    tags,
)
from nightgarden.tend.apply import make
from nightgarden.tend.counsel import Counsel
from nightgarden.tend.health import keep_health
from nightgarden.tend.keys import BEFORE, LAST, LOG, RUN
from nightgarden.tend.live_statements import Snapshot
from nightgarden.tend.loss_gate import find_losses
from nightgarden.tend.proposal import Proposal, TendPlan, count_by_scope
from nightgarden.tend.report import OperationOutcome, Report, read_outcome
from nightgarden.tend.tending import LentTending, Tending
from nightgarden.tend.verify import verify
from nightgarden.tend.wish import Progress, Wish, quiet

LOCK = "tend"
RESUME_HOURS = 24  # a run that broke off longer ago is let be

_FIND: Mapping[str, Callable[[Tending], Awaitable[TendPlan]]] = {
    "extract": extract.find,
    "learn": learn.find,
    "backfill": backfill.find,
    "verify": verify.find,
    "merge": merge.find,
    "consolidate": consolidate.find,
    "sweep": sweep.find,
    "prune": prune.find,
    "resolve": contradictions.find,
    "relate": relate.find,
    "tags": tags.find,
    "cluster": cluster.find,
    "gaps": gap_closing.find,
}


@dataclass(slots=True, kw_only=True)
class _Run:
    """How far a run has come. Written with every batch."""

    cycle: str
    now: datetime
    operations: tuple[str, ...]
    full: bool
    done: list[str] = field(default_factory=list)
    outcomes: dict[str, OperationOutcome] = field(default_factory=dict)
    archived: dict[Scope, int] = field(default_factory=dict)
    live_at_start: dict[Scope, int] = field(default_factory=dict)

    def shape(self) -> dict[str, Any]:
        return {
            "cycle": self.cycle,
            "now": write_moment(self.now),
            "operations": list(self.operations),
            "full": self.full,
            "done": self.done,
            "outcomes": {name: outcome.shape() for name, outcome in self.outcomes.items()},
            "archived": {str(scope): number for scope, number in self.archived.items()},
            "live_at_start": {str(scope): number for scope, number in self.live_at_start.items()},
        }

    @classmethod
    def read(cls, shape: Mapping[str, Any]) -> _Run:
        return cls(
            cycle=shape["cycle"],
            now=read_moment(shape["now"]),
            operations=tuple(shape["operations"]),
            full=shape["full"],
            done=list(shape["done"]),
            outcomes={name: read_outcome(outcome) for name, outcome in shape["outcomes"].items()},
            archived={read_scope(scope): number for scope, number in shape["archived"].items()},
            live_at_start={read_scope(scope): number for scope, number in shape["live_at_start"].items()},
        )


async def tend(
    store: Store,
    settings: Settings,
    lent: LentTending,
    wish: Wish,
    *,
    cycle: str,
    now: datetime,
    progress: Progress = quiet,
) -> Report:
    """Tends the garden. Raises GardenBusy when somebody else does."""
    operations = wish.operations
    async with AsyncExitStack() as stack:
        if not wish.dry_run:
            try:
                await stack.enter_async_context(store.exclusive(LOCK))
            except GardenBusy:
                raise GardenBusy("the garden is being tended already; wait until that is done") from None
        run = await _resume(store, wish, operations, now) if not wish.dry_run else None
        resumed = run is not None
        run = run or await _begin(store, wish, operations, cycle=cycle, now=now)
        return await _Runner(store, settings, lent, wish, run, progress).go(resumed=resumed)


async def _resume(store: Store, wish: Wish, operations: Sequence[str], now: datetime) -> _Run | None:
    """The run that broke off, if this one asks for the same; otherwise its row is closed."""
    kept = await store.get_state(RUN)
    if kept is None:
        return None
    run = _Run.read(kept)
    same = run.operations == tuple(operations) and run.full == wish.full and wish.cycle in (None, run.cycle)
    if same and timedelta(0) <= now - run.now < timedelta(hours=RESUME_HOURS):
        return run
    await _write_log(store, run, ended="broke off")
    return None


async def _begin(store: Store, wish: Wish, operations: Sequence[str], *, cycle: str, now: datetime) -> _Run:
    """A new run. In a cycle that was tended in before, the loss gate counts what went since that cycle began."""
    run = _Run(cycle=cycle, now=now, operations=tuple(operations), full=wish.full)
    if wish.dry_run or wish.cycle is None or (row := await store.get_state(LOG + cycle)) is None:
        return run
    return replace(
        run,
        archived={read_scope(scope): number for scope, number in row.get("archived", {}).items()},
        live_at_start={read_scope(scope): number for scope, number in row.get("live_at_start", {}).items()},
    )


class _Runner:
    """Takes one run to its end."""

    def __init__(
        self, store: Store, settings: Settings, lent: LentTending, wish: Wish, run: _Run, progress: Progress
    ) -> None:
        self._store = store
        self._settings = settings
        self._lent = lent
        self._wish = wish
        self._run = run
        self._progress = progress
        self._origin = Origin(actor="tend", cycle=run.cycle)

    async def go(self, *, resumed: bool) -> Report:
        began = time.monotonic()
        run = self._run
        report = Report(cycle=run.cycle, dry_run=self._wish.dry_run, resumed=resumed, operations=run.outcomes)
        tending = await self._tending()
        if not run.live_at_start:
            run.live_at_start = dict(tending.snapshot.live_at_start)
        await self._save()
        for name in run.operations:
            if name in run.done:
                continue
            broke_off_here = resumed and name in run.outcomes
            tending.touched = await self._touched(name) if broke_off_here else frozenset()
            if not await self._operate(name, tending, report):
                break
            if name == "extract" and run.outcomes[name].noted and not self._wish.dry_run:
                tending.snapshot = await Snapshot.load(self._store)
        report.seconds = time.monotonic() - began
        if not self._wish.dry_run:
            merged = run.outcomes.get("merge")
            left_pairs = merged.noted.get("near pairs left", 0) if merged is not None else None
            asks = report.sentence() if report.stopped_at else ""
            await keep_health(self._store, tending, left_pairs=left_pairs, asks=asks)
            ended = "stopped" if report.stopped_at else "done"
            await _write_log(self._store, run, ended=ended, seconds=report.seconds)
            await _forget_old_runs(self._store, keep=self._settings.tend.log_runs, now=run.now)
        return report

    async def _tending(self) -> Tending:
        kept = await self._store.state_items(LAST)
        last = {key.removeprefix(LAST): value or {} for key, value in kept.items()}
        return Tending(
            store=self._store,
            settings=self._settings,
            lent=self._lent,
            now=self._run.now,
            cycle=self._run.cycle,
            full=self._run.full,
            dry_run=self._wish.dry_run,
            snapshot=await Snapshot.load(self._store),
            last=last,
            counsel=Counsel(
                None if self._wish.dry_run else self._lent.mind,
                questions_max=self._settings.tend.mind_questions,
                timeout_seconds=self._settings.mind.timeout_seconds,
            ),
        )

    async def _touched(self, name: str) -> frozenset[str]:
        """Memories that the operation has decided about: those it changed, and those it set them against."""
        telling = {EdgeKind.SUPERSEDES} | ({EdgeKind.CONTRADICTS} if name == "resolve" else set())
        found: set[str] = set()
        for entry in await self._store.history(cycle=self._run.cycle):
            source, kind, target = [*entry.subject_id.split(">"), "", ""][:3]
            if entry.operation == name and (not kind or kind in telling):
                found |= {source, target or source}
        return frozenset(found)

    async def _operate(self, name: str, tending: Tending, report: Report) -> bool:
        """Plans and makes one operation. False when the loss gate stopped it."""
        began = time.monotonic()
        run = self._run
        outcome = run.outcomes.setdefault(name, OperationOutcome())
        self._progress(name, 0, 0)
        plan = await _FIND[name](tending)
        if not self._wish.allow_loss:
            losses = find_losses(
                plan.proposals,
                live_at_start=run.live_at_start,
                archived_before=run.archived,
                percent_max=self._settings.tend.loss_percent,
            )
            if losses:
                report.stopped_at, report.losses = name, losses
                return False
        if self._wish.dry_run:
            outcome.add(plan.proposals)
            tending.snapshot.take(change for proposal in plan.proposals for change in proposal.changes)
        else:
            await self._make(name, plan, tending)
        for what, number in plan.noted.items():
            outcome.noted[what] = outcome.noted.get(what, 0) + number
        outcome.seconds += time.monotonic() - began
        await self._finish(name, plan)
        return True

    async def _make(self, name: str, plan: TendPlan, tending: Tending) -> None:
        outcome, made = self._run.outcomes[name], 0

        def count(batch: Sequence[Proposal]) -> None:
            nonlocal made
            made += len(batch)
            outcome.add(batch)
            _add(self._run.archived, batch)
            self._progress(name, made, len(plan.proposals))

        outcome.left += await make(
            self._store,
            tending.snapshot,
            plan.proposals,
            Origin(actor="tend", operation=Operation(name), cycle=self._run.cycle),
            at=self._run.now,
            checkpoint=lambda batch: self._checkpoint(name, batch),
            made=count,
        )
        if name == "sweep" and (archived := await sweep.archive_old_passages(tending, self._run.cycle)):
            plan.noted["old passages archived"] = archived

    def _checkpoint(self, name: str, batch: Sequence[Proposal]) -> Mapping[str, Any]:
        """The run as it will be once this batch is made; it is counted here only when the store has taken it."""
        run = self._run
        told, archived = read_outcome(copy.deepcopy(run.outcomes[name].shape())), dict(run.archived)
        told.add(batch)
        _add(archived, batch)
        after = replace(run, outcomes=run.outcomes | {name: told}, archived=archived)
        return {RUN: after.shape()}

    async def _finish(self, name: str, plan: TendPlan) -> None:
        """Writes that the operation is done, with the state it leaves and, for an undo, the state it found."""
        run = self._run
        run.done.append(name)
        if self._wish.dry_run:
            return
        kept = await self._store.get_state(BEFORE + run.cycle) or {"state": {}}
        for key in plan.state:
            if key not in kept["state"]:
                kept["state"][key] = await self._store.get_state(key)
        state = {**plan.state, BEFORE + run.cycle: kept, RUN: run.shape()}
        await self._store.apply([], self._origin, at=run.now, state=state)

    async def _save(self) -> None:
        if not self._wish.dry_run:
            await self._store.put_state(RUN, self._run.shape())


def _add(archived: dict[Scope, int], batch: Sequence[Proposal]) -> None:
    for scope, number in count_by_scope(memory for proposal in batch for memory in proposal.archived).items():
        archived[scope] = archived.get(scope, 0) + number


async def _write_log(store: Store, run: _Run, *, ended: str, seconds: float = 0.0) -> None:
    """One row a cycle, to which each of its runs adds; with it the run is over."""
    before = await store.get_state(LOG + run.cycle) or {}
    operations = {name: outcome.shape() for name, outcome in run.outcomes.items()}
    row = {
        "started_at": before.get("started_at", write_moment(run.now)),
        "ended": ended,
        "seconds": round(before.get("seconds", 0.0) + seconds, 3),
        "full": run.full,
        "operations": before.get("operations", {}) | operations,
        "archived": {str(scope): number for scope, number in run.archived.items()},
        "live_at_start": {str(scope): number for scope, number in run.live_at_start.items()},
    }
    await store.apply([], Origin(actor="tend"), at=run.now, state={LOG + run.cycle: row, RUN: None})


async def _forget_old_runs(store: Store, *, keep: int, now: datetime) -> None:
    rows = sorted((await store.state_items(LOG)).items(), key=lambda item: (item[1]["started_at"], item[0]))
    for key, _ in rows[: max(0, len(rows) - keep)]:
        state = {key: None, BEFORE + key.removeprefix(LOG): None}
        await store.apply([], Origin(actor="tend"), at=now, state=state)
