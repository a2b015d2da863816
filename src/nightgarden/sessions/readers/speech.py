"""How a client's text becomes messages: without our own injections, own words and pastes apart, tool output bounded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from nightgarden.domain.redact import redact
from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.session import Message
from nightgarden.domain.taint import strip_injected
from nightgarden.sessions.pasted import split_pasted

IMAGE = "[image]"
# What a tool printed is kept for its errors, not as a copy of files: the first and last lines tell. Taste.
TOOL_CHARS_MAX = 2000
TITLE_CHARS_MAX = 80
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


def tool_said(message_id: str, tool_name: str, output: str, at: datetime, *, is_error: bool) -> list[Message]:
    """What a tool gave back; nothing when it printed nothing and went well."""
    clean = strip_injected(output).strip()
    if not clean and not is_error:
        return []
    text = shorten(clean, TOOL_CHARS_MAX)
    return [Message(id=message_id, role="tool", text=text, at=at, tool_name=tool_name, is_error=is_error, pasted=True)]


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
