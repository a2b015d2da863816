"""One user turn: what an agent is shown unasked, within a deadline, and what is done afterwards.

Silence is the normal answer, and the only one that comes late. Whatever goes wrong on the way is counted and becomes
silence too: a turn is never held up or broken by its memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from nightgarden.domain.memory import GLOBAL, STATED, Memory, Scope
from nightgarden.domain.mind import Mind
from nightgarden.domain.ports import Clock, Embedder, Store, Vector
from nightgarden.domain.verdict import Refused, Reinforced, Verdict
from nightgarden.machine.one_at_a_time import Background
from nightgarden.recall.afterwards import Served, learn
from nightgarden.recall.echoes import without_echoes
from nightgarden.recall.gaps import close_gaps, note_gap
from nightgarden.recall.inject import Injection, inject
from nightgarden.recall.line import Line, memory_line, passage_line
from nightgarden.recall.mind_votes import Breaker, RecallCheck, Verified, is_due, verify
from nightgarden.recall.once import OnceEmbedder
from nightgarden.recall.options import Request
from nightgarden.recall.query import focus
from nightgarden.recall.recall import recall
from nightgarden.recall.result import Result
from nightgarden.recall.surfacing import may_surface
from nightgarden.recall.switch import is_off
from nightgarden.recall.unasked import model_of
from nightgarden.recall.used import was_used
from nightgarden.remember.compare.replaced_value import still_says
from nightgarden.sessions.choosing import Chooser
from nightgarden.sessions.hooked import Said
from nightgarden.sessions.live import LiveSession, LiveSessions, Prepared
from nightgarden.sessions.topic import follow_topic, topic_changed
from nightgarden.sessions.turn_class import TurnClass, classify_turn
from nightgarden.sessions.turn_counts import TurnCounts
from nightgarden.settings import TurnSettings

CANDIDATES = 12  # looked at a turn; what is deeper is never worth showing unasked
CONTEXT_MESSAGES = 12  # taken over from an earlier system of this kind; not measured here
CONTEXT_CHARS = 1200  # of each
IN_USE = timedelta(seconds=10)  # after a turn; taste
LATE_MAX = 8  # turns that were too late and still run; more are not even started


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUpdate:
    """What a client tells about one user turn. Sent once a turn, never for results of tools."""

    session_id: str
    text: str
    scopes: tuple[Scope, ...] = (GLOBAL,)  # what the session may see
    scope: Scope = GLOBAL  # where it works
    files: tuple[str, ...] = ()
    recent: tuple[Said, ...] = ()  # messages before it, oldest first
    attachments: int = 0
    seasons: tuple[str, ...] = ()  # that the user says are now
    settings: TurnSettings = field(default_factory=TurnSettings)  # of the place where it works


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What was found for a turn, and the state that follows from it. Nothing of it is kept before it is shown."""

    before: LiveSession
    after: LiveSession
    changed: bool
    candidates: tuple[Result, ...] = ()
    good: tuple[Result, ...] = ()
    injection: Injection | None = None
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a turn would show, and what it found and would not show."""

    label: str  # as the turn would have been counted
    injection: Injection | None = None
    passed_over: tuple[tuple[Result, str], ...] = ()  # with the reason


class Turns:
    """The turn pipeline of one garden."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: Callable[[], Awaitable[Embedder | None]],
        background: Background,
        clock: Clock,
        chooser: Chooser | None = None,
        mind: Mind | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._chooser = chooser or Chooser(store)
        self._background = background
        self._clock = clock
        self._mind = mind
        self._breaker = Breaker()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._late: set[asyncio.Task[None]] = set()
        self._taken_at: datetime | None = None
        self.live = LiveSessions(store)
        self.counts = TurnCounts(store)

    def in_use(self) -> bool:
        """Whether a turn came just now, so that whoever sent it may soon send the next."""
        return self._taken_at is not None and self._clock.now() - self._taken_at < IN_USE

    async def take(self, update: TurnUpdate, *, deadline_ms: int | None = None) -> Injection | None:
        """The block to show in this turn, or None. Never raises for a failure of memory, never later than the
        deadline."""
        self._taken_at = self._clock.now()
        if not update.settings.enabled or await is_off(self._store, update.scopes):
            return None
        turn_class = classify_turn(update.text, attachments=update.attachments)
        if turn_class is TurnClass.NONE:
            self._count("class none")
            return None
        if len(self._late) >= LATE_MAX:
            self._count("too busy")
            return None
        answered: asyncio.Future[_Found | None] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._serve(update, turn_class, answered))
        deadline = (update.settings.deadline_ms if deadline_ms is None else deadline_ms) / 1000.0
        await asyncio.wait({answered}, timeout=deadline)
        if not answered.done():
            answered.cancel()  # tells the work that nobody waits any more
            self._late.add(task)
            task.add_done_callback(self._late.discard)
            self._count("late")
            return None
        found = answered.result()
        await task
        return found.injection if found is not None else None

    async def preview(self, update: TurnUpdate) -> Preview:
        """What the session would be shown in this turn, or why nothing. Waits as long as it takes, and leaves no
        trace: nothing is counted, learned or taken for shown. Failures are raised."""
        if not update.settings.enabled or await is_off(self._store, update.scopes):
            return Preview(label="off")
        if classify_turn(update.text, attachments=update.attachments) is TurnClass.NONE:
            return Preview(label="class none")
        found = await self._find(update, self._clock.now())
        good = {result.id for result in found.good}
        shown = found.injection.ids if found.injection is not None else ()
        passed_over = tuple(
            (result, "not likely to help here" if result.id not in good else "shown before, or not to be shown now")
            for result in found.candidates
            if result.id not in shown
        )
        return Preview(label=found.label, injection=found.injection, passed_over=passed_over)

    async def settle(self) -> None:
        """Waits for turns that were too late. Their afterwork is in the background's hands."""
        while self._late:
            await asyncio.wait(set(self._late))

    async def note_written(self, session_id: str, memory_id: str) -> None:
        """A live session wrote or confirmed a memory: it is not shown to it. Sessions that are not live are left."""
        session = await self.live.find(session_id)
        if session is not None:
            self.live.keep(session.having_written(memory_id))
            await self.live.save(session_id)

    def after_writing(self, verdict: Verdict, *, session_id: str | None) -> None:
        """In the background: gaps that a new memory answers are closed, and its session is not shown it."""
        if isinstance(verdict, Refused):
            return
        memory = verdict.memory

        async def close() -> None:
            await close_gaps(memory, store=self._store, embedder=await self._embedder(), now=self._clock.now())

        if not isinstance(verdict, Reinforced):
            self._background.submit("close gaps", close)
        if session_id is not None:
            self._background.submit("note what was written", lambda: self.note_written(session_id, memory.id))

    def _count(self, label: str) -> None:
        self.counts.add(label)
        self._background.submit("turn counts", self.counts.save)

    async def _serve(self, update: TurnUpdate, turn_class: TurnClass, answered: asyncio.Future[_Found | None]) -> None:
        """Finds, answers if somebody still waits, and hands the rest to the background."""
        lock = self._locks.setdefault(update.session_id, asyncio.Lock())
        async with lock:
            now = self._clock.now()
            try:
                found = await self._find(update, now)
            except Exception as error:  # noqa: BLE001 - memory never breaks a turn; counted, shown in stats
                self._count(f"failed ({type(error).__name__})")
                if not answered.done():
                    answered.set_result(None)
                return
            in_time = not answered.done()
            if in_time:
                answered.set_result(found)
                self.counts.add(found.label)
            else:
                found = replace(found, injection=None)
            shown = found.injection
            if shown is not None:
                items = [(line.id, line.digest) for line in shown.lines]
                found = replace(found, after=found.after.after_showing(items, shown.digest, now))
            self.live.keep(found.after)
        self._background.submit("after a turn", lambda: self._afterwards(update, turn_class, found, now))

    async def _find(self, update: TurnUpdate, now: datetime) -> _Found:
        """Recall, then the rules of what may be shown to this session now."""
        inner = await self._embedder()
        embedder = OnceEmbedder(inner) if inner is not None else None
        reading = await self._chooser.read_turn(update.text)
        request = Request(
            query=update.text,
            context=tuple(said.text[-CONTEXT_CHARS:] for said in update.recent[-CONTEXT_MESSAGES:]),
            files=update.files,
            scopes=update.scopes,
            kinds=("memory", "passage") if update.settings.passages else ("memory",),
            categories=STATED,
            limit=CANDIDATES,
            exclude_session=update.session_id,
            deep=False,
            turned=await self._chooser.turned(reading),
        )
        before, recalled, judged, meant = await asyncio.gather(
            self.live.get(update.session_id, now=now),
            recall(request, store=self._store, embedder=embedder, now=now),
            self._chooser.read(update.text, embedder),
            self._chooser.meant(update.text, update.scopes, now),
        )
        vector = embedder.vector if embedder is not None else None
        changed, after = _follow(before, vector, embedder, update.text, now)
        shown = [item.id for item in before.shown]
        results = await without_echoes(update.text, recalled.results, self._store, still_says, shown=shown)
        ranked = embedder.model if embedder is not None and model_of(recalled, embedder) is not None else None
        good = await self._chooser.choose(
            update.text,
            results,
            vector=vector,
            judged=judged,
            model=None if ranked is None else (ranked.id, ranked.name),
            now=now,
            reading=reading,
        )
        prepared = before.prepared
        ready = () if prepared is None or changed or prepared.expires_at <= now else prepared.ids
        wanted = list(dict.fromkeys((*ready, *meant, *(result.id for result in good))))
        lines = await self._lines(wanted, update, now=now)
        hidden = after.known(
            {line.id: line.digest for line in lines},
            now=now,
            repeat=timedelta(minutes=update.settings.repeat_minutes),
        )
        fresh = [line for line in lines if line.id not in hidden][: update.settings.items_max]
        injection = inject(fresh, tokens_max=update.settings.token_budget, head=not before.headed)
        label = "shown"
        if injection is not None and self._is_repeated(update, injection, before, now):
            injection, label = None, "same as before"
        elif injection is None:
            label = "nothing good" if not lines else "no room" if fresh else "known already"
        return _Found(
            before=before,
            after=replace(after, prepared=None),
            changed=changed,
            candidates=recalled.results,
            good=tuple(good),
            injection=injection,
            label=label,
        )

    def _is_repeated(self, update: TurnUpdate, injection: Injection, before: LiveSession, now: datetime) -> bool:
        """Whether the very same block was shown a moment ago."""
        if before.payload_at is None or injection.digest != before.payload_digest:
            return False
        return now - before.payload_at < timedelta(seconds=update.settings.payload_seconds)

    async def _lines(self, ids: Sequence[str], update: TurnUpdate, *, now: datetime) -> list[Line]:
        """The items as lines, in order, less what may not be shown unasked. What a mind prepared earlier may have been
        archived since."""
        if not ids:
            return []
        memories, passages = await asyncio.gather(self._store.memories(ids), self._store.passages(ids))
        lines = {
            memory.id: memory_line(memory)
            for memory in memories
            if _current(memory, now) and may_surface(memory, now, seasons=update.seasons, about=update.text)
        }
        lines |= {passage.id: passage_line(passage) for passage in passages}
        return [lines[id] for id in ids if id in lines]

    async def _afterwards(self, update: TurnUpdate, turn_class: TurnClass, found: _Found, now: datetime) -> None:
        """Verifies for the next turn, saves the state, and learns. In the background; failures are counted there."""
        verified = await self._verify(update, found, now)
        await self.live.save(update.session_id)
        await self.counts.save()
        if self._store.read_only:
            return
        shown = found.injection.ids if found.injection is not None else ()
        await self._learn(update, found, shown, verified, now)
        if not shown and not found.good and turn_class is not TurnClass.NONE and not verified.ids:
            await note_gap(
                update.text,
                context=[said.text for said in update.recent],
                session_id=update.session_id,
                scope=update.scope,
                store=self._store,
                embedder=await self._embedder(),
                now=now,
            )

    async def _learn(
        self, update: TurnUpdate, found: _Found, shown: Sequence[str], verified: Verified, now: datetime
    ) -> None:
        kinds = {result.id: result for result in found.candidates}
        alone = [id for id in shown if id in kinds and _found_by_itself(kinds[id])]
        relevant = [id for id in verified.ids if id in kinds] if verified.outcome is RecallCheck.JUDGE_RAN else alone
        used = await self._used(update, found.before)
        if used:
            self.live.keep((await self.live.get(update.session_id, now=now)).having_used(used))
            await self.live.save(update.session_id)
        served = Served(
            prompt=update.text,
            shown=tuple(id for id in shown if id not in kinds or kinds[id].kind == "memory"),
            relevant=tuple(id for id in relevant if kinds[id].kind == "memory"),
            verified=tuple(verified.ids) if verified.outcome is RecallCheck.JUDGE_RAN else (),
            used=tuple(used),
            rejected=verified.rejected,
        )
        await learn(served, store=self._store, now=now)

    async def _used(self, update: TurnUpdate, before: LiveSession) -> list[str]:
        """Which memories of the turn before the agent's answer used."""
        answer = next((said.text for said in reversed(update.recent) if said.role == "assistant"), "")
        if not answer or not before.last_shown:
            return []
        prompt = next((said.text for said in reversed(update.recent) if said.role == "user"), "")
        memories = await self._store.memories(before.last_shown)
        return [memory.id for memory in memories if was_used(memory.content, prompt=prompt, answer=answer)]

    async def _verify(self, update: TurnUpdate, found: _Found, now: datetime) -> Verified:
        """Asks the mind when it is its turn; what it agrees on is ready for the next turn."""
        outcome = self._chance(found, now)
        verified = Verified(outcome=outcome, ids=found.before.verified)
        if outcome is RecallCheck.JUDGE_RAN and self._mind is not None:
            texts = [(result.id, result.content) for result in found.candidates if result.kind == "memory"]
            verified = await verify(focus(update.text)[0], texts, self._mind)
            self._breaker = self._breaker.after(verified.outcome, self._clock.now())
        self.counts.add(f"verify {verified.outcome}")
        if verified.outcome is RecallCheck.JUDGE_RAN:
            state = await self.live.get(update.session_id, now=now)
            expires = self._clock.now() + timedelta(seconds=update.settings.payload_seconds)
            ready = Prepared(ids=verified.ids, expires_at=expires) if verified.ids else None
            self.live.keep(replace(state, verified=verified.ids, verified_turn=found.after.turns, prepared=ready))
            return verified
        return replace(verified, ids=(), rejected=())

    def _chance(self, found: _Found, now: datetime) -> RecallCheck:
        """Whether the mind may be asked now; JUDGE_RAN says yes."""
        if self._mind is None:
            return RecallCheck.NO_BACKEND
        if not is_due(turn=found.after.turns, verified_turn=found.before.verified_turn, topic_changed=found.changed):
            return RecallCheck.CADENCE_CARRY
        return RecallCheck.BREAKER_OPEN if self._breaker.is_open(now) else RecallCheck.JUDGE_RAN


def _follow(
    before: LiveSession, vector: Vector | None, embedder: OnceEmbedder | None, text: str, now: datetime
) -> tuple[bool, LiveSession]:
    """Whether the topic changed, and the state one turn further."""
    if vector is None or embedder is None:
        return False, before.next_turn(now, topic_changed=False)
    model = embedder.model
    old = before.topic_vector(model.id)
    changed = topic_changed(old, vector, focus(text)[0], model.name)
    after = before.next_turn(now, topic_changed=changed)
    return changed, after.with_topic(follow_topic(old, vector, changed=changed), model.id)


def _current(memory: Memory, now: datetime) -> bool:
    return memory.live and not (memory.valid_until is not None and memory.valid_until <= now)


def _found_by_itself(result: Result) -> bool:
    """Whether an arm found it; what the graph alone led to is not evidence for the graph."""
    return "text" in result.explanation.arms or "vector" in result.explanation.arms
