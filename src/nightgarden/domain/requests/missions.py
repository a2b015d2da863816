"""Requests about missions and core memory."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence

OUTCOMES = ("success", "failure", "cancelled")  # as in domain/mission.py
_AGENT = "whose (default: the agent that acts)"
_WHICH = "id of a mission; the one that goes on when there is only one"


class MissionsRequest(OperationRequest, reads=True):
    """Missions of this project, newest first."""

    active: bool = arg("only those that go on", default=False)


class MissionRequest(OperationRequest, reads=True):
    """One mission with its memories."""

    id: str = arg("id of a mission", positional=True)


class MissionStart(OperationRequest, name="mission_start"):
    """Start a mission: a piece of work with memories of its own."""

    name: str = arg("what it is about, in a few words", positional=True)
    goal: str = arg("when it is done", default="")
    agent: str = arg("only sessions of this agent work on it", default="")
    session_id: str | None = arg("only this session works on it", default=None)


class MissionNote(OperationRequest, name="mission_note"):
    """Remember something for a mission."""

    text: str = arg("one statement", positional=True)
    mission: str | None = arg(_WHICH, default=None)


class MissionEndRequest(OperationRequest, name="mission_end"):
    """End a mission, and hand over to the project what it taught."""

    outcome: str = arg("how it ended", choices=OUTCOMES)
    mission: str | None = arg(_WHICH, default=None)
    reason: str = arg("why; of a failure, what went wrong", default="")


class MissionPromote(OperationRequest, name="mission_promote"):
    """Copy one memory of a mission to its project."""

    id: str = arg("id of a memory of a mission", ids=("memory",))


class CoreRequest(OperationRequest, reads=True):
    """The core memory of an agent in this project."""

    agent: str | None = arg(_AGENT, default=None)


class CoreUpdate(OperationRequest, name="core_update"):
    """Change parts of a core memory; what is left out stays."""

    summary: str | None = arg("what the project is", default=None)
    conventions: Sequence[str] | None = arg("all of them", default=None)
    preferences: Sequence[str] | None = arg("all of them", default=None)
    focus: str | None = arg("what is being worked on", default=None)
    notes: Sequence[str] | None = arg("all of them", default=None)
    reason: str = arg("why; kept in its history", default="")
    agent: str | None = arg(_AGENT, default=None)


class CoreHistory(OperationRequest, name="core_history", reads=True):
    """The versions of a core memory, newest first."""

    agent: str | None = arg(_AGENT, default=None)
