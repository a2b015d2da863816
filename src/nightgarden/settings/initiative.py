"""[initiative]: what is said in chat channels without being asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeSettings:
    """[initiative] What is said in chat channels without being asked."""
