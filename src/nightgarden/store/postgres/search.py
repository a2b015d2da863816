"""Search by words and by time: BM25 over postings, never past the view."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Hit, View
from nightgarden.store.postgres.rows import read_memory, term_number
from nightgarden.store.postgres.statements import load_statements

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("search.sql")

# How many postings of rare terms one search reads; how many, the newest, when even the rarest term has more; and how
# many of the items found that way are scored by the common terms too. PostgreSQL joins and sums some hundred postings a
# millisecond, so these bound a search however large the garden grows.
POSTINGS_MAX = 5_000
NEWEST_MAX = 30_000
SEEN_MAX = 10_000


def view_values(view: View) -> dict[str, Any]:
    """The parameters that every statement with a view takes."""
    return {
        "kinds": list(view.kinds),
        "scopes": None if view.scopes is None else [str(scope) for scope in view.scopes],
        "categories": None if view.categories is None else [category.value for category in view.categories],
        "as_of": view.as_of,
        "now": view.now,
        "replaced": view.replaced,
    }


async def search_text(connection: Connection, terms: Sequence[str], view: View, *, limit: int) -> list[Hit]:
    numbers = [term_number(term) for term in dict.fromkeys(terms)]
    if not numbers or limit <= 0:
        return []
    rows = await Q["search_text"].rows(
        connection,
        terms=numbers,
        limit=limit,
        postings_max=POSTINGS_MAX,
        newest_max=NEWEST_MAX,
        seen_max=max(SEEN_MAX, 2 * limit),
        **view_values(view),
    )
    return [Hit(row["id"], row["kind"], row["score"]) for row in rows]


async def said_between(
    connection: Connection, spans: Sequence[tuple[datetime, datetime]], view: View, *, limit: int
) -> list[Hit]:
    rows = await Q["said_between"].rows(
        connection,
        starts=[start for start, _ in spans],
        ends=[end for _, end in spans],
        limit=limit,
        **view_values(view),
    )
    return [Hit(row["id"], row["kind"], 1.0) for row in rows]


async def visible(connection: Connection, ids: Sequence[str], view: View) -> set[str]:
    return {row["id"] for row in await Q["visible"].rows(connection, ids=list(ids), **view_values(view))}


async def triggered(connection: Connection, view: View) -> list[Memory]:
    return [read_memory(row) for row in await Q["triggered"].rows(connection, **view_values(view))]
