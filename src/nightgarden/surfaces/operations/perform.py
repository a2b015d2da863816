"""Performs an operation of the catalogue on a garden, and gives its answer as JSON-ready values."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, get_type_hints

from nightgarden.domain.requests.declare import OperationRequest
from nightgarden.errors import BadInput, NotAllowed
from nightgarden.garden import Garden
from nightgarden.surfaces.operations.id_prefixes import with_whole_ids
from nightgarden.surfaces.operations.performer import Perform
from nightgarden.surfaces.operations.spec import offered, read_arguments
from nightgarden.surfaces.operations.who_speaks import Speaker, arguments_of

_LOADED_BY_VERBS = (  # of the garden, each when it is first called
    *("facade.care", "facade.files", "facade.memory_writes", "facade.scheduling", "facade.starting", "facade.stats"),
    *("learn.verbs", "minds.minds", "models.queue", "sessions.turn", "tend.undo"),
)
_WHILE_OFF = ("stats",)  # says nothing of what is remembered


async def perform(garden: Garden, name: str, given: Mapping[str, Any], speaker: Speaker = "agent") -> dict[str, Any]:
    """Runs one operation for whoever speaks through the channel it came by. Raises the errors of the garden, BadInput
    for arguments that do not fit, and NotAllowed for what only the user decides."""
    from nightgarden.surfaces.operations.registry import OPERATIONS  # 10 ms, which a command knows its request without

    request = OPERATIONS.get(name)
    if request is None:
        raise BadInput(f"there is no operation {name!r}; known are {', '.join(OPERATIONS)}")
    return await perform_request(garden, request, given, speaker)


async def perform_request(
    garden: Garden, request: type[OperationRequest], given: Mapping[str, Any], speaker: Speaker
) -> dict[str, Any]:
    """The same for an operation that is known by its request."""
    name = request.operation
    arguments = arguments_of(speaker, request, read_arguments(name, offered(request), given))
    if speaker == "agent" and name not in _WHILE_OFF and await garden.is_off():
        return _off(request, arguments)
    if speaker == "agent" and name != "hook":  # which says itself who acts
        garden = await garden.acting(session_id=arguments.get("session_id") or "")
    asked = request(**await with_whole_ids(garden, request, arguments))
    answer: dict[str, Any] = await performer_of(request)(garden, asked, speaker)
    return answer


def _off(request: type[OperationRequest], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What an agent is told while the user has switched memory off: its hooks nothing, its tools that it is so."""
    if request.operation == "hook":
        return {"stdout": "❀ off" if arguments["event"] == "StatusLine" else ""}
    raise NotAllowed("the user has switched memory off here; go on without it (`nightgarden on` switches it on)")


def performer_of(request: type[OperationRequest]) -> Perform:
    """Who performs an operation: the module that stands beside the one which declares its request. It is loaded when
    the first of its operations is asked for."""
    match request.__module__.rpartition(".")[2]:
        case "reading" | "writing":
            from nightgarden.surfaces.operations.on_memories import PERFORM  # all of these together take 240 ms
        case "people":
            from nightgarden.surfaces.operations.on_people import PERFORM  # as above
        case "turns" | "hooks":
            from nightgarden.surfaces.operations.on_turns import PERFORM  # as above
        case "learning" | "schedule":
            from nightgarden.surfaces.operations.on_learning import PERFORM  # as above
        case "sessions":
            from nightgarden.surfaces.operations.on_sessions import PERFORM  # as above
        case "counting" | "missions" | "capturing":
            from nightgarden.surfaces.operations.on_missions import PERFORM  # as above
        case "safety":
            from nightgarden.surfaces.operations.safety import PERFORM  # as above
        case "ambient":
            from nightgarden.surfaces.operations.on_ambient import PERFORM  # as above
        case other:
            raise NotImplementedError(f"nobody performs the requests of {other}")
    return PERFORM[request.operation]


def answer_of(request: type[OperationRequest]) -> Any:
    """The type of an operation's answer, as its performer declares it."""
    from nightgarden.surfaces.operations import answer_types  # 30 ms; only who describes operations needs types

    performer = performer_of(request)
    return get_type_hints(performer, {"answers": answer_types, **performer.__globals__}, include_extras=True)["return"]


def load_everything() -> None:
    """Loads whatever operations need, for a process that serves many: nobody who asks has to wait for it then."""
    from nightgarden.surfaces.operations.registry import OPERATIONS  # 500 ms with all that follows

    for name in _LOADED_BY_VERBS:
        import_module(f"nightgarden.{name}")
    for request in OPERATIONS.values():
        performer_of(request)
