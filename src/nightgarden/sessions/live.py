"""Live sessions: what each has been shown, when, and what it is about. Kept in the store, because the next turn may be
served by another process; small and bounded, because it is read at every turn.

Holds ids, digests and one vector; never a word of what was said.
"""

from __future__ import annotations

import base64
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from nightgarden.domain.gate import safe_id
from nightgarden.domain.ports import Store, Vector
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.state_keys import LIVE_SESSION as _PREFIX
from nightgarden.sessions.hooked import HookedSession, HookNotes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nightgarden.domain.memory import Memory, Scope

HOOKED_MAX = 256  # sessions whose hooks one process serves; more are not open at once, the longest unused goes first
LEARNED_MAX = 50
SESSIONS_MAX = 64  # taste: more are not open at once; the longest unseen go first
KEPT = timedelta(days=7)
IDS_MAX = 200  # of each kind and session
SURFACED_TURNS = 50  # after so many turns a long session may see things again


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One item that was put into a session: when, and what it said then."""

    id: str
    at: datetime
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What a mind verified at one turn, for the next one."""

    ids: tuple[str, ...]
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSession:
    """The state of one session between two turns. A turn makes a new value; events make new notes beside it."""

    id: str
    seen_at: datetime
    turns: int = 0
    surfaced: tuple[str, ...] = ()  # since the topic last changed
    shown: tuple[Shown, ...] = ()
    payload_digest: str = ""  # of the last block that was shown
    payload_at: datetime | None = None
    last_shown: tuple[str, ...] = ()  # in the turn before this one, to learn whether it was used
    topic_turn: int = 0  # the turn with which the topic last changed
    topic: str = ""  # base64 of a float16 vector
    topic_model: str = ""
    verified_turn: int | None = None
    verified: tuple[str, ...] = ()  # the last set that a mind agreed on
    prepared: Prepared | None = None
    wrote: tuple[str, ...] = ()  # memories that this session wrote or confirmed
    headed: bool = False  # it was told what our blocks are
    used: tuple[str, ...] = ()  # what the agent's answers made use of
    notes: HookNotes = field(default_factory=HookNotes)

    def known(self, digests: Mapping[str, str], *, now: datetime, repeat: timedelta) -> set[str]:
        """Which of these items (id to digest) must not be shown now: surfaced in this topic or shown within `repeat`,
        unless what they say has changed; and whatever the session wrote itself."""
        last = {shown.id: shown for shown in self.shown}
        hidden = {id for id in digests if id in self.wrote}
        for id, digest in digests.items():
            known = last.get(id)
            if known is None or known.digest != digest:
                continue
            if id in self.surfaced or now - known.at < repeat:
                hidden.add(id)
        return hidden

    def after_showing(self, items: Iterable[tuple[str, str]], payload_digest: str, now: datetime) -> LiveSession:
        """The state once items (id, digest) were shown."""
        fresh = [Shown(id=id, at=now, digest=digest) for id, digest in items]
        ids = {shown.id for shown in fresh}
        return replace(
            self,
            surfaced=_latest((*(id for id in self.surfaced if id not in ids), *(shown.id for shown in fresh))),
            shown=tuple([*(shown for shown in self.shown if shown.id not in ids), *fresh][-IDS_MAX:]),
            payload_digest=payload_digest,
            payload_at=now,
            last_shown=tuple(shown.id for shown in fresh),
            headed=True,
        )

    def next_turn(self, now: datetime, *, topic_changed: bool) -> LiveSession:
        """One turn further. A new topic, or very many turns, clear what counts as surfaced."""
        turns = self.turns + 1
        cleared = topic_changed or turns % SURFACED_TURNS == 0
        return replace(
            self,
            turns=turns,
            seen_at=now,
            surfaced=() if cleared else self.surfaced,
            last_shown=(),
            topic_turn=turns if topic_changed else self.topic_turn,
        )

    def with_topic(self, vector: Vector, model_id: str) -> LiveSession:
        return replace(self, topic=_write_vector(vector), topic_model=model_id)

    def topic_vector(self, model_id: str) -> Vector | None:
        """The vector of its topic, if the same model made it."""
        return _read_vector(self.topic) if self.topic and self.topic_model == model_id else None

    def having_used(self, ids: Iterable[str]) -> LiveSession:
        return replace(self, used=_latest(tuple(dict.fromkeys((*self.used, *ids)))))

    def having_written(self, memory_id: str) -> LiveSession:
        return replace(self, wrote=_latest((*(id for id in self.wrote if id != memory_id), memory_id)))


class LiveSessions:
    """The registry. What this process knows newer than the store is kept here until it is saved."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unsaved: dict[str, LiveSession] = {}
        # Turns and hooks of one session may overlap: each keeps its own part, and `find` and `save` put them together.
        self._hooked: OrderedDict[str, tuple[HookedSession, datetime]] = OrderedDict()
        self._learned: dict[str, Sequence[Memory]] = {}  # by scope, until somebody was told

    async def get(self, session_id: str, *, now: datetime) -> LiveSession:
        """The state of a session; a fresh one when it is new."""
        return await self.find(session_id) or LiveSession(id=safe_id(session_id), seen_at=now)

    async def find(self, session_id: str) -> LiveSession | None:
        """The state of a session that is known."""
        session_id = safe_id(session_id)
        known = self._unsaved.get(session_id)  # a save that ends while the store is being read takes it from there
        record = await self._store.get_state(_PREFIX + session_id)
        stored = from_record(LiveSession, record) if record else None
        unsaved = self._unsaved.get(session_id, known)
        newer = unsaved is not None and (stored is None or unsaved.turns >= stored.turns)
        return self._with_notes(session_id, unsaved if newer else stored)

    async def open_hooked(self, session_id: str) -> HookedSession:
        """What hooks told of a session, as this process knows it or as the garden does."""
        if safe_id(session_id) not in self._hooked and (found := await self.find(session_id)) is not None:
            self._hooked.setdefault(found.id, (HookedSession(notes=found.notes), found.seen_at))
        return self.hooked(session_id)

    def hooked(self, session_id: str) -> HookedSession:
        """What hooks told of a session, as this process knows it."""
        known = self._hooked.get(safe_id(session_id))
        return known[0] if known is not None else HookedSession()

    def keep_hooked(self, session_id: str, session: HookedSession, *, at: datetime) -> None:
        """Makes it what this process knows. `save` writes its notes."""
        session_id = safe_id(session_id)
        self._hooked[session_id] = session, at
        self._hooked.move_to_end(session_id)
        while len(self._hooked) > HOOKED_MAX:
            self._hooked.popitem(last=False)

    def has_read_outside(self, session_id: str, scope: Scope) -> bool:
        """Whether a session has just read text from outside; without an id, whether any in that project has."""
        if session_id:
            return self.hooked(session_id).outside > 0
        return any(each.outside > 0 and each.scope == str(scope) for each, _ in self._hooked.values())

    def note_learned(self, scope: Scope, memories: Sequence[Memory]) -> None:
        """Something was learned there; the next session or turn there says so to the user."""
        waiting = [*self._learned.pop(str(scope), ()), *memories]
        if waiting:
            self._learned[str(scope)] = waiting[-LEARNED_MAX:]
        while len(self._learned) > HOOKED_MAX:
            del self._learned[next(iter(self._learned))]

    def take_learned(self, scope: Scope) -> Sequence[Memory]:
        """What nobody was told of yet."""
        return self._learned.pop(str(scope), [])

    def _with_notes(self, session_id: str, session: LiveSession | None) -> LiveSession | None:
        hooked, at = self._hooked.get(session_id, (None, None))
        if hooked is None or at is None or (session is None and hooked.notes == HookNotes()):
            return session
        return replace(session or LiveSession(id=session_id, seen_at=at), notes=hooked.notes)

    def keep(self, session: LiveSession) -> None:
        """Makes a state the current one in this process. `save` writes it."""
        self._unsaved[session.id] = session

    async def save(self, session_id: str) -> None:
        """Writes the newest state of a session; drops the sessions that were not seen for longest."""
        session_id = safe_id(session_id)
        unsaved = self._unsaved.get(session_id)
        if self._store.read_only or (unsaved is None and session_id not in self._hooked):
            return
        session = self._with_notes(session_id, unsaved if unsaved is not None else await self.find(session_id))
        if session is None:  # its hooks told nothing that is kept
            return
        await self._store.put_state(_PREFIX + session.id, to_record(session))
        if self._unsaved.get(session_id) is unsaved:
            self._unsaved.pop(session_id, None)
        if session.turns <= 1:
            await self._drop_old(session.seen_at)

    async def list(self) -> list[LiveSession]:
        """All known ones, the latest seen first."""
        found = {
            key: from_record(LiveSession, value) for key, value in (await self._store.state_items(_PREFIX)).items()
        }
        found |= {_PREFIX + id: session for id, session in self._unsaved.items()}
        return sorted(found.values(), key=lambda session: (session.seen_at, session.id), reverse=True)

    async def forget(self, session_ids: Sequence[str]) -> None:
        """Removes sessions, after they were purged."""
        for session_id in map(safe_id, session_ids):
            self._unsaved.pop(session_id, None)
            self._hooked.pop(session_id, None)
            await self._store.put_state(_PREFIX + session_id, None)

    async def _drop_old(self, now: datetime) -> None:
        sessions = await self.list()
        kept = [session for session in sessions[:SESSIONS_MAX] if now - session.seen_at < KEPT]
        ids = {session.id for session in kept}
        await self.forget([session.id for session in sessions if session.id not in ids])


def _latest(ids: tuple[str, ...]) -> tuple[str, ...]:
    return ids[-IDS_MAX:]


def _write_vector(vector: Vector) -> str:
    return base64.b64encode(vector.astype("<f2").tobytes()).decode("ascii")


def _read_vector(text: str) -> Vector:
    import numpy as np  # 60 ms; only where there is a vector, and so numpy already

    vector: Vector = np.frombuffer(base64.b64decode(text), dtype="<f2").astype(np.float32)
    return vector
