"""Writes what was captured, each thing once: claimed in the ledger, through the gate into the garden, and closed there.

Two that capture the same at once meet at the claim: a document that only one of them can create. A claim that nobody
finished is taken over after a while. What the gate refused is not offered again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from nightgarden.domain.belief import OUTSIDE_CONFIDENCE_MAX
from nightgarden.domain.documents import ABSENT
from nightgarden.domain.ledger import Captured, CaptureStatus, Refusals, Source, ledger_key
from nightgarden.domain.memory import GLOBAL, Category, Importance, Provenance, Scope
from nightgarden.domain.ports import Clock, Store
from nightgarden.domain.shelf import Shelf
from nightgarden.domain.verdict import Flagged, Refused, Reinforced, Saved, Superseded, Verdict
from nightgarden.errors import Conflict
from nightgarden.learn.learning_documents import CAPTURED, REFUSALS
from nightgarden.remember.note import Note
from nightgarden.remember.refuse import NOT_LASTING

Remember = Callable[[Note, str | None, str], Awaitable[Verdict]]  # a note, the cycle it belongs to, and who writes
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedItem:
    """Something to be captured. `key` is what it is of, unique within its source and project."""

    source: Source
    key: str
    text: str
    category: Category | None  # None: worked out from the text
    confidence: float
    at: datetime
    outside: bool = True
    provenance: Provenance = Provenance.CAPTURED
    importance: Importance = Importance.MEDIUM
    reason: str = ""
    context: str = ""
    files: tuple[str, ...] = ()
    session_id: str | None = None
    message_id: str | None = None
    judged: bool = False  # that it is worth keeping is known already


@dataclass(slots=True, kw_only=True)
class CaptureReport:
    """What one run captured."""

    cycle: str = ""
    stored: list[str] = field(default_factory=list)  # ids of memories
    known: int = 0  # captured before, or by somebody else at this moment
    refused: dict[str, int] = field(default_factory=dict)  # by reason

    def refuse(self, reason: str) -> None:
        self.refused[reason] = self.refused.get(reason, 0) + 1

    def join(self, other: CaptureReport) -> CaptureReport:
        self.stored += other.stored
        self.known += other.known
        for reason, number in other.refused.items():
            self.refused[reason] = self.refused.get(reason, 0) + number
        return self


class Taking:
    """Takes items in for one project."""

    def __init__(self, store: Store, scope: Scope, clock: Clock, remember: Remember, *, actor: str) -> None:
        self._scope = scope
        self._actor = actor
        self._clock = clock
        self._remember = remember
        self._ledger = Shelf(store, CAPTURED)
        self._refusals = Shelf(store, REFUSALS)

    async def take(self, items: Iterable[CapturedItem], *, cycle: str) -> CaptureReport:
        """Each item that nobody took before."""
        report = CaptureReport(cycle=cycle)
        for item in items:
            if await self.claim(item.source, item.key, cycle=cycle):
                verdict = await self._remember(self._note(item), cycle, self._actor)
                self._count(verdict, report)
                await self.close(item.source, item.key, verdict, cycle=cycle)
            else:
                report.known += 1
        return report

    def _count(self, verdict: Verdict, report: CaptureReport) -> None:
        match verdict:
            case Refused(rule=rule):
                report.refuse(rule.id)
            case Saved() | Reinforced() | Superseded() | Flagged():
                report.stored.append(verdict.memory.id)
            case _:
                assert_never(verdict)

    async def claim(self, source: Source, key: str, *, cycle: str) -> bool:
        """Whether it is ours to capture now."""
        now, name = self._clock.now(), ledger_key(self._scope, source, key)
        known = await self._ledger.get(name)
        if known is not None and known.value.is_over(now):
            return False
        mine = Captured(source=source, status=CaptureStatus.CLAIMED, at=now, cycle=cycle)
        try:
            await self._write(name, mine, known.version if known is not None else ABSENT)
        except Conflict:
            return False
        return True

    async def close(self, source: Source, key: str, verdict: Verdict | None, *, cycle: str) -> None:
        """Writes what became of a claim; None: there was nothing to store."""
        name, refused = ledger_key(self._scope, source, key), isinstance(verdict, Refused)
        done = Captured(
            source=source,
            status=CaptureStatus.REFUSED if refused else CaptureStatus.STORED,
            at=self._clock.now(),
            memory_id=verdict.id if verdict is not None else None,
            rule=verdict.rule.id if isinstance(verdict, Refused) else "",
            cycle=cycle,
        )
        await self._write(name, done, None)

    async def known(self, source: Source, key: str) -> bool:
        """Whether it was captured before."""
        return await self._ledger.get(ledger_key(self._scope, source, key)) is not None

    async def entries(self) -> list[Captured]:
        """The ledger of the project."""
        return [kept.value for kept in await self._ledger.list(owner=str(self._scope))]

    async def count_refusals(self, more: Mapping[str, int]) -> None:
        """Adds to what was turned away before it could become an item."""
        for _ in range(_ATTEMPTS if more else 0):
            kept = await self._refusals.get(str(self._scope))
            after = (kept.value if kept is not None else Refusals()).with_more(more)
            version = kept.version if kept is not None else ABSENT
            name, now = str(self._scope), self._clock.now()
            try:
                await self._refusals.put(name, after, expected=version, owner=name, at=now)
            except Conflict:
                continue
            return

    async def refusals(self) -> Mapping[str, int]:
        kept = await self._refusals.get(str(self._scope))
        return kept.value.counts if kept is not None else {}

    async def _write(self, name: str, value: Captured, expected: int | None) -> None:
        await self._ledger.put(
            name, value, expected=expected, owner=str(self._scope), status=value.status.value, at=value.at
        )

    def _note(self, item: CapturedItem) -> Note:
        confidence = min(item.confidence, OUTSIDE_CONFIDENCE_MAX) if item.outside else item.confidence
        return Note(
            content=item.text,
            scope=self._scope,
            wider_scopes=(GLOBAL,) if self._scope != GLOBAL else (),
            created_at=item.at,
            category=item.category,
            importance=item.importance,
            provenance=item.provenance,
            tainted=item.outside,
            confidence=confidence,
            confidence_reason=item.reason,
            session_id=item.session_id,
            message_range=(item.message_id, item.message_id) if item.message_id else None,
            context_snippet=item.context,
            file_paths=item.files,
            allow=frozenset({NOT_LASTING.id}) if item.judged else frozenset(),
        )


def once(items: Iterable[CapturedItem]) -> list[CapturedItem]:
    """Each key once, the first of it, in an order that does not depend on how they came."""
    first: dict[tuple[Source, str], CapturedItem] = {}
    for item in sorted(items, key=lambda item: (item.at, item.source, item.key)):
        first.setdefault((item.source, item.key), item)
    return list(first.values())
