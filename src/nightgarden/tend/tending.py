"""What the operations of one run share: the store, the moment, the memories, and what the rooms above lend.

Tending does not read sessions, load models or know where projects are; whoever starts it passes that in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nightgarden.domain.classify import Classifier
from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.learning import Ask, Lessons
from nightgarden.domain.memory import Scope
from nightgarden.domain.mind import Mind
from nightgarden.domain.ports import EmbeddingModel, Store
from nightgarden.domain.session import Session
from nightgarden.domain.time import read_moment, write_moment
from nightgarden.settings import Settings
from nightgarden.tend.counsel import Counsel
from nightgarden.tend.idle import Idleness
from nightgarden.tend.keys import LAST
from nightgarden.tend.live_statements import Snapshot

if TYPE_CHECKING:  # numpy takes 60 ms to import; the figures of `stats` do without
    from nightgarden.tend.meanings import Meanings
    from nightgarden.tend.pair_relations import Relations


@dataclass(frozen=True, slots=True, kw_only=True)
class LentTending:
    """What the rooms that tending may not import do for it."""

    model: EmbeddingModel | None = None  # whose vectors tell what is near; None: by words alone
    classifier: Callable[[], Awaitable[Classifier | None]] | None = None  # reads near pairs; None: exact signs do
    backfill: Callable[[], Awaitable[int]] | None = None  # makes missing vectors; how many it made
    pending_sessions: Callable[[], Awaitable[list[str]]] | None = None  # ids of sessions not read to their end
    extract: Callable[[str, str], Awaitable[int]] | None = None  # session, cycle: how many memories came of it
    roots: Mapping[Scope, Path] = field(default_factory=dict)  # where each project is on this machine
    mind: Mind | None = None  # asked for better texts and hard verdicts; everything works without
    learn: Callable[[datetime, Ask], Awaitable[Lessons]] | None = None  # what sessions teach, as changes to make
    queued: Callable[[Scope], Awaitable[Mapping[str, datetime]]] | None = None  # to be verified, and since when
    nearness: Callable[[str, Sequence[str]], Awaitable[list[float] | None]] | None = None  # cosines of a text to others


@dataclass(slots=True, kw_only=True)
class Tending:
    """One run, as its operations see it."""

    store: Store
    settings: Settings
    lent: LentTending
    now: datetime
    cycle: str
    full: bool
    dry_run: bool
    snapshot: Snapshot
    last: Mapping[str, Mapping[str, Any]]  # by operation, as it was when the run began
    counsel: Counsel
    touched: frozenset[str] = frozenset()  # what the operation at hand changed before its run broke off
    _relations: Relations | None = None
    _meanings: Meanings | None = None
    _sessions: Sequence[Session] | None = None
    _idleness: Idleness | None = None

    @property
    def model_id(self) -> str | None:
        return self.lent.model.id if self.lent.model is not None else None

    async def classifier(self) -> Classifier | None:
        """The networks that read pairs, loaded when first needed."""
        return await self.lent.classifier() if self.lent.classifier is not None else None

    async def relations(self) -> Relations:
        """How near pairs relate, as far as this run has read them; the operation that asks for it may read on."""
        if self._relations is None:
            from nightgarden.tend.pair_relations import Relations  # with `meanings`

            self._relations = Relations(await self.classifier(), self.lent.model)
        edges = [edge async for page in self.store.all_edges(kinds=[EdgeKind.CONTRADICTS]) for edge in page]
        self._relations.read_on({frozenset((edge.source, edge.target)) for edge in edges})
        return self._relations

    async def sessions(self) -> Sequence[Session]:
        """All sessions without their messages, read when first needed."""
        if self._sessions is None:
            self._sessions = await self.store.list_sessions()
        return self._sessions

    async def idleness(self) -> Idleness:
        """Made when first needed, so that what the run itself archives changes nobody's age."""
        if self._idleness is None:
            self._idleness = Idleness(await self.sessions(), self.snapshot.memories.values())
        return self._idleness

    async def meanings(self, *, current: bool = False) -> Meanings:
        """The vectors of all live memories, read when first needed. `current` leaves out what the run archived, so that
        what is found among them does not depend on when the run began, or began again."""
        if current and self._meanings is not None and not self._meanings.all_in(self.snapshot.memories):
            self._meanings = None
        if self._meanings is None:
            from nightgarden.tend.meanings import Meanings  # 60 ms with numpy

            self._meanings = await Meanings.load(
                self.store, self.model_id, self.snapshot.memories.values(), now=self.now
            )
        return self._meanings

    def last_at(self, operation: str) -> datetime | None:
        return _moment(self.last.get(operation, {}).get("at"))

    def last_full_at(self, operation: str) -> datetime | None:
        return _moment(self.last.get(operation, {}).get("full_at"))

    def goes_over_all(self, operation: str) -> bool:
        """Whether an operation that mostly looks at what is new should look at everything now."""
        before = self.last_full_at(operation)
        return self.full or before is None or self.now - before >= timedelta(days=self.settings.tend.full_days)

    def fresh(self, operation: str) -> set[str]:
        """Ids of memories that the operation has not looked at yet."""
        return self.snapshot.changed_since(None if self.goes_over_all(operation) else self.last_at(operation))

    def new_since(self, moment: str | None) -> set[str]:
        """Ids of memories that came or changed since then; all when there is no such moment."""
        return self.snapshot.changed_since(_moment(moment))

    def done(self, operation: str, unread: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The state that says that the operation is done now, and from where on it did not read (`due_pairs`)."""
        at = write_moment(self.now)
        full_at = at if self.goes_over_all(operation) else self.last.get(operation, {}).get("full_at")
        return {LAST + operation: {"at": at, "full_at": full_at, "cycle": self.cycle, **(unread or {})}}


def _moment(text: Any) -> datetime | None:
    return read_moment(text) if isinstance(text, str) else None
