"""The shape of an operation, and reading its arguments. Pure; imports no garden, so that the MCP proxy starts fast.

Models and forms send numbers and booleans as strings: these are taken for what they mean.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from nightgarden.errors import BadInput

Kind = Literal["text", "whole", "number", "flag", "texts", "moment", "object"]
_WORDS = {
    "text": "text",
    "whole": "a whole number",
    "number": "a number",
    "flag": "true or false",
    "texts": "a list of texts",
    "moment": "a date, such as 2026-11-15 or 2026-11-15T21:41Z",
    "object": "an object",
}
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of an operation."""

    name: str
    doc: str
    kind: Kind = "text"
    required: bool = False
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """Something that can be asked. `reads`: it changes nothing."""

    name: str
    overview: str
    parameters: tuple[Parameter, ...] = ()
    reads: bool = False

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(p.name if p.required else p.name + '?' for p in self.parameters)})"


def read_arguments(operation: Operation, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by their types; those that were null or left out are left out. Raises BadInput."""
    known = {parameter.name: parameter for parameter in operation.parameters}
    if unknown := [name for name in given if name not in known]:
        raise BadInput(f"{operation.name} has no argument {', '.join(unknown)}; it is {operation.signature}")
    read = {}
    for name, parameter in known.items():
        value = given.get(name)
        if value is None or (value == "" and parameter.kind != "text"):
            if parameter.required:
                raise BadInput(f"{operation.name} needs {name}: {parameter.doc}")
            continue
        try:
            read[name] = _read(parameter, value)
        except ValueError as error:
            raise BadInput(f"{operation.name}: {name} must be {error}, not {_short(value)}") from None
    return read


def _read(parameter: Parameter, value: Any) -> Any:
    """The message of the ValueError completes "must be …"."""
    match parameter.kind:
        case "text" | "moment":
            if isinstance(value, (dict, list)):
                raise ValueError(_WORDS[parameter.kind])
            text = value if isinstance(value, str) else json.dumps(value)
            if parameter.choices and text not in parameter.choices:
                raise ValueError("one of " + ", ".join(parameter.choices))
            return text
        case "flag":
            return _flag(value)
        case "texts":
            return _texts(value)
        case "object":
            if not isinstance(value, dict):
                raise ValueError(_WORDS["object"])
            return value
        case _:
            return _number(parameter, value)


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word not in _YES + _NO:
        raise ValueError(_WORDS["flag"])
    return word in _YES


def _texts(value: Any) -> list[str]:
    """A list, a JSON list in a string, or words with commas between them."""
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            try:
                value = json.loads(value)
            except (json.JSONDecodeError, RecursionError):
                raise ValueError(_WORDS["texts"]) from None
        else:
            return [piece.strip() for piece in value.split(",") if piece.strip()]
    if not isinstance(value, list) or any(isinstance(item, (dict, list)) for item in value):
        raise ValueError(_WORDS["texts"])
    return [item if isinstance(item, str) else json.dumps(item) for item in value]


def _number(parameter: Parameter, value: Any) -> int | float:
    least = float("-inf") if parameter.least is None else parameter.least
    most = float("inf") if parameter.most is None else parameter.most
    words = _WORDS[parameter.kind]
    if parameter.least is not None and parameter.most is not None:
        words += f" from {least:g} to {most:g}"
    if isinstance(value, (bool, dict, list)):
        raise ValueError(words)
    try:
        number = float(value)
    except ValueError:
        raise ValueError(words) from None
    if not least <= number <= most or (parameter.kind == "whole" and not number.is_integer()):
        raise ValueError(words)
    return int(number) if parameter.kind == "whole" else number


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


def parameter_schema(parameter: Parameter) -> dict[str, Any]:
    """The parameter as JSON Schema, as strict as a caller should be; reading is more lenient."""
    schema: dict[str, Any] = {"description": parameter.doc} if parameter.doc else {}
    match parameter.kind:
        case "text" | "moment":
            schema["type"] = "string"
            if parameter.choices:
                schema["enum"] = list(parameter.choices)
        case "flag":
            schema["type"] = "boolean"
        case "texts":
            schema |= {"type": "array", "items": {"type": "string"}}
        case "object":
            schema["type"] = "object"
        case _:
            schema["type"] = "integer" if parameter.kind == "whole" else "number"
            if parameter.least is not None:
                schema["minimum"] = parameter.least
            if parameter.most is not None:
                schema["maximum"] = parameter.most
    return schema


def arguments_schema(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """All parameters as the JSON Schema of an object."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {parameter.name: parameter_schema(parameter) for parameter in parameters},
        "additionalProperties": False,
    }
    if required := [parameter.name for parameter in parameters if parameter.required]:
        schema["required"] = required
    return schema
