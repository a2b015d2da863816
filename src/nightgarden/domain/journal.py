"""The journal: every change of a memory, edge, tag, cluster, gap or document, with what was before and after.

A change is a pair of values, before and after; its inverse is the pair turned round. The store refuses a change whose
`before` is not what is there, so writers that race learn of each other, and an undo that would overwrite later work is
refused. Entries that belong together share an action, and actions of one run a cycle: an undo takes back all of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from nightgarden.domain.documents import Document, check_step
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import DERIVED, Cluster, Edge, Tag
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.memory import Memory
from nightgarden.errors import BadInput, Conflict

Node = Memory | Edge | Tag | Cluster | Gap | Document
Sides = tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]
CYCLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}")


def check_cycle(cycle: str) -> None:
    """Raises BadInput for what cannot name a cycle."""
    if not CYCLE.fullmatch(cycle):
        raise BadInput(
            f"{cycle[:100]!r} cannot name a cycle; use up to 100 letters, digits, dots, colons, dashes and underscores"
        )


@dataclass(frozen=True, slots=True)
class Change:
    """One node becomes another. `before` None creates, `after` None removes."""

    before: Node | None
    after: Node | None
    reason: str = ""  # why this one; the batch's reason when empty
    part: int = 0  # changes of a batch with the same number are one action


class Operation(StrEnum):
    """What was done. The second part are the operations of tending."""

    REMEMBER = "remember"
    UPDATE = "update"
    FORGET = "forget"
    RESTORE = "restore"
    FEEDBACK = "feedback"
    DECIDE = "decide"
    TAG = "tag"
    LINK = "link"
    IMPORT = "import"
    SERVE = "serve"  # what follows from serving a turn, by itself
    NOTE_GAP = "note_gap"  # by itself
    CLOSE_GAP = "close_gap"
    UNDO = "undo"
    REPAIR = "repair"
    SCHEDULE = "schedule"  # a task that a cycle made, or did

    EXTRACT = "extract"
    LEARN = "learn"  # also at the end of a session, by itself
    BACKFILL = "backfill"
    VERIFY = "verify"
    MERGE = "merge"
    CONSOLIDATE = "consolidate"
    SWEEP = "sweep"
    PRUNE = "prune"
    RESOLVE = "resolve"
    RELATE = "relate"
    TAGS = "tags"
    CLUSTER = "cluster"
    GAPS = "gaps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who makes a batch of changes, by what, why, and in which cycle."""

    actor: str  # user, agent, tend, import, ...
    operation: Operation | None = None
    reason: str = ""
    cycle: str | None = None
    undoes: str | None = None  # the action or cycle that is taken back


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One change as recorded. `before` and `after` hold the fields that differ, or all when the other is None."""

    id: str
    at: datetime
    actor: str
    reason: str
    cycle: str | None
    subject_kind: str  # memory, edge, tag, cluster, gap or document
    subject_id: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
    operation: Operation | None = None  # None: of an earlier version
    action: str = ""  # id of the first entry of what was done at once; empty: of an earlier version
    undoes: str | None = None  # the action or cycle that it takes back


def subject_of(node: Node) -> tuple[str, str]:
    """Kind and id of a node, as the journal names it."""
    return type(node).__name__.lower(), node.key if isinstance(node, Edge) else node.id


def node_of(change: Change) -> Node:
    """The node that a change is about. Raises BadInput for what is no change of one node."""
    node = change.after if change.after is not None else change.before
    if node is None:
        raise BadInput("a change needs a before or an after")
    kind, id = subject_of(node)
    if change.before is not None and (other := subject_of(change.before)) != (kind, id):
        raise BadInput(f"a change cannot turn {' '.join(other)} into {kind} {id}")
    if isinstance(node, Edge) and node.kind in DERIVED:
        raise BadInput(f"{node.kind} edges follow from a memory's tags or a cluster's members; change those instead")
    if isinstance(node, Document):
        check_step(change.before, change.after)
    return node


def expect(current: Node | None, before: Node | None, what: str) -> None:
    """Raises Conflict when what is there is not what a change says was there."""
    if current == before:
        return
    if before is None:
        raise Conflict(f"{what} exists already")
    if current is None:
        raise Conflict(f"{what} is gone")
    raise Conflict(f"{what} was changed by someone else in the meantime; read it again and retry")


class Recorder:
    """Makes the entries of one batch. Changes of the same part get the same action."""

    def __init__(self, origin: Origin, *, at: datetime, ids: IdMaker) -> None:
        self._origin = origin
        self._at = at
        self._ids = ids
        self._actions: dict[int, str] = {}

    def record(self, change: Change, node: Node, sides: Sides) -> JournalEntry:
        """The entry of one change; `sides` are what was before and after, as far as they differ."""
        origin, id = self._origin, self._ids.make(self._at)
        kind, subject_id = subject_of(node)
        return JournalEntry(
            id=id,
            at=self._at,
            actor=origin.actor,
            reason=change.reason or origin.reason,
            cycle=origin.cycle,
            subject_kind=kind,
            subject_id=subject_id,
            before=sides[0],
            after=sides[1],
            operation=origin.operation,
            action=self._actions.setdefault(change.part, id),
            undoes=origin.undoes,
        )
