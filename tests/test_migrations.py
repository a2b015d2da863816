"""Schemas move forward in numbered steps, together with their record, and never past what the program knows."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightgarden.errors import NeedsRepair, NewerGarden
from nightgarden.store.sqlite.connection import connect
from nightgarden.store.sqlite.migrate import APPLICATION_ID, migrate, schema_version, split_statements, steps
from tests.cli.command import environment
from tests.conftest import Open

NOW = datetime(2026, 11, 15, tzinfo=UTC)
NEXT = (
    9001,
    "mood",
    """
CREATE TABLE mood (id TEXT PRIMARY KEY); -- with a comment; and a semicolon
CREATE TRIGGER mood_added AFTER INSERT ON mood BEGIN
  INSERT OR IGNORE INTO mood VALUES ('a;b');
  DELETE FROM mood WHERE id = 'c';
END;
INSERT INTO mood SELECT id FROM memory;
""",
)


def schema(path: Path) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1, 2").fetchall()


def opened(path: Path) -> closing[sqlite3.Connection]:
    return closing(connect(path, read_only=False))


def test_the_schema_of_a_fresh_garden_is_the_sum_of_the_steps(tmp_path: Path) -> None:
    with opened(tmp_path / "fresh.db") as db:
        assert migrate(db, tmp_path / "fresh.db", now=NOW) == [number for number, _, _ in steps()]
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert migrate(db, tmp_path / "fresh.db", now=NOW) == []
        recorded = db.execute("SELECT number, name FROM migration ORDER BY number").fetchall()
    assert recorded == [(number, name) for number, name, _ in steps()]
    with opened(tmp_path / "stepped.db") as db:
        for count in range(1, len(steps()) + 1):
            migrate(db, tmp_path / "stepped.db", now=NOW, with_steps=steps()[:count])
    assert schema(tmp_path / "fresh.db") == schema(tmp_path / "stepped.db")


def test_steps_are_numbered_without_a_gap() -> None:
    assert [number for number, _, _ in steps()] == list(range(1, len(steps()) + 1))


async def test_an_old_garden_is_stepped_over_with_its_data_and_a_copy_beside_it(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        saved = await garden.remember("The staging database runs on port 5433")
    path = home / "garden.db"
    with opened(path) as db:
        assert migrate(db, path, now=NOW, with_steps=[*steps(), NEXT]) == [9001]
        assert set(db.execute("SELECT id FROM mood")) == {(saved.id,), ("a;b",)}
        assert db.execute("SELECT name FROM migration WHERE number = 9001").fetchone() == ("mood",)
    copy = home / "garden.db.before-9001"
    with opened(copy) as db:
        assert schema_version(db) == steps()[-1][0]
    async with open_garden(copy) as garden:
        assert (await garden.get(str(saved.id))).content == "The staging database runs on port 5433"


async def test_a_step_that_fails_changes_nothing(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await garden.remember("The staging database runs on port 5433")
    path = home / "garden.db"
    before = schema(path)
    with opened(path) as db, pytest.raises(sqlite3.OperationalError):
        migrate(db, path, now=NOW, with_steps=[*steps(), (9001, "bad", "CREATE TABLE a (x);\nCREATE TABLE a (x);\n")])
    assert schema(path) == before
    async with open_garden() as garden:
        assert len(await garden.list()) == 1


async def test_a_garden_of_a_newer_program_is_refused_and_left_as_it_is(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await garden.remember("The staging database runs on port 5433")
    with closing(sqlite3.connect(home / "garden.db")) as db:
        db.execute("PRAGMA user_version = 9001")
    before = (home / "garden.db").read_bytes()
    with pytest.raises(NewerGarden, match=r"newer nightgarden.*pip install --upgrade"):
        async with open_garden():
            pass
    assert (home / "garden.db").read_bytes() == before


_OPEN = """
import asyncio
from nightgarden import Garden
async def main():
    async with Garden.open() as garden:
        await garden.remember("The gate of the garden is green")
asyncio.run(main())
"""


async def test_several_processes_that_start_at_once_on_a_new_garden_all_work(home: Path, open_garden: Open) -> None:
    runs = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", _OPEN, env=environment(home), cwd=home, stderr=asyncio.subprocess.PIPE
        )
        for _ in range(4)
    ]
    for run in runs:
        _, stderr = await run.communicate()
        assert run.returncode == 0, stderr.decode()
    async with open_garden(directory=home, clock=None) as garden:
        assert [memory.strength for memory in await garden.list()] == [4]


def test_statements_are_cut_where_they_end_and_not_inside_a_trigger() -> None:
    assert len(split_statements(NEXT[2])) == 3


async def test_a_garden_of_an_earlier_version_that_may_not_be_written_says_what_to_do(
    open_garden: Open, tmp_path: Path
) -> None:
    async with open_garden(tmp_path / "old.db") as garden:
        await garden.remember("The staging database runs on port 5433")
    with opened(tmp_path / "old.db") as db:
        db.execute("PRAGMA user_version = 1")
    with pytest.raises(NeedsRepair, match="Copy it to where you may write"):
        async with open_garden(tmp_path / "old.db", read_only=True):
            pass
