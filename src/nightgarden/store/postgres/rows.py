"""How domain values are written into columns and read back. Pure; knows no statement."""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from nightgarden.domain import earlier
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Edge, EdgeKind, Tag
from nightgarden.domain.journal import JournalEntry, Operation
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Vector
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.searchable import indexed_terms
from nightgarden.domain.session import Passage
from nightgarden.domain.text import dedupe_key

_MARK = "\U000ffffd"  # a private-use character, the last of its plane
_UNFIT = re.compile(f"[\x00\ud800-\udfff{_MARK}]")
_MARKED = re.compile(f"{_MARK}([0-9a-f]+);")


def write_json(value: Any) -> str:
    """JSON that PostgreSQL can store and look into: a NUL or a lone surrogate anywhere in it would make `->>` fail."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if "\\u0000" not in text and not _UNFIT.search(text):
        return text
    marked = _strings(value, lambda each: _UNFIT.sub(lambda found: f"{_MARK}{ord(found[0]):x};", each))
    return json.dumps(marked, ensure_ascii=False, separators=(",", ":"))


def read_json(text: str | None) -> Any:
    """The value that `write_json` wrote."""
    if text is None:
        return None
    value = json.loads(text)
    if _MARK not in text:
        return value
    return _strings(value, lambda each: _MARKED.sub(lambda found: chr(int(found[1], 16)), each))


def _strings(value: Any, changed: Callable[[str], str]) -> Any:
    """The value with every string in it, keys included, passed through a function."""
    match value:
        case str():
            return changed(value)
        case Mapping():
            return {_strings(key, changed): _strings(each, changed) for key, each in value.items()}
        case list() | tuple():
            return [_strings(each, changed) for each in value]
        case _:
            return value


# pgvector's wire format for halfvec: dimension, a reserved zero, then big-endian half floats.
def encode_vector(vector: Any) -> bytes:
    floats = np.asarray(vector, dtype=">f2")
    return struct.pack(">HH", len(floats), 0) + floats.tobytes()


def decode_vector(data: bytes) -> Vector:
    return np.frombuffer(data, dtype=">f2", offset=4).astype(np.float32)


@lru_cache(maxsize=65536)
def term_number(term: str) -> int:
    """64 bits for a term: two of a million terms collide with a chance of one in thirty million."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "big", signed=True)


@dataclass(frozen=True, slots=True)
class Indexed:
    """An item's terms with how often each stands in it."""

    frequencies: Mapping[int, int]
    length: int


def index_item(item: Memory | Passage) -> Indexed:
    found = Counter(map(term_number, indexed_terms(item).split()))
    return Indexed(found, found.total())


def texts(values: Sequence[Any] | None) -> list[str] | None:
    """A filter as the statements take it; None leaves it open."""
    return None if values is None else [str(value) for value in values]


def memory_record(memory: Memory) -> dict[str, Any]:
    """What is stored as JSON: everything but the counts of use, which have columns of their own."""
    record = to_record(memory)
    del record["access_count"], record["last_accessed_at"]
    return record


def memory_row(memory: Memory) -> dict[str, Any]:
    """Columns of table memory."""
    return {
        "id": memory.id,
        "record": write_json(memory_record(memory)),
        "scope": str(memory.scope),
        "dedupe_key": dedupe_key(memory.content),
        "category": memory.category.value,
        "status": memory.status.value,
        "tier": int(memory.tier),
        "provenance": memory.provenance.value,
        "session_id": memory.session_id,
        "flagged": bool(memory.flagged),
        "superseded": memory.superseded_by is not None,
        "live": memory.live,
        "triggers": bool(memory.trigger_patterns or (memory.procedure and memory.procedure.trigger)),
        "created_at": memory.created_at,
        "access_count": memory.access_count,
        "last_accessed_at": memory.last_accessed_at,
    }


def item_row(item: Memory | Passage, term_count: int) -> dict[str, Any]:
    """Columns of table item."""
    row = {
        "id": item.id,
        "kind": "passage",
        "scope": str(item.scope),
        "category": None,
        "live": True,
        "created_at": item.created_at,
        "valid_from": None,
        "valid_until": None,
        "archived_at": None,
        "term_count": term_count,
    }
    if isinstance(item, Passage):
        return row | {"live": item.archived_at is None, "archived_at": item.archived_at}
    if isinstance(item, Memory):
        row |= {
            "kind": "memory",
            "category": item.category.value,
            "live": item.live,
            "valid_from": item.valid_from,
            "valid_until": item.valid_until,
            "archived_at": item.archived_at,
        }
    return row


def passage_row(passage: Passage) -> dict[str, Any]:
    """Columns of table passage."""
    return {
        "id": passage.id,
        "session_id": passage.session_id,
        "position": passage.position,
        "part": passage.part,
        "created_at": passage.created_at,
        "record": write_json(to_record(passage)),
    }


def read_memory(row: Mapping[str, Any]) -> Memory:
    memory = from_record(Memory, read_json(row["record"]))
    return replace(memory, access_count=row["access_count"], last_accessed_at=row["last_accessed_at"])


def edge_row(edge: Edge) -> dict[str, Any]:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind.value,
        "weight": edge.weight,
        "created_at": edge.created_at,
        "updated_at": edge.updated_at,
    }


def read_edge(row: Mapping[str, Any]) -> Edge:
    return Edge(
        source=row["source"],
        target=row["target"],
        kind=EdgeKind(row["kind"]),
        weight=row["weight"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def tag_row(tag: Tag) -> dict[str, Any]:
    return {"id": tag.id, "name": tag.name, "description": tag.description, "created_at": tag.created_at}


def read_tag(row: Mapping[str, Any]) -> Tag:
    return Tag(
        id=row["id"],
        name=row["name"],
        description=row["description"],
        created_at=row["created_at"],
        memory_count=row["memory_count"],
    )


def entry_row(entry: JournalEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "at": entry.at,
        "actor": entry.actor,
        "reason": entry.reason,
        "cycle": entry.cycle,
        "subject_kind": entry.subject_kind,
        "subject_id": entry.subject_id,
        "before": None if entry.before is None else write_json(entry.before),
        "after": None if entry.after is None else write_json(entry.after),
        "operation": entry.operation,
        "action": entry.action,
        "undoes": entry.undoes,
    }


def read_entry(row: Mapping[str, Any]) -> JournalEntry:
    return JournalEntry(
        id=row["id"],
        at=row["at"],
        actor=row["actor"],
        reason=row["reason"],
        cycle=row["cycle"],
        subject_kind=row["subject_kind"],
        subject_id=row["subject_id"],
        before=_side(row["before"], row["subject_kind"]),
        after=_side(row["after"], row["subject_kind"]),
        operation=Operation(row["operation"]) if row["operation"] is not None else None,
        action=row["action"],
        undoes=row["undoes"],
    )


def _side(value: Any, kind: str) -> Mapping[str, Any] | None:
    record: Mapping[str, Any] | None = read_json(value)
    return earlier.memory_record(record) if record is not None and kind == "memory" else record


def gap_row(gap: Gap) -> dict[str, Any]:
    return {"id": gap.id, "closed": gap.closed_at is not None, "record": write_json(to_record(gap))}
