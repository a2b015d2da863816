"""Makes a batch of changes: checks each against what is there, then writes nodes, index and journal, all or nothing.

The changes are walked in their order over the nodes' states in memory; only the last state of each node is written, so
that a large batch takes a few statements. Runs inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import asyncpg

from nightgarden.domain.documents import Document
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, Tag
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, JournalEntry, Node, Origin, Recorder, expect, node_of, subject_of
from nightgarden.domain.memory import Memory
from nightgarden.domain.record import diff_nodes, from_record
from nightgarden.domain.text import dedupe_key
from nightgarden.errors import Conflict
from nightgarden.store.postgres import documents, nodes
from nightgarden.store.postgres.nodes import MovedNode
from nightgarden.store.postgres.rows import (
    entry_row,
    read_edge,
    read_json,
    read_memory,
    read_tag,
    tag_row,
    write_json,
)
from nightgarden.store.postgres.statements import load_statements
from nightgarden.store.postgres.terms import Tally, by_column

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("write.sql")
READ = load_statements("read.sql")
Subject = tuple[str, str]  # kind and id


@dataclass(slots=True)
class _Walk:
    """The states of all nodes that a batch touches, as the batch goes on."""

    at_first: dict[Subject, Node]
    now: dict[Subject, Node | None] = field(default_factory=dict)
    edges: set[Subject] = field(default_factory=set)
    said: dict[tuple[str, str], str] = field(default_factory=dict)  # scope and dedupe key of live memories, to their id

    def current(self, subject: Subject) -> Node | None:
        return self.now.get(subject, self.at_first.get(subject))

    def step(self, change: Change) -> Node:
        """Takes one change after checking it. Returns the node it is about."""
        node = node_of(change)
        subject = subject_of(node)
        expect(self.current(subject), change.before, " ".join(subject))
        if isinstance(node, Memory):
            self._say(change.before, change.after)
        self.now[subject] = change.after
        if isinstance(node, Edge):
            self.edges.add(subject)
        if change.after is None and isinstance(node, Memory):
            self._drop_edges(node.id)
        return node

    def _say(self, before: Node | None, after: Node | None) -> None:
        if isinstance(before, Memory) and before.live:
            self.said.pop((str(before.scope), dedupe_key(before.content)), None)
        if isinstance(after, Memory) and after.live:
            key = (str(after.scope), dedupe_key(after.content))
            if self.said.setdefault(key, after.id) != after.id:
                raise Conflict(f"a live memory in {after.scope} says the same already")

    def _drop_edges(self, memory_id: str) -> None:
        for subject in self.edges:
            edge = self.current(subject)
            if isinstance(edge, Edge) and memory_id in (edge.source, edge.target):
                self.now[subject] = None

    def moved(self) -> list[MovedNode]:
        return [MovedNode(self.at_first.get(subject), after) for subject, after in self.now.items()]


async def apply_changes(
    connection: Connection, changes: Sequence[Change], origin: Origin, *, at: datetime, ids: IdMaker
) -> tuple[JournalEntry, ...]:
    """Makes the changes and journals them. Raises Conflict when a `before` is not what is there."""
    walk = _Walk(await _lock(connection, [side for change in changes for side in (change.before, change.after)]))
    walk.edges = {subject for subject, node in walk.at_first.items() if isinstance(node, Edge)}
    walk.said = {
        (str(node.scope), dedupe_key(node.content)): node.id
        for node in walk.at_first.values()
        if isinstance(node, Memory) and node.live
    }
    stepped = [(change, walk.step(change)) for change in changes]
    new_tags = await _create_tags(connection, walk, [node for _, node in stepped], at=at)
    entries: list[JournalEntry] = []
    # Asked after the nodes are locked: the entries of one node are in the order in which it was changed.
    ids.after(await READ["last_entry"].value(connection) or "")
    recorder = Recorder(origin, at=at, ids=ids)
    for change, node in stepped:
        if isinstance(node, Memory) and change.after is not None:
            fresh = [new_tags.pop(name) for name in node.tags if name in new_tags]
            for tag in fresh:
                entries.append(recorder.record(Change(None, tag, part=change.part), tag, diff_nodes(None, tag)))
        entries.append(recorder.record(change, node, diff_nodes(change.before, change.after)))
    tally = Tally()
    try:
        await nodes.write_nodes(connection, walk.moved(), tally)
    except asyncpg.ForeignKeyViolationError as error:
        raise Conflict(_needs(error)) from error
    await write_entries(connection, entries)
    await tally.settle(connection)
    return tuple(entries)


def _needs(error: asyncpg.ForeignKeyViolationError) -> str:
    match error.table_name, error.constraint_name:
        case ("edge", _):
            return "an edge needs two memories that exist"
        case ("cluster_member", _):
            return "a cluster needs members that exist"
        case ("memory_tag", _) | ("tag", _):
            return "a tag is still on memories"
        case _:
            return f"something that {error.table_name} stands on is gone"


async def _lock(connection: Connection, sides: Iterable[Node | None]) -> dict[Subject, Node]:
    """The nodes as they are, locked until the transaction ends."""
    wanted: dict[str, dict[str, Node]] = {}
    for node in sides:
        if node is not None:
            kind, each = subject_of(node)
            wanted.setdefault(kind, {})[each] = node
    found: list[Node] = []
    if ids := list(wanted.get("memory", ())):
        found += [read_memory(row) for row in await Q["lock_memories"].rows(connection, ids=ids)]
    if edges := [node for node in wanted.get("edge", {}).values() if isinstance(node, Edge)]:
        rows = await Q["lock_edges"].rows(
            connection,
            sources=[edge.source for edge in edges],
            kinds=[edge.kind.value for edge in edges],
            targets=[edge.target for edge in edges],
        )
        found += [read_edge(row) for row in rows]
    if ids := list(wanted.get("tag", ())):
        found += [read_tag(row) for row in await Q["lock_tags"].rows(connection, ids=ids)]
    if ids := list(wanted.get("cluster", ())):
        rows = await Q["lock_clusters"].rows(connection, ids=ids)
        found += [from_record(Cluster, read_json(row["record"])) for row in rows]
    if ids := list(wanted.get("gap", ())):
        rows = await Q["lock_gaps"].rows(connection, ids=ids)
        found += [from_record(Gap, read_json(row["record"])) for row in rows]
    if kept := [node for node in wanted.get("document", {}).values() if isinstance(node, Document)]:
        found += (await documents.lock(connection, [(node.kind, node.key) for node in kept])).values()
    return {subject_of(node): node for node in found}


async def _create_tags(connection: Connection, walk: _Walk, touched: list[Node], *, at: datetime) -> dict[str, Tag]:
    """Tags come into being with the first memory that carries them. Returns the new ones by name."""
    names = sorted({name for node in touched if isinstance(node, Memory) for name in node.tags})
    tags = [Tag(id=f"tag:{name}", name=name, created_at=at) for name in names]
    missing = [tag for tag in tags if walk.current(("tag", tag.id)) is None]
    if not missing:
        return {}
    rows = await Q["create_tags"].rows(connection, **by_column([tag_row(tag) for tag in missing]))
    created = {row["id"] for row in rows}
    return {tag.name: tag for tag in missing if tag.id in created}


async def write_entries(connection: Connection, entries: Sequence[JournalEntry]) -> None:
    if entries:
        await Q["insert_entries"].run(connection, **by_column([entry_row(entry) for entry in entries]))


async def put_state(connection: Connection, key: str, value: Any) -> None:
    """None removes it."""
    if value is None:
        await READ["remove_state"].run(connection, key=key)
    else:
        await READ["put_state"].run(connection, key=key, value=write_json(value))
