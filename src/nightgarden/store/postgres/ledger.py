"""Calls of language models: written down before they are made, set right after."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from nightgarden.domain.mind_call import Caps, MindCall, Spent, day_of, is_over
from nightgarden.domain.record import from_record, to_record
from nightgarden.store.postgres.migrate import lock_key
from nightgarden.store.postgres.rows import read_json, write_json
from nightgarden.store.postgres.statements import load_statements

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("read.sql")


async def open_call(connection: Connection, call: MindCall, caps: Caps | None, *, schema: str) -> Spent | None:
    """What was charged already when a cap leaves no room; None when the call was written down. A lock that lasts to the
    end of the transaction keeps others from taking the same room."""
    if caps is not None:
        await connection.execute("SELECT pg_advisory_xact_lock($1)", lock_key(f"nightgarden.{schema}.mind_call"))
        since, until = day_of(call.at)
        charged = await spent(connection, call.budget, since, until)
        if is_over(charged, call, caps):
            return charged
    await write_call(connection, call)
    return None


async def write_call(connection: Connection, call: MindCall) -> None:
    await Q["write_call"].run(
        connection,
        id=call.id,
        at=call.at,
        budget=call.budget,
        charged_tokens=call.charged_tokens,
        charged_usd=call.charged_usd,
        record=write_json(to_record(call)),
    )


async def spent(connection: Connection, budget: str, since: datetime, until: datetime) -> Spent:
    row = await Q["calls_spent"].row(connection, budget=budget, since=since, until=until)
    assert row is not None
    return Spent(tokens=row["tokens"], usd=row["usd"], calls=row["calls"])


async def calls_since(connection: Connection, since: datetime, limit: int | None) -> list[MindCall]:
    found = await Q["calls_since"].rows(connection, since=since, limit=limit)
    return [from_record(MindCall, read_json(row["record"])) for row in found]
