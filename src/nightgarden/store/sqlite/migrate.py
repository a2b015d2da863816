"""Brings a SQLite garden to the newest schema: numbered steps, each in one transaction with its record.

Before the first step on a garden that holds data, a copy of the file is put beside it. A file that was written by a
newer program is refused, because an old program would write rows the new one does not expect.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from functools import cache
from importlib import resources
from pathlib import Path

from nightgarden.domain.time import write_moment
from nightgarden.errors import NewerGarden
from nightgarden.store import private

APPLICATION_ID = 0x6E676172  # "ngar": marks the file as ours
_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


def steps() -> list[tuple[int, str, str]]:
    """Number, name and SQL of each migration, in order."""
    found = []
    for entry in resources.files("nightgarden.store.sqlite").joinpath("migrations").iterdir():
        if match := _NAME.fullmatch(entry.name):
            found.append((int(match[1]), match[2], entry.read_text(encoding="utf-8")))
    return sorted(found)


def schema_version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


@cache
def known_version() -> int:
    """The newest schema that this program knows."""
    return steps()[-1][0]


def refuse_newer(have: int, path: Path, *, known: int | None = None) -> None:
    """Raises when the schema of a garden is one that this program does not know."""
    known = known_version() if known is None else known
    if have > known:
        raise NewerGarden(
            f"{path} was written by a newer nightgarden (schema {have}; this program knows {known}). Nothing was "
            "stored. Upgrade it with: pip install --upgrade nightgarden"
        )


def migrate(
    db: sqlite3.Connection, path: Path, *, now: datetime, with_steps: Sequence[tuple[int, str, str]] | None = None
) -> list[int]:
    """Applies what is missing and returns the numbers applied. Safe when two processes start at once."""
    wanted = list(steps() if with_steps is None else with_steps)
    have = schema_version(db)
    refuse_newer(have, path, known=wanted[-1][0])
    if have and have < wanted[-1][0]:
        kept = path.with_name(f"{path.name}.before-{wanted[-1][0]:04d}")
        half = kept.with_name(f"{kept.name}.{os.getpid()}.part")
        keep_copy(db, half)
        half.replace(kept)
    applied = []
    for number, name, sql in wanted:
        if _apply(db, number, name, sql, now=now):
            applied.append(number)
    return applied


def _apply(db: sqlite3.Connection, number: int, name: str, sql: str, *, now: datetime) -> bool:
    db.execute("BEGIN IMMEDIATE")
    try:
        if schema_version(db) >= number:  # another process was first
            db.execute("ROLLBACK")
            return False
        if number == 1:
            db.execute(
                "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)"
            )
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for statement in split_statements(sql):
            db.execute(statement)
        db.execute("INSERT INTO migration VALUES (?, ?, ?)", (number, name, write_moment(now)))
        db.execute(f"PRAGMA user_version = {number}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    return True


def split_statements(sql: str) -> list[str]:
    """Single statements of a script; a trigger's body is not cut."""
    statements, pending = [], ""
    for line in sql.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements


def keep_copy(db: sqlite3.Connection, target: Path) -> None:
    """A consistent copy of an open database, on the disk when this returns."""
    private.make_file(target)
    with closing(sqlite3.connect(target)) as copy:
        db.backup(copy)
    descriptor = os.open(target, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
