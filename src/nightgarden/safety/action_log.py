"""The action log: every call of an agent, what was decided about it, by which rule, and what came of it. Values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from nightgarden.domain.memory import GLOBAL, Scope
from nightgarden.domain.time import write_moment


class ActionTier(StrEnum):
    """What was decided."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class ActionStatus(StrEnum):
    """What came of a call."""

    STARTED = "started"  # still running, or the process ended meanwhile
    DONE = "done"
    FAILED = "failed"
    ASKED = "asked"
    DENIED = "denied"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionEntry:
    """One call. Its texts are redacted."""

    id: str
    at: datetime
    cycle: str = ""
    scope: Scope = GLOBAL
    tool: str
    description: str
    tier: ActionTier
    rules: tuple[str, ...]
    reasons: tuple[str, ...] = ()  # the sentences of the rules and what they were seen in
    status: ActionStatus
    request_id: str = ""
    tainted: bool = False
    detail: str = ""  # of a failure, or the first words of the answer


def action_shape(entry: ActionEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "at": write_moment(entry.at),
        "cycle": entry.cycle or None,
        "scope": str(entry.scope),
        "tool": entry.tool,
        "description": entry.description,
        "tier": entry.tier.value,
        "rules": list(entry.rules),
        "reasons": list(entry.reasons),
        "status": entry.status.value,
        "request_id": entry.request_id or None,
        "tainted": entry.tainted,
        "detail": entry.detail,
    }
