"""A whole run: what it changes, that it ends, that it can be taken back, and that it survives being killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from nightgarden.domain.memory import Tier
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.errors import GardenBusy, NotFound
from nightgarden.settings import Settings, TendSettings
from nightgarden.store import sqlite
from nightgarden.store.exchange.json_lines import export_lines
from nightgarden.store.exchange.markdown import export_markdown
from nightgarden.tend.health import health
from nightgarden.tend.keys import LAST, LOG, RUN
from nightgarden.tend.tending import LentTending
from nightgarden.tend.undo import undo
from nightgarden.tend.wish import OPERATIONS
from tests.tend.given import DAY, MODEL, NOW, add, at_cosine, direction, memory, said, tended
from tests.tend.rich import plant
from tests.tend.steady import ASKING, LENT

MINUTE = DAY / 1440


async def test_every_operation_reports_and_a_second_run_changes_nothing(store: Store) -> None:
    await plant(store, seed=1, size=120)
    first = await tended(store, allow_loss=True)
    assert list(first.operations) == list(OPERATIONS)
    busy = {name for name, outcome in first.operations.items() if outcome.changes}
    assert {"resolve", "merge", "sweep", "relate", "tags", "cluster"} <= busy
    assert first.changes == sum(outcome.changes for outcome in first.operations.values())
    assert first.changes == len(await store.history(cycle=first.cycle))
    second = await tended(store, at=NOW + MINUTE, allow_loss=True)
    assert second.changes == 0, second.shape()
    assert first.cycle in first.sentence()
    assert second.sentence() == "nothing needed changing"


async def test_a_dry_run_says_what_would_change_and_changes_nothing(store: Store) -> None:
    await plant(store, seed=2)
    before = [record async for record in store.dump()]
    plan = await tended(store, dry_run=True, allow_loss=True)
    assert [record async for record in store.dump()] == before
    done = await tended(store, allow_loss=True)
    for name in ("verify", "resolve", "merge", "consolidate", "sweep", "prune"):
        assert plan.operations[name].counts == done.operations[name].counts


async def exports(store: Store) -> list[str]:
    """What `export` writes in either form, without the journal, which only grows; and the vectors beside it."""
    lines = [line async for line in export_lines(store) if json.loads(line)["type"] != "journal"]
    pieces = [piece async for piece in export_markdown(store) if 'type: "journal"' not in piece]
    return [*lines, *pieces, await said(store)]


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@example(seed=0, size=5, full=False, only={"gaps"}, lent=None)  # a run that only closed a gap
@given(
    seed=st.integers(0, 10**6),
    size=st.integers(5, 70),
    full=st.booleans(),
    only=st.sets(st.sampled_from(OPERATIONS)),
    lent=st.sampled_from((None, LENT)),
)
def test_after_any_run_undo_gives_the_same_export_to_the_byte(
    tmp_path_factory: Any, seed: int, size: int, full: bool, only: set[str], lent: LentTending | None
) -> None:
    names = [name for name in OPERATIONS if name in only]  # none is all

    async def check() -> None:
        garden = await sqlite.open_store(tmp_path_factory.mktemp("g") / "garden.db")
        try:
            await plant(garden, seed, size)
            before = await exports(garden)
            report = await tended(garden, *names, allow_loss=True, full=full, lent=lent)
            if report.changes:
                await undo(garden, report.cycle, actor="user", at=NOW + MINUTE)
            assert await exports(garden) == before
            again = await tended(garden, *names, at=NOW + 2 * MINUTE, allow_loss=True, full=full, lent=lent)
            if report.changes:  # the notes of the run went with it, so the next one looks again
                assert again.changes == report.changes
        finally:
            await garden.close()

    asyncio.run(check())


@pytest.mark.parametrize("lent", [None, LENT], ids=["alone", "with a mind"])
async def test_undo_gives_the_same_export_on_either_store(store: Store, lent: LentTending | None) -> None:
    await plant(store, seed=5, size=100)
    before = await exports(store)
    report = await tended(store, allow_loss=True, lent=lent)
    assert ("composed" in report.operations["consolidate"].counts) == (lent is not None)
    assert "consolidated" in report.operations["consolidate"].counts
    assert await exports(store) != before
    cycles = [report.cycle]
    while (again := await tended(store, at=NOW + len(cycles) * MINUTE, allow_loss=True, lent=lent)).changes:
        cycles.append(again.cycle)
        assert lent is not None, "without a mind one run does it all"
        assert len(cycles) < 12, again.shape()  # a mind is asked about a memory once a run, so it takes a few
    for cycle in reversed(cycles):
        await undo(store, cycle, actor="user", at=NOW + 20 * MINUTE)
    assert await exports(store) == before


async def test_a_run_that_would_lose_too_much_stops_and_asks(store: Store) -> None:
    await add(store, [memory(n, age_days=400) for n in range(1, 21)] + [memory(n) for n in range(21, 101)])
    before = await said(store)
    report = await tended(store)
    assert report.stopped_at == "prune"
    assert "20 of 100 memories" in report.sentence()
    assert "--allow-loss" in report.sentence()
    archived = await store.list_memories(MemoryFilter(statuses=("archived",)))  # type: ignore[arg-type]
    assert not archived
    assert await said(store) != before  # what came before the stop stands, and can be undone
    asked = await health(store, Settings(), model_id=MODEL.id, now=NOW)
    assert "stopped before prune" in asked.asks  # nobody may have looked when it ran at night
    allowed = await tended(store, at=NOW + MINUTE, allow_loss=True)
    assert allowed.operations["prune"].counts == {"archived": 20}
    assert (await health(store, Settings(), model_id=MODEL.id, now=NOW)).asks == ""


async def test_two_runs_at_once_are_impossible(place: Any) -> None:
    one, other = await place.open(), await place.open()
    try:
        async with one.exclusive("tend"):
            with pytest.raises(GardenBusy):
                await tended(other)
            await tended(other, dry_run=True)
            async with other.exclusive("something else"):
                pass
        await tended(other)
    finally:
        await one.close()
        await other.close()


async def test_opposites_are_never_merged_however_near(store: Store) -> None:
    pair = [memory(1, "Use tabs for indentation", age_days=9), memory(2, "Do not use tabs for indentation", age_days=2)]
    await add(store, pair, [direction(0), at_cosine(0.99)])
    report = await tended(store)
    assert "merged" not in report.operations["merge"].counts
    assert report.operations["resolve"].changes
    older, newer = await store.list_memories(MemoryFilter())
    assert [older.id, newer.id] == [each.id for each in pair]
    assert newer.flagged
    assert not older.flagged


async def test_what_is_told_of_a_sibling_ends_nothing_at_night(store: Store) -> None:
    texts = ("Use room4 for backups", "Do not use room5 for backups", "room5 is in the cellar")
    vectors = [direction(0), at_cosine(0.97), direction(0, 2)]
    await add(store, [memory(n, text, age_days=9 - n) for n, text in enumerate(texts, start=1)], vectors)
    report = await tended(store, "resolve")
    assert not report.operations["resolve"].changes
    assert len(await store.list_memories(MemoryFilter())) == 3


async def test_a_merge_carries_edges_and_leads_back(store: Store) -> None:
    from nightgarden.domain.graph import Edge, EdgeKind
    from tests.store.given import add as put

    one = memory(1, "The shop retries failed calls 3 times", age_days=9, confidence=0.6)
    two = memory(2, "Failed calls are retried 3 times by the shop", age_days=2, confidence=0.9)
    far = memory(3, "The garden has roses")
    await add(store, [one, two, far], [direction(0), at_cosine(0.97), direction(0, 2)])
    await put(
        store, Edge(source=two.id, target=far.id, kind=EdgeKind.RELATES_TO, weight=0.7, created_at=NOW, updated_at=NOW)
    )
    await tended(store, "merge")
    live = {m.id: m for m in await store.list_memories(MemoryFilter())}
    (kept,) = set(live) - {far.id}
    (gone,) = {one.id, two.id} - {kept}
    (old,) = await store.memories([gone])
    assert (old.superseded_by, live[kept].confidence, live[kept].strength) == (kept, 0.9, 2)
    keys = {edge.key for edge in await store.edges([kept])}
    assert f"{kept}>supersedes>{gone}" in keys
    assert f"{kept}>relates_to>{far.id}" in keys


async def test_clusters_keep_their_ids_and_take_newcomers_in(store: Store) -> None:
    import numpy as np

    from tests.tend.rich import near

    chance = np.random.default_rng(3)
    middles = [direction(0, plane) for plane in range(3)]
    groups = [[near(chance, m, 0.93) for _ in range(8)] for m in middles]
    texts = [f"{word} matter number {n} of {n * 7}" for word in ("billing", "search", "mail") for n in range(8)]
    await add(store, [memory(n + 1, text) for n, text in enumerate(texts)], [v for g in groups for v in g])
    await tended(store, "cluster")
    before = {c.id: c for c in await store.clusters()}
    assert sorted(len(c.member_ids) for c in before.values()) == [8, 8, 8]
    assert {c.name.split(",")[0] for c in before.values()} == {"billing", "search", "mail"}
    new = memory(90, "billing matter that came later", age_days=-0.01)
    await add(store, [new], [near(chance, middles[0], 0.97)])
    await tended(store, "cluster", at=NOW + DAY)
    after = {c.id: c for c in await store.clusters()}
    assert after.keys() == before.keys()
    assert {c.name.split(",")[0] for c in after.values() if new.id in c.member_ids} == {"billing"}
    full = await tended(store, "cluster", at=NOW + 2 * DAY, full=True)
    assert {c.id for c in await store.clusters()} == before.keys(), full.shape()


class Broken(Exception):
    """The power is cut here."""


class Failing:
    """A store whose nth write never happens, as if the process had been killed there."""

    def __init__(self, store: Store, writes: int, *, after: bool) -> None:
        self._store = store
        self.left = writes
        self._after = after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in ("apply", "put_state"):
            return found

        async def write(*arguments: Any, **named: Any) -> Any:
            self.left -= 1
            if self.left == 0 and not self._after:
                raise Broken
            made = await found(*arguments, **named)
            if self.left == 0:
                raise Broken
            return made

        return write


async def summary(store: Store) -> tuple[str, Counter[tuple[str, str, str]]]:
    """The garden, and how often each node was changed in each way."""
    entries = await store.history(cycle="night")
    return await said(store), Counter((e.subject_kind, e.subject_id, e.reason) for e in entries)


def fresh_copy(tmp_path: Path, name: str) -> Path:
    """The planted garden, untouched."""
    return Path(shutil.copy(tmp_path / "planted.db", tmp_path / f"{name}.db"))


async def go_on(store: Store) -> bool:
    """What the next start does: goes on with the run that broke off, if it had got as far as writing that it began.
    Whether it did."""
    broke_off = await store.get_state(RUN) is not None
    if not broke_off and await store.get_state(LOG + "night") is not None:
        return False  # it was done; another run asks the mind about other pairs
    cycle, at = ("another", NOW + MINUTE) if broke_off else ("night", NOW)
    report = await tended(store, cycle=cycle, at=at, allow_loss=True, settings=ASKING, lent=LENT)
    assert report.resumed == broke_off
    assert report.stopped_at is None
    assert await store.get_state(RUN) is None
    return report.resumed


async def run_whole(tmp_path: Path, seed: int, size: int = 60) -> tuple[Any, int, int]:
    """Plants a garden and tends a copy without disturbance: what that gives, in how many writes and changes."""
    planted = await sqlite.open_store(tmp_path / "whole.db")
    await plant(planted, seed, size)
    await planted.copy_to(tmp_path / "planted.db")
    counting = Failing(planted, 10**9, after=False)
    await tended(counting, cycle="night", allow_loss=True, settings=ASKING, lent=LENT)
    wanted, changes = await summary(planted), len(await planted.history(cycle="night"))
    await planted.close()
    return wanted, 10**9 - counting.left, changes


@pytest.mark.parametrize("seed", range(10))
async def test_a_run_killed_anywhere_goes_on_without_loss_or_repetition(
    tmp_path: Path, seed: int, monkeypatch: Any
) -> None:
    monkeypatch.setattr("nightgarden.tend.apply.BATCH_CHANGES", 12)  # many transactions in a small garden
    wanted, writes, _ = await run_whole(tmp_path, seed)
    chance = random.Random(seed)
    for number in range(20):  # with ten seeds two hundred points, before and after the commit of a write
        store = await sqlite.open_store(fresh_copy(tmp_path, str(number)))
        failing = Failing(store, chance.randint(1, writes), after=bool(number % 2))
        with pytest.raises(Broken):
            await tended(failing, cycle="night", allow_loss=True, settings=ASKING, lent=LENT)
        await go_on(store)
        assert await summary(store) == wanted
        await store.close()


KILLED = """
import asyncio, sys
from nightgarden.store import sqlite
from tests.tend.given import tended
from tests.tend.steady import ASKING, LENT
import nightgarden.tend.apply
nightgarden.tend.apply.BATCH_CHANGES = 12

async def main():
    store = await sqlite.open_store(sys.argv[1])
    print("go", flush=True)
    await tended(store, cycle="night", allow_loss=True, settings=ASKING, lent=LENT)
    print("done", flush=True)

asyncio.run(main())
"""
KILLS = int(os.environ.get("NIGHTGARDEN_TEST_KILLS", "4"))  # each takes seconds; docs/bench/tend.md tells of 200


def start(path: Path) -> subprocess.Popen[str]:
    """A process that tends the garden at this path."""
    env = os.environ | {"PYTHONPATH": f"src{os.pathsep}."}
    return subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True, env=env)


async def kill_after(child: subprocess.Popen[str], store: Store, entries: int) -> bool:
    """Kills the process once so many changes are written. False when it was done before."""
    assert child.stdout is not None
    assert child.stdout.readline() == "go\n"
    async with asyncio.timeout(120):
        while child.poll() is None and len(await store.history(cycle="night")) < entries:
            pass  # each look awaits the store
    child.send_signal(signal.SIGKILL)
    child.wait()
    said_done = child.stdout.read() != ""
    child.stdout.close()
    return not said_done


async def test_a_process_killed_while_tending_leaves_nothing_half_done(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("nightgarden.tend.apply.BATCH_CHANGES", 12)
    wanted, _, changes = await run_whole(tmp_path, seed=77, size=120)
    chance = random.Random(KILLS)
    killed = resumed = 0
    for number in range(KILLS):
        path = fresh_copy(tmp_path, str(number))
        store = await sqlite.open_store(path)
        killed += await kill_after(start(path), store, chance.randrange(changes))
        resumed += await go_on(store)
        assert await summary(store) == wanted
        await store.close()
        path.unlink()
    assert killed
    print(f"{KILLS} processes, {killed} killed before they were done, {resumed} runs gone on with")


async def test_a_run_is_logged_and_health_tells_of_it(store: Store) -> None:
    await plant(store, seed=9)
    before = await health(store, Settings(), model_id=MODEL.id, now=NOW)
    assert (before.total, before.last_sweep, before.without_vectors) == (
        len(await store.list_memories(MemoryFilter())),
        None,
        0,
    )
    report = await tended(store, allow_loss=True)
    (row,) = (await store.state_items(LOG)).values()
    assert row["ended"] == "done"
    assert row["operations"]["sweep"]["counts"] == report.operations["sweep"].counts
    after = await health(store, Settings(), model_id=MODEL.id, now=NOW)
    assert after.last_sweep == after.last_consolidation == NOW
    assert after.archived > 0
    assert after.shape()["scopes"]["project:roses"]["limit"] == 2000


async def test_the_log_keeps_as_many_runs_as_the_settings_say(store: Store) -> None:
    kept = Settings(tend=TendSettings(log_runs=2))
    for night in range(4):
        await tended(store, "sweep", at=NOW + night * DAY, cycle=f"night-{night}", settings=kept)
    assert sorted(await store.state_items(LOG)) == [f"{LOG}night-2", f"{LOG}night-3"]
    assert (await store.get_state(f"{LAST}sweep"))["cycle"] == "night-3"


async def test_a_cycle_that_changed_nothing_cannot_be_undone(store: Store) -> None:
    report = await tended(store)
    with pytest.raises(NotFound):
        await undo(store, report.cycle, actor="user", at=NOW)


async def test_another_writer_costs_only_what_is_in_conflict(store: Store) -> None:
    from dataclasses import replace

    from tests.store.given import change

    old = [memory(n, age_days=100) for n in range(1, 6)]
    await add(store, old)

    class Meddling(Failing):
        def __getattr__(self, name: str) -> Any:
            found = getattr(self._store, name)
            if name != "apply":
                return found

            async def apply(changes: Any, *arguments: Any, **named: Any) -> Any:
                if changes and self.left:
                    self.left = 0
                    await change(self._store, (old[2], replace(old[2], tier=Tier.PINNED)))
                return await found(changes, *arguments, **named)

            return apply

    report = await tended(Meddling(store, 1, after=False), "sweep")
    assert (report.operations["sweep"].counts, report.operations["sweep"].left) == ({"faded": 4}, 1)
    (pinned,) = await store.memories([old[2].id])
    assert pinned.pinned
