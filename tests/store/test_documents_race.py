"""Processes that race for the same documents: each document is claimed once, and every count adds up."""

from __future__ import annotations

import asyncio
import json
import sys

import pytest

from nightgarden.domain.documents import Put
from tests.store.conftest import Place
from tests.store.given import NOW

TASKS, CLAIMERS = 12, 2
_CLAIMER = """
import asyncio, json, sys
from datetime import UTC, datetime
from nightgarden.domain.documents import Put
from nightgarden.errors import Conflict
from nightgarden.store import postgres, sqlite
engine, address, me = sys.argv[1:]

async def main():
    store = await (postgres if engine == "postgres" else sqlite).open_store(address)
    print("ready", flush=True)
    sys.stdin.readline()
    won, counted = [], 0
    for document in await store.list_documents("task"):
        claimed = Put(kind="task", key=document.key, value={"by": me}, expected=1, status="claimed")
        try:
            await store.put_documents([claimed], at=datetime.now(UTC))
            won.append(document.key)
        except Conflict:
            pass
    while counted < 10:
        total = await store.document("count", "all")
        more = Put(kind="count", key="all", value=total.value + 1, expected=total.version)
        try:
            await store.put_documents([more], at=datetime.now(UTC))
            counted += 1
        except Conflict:
            pass
    await store.close()
    print(json.dumps(won))
asyncio.run(main())
"""


@pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)
async def test_of_two_processes_each_document_is_claimed_by_one(place: Place) -> None:
    store = await place.open()
    puts = [Put(kind="task", key=f"t{number:02}", value={}, expected=0) for number in range(TASKS)]
    await store.put_documents([*puts, Put(kind="count", key="all", value=0, expected=0)], at=NOW)
    running = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", _CLAIMER, place.engine, place.address, str(number),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )
        for number in range(CLAIMERS)
    ]  # fmt: skip
    for each in running:
        assert each.stdout is not None
        assert await asyncio.wait_for(each.stdout.readline(), 60) == b"ready\n"
    said = await asyncio.gather(*(asyncio.wait_for(each.communicate(b"go\n"), 60) for each in running))
    won = [key for out, _ in said for key in json.loads(out)]
    assert sorted(won) == [f"t{number:02}" for number in range(TASKS)]
    assert {each.version for each in await store.list_documents("task")} == {2}
    total = await store.document("count", "all")
    assert total is not None
    assert (total.value, total.version) == (10 * CLAIMERS, 10 * CLAIMERS + 1)
    await store.close()
