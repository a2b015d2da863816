"""How the `Garden` writes memories: remembers, edits, forgets, tags, links. One value per call; holds no state.

This is where the rules of writing meet models, queue and live sessions, which they may not import.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from nightgarden.domain.given import moment, one_of
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change, Operation, Origin, check_cycle
from nightgarden.domain.memory import GLOBAL, USER_SAID, Category, Importance, Memory, Scope
from nightgarden.domain.requests.writing import Remember
from nightgarden.domain.verdict import Refused, Verdict
from nightgarden.errors import BadInput, RuleRefused
from nightgarden.facade.opened import OpenGarden
from nightgarden.remember import edit
from nightgarden.remember.changing import change_memory, get_memory, link_memories, settle_flag
from nightgarden.remember.importers import Foreign, note_of
from nightgarden.remember.note import Note
from nightgarden.remember.note_request import note_asked
from nightgarden.remember.personal_scope import is_personal, may_hold_everywhere
from nightgarden.remember.write import Writing, check, pass_gate, remember
from nightgarden.scope import Place, machine_of, scope_at
from nightgarden.sessions.saying import passages_saying
from nightgarden.settings import Settings


class MemoryWrites:
    """Writes of somebody at a place. What each verb means, `Garden` says."""

    def __init__(self, opened: OpenGarden, place: Place, settings: Settings) -> None:
        self._opened = opened
        self._place = place
        self._settings = settings

    async def remember(self, asked: Remember) -> Verdict:
        scope = scope_at(asked.scope, self._place, self._settings.agent)
        if may_hold_everywhere(asked, self._place):
            classifier = await self._opened.models.get_classifier_async()
            scope = GLOBAL if await asyncio.to_thread(is_personal, asked.content, classifier) else scope
        note = note_asked(asked, scope=scope, place=self._place, now=self._now())
        return await self.remember_note(note, actor=asked.actor, cycle=asked.cycle)

    async def remember_said(self, note: Note, cycle: str | None) -> Verdict:
        return await self.remember_note(note, actor="extract", keep_purged=True, cycle=cycle)

    async def forget_said(self, memory_id: str, reason: str, cycle: str | None) -> Memory:
        return await self.forget(memory_id, reason=reason, actor="extract", cycle=cycle)

    async def remember_learned(self, note: Note, cycle: str | None, actor: str) -> Verdict:
        keep_purged = note.provenance not in USER_SAID
        return await self.remember_note(note, actor=actor, keep_purged=keep_purged, cycle=cycle)

    async def remember_imported(self, found: Foreign, trust: bool, allow: frozenset[str], cycle: str | None) -> Verdict:
        note = note_of(found, scope=self._place.scope, now=self._now(), trust=trust)
        note = replace(note, allow=allow, root=self._place.root)
        return await self.remember_note(note, actor="import", keep_purged=True, cycle=cycle)

    async def remember_note(
        self, note: Note, *, actor: str, keep_purged: bool = False, cycle: str | None = None
    ) -> Verdict:
        self.pass_cycle(cycle)
        embedder = await self._opened.models.get_async()
        async with self._opened.writing:
            writing = Writing(
                store=self._opened.store,
                embedder=embedder,
                classifier=await self._opened.models.get_classifier_async(),
                settings=self._settings.remember,
                ids=self._opened.ids,
                now=self._now(),
                actor=actor,
                machine_id=machine_of(self._settings),
                keep_purged=keep_purged,
                cycle=cycle,
            )
            verdict = await remember(note, writing)
        self._opened.changed()
        self._opened.turns.after_writing(verdict, session_id=note.session_id)
        return verdict

    async def update(  # noqa: PLR0913 - as many as a memory has fields to edit
        self,
        memory_id: str,
        *,
        content: str | None,
        category: Category | str | None,
        importance: Importance | str | None,
        pinned: bool | None,
        confidence: float | None,
        valid_until: datetime | None,
        scope: Scope | str | None,
        allow: Iterable[str],
        actor: str,
        cycle: str | None,
    ) -> Memory:
        if confidence is not None and not 0.0 <= confidence <= 1.0:
            raise BadInput(f"confidence must lie between 0 and 1, not {confidence}")
        text = await asyncio.to_thread(self._checked, content, frozenset(allow)) if content is not None else None
        pass_gate(self._settings.remember, scope=scope)
        fields = edit.Fields(
            content=text,
            category=one_of(Category, category, "category") if category is not None else None,
            importance=one_of(Importance, importance, "importance") if importance else None,
            pinned=pinned,
            confidence=confidence,
            valid_until=moment(valid_until) if valid_until else None,
            scope=scope_at(scope, self._place, self._settings.agent) if scope is not None else None,
        )
        origin = self.origin(Operation.UPDATE, actor, "edited", cycle)

        def change(memory: Memory) -> Change | None:
            edit.check_rank(memory, category=category, pinned=pinned, actor=actor)
            return edit.revise(memory, fields, at=self._now())

        return await self._change(memory_id, change, origin)

    async def forget(self, memory_id: str, *, reason: str, actor: str, cycle: str | None) -> Memory:
        pass_gate(self._settings.remember, reason=reason)
        origin, now = self.origin(Operation.FORGET, actor, reason or "forgotten", cycle), self._now()
        memory = await get_memory(self._opened.store, memory_id)
        said = await passages_saying(self._opened.store, memory, now=now)
        return await self._change(memory_id, lambda memory: edit.forget(memory, said, actor=actor, at=now), origin)

    async def restore(self, memory_id: str, *, actor: str, cycle: str | None) -> Memory:
        origin = self.origin(Operation.RESTORE, actor, "restored", cycle)
        return await self._change(memory_id, lambda memory: edit.restore(memory, at=self._now()), origin)

    async def feedback(self, memory_id: str, *, helpful: bool, actor: str, cycle: str | None) -> Memory:
        now, origin = self._now(), self.origin(Operation.FEEDBACK, actor, "feedback", cycle)
        memory = await self._change(memory_id, lambda memory: edit.feedback(memory, helpful=helpful, at=now), origin)
        await self._opened.store.touch([memory_id], at=now)
        return memory

    async def settle_flag(self, memory_id: str, decision: str, *, actor: str, cycle: str | None) -> Memory:
        origin = self.origin(Operation.DECIDE, actor, f"decided: {decision}", cycle)
        return await settle_flag(self._opened.store, memory_id, decision, origin, self._opened.clock)

    async def tag(
        self, memory_id: str, *, add: tuple[str, ...], remove: tuple[str, ...], actor: str, cycle: str | None
    ) -> Memory:
        pass_gate(self._settings.remember, tags=add)
        return await self._change(
            memory_id,
            lambda memory: edit.retag(memory, add=add, remove=remove, at=self._now()),
            self.origin(Operation.TAG, actor, "tagged", cycle),
        )

    async def link(
        self, source_id: str, target_id: str, kind: EdgeKind | str, *, weight: float, actor: str, cycle: str | None
    ) -> Edge:
        wanted, origin = one_of(EdgeKind, kind, "kind of link"), self.origin(Operation.LINK, actor, "linked", cycle)
        return await link_memories(self._opened.store, source_id, target_id, wanted, weight, origin, self._opened.clock)

    def origin(self, operation: Operation, actor: str, reason: str, cycle: str | None) -> Origin:
        """Who does it and why, as the journal has it. Raises for a cycle whose name may not be written down."""
        self.pass_cycle(cycle)
        return Origin(actor=actor, operation=operation, reason=reason, cycle=cycle)

    def pass_cycle(self, cycle: str | None) -> None:
        """Raises for a cycle whose name may not be written down."""
        if cycle is not None:
            check_cycle(cycle)
            pass_gate(self._settings.remember, cycle=cycle)

    async def _change(self, memory_id: str, make: Callable[[Memory], Change | None], origin: Origin) -> Memory:
        memory = await change_memory(self._opened.store, memory_id, make, origin, self._opened.clock)
        self._opened.changed()
        return memory

    def _checked(self, content: str, allow: frozenset[str]) -> str:
        place = self._place
        note = Note(content=content, scope=place.scope, created_at=self._now(), allow=allow, root=place.root)
        passed = check(note, self._settings.remember)
        if isinstance(passed, Refused):
            raise RuleRefused(f"not changed ({passed.rule.id}): {passed.rule.sentence}")
        return passed

    def _now(self) -> datetime:
        return self._opened.clock.now()
