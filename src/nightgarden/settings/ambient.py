"""[ambient]: the agent that works in the background."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbientSettings:
    """[ambient] The agent that works in the background."""
