"""Requests about the ambient agent."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg


class AmbientPanel(OperationRequest, name="ambient", reads=True):
    """How the ambient agent is doing: its state, next wake, budget and last cycles."""

    cycles: int = arg("how many of the last cycles", default=10, min=1, max=1000, short="n")
