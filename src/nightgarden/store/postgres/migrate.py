"""Brings a garden's schema up to date: numbered files, each in one transaction with its record.

Two processes may start at once: an advisory lock lets one migrate while the other waits. A schema with a higher number
than this program knows is refused. Does not step back down: restore a backup for that.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from nightgarden.errors import NewerGarden

if TYPE_CHECKING:
    from asyncpg import Connection

_LEDGER = """CREATE TABLE IF NOT EXISTS migration (
    number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema."""

    number: int
    name: str
    sql: str


@cache
def known_migrations() -> tuple[Migration, ...]:
    """All steps this program knows, in order."""
    folder = resources.files("nightgarden.store.postgres").joinpath("migrations")
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)
    return tuple(
        Migration(int(file.name[:4]), file.name.removesuffix(".sql"), file.read_text(encoding="utf-8"))
        for file in files
    )


def lock_key(text: str) -> int:
    """A number for an advisory lock, the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


async def applied_numbers(connection: Connection, schema: str) -> list[int]:
    if await connection.fetchval("SELECT to_regclass($1)", f'"{schema}".migration') is None:
        return []
    return [row[0] for row in await connection.fetch(f'SELECT number FROM "{schema}".migration ORDER BY number')]


def refuse_newer(applied: list[int], schema: str, steps: tuple[Migration, ...]) -> None:
    newest = steps[-1].number
    if applied and applied[-1] > newest:
        raise NewerGarden(
            f"the garden in schema {schema} has format {applied[-1]}, and this nightgarden knows up to {newest}; "
            "upgrade the program"
        )


async def refuse_newer_schema(connection: Connection, schema: str) -> None:
    """For each transaction that writes: a newer program may have brought the schema further since it was opened."""
    newest = await connection.fetchval("SELECT max(number) FROM migration")
    refuse_newer([newest] if newest is not None else [], schema, known_migrations())


async def migrate(connection: Connection, schema: str, steps: tuple[Migration, ...] | None = None) -> list[int]:
    """Takes the steps that are missing and returns their numbers. The search path must lead to the schema."""
    steps = known_migrations() if steps is None else steps
    applied = await applied_numbers(connection, schema)
    refuse_newer(applied, schema, steps)
    if {step.number for step in steps} <= set(applied):
        return []
    taken: list[int] = []
    key = lock_key(f"nightgarden.migrate.{schema}")
    await connection.execute("SELECT pg_advisory_lock($1)", key)
    try:
        await connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        await connection.execute(_LEDGER)
        applied = await applied_numbers(connection, schema)  # another process may have been first
        for step in steps:
            if step.number in applied:
                continue
            async with connection.transaction():
                await connection.execute(step.sql)
                await connection.execute("INSERT INTO migration (number, name) VALUES ($1, $2)", step.number, step.name)
            taken.append(step.number)
    finally:
        await connection.execute("SELECT pg_advisory_unlock($1)", key)
    return taken
