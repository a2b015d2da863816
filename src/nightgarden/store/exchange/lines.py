"""Export as JSON Lines: one record a line, empty fields left out, vectors left out (they can be made again).

Reading it back gives the same garden. Lines that cannot be read are reported by number, and the good ones are taken.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Store
from nightgarden.domain.record import from_record
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.domain.text import dedupe_key
from nightgarden.errors import NightgardenError

FORMAT = "nightgarden-export"
VERSION = 1
# Vectors follow from texts, and the program's own state (cursors, consents) belongs to one machine.
LEFT_OUT = frozenset({"model", "vector", "state"})
_BATCH = 200


@dataclass(slots=True)
class Taken:
    """What an import did."""

    added: dict[str, int] = field(default_factory=dict)  # by type
    known: int = 0  # there already
    purged: int = 0  # erased here earlier, and so not brought back
    problems: list[str] = field(default_factory=list)

    def count(self, kind: str) -> None:
        self.added[kind] = self.added.get(kind, 0) + 1


async def export_lines(store: Store) -> AsyncIterator[str]:
    """The whole garden, a line at a time."""
    yield json.dumps({"type": FORMAT, "version": VERSION})
    async for record in store.dump():
        if record["type"] not in LEFT_OUT:
            lean = {key: value for key, value in record.items() if value not in (None, "", [], {})}
            yield json.dumps(lean, ensure_ascii=False)


def is_export(first_line: str) -> bool:
    """Whether a file begins like one of ours."""
    try:
        head = json.loads(first_line)
    except ValueError:
        return False
    return isinstance(head, dict) and head.get("type") == FORMAT


def read_lines(lines: Iterable[str], taken: Taken) -> Iterator[dict[str, Any]]:
    """The records of a file; what cannot be read is noted in `taken`."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record, dict) or not isinstance(record.get("type"), str):
                raise ValueError("not a record with a type")
            if record["type"] == FORMAT:
                if record.get("version", 0) > VERSION:
                    raise ValueError("written by a newer nightgarden; upgrade to read it")
                continue
            yield check_record(record)
        except (ValueError, TypeError, KeyError) as error:
            taken.problems.append(f"line {number}: {error}")


def check_record(record: dict[str, Any]) -> dict[str, Any]:
    """The record with its empty fields back; raises when it does not describe a value of its type."""
    kinds: dict[str, type] = {"memory": Memory, "session": Session, "passage": Passage, "message": Message}
    if (cls := kinds.get(record["type"])) is not None:
        defaults = {"text": ""} if record["type"] == "message" else {}
        from_record(cls, defaults | record)
        return defaults | record
    return record


async def import_lines(store: Store, lines: Iterable[str]) -> Taken:
    """Takes an export in. Doing it twice changes nothing; what was purged here stays purged."""
    taken = Taken()
    batch: list[dict[str, Any]] = []
    for record in read_lines(lines, taken):
        batch.append(record)
        if len(batch) >= _BATCH:
            await _take(store, batch, taken)
            batch = []
    await _take(store, batch, taken)
    return taken


async def _take(store: Store, batch: list[dict[str, Any]], taken: Taken) -> None:
    gone = await store.tombstones([key for record in batch for key in _keys(record)])
    keep = []
    for record in batch:
        if gone.intersection(_keys(record)):
            taken.purged += 1
        else:
            keep.append(record)
    before = await store.existing(keep)
    fresh = [record for record, there in zip(keep, before, strict=True) if not there]
    taken.known += len(keep) - len(fresh)
    for problem, record in await _load_each(store, fresh):
        if problem:
            taken.problems.append(problem)
        else:
            taken.count(record["type"])


async def _load_each(store: Store, records: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """All in one transaction; when that fails, one by one, so that one bad record does not take the others with it."""
    try:
        await store.load(records)
    except (NightgardenError, KeyError, ValueError, TypeError):
        outcome = []
        for record in records:
            try:
                await store.load([record])
                outcome.append(("", record))
            except (NightgardenError, KeyError, ValueError, TypeError) as error:
                outcome.append((f"{record['type']} {record.get('id', '?')}: {error}", record))
        return outcome
    return [("", record) for record in records]


def _keys(record: dict[str, Any]) -> list[str]:
    """What a tombstone may be set on."""
    match record["type"]:
        case "memory":
            return [record["id"], dedupe_key(record["content"])]
        case "message":
            return [record["session_id"]]
        case "passage":
            return [record["id"], record["session_id"]]
        case "edge":
            return [record["source"], record["target"]]
        case "journal":
            return [record["subject_id"]]
        case "session":
            return [record["id"]]
        case _:
            return []
