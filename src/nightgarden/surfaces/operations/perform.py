"""Performs an operation of the catalogue on a garden, and gives its answer as JSON-ready values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from nightgarden.domain.requests.declare import OperationRequest
from nightgarden.errors import BadInput, NotAllowed
from nightgarden.garden import Garden
from nightgarden.surfaces.operations import (
    on_ambient,
    on_learning,
    on_memories,
    on_missions,
    on_people,
    on_sessions,
    on_turns,
)
from nightgarden.surfaces.operations.id_prefixes import with_whole_ids
from nightgarden.surfaces.operations.registry import OPERATIONS
from nightgarden.surfaces.operations.safety import PERFORM_SAFETY
from nightgarden.surfaces.operations.spec import offered, read_arguments
from nightgarden.surfaces.operations.who_speaks import Speaker, arguments_of

Perform = Callable[[Garden, Any, Speaker], Awaitable[Any]]
_WHILE_OFF = ("stats",)  # says nothing of what is remembered


async def perform(garden: Garden, name: str, given: Mapping[str, Any], speaker: Speaker = "agent") -> dict[str, Any]:
    """Runs one operation for whoever speaks through the channel it came by. Raises the errors of the garden, BadInput
    for arguments that do not fit, and NotAllowed for what only the user decides."""
    request = OPERATIONS.get(name)
    if request is None:
        raise BadInput(f"there is no operation {name!r}; known are {', '.join(OPERATIONS)}")
    arguments = arguments_of(speaker, request, read_arguments(name, offered(request), given))
    if speaker == "agent" and name not in _WHILE_OFF and await garden.is_off():
        return _off(request, arguments)
    if speaker == "agent" and name != "hook":  # which says itself who acts
        garden = await garden.acting(session_id=arguments.get("session_id") or "")
    asked = request(**await with_whole_ids(garden, request, arguments))
    answer: dict[str, Any] = await PERFORM[name](garden, asked, speaker)
    return answer


def _off(request: type[OperationRequest], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What an agent is told while the user has switched memory off: its hooks nothing, its tools that it is so."""
    if request.operation == "hook":
        return {"stdout": "❀ off" if arguments["event"] == "StatusLine" else ""}
    raise NotAllowed("the user has switched memory off here; go on without it (`nightgarden on` switches it on)")


PERFORM: dict[str, Perform] = {
    "remember": on_memories.remember,
    "recall": on_memories.recall,
    "search": on_memories.search,
    "list": on_memories.list_memories,
    "get": on_memories.get,
    "show": on_memories.show,
    "update": on_memories.update,
    "forget": on_memories.forget,
    "restore": on_memories.restore,
    "purge": on_memories.purge,
    "person_traces": on_people.traces,
    "purge_person": on_people.purge,
    "feedback": on_memories.feedback,
    "flagged": on_memories.flagged,
    "settle_flag": on_memories.settle_flag,
    "tag": on_memories.tag,
    "tags": on_memories.tags,
    "link": on_memories.link,
    "related": on_memories.related,
    "history": on_memories.history,
    "undo": on_memories.undo,
    "projects": on_memories.projects,
    "stats": on_memories.stats,
    "turn": on_turns.turn,
    "briefing": on_turns.briefing,
    "hook": on_turns.hook,
    "surfaced": on_turns.surfaced,
    "gaps": on_turns.gaps,
    "close_gap": on_turns.close_gap,
    "episodes": on_learning.episodes,
    "episode": on_learning.episode,
    "procedures": on_learning.procedures,
    "procedure": on_learning.procedure,
    "procedure_add": on_learning.procedure_add,
    "procedure_outcome": on_learning.procedure_outcome,
    "procedure_history": on_learning.procedure_history,
    "schedule": on_learning.schedule_add,
    "scheduled": on_learning.scheduled,
    "schedule_close": on_learning.schedule_close,
    "sessions_search": on_sessions.search,
    "sessions_list": on_sessions.list_sessions,
    "session": on_sessions.get,
    "session_extract": on_sessions.extract,
    "sessions_pending": on_sessions.pending,
    "sessions_allow": on_sessions.allow,
    "similar": on_missions.similar,
    "candidates": on_missions.candidates,
    "promote": on_missions.promote,
    "pin": on_missions.pin,
    "unpin": on_missions.unpin,
    "describe_tag": on_missions.describe_tag,
    "missions": on_missions.list_missions,
    "mission": on_missions.mission,
    "mission_start": on_missions.mission_start,
    "mission_note": on_missions.mission_note,
    "mission_end": on_missions.mission_end,
    "mission_promote": on_missions.mission_promote,
    "core": on_missions.core,
    "core_update": on_missions.core_update,
    "core_history": on_missions.core_history,
    "capture_pr": on_missions.capture_pr,
    "capture_errors": on_missions.capture_errors,
    "captured": on_missions.captured,
    "digest": on_missions.digest,
    "notebook_sync": on_missions.notebook_sync,
    "notebook_status": on_missions.notebook_status,
    **PERFORM_SAFETY,
    "ambient": on_ambient.panel,
}
