"""What a program of the user needs to have a conversation with our tools, and what is heard of it meanwhile. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from nightgarden.domain.conversation import Role, Utterance
from nightgarden.domain.ports import Clock
from nightgarden.minds.backend import Completion
from nightgarden.minds.program import EndedProgram
from nightgarden.minds.tool_server import NAME

TOKEN_VARIABLE = "NIGHTGARDEN_TALK_TOKEN"  # what a program is told that keeps no token in a file


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPlace:
    """Where one conversation takes place: its folder, and its tools."""

    folder: Path
    url: str
    token: str
    system: str


@dataclass(slots=True, kw_only=True)
class Sounds:
    """What was heard of a program so far. Its output may reach us after the call that it tells of."""

    calls: int = 0  # of our tools, as its output tells
    texts: dict[int, list[str]] = field(default_factory=dict)  # what was said before the call of this number
    counted: dict[str, int] = field(default_factory=dict)  # tokens by answer, where the program tells

    def said(self, text: str) -> None:
        if text.strip():
            self.texts.setdefault(self.calls, []).append(text)

    def before(self, call: int) -> str:
        """What was said before the call of this number, from 0."""
        return "\n".join(self.texts.get(call, ()))

    def after(self, call: int) -> str:
        """What was said from then on."""
        return "\n".join(text for number in sorted(self.texts) if number >= call for text in self.texts[number])


class TalkDialect(Protocol):
    """How one program is told to have a conversation, and how its events are read."""

    @property
    def provider(self) -> str: ...

    @property
    def reports_cost(self) -> bool: ...

    @property
    def strongest(self) -> str:
        """Its name for its strongest model; empty: what it takes by itself."""
        ...

    @property
    def talk_env(self) -> Mapping[str, str]: ...

    def talk_files(self, place: ProgramPlace) -> Mapping[str, str]:
        """What it needs to find in the conversation's folder, by name."""
        ...

    def talk_words(self, program: str, model: str, place: ProgramPlace) -> list[str]:
        """The command line; the prompt goes in on standard input."""
        ...

    def hear(self, event: Mapping[str, Any], sounds: Sounds) -> None: ...

    def read(self, ended: EndedProgram, clock: Clock) -> Completion:
        """How it went. Raises CallFailed."""
        ...


def tools_prefix() -> str:
    """How programs name all tools of our server."""
    return f"mcp__{NAME}"


def opening(utterances: Sequence[Utterance]) -> str:
    """What a program is told first: the message, or all that was said and done before."""
    if all(utterance.role is Role.USER for utterance in utterances):
        return "\n\n".join(utterance.text for utterance in utterances)
    names = {call.id: call.name for utterance in utterances for call in utterance.calls}
    lines = ["This is what was said and done before; you are the assistant in it. Go on from its end."]
    for utterance in utterances:
        match utterance.role:
            case Role.USER:
                lines.append(f"User: {utterance.text}")
            case Role.ASSISTANT:
                lines += [f"Assistant: {utterance.text}"] if utterance.text else []
                lines += [
                    f"Assistant called {call.name} {json.dumps(dict(call.arguments))}" for call in utterance.calls
                ]
            case Role.TOOL:
                failed = ", failed" if utterance.failed else ""
                lines.append(f"Answer of {names.get(utterance.answers, 'a tool')}{failed}: {utterance.text}")
    return "\n\n".join(lines)
