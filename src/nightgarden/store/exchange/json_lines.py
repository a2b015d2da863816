"""Export as JSON Lines: one record a line, empty fields left out, vectors left out (they can be made again).

Reading it back gives the same garden. Lines that cannot be read are reported by number, and the good ones are taken.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, Tag
from nightgarden.domain.journal import Change, JournalEntry, Operation, Origin
from nightgarden.domain.memory import Memory
from nightgarden.domain.mind_call import MindCall
from nightgarden.domain.ports import Store
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.schedule import ScheduledTask
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.domain.terminal_codes import write_safe_json
from nightgarden.domain.text import dedupe_key
from nightgarden.domain.verdict import Refused
from nightgarden.errors import Conflict, GardenBusy, NightgardenError
from nightgarden.store.exchange.admit import Terms, admit, is_vouched_for

FORMAT = "nightgarden-export"
VERSION = 1
# Vectors follow from texts; the program's own state (cursors, consents) and what rooms keep belong to one machine.
LEFT_OUT = frozenset({"model", "vector", "state", "document"})
SCHEDULED, TASK = "scheduled", "task"  # a task for later, here and as a kind of document in the store
_BATCH = 200


@dataclass(slots=True)
class Taken:
    """What an import did."""

    added: dict[str, int] = field(default_factory=dict)  # by type
    known: int = 0  # there already
    purged: int = 0  # erased here earlier, and so not brought back
    problems: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # by the rules of writing, by line
    left_out: dict[str, int] = field(default_factory=dict)  # by type: only a file that is vouched for brings such
    held: set[str] = field(default_factory=set)  # ids of what was refused, so that nothing hangs on them
    same: set[str] = field(default_factory=set)  # ids of memories that say what another here says already

    def refuse(self, line: int, record: dict[str, Any], why: Refused) -> None:
        name = record.get("id")
        self.held.update([name] if isinstance(name, str) else [])
        what = ", ".join(dict.fromkeys(finding.what for finding in why.findings))
        self.refused.append(f"line {line}: {_name(record)}: {why.rule.sentence} – {what}")

    def count(self, kind: str) -> None:
        self.added[kind] = self.added.get(kind, 0) + 1


async def export_lines(store: Store) -> AsyncIterator[str]:
    """The whole garden, a line at a time."""
    yield json.dumps({"type": FORMAT, "version": VERSION})
    async for record in exported(store):
        lean = {key: value for key, value in record.items() if value not in (None, "", [])}
        yield write_safe_json(lean)


async def exported(store: Store) -> AsyncIterator[dict[str, Any]]:
    """The records of a garden that belong to its user; of the documents that rooms keep only tasks for later."""
    async for record in store.dump():
        if record["type"] == "document" and record["kind"] == TASK:
            yield {"type": SCHEDULED, **record["value"]}
        elif record["type"] not in LEFT_OUT and record.get("subject_kind") not in LEFT_OUT:
            yield record


def is_export(first_line: str) -> bool:
    """Whether a file begins like one of ours."""
    try:
        head = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and head.get("type") == FORMAT


def read_records(lines: Iterable[tuple[int, str]], taken: Taken, terms: Terms) -> Iterator[dict[str, Any]]:
    """The records of numbered lines, as they may come in; what cannot be read, and what a rule keeps out, is noted in
    `taken` under its number."""
    for number, line in lines:
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record, dict) or not isinstance(record.get("type"), str):
                raise ValueError("not a record with a type")
            if record["type"] == FORMAT:
                if record.get("version") != VERSION:
                    raise ValueError("written by a newer nightgarden; upgrade to read it")
                continue
            admitted = admit(check_record(record), terms)
            if isinstance(admitted, Refused):
                taken.refuse(number, record, admitted)
            elif admitted is None:
                taken.left_out[record["type"]] = taken.left_out.get(record["type"], 0) + 1
            else:
                yield admitted
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            taken.problems.append(f"line {number}: {error}")


_KINDS: dict[str, type] = {
    "session": Session,
    "message": Message,
    "passage": Passage,
    "tag": Tag,
    "memory": Memory,
    "edge": Edge,
    "cluster": Cluster,
    "journal": JournalEntry,
    "gap": Gap,
    "mind_call": MindCall,
    SCHEDULED: ScheduledTask,
}
# Fields that a value must have and an export leaves out when they are empty.
_EMPTY: dict[str, dict[str, Any]] = {
    "message": {"text": ""},
    "cluster": {"member_ids": []},
    "journal": {"reason": "", "cycle": None, "before": None, "after": None},
    "gap": {"snippet": "", "session_id": None},
    "mind_call": {"budget": "", "model": ""},
}


def check_record(record: dict[str, Any]) -> dict[str, Any]:
    """The record with its empty fields back; raises when it does not describe a value of its type."""
    kind = record["type"]
    if kind == "tombstone":
        need_text(record, "key", "kind", "purged_at")
        return record
    if kind not in _KINDS:
        raise ValueError(f"unknown type {kind!r}; was it written by a newer nightgarden?")
    cls = _KINDS[kind]
    whole = _EMPTY.get(kind, {}) | record
    written = to_record(from_record(cls, whole))
    texts = [each.name for each in fields(cls) if each.type == "str"]
    need_text(written, *texts)
    if kind == "message":
        need_text(record, "session_id")
        if not isinstance(record.get("position"), int):
            raise ValueError("position must be a whole number")
        written |= {"session_id": record["session_id"], "position": record["position"]}
    if kind == SCHEDULED:
        return _task(written)
    return {"type": kind} | written


def _task(written: dict[str, Any]) -> dict[str, Any]:
    """A task as the store has it. Nobody here is doing it, whoever had taken it there."""
    return {
        "type": "document",
        "kind": TASK,
        "key": written["id"],
        "version": 1,
        "owner": written["scope"],
        "status": written["outcome"] or "open",
        "due_at": written["wake_at"] if written["closed_at"] is None else None,
        "created_at": written["created_at"],
        "updated_at": written["created_at"],
        "value": written | {"taken_by": None},
    }


def need_text(record: dict[str, Any], *names: str) -> None:
    """Raises when one of these fields is not text."""
    for name in names:
        if not isinstance(record.get(name), str):
            raise ValueError(f"{name} must be text")


async def import_lines(store: Store, lines: Iterable[tuple[int, str]], terms: Terms) -> Taken:
    """Takes an export in, from numbered lines. Doing it twice changes nothing; what was purged here stays purged.

    A memory, edge, tag or cluster goes in together with its history, in one transaction: broken off anywhere, there is
    none without the other. These are held in memory until the last line, for their history stands there.
    """
    taken = Taken()
    batch: list[dict[str, Any]] = []
    nodes: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for record in read_records(lines, taken, terms):
        if (subject := _subject(record)) is not None:
            nodes.setdefault(subject, []).append(record)
            continue
        batch.append(record)
        if len(batch) >= _BATCH:
            await _take(store, [[each] for each in batch], taken, terms)
            batch = []
    await _take(store, [[each] for each in batch], taken, terms)
    units: list[list[dict[str, Any]]] = []
    for unit in nodes.values():
        unit.sort(key=lambda record: record["type"] == "journal")  # first what it speaks of
    for unit in sorted(nodes.values(), key=lambda unit: _NODES.index(unit[0]["type"])):
        units.append(unit)
        if sum(map(len, units)) >= _BATCH:
            await _take(store, units, taken, terms)
            units = []
    await _take(store, units, taken, terms)
    return taken


# In the order in which they stand on each other. Tombstones last: entries of what was purged come with them.
_NODES = ("tag", "memory", "edge", "cluster", "journal", "tombstone")


def _subject(record: dict[str, Any]) -> tuple[str, str] | None:
    """Whose history a record belongs to; None for what has none."""
    match record["type"]:
        case "journal":
            return record["subject_kind"], record["subject_id"]
        case "edge":
            return "edge", f"{record['source']}>{record['kind']}>{record['target']}"
        case "tombstone":
            return "tombstone", record["key"]
        case "memory" | "tag" | "cluster":
            return record["type"], record["id"]
        case _:
            return None


async def _take(store: Store, units: list[list[dict[str, Any]]], taken: Taken, terms: Terms) -> None:  # noqa: C901 - one case per thing that may be wrong with a record
    """Takes units of records; each goes in whole."""
    batch = [record for unit in units for record in unit]
    gone = await store.tombstones([key for record in batch for key in _keys(record)])
    there = dict(zip(map(id, batch), await store.existing(batch), strict=True))
    fresh: list[list[dict[str, Any]]] = []
    for unit in units:
        keep = []
        for record in unit:
            if gone.intersection(_keys(record)):
                taken.purged += 1
            elif taken.held.intersection(_keys(record)):
                continue
            elif taken.same.intersection(_keys(record)) or there[id(record)]:
                taken.known += 1
            else:
                keep.append(record)
        if keep:
            fresh.append(keep)
    if terms.trusted:
        await _vouch(
            store, [record for record in batch if there[id(record)] and not gone.intersection(_keys(record))], terms
        )
    try:
        await _load(store, [record for unit in fresh for record in unit], terms)
    except (NightgardenError, KeyError, ValueError, TypeError):
        for unit in fresh:  # one by one, so that one bad record does not take the others with it
            await _take_one(store, unit, taken, terms)
    else:
        for unit in fresh:
            for record in unit:
                taken.count(_name(record))


async def _load(store: Store, records: list[dict[str, Any]], terms: Terms) -> None:
    """A file that is vouched for brings its own history; what comes from any other has one that begins here."""
    if terms.trusted:
        await store.load(records)
        return
    memories = [from_record(Memory, record) for record in records if record["type"] == "memory"]
    origin = Origin(actor="import", operation=Operation.IMPORT, reason="from a file", cycle=terms.cycle)
    if memories:
        await store.apply([Change(None, memory) for memory in memories], origin, at=terms.at)
    await store.load([record for record in records if record["type"] != "memory"])


async def _vouch(store: Store, records: list[dict[str, Any]], terms: Terms) -> None:
    """What came in from a file as outside text becomes what the file says, now that the user vouches for it."""
    told = {record["id"]: record for record in records if record["type"] == "memory"}
    stored = [memory for memory in await store.memories(sorted(told)) if is_vouched_for(memory, told[memory.id])]
    changes = [Change(memory, from_record(Memory, told[memory.id])) for memory in stored]
    if changes:
        origin = Origin(actor="import", operation=Operation.IMPORT, reason="vouched for", cycle=terms.cycle)
        await store.apply(changes, origin, at=terms.at)


async def _take_one(store: Store, unit: list[dict[str, Any]], taken: Taken, terms: Terms) -> None:
    known = [record for record in unit if taken.same.intersection(_keys(record))]
    taken.known += len(known)
    unit = [record for record in unit if record not in known]
    try:
        await _load(store, unit, terms)
    except (NightgardenError, KeyError, ValueError, TypeError) as error:
        first = unit[0]
        if isinstance(error, Conflict) and not isinstance(error, GardenBusy) and first["type"] == "memory":
            taken.same.add(first["id"])
            taken.known += len(unit)
        elif len(unit) > 1:  # a bad entry does not take what it speaks of with it
            for record in unit:
                await _take_one(store, [record], taken, terms)
        else:
            taken.problems.append(f"{_name(first)} {first.get('id', first.get('key', '?'))}: {error}")
    else:
        for record in unit:
            taken.count(_name(record))


def _name(record: dict[str, Any]) -> str:
    """What a person calls it: the only documents in an export are tasks."""
    return SCHEDULED if record["type"] == "document" else str(record["type"])


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
        case "document":
            return [record["key"], *filter(None, [record["value"]["session_id"]])]
        case _:
            return []
