"""Performs the operations on missions, tiers, core memory, captures, digest and notebook."""

from __future__ import annotations

import json
from typing import Annotated, Any, cast

from nightgarden.domain.graph import Tag
from nightgarden.domain.record import to_record
from nightgarden.domain.requests import capturing, counting, missions
from nightgarden.errors import BadInput, NotAllowed
from nightgarden.garden import Garden
from nightgarden.learn.capture.taking import CaptureReport
from nightgarden.surfaces.operations import answer_types as answers
from nightgarden.surfaces.operations import mission_answers as told
from nightgarden.surfaces.operations.answers import memory_shape, verdict_shape
from nightgarden.surfaces.operations.on_memories import shown_of
from nightgarden.surfaces.operations.performer import Perform
from nightgarden.surfaces.operations.who_speaks import Speaker, need_own


def report_shape(report: CaptureReport) -> told.CapturedAnswer:
    """A run of capturing as JSON."""
    return {"cycle": report.cycle, "stored": report.stored, "known": report.known, "refused": report.refused}


async def similar(garden: Garden, asked: counting.Similar, speaker: Speaker) -> answers.RecalledAnswer:
    return await shown_of(garden, await garden.similar(asked.id, limit=asked.limit, scope=asked.scope))


async def candidates(garden: Garden, asked: counting.Candidates, speaker: Speaker) -> told.CandidatesAnswer:
    found = await garden.learn.tiers.candidates(scopes=garden.scopes(asked.scope), limit=asked.limit)
    return {"candidates": [memory_shape(memory) for memory in found]}


async def promote(garden: Garden, asked: counting.Promote, speaker: Speaker) -> answers.MemoryRecord:
    memory = await garden.get(asked.id)
    if speaker == "agent" and memory.tainted:
        raise NotAllowed(f"{memory.id} is outside text: ask the user to run `nightgarden promote {memory.id}`")
    return memory_shape(await garden.learn.tiers.promote(asked.id, actor=speaker))


async def pin(garden: Garden, asked: counting.Pin, speaker: Speaker) -> answers.MemoryRecord:
    return memory_shape(await garden.learn.tiers.pin(asked.id, actor=speaker))


async def unpin(garden: Garden, asked: counting.Unpin, speaker: Speaker) -> answers.MemoryRecord:
    return memory_shape(await garden.learn.tiers.unpin(asked.id, actor=speaker))


async def describe_tag(garden: Garden, asked: counting.DescribeTag, speaker: Speaker) -> Annotated[answers.Record, Tag]:
    return to_record(await garden.learn.tiers.describe_tag(asked.tag, asked.description, actor=speaker))


async def list_missions(garden: Garden, asked: missions.MissionsRequest, speaker: Speaker) -> told.MissionsAnswer:
    return {"missions": [to_record(each) for each in await garden.learn.missions.list(ended=not asked.active)]}


async def mission(garden: Garden, asked: missions.MissionRequest, speaker: Speaker) -> told.MissionAnswer:
    found = await garden.learn.missions.get(asked.id)
    memories = await garden.learn.missions.memories(found.id)
    return {"mission": to_record(found), "memories": [memory_shape(memory) for memory in memories]}


async def mission_start(garden: Garden, asked: missions.MissionStart, speaker: Speaker) -> told.MissionStartedAnswer:
    started = await garden.learn.missions.start(
        asked.name, goal=asked.goal, agent=asked.agent, session_id=asked.session_id, actor=speaker
    )
    return {"mission": to_record(started)}


async def mission_note(garden: Garden, asked: missions.MissionNote, speaker: Speaker) -> answers.VerdictAnswer:
    return verdict_shape(await garden.learn.missions.note(asked.text, mission_id=asked.mission, actor=speaker))


async def mission_end(garden: Garden, asked: missions.MissionEndRequest, speaker: Speaker) -> told.MissionEndedAnswer:
    ended = await garden.learn.missions.end(asked.outcome, mission_id=asked.mission, reason=asked.reason, actor=speaker)
    return {"mission": to_record(ended.mission), "report": report_shape(ended.report)}


async def mission_promote(garden: Garden, asked: missions.MissionPromote, speaker: Speaker) -> answers.VerdictAnswer:
    need_own(speaker, await garden.get(asked.id))
    return verdict_shape(await garden.learn.missions.promote(asked.id, actor=speaker))


async def core(garden: Garden, asked: missions.CoreRequest, speaker: Speaker) -> told.CoreAnswer:
    kept = garden.learn.core(asked.agent)
    return cast(told.CoreAnswer, {"agent": kept.agent, **to_record(await kept.show())})


async def core_update(garden: Garden, asked: missions.CoreUpdate, speaker: Speaker) -> told.CoreAnswer:
    kept = garden.learn.core(asked.agent)
    given: dict[str, Any] = {name: value for name, value in vars(asked).items() if name != "agent"}
    return cast(told.CoreAnswer, {"agent": kept.agent, **to_record(await kept.edit(**given, actor=speaker))})


async def core_history(garden: Garden, asked: missions.CoreHistory, speaker: Speaker) -> told.CoreHistoryAnswer:
    return {"versions": [to_record(version) for version in await garden.learn.core(asked.agent).history()]}


async def capture_pr(garden: Garden, asked: capturing.CapturePr, speaker: Speaker) -> told.CapturedAnswer:
    if (asked.payload is None) == (asked.event is None):
        raise BadInput("capture_pr needs either payload, as text, or event, as an object")
    payload = asked.payload if asked.payload is not None else json.dumps(asked.event)
    return report_shape(await garden.learn.capture.pr(payload))


async def capture_errors(garden: Garden, asked: capturing.CaptureErrors, speaker: Speaker) -> told.CapturedAnswer:
    return report_shape(await garden.learn.capture.errors(asked.log))


async def captured(garden: Garden, asked: capturing.CaptureStatusRequest, speaker: Speaker) -> told.CaptureStatusAnswer:
    return cast(told.CaptureStatusAnswer, to_record(await garden.learn.capture.status()))


async def digest(garden: Garden, asked: capturing.DigestRequest, speaker: Speaker) -> told.DigestAnswer:
    found = await garden.learn.digest.look()
    return {"digest": to_record(found) if found is not None else None}


async def notebook_sync(garden: Garden, asked: capturing.NotebookSync, speaker: Speaker) -> told.NotebookSyncAnswer:
    return cast(told.NotebookSyncAnswer, to_record(await garden.learn.notebook.sync()))


async def notebook_status(
    garden: Garden, asked: capturing.NotebookStatusRequest, speaker: Speaker
) -> told.NotebookStatusAnswer:
    notebook = garden.learn.notebook
    shape = to_record(await notebook.status()) | {"linked": list(notebook.linked())}
    return cast(told.NotebookStatusAnswer, shape)


PERFORM: dict[str, Perform] = {
    "similar": similar,
    "candidates": candidates,
    "promote": promote,
    "pin": pin,
    "unpin": unpin,
    "describe_tag": describe_tag,
    "missions": list_missions,
    "mission": mission,
    "mission_start": mission_start,
    "mission_note": mission_note,
    "mission_end": mission_end,
    "mission_promote": mission_promote,
    "core": core,
    "core_update": core_update,
    "core_history": core_history,
    "capture_pr": capture_pr,
    "capture_errors": capture_errors,
    "captured": captured,
    "digest": digest,
    "notebook_sync": notebook_sync,
    "notebook_status": notebook_status,
}
