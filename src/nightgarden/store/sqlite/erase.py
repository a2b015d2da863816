"""Erasing: purge leaves tombstones without content; retention takes passages away and leaves their sessions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from nightgarden.domain.schedule import STATE_PREFIX, state_key
from nightgarden.domain.time import write_moment
from nightgarden.store.sqlite import rows
from nightgarden.store.sqlite.rows import Q


def purge(db: sqlite3.Connection, ids: Sequence[str], *, at: datetime) -> list[str]:
    """Erases memories, passages, tasks and whole sessions. Returns the ids that existed."""
    found: list[str] = []
    for each in ids:
        if (kind := _kind_of(db, each)) is None:
            continue
        found.append(each)
        keys = [each]
        if kind == "memory":
            keys += [row[0] for row in db.execute("SELECT dedupe_key FROM memory WHERE id = ?", (each,))]
            db.execute(Q["blank_entries"], {"id": each})
            _leave_clusters(db, each)
        elif kind == "passage":
            _leave_message(db, each)
        elif kind == "session":
            for (passage_id,) in db.execute(Q["passages_of_session"], {"id": each}).fetchall():
                db.execute(Q["remove_item"], {"id": passage_id})
            db.execute(Q["remove_session"], {"id": each})
            db.execute(Q["remove_gaps_of"], {"session_id": each})
            db.execute(Q["remove_scheduled_of"], {"prefix": STATE_PREFIX, "session_id": each})
        elif kind == "scheduled":
            db.execute(Q["remove_state"], {"key": state_key(each)})
        db.execute(Q["remove_item"], {"id": each})
        moment = write_moment(at)
        db.executemany(Q["write_tombstone"], [{"key": key, "kind": kind, "purged_at": moment} for key in keys])
    return found


def _kind_of(db: sqlite3.Connection, each: str) -> str | None:
    if row := db.execute(Q["item_kind"], {"id": each}).fetchone():
        return str(row[0])
    if db.execute(Q["session_by_id"], {"id": each}).fetchone():
        return "session"
    return "scheduled" if db.execute(Q["get_state"], {"key": state_key(each)}).fetchone() else None


def _leave_message(db: sqlite3.Connection, passage_id: str) -> None:
    """A passage is a verbatim piece of its message; purged, it is struck from there too. The message keeps its id."""
    for session_id, message_id, content, text in db.execute(Q["messages_of_passage"], {"id": passage_id}).fetchall():
        record = json.loads(text)
        record["text"] = record["text"].replace(content, "") if content in record["text"] else ""
        key = {"session_id": session_id, "id": message_id}
        db.execute(Q["rewrite_message"], key | {"record": rows.write_json(record)})


def _leave_clusters(db: sqlite3.Connection, memory_id: str) -> None:
    """A cluster's record names its members; a purged one is struck from it."""
    for cluster_id, text in db.execute(Q["clusters_of_memory"], {"id": memory_id}).fetchall():
        record = json.loads(text)
        record["member_ids"] = [member for member in record["member_ids"] if member != memory_id]
        db.execute(Q["rewrite_cluster"], {"id": cluster_id, "record": rows.write_json(record)})


def remove_passages(db: sqlite3.Connection, *, older_than: datetime | None, keep_at_most: int | None) -> int:
    """Passages said before a moment go, and the oldest beyond a number."""
    old: set[str] = set()
    if older_than is not None:
        old |= {row[0] for row in db.execute(Q["passages_before"], {"moment": write_moment(older_than)})}
    if keep_at_most is not None:
        old |= {row[0] for row in db.execute(Q["passages_beyond"], {"keep": keep_at_most})}
    db.executemany(Q["remove_item"], [{"id": each} for each in sorted(old)])
    return len(old)


def scrub(db: sqlite3.Connection) -> None:
    """Makes the file forget too: merges the text index without what was removed, lets go of words that stand nowhere
    any more, rewrites the file, empties the log."""
    db.execute("DELETE FROM term WHERE items <= 0")
    db.execute("INSERT INTO item_text (item_text) VALUES ('optimize')")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
