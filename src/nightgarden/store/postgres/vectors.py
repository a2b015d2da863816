"""Vectors of items: stored by model, searched exactly while they are few and by an HNSW index when they are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import EmbeddingModel, Hit, PendingText, Vector, View
from nightgarden.domain.record import from_record
from nightgarden.domain.searchable import meaning_text
from nightgarden.domain.session import Passage
from nightgarden.errors import BadInput
from nightgarden.store.postgres.rows import encode_vector, read_json
from nightgarden.store.postgres.search import view_values
from nightgarden.store.postgres.statements import NumberedStatement, load_statements

if TYPE_CHECKING:
    from asyncpg import Connection, Record

Q = load_statements("search.sql")

# Up to here every vector is compared, which takes a few milliseconds and misses nothing. Also the size of a scope
# below which an index scan that filters would walk further than a comparison of all.
EXACT_MAX = 5_000
INDEX_DIMENSION_MAX = 4_000  # pgvector's limit for half precision
_BUILD_MEMORY = "256MB"  # taste: holds the graph of about 150 000 vectors of 384 dimensions while it is built


async def search_vectors(connection: Connection, vector: Vector, model_id: str, view: View, *, limit: int) -> list[Hit]:
    model = await Q["model_by_id"].row(connection, id=model_id)
    if model is None or limit <= 0:
        return []
    if len(vector) != model["dimension"]:
        raise BadInput(f"a vector of {len(vector)} numbers cannot be compared with {model['dimension']} of {model_id}")
    given = {"vector": encode_vector(vector), "limit": limit} | view_values(view)
    found: list[Record] = []
    if model["indexed"] and not await _few(connection, view):
        found = await _for_model(Q["search_vectors_by_index"], model).rows(connection, **given)
        found.sort(key=lambda row: (-row["score"], row["id"]))
    if len(found) < limit:  # not indexed, or the view hid so much that the index gave up
        found = await Q["search_vectors_exactly"].rows(connection, model=model["number"], **given)
    return [Hit(row["id"], row["kind"], row["score"]) for row in found]


async def _few(connection: Connection, view: View) -> bool:
    if view.scopes is None:
        return False
    scopes = [str(scope) for scope in view.scopes]
    count = await Q["items_in_scopes"].value(connection, scopes=scopes, enough=EXACT_MAX)
    return bool(count < EXACT_MAX)


def _for_model(statement: NumberedStatement, model: Record) -> NumberedStatement:
    sql = statement.sql.replace("MODEL", str(int(model["number"]))).replace("DIMENSION", str(int(model["dimension"])))
    return NumberedStatement(sql, statement.names)


async def put_vectors(connection: Connection, model: EmbeddingModel, ids: Sequence[str], vectors: Vector) -> None:
    """Stores one vector per id; runs inside the caller's transaction."""
    if len(ids) != len(vectors) or (len(ids) and np.shape(vectors)[1] != model.dimension):
        raise BadInput(f"{len(ids)} ids do not go with vectors of shape {np.shape(vectors)} of {model.id}")
    await Q["write_model"].run(
        connection, id=model.id, name=model.name, dimension=model.dimension, pooling=model.pooling
    )
    row = await Q["model_by_id"].row(connection, id=model.id)
    assert row is not None
    last = dict(zip(ids, map(encode_vector, vectors), strict=True))  # an id may come twice; its last vector counts
    await Q["put_vectors"].run(connection, model=row["number"], ids=list(last), embeddings=list(last.values()))


async def wants_index(connection: Connection, model_id: str) -> bool:
    """Whether the model has more vectors than are compared one by one, and no index yet."""
    model = await Q["model_by_id"].row(connection, id=model_id)
    if model is None or model["indexed"] or model["dimension"] > INDEX_DIMENSION_MAX:
        return False
    many = EXACT_MAX + 1
    return bool(await Q["count_model_vectors"].value(connection, model=model["number"], enough=many) >= many)


async def index_when_many(connection: Connection, model_id: str) -> None:
    """Builds the model's index if it wants one. Takes minutes when there are very many vectors."""
    if not await wants_index(connection, model_id):
        return
    model = await Q["lock_model"].row(connection, id=model_id)
    if model is None or model["indexed"]:
        return
    await connection.execute(f"SET LOCAL maintenance_work_mem = '{_BUILD_MEMORY}'")
    await _for_model(Q["index_vectors"], model).run(connection)
    await Q["model_is_indexed"].run(connection, model=model["number"])


async def pending_vectors(connection: Connection, model_id: str, *, limit: int) -> list[PendingText]:
    rows = await Q["pending_vectors"].rows(connection, model_id=model_id, limit=limit)
    return [PendingText(id=row["id"], kind=row["kind"], text=_meaning_of(row)) for row in rows]


def _meaning_of(row: Record) -> str:
    record = read_json(row["record"])
    return meaning_text(from_record(Memory, record) if row["kind"] == "memory" else from_record(Passage, record))


async def vectors_by_ids(connection: Connection, model_id: str, ids: Sequence[str]) -> dict[str, Vector]:
    rows = await Q["vectors_by_ids"].rows(connection, model_id=model_id, ids=list(ids))
    found = {row["id"]: row["embedding"] for row in rows}
    return {each: found[each] for each in ids if each in found}


async def all_vectors(connection: Connection, model_id: str, view: View) -> tuple[list[str], Vector]:
    model = await Q["model_by_id"].row(connection, id=model_id)
    if model is None:
        return [], np.zeros((0, 0), dtype=np.float32)
    rows = await Q["all_vectors"].rows(connection, model=model["number"], **view_values(view))
    if not rows:
        return [], np.zeros((0, model["dimension"]), dtype=np.float32)
    return [row["id"] for row in rows], np.stack([row["embedding"] for row in rows])


async def drop_vectors(connection: Connection, *, except_model_id: str) -> int:
    others = await Q["other_models"].rows(connection, model_id=except_model_id)
    for model in others:
        if model["indexed"]:
            await connection.execute(Q["unindex_vectors"].sql.replace("MODEL", str(int(model["number"]))))
            await Q["unindex_model"].run(connection, model=model["number"])
    return await Q["drop_vectors"].run(connection, models=[model["number"] for model in others])
