"""What every backend of a mind gives and takes, whatever it is: an endpoint or a program. Knows no provider."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.redact import scrub
from nightgarden.domain.secrets import find_secrets
from nightgarden.errors import ModelUnavailable
from nightgarden.minds.limits import NO_LIMITS, Limits

ANSWER_TOKENS_MAX = 2_048  # the longest reply asked for, twenty memories with their evidence, takes about 1,600
# Text of a prompt per token, at least: 3 is the low end for English and code; other scripts cost more, and what a call
# really took is counted after it.
CHARACTERS_PER_TOKEN = 3
_SAID_CHARS_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a call took, as its provider or program reports it; None where it does not say."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    cost_usd: float | None = None

    @property
    def tokens(self) -> int | None:
        known = [count for count in (self.tokens_in, self.tokens_out) if count is not None]
        return sum(known) if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """An answer, what it took, and what was learned about the provider's limits."""

    text: str
    usage: Usage = Usage()
    limits: Limits = NO_LIMITS


class CallFailed(ModelUnavailable):
    """A call without a usable answer: what became of it, and what was learned about the provider's limits."""

    def __init__(
        self, message: str, outcome: CallOutcome, *, limits: Limits | None = None, usage: Usage | None = None
    ) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.limits = limits or NO_LIMITS
        self.usage = usage or Usage()


class Backend(Protocol):
    """One way to a language model."""

    @property
    def provider(self) -> str:
        """Whose tokens are used: codex, claude, local, openai, anthropic, openrouter."""
        ...

    @property
    def model(self) -> str:
        """Empty when the program chooses."""
        ...

    @property
    def name(self) -> str:
        """For people: the model and where it is."""
        ...

    @property
    def reports_cost(self) -> bool:
        """Whether answers come with what they cost."""
        ...

    def check(self) -> None:
        """Raises ModelUnavailable when something is missing without which no call can be made, such as its key."""
        ...

    def tokens_at_most(self, prompt: str, schema: Mapping[str, object]) -> int:
        """What a call may take, estimated before it is made."""
        ...

    async def ask(self, prompt: str, schema: Mapping[str, object]) -> Completion:
        """Raises CallFailed."""
        ...


def system_text(schema: Mapping[str, object]) -> str:
    """What a model is told besides the prompt."""
    return f"You answer with one JSON value that follows this JSON schema, and with nothing else: {json.dumps(schema)}"


def sendable(text: str) -> str:
    """Lone surrogates cannot be sent, so they become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def said(text: str) -> str:
    """What a provider or program says about a failure, fit to be shown: one short line without secrets."""
    line = " ".join(text[: 4 * _SAID_CHARS_MAX].split())
    return scrub(line, find_secrets)[:_SAID_CHARS_MAX]
