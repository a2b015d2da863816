"""What of a file comes in, and as whose word. Pure.

A file is outside text unless its user vouches for it: anybody can write one that says "the user stated". What is in it
is then stored as imported, with what it claimed to be noted; its history, its sessions and its purge marks, which would
be taken for this user's own, stay out. A file that is vouched for keeps who said what. Secrets come in from neither.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from nightgarden.domain.belief import TAINTED_TRUST, TRUST
from nightgarden.domain.gate import Gate
from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.memory import Memory, Provenance, Tier
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.redact import scrub
from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.verdict import Refused

Record = dict[str, Any]
# Words that were said are kept as sessions keep them: with what is secret blacked out, not refused.
_SAID = {"session": "title", "message": "text", "passage": "content", "gap": "snippet"}
_OWN = frozenset({"session", "message", "passage", "journal", "tombstone", "mind_call"})
_DECISIONS = frozenset({EdgeKind.SUPERSEDES.value, EdgeKind.CONTRADICTS.value})
SAYS = "imported; the file says "


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Under which terms a file is taken in, and when."""

    gate: Gate
    trusted: bool
    at: datetime
    cycle: str | None = None  # in which what has no history of its own is written


def admit(record: Record, terms: Terms) -> Record | Refused | None:
    """The record as it may come in, the rule that keeps it out, or None: only the user's own file brings such."""
    kind = record["type"]
    if not terms.trusted and (kind in _OWN or (kind == "edge" and record["kind"] in _DECISIONS)):
        return None
    if kind in _SAID:
        record = record | {_SAID[kind]: scrub(record[_SAID[kind]], find_secrets)}
        refused = terms.gate.refuse({name: value for name, value in record.items() if name != _SAID[kind]})
    else:
        refused = terms.gate.refuse(record)
    if refused is not None:
        return refused
    return record if terms.trusted else _as_outside(record)


def _as_outside(record: Record) -> Record:
    match record["type"]:
        case "memory":
            return {"type": "memory"} | to_record(as_imported(from_record(Memory, record)))
        case "document":  # a task: told, never carried out, whatever it asks for
            return record | {"value": record["value"] | {"tainted": True, "target": "tell"}}
        case _:
            return record


def as_imported(memory: Memory) -> Memory:
    """A memory of a file nobody vouches for: outside text, never pinned, believed as such, seen once."""
    known = memory.provenance is Provenance.IMPORTED and memory.confidence_reason
    return replace(
        memory,
        provenance=Provenance.IMPORTED,
        confidence_reason=memory.confidence_reason if known else f"{SAYS}{memory.provenance.value.replace('_', ' ')}",
        tainted=True,
        trust=min(TRUST[Provenance.IMPORTED], TAINTED_TRUST),
        confidence=min(memory.confidence, TRUST[Provenance.IMPORTED]),
        tier=max(memory.tier, Tier.ACTIVE),
        strength=1,
        observation_count=1,
        reinforcements=(),
    )


def is_vouched_for(stored: Memory, record: Record) -> bool:
    """Whether a stored memory came in as outside text, and the user now vouches for a file that says the same."""
    came_in = stored.tainted and stored.provenance is Provenance.IMPORTED
    return came_in and not record.get("tainted") and stored.content == record["content"]
