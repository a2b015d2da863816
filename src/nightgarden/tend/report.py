"""What a run did, as values and in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nightgarden.domain.graph import Edge
from nightgarden.domain.ids import ids_in
from nightgarden.domain.memory import Memory
from nightgarden.tend.loss_gate import Loss
from nightgarden.tend.proposal import Proposal

EXAMPLES = 5
_PLURAL = re.compile(r"\b(?:pair|procedure|session|episode|gap|tag|cluster|question|passage)s\b")


def _one_of(what: str) -> str:
    """The words for many as the words for one: procedures learned, procedure learned."""
    return _PLURAL.sub(lambda match: match[0][:-1], what, count=1)


@dataclass(slots=True, kw_only=True)
class OperationOutcome:
    """What one operation did, or would do."""

    changes: int = 0
    counts: dict[str, int] = field(default_factory=dict)  # proposals by their word
    noted: dict[str, int] = field(default_factory=dict)
    left: int = 0  # met another writer, and are left for the next run
    seconds: float = 0.0
    examples: list[str] = field(default_factory=list)

    def add(self, proposals: Sequence[Proposal]) -> None:
        for proposal in proposals:
            self.changes += len(proposal.changes)
            self.counts[proposal.what] = self.counts.get(proposal.what, 0) + 1
            if len(self.examples) < EXAMPLES:
                self.examples.append(sentence_of(proposal))

    def words(self) -> str:
        parts = [
            f"{number:,} {_one_of(what) if number == 1 else what}"
            for what, number in (*self.counts.items(), *self.noted.items())
        ]
        if self.left:
            parts.append(f"{self.left:,} left, because somebody else was writing")
        return ", ".join(parts) or "nothing to do"

    def shape(self) -> dict[str, Any]:
        return {
            "changes": self.changes,
            "counts": self.counts,
            "noted": self.noted,
            "left": self.left,
            "seconds": round(self.seconds, 3),
            "examples": self.examples,
        }


def sentence_of(proposal: Proposal) -> str:
    """What was done to which memories, named by their ids, and why."""
    if ids_in(proposal.reason):
        return f"{proposal.what}: {proposal.reason}"
    subjects: list[str] = []
    for change in proposal.changes:
        match change.after or change.before:
            case Memory(id=id):
                subjects.append(id)
            case Edge(source=source, target=target) if not subjects:
                subjects += [source, target]
    named = " and ".join(dict.fromkeys(subjects[:2]))
    return f"{proposal.what} {named}: {proposal.reason}" if named else f"{proposal.what}: {proposal.reason}"


def read_outcome(shape: Mapping[str, Any]) -> OperationOutcome:
    """What `shape` wrote."""
    return OperationOutcome(**{name: shape[name] for name in OperationOutcome.__dataclass_fields__ if name in shape})


@dataclass(slots=True, kw_only=True)
class Report:
    """What a run did, or with `dry_run` would do."""

    cycle: str
    dry_run: bool = False
    resumed: bool = False  # goes on with a run that broke off
    operations: dict[str, OperationOutcome] = field(default_factory=dict)
    stopped_at: str | None = None  # the operation that the loss gate stopped
    losses: list[Loss] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def changes(self) -> int:
        return sum(outcome.changes for outcome in self.operations.values())

    def shape(self) -> dict[str, Any]:
        """The documented JSON."""
        return {
            "cycle": self.cycle,
            "changes": self.changes,
            "operations": {name: outcome.shape() for name, outcome in self.operations.items()},
            "dry_run": self.dry_run,
            "resumed": self.resumed,
            "stopped_at": self.stopped_at,
            "losses": [{"scope": str(loss.scope), "archived": loss.archived, "of": loss.of} for loss in self.losses],
            "seconds": round(self.seconds, 3),
        }

    def sentence(self) -> str:
        """The last line of a summary: what to do next."""
        if self.stopped_at is not None:
            lost = "; ".join(map(str, self.losses))
            return (
                f"stopped before {self.stopped_at}: it would archive {lost}. "
                "Look at the plan with --dry-run --allow-loss, then allow it with --allow-loss."
            )
        if self.dry_run:
            return f"{_changes(self.changes)} planned; nothing was changed"
        if not self.changes:
            return "nothing needed changing"
        return f"{_changes(self.changes)} made; to take this back: nightgarden undo {self.cycle}"


def _changes(number: int) -> str:
    return "1 change" if number == 1 else f"{number:,} changes"
