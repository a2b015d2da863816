"""Who speaks through a channel, and what an agent does not do in its user's name. Pure.

The channel says who speaks, never the caller: the command line and the dashboard's own session are the user's, MCP, the
API token and the local socket are an agent's. Does not cover an agent that runs the command line itself: whoever
may start programs as the user is the user to every program.
"""

from __future__ import annotations

from typing import Any, Literal

from nightgarden.domain.memory import AGENT_SAID, USER_SAID, Memory, Provenance
from nightgarden.errors import NotAllowed

Speaker = Literal["user", "agent"]
# Decisions about what is believed and what may happen, each with its command.
_USERS_ONLY = {
    "restore": "restore",
    "settle_flag": "flagged",
    "undo": "undo",
    "permission_decide": "permissions approve",
    "directive_add": "directives add",
}
AGENT_PROVENANCE = (Provenance.OBSERVED, Provenance.INFERRED)


def arguments_of(speaker: Speaker, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments as this speaker may give them, with who speaks. Raises NotAllowed."""
    if speaker == "agent":
        if command := _USERS_ONLY.get(name):
            raise NotAllowed(f"{name} is the user's decision: ask them to run `nightgarden {command}`")
        if arguments.get("pinned") or (name == "update" and "pinned" in arguments):
            raise NotAllowed("pinning is the user's decision: ask them to run `nightgarden edit ID --pin`")
        if name == "remember":
            arguments = {"provenance": Provenance.OBSERVED.value} | arguments
            if arguments["provenance"] not in AGENT_PROVENANCE:
                raise NotAllowed(
                    f"{arguments['provenance']} is not an agent's to say: store what you saw as observed, what you "
                    "concluded as inferred; what the user says is kept from the session itself"
                )
    return arguments | {"actor": speaker}


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
