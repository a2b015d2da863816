"""Changes of a garden can be followed from other processes: each at least once, in order, from a cursor on."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from nightgarden import Garden
from nightgarden.domain.ids import earlier_than
from nightgarden.domain.journal import JournalEntry
from nightgarden.errors import BadInput
from nightgarden.store.follow import OVERLAP_MS, follow
from tests.cli.command import environment
from tests.conftest import BY_WORDS
from tests.store.given import add, memory

SECONDS_MAX = 60.0


async def first(changes: AsyncIterator[JournalEntry], number: int) -> list[JournalEntry]:
    found: list[JournalEntry] = []
    async with asyncio.timeout(SECONDS_MAX), aclosing(changes):  # type: ignore[type-var]  # a generator
        async for entry in changes:
            found.append(entry)
            if len(found) == number:
                break
    return found


async def test_what_another_writes_comes_in_the_order_in_which_it_happened(store, open_again):
    other = await open_again()
    waiting = asyncio.create_task(first(follow(store, ""), 3))
    for name in ("a", "b", "c"):
        await add(other, memory(name, f"rose {name}"))
    assert [entry.subject_id for entry in await waiting] == ["a", "b", "c"]


async def test_from_now_on_leaves_out_what_was_before(store):
    await add(store, memory("old", "rose"))
    waiting = asyncio.create_task(first(follow(store, None), 1))
    number = 0
    while not waiting.done():  # what is written before it begins to look is not for it
        number += 1
        await add(store, memory(f"new{number}", f"rose {number}"))
        await asyncio.wait({waiting}, timeout=0.1)
    assert [entry.subject_id for entry in waiting.result()] != ["old"]


async def test_a_cursor_goes_on_where_it_was_and_the_last_seconds_come_again(store):
    for name in ("a", "b"):
        await add(store, memory(name, f"rose {name}"))
    cursor = (await store.history())[0].id
    assert [entry.subject_id for entry in await first(follow(store, cursor), 2)] == ["a", "b"]


async def test_an_entry_that_was_committed_late_is_not_lost(store):
    """Two writers on a server: the one that took its id first may commit last."""
    await add(store, memory("a", "rose a"))
    await add(store, memory("b", "rose b"))
    early, late = await store.history()

    class Behind:
        """The same store, in which the first entry is not committed yet when it is first read."""

        reads = 0

        async def entries_after(self, after: str, *, limit: int) -> list[JournalEntry]:
            self.reads += 1
            seen = await store.entries_after(after, limit=limit)
            return [entry for entry in seen if self.reads > 1 or entry.id != early.id]

    found = await first(follow(Behind(), ""), 2)  # type: ignore[arg-type]  # all that following asks of a store
    assert [entry.id for entry in found] == [late.id, early.id]
    assert earlier_than(late.id, OVERLAP_MS) < early.id


async def test_a_cursor_that_is_no_entry_is_refused(store):
    with pytest.raises(BadInput, match="not the id of a journal entry"):
        await first(follow(store, "yesterday"), 1)


async def test_another_process_watches_what_this_one_does(place, tmp_path: Path):
    home = tmp_path / "watching"
    home.mkdir()
    async with Garden.open(place.address, directory=home, settings=BY_WORDS, env={"NIGHTGARDEN_HOME": str(home)}) as g:
        await g.remember("The roses are watered at six")
        words = ("watch", "--json", "--all", "--limit", "3", "--garden", place.address)
        watching = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "nightgarden", *words), env=environment(home), cwd=home, stdout=subprocess.PIPE
        )
        assert watching.stdout is not None
        seen = [json.loads(await watching.stdout.readline())]
        saved = await g.remember("The lilies are watered at seven")
        assert saved.id is not None
        await g.forget(saved.id)
        seen += [json.loads(line) async for line in watching.stdout]
        assert await asyncio.wait_for(watching.wait(), SECONDS_MAX) == 0
    assert [entry["operation"] for entry in seen] == ["remember", "remember", "forget"]
    assert [entry["id"] for entry in seen] == sorted(entry["id"] for entry in seen)
