"""An agent's tools for tests: each call that reaches them is noted, and answered as told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from nightgarden import Garden
from nightgarden.domain.conversation import ToolAnswer, ToolCall, ToolSpec
from nightgarden.safety.gated import GatedToolbox
from nightgarden.settings import Settings


class Tools:
    """The tools behind the gate. What got through stands in `called`."""

    def __init__(self, answers: Mapping[str, ToolAnswer] | None = None) -> None:
        self.called: list[tuple[str, dict[str, Any]]] = []
        self.answers = dict(answers or {})
        self.specs: Sequence[ToolSpec] = (ToolSpec(name="bash", description="runs a command", parameters={}),)

    async def call(self, call: ToolCall) -> ToolAnswer:
        self.called.append((call.name, dict(call.arguments)))
        return self.answers.get(call.name, ToolAnswer(text="done"))

    @property
    def commands(self) -> list[str]:
        return [arguments["command"] for name, arguments in self.called if name == "bash"]


def call(tool: str, /, **arguments: Any) -> ToolCall:
    return ToolCall(id="1", name=tool, arguments=arguments)


def bash(command: str) -> ToolCall:
    return call("bash", command=command)


def gate(
    garden: Garden, tools: Tools, project: Path, home: Path, *, cycle: str = "cycle-1", **more: Any
) -> GatedToolbox:
    """The tools behind the gate, in proactive mode unless `mode` says otherwise, with a sandbox that is assumed."""
    env = {"NIGHTGARDEN_HOME": str(home), "NIGHTGARDEN_SAFETY_PROACTIVE": more.pop("proactive", "true")}
    env |= more.pop("env", {})
    return GatedToolbox(tools, garden=garden, cycle=cycle, directory=project, env=env, **({"sandboxed": True} | more))


def with_safety(settings: Settings, **changes: Any) -> Settings:
    return replace(settings, safety=replace(settings.safety, **changes))
