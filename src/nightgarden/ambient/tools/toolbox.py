"""A box of tools: finds the one that is called, sets its arguments right, notices loops, and never raises.

Models send numbers and booleans as text, leave out what is optional, and call the same thing again and again. The first
two are set right here; a call that repeats itself is answered with a warning, then ends the conversation.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nightgarden.domain.conversation import ToolAnswer, ToolCall, ToolSpec
from nightgarden.domain.fence import Fence, fenced
from nightgarden.errors import LeaseLost, NightgardenError

REPEATS_WARNED = 3  # the same call so many times in a row is said to be a loop
REPEATS_MAX = 6  # and so many end it
ANSWER_CHARS_MAX = 12_000
Answer = Callable[[Mapping[str, Any]], Awaitable[ToolAnswer | str]]
_log = logging.getLogger("nightgarden.ambient")


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbientTool:
    """A tool and what answers it."""

    spec: ToolSpec
    answer: Answer
    repeats: bool = False  # may be called again with the same arguments: it asks for news


class AmbientTools:
    """The toolbox of one cycle. Everything that it writes is fenced by the cycle's lease."""

    def __init__(self, tools: Sequence[AmbientTool], fence: Fence | None) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._fence = fence
        self._last = ""
        self._repeats = 0
        self.looped = False

    @property
    def specs(self) -> Sequence[ToolSpec]:
        return [tool.spec for tool in self._tools.values()]

    async def call(self, call: ToolCall) -> ToolAnswer:
        if call.malformed:
            return _no(f"the arguments of {call.name} could not be read: {call.malformed}. Send one JSON object.")
        tool = self._tools.get(call.name)
        if tool is None:
            return _no(f"there is no tool {call.name!r}; there are {', '.join(self._tools)}")
        try:
            arguments = set_right(call.arguments, tool.spec.parameters)
        except ValueError as error:
            return _no(f"{call.name}: {error}")
        if loop := self._loop(tool, arguments):
            return loop
        with fenced(self._fence):
            return await self._answer(tool, arguments)

    async def _answer(self, tool: AmbientTool, arguments: Mapping[str, Any]) -> ToolAnswer:
        try:
            answer = await tool.answer(arguments)
        except LeaseLost:
            return ToolAnswer(text="another machine took over: this cycle is over", failed=True, ends=True)
        except NightgardenError as error:
            return _no(str(error))
        except Exception as error:  # noqa: BLE001 - what a model called must not end the cycle; it is told, and logged
            _log.warning("tool %s failed: %s", tool.spec.name, error, exc_info=True)
            return _no(f"{tool.spec.name} failed inside nightgarden ({type(error).__name__})")
        if isinstance(answer, str):
            answer = ToolAnswer(text=answer)
        return ToolAnswer(text=answer.text[:ANSWER_CHARS_MAX] or "done", failed=answer.failed, ends=answer.ends)

    def _loop(self, tool: AmbientTool, arguments: Mapping[str, Any]) -> ToolAnswer | None:
        if tool.repeats:
            return None
        same = f"{tool.spec.name} {json.dumps(arguments, sort_keys=True, default=str)}"
        self._repeats = self._repeats + 1 if same == self._last else 1
        self._last = same
        if self._repeats >= REPEATS_MAX:
            self.looped = True
            return ToolAnswer(text="the same call again and again: this cycle is ended", failed=True, ends=True)
        if self._repeats >= REPEATS_WARNED:
            return _no(f"you called {tool.spec.name} with the same arguments {self._repeats} times; do something else")
        return None


def spec(name: str, doc: str, /, *, required: Sequence[str] = (), **properties: Mapping[str, Any]) -> ToolSpec:
    """A specification, its parameters by name."""
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(name=name, description=doc, parameters=parameters)


def text(doc: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": doc} | more


def number(doc: str) -> dict[str, Any]:
    return {"type": "number", "description": doc}


def whole(doc: str) -> dict[str, Any]:
    return {"type": "integer", "description": doc}


def texts(doc: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": doc}


def set_right(given: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as the schema wants them: what can be read as the right type is. Raises ValueError in words."""
    wanted: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    if unknown := [name for name in given if name not in wanted]:
        raise ValueError(f"there is no argument {unknown[0]!r}; there are {', '.join(wanted) or 'none'}")
    found = {name: _typed(name, value, wanted[name]) for name, value in given.items() if value is not None}
    if missing := [name for name in schema.get("required", ()) if name not in found]:
        raise ValueError(f"the argument {missing[0]!r} is missing")
    return found


def _typed(name: str, value: Any, wanted: Mapping[str, Any]) -> Any:
    try:
        match wanted.get("type"):
            case "integer":
                return _number(value, int)
            case "number":
                return _number(value, float)
            case "boolean":
                return _flag(value)
            case "array":
                return _list(value, wanted)
            case "object":
                return _object(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be {wanted['type']}, not {json.dumps(value, default=str)[:80]}") from None
    if not isinstance(value, str):
        value = json.dumps(value, default=str)
    if (choices := wanted.get("enum")) and value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value[:40]!r}")
    return value


def _number(value: Any, kind: type[int] | type[float]) -> int | float:
    if isinstance(value, bool):
        raise ValueError
    read = float(value)
    if read != read or read in (float("inf"), float("-inf")):
        raise ValueError
    return int(read) if kind is int else read


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).lower()
    if word not in ("true", "1", "yes", "false", "0", "no"):
        raise ValueError
    return word in ("true", "1", "yes")


def _list(value: Any, wanted: Mapping[str, Any]) -> list[Any]:
    if isinstance(value, str):  # a list that was sent as text, or one item alone
        value = json.loads(value) if value.lstrip().startswith("[") else [value]
    if not isinstance(value, list):
        raise TypeError
    return [_typed("an item", item, wanted.get("items", {})) for item in value]


def _object(value: Any) -> dict[str, Any]:
    read = json.loads(value) if isinstance(value, str) else value
    if not isinstance(read, dict):
        raise TypeError
    return read


def _no(words: str) -> ToolAnswer:
    return ToolAnswer(text=words, failed=True)
