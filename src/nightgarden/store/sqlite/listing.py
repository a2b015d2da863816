"""Listing memories by filters: only the clauses that are set reach SQLite, so that it can use its indexes."""

from __future__ import annotations

import sqlite3
from typing import Any

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import MemoryFilter
from nightgarden.domain.time import write_moment
from nightgarden.store.sqlite import rows
from nightgarden.store.sqlite.damage import Skipped
from nightgarden.store.sqlite.rows import Q


def list_memories(
    db: sqlite3.Connection,
    which: MemoryFilter,
    *,
    limit: int | None,
    after: str | None,
    newest_first: bool,
    skipped: Skipped,
) -> list[Memory]:
    """Ordered by id; `after` is the last id of the page before. Rows that cannot be read are left out and counted."""
    clauses = dict(_clauses(which))
    if after is not None:
        clauses["m.id < :after" if newest_first else "m.id > :after"] = {"after": after}
    statement = " AND ".join((Q["list_memories"], *clauses))
    statement += f" ORDER BY m.id {'DESC' if newest_first else 'ASC'} LIMIT :limit"
    parameters: dict[str, Any] = {"limit": -1 if limit is None else limit}
    for given in clauses.values():
        parameters |= given
    return list(skipped.read("memory", db.execute(statement, parameters), rows.read_memory))


def _clauses(which: MemoryFilter) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    for column, values in (
        ("scope", which.scopes),
        ("category", which.categories),
        ("status", which.statuses),
        ("tier", which.tiers),
        ("provenance", which.provenances),
    ):
        if values is not None:
            clause = f"m.{column} IN (SELECT value FROM json_each(:{column}))"
            found.append((clause, {column: rows.array(values)}))
    for column, value in (
        ("session_id", which.session_id),
        ("dedupe_key", which.dedupe_key),
        ("flagged", which.flagged),
        ("superseded", which.superseded),
    ):
        if value is not None:
            found.append((f"m.{column} = :{column}", {column: value}))
    if which.tag is not None:
        tagged = "EXISTS (SELECT 1 FROM memory_tag t WHERE t.memory_id = m.id AND t.tag_id = :tag_id)"
        found.append((tagged, {"tag_id": f"tag:{which.tag}"}))
    if which.created_after is not None:
        found.append(("m.created_at > :created_after", {"created_after": write_moment(which.created_after)}))
    if which.created_before is not None:
        found.append(("m.created_at < :created_before", {"created_before": write_moment(which.created_before)}))
    return found
