"""Writes the last states of nodes into their tables, with what follows from them. Decides nothing, checks nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nightgarden.domain.documents import Document
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, Tag
from nightgarden.domain.journal import Node
from nightgarden.domain.memory import Memory
from nightgarden.domain.record import to_record
from nightgarden.domain.searchable import indexed_terms
from nightgarden.store.postgres import documents
from nightgarden.store.postgres.hidden import follow_hidden
from nightgarden.store.postgres.rows import edge_row, gap_row, item_row, memory_row, tag_row, write_json
from nightgarden.store.postgres.statements import load_statements
from nightgarden.store.postgres.terms import Tally, add_items, by_column, reindex, remove_items

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("write.sql")


@dataclass(frozen=True, slots=True)
class MovedNode:
    """A node as it was when the transaction began, and as it is to be."""

    before: Node | None
    after: Node | None


async def write_nodes(connection: Connection, moved: Sequence[MovedNode], tally: Tally) -> None:
    """Tags before the memories that carry them, memories before the edges and clusters that stand on them."""
    by_type: dict[type, list[MovedNode]] = {Memory: [], Edge: [], Tag: [], Cluster: [], Gap: [], Document: []}
    for move in moved:
        node = move.after if move.after is not None else move.before
        if node is not None:
            by_type[type(node)].append(move)
    gone = [move.before for move in moved if move.after is None]
    await Q["remove_edge"].run_many(connection, [edge_row(node) for node in gone if isinstance(node, Edge)])
    tags = [move for move in by_type[Tag] if move.after is not None]
    await _write_tags(connection, tags)
    await _write_memories(connection, by_type[Memory], tally)
    await Q["remove_tag"].run_many(connection, [{"id": node.id} for node in gone if isinstance(node, Tag)])
    for move in by_type[Edge]:
        if isinstance(move.after, Edge):
            await Q["update_edge" if move.before else "insert_edge"].run(connection, **edge_row(move.after))
    for move in by_type[Cluster]:
        await _write_cluster(connection, move)
    await Q["remove_gap"].run_many(connection, [{"id": node.id} for node in gone if isinstance(node, Gap)])
    gaps = [gap_row(move.after) for move in by_type[Gap] if isinstance(move.after, Gap)]
    await Q["put_gap"].run_many(connection, gaps)
    for move in by_type[Document]:
        assert move.before is None or isinstance(move.before, Document)
        assert move.after is None or isinstance(move.after, Document)
        await documents.write(connection, move.before, move.after)


async def _write_tags(connection: Connection, moves: Sequence[MovedNode]) -> None:
    for move in moves:
        if isinstance(move.after, Tag):
            await Q["update_tag" if move.before else "insert_tag"].run(connection, **tag_row(move.after))


async def _write_memories(connection: Connection, moves: Sequence[MovedNode], tally: Tally) -> None:
    gone = [move.before.id for move in moves if isinstance(move.before, Memory) and move.after is None]
    await remove_items(connection, gone, tally)
    for move in moves:
        if move.after is None and isinstance(move.before, Memory) and move.before.hides:
            await follow_hidden(connection, move.before, None)
    changed = [
        (move.before, move.after)
        for move in moves
        if isinstance(move.before, Memory) and isinstance(move.after, Memory)
    ]
    await _update_memories(connection, changed, tally)
    await insert_memories(
        connection, [move.after for move in moves if move.before is None and isinstance(move.after, Memory)], tally
    )


async def insert_memories(connection: Connection, memories: Sequence[Memory], tally: Tally) -> None:
    if not memories:
        return
    await add_items(connection, memories, tally)
    await Q["insert_memories"].run(connection, **by_column([memory_row(memory) for memory in memories]))
    await link_tags(connection, memories)
    for memory in memories:
        if memory.hides:
            await follow_hidden(connection, None, memory)


async def _update_memories(connection: Connection, changed: Sequence[tuple[Memory, Memory]], tally: Tally) -> None:
    if not changed:
        return
    # Those that leave first: a text may pass from one memory to another within a batch.
    afters = sorted((after for _, after in changed), key=lambda memory: (memory.live, memory.id))
    await Q["update_memory"].run_many(connection, [memory_row(memory) for memory in afters])
    resaid = [after for before, after in changed if before.content != after.content]
    if resaid:  # the queue makes new vectors
        rows = await Q["item_numbers"].rows(connection, ids=[memory.id for memory in resaid])
        await Q["remove_vectors"].run(connection, numbers=[row["number"] for row in rows])
    reworded = [after for before, after in changed if indexed_terms(before) != indexed_terms(after)]
    await reindex(connection, reworded, tally)
    done = {memory.id for memory in reworded}
    if kept := [after for _, after in changed if after.id not in done]:
        rows = await Q["item_numbers"].rows(connection, ids=[memory.id for memory in kept])
        lengths = {row["id"]: row["term_count"] for row in rows}
        await Q["update_item"].run_many(connection, [item_row(memory, lengths[memory.id]) for memory in kept])
    retagged = [after for before, after in changed if before.tags != after.tags]
    if retagged:
        await Q["unlink_tags"].run(connection, ids=[memory.id for memory in retagged])
        await link_tags(connection, retagged)
    for before, after in changed:
        if before.hides or after.hides:
            await follow_hidden(connection, before, after)


async def link_tags(connection: Connection, memories: Sequence[Memory]) -> None:
    links = [(memory.id, f"tag:{name}") for memory in memories for name in memory.tags]
    if links:
        memory_ids, tag_ids = map(list, zip(*links, strict=True))
        await Q["link_tags"].run(connection, memory_ids=memory_ids, tag_ids=tag_ids)


def cluster_row(cluster: Cluster) -> dict[str, Any]:
    return {"id": cluster.id, "scope": str(cluster.scope), "record": write_json(to_record(cluster))}


async def _write_cluster(connection: Connection, move: MovedNode) -> None:
    if isinstance(move.after, Cluster):
        await Q["update_cluster" if move.before else "insert_cluster"].run(connection, **cluster_row(move.after))
        await Q["unlink_members"].run(connection, id=move.after.id)
        await Q["link_members"].run(connection, id=move.after.id, members=list(move.after.member_ids))
    elif isinstance(move.before, Cluster):
        await Q["remove_cluster"].run(connection, id=move.before.id)
