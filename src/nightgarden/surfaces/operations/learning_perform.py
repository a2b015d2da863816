"""Performs the operations on missions, tiers, core memory, captures, digest and notebook."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from nightgarden.domain.record import to_record
from nightgarden.errors import BadInput, NotAllowed
from nightgarden.garden import Garden
from nightgarden.learn.capture.taking import CaptureReport
from nightgarden.surfaces.cli.shapes import memory_shape, recalled_shape, verdict_shape
from nightgarden.surfaces.operations.speaker import need_own

Arguments = dict[str, Any]
Result = dict[str, Any]
_CORE = ("summary", "conventions", "preferences", "focus", "notes", "reason")


def report_shape(report: CaptureReport) -> Result:
    """`{"cycle", "stored", "known", "refused"}`."""
    return {"cycle": report.cycle, "stored": report.stored, "known": report.known, "refused": report.refused}


async def _similar(garden: Garden, a: Arguments) -> Result:
    return recalled_shape(await garden.similar(a["id"], limit=a.get("limit"), scope=a.get("scope")))


async def _candidates(garden: Garden, a: Arguments) -> Result:
    scopes = garden.scopes(a.get("scope"))
    found = await garden.learn.tiers.candidates(scopes=scopes, limit=a.get("limit", 50))
    return {"memories": [memory_shape(memory) for memory in found]}


async def _promote(garden: Garden, a: Arguments) -> Result:
    memory = await garden.get(a["id"])
    if a["actor"] == "agent" and memory.tainted:
        raise NotAllowed(f"{memory.id} is outside text: ask the user to run `nightgarden promote {memory.id}`")
    return memory_shape(await garden.learn.tiers.promote(a["id"], actor=a["actor"]))


async def _pin(garden: Garden, a: Arguments) -> Result:
    _users(a, "pin")
    return memory_shape(await garden.learn.tiers.pin(a["id"], actor=a["actor"]))


async def _unpin(garden: Garden, a: Arguments) -> Result:
    _users(a, "unpin")
    return memory_shape(await garden.learn.tiers.unpin(a["id"], actor=a["actor"]))


def _users(a: Arguments, command: str) -> None:
    if a["actor"] == "agent":
        raise NotAllowed(f"pinning is the user's decision: ask them to run `nightgarden {command} {a['id']}`")


async def _describe_tag(garden: Garden, a: Arguments) -> Result:
    return to_record(await garden.learn.tiers.describe_tag(a["tag"], a["description"], actor=a["actor"]))


async def _missions(garden: Garden, a: Arguments) -> Result:
    found = await garden.learn.missions.list(ended=not a.get("active", False))
    return {"missions": [to_record(mission) for mission in found]}


async def _mission(garden: Garden, a: Arguments) -> Result:
    mission = await garden.learn.missions.get(a["id"])
    memories = await garden.learn.missions.memories(mission.id)
    return {"mission": to_record(mission), "memories": [memory_shape(memory) for memory in memories]}


async def _mission_start(garden: Garden, a: Arguments) -> Result:
    given = {name: a[name] for name in ("goal", "agent", "session_id", "actor") if name in a}
    return {"mission": to_record(await garden.learn.missions.start(a["name"], **given))}


async def _mission_note(garden: Garden, a: Arguments) -> Result:
    verdict = await garden.learn.missions.note(a["text"], mission_id=a.get("mission"), actor=a["actor"])
    return verdict_shape(verdict)


async def _mission_end(garden: Garden, a: Arguments) -> Result:
    ended = await garden.learn.missions.end(
        a["outcome"], mission_id=a.get("mission"), reason=a.get("reason", ""), actor=a["actor"]
    )
    return {"mission": to_record(ended.mission), "report": report_shape(ended.report)}


async def _mission_promote(garden: Garden, a: Arguments) -> Result:
    need_own(a["actor"], await garden.get(a["id"]))
    return verdict_shape(await garden.learn.missions.promote(a["id"], actor=a["actor"]))


async def _core(garden: Garden, a: Arguments) -> Result:
    core = garden.learn.core(a.get("agent"))
    return {"agent": core.agent, **to_record(await core.show())}


async def _core_update(garden: Garden, a: Arguments) -> Result:
    core = garden.learn.core(a.get("agent"))
    given = {name: a[name] for name in _CORE if name in a}
    return {"agent": core.agent, **to_record(await core.edit(**given, actor=a["actor"]))}


async def _core_history(garden: Garden, a: Arguments) -> Result:
    return {"versions": [to_record(version) for version in await garden.learn.core(a.get("agent")).history()]}


async def _capture_pr(garden: Garden, a: Arguments) -> Result:
    if ("payload" in a) == ("event" in a):
        raise BadInput("capture_pr needs either payload, as text, or event, as an object")
    payload = a["payload"] if "payload" in a else json.dumps(a["event"])
    return report_shape(await garden.learn.capture.pr(payload))


async def _capture_errors(garden: Garden, a: Arguments) -> Result:
    return report_shape(await garden.learn.capture.errors(a.get("log")))


async def _captured(garden: Garden, a: Arguments) -> Result:
    return to_record(await garden.learn.capture.status())


async def _digest(garden: Garden, a: Arguments) -> Result:
    found = await garden.learn.digest.look()
    return {"digest": to_record(found) if found is not None else None}


async def _notebook_sync(garden: Garden, a: Arguments) -> Result:
    return to_record(await garden.learn.notebook.sync())


async def _notebook_status(garden: Garden, a: Arguments) -> Result:
    return to_record(await garden.learn.notebook.status()) | {"linked": list(garden.learn.notebook.linked())}


LEARNING: dict[str, Callable[[Garden, Arguments], Awaitable[Result]]] = {
    "similar": _similar,
    "candidates": _candidates,
    "promote": _promote,
    "pin": _pin,
    "unpin": _unpin,
    "describe_tag": _describe_tag,
    "missions": _missions,
    "mission": _mission,
    "mission_start": _mission_start,
    "mission_note": _mission_note,
    "mission_end": _mission_end,
    "mission_promote": _mission_promote,
    "core": _core,
    "core_update": _core_update,
    "core_history": _core_history,
    "capture_pr": _capture_pr,
    "capture_errors": _capture_errors,
    "captured": _captured,
    "digest": _digest,
    "notebook_sync": _notebook_sync,
    "notebook_status": _notebook_status,
}
