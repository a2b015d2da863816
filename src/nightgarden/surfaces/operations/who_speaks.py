"""Who speaks through a channel, and what an agent does not do in its user's name. Pure.

The channel says who speaks, never the caller: the command line and the dashboard's own session are the user's, MCP and
the API token are an agent's. On the local socket the command line says that it speaks for the user. Does not cover an
agent that runs the command line itself, or writes to that socket in its place: whoever may start programs as the user
is the user to every program.
"""

from __future__ import annotations

from typing import Any, Literal

from nightgarden.domain.memory import AGENT_SAID, HAPPENED, USER_SAID, Memory, Provenance
from nightgarden.domain.requests.declare import OperationRequest
from nightgarden.errors import NotAllowed

Speaker = Literal["user", "agent"]
AGENT_PROVENANCE = (Provenance.OBSERVED, Provenance.INFERRED)


def arguments_of(speaker: Speaker, request: type[OperationRequest], arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments as this speaker may give them. Raises NotAllowed."""
    if speaker == "user":
        return arguments
    if request.users_only:
        raise NotAllowed(
            f"{request.operation} is the user's decision: ask them to run `nightgarden {request.users_only}`"
        )
    for name, value in arguments.items():
        field = request.fields[name]
        if field.users and value != field.default:
            raise NotAllowed(f"{name} is the user's decision: ask them to run `{field.users}`")
    if request.operation in ("remember", "update") and arguments.get("category") in HAPPENED:
        raise NotAllowed(
            f"{arguments['category']} is what nightgarden itself records of sessions: store what is worth knowing "
            "beyond this session as a fact, decision or gotcha"
        )
    if request.operation == "remember":
        arguments = {"provenance": Provenance.OBSERVED.value} | arguments
        if arguments["provenance"] not in AGENT_PROVENANCE:
            raise NotAllowed(
                f"{arguments['provenance']} is not an agent's to say: store what you saw as observed, what you "
                "concluded as inferred; what the user says is kept from the session itself"
            )
    return arguments


def need_own(speaker: Speaker, memory: Memory) -> None:
    """An agent changes no statement of its user. Raises NotAllowed."""
    if speaker == "agent" and (memory.pinned or memory.provenance in USER_SAID):
        raise NotAllowed(
            f"{memory.id} is the user's own statement: store what you know beside it with remember, "
            f"or ask the user to run `nightgarden edit {memory.id}`"
        )


def said_by(memory: Memory) -> str:
    """Whose word a memory is, in a word for people."""
    if memory.tainted:
        return "outside text"
    if memory.provenance in USER_SAID:
        return "the user"
    return "an agent" if memory.provenance in AGENT_SAID else memory.provenance.value
