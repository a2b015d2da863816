"""The doctor of a SQLite garden: looks at file, text, vectors and graph; rebuilds what can be rebuilt."""

from __future__ import annotations

import secrets
import sqlite3
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Operation, Origin, Recorder
from nightgarden.domain.ports import Check
from nightgarden.store.sqlite import changes, rows
from nightgarden.store.sqlite.dump import TABLES
from nightgarden.store.sqlite.salvage import disputed, last_states, salvage


def check(db: sqlite3.Connection, *, repair: bool) -> list[Check]:
    """One line per thing looked at. With `repair`, runs inside a write transaction. `db` must give text that is none as
    bytes. Where records cannot be read, what follows from them is not looked at."""
    records = _records(db)
    if not records.ok:
        return [_file(db), records]
    return [
        _file(db),
        records,
        _journal(db, repair),
        _references(db),
        _text_index(db, repair),
        *_columns(db, repair),
        _counted(
            db,
            repair,
            "tags",
            "memories whose tags and graph disagree",
            """SELECT m.id FROM memory m WHERE
                 (SELECT count(*) FROM memory_tag t WHERE t.memory_id = m.id) <> json_array_length(m.record, '$.tags')
                 OR EXISTS (SELECT 'tag:' || value FROM json_each(m.record, '$.tags')
                            EXCEPT SELECT tag_id FROM memory_tag t WHERE t.memory_id = m.id)""",
            _relink_tags,
        ),
        _counted(
            db,
            repair,
            "vectors",
            "vectors of the wrong size",
            """SELECT v.sequence FROM vector v JOIN model m ON m.id = v.model_id
               WHERE length(v.data) <> 2 * m.dimension""",
            lambda db, ids: db.executemany("DELETE FROM vector WHERE sequence = ?", [(each,) for each in ids]),
        ),
        _counted(
            db,
            repair,
            "vector counts",
            "wrong vector counts",
            """SELECT m.id FROM model m
               WHERE m.vector_count <> (SELECT count(*) FROM vector v WHERE v.model_id = m.id)""",
            lambda db, ids: db.executemany(
                "UPDATE model SET vector_count = (SELECT count(*) FROM vector v WHERE v.model_id = model.id)"
                " WHERE id = ?",
                [(each,) for each in ids],
            ),
        ),
    ]


def _file(db: sqlite3.Connection) -> Check:
    problems = [row[0] for row in db.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
    detail = "; ".join(problems) or "the file is sound"
    return Check(name="file", ok=not problems, detail=detail)


def _records(db: sqlite3.Connection) -> Check:
    """Whether every row can be read, and says what the journal says of it."""
    damaged: dict[str, list[str]] = {}
    for kind in TABLES:
        found = salvage(db, kind)
        if found.damaged or found.misplaced or not found.whole:
            damaged[kind] = [*found.damaged, *found.misplaced] or ["a page of its table"]
        if kind == "journal" and (other := disputed(db, last_states(found.records))):
            damaged["memory"] = [*damaged.get("memory", ()), *other]
    detail = "; ".join(f"{len(keys)} of type {kind}: {', '.join(keys[:5])}" for kind, keys in damaged.items())
    return Check(name="records", ok=not damaged, detail=f"damaged: {detail}" if damaged else "every record can be read")


def note_missing(db: sqlite3.Connection) -> int:
    """Gives memories that no entry speaks of the beginning of a history. Returns how many there were."""
    maker, now = IdMaker(lambda: secrets.randbits(64)), datetime.now(UTC)
    origin = Origin(actor="doctor", operation=Operation.REPAIR, reason="found without a history")
    recorder = Recorder(origin, at=now, ids=maker)
    found = [changes.load_memory(db, row[0]) for row in db.execute(rows.Q["memories_without_entry"]).fetchall()]
    for memory in found:
        if memory is not None:
            changes.record(db, Change(None, memory), memory, recorder)
    return len(found)


def _journal(db: sqlite3.Connection, repair: bool) -> Check:
    """An import that was broken off can leave memories that no entry speaks of."""
    what = "memories without a history"
    return _counted(db, repair, "journal", what, rows.Q["memories_without_entry"], lambda db, _: note_missing(db))


def _references(db: sqlite3.Connection) -> Check:
    broken = db.execute("PRAGMA foreign_key_check").fetchall()
    tables = ", ".join(sorted({row[0] for row in broken}))
    detail = f"{len(broken)} links lead to no record, in {tables}" if broken else "every link leads to a record"
    return Check(name="graph", ok=not broken, detail=detail)


def _text_index(db: sqlite3.Connection, repair: bool) -> Check:
    try:
        # rank 1 compares the index with the content table as well, not only with itself
        db.execute("INSERT INTO item_text (item_text, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError as error:
        if "readonly" in str(error):  # comparing them counts as writing
            return Check(name="full text", ok=True, detail="not looked at: the garden is open read-only")
        if not repair:
            return Check(name="full text", ok=False, detail=f"index and text disagree ({error})")
        db.execute("INSERT INTO item_text (item_text) VALUES ('rebuild')")
        return Check(name="full text", ok=True, detail="index and text disagreed: rebuilt", repaired=True)
    return Check(name="full text", ok=True, detail="index and text agree")


def _columns(db: sqlite3.Connection, repair: bool) -> list[Check]:
    """Terms are made by the program, and an older one made others; the other columns follow from the record."""
    other_terms, other_columns = [], []
    counted: Counter[str] = Counter()
    hidden = dict(db.execute(rows.Q["hidden_passages"]).fetchall())
    items = 0
    for table, read in (("memory", rows.read_memory), ("passage", rows.read_passage)):
        record = "m.record, m.access_count, m.last_accessed_at" if table == "memory" else "m.record"
        found = db.execute(
            f"SELECT {', '.join(f'i.{name}' for name in _ITEM)}, {record} FROM {table} m JOIN item i USING (number)"
        )
        for row in found:
            wanted = rows.item_columns(read(row[len(_ITEM) :]))
            if wanted["id"] in hidden:
                ends = [moment for moment in (wanted["gone_at"], hidden[wanted["id"]]) if moment]
                wanted |= {"live": 0, "gone_at": min(ends, default=None)}
            items += 1
            counted.update(set(wanted["terms"].split()))
            counted[""] += wanted["length"]  # no term is empty: here stands the length of all
            differ = [name for name, value in zip(_ITEM, row, strict=False) if wanted[name] != value]
            if "terms" in differ:
                other_terms.append(wanted)
            elif differ:
                other_columns.append(wanted)
    if repair:
        for wanted in (*other_terms, *other_columns):
            rows.update(db, "item", wanted, key="id")
    length = counted.pop("", 0)
    return [
        _rebuilt("terms", len(other_terms), "items are indexed by other words than they hold", repair),
        _rebuilt("columns", len(other_columns), "items whose place or time differs from their record", repair),
        _word_counts(db, counted, (items, length), repair),
    ]


_ITEM = ("id", "kind", "scope", "category", "created_at", "visible_from", "gone_at", "live", "terms", "length")


def _word_counts(db: sqlite3.Connection, counted: Counter[str], corpus: tuple[int, int], repair: bool) -> Check:
    """In how many items each word stands, and how long all are together: what ranking by words goes by."""
    kept = dict(db.execute("SELECT term, items FROM term WHERE items <> 0"))
    wrong = len(kept.items() ^ counted.items()) + (db.execute("SELECT items, terms FROM corpus").fetchone() != corpus)
    if wrong and repair:
        db.execute("DELETE FROM term")
        db.executemany("INSERT INTO term (term, items) VALUES (?, ?)", counted.items())
        db.execute("UPDATE corpus SET items = ?, terms = ?", corpus)
    return _rebuilt("word counts", wrong, "counts of words are wrong", repair)


def _rebuilt(name: str, count: int, what: str, repair: bool) -> Check:
    if not count:
        return Check(name=name, ok=True, detail="up to date")
    return Check(name=name, ok=repair, detail=f"{count} {what}{': repaired' if repair else ''}", repaired=repair)


def _counted(
    db: sqlite3.Connection,
    repair: bool,
    name: str,
    what: str,
    statement: str,
    mend: Callable[[sqlite3.Connection, list[str]], object],
) -> Check:
    found = [row[0] for row in db.execute(statement)]
    if not found:
        return Check(name=name, ok=True, detail=f"no {what}")
    if not repair:
        return Check(name=name, ok=False, detail=f"{len(found)} {what}")
    mend(db, found)
    return Check(name=name, ok=True, detail=f"{len(found)} {what}: repaired", repaired=True)


def _relink_tags(db: sqlite3.Connection, ids: list[str]) -> None:
    for each in ids:
        db.execute("DELETE FROM memory_tag WHERE memory_id = ?", (each,))
        db.execute(
            """INSERT OR IGNORE INTO tag (id, name, description, created_at)
               SELECT 'tag:' || t.value, t.value, '', m.created_at FROM memory m, json_each(m.record, '$.tags') t
               WHERE m.id = ?""",
            (each,),
        )
        db.execute(
            """INSERT INTO memory_tag SELECT m.id, 'tag:' || t.value FROM memory m, json_each(m.record, '$.tags') t
               WHERE m.id = ?""",
            (each,),
        )
