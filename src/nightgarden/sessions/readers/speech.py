"""How a client's text becomes messages: without our own injections, own words and pastes apart, tool output bounded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from nightgarden.domain.redact import redact
from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.session import Message, Signal
from nightgarden.domain.taint import strip_injected
from nightgarden.sessions.pasted import split_pasted
from nightgarden.sessions.readers.foreign_json import text_of
from nightgarden.sessions.readers.progress import Call

IMAGE = "[image]"
# What a tool printed is kept for its errors, not as a copy of files: the first and last lines tell. Taste.
TOOL_CHARS_MAX = 2000
TITLE_CHARS_MAX = 80
# What a tool was called with is kept to tell what was done, not as a copy of what it wrote. Taste.
ARGUMENT_CHARS_MAX = 600
ARGUMENTS_CHARS_MAX = 1500
ARGUMENTS_MAX = 12
ARGUMENT_NAME_CHARS_MAX = 60
_ARGUMENT_CHARS_MIN = 20  # less room than this tells nothing
SUMMARY_CHARS_MAX = 6000  # of a compaction; taste: the summaries of real clients have one to five thousand
INTERRUPTED_WORDS = "[interrupted by the user]"
_SECRET_CHARS_MAX = 4096  # the longest secret in common use is a private key of 4096 bits, about 3300 characters


def said(message_id: str, role: str, text: str, at: datetime, *, recorded: Sequence[str] = ()) -> list[Message]:
    """What someone said. A user's message is cut into own words and pastes, the first piece under the message's id.

    `recorded` are texts that the client says were pasted.
    """
    clean = strip_injected(text).strip()
    if not clean:
        return []
    if role != "user":
        return [Message(id=message_id, role=role, text=clean, at=at)]
    return [
        Message(
            id=f"{message_id}.{number}" if number else message_id,
            role=role,
            text=piece.text,
            at=at,
            pasted=piece.pasted,
        )
        for number, piece in enumerate(split_pasted(clean, recorded))
    ]


def tool_said(
    message_id: str,
    call: Call,
    output: str,
    at: datetime,
    *,
    is_error: bool,
    exit_code: int | None = None,
    duration_ms: int | None = None,
    interrupted: bool = False,
) -> list[Message]:
    """What a tool was asked and gave back. A call that is not known and printed nothing says nothing."""
    clean = strip_injected(output).strip()
    if not clean and not is_error and not call.name:
        return []
    return [
        Message(
            id=message_id,
            role="tool",
            text=shorten(clean, TOOL_CHARS_MAX),
            at=at,
            tool_name=call.name,
            is_error=is_error,
            pasted=True,
            arguments=call.arguments,
            exit_code=exit_code,
            duration_ms=call.took_ms(at) if duration_ms is None else duration_ms,
            signal=Signal.INTERRUPTED if interrupted else Signal.NONE,
        )
    ]


def happened(message_id: str, signal: Signal, text: str, at: datetime) -> Message:
    """Something that nobody said. Outside text: a summary retells what tools printed."""
    clean = shorten(strip_injected(text).strip(), SUMMARY_CHARS_MAX)
    return Message(id=message_id, role="system", text=clean, at=at, pasted=True, signal=signal)


def arguments_of(raw: Any) -> dict[str, str]:
    """What a tool was called with, as short texts by name. What is nested is written as JSON; what is a text alone goes
    by the name `input`."""
    given = raw if isinstance(raw, dict) else {"input": raw} if raw else {}
    kept: dict[str, str] = {}
    room = ARGUMENTS_CHARS_MAX
    for name, value in list(given.items())[:ARGUMENTS_MAX]:
        text = text_of(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        short = shorten(strip_injected(text_of(text)), min(ARGUMENT_CHARS_MAX, room))
        kept[shorten(text_of(name), ARGUMENT_NAME_CHARS_MAX)] = _without_secrets(short)
        room -= len(short)
        if room < _ARGUMENT_CHARS_MIN:
            break
    return kept


def shorten(text: str, chars_max: int) -> str:
    """The beginning and the end of a text that is too long. Secrets go first: half of one would not be recognised."""
    if len(text) <= chars_max:
        return text
    half = (chars_max - 3) // 2
    head = _without_secrets(text[: half + _SECRET_CHARS_MAX])[:half]
    return f"{head}\n…\n{_without_secrets(text[-half - _SECRET_CHARS_MAX :])[-half:]}"


def title_of(text: str) -> str:
    """The first line, without secrets, cut at a word."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = _without_secrets(line[: TITLE_CHARS_MAX + _SECRET_CHARS_MAX])
    if len(line) <= TITLE_CHARS_MAX:
        return line
    return line[:TITLE_CHARS_MAX].rsplit(" ", 1)[0].rstrip() + "…"


def _without_secrets(text: str) -> str:
    return redact(text, find_secrets(text))
