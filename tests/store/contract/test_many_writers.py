"""Several stores on one garden, as several processes would have them: nothing is lost, nobody overwrites anybody."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import numpy as np

from nightgarden.domain.ports import MemoryFilter
from nightgarden.errors import Conflict
from tests.store.given import (
    MODEL,
    NOW,
    add,
    add_session,
    all_edge_keys,
    change,
    dumped,
    edge,
    found,
    memory,
    session,
)


async def test_two_stores_that_write_at_once_lose_nothing(store, open_again):
    other = await open_again()

    async def write(target, name: str) -> None:
        for number in range(15):
            each = memory(f"{name}{number:02}", f"roses of {name} number {number}", tags=("roses", f"t{number}"))
            await add(target, each)
            await target.touch([each.id], at=NOW)

    await asyncio.gather(write(store, "a"), write(other, "b"), write(store, "c"), write(other, "d"))
    assert len(await store.list_memories(MemoryFilter())) == 60
    assert len(await found(other, "roses", limit=100)) == 60
    assert [tag.memory_count for tag in await other.tags() if tag.name == "roses"] == [60]
    entries = await store.history()
    assert len(entries) == 60 + 16
    assert len({entry.id for entry in entries}) == len(entries)
    assert all(check.ok for check in await store.check(repair=False))


async def test_of_two_who_change_the_same_memory_one_learns_of_the_other(store, open_again):
    other = await open_again()
    one = memory("a")
    await add(store, one)
    outcomes = await asyncio.gather(
        change(store, (one, replace(one, content="mine"))),
        change(other, (one, replace(one, content="theirs"))),
        return_exceptions=True,
    )
    assert sorted(isinstance(outcome, Conflict) for outcome in outcomes) == [False, True]
    assert len(await store.history("a")) == 2


async def test_of_two_who_say_the_same_one_learns_of_the_other(store, open_again):
    other = await open_again()
    outcomes = await asyncio.gather(
        add(store, memory("a", "roses need sun")), add(other, memory("b", "Roses need sun.")), return_exceptions=True
    )
    assert sorted(isinstance(outcome, Conflict) for outcome in outcomes) == [False, True]
    assert len(await found(store, "roses")) == 1


async def test_batches_in_opposite_order_both_go_through(store, open_again):
    other = await open_again()
    names = [f"m{number}" for number in range(12)]
    old = [memory(name) for name in names]
    await add(store, *old)

    async def strengthen(target, ids: list[str]) -> int:
        """Raises the strength of all, reading again whenever someone was first."""
        for tries in range(1, 50):
            rows = await target.memories(ids)
            try:
                await change(target, *((row, replace(row, strength=row.strength + 1)) for row in rows))
            except Conflict:
                continue
            return tries
        raise AssertionError("never got through")

    rounds = [strengthen(target, ids) for _ in range(4) for target, ids in ((store, names), (other, names[::-1]))]
    await asyncio.gather(*rounds)
    assert {row.strength for row in await store.memories(names)} == {9}


async def test_uses_counted_by_many_add_up(store, open_again):
    other = await open_again()
    await add(store, *(memory(name) for name in "abc"))
    await asyncio.gather(
        *(target.touch(ids, at=NOW) for _ in range(10) for target, ids in ((store, "abc"), (other, "cba")))
    )
    assert [row.access_count for row in await store.memories("abc")] == [20, 20, 20]


async def test_a_session_fed_by_two_keeps_every_message_once(store, open_again):
    other = await open_again()
    whole = session("s", *(f"message {number}" for number in range(10)))
    halves = [replace(whole, messages=whole.messages[:7]), replace(whole, messages=whole.messages[3:])]
    added = await asyncio.gather(add_session(store, halves[0]), add_session(other, halves[1]))
    assert sum(added) == 10
    read = await store.session("s")
    assert sorted(message.id for message in read.messages) == sorted(message.id for message in whole.messages)
    assert len(await found(store, "message", limit=50)) == 10


async def test_what_one_wrote_the_other_reads_at_once(store, open_again):
    other = await open_again()
    await add(store, memory("a", "roses"), memory("b"), edge("a", "b"))
    await store.put_vectors(MODEL, ["a"], np.array([[1, 0, 0, 0]], dtype=np.float32))
    assert await found(other, "roses") == ["a"]
    assert await all_edge_keys(other) == ["a>relates_to>b"]
    assert list(await other.vectors(MODEL.id, ["a"])) == ["a"]
    assert await dumped(other) == await dumped(store)


async def test_a_batch_with_thousands_of_memories_is_one_unit(store):
    many = [
        memory(f"m{number:05}", f"statement {number} about roses", tags=(f"t{number % 7}",)) for number in range(3000)
    ]
    entries = await add(store, *many)
    assert len(entries) == 3007
    assert len(await found(store, "roses", limit=5000)) == 3000
    assert (await store.counts()).memories == {"promoted": 3000}
