"""Whether a tool may run now: the negative memories that forbid it, and the search that should come first. Pure.

Only the user's word stops a tool: a memory that an agent wrote by itself warns, and one shaped by outside text is not
asked. What the tool would do is read first (`safety`), so that other spellings count and reading is never stopped. A
command in a script or an alias that is not read here passes: this is a reminder for a willing agent, not a wall against
a hostile one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from nightgarden.domain.memory import Category, Memory
from nightgarden.recall.line import clean
from nightgarden.recall.triggers import fire
from nightgarden.safety.command_reading import Command, CommandReading
from nightgarden.safety.prohibitions import Weight, judge
from nightgarden.sessions.hooked import TurnState
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


@dataclass(frozen=True, slots=True, kw_only=True)
class UsersOwn:
    """A decision of the user that an agent is about to make in their name."""

    @property
    def reason(self) -> str:
        return (
            "Deciding about permissions, rules and directives of nightgarden is the user's alone. Tell them what you "
            "would decide and why; they run the command themselves."
        )


Decision = Warned | Forbidden | SearchFirst | UsersOwn | None


def decide(
    reading: CommandReading,
    *,
    said: str = "",
    branch: str = "",
    mode: Mode,
    turn: TurnState,
    negatives: Iterable[Memory],
) -> Decision:
    """Whether an action may happen. What the user allows after having been told goes on, with a warning.

    `said` are all words of a call that could not be read, such as one of another MCP server: they may warn, not stop.
    """
    if mode == "off":
        return None
    if any(_decides_for_the_user(command) for command in reading.commands):
        return UsersOwn()
    ours = [memory for memory in negatives if memory.category is Category.NEGATIVE and not memory.tainted]
    weights = {memory.id: judge(memory, reading, branch=branch) for memory in ours}
    if reading.unknown and not reading.commands and said.strip():
        weights |= {fired.memory.id: Weight.WARNS for fired in fire(ours, said)}
    against = [memory for memory in ours if weights[memory.id] is not None]
    allowed = _allowed(against, turn)
    stopping = [memory for memory in against if weights[memory.id] is Weight.STOPS and memory.binding]
    if held := tuple(memory for memory in stopping if memory.id not in allowed):
        return Forbidden(memories=held)
    looked = turn.searched or (turn.looked and mode == "auto")
    if turn.turn_class is TurnClass.REQUIRED and not reading.reads_only and not looked and not turn.asked:
        return SearchFirst()
    return Warned(memories=tuple(against)) if against else None


def _decides_for_the_user(command: Command) -> bool:
    own = command.program in ("nightgarden", "ng") and not command.reads_only
    return own and any(word in ("permissions", "directives") for word in command.words[1:2])


def _allowed(against: Sequence[Memory], turn: TurnState) -> frozenset[str]:
    """What the user allows with this prompt: what it names itself, or what was just stopped, by a plain yes."""
    named = fire(against, turn.prompt) if turn.prompt.strip() else []
    insisted = turn.stopped_before.intersection(fired.memory.id for fired in named)
    return insisted | (turn.just_stopped if consents(turn.prompt) else frozenset())


_YES = re.compile(
    r"\W*+(?:yes|yeah|yep|yup|ok|okay|sure|fine|go ahead|go on|go for it|do it|do that|proceed|please "
    "do|approved?|confirm(?:ed)?"
    r"|i know(?=[,.;]|\Z)|lgtm|of course|absolutely|ja|jo|mach das|mach es"
    r"|oui|vas-y|d'accord|s[íi]|adelante|dale|hazlo)\b",
    re.IGNORECASE,
)
_INSISTS = re.compile(
    r"\b(?:go ahead|do it anyway|anyway|regardless|i (?:explicitly )?(?:allow|approve|confirm|insist|want exactly)"
    r"|(?:ignore|override|overrule|disregard|skip|despite) (?:the |that |this |your |what "
    ")?(?:memory|memories|rule|rules|note|warning"
    r"|reminder)|trotzdem|quand même|de todos modos)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\b(?:no|nope|not|never|stop|cancel|wait|instead|rather|nein|nicht|kein\w*|stopp|non|ne|pas|nunca|mejor)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
CONSENT_CHARS_MAX = 400  # a longer prompt is about more than the question


def consents(prompt: str) -> bool:
    """Whether a prompt is a plain yes to what was just asked. Any sign of a no, or a question, and it is none."""
    text = prompt.strip()
    said = _YES.match(text) or _INSISTS.search(text)
    return said is not None and len(text) <= CONSENT_CHARS_MAX and _NO.search(text) is None
