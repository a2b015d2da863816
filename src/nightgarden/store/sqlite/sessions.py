"""Sessions, their messages in order, and their passages."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.domain.time import write_moment
from nightgarden.store.sqlite import rows
from nightgarden.store.sqlite.rows import Q


def put_session(
    db: sqlite3.Connection, session: Session, passages: Sequence[Passage], again: Sequence[Message] = ()
) -> int:
    """Messages known by id are left alone but for those given again; new ones follow. Returns how many were new."""
    write_session(db, session)
    for message in again:
        key = {"session_id": session.id, "id": message.id}
        db.execute(Q["rewrite_message"], key | {"record": rows.write_json(to_record(message))})
    position: int = db.execute(Q["next_position"], {"id": session.id}).fetchone()[0]
    added = 0
    for message in session.messages:
        columns = {
            "session_id": session.id,
            "id": message.id,
            "position": position,
            "record": rows.write_json(to_record(message)),
        }
        if db.execute(Q["write_message"], columns).rowcount:
            position += 1
            added += 1
    for passage in passages:
        placed = db.execute(Q["message_position"], {"session_id": session.id, "id": passage.message_ids[0]}).fetchone()
        if placed:
            write_passage(db, replace(passage, position=placed[0]))
    return added


def write_session(db: sqlite3.Connection, session: Session) -> None:
    record = rows.session_record(session)
    columns = {name: record[name] for name in ("id", "client", "scope", "status", "extraction", "started_at")}
    db.execute(Q["write_session"], columns | {"record": rows.write_json(record)})


def write_passage(db: sqlite3.Connection, passage: Passage) -> None:
    item = rows.item_columns(passage)
    names, marks = ",".join(item), ",".join("?" * len(item))
    done = db.execute(f"INSERT OR IGNORE INTO item ({names}) VALUES ({marks})", tuple(item.values()))
    if not done.rowcount:
        return
    columns = {
        "id": passage.id,
        "number": done.lastrowid,
        "session_id": passage.session_id,
        "position": passage.position,
        "part": passage.part,
        "created_at": write_moment(passage.created_at),
        "record": rows.write_json(to_record(passage)),
    }
    rows.insert(db, "passage", columns)


def load_session(db: sqlite3.Connection, session_id: str, *, messages: bool) -> Session | None:
    row = db.execute(Q["session_by_id"], {"id": session_id}).fetchone()
    if row is None:
        return None
    said = db.execute(Q["messages"], {"id": session_id}) if messages else ()
    return rows.read_session(row, tuple(from_record(Message, json.loads(text)) for (text,) in said))


def neighbours(db: sqlite3.Connection, passage_ids: Sequence[str], *, reach: int) -> dict[str, list[Passage]]:
    found: dict[str, list[Passage]] = {each: [] for each in passage_ids}
    for passage_id, text in db.execute(Q["neighbours"], {"ids": rows.array(passage_ids), "reach": reach}):
        found[passage_id].append(rows.read_passage((text,)))
    return found
