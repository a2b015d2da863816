"""Reading the arguments of an operation, and describing them as JSON Schema: both from the fields of its request.

Pure; imports no garden, so that the MCP proxy starts fast. Models and forms send numbers and booleans as strings: these
are taken for what they mean.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from nightgarden.domain.requests.declare import Field, OperationRequest
from nightgarden.domain.time import read_moment
from nightgarden.errors import BadInput

if TYPE_CHECKING:
    from nightgarden.domain.requests.declare import Kind

Request = TypeVar("Request", bound=OperationRequest)
_WORDS: dict[Kind, str] = {
    "text": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "texts": "a list of texts",
    "moment": "a date, such as 2026-11-15 or 2026-11-15T21:41Z",
    "object": "an object",
}
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def offered(request: type[OperationRequest]) -> tuple[Field, ...]:
    """The fields that a caller from outside the program may give."""
    return tuple(field for field in request.fields.values() if not field.inside)


def signature(name: str, fields: Iterable[Field]) -> str:
    """An operation in a line: what may be left out has a question mark."""
    return f"{name}({', '.join(field.name if field.required else field.name + '?' for field in fields)})"


def read_arguments(name: str, fields: Iterable[Field], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by their types; those that were null or left out are left out. Raises BadInput."""
    fields = tuple(fields)
    known = {alias: field for field in fields for alias in field.aliases} | {field.name: field for field in fields}
    if unknown := [each for each in given if each not in known]:
        raise BadInput(f"{name} has no argument {', '.join(unknown)}; it is {signature(name, fields)}")
    read: dict[str, Any] = {}
    for each, value in given.items():
        field = known[each]
        if value is None or (value == "" and field.kind != "text"):
            continue
        if field.name in read:
            raise BadInput(f"{name}: {each} was given twice; it is called {field.name}")
        try:
            read[field.name] = read_value(field, value)
        except ValueError as error:
            raise BadInput(f"{name}: {each} must be {error}, not {_short(value)}") from None
    if missing := next((field for field in fields if field.required and field.name not in read), None):
        raise BadInput(f"{name} needs {missing.name}: {missing.help}")
    return read


def writable(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as JSON has them, to be read again elsewhere."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else list(value) if isinstance(value, tuple) else value
        for name, value in arguments.items()
    }


def read_value(field: Field, value: Any) -> Any:
    """The message of the ValueError completes "must be …"."""
    match field.kind:
        case "text":
            return _choice(field, _text(field, value))
        case "moment":
            return _moment(field, value)
        case "boolean":
            return _boolean(value)
        case "texts":
            return tuple(_choice(field, each) for each in _texts(value))
        case "object":
            if not isinstance(value, dict):
                raise ValueError(_WORDS["object"])
            return value
        case _:
            return _number(field, value)


def _text(field: Field, value: Any) -> str:
    if isinstance(value, (dict, list)):
        raise ValueError(_WORDS[field.kind])
    return value if isinstance(value, str) else json.dumps(value)


def _choice(field: Field, text: str) -> str:
    if field.choices and text not in field.choices:
        raise ValueError("one of " + ", ".join(field.choices))
    return text


def _moment(field: Field, value: Any) -> datetime:
    text = value if isinstance(value, datetime) else _text(field, value)
    if isinstance(text, datetime):
        return text
    try:
        return day_end(text) if field.end_of_day and len(text) <= len("2026-11-15") else read_moment(text)
    except (ValueError, OverflowError):
        raise ValueError(_WORDS["moment"]) from None


def day_end(text: str) -> datetime:
    """The last instant of a day, where this process is. Raises ValueError."""
    day = date.fromisoformat(text)
    return datetime(day.year, day.month, day.day, 23, 59, 59, 999_999).astimezone()


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word not in _YES + _NO:
        raise ValueError(_WORDS["boolean"])
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
    if not isinstance(value, (list, tuple)) or any(isinstance(item, (dict, list)) for item in value):
        raise ValueError(_WORDS["texts"])
    return [item if isinstance(item, str) else json.dumps(item) for item in value]


def _number(field: Field, value: Any) -> int | float:
    lowest = float("-inf") if field.min is None else field.min
    highest = float("inf") if field.max is None else field.max
    words = _WORDS[field.kind]
    if field.min is not None and field.max is not None:
        words += f" from {lowest:g} to {highest:g}"
    elif field.min is not None:
        words += f" from {lowest:g} up"
    if isinstance(value, (bool, dict, list)):
        raise ValueError(words)
    try:
        number = float(value)
    except ValueError:
        raise ValueError(words) from None
    if not lowest <= number <= highest or (field.kind == "integer" and not number.is_integer()):
        raise ValueError(words)
    return int(number) if field.kind == "integer" else number


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


def field_schema(field: Field, *, brief: bool = False) -> dict[str, Any]:
    """The field as JSON Schema, as strict as a caller should be; reading is more lenient."""
    words = field.brief if brief and field.brief is not None else field.help
    schema: dict[str, Any] = {"description": words} if words else {}
    match field.kind:
        case "text" | "moment":
            schema["type"] = "string"
            if field.choices:
                schema["enum"] = list(field.choices)
        case "texts":
            items: dict[str, Any] = {"type": "string"}
            if field.choices:
                items["enum"] = list(field.choices)
            schema |= {"type": "array", "items": items}
        case "boolean" | "object":
            schema["type"] = field.kind
        case _:
            schema["type"] = field.kind
            if field.min is not None:
                schema["minimum"] = field.min
            if field.max is not None:
                schema["maximum"] = field.max
    return schema


def arguments_schema(fields: Iterable[Field], *, brief: bool = False) -> dict[str, Any]:
    """All fields as the JSON Schema of an object."""
    fields = tuple(fields)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {field.name: field_schema(field, brief=brief) for field in fields},
        "additionalProperties": False,
    }
    if required := [field.name for field in fields if field.required]:
        schema["required"] = required
    return schema
