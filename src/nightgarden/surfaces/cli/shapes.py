"""The JSON that commands print. Stable: fields are added, never renamed or removed (docs/reference/cli.md)."""

from __future__ import annotations

from typing import Any

from nightgarden.domain.graph import Edge
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory
from nightgarden.domain.record import to_record
from nightgarden.domain.session import Session
from nightgarden.domain.verdict import Flagged, Refused, Superseded, Verdict


def memory_shape(memory: Memory) -> dict[str, Any]:
    return to_record(memory)


def edge_shape(edge: Edge) -> dict[str, Any]:
    return to_record(edge)


def entry_shape(entry: JournalEntry) -> dict[str, Any]:
    return to_record(entry)


def session_shape(session: Session, *, messages: bool = False) -> dict[str, Any]:
    record = to_record(session)
    if not messages:
        del record["messages"]
    return record


def verdict_shape(verdict: Verdict) -> dict[str, Any]:
    """`{"verdict", "id", "rule", "sentence", …}`; `id` is null when nothing was stored."""
    shape: dict[str, Any] = {
        "verdict": type(verdict).__name__.lower(),
        "id": verdict.id,
        "rule": verdict.rule.id if verdict.rule else None,
        "sentence": verdict.rule.sentence if verdict.rule else None,
    }
    match verdict:
        case Superseded(replaced_ids=ids):
            shape["replaced_ids"] = list(ids)
        case Flagged(conflicting_ids=ids):
            shape["conflicting_ids"] = list(ids)
        case Refused(findings=findings):
            shape["findings"] = [
                {"rule": finding.rule.id, "what": finding.what, "start": finding.start, "end": finding.end}
                for finding in findings
            ]
        case _:
            pass
    if not isinstance(verdict, Refused):
        shape["memory"] = memory_shape(verdict.memory)
    return shape
