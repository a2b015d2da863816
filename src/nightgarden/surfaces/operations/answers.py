"""From the garden's values to the JSON that operations answer with. Pure; `answer_types` has the types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from nightgarden.domain.doubt import describe
from nightgarden.domain.ids import ids_in
from nightgarden.domain.record import to_record
from nightgarden.domain.verdict import Flagged, Refused, Superseded, Verdict
from nightgarden.surfaces.fitting import DOUBTED_BELOW

if TYPE_CHECKING:
    from nightgarden.domain.graph import Edge
    from nightgarden.domain.journal import JournalEntry
    from nightgarden.domain.memory import Memory
    from nightgarden.domain.schedule import ScheduledTask
    from nightgarden.domain.session import Session
    from nightgarden.facade.stats import Stats
    from nightgarden.learn.verbs import ProcedureShown
    from nightgarden.recall.brief import Briefing
    from nightgarden.recall.inject import Injection
    from nightgarden.recall.result import Recalled, Result
    from nightgarden.sessions.harvest import Harvest
    from nightgarden.surfaces.operations.answer_types import (
        BriefingAnswer,
        HarvestAnswer,
        InjectionAnswer,
        ProcedureAnswer,
        RecalledAnswer,
        VerdictAnswer,
    )


def memory_shape(memory: Memory) -> dict[str, Any]:
    """With `flagged`, its doubts in a sentence."""
    return to_record(memory) | {"flagged": describe(memory.doubts)}


def procedure_shape(shown: ProcedureShown) -> ProcedureAnswer:
    """A procedure, and the ids of the episodes it was made of."""
    return {"procedure": memory_shape(shown.memory), "derived_from": list(shown.sources)}


def edge_shape(edge: Edge) -> dict[str, Any]:
    return to_record(edge)


def entry_shape(entry: JournalEntry) -> dict[str, Any]:
    return to_record(entry)


def session_shape(session: Session, *, messages: bool = False) -> dict[str, Any]:
    record = to_record(session)
    if not messages:
        del record["messages"]
    return record


def verdict_shape(verdict: Verdict, texts: Mapping[str, str] | None = None) -> VerdictAnswer:
    """`texts` has what the memories say that were replaced or are contradicted."""
    shape: VerdictAnswer = {
        "verdict": type(verdict).__name__.lower(),
        "id": verdict.id,
        "rule": verdict.rule.id if verdict.rule else None,
        "sentence": verdict.rule.sentence if verdict.rule else None,
        "memory": None if isinstance(verdict, Refused) else memory_shape(verdict.memory),
    }
    match verdict:
        case Superseded(replaced_ids=ids):
            shape["replaced_ids"] = list(ids)
        case Flagged(conflicting_ids=ids):
            shape["conflicting_ids"] = list(ids)
        case Refused(findings=findings, further=further):
            shape["may_be_allowed"] = bool(verdict.to_lift)
            if further:
                shape["further_rules"] = [each.id for each in further]
            shape["findings"] = [
                {"rule": finding.rule.id, "what": finding.what, "start": finding.start, "end": finding.end}
                for finding in findings
            ]
        case _:
            pass
    if texts:
        shape["texts"] = dict(texts)
    return shape


def harvest_shape(harvest: Harvest) -> HarvestAnswer:
    """What a session gave, each piece with its verdict."""
    return {
        "session_id": harvest.session_id,
        "messages": harvest.messages,
        "verdicts": [{**verdict_shape(verdict), "content": draft.content} for draft, verdict in harvest.verdicts],
    }


def recalled_shape(
    found: Recalled, *, explain: bool = False, memories: Mapping[str, Memory] | None = None
) -> RecalledAnswer:
    """`memories` are those that are among the results, or that their reasons name."""
    known = memories or {}
    named = {id for result in found.results for reason in result.reasons for id in ids_in(reason)}
    named |= {id for result in found.results if result.id in known for id in known[result.id].contradicted}
    shape: RecalledAnswer = {
        "query": found.query,
        "results": [_result_shape(result, known.get(result.id), explain=explain) for result in found.results],
        "took_ms": round(found.took_ms, 2),
        "missing": [to_record(each) | {"sentence": each.sentence} for each in found.missing],
        "texts": {id: known[id].content for id in sorted(named) if id in known},
    }
    if explain:
        shape["cut"] = [to_record(each) for each in found.cut]
    return shape


def _result_shape(result: Result, memory: Memory | None, *, explain: bool) -> dict[str, Any]:
    record = to_record(result) | {"doubt": doubt_about(memory) if memory else "", "fits": result.fits}
    if not explain:
        del record["explanation"]
    return record


def doubt_about(memory: Memory) -> str:
    """Why a memory should not be taken at its word; empty when nothing speaks against it."""
    if memory.doubts:
        return describe(memory.doubts)
    return f"confidence {memory.confidence:.2f}" if memory.confidence < DOUBTED_BELOW else ""


def stats_shape(stats: Stats) -> dict[str, Any]:
    """`{"garden", "project", …counts…, "embedding", "mind", …}`."""
    return {
        "garden": stats.url,
        "project": {"id": stats.place.scope.owner, "name": stats.place.name, "root": str(stats.place.root)},
        **to_record(stats.counts),
        "embedding": {
            "model": stats.model.id if stats.model else None,
            "name": stats.model.name if stats.model else None,
            "pending": stats.pending_vectors,
            "state": str(stats.embedding.state),
            "line": stats.embedding.line,
        },
        "mind": to_record(stats.mind) | {"line": stats.mind.line} if stats.mind else None,
        "turns": dict(stats.turns),
        "background": dict(stats.background),
    }


def task_shape(task: ScheduledTask, now: datetime) -> dict[str, Any]:
    """A scheduled task, with its `state` now."""
    return to_record(task) | {"state": str(task.state(now))}


def injection_shape(shown: Injection | None) -> InjectionAnswer:
    """`{"text", "items": [{"id", "group", "text", …}], "left_out"}`; `text` is null when there is nothing to show."""
    if shown is None:
        return {"text": None, "items": [], "left_out": 0, "why": None, "passed_over": []}
    items = [to_record(line) for line in shown.lines]
    return {"text": shown.text, "items": items, "left_out": shown.left_out, "why": None, "passed_over": []}


def briefing_shape(told: Briefing, *, off_here: bool = False) -> BriefingAnswer:
    """`text` is null when there is nothing to tell."""
    sections = [to_record(section) for section in told.sections]
    return {"text": told.text or None, "sections": sections, "off_here": off_here}
