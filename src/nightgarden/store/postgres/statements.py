"""Named SQL statements with named parameters, as asyncpg wants them. Knows no table.

In the `.sql` files a parameter is written `:name` and another named fragment is taken in by `{{name}}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from nightgarden.store.sqlfile import load_queries, take_in

if TYPE_CHECKING:
    from asyncpg import Connection, Record

_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)\b")
_PACKAGE = "nightgarden.store.postgres"


@dataclass(frozen=True, slots=True)
class NumberedStatement:
    """One statement with numbered parameters, and the names they had."""

    sql: str
    names: tuple[str, ...]

    def values(self, given: Mapping[str, Any]) -> list[Any]:
        return [given[name] for name in self.names]

    async def rows(self, connection: Connection, **given: Any) -> list[Record]:
        found: list[Record] = await connection.fetch(self.sql, *self.values(given))
        return found

    async def row(self, connection: Connection, **given: Any) -> Record | None:
        return await connection.fetchrow(self.sql, *self.values(given))

    async def value(self, connection: Connection, **given: Any) -> Any:
        return await connection.fetchval(self.sql, *self.values(given))

    async def run(self, connection: Connection, **given: Any) -> int:
        """How many rows were touched."""
        status: str = await connection.execute(self.sql, *self.values(given))
        return int(last) if (last := status.rpartition(" ")[2]).isdigit() else 0

    async def run_many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Once for each row, in one round trip."""
        if rows:
            await connection.executemany(self.sql, [self.values(row) for row in rows])


def compile_statement(sql: str, fragments: Mapping[str, str]) -> NumberedStatement:
    whole = take_in(sql, fragments)
    names = tuple(dict.fromkeys(_PARAMETER.findall(whole)))
    numbers = {name: f"${at}" for at, name in enumerate(names, start=1)}
    return NumberedStatement(_PARAMETER.sub(lambda found: numbers[found[1]], whole), names)


@cache
def load_statements(file: str) -> Mapping[str, NumberedStatement]:
    """The statements of one `.sql` file of this engine. Fragments for all files stand in visible.sql."""
    queries = load_queries(_PACKAGE, file)
    fragments = {**load_queries(_PACKAGE, "visible.sql"), **queries}
    return {name: compile_statement(sql, fragments) for name, sql in queries.items()}
