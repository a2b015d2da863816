"""What the hooks of a session told: notes, which are stored with the live session, and the present turn, which only the
process that serves it knows. Values; sessions/live.py keeps them.

Words that were said belong to the present turn, and so are never stored: after a restart a session goes on with its
notes, as if its turn had just begun.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.session import HookSignals
from nightgarden.sessions.turn_class import TurnClass

FILES_MAX = 8
ANSWER_CHARS_MAX = 4000
OUTSIDE_TURNS = 2  # the one in which it was read, and the one after it
FORGETTING_TURNS = 2  # the one that asks, and the answer to "which of these?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message before the turn."""

    role: str  # user or assistant
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """What the guard knows of the present turn."""

    turn_class: TurnClass = TurnClass.NONE
    looked: bool = False  # memory was searched for this turn, by us
    searched: bool = False  # the agent itself searched
    asked: bool = False  # it was told to search already
    prompt: str = ""
    stopped_before: frozenset[str] = frozenset()  # memories that stopped something in an earlier turn of the session
    stopped: frozenset[str] = frozenset()  # and in this one
    just_stopped: frozenset[str] = frozenset()  # and in the one before it: what a plain "yes" is an answer to


@dataclass(frozen=True, slots=True, kw_only=True)
class HookNotes:
    """What the hooks of a session have told so far, as far as it must outlive the process that served them."""

    signals: HookSignals = field(default_factory=HookSignals)
    files: tuple[str, ...] = ()  # at hand, the latest last
    forgetting: int = 0  # turns, this one included, in which the user wants something forgotten


@dataclass(frozen=True, slots=True, kw_only=True)
class HookedSession:
    """One session between two events. An event makes a new value."""

    notes: HookNotes = field(default_factory=HookNotes)
    turn: TurnState = field(default_factory=TurnState)
    recent: tuple[Said, ...] = ()  # the last prompt and the answer to it
    outside: int = 0  # turns, this one included, in which what the agent saves counts as text from outside
    scope: str = ""  # of the project that it works in

    @property
    def signals(self) -> HookSignals:
        """What is kept with the session itself."""
        return self.notes.signals

    def telling(self, **signals: Any) -> HookedSession:
        """With some of its signals changed."""
        return replace(self, notes=replace(self.notes, signals=replace(self.signals, **signals)))

    def having_shown(self, memories: int) -> HookedSession:
        return self.telling(shown=self.signals.shown + memories)

    def having_stopped(self, memory_ids: Iterable[str]) -> HookedSession:
        """Memories have stopped a tool in this turn."""
        ids = frozenset(memory_ids)
        told = self.telling(stopped=tuple(sorted(ids.union(self.signals.stopped))))
        return replace(told, turn=replace(self.turn, stopped=self.turn.stopped | ids))

    def with_files(self, files: Iterable[str]) -> HookedSession:
        """Those at hand now, without any whose name holds a secret."""
        fresh = [file for file in files if not find_secrets(file)]
        kept = dict.fromkeys((*(file for file in self.notes.files if file not in fresh), *fresh))
        return replace(self, notes=replace(self.notes, files=tuple(kept)[-FILES_MAX:]))

    def having_said(self, said: Said) -> HookedSession:
        return replace(self, recent=(*self.recent, replace(said, text=said.text[-ANSWER_CHARS_MAX:]))[-2:])
