"""What every way to converse with a model gives and takes. Knows no provider and no tool.

Two shapes: a `Stepper` answers one step, and the loop is ours (`step_loop`); a program of the user runs its own loop
and reaches the toolbox by MCP (`program_speaker`). To whoever picks one of them both are a `Speaker`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from nightgarden.domain.conversation import (
    Conversation,
    ConversationLimits,
    Toolbox,
    ToolCall,
    ToolSpec,
    Utterance,
    Watcher,
)
from nightgarden.domain.redact import scrub
from nightgarden.domain.secrets import find_secrets
from nightgarden.minds import limits as rate
from nightgarden.minds.backend import CHARACTERS_PER_TOKEN, Usage
from nightgarden.minds.metered import Ledger, Payer

STEP_TOKENS_MAX = 8_192  # of one reply: a long edit with its reasons; taste
STEP_TOKENS_MIN = 256  # a reply that may not be longer than this is not worth its prompt
ANSWER_CHARS_MAX = 40_000  # of a tool's answer, about 10,000 tokens; what is longer pushes out what the model was told
_MESSAGE_TOKENS = 10  # what a provider puts around a message; measured at 3 to 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Everything that one conversation is started with."""

    system: str
    utterances: tuple[Utterance, ...]
    toolbox: Toolbox
    limits: ConversationLimits
    purpose: str
    cycle: str | None = None
    watcher: Watcher | None = None
    resume: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRequest:
    """What a model is asked for one step."""

    system: str
    utterances: tuple[Utterance, ...]
    specs: tuple[ToolSpec, ...]
    tokens_out_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What a model said in one step, what it took, and what was learned about its provider's limits."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    limits: rate.Limits = rate.NO_LIMITS


Step = Callable[[StepRequest], Awaitable[Spoken]]


class Stepper(Payer, Protocol):
    """One way to a model that answers step by step."""

    @property
    def name(self) -> str:
        """For people: the model and where it is."""
        ...

    def check(self) -> None:
        """Raises ModelUnavailable when something is missing without which no call can be made, such as its key."""
        ...

    def opened(self) -> AbstractAsyncContextManager[Step]:
        """For one conversation. A step raises CallFailed."""
        ...


class Speaker(Payer, Protocol):
    """One way to have a whole conversation."""

    @property
    def name(self) -> str: ...

    def check(self) -> None: ...

    async def converse(self, ledger: Ledger, talk: Talk) -> Conversation:
        """Never raises for a model that fails: that is an ending too."""
        ...


def tokens_in_at_most(request: StepRequest) -> int:
    """What a step may read, estimated before it is made."""
    chars = len(request.system) + sum(len(json.dumps(dict(spec.parameters))) for spec in request.specs)
    chars += sum(len(spec.name) + len(spec.description) for spec in request.specs)
    for utterance in request.utterances:
        chars += len(utterance.text)
        chars += sum(len(call.name) + len(json.dumps(dict(call.arguments))) for call in utterance.calls)
    return chars // CHARACTERS_PER_TOKEN + _MESSAGE_TOKENS * (len(request.utterances) + len(request.specs) + 1)


def tellable(text: str) -> str:
    """A tool's answer as a model may get it: bounded, and without secrets."""
    if len(text) > ANSWER_CHARS_MAX:
        text = f"{text[:ANSWER_CHARS_MAX]}\n[cut off here: {len(text):,} characters in all]"
    return scrub(text, find_secrets)


def unknown_tool(call: ToolCall, specs: Sequence[ToolSpec]) -> str:
    """What a call is answered that cannot reach any tool; empty for one that can."""
    if call.malformed:
        return f"{call.name} was not run: {call.malformed}. Call it again with one JSON object that fits its schema."
    names = [spec.name for spec in specs]
    if call.name not in names:
        return f"There is no tool {call.name[:80]!r}; there are {', '.join(names) or 'none'}."
    return ""
