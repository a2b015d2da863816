"""Requests about the ambient agent."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg

AMBIENT_ACTIONS = ("pause", "resume", "stop", "run")


class AmbientPanel(OperationRequest, name="ambient", reads=True):
    """How the ambient agent is doing: its state, next wake, budget and last cycles."""

    cycles: int = arg("how many of the last cycles", default=10, min=1, max=1000, short="n")


class AmbientControl(OperationRequest, name="ambient_control", users_only="ambient"):
    """Pause the ambient agent, let it run again, end the cycle that is running, or run one now."""

    action: str = arg("what it should do", choices=AMBIENT_ACTIONS)
    reason: str = arg("why it is paused; shown in its status", default="")


class TendRequest(OperationRequest, name="tend", users_only="tend"):
    """Tend the garden now, as the daemon does when you are idle: merge duplicates, check claims, fade and link."""
