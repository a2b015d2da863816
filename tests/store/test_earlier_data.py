"""What an earlier version stored is read as what it is now: rows by migration, the journal and exports on reading."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from nightgarden import Garden
from nightgarden.domain.doubt import Doubt, DoubtKind, describe
from nightgarden.domain.earlier import read_flag
from nightgarden.domain.journal import Operation
from nightgarden.domain.memory import GLOBAL, Memory
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.schedule import Outcome, ScheduledTask
from nightgarden.domain.shelf import Shelf
from nightgarden.domain.time import write_moment
from nightgarden.facade.scheduling import TASK as TASKS
from nightgarden.store.backup import purge_in_backups
from nightgarden.store.exchange.json_lines import FORMAT, VERSION
from nightgarden.store.postgres.address import read_address
from nightgarden.store.postgres.migrate import known_migrations, lock_key
from nightgarden.store.postgres.migrate import migrate as migrate_postgres
from nightgarden.store.sqlite.connection import connect
from nightgarden.store.sqlite.migrate import migrate, schema_version, steps
from nightgarden.tend.undo import undo
from tests.conftest import Open
from tests.store.conftest import Place
from tests.store.given import HOUR, NOW, memory

FLAGS = {
    "a": "",
    "b": "may contradict a, c (other-number)",
    "c": "may contradict a",
    "d": 'no longer found in the code: port 80; "x\\y" (now) has 81',
    "e": "an agent asked to forget it",
    "f": "look, a \u2028 é",
}
SAID_NOW = FLAGS | {"d": 'not found in the project: port 80; "x\\y" (now) has 81'}
DOUBTS = {
    "a": (),
    "b": (Doubt(kind=DoubtKind.CONTRADICTS, against=("a", "c"), detail="other-number"),),
    "c": (Doubt(kind=DoubtKind.CONTRADICTS, against=("a",)),),
    "d": (Doubt(kind=DoubtKind.GONE, detail='port 80; "x\\y" (now) has 81'),),
    "e": (Doubt(kind=DoubtKind.UNWANTED),),
    "f": (Doubt(kind=DoubtKind.OTHER, detail="look, a \u2028 é"),),
}


def earlier_record(id: str, **fields: Any) -> dict[str, Any]:
    """A memory as the first schema's program wrote it."""
    record = to_record(memory(id, **fields))
    del record["doubts"]
    return record | {"flagged": FLAGS.get(id, "")}


# id, cycle, actor, reason, subject kind, subject id, before, after; the first two were one transaction
ENTRIES: list[tuple[str, str | None, str, str, str, str, Any, Any]] = [
    ("1", None, "user", "saved", "memory", "a", None, earlier_record("a")),
    ("2", None, "user", "saved", "edge", "b>contradicts>a", None, {"source": "b"}),
    ("3", "tend-x", "tend", "resolve: unsure", "memory", "b", {"flagged": ""}, {"flagged": FLAGS["b"]}),
    ("4", "undo-tend-w", "user", "undo tend-w", "memory", "c", {"tier": 1}, {"tier": 2}),
]


TASK = ScheduledTask(id="t1", task="water the roses", wake_at=NOW + HOUR, created_at=NOW, scope=GLOBAL, session_id="s")
CLOSED = replace(TASK, id="t2").close(Outcome.DONE, NOW)
STATE = {
    "scheduled:t1": to_record(TASK),
    "scheduled:t2": to_record(CLOSED),
    "scheduled:t3": {"task": "without a moment"},
    "cursor": 1,
}


async def fill_sqlite(address: str) -> None:
    with closing(connect(Path(address), read_only=False)) as db:
        migrate(db, Path(address), now=NOW, with_steps=steps()[:1])
        db.execute("BEGIN")
        for number, id in enumerate(FLAGS, start=1):
            record = earlier_record(id)
            db.execute(
                "INSERT INTO item VALUES (?, ?, 'memory', 'global', 'fact', ?, ?, NULL, 1, 'statement', 1)",
                (number, id, record["created_at"], record["created_at"]),
            )
            columns = {
                "id": id, "number": number, "scope": "global", "category": "fact", "status": "promoted", "tier": 2,
                "provenance": "user_stated", "created_at": record["created_at"], "live": 1, "superseded": 0,
                "flagged": int(bool(record["flagged"])), "triggers": 0, "dedupe_key": id, "access_count": 0,
                "record": json.dumps(record, ensure_ascii=False),
            }  # fmt: skip
            marks = ", ".join("?" * len(columns))
            db.execute(f"INSERT INTO memory ({', '.join(columns)}) VALUES ({marks})", tuple(columns.values()))
        for id, cycle, actor, reason, kind, subject, before, after in ENTRIES:
            sides = [None if side is None else json.dumps(side) for side in (before, after)]
            row = (id, write_moment(NOW), actor, reason, cycle, kind, subject, *sides)
            db.execute("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        rows = [(key, json.dumps(value)) for key, value in STATE.items()]
        db.executemany("INSERT INTO state VALUES (?, ?)", [*rows, ("scheduled:t4", "{")])
        db.execute("COMMIT")


async def fill_postgres(address: str) -> None:
    where = read_address(address)
    connection = await asyncpg.connect(where.dsn, server_settings={"search_path": f"{where.schema}, public"})
    try:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", lock_key("nightgarden.extension"))
            await connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        await migrate_postgres(connection, where.schema, known_migrations()[:1])
        for number, id in enumerate(FLAGS, start=1):
            record = earlier_record(id)
            await connection.execute(
                "INSERT INTO item (number, id, kind, scope, category, live, created_at, term_count) OVERRIDING SYSTEM"
                " VALUE VALUES ($1, $2, 'memory', 'global', 'fact', true, $3, 0)",
                number, id, NOW,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO memory (id, number, record, scope, dedupe_key, category, status, tier, provenance,"
                " flagged, superseded, live, triggers, created_at, access_count)"
                " VALUES ($1, $2, $3::json, 'global', $1, 'fact', 'promoted', 2, 'user_stated', $4, false, true, false,"
                " $5, 0)",
                id, number, json.dumps(record, ensure_ascii=False), bool(record["flagged"]), NOW,
            )  # fmt: skip
        for id, cycle, actor, reason, kind, subject, before, after in ENTRIES:
            sides = [None if side is None else json.dumps(side) for side in (before, after)]
            await connection.execute(
                "INSERT INTO journal VALUES ($1, $2, $3, $4, $5, $6, $7, $8::json, $9::json)",
                id, NOW, actor, reason, cycle, kind, subject, *sides,
            )  # fmt: skip
        for key, value in STATE.items():
            await connection.execute("INSERT INTO state VALUES ($1, $2::json)", key, json.dumps(value))
    finally:
        await connection.close()


async def test_flags_become_doubts_and_entries_get_their_action_and_operation(place: Place) -> None:
    await (fill_postgres if place.engine == "postgres" else fill_sqlite)(place.address)
    store = await place.open()
    try:
        memories = await store.memories(list(FLAGS))
        assert {each.id: each.doubts for each in memories} == DOUBTS
        assert {each.id: describe(each.doubts) for each in memories} == SAID_NOW
        dumped = [record async for record in store.dump() if record["type"] == "memory"]
        assert not any("flagged" in record for record in dumped)
        first, second, third, fourth = await store.history()
        assert (first.action, second.action) == ("1", "1")
        assert first.after is not None
        assert (first.after["doubts"], "flagged" in first.after) == ([], False)
        assert (third.operation, third.reason, third.action) == (Operation.RESOLVE, "unsure", "")
        assert (fourth.operation, fourth.undoes) == (Operation.UNDO, "tend-w")
        await undo(store, "3", actor="user", at=NOW)
        assert (await store.memories(["b"]))[0].doubts == ()
    finally:
        await store.close()


async def test_tasks_become_documents_and_what_cannot_be_read_stays_where_it_is(place: Place) -> None:
    await (fill_postgres if place.engine == "postgres" else fill_sqlite)(place.address)
    store = await place.open()
    try:
        kept = await Shelf(store, TASKS).list()
        assert [each.value for each in kept] == [TASK, CLOSED]
        found = [(each.document.owner, each.document.status, each.document.due_at) for each in kept]
        assert found == [("global", "open", TASK.wake_at), ("global", "done", None)]
        assert set(await store.state_items("")) == {"scheduled:t3", "cursor"}
        await store.purge(["t1", "s"], at=NOW)
        assert [each.key for each in await store.list_documents("task")] == ["t2"]
    finally:
        await store.close()


async def test_a_purge_reaches_copies_that_an_earlier_version_made(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    await fill_sqlite(str(copy))
    assert b"water the roses" in copy.read_bytes()
    assert purge_in_backups([copy], ["a", "t1", "t2"], at=NOW) == []
    assert b"water the roses" not in copy.read_bytes()
    assert b"statement number a" not in copy.read_bytes()
    with closing(connect(copy, read_only=True)) as db:
        assert schema_version(db) == 1
        assert db.execute("SELECT before, after FROM journal WHERE subject_id = 'a'").fetchall() == [(None, None)]


@pytest.mark.parametrize("id", FLAGS)
def test_a_memory_of_an_earlier_export_reads_the_same(id: str) -> None:
    assert from_record(Memory, earlier_record(id)).doubts == DOUBTS[id]
    assert [from_record(Doubt, each) for each in read_flag(FLAGS[id])] == list(DOUBTS[id])


async def test_an_earlier_export_comes_in_with_its_doubts(open_garden: Open, tmp_path: Any) -> None:
    lines = [{"type": FORMAT, "version": VERSION}, {"type": "memory"} | earlier_record("d")]
    file = tmp_path / "garden.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    async with open_garden() as garden:
        assert isinstance(garden, Garden)
        await garden.import_(file, trust=True)
        assert (await garden.get("d")).doubts == DOUBTS["d"]
        assert [each.id for each in await garden.list(scope="all", flagged=True)] == ["d"]
