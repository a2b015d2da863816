"""The JSON that commands print. Stable: fields are added, never renamed or removed (docs/reference/cli.md)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from nightgarden.domain.doubt import describe
from nightgarden.domain.graph import Edge
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory
from nightgarden.domain.record import to_record
from nightgarden.domain.schedule import ScheduledTask
from nightgarden.domain.session import Session
from nightgarden.domain.verdict import Flagged, Refused, Superseded, Verdict
from nightgarden.recall.brief import Briefing
from nightgarden.recall.inject import Injection
from nightgarden.recall.result import Recalled, Result
from nightgarden.stats import Stats


def memory_shape(memory: Memory) -> dict[str, Any]:
    """With `flagged`, its doubts in a sentence."""
    return to_record(memory) | {"flagged": describe(memory.doubts)}


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


def recalled_shape(found: Recalled, *, explain: bool = False) -> dict[str, Any]:
    """`{"query", "results": [{"id", "kind", "content", …, "reasons"}], "took_ms"}`."""
    shape: dict[str, Any] = {
        "query": found.query,
        "results": [_result_shape(result, explain=explain) for result in found.results],
        "took_ms": round(found.took_ms, 2),
        "missing": [to_record(each) | {"sentence": each.sentence} for each in found.missing],
    }
    if explain:
        shape["cut"] = [to_record(each) for each in found.cut]
    return shape


def _result_shape(result: Result, *, explain: bool) -> dict[str, Any]:
    record = to_record(result)
    if not explain:
        del record["explanation"]
    return record


def stats_shape(stats: Stats) -> dict[str, Any]:
    """`{"garden", "project", …counts…, "embedding", "mind", …}`."""
    return {
        "garden": stats.url,
        "project": {"id": stats.place.scope.owner, "name": stats.place.name, "root": str(stats.place.root)},
        **to_record(stats.counts),
        "embedding": {
            "model": stats.model.id if stats.model else None,
            "pending": stats.pending_vectors,
            "state": str(stats.embedding.state),
            "line": stats.embedding.line,
        },
        "mind": to_record(stats.mind) if stats.mind else None,
        "turns": dict(stats.turns),
        "background": dict(stats.background),
    }


def task_shape(task: ScheduledTask, now: datetime) -> dict[str, Any]:
    """A scheduled task, with its `state` now."""
    return to_record(task) | {"state": str(task.state(now))}


def injection_shape(shown: Injection | None) -> dict[str, Any]:
    """`{"text", "items": [{"id", "group", "text", …}], "left_out"}`; `text` is null when there is nothing to show."""
    if shown is None:
        return {"text": None, "items": [], "left_out": 0}
    return {"text": shown.text, "items": [to_record(line) for line in shown.lines], "left_out": shown.left_out}


def briefing_shape(told: Briefing) -> dict[str, Any]:
    """`{"text", "sections"}`; `text` is null when there is nothing to tell."""
    return {"text": told.text or None, "sections": [to_record(section) for section in told.sections]}
