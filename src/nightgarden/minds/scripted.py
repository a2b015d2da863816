"""Minds that are functions: for the tests of whoever builds on a garden. They call nobody, and take what they are told.

`ScriptedMind` is passed to `Garden.open(mind=…)`; `ScriptedStepper` to `garden.minds.converser_over(…)`, where the real
loop runs over it, tools, ledger and limits included.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from nightgarden.domain.conversation import ToolCall
from nightgarden.minds.backend import Completion, Usage
from nightgarden.minds.speaker import Spoken, Step, StepRequest

Script = Callable[[StepRequest], Spoken]
_USAGE = Usage(tokens_in=100, tokens_out=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedMind:
    """A mind that answers by a function from the prompt to the reply. What it was asked is kept in `asked`."""

    reply: Callable[[str], str]
    usage: Usage = field(default_factory=lambda: _USAGE)
    asked: list[str] = field(default_factory=list)

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        return (await self.ask(prompt, schema)).text

    async def ask(self, prompt: str, schema: Mapping[str, object]) -> Completion:
        """The same with what it took, for the ledger."""
        self.asked.append(prompt)
        return Completion(text=self.reply(prompt), usage=self.usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedStepper:
    """A stepper that answers by a function from the request to what is said; `says` and `calls` make such values."""

    script: Script
    provider: str = "scripted"
    model: str = "scripted"
    reports_cost: bool = False
    asked: list[StepRequest] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.model

    def check(self) -> None:
        """Nothing can be missing."""

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Step]:
        async def step(request: StepRequest) -> Spoken:
            self.asked.append(request)
            return self.script(request)

        yield step


def in_turn(spoken: Sequence[Spoken]) -> Script:
    """A script that says these one after the other, and nothing more after the last."""
    left = iter(spoken)
    return lambda request: next(left, Spoken(usage=_USAGE))


def says(text: str) -> Spoken:
    """Words without a call, which ends the conversation."""
    return Spoken(text=text, usage=_USAGE)


def calls(name: str, **arguments: Any) -> Spoken:
    """One tool call."""
    return Spoken(calls=(ToolCall(id="", name=name, arguments=arguments),), usage=_USAGE)
