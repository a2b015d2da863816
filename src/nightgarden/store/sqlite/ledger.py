"""Calls of language models: written down before they are made, set right after. Both in a writer's transaction, which
holds the only right to write to the file: between looking at a cap and using it up nobody else can write."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from nightgarden.domain.mind_call import Caps, MindCall, Spent, day_of, is_over
from nightgarden.domain.record import to_record
from nightgarden.domain.time import write_moment
from nightgarden.store.sqlite import rows
from nightgarden.store.sqlite.rows import Q


def open_call(db: sqlite3.Connection, call: MindCall, caps: Caps | None) -> Spent | None:
    """What was charged already when a cap leaves no room; None when the call was written down."""
    if caps is not None:
        since, until = day_of(call.at)
        charged = spent(db, call.budget, since, until)
        if is_over(charged, call, caps):
            return charged
    write_call(db, call)
    return None


def write_call(db: sqlite3.Connection, call: MindCall) -> None:
    record = to_record(call)
    columns = {name: record[name] for name in ("id", "at", "budget", "charged_tokens", "charged_usd")}
    db.execute(Q["write_call"], columns | {"record": rows.write_json(record)})


def spent(db: sqlite3.Connection, budget: str, since: datetime, until: datetime) -> Spent:
    given = {"budget": budget, "since": write_moment(since), "until": write_moment(until)}
    tokens, usd, calls = db.execute(Q["calls_spent"], given).fetchone()
    return Spent(tokens=tokens, usd=usd, calls=calls)
