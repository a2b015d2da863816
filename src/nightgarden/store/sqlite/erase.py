"""Erasing: purge leaves tombstones without content, and a note of what is still to be done on disk.

The note is written in the transaction that erases, and goes when the file is rewritten: what a crash interrupts is
finished by whoever opens the garden next.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from nightgarden.domain.erasing import Erasing, erasing, texts_of
from nightgarden.domain.memory import Memory
from nightgarden.domain.purging import UNFINISHED
from nightgarden.domain.record import to_record
from nightgarden.domain.said import Saying, saying, struck_message, struck_record
from nightgarden.domain.session import Passage
from nightgarden.domain.time import write_moment
from nightgarden.store.sqlite import changes, documents, rows, sessions
from nightgarden.store.sqlite.rows import Q

_EARLIER_TASK = "scheduled:"  # where a copy from before tasks were documents has them, in its state


def purge(db: sqlite3.Connection, ids: Sequence[str], *, at: datetime) -> list[str]:
    """Erases memories, passages, tasks and whole sessions. Returns the ids that existed."""
    kinds = {each: kind for each in dict.fromkeys(ids) if (kind := _kind_of(db, each)) is not None}
    if kinds:
        quoted = _quoted(db, kinds)
        documents.erase(db, quoted, at=at)
        _strike_titles(db, quoted)
    found: list[str] = []
    for each, kind in kinds.items():
        found.append(each)
        keys = [each]
        if kind == "memory":
            keys += [row[0] for row in db.execute("SELECT dedupe_key FROM memory WHERE id = ?", (each,))]
            _erase_memory(db, each)
        elif kind == "passage":
            _leave_message(db, each)
        elif kind == "session":
            _erase_session(db, each)
        elif kind == "scheduled":
            db.execute(Q["remove_state"], {"key": _EARLIER_TASK + each})
        db.execute(Q["remove_item"], {"id": each})
        moment = write_moment(at)
        db.executemany(Q["write_tombstone"], [{"key": key, "kind": kind, "purged_at": moment} for key in keys])
    if found:
        noted = list(dict.fromkeys((*unfinished(db), *found)))
        db.execute(Q["put_state"], {"key": UNFINISHED, "value": rows.write_json(noted)})
    return found


def unfinished(db: sqlite3.Connection) -> list[str]:
    """Ids whose text may still stand in free pages, logs or copies."""
    row = db.execute(Q["get_state"], {"key": UNFINISHED}).fetchone()
    return list(json.loads(row[0])) if row else []


def _kind_of(db: sqlite3.Connection, each: str) -> str | None:
    if row := db.execute(Q["item_kind"], {"id": each}).fetchone():
        return str(row[0])
    if db.execute(Q["session_by_id"], {"id": each}).fetchone():
        return "session"
    if db.execute(Q["get_state"], {"key": _EARLIER_TASK + each}).fetchone():
        return "scheduled"
    return "document" if documents.keys_among(db, [each]) else None


def _quoted(db: sqlite3.Connection, kinds: Mapping[str, str]) -> Erasing:
    """What documents may quote of these."""
    memories = [changes.load_memory(db, each) for each, kind in kinds.items() if kind == "memory"]
    texts: list[str] = []
    for each, kind in kinds.items():
        if kind == "passage":
            found = db.execute(Q["passages_by_ids"], {"ids": rows.array([each])})
            texts += [rows.read_passage(row).content for row in found]
        elif kind == "session" and (session := sessions.load_session(db, each, messages=True)) is not None:
            texts += texts_of(session)
    return erasing(kinds, [each for each in memories if each is not None], texts)


def _erase_memory(db: sqlite3.Connection, each: str) -> None:
    """With it go the sentences it came from and the tags that nothing else carries."""
    memory = changes.load_memory(db, each)
    assert memory is not None
    tags = {f"tag:{name}" for name in memory.tags} | _tags_in_entries(db, each)
    db.execute(Q["blank_entries"], {"id": each})
    _leave_clusters(db, each)
    _strike(db, memory, saying(memory))
    db.execute(Q["remove_tags_of"], {"id": each})
    for (tag_id,) in db.execute(Q["unused_tags"], {"ids": rows.array(sorted(tags))}).fetchall():
        db.execute(Q["remove_tag"], {"id": tag_id})
        db.execute(Q["remove_entries_of"], {"id": tag_id})
    db.execute(Q["remove_item"], {"id": each})
    changes.follow_hidden(db, memory, None)


def _tags_in_entries(db: sqlite3.Connection, memory_id: str) -> set[str]:
    entries = db.execute(Q["entries_of"], {"id": memory_id}).fetchall()
    sides = [json.loads(side) for entry in entries for side in entry[1:] if side is not None]
    return {f"tag:{name}" for side in sides for name in side.get("tags") or ()}


def _strike(db: sqlite3.Connection, memory: Memory, sought: Saying) -> None:
    """Takes the sentences that say it out of messages, passages, gaps, and the contexts of other memories."""
    where = {"word": sought.word or "\x00", "sessions": rows.array(sorted(sought.sessions))}
    for session_id, message_id, text in db.execute(Q["messages_with"], where).fetchall():
        if record := struck_message(sought, json.loads(text), session_id, message_id):
            key = {"session_id": session_id, "id": message_id}
            db.execute(Q["rewrite_message"], key | {"record": rows.write_json(record)})
    for row in db.execute(Q["passages_with"], where).fetchall():
        passage = rows.read_passage(row)
        struck = sought.struck(passage.content, passage.session_id, passage.message_ids[0])
        if struck != passage.content:
            write_passage_again(db, replace(passage, content=struck))
            db.execute(Q["remove_vectors_of"], {"id": passage.id})
    for (text,) in db.execute(Q["gaps"], {"include_closed": 1}).fetchall():
        gap = json.loads(text)
        if sought.spans(gap["snippet"], gap["session_id"] or "", ""):
            _remove_gap(db, gap["id"])
    for row in db.execute(Q["memories_of_sessions"], where).fetchall():
        other = rows.read_memory(row)
        if other.id != memory.id and struck_record(sought, to_record(other), other.session_id or ""):
            _strike_context(db, other, sought)


def _strike_titles(db: sqlite3.Connection, quoted: Erasing) -> None:
    for session_id, text in db.execute(Q["all_sessions"]).fetchall():
        if record := quoted.struck_session(session_id, json.loads(text)):
            db.execute(Q["rewrite_session"], {"id": session_id, "record": rows.write_json(record)})


def _strike_context(db: sqlite3.Connection, other: Memory, sought: Saying) -> None:
    session_id = other.session_id or ""
    record = struck_record(sought, rows.memory_record(other), session_id)
    db.execute(Q["rewrite_memory"], {"id": other.id, "record": rows.write_json(record)})
    for entry_id, *texts in db.execute(Q["entries_of"], {"id": other.id}).fetchall():
        sides: dict[str, Any] = {}
        for name, text in zip(("before", "after"), texts, strict=True):
            side = json.loads(text) if text is not None else None
            struck = (struck_record(sought, side, session_id) or side) if side is not None else None
            sides[name] = rows.write_json(struck) if struck is not None else None
        db.execute(Q["rewrite_entry"], {"id": entry_id, **sides})


def _erase_session(db: sqlite3.Connection, each: str) -> None:
    for (passage_id,) in db.execute(Q["passages_of_session"], {"id": each}).fetchall():
        db.execute(Q["remove_item"], {"id": passage_id})
    db.execute(Q["remove_session"], {"id": each})
    for (gap_id,) in db.execute(Q["gaps_of_session"], {"session_id": each}).fetchall():
        _remove_gap(db, gap_id)
    db.execute(Q["remove_scheduled_of"], {"prefix": _EARLIER_TASK, "session_id": each})


def _remove_gap(db: sqlite3.Connection, gap_id: str) -> None:
    """A gap quotes what was said, and so does its history."""
    db.execute(Q["remove_gap"], {"id": gap_id})
    db.execute(Q["remove_entries_of"], {"id": gap_id})


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


def write_passage_again(db: sqlite3.Connection, passage: Passage) -> None:
    """A passage that changed, with what search knows of it. One that a memory hides stays hidden."""
    db.execute(Q["rewrite_passage"], {"id": passage.id, "record": rows.write_json(to_record(passage))})
    columns = rows.item_columns(passage)
    if db.execute(Q["passage_not_hidden"], {"id": passage.id}).fetchone() is None:
        del columns["live"], columns["gone_at"]
    rows.update(db, "item", columns, key="id")


def archive_passages(
    db: sqlite3.Connection, *, older_than: datetime | None, keep_at_most: int | None, at: datetime, cycle: str
) -> int:
    """Passages said before a moment are no longer found, nor the oldest beyond a number. They stay where they are."""
    given = {"moment": write_moment(older_than) if older_than is not None else "", "keep": keep_at_most}
    old = [rows.read_passage(row) for row in db.execute(Q["passages_to_archive"], given).fetchall()]
    for passage in old:
        write_passage_again(db, replace(passage, archived_at=at, archived_in=cycle))
    return len(old)


def restore_passages(db: sqlite3.Connection, cycle: str) -> int:
    """Brings back what a cycle archived."""
    gone = [rows.read_passage(row) for row in db.execute(Q["passages_archived_in"], {"cycle": cycle}).fetchall()]
    for passage in gone:
        write_passage_again(db, replace(passage, archived_at=None, archived_in=None))
    return len(gone)


def scrub(db: sqlite3.Connection) -> None:
    """Makes the file forget too: merges the text index without what was removed, lets go of words that stand nowhere
    any more, rewrites the file, empties the log."""
    db.execute("DELETE FROM term WHERE items <= 0")
    db.execute("INSERT INTO item_text (item_text) VALUES ('optimize')")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
