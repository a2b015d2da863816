"""A conversation with tools: what an agent says, calls and is answered. Knows no provider and no tool.

Whoever wants work done passes a toolbox; whoever can talk to a model implements `Converser`. Some run the loop here,
one step after the other; some leave it to a program of the user that reaches the toolbox by MCP. Both end alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as the model is told of it."""

    name: str
    description: str
    parameters: Mapping[str, Any]  # JSON schema of an object


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call that the model made. `malformed` says why its arguments could not be read; they are empty then."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    malformed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """What the model is told about a call. `ends`: the conversation is over once it is told. `outside`: the text comes
    from the web, a feed, a chat, or memories that such text shaped."""

    text: str
    failed: bool = False
    ends: bool = False
    outside: bool = False


class Toolbox(Protocol):
    """The tools of one conversation."""

    @property
    def specs(self) -> Sequence[ToolSpec]: ...

    async def call(self, call: ToolCall) -> ToolAnswer:
        """Never raises for what the model did wrong: that is an answer too."""
        ...


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One message of the conversation."""

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()  # of the assistant
    answers: str = ""  # of a tool: the id of the call it answers
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationLimits:
    """Where a conversation is cut off, whatever it is doing."""

    tokens: int
    steps: int
    seconds: float


class ConversationEnding(StrEnum):
    """Why a conversation is over."""

    ENDED = "ended"  # a tool's answer ended it
    STOPPED = "stopped"  # the model stopped calling tools
    TOKENS = "tokens"
    STEPS = "steps"
    SECONDS = "seconds"
    INTERRUPTED = "interrupted"  # by whoever watches it
    FAILED = "failed"  # the model could not be reached, or not any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """How a conversation went."""

    ending: ConversationEnding
    utterances: tuple[Utterance, ...]
    provider: str = ""
    model: str = ""
    tokens: int = 0  # in and out, as far as known
    cost_usd: float | None = None
    steps: int = 0
    detail: str = ""  # of a failure, fit to be shown
    resume: str = ""  # by which a program's session can be gone on with


class Watcher(Protocol):
    """Looks at a conversation between two steps: the safe points."""

    async def step(self, utterances: Sequence[Utterance], tokens: int) -> str | None:
        """A message to put in before the next step, or None. Raises `Interrupted` to end it here."""
        ...


class Interrupted(Exception):
    """The watcher ends the conversation at a safe point."""


class Converser(Protocol):
    """Talks with a model that may call tools. Every call is in the usage ledger, under its caps."""

    async def converse(
        self,
        *,
        system: str,
        utterances: Sequence[Utterance],
        toolbox: Toolbox,
        limits: ConversationLimits,
        purpose: str,
        cycle: str | None = None,
        watcher: Watcher | None = None,
        resume: str = "",
    ) -> Conversation:
        """Never raises for a model that fails: that is an ending too."""
        ...
