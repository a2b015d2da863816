"""What was captured, by what it was captured from: a second look at the same thing finds it here and does nothing.

Holds keys, ids and rules; never a word of what was said. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from nightgarden.domain.memory import Scope

CLAIM_LASTS = timedelta(minutes=10)  # whoever claimed it and did not finish is gone by then


class Source(StrEnum):
    """What something was captured from."""

    INTERRUPTION = "interruption"  # the user stopped the agent and said what was wrong
    CORRECTION = "correction"  # the user corrected the agent while it worked
    ERROR = "error"  # a command failed, and what was done until it worked
    ERROR_CLUSTER = "error_cluster"  # the same error in several sessions
    CHECK = "check"  # a check of a pull request failed
    REVIEW = "review"  # a comment in a review
    MISSION_SUCCESS = "mission_success"
    MISSION_FAILURE = "mission_failure"
    COMPACTION = "compaction"  # what a client's summary lists as learned
    GAP = "gap"  # a question that had no answer, looked at again


class CaptureStatus(StrEnum):
    """How far it has come."""

    CLAIMED = "claimed"
    STORED = "stored"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """One line of the ledger."""

    source: Source
    status: CaptureStatus
    at: datetime
    memory_id: str | None = None
    rule: str = ""  # why it was refused
    cycle: str = ""  # what was written is taken back by this

    def is_over(self, now: datetime) -> bool:
        """Whether it is done with; a claim that nobody finished may be taken over."""
        return self.status is not CaptureStatus.CLAIMED or now - self.at < CLAIM_LASTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusals:
    """How often something offered for capture was turned away, by reason."""

    counts: Mapping[str, int] = field(default_factory=dict)

    def with_more(self, more: Mapping[str, int]) -> Refusals:
        names = sorted({*self.counts, *more})
        return Refusals(counts={name: self.counts.get(name, 0) + more.get(name, 0) for name in names})


def ledger_key(scope: Scope, source: Source, key: str) -> str:
    """Unique for a project, a source and what it names."""
    digest = hashlib.sha256(f"{scope}\x1f{source}\x1f{key}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{source}:{digest[:32]}"
