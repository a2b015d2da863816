"""Damaged records: the others are still there, the journal rebuilds them, and what is lost is named."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nightgarden import Garden, Message, Saved, Session
from nightgarden.domain.documents import ABSENT, Put
from nightgarden.errors import CorruptGarden
from nightgarden.store.sqlite.rescue import rescue
from tests.cli.command import run
from tests.conftest import Open

COUNT = 30


async def plant(open_garden: Open) -> list[str]:
    async with open_garden() as garden:
        made = [await garden.remember(f"Bed g{number:03}x is watered by keeper {number}") for number in range(COUNT)]
    return [verdict.id for verdict in made if isinstance(verdict, Saved)]


def rewrite(home: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(home / "garden.db", isolation_level=None)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(statement, values)


def no_json(home: Path, memory_id: str) -> None:
    rewrite(
        home, "UPDATE memory SET record = substr(record, 1, 40) || '\"' || substr(record, 42) WHERE id = ?", memory_id
    )


def no_text(home: Path, memory_id: str) -> None:
    rewrite(home, "UPDATE memory SET record = CAST(CAST(record AS BLOB) || x'ff' AS TEXT) WHERE id = ?", memory_id)


def no_object(home: Path, memory_id: str) -> None:
    rewrite(home, "UPDATE memory SET record = '[1, 2]' WHERE id = ?", memory_id)


def other_type(home: Path, memory_id: str) -> None:
    rewrite(home, "UPDATE memory SET record = json_set(record, '$.content', 7) WHERE id = ?", memory_id)


def other_words(home: Path, memory_id: str) -> None:
    rewrite(home, "UPDATE memory SET record = replace(record, 'watered', 'wutered') WHERE id = ?", memory_id)


def damaged_key(home: Path, memory_id: str) -> None:
    rewrite(home, "UPDATE memory SET id = CAST(x'ff' || substr(id, 2) AS TEXT) WHERE id = ?", memory_id)


DAMAGE = [no_json, no_text, no_object, other_type, other_words, damaged_key]


@pytest.mark.parametrize("damage", DAMAGE)
async def test_one_damaged_record_costs_nothing(
    open_garden: Open, home: Path, damage: Callable[[Path, str], None]
) -> None:
    ids = await plant(open_garden)
    damage(home, ids[3])
    looked = run(home, "list", "--json", "--limit", "100", "--scope", "all")
    assert looked.code == 0
    assert len(looked.json["memories"]) >= COUNT - 1
    assert run(home, "export", "-o", str(home / "out.jsonl")).code == 0
    assert (home / "out.jsonl").read_text().count('"type": "memory"') >= COUNT - 1
    examined = run(home, "doctor")
    assert examined.code == 1
    assert "damaged" in examined.out
    repaired = run(home, "doctor", "--repair")
    assert repaired.code == 0
    assert "could not be read" not in repaired.out
    assert "nothing was lost" in repaired.out
    assert run(home, "doctor").code == 0
    listed = run(home, "list", "--json", "--limit", "100", "--scope", "all").json["memories"]
    assert len(listed) == COUNT
    assert all("is watered by" in memory["content"] for memory in listed)


async def test_a_command_says_how_many_records_it_left_out(open_garden: Open, home: Path) -> None:
    ids = await plant(open_garden)
    no_text(home, ids[3])
    no_json(home, ids[7])
    listed = run(home, "list", "--limit", "100", "--scope", "all")
    assert "2 damaged records were left out" in listed.err
    shown = run(home, "show", ids[3])
    assert (shown.code, "damaged and cannot be read" in shown.err) == (1, True)


async def test_what_the_journal_lost_too_is_named_and_the_damaged_file_is_said_to_be_needed(
    open_garden: Open, home: Path
) -> None:
    ids = await plant(open_garden)
    no_json(home, ids[3])
    rewrite(home, "DELETE FROM journal WHERE subject_id = ?", ids[3])
    words = rescue(home / "garden.db")
    assert re.search(rf"1 of type memory could not be read: {ids[3]}", words)
    assert "may still be needed" in words
    async with open_garden() as garden:
        assert len(await garden.list(limit=None)) == COUNT - 1


async def test_a_memory_comes_back_as_it_was_last_changed(open_garden: Open, home: Path) -> None:
    ids = await plant(open_garden)
    async with open_garden() as garden:
        await garden.update(ids[3], content="Bed g003x is watered by nobody")
        await garden.tag(ids[3], add=["water"])
        before = await garden.get(ids[3])
    no_json(home, ids[3])
    rescue(home / "garden.db")
    async with open_garden() as garden:
        assert await garden.get(ids[3]) == before
        assert [tag.memory_count for tag in await garden.tags()] == [1]


async def pages_of(home: Path, table: str) -> list[int]:
    """Leaf pages of a table's own tree, by what stands in them."""
    with closing(sqlite3.connect(home / "garden.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")
        record = json.loads(db.execute(f"SELECT record FROM {table} ORDER BY id LIMIT 1").fetchone()[0])
    data = (home / "garden.db").read_bytes()
    starts = range(0, len(data), 4096)
    mark = b'"observation_count"'
    assert record
    return [at for at in starts if data[at : at + 1] == b"\x0a" and data[at : at + 4096].count(mark) >= 2]


async def test_a_damaged_page_costs_at_most_what_stood_on_it_and_the_journal_brings_that_back(
    open_garden: Open, home: Path
) -> None:
    await plant(open_garden)
    page = (await pages_of(home, "memory"))[1]
    data = bytearray((home / "garden.db").read_bytes())
    data[page : page + 4096] = b"\xa5" * 4096
    (home / "garden.db").write_bytes(data)
    rescue(home / "garden.db")
    async with open_garden() as garden:
        assert len(await garden.list(limit=None)) == COUNT
        assert all(check.ok for check in await garden.doctor())


@pytest.mark.parametrize("start", [0, 100])
async def test_without_its_table_of_contents_every_row_is_still_found(
    open_garden: Open, home: Path, start: int
) -> None:
    await plant(open_garden)
    async with open_garden() as garden:
        long = await garden.remember("A long story of bed g099x: " + "water and weeds, " * 200, tags=["story"])
        assert isinstance(long, Saved)
        said = Message(id="m1", role="user", text="Good day to the beds.", at=garden.now())
        await garden.sessions.add(Session(id="s1", messages=(said,)))
        task = Put(kind="task", key="t1", value={"n": 1}, expected=ABSENT)
        await garden.store.put_documents([task], at=garden.now())
        gone = (await garden.list(limit=1))[0].id
        await garden.purge(gone)
        before = {memory.id: memory for memory in await garden.list(limit=None)}
        history = await garden.history()
    data = bytearray((home / "garden.db").read_bytes())
    data[start:4096] = random.Random(3).randbytes(4096 - start)
    (home / "garden.db").write_bytes(data)
    rescue(home / "garden.db")
    async with open_garden() as garden:
        assert {memory.id: memory for memory in await garden.list(limit=None)} == before
        assert await garden.history() == history
        assert [message.text for message in (await garden.sessions.get("s1")).messages] == ["Good day to the beds."]
        assert [each.value for each in await garden.store.list_documents("task")] == [{"n": 1}]
        assert await garden.store.tombstones([gone]) == {gone}
        assert all(check.ok for check in await garden.doctor())


async def test_nothing_readable_with_a_backup_there_is_left_alone(open_garden: Open, home: Path) -> None:
    await plant(open_garden)
    async with open_garden() as garden:
        await garden.files.backup()
    (home / "garden.db").write_bytes(b"x" * 9000)
    done = run(home, "doctor", "--repair")
    assert done.code == 1
    assert "restore-backup latest" in done.err
    assert run(home, "restore-backup", "latest", "--yes").code == 0
    async with open_garden() as garden:
        assert len(await garden.list(limit=None)) == COUNT


async def test_reading_one_damaged_memory_is_an_error_in_words(open_garden: Open, home: Path) -> None:
    ids = await plant(open_garden)
    other_type(home, ids[0])
    async with open_garden() as garden:
        assert isinstance(garden, Garden)
        with pytest.raises(CorruptGarden, match=rf"{ids[0]} is damaged.*doctor --repair"):
            await garden.get(ids[0])


async def test_a_damaged_document_is_named_and_the_others_are_saved(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        puts = [Put(kind="task", key=f"t{number}", value={"n": number}, expected=ABSENT) for number in range(5)]
        await garden.store.put_documents(puts, at=garden.now())
    rewrite(home, "UPDATE document SET value = '{\"n\":' WHERE key = 't3'")
    async with open_garden() as garden:
        assert [each.key for each in await garden.store.list_documents("task")] == ["t0", "t1", "t2", "t4"]
        assert garden.store.damaged == 1
    said = rescue(home / "garden.db")
    assert "1 of type document could not be read: task/t3" in said
    async with open_garden() as garden:
        assert [each.value["n"] for each in await garden.store.list_documents("task")] == [0, 1, 2, 4]
        assert all(check.ok for check in await garden.doctor())
