"""Whether a tool may run now: the negative memories that forbid it, and the search that should come first. Pure.

Only the user's word stops a tool: a memory that an agent wrote by itself warns, and one shaped by outside text is not
asked. Does not understand commands: a pattern that does not match an
unusual spelling lets it pass, so this is a reminder for a willing agent, not a wall against a hostile one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from nightgarden.domain.memory import Category, Memory
from nightgarden.recall.line import clean
from nightgarden.recall.triggers import fire
from nightgarden.sessions.turn_class import TurnClass

Mode = Literal["auto", "explicit", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """Goes on, but says what memory has against it."""

    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """Memories that speak against what is about to happen."""

    memories: tuple[Memory, ...]

    @property
    def reason(self) -> str:
        said = " ".join(f'"{clean(memory.content)}" (memory {memory.id})' for memory in self.memories)
        return (
            f"Stopped by long-term memory before it ran: {said}. Do it another way that respects this. If the user "
            "wants exactly this, tell them what memory says and ask; once they say so it will run."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFirst:
    """This turn changes things, and memory was not looked at yet."""

    @property
    def reason(self) -> str:
        return (
            "This task changes things and long-term memory was not searched for it yet. Call the nightgarden "
            "memory_recall tool with a few words about the task, then run this again. Asked once a turn only."
        )


Decision = Warned | Forbidden | SearchFirst | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """What the guard knows of the present turn."""

    turn_class: TurnClass = TurnClass.NONE
    looked: bool = False  # memory was searched for this turn, by us
    searched: bool = False  # the agent itself searched
    asked: bool = False  # it was told to search already
    prompt: str = ""
    stopped_before: frozenset[str] = frozenset()  # memories that stopped something in an earlier turn of the session


def decide(action: str, *, mutating: bool, mode: Mode, turn: TurnState, negatives: Iterable[Memory]) -> Decision:
    """Whether an action may happen. What the user insists on after having been told goes on, with a warning."""
    if mode == "off":
        return None
    fired = _fired(negatives, action)
    insisted = {memory.id for memory in _fired(fired, turn.prompt)} & turn.stopped_before
    if against := tuple(memory for memory in fired if memory.binding and memory.id not in insisted):
        return Forbidden(memories=against)
    of_work = mutating and turn.turn_class is TurnClass.REQUIRED
    looked = turn.searched or (turn.looked and mode == "auto")
    if of_work and not looked and not turn.asked:
        return SearchFirst()
    return Warned(memories=tuple(fired)) if fired else None


def _fired(memories: Iterable[Memory], text: str) -> Sequence[Memory]:
    ours = [memory for memory in memories if memory.category is Category.NEGATIVE and not memory.tainted]
    return [fired.memory for fired in fire(ours, text)] if text.strip() else []
