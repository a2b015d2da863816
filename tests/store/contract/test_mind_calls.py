"""The ledger of calls: written before a call, set right after it, and never beyond a cap, whoever else is writing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from nightgarden.domain.mind_call import CallOutcome, Caps, MindCall, Spent
from nightgarden.domain.ports import Store
from nightgarden.store import sqlite
from tests.store.conftest import Place

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
DAY = {"since": datetime(2026, 11, 16, tzinfo=UTC), "until": datetime(2026, 11, 17, tzinfo=UTC)}
CAPS = Caps(tokens=1_000, usd=1.0)


def call(number: int, *, at: datetime = NOON, tokens: int = 240, usd: float = 0.0, budget: str = "mind") -> MindCall:
    return MindCall(
        id=f"call{number:03d}",
        at=at,
        budget=budget,
        provider="claude",
        model="haiku",
        purpose="extract",
        outcome=CallOutcome.OPEN,
        charged_tokens=tokens,
        charged_usd=usd,
    )


async def test_a_call_is_put_down_and_set_right(store: Store) -> None:
    assert await store.open_call(call(1), CAPS) is None
    assert await store.spent("mind", **DAY) == Spent(tokens=240, usd=0.0, calls=1)
    done = replace(
        call(1),
        outcome=CallOutcome.ANSWERED,
        charged_tokens=120,
        charged_usd=0.25,
        tokens_in=100,
        tokens_out=20,
        tokens_cached=0,
        cost_usd=0.25,
        duration_ms=900,
        cycle="tend-1",
    )
    await store.close_call(done)
    assert await store.spent("mind", **DAY) == Spent(tokens=120, usd=0.25, calls=1)
    assert await store.mind_calls(since=NOON) == [done]


async def test_a_cap_of_tokens_or_money_holds_for_one_day_and_one_budget(store: Store) -> None:
    assert await store.open_call(call(1, tokens=900, usd=0.9), CAPS) is None
    assert await store.open_call(call(2, tokens=101), CAPS) == Spent(tokens=900, usd=0.9, calls=1)
    assert await store.open_call(call(3, tokens=10, usd=0.2), CAPS) == Spent(tokens=900, usd=0.9, calls=1)
    assert await store.open_call(call(4, tokens=101, budget="other"), CAPS) is None
    assert await store.open_call(call(5, tokens=101, at=NOON + timedelta(hours=12)), CAPS) is None
    assert await store.open_call(call(6, tokens=5_000), None) is None
    assert [each.id for each in await store.mind_calls(since=NOON)] == ["call005", "call006", "call004", "call001"]
    assert [each.id for each in await store.mind_calls(since=NOON, limit=1)] == ["call005"]


async def test_two_that_write_at_once_cannot_take_the_same_room(place: Place) -> None:
    stores = [await place.open() for _ in range(2)]
    try:
        tries = [stores[number % 2].open_call(call(number), CAPS) for number in range(20)]
        found = await asyncio.gather(*tries)
        assert sum(each is None for each in found) == 4
        assert (await stores[0].spent("mind", **DAY)).tokens == 960
    finally:
        for store in stores:
            await store.close()


async def test_the_ledger_goes_where_the_garden_goes(store: Store, tmp_path: object) -> None:
    await store.open_call(call(1), None)
    records = [record async for record in store.dump() if record["type"] == "mind_call"]
    assert await store.existing(records) == [True]
    await store.load(records)  # what is there is left alone
    other = await sqlite.open_store(f"{tmp_path}/other.db")
    try:
        await other.load(records)
        assert await other.mind_calls(since=NOON) == [call(1)]
        assert await other.existing(records) == [True]
    finally:
        await other.close()
    await store.empty()
    assert await store.mind_calls(since=NOON) == []
