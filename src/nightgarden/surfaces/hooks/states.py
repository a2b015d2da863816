"""What this process knows of the sessions whose hooks it serves: the present turn, and what was last said.

In memory and bounded. What must outlive the process are the notes (sessions/live.py), which are part of the state of
the live session in the garden: after a restart a session goes on with them, as if its turn had just begun. Words that
were said are never part of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from nightgarden.domain.memory import Memory, Scope
from nightgarden.domain.session import HookSignals
from nightgarden.sessions.live import HookNotes, LiveSessions
from nightgarden.sessions.turn import Said
from nightgarden.surfaces.hooks.guard import TurnState

SESSIONS_MAX = 256  # more are not open at once; the longest unused goes first
FILES_MAX = 8
ANSWER_CHARS_MAX = 4000
LEARNED_MAX = 50
OUTSIDE_TURNS = 2  # the one in which it was read, and the one after it
FORGETTING_TURNS = 2  # the one that asks, and the answer to "which of these?"


@dataclass(frozen=True, slots=True, kw_only=True)
class HookSession:
    """One session between two events. An event makes a new value."""

    turn: TurnState = field(default_factory=TurnState)
    stopped: frozenset[str] = frozenset()  # memories that stopped a tool so far
    recent: tuple[Said, ...] = ()  # the last prompt and the answer to it
    files: tuple[str, ...] = ()  # at hand, the latest last
    shown: int = 0  # memories that were put before the agent
    tools: int = 0
    failures: int = 0
    forgetting: int = 0  # turns, this one included, in which the user wants something forgotten
    compactions: int = 0
    outside: int = 0  # turns, this one included, in which what the agent saves counts as text from outside
    scope: str = ""  # of the project that it works in
    end_reason: str = ""

    @classmethod
    def going_on(cls, notes: HookNotes) -> HookSession:
        """A session that another process, or this one before a restart, has served so far."""
        told = notes.signals
        return cls(
            stopped=frozenset(told.stopped),
            files=notes.files,
            shown=told.shown,
            tools=told.tools,
            failures=told.failures,
            forgetting=notes.forgetting,
            compactions=told.compactions,
            end_reason=told.end_reason,
        )

    @property
    def notes(self) -> HookNotes:
        """What outlives this process."""
        return HookNotes(signals=self.signals, files=self.files, forgetting=self.forgetting)

    @property
    def signals(self) -> HookSignals:
        """What is kept with the session."""
        return HookSignals(
            tools=self.tools,
            failures=self.failures,
            shown=self.shown,
            stopped=tuple(sorted(self.stopped)),
            compactions=self.compactions,
            end_reason=self.end_reason,
        )

    def with_files(self, files: tuple[str, ...]) -> HookSession:
        kept = dict.fromkeys((*(file for file in self.files if file not in files), *files))
        return replace(self, files=tuple(kept)[-FILES_MAX:])

    def having_said(self, said: Said) -> HookSession:
        return replace(self, recent=(*self.recent, replace(said, text=said.text[-ANSWER_CHARS_MAX:]))[-2:])


@dataclass(slots=True)
class HookSessions:
    """The sessions by id."""

    _known: OrderedDict[str, HookSession] = field(default_factory=OrderedDict)
    _learned: dict[str, list[Memory]] = field(default_factory=dict)  # by scope, until somebody was told

    async def open(self, session_id: str, live: LiveSessions) -> HookSession:
        """The session, as this process knows it or as the garden does."""
        if session_id not in self._known and (found := await live.find(session_id)) is not None:
            self._known.setdefault(session_id, HookSession.going_on(found.notes))
        return self.get(session_id)

    def get(self, session_id: str) -> HookSession:
        return self._known.get(session_id) or HookSession()

    def has_read_outside(self, session_id: str, scope: Scope) -> bool:
        """Whether a session has just read text from outside; without an id, whether any in that project has."""
        if session_id in self._known:
            return self._known[session_id].outside > 0
        return not session_id and any(each.outside > 0 and each.scope == str(scope) for each in self._known.values())

    def keep(self, session_id: str, session: HookSession) -> None:
        self._known[session_id] = session
        self._known.move_to_end(session_id)
        while len(self._known) > SESSIONS_MAX:
            self._known.popitem(last=False)

    def note_learned(self, scope: Scope, memories: Sequence[Memory]) -> None:
        """Something was learned there; the next session or turn there says so to the user."""
        waiting = [*self._learned.pop(str(scope), ()), *memories]
        if waiting:
            self._learned[str(scope)] = waiting[-LEARNED_MAX:]
        while len(self._learned) > SESSIONS_MAX:
            del self._learned[next(iter(self._learned))]

    def take_learned(self, scope: Scope) -> list[Memory]:
        """What nobody was told of yet."""
        return self._learned.pop(str(scope), [])
