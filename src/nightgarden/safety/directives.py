"""Directives: what the user told the ambient agent in a reply or on the command line. Values.

A directive stays open until the cycle that was given it has ended; one whose cycle died is given to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from nightgarden.domain.memory import GLOBAL, Scope
from nightgarden.domain.time import write_moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """One instruction of the user."""

    id: str
    text: str
    received_at: datetime
    by: str
    via: str
    scope: Scope = GLOBAL
    in_reply_to: str = ""  # a cycle or a request
    taken_by: str = ""  # the cycle that was told
    consumed_at: datetime | None = None  # when that cycle had ended

    @property
    def status(self) -> str:
        return "consumed" if self.consumed_at else "taken" if self.taken_by else "open"

    def take(self, cycle: str) -> Directive:
        return replace(self, taken_by=cycle)

    def consume(self, at: datetime) -> Directive:
        return replace(self, consumed_at=at)


def directive_shape(directive: Directive) -> dict[str, Any]:
    return {
        "id": directive.id,
        "text": directive.text,
        "status": directive.status,
        "received_at": write_moment(directive.received_at),
        "by": directive.by,
        "via": directive.via,
        "scope": str(directive.scope),
        "in_reply_to": directive.in_reply_to or None,
        "taken_by": directive.taken_by or None,
        "consumed_at": write_moment(directive.consumed_at) if directive.consumed_at else None,
    }
