"""Making changes inside a transaction: the rows, what hangs on them, and the journal, all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any, assert_never

from nightgarden.domain.documents import Document
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, Tag
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, JournalEntry, Node, Origin, Recorder, expect, node_of
from nightgarden.domain.memory import Memory
from nightgarden.domain.record import diff_nodes, to_record
from nightgarden.domain.time import write_moment
from nightgarden.errors import Conflict
from nightgarden.store.sqlite import rows
from nightgarden.store.sqlite.documents import change_document
from nightgarden.store.sqlite.rows import Q


def apply_changes(
    db: sqlite3.Connection, changes: Sequence[Change], origin: Origin, *, at: datetime, ids: IdMaker
) -> tuple[JournalEntry, ...]:
    """Makes the changes in their order. Raises Conflict when a `before` is not what is there."""
    entries: list[JournalEntry] = []
    if (last := db.execute(Q["last_entry"]).fetchone()[0]) is not None:
        ids.after(last)  # the order of the journal is the order in which things happened, whatever the clock says
    recorder = Recorder(origin, at=at, ids=ids)
    for change in changes:
        node = node_of(change)
        if isinstance(node, Memory) and change.after is not None:
            entries.extend(_create_tags(db, node, change.part, recorder, at=at))
        match node:
            case Memory():
                _change_memory(db, change)
            case Edge():
                _change_edge(db, change)
            case Tag():
                _change_tag(db, change)
            case Cluster():
                _change_cluster(db, change)
            case Gap():
                _change_gap(db, change)
            case Document():
                change_document(db, change)
            case _:
                assert_never(node)
        entries.append(record(db, change, node, recorder))
    return tuple(entries)


def record(db: sqlite3.Connection, change: Change, node: Node, recorder: Recorder) -> JournalEntry:
    """Writes the journal entry of one change."""
    entry = recorder.record(change, node, diff_nodes(change.before, change.after))
    write_entry(db, entry)
    return entry


def write_entry(db: sqlite3.Connection, entry: JournalEntry) -> None:
    db.execute(Q["write_entry"], rows.entry_columns(entry))


def load_memory(db: sqlite3.Connection, memory_id: str) -> Memory | None:
    row = db.execute(Q["memory_by_id"], {"id": memory_id}).fetchone()
    return rows.read_memory(row) if row else None


def _create_tags(
    db: sqlite3.Connection, memory: Memory, part: int, recorder: Recorder, *, at: datetime
) -> list[JournalEntry]:
    """Tags come into being with the first memory that carries them."""
    entries = []
    for name in memory.tags:
        tag = Tag(id=f"tag:{name}", name=name, created_at=at)
        if write_tag(db, tag):
            entries.append(record(db, Change(None, tag, part=part), tag, recorder))
    return entries


def write_tag(db: sqlite3.Connection, tag: Tag) -> bool:
    columns = {
        "id": tag.id,
        "name": tag.name,
        "description": tag.description,
        "created_at": write_moment(tag.created_at),
    }
    return bool(rows.insert(db, "tag", columns, or_ignore=True))


def _change_memory(db: sqlite3.Connection, change: Change) -> None:
    before, after = change.before, change.after
    node = after if after is not None else before
    assert isinstance(node, Memory)
    current = load_memory(db, node.id)
    expect(current, before, f"memory {node.id}")
    if after is None:
        db.execute(Q["remove_item"], {"id": node.id})
        follow_hidden(db, current, None)
        return
    assert isinstance(after, Memory)
    try:
        if current is None:
            insert_memory(db, after)
        else:
            _update_memory(db, current, after)
    except sqlite3.IntegrityError as error:
        if "memory.scope, memory.dedupe_key" in str(error):
            raise Conflict(f"a live memory in {after.scope} says the same already") from error
        raise Conflict(f"memory {after.id} cannot be stored: {error}") from error


def insert_memory(db: sqlite3.Connection, memory: Memory) -> None:
    item = rows.item_columns(memory)
    names, marks = ",".join(item), ",".join("?" * len(item))
    number = db.execute(f"INSERT INTO item ({names}) VALUES ({marks})", tuple(item.values())).lastrowid
    rows.insert(db, "memory", rows.memory_columns(memory) | {"number": number})
    _link_tags(db, memory)
    follow_hidden(db, None, memory)


def follow_hidden(db: sqlite3.Connection, before: Memory | None, after: Memory | None) -> None:
    """Passages that a forgotten memory hides are not found; those that none hides any more are found again."""
    hidden = set(after.hides) if after is not None else set()
    for each in sorted(set(before.hides) - hidden if before is not None else ()):
        row = db.execute(Q["passage_not_hidden"], {"id": each}).fetchone()
        if row is not None:
            rows.update(db, "item", rows.item_columns(rows.read_passage(row)), key="id")
    if after is not None and hidden:
        at = write_moment(after.archived_at or after.updated_at)
        db.executemany(Q["hide_passage"], [{"id": each, "at": at} for each in sorted(hidden)])


def _update_memory(db: sqlite3.Connection, current: Memory, after: Memory) -> None:
    rows.update(db, "item", rows.item_columns(after), key="id")
    columns = rows.memory_columns(after)
    del columns["access_count"], columns["last_accessed_at"]  # counted apart, never overwritten by a change
    rows.update(db, "memory", columns, key="id")
    if current.tags != after.tags:
        db.execute(Q["remove_tags_of"], {"id": after.id})
        _link_tags(db, after)
    if current.hides or after.hides:
        follow_hidden(db, current, after)
    if current.content != after.content:  # the queue makes a new vector
        db.execute(Q["remove_vectors_of"], {"id": after.id})


def _link_tags(db: sqlite3.Connection, memory: Memory) -> None:
    db.executemany(Q["link_tag"], [(memory.id, f"tag:{name}") for name in memory.tags])


def _change_edge(db: sqlite3.Connection, change: Change) -> None:
    before, after = change.before, change.after
    edge = after if after is not None else before
    assert isinstance(edge, Edge)
    key = {"source": edge.source, "kind": edge.kind.value, "target": edge.target}
    row = db.execute(Q["edge_by_key"], key).fetchone()
    expect(rows.read_edge(row) if row else None, before, f"edge {edge.key}")
    if after is None:
        db.execute(Q["remove_edge"], key)
        return
    try:
        write_edge(db, edge)
    except sqlite3.IntegrityError as error:
        raise Conflict(f"edge {edge.key} needs two memories that exist") from error


def write_edge(db: sqlite3.Connection, edge: Edge) -> None:
    db.execute(Q["write_edge"], to_record(edge))


def _change_tag(db: sqlite3.Connection, change: Change) -> None:
    before, after = change.before, change.after
    tag = after if after is not None else before
    assert isinstance(tag, Tag)
    row = db.execute(Q["tag_by_id"], {"id": tag.id}).fetchone()
    current = rows.read_tag(row) if row else None
    expect(current, before, f"tag {tag.id}")
    if after is None:
        try:
            db.execute(Q["remove_tag"], {"id": tag.id})
        except sqlite3.IntegrityError as error:
            raise Conflict(f"tag {tag.name} is still on memories") from error
    elif current is None:
        write_tag(db, tag)
    else:
        db.execute(Q["describe_tag"], {"id": tag.id, "description": tag.description})


def _change_cluster(db: sqlite3.Connection, change: Change) -> None:
    before, after = change.before, change.after
    cluster = after if after is not None else before
    assert isinstance(cluster, Cluster)
    row = db.execute(Q["cluster_by_id"], {"id": cluster.id}).fetchone()
    expect(rows.read_cluster(row) if row else None, before, f"cluster {cluster.id}")
    db.execute(Q["remove_cluster"], {"id": cluster.id})
    if after is not None:
        try:
            write_cluster(db, cluster)
        except sqlite3.IntegrityError as error:
            raise Conflict(f"cluster {cluster.id} needs members that exist") from error


def _change_gap(db: sqlite3.Connection, change: Change) -> None:
    before, after = change.before, change.after
    gap = after if after is not None else before
    assert isinstance(gap, Gap)
    row = db.execute(Q["gap_by_id"], {"id": gap.id}).fetchone()
    expect(rows.read_gap(row) if row else None, before, gap.id)
    if after is None:
        db.execute(Q["remove_gap"], {"id": gap.id})
    else:
        write_gap(db, gap)


def write_gap(db: sqlite3.Connection, gap: Gap) -> None:
    record = to_record(gap)
    columns = {"id": gap.id, "closed_at": record["closed_at"], "record": rows.write_json(record)}
    db.execute(Q["put_gap"], columns)


def write_cluster(db: sqlite3.Connection, cluster: Cluster) -> None:
    columns = {"id": cluster.id, "scope": str(cluster.scope), "record": rows.write_json(to_record(cluster))}
    if rows.insert(db, "cluster", columns, or_ignore=True):
        db.executemany(Q["link_cluster_member"], [(member, cluster.id) for member in cluster.member_ids])


def put_state(db: sqlite3.Connection, key: str, value: Any) -> None:
    """None removes it."""
    if value is None:
        db.execute(Q["remove_state"], {"key": key})
    else:
        db.execute(Q["put_state"], {"key": key, "value": rows.write_json(value)})
