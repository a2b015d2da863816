"""Transcripts that own agents write: one JSON object a line, one file a session, named after the session.

    {"type": "session", "title": "…", "directory": "/path", "parent_id": "…", "started_at": "2026-11-15T21:00:00Z"}
    {"id": "1", "role": "user", "text": "…", "at": "2026-11-15T21:00:05Z"}
    {"role": "assistant", "text": "…"}
    {"role": "tool", "tool_name": "shell", "arguments": {"command": "make"}, "text": "…", "is_error": true,
     "exit_code": 2, "duration_ms": 300}                       (on one line)
    {"type": "interrupted"}
    {"type": "end"}

Only role and text are needed, of a tool its name or text. `role` may be the name of a speaker; `content` is read as
`text`, `timestamp` as `at`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from nightgarden.domain.session import Message, Signal
from nightgarden.domain.time import write_moment
from nightgarden.sessions.readers.foreign_json import count_of, digest_of, fields_of, items_of, text_of
from nightgarden.sessions.readers.jsonl import file_ref, in_order, read_jsonl
from nightgarden.sessions.readers.progress import Call, Progress
from nightgarden.sessions.readers.speech import (
    IMAGE,
    INTERRUPTED_WORDS,
    arguments_of,
    happened,
    said,
    title_of,
    tool_said,
)
from nightgarden.sessions.readers.transcript import Read, TranscriptRef

CLIENT = "jsonl"
FOLDER_VARIABLE = "NIGHTGARDEN_TRANSCRIPTS"


class Plain:
    """Reads JSON Lines transcripts of own agents. Keeps nothing between readings."""

    def discover(self, home: Path, env: Mapping[str, str]) -> list[TranscriptRef]:
        data = Path(env["XDG_DATA_HOME"]) if env.get("XDG_DATA_HOME") else home / ".local" / "share"
        folder = Path(env[FOLDER_VARIABLE]) if env.get(FOLDER_VARIABLE) else data / "nightgarden" / "transcripts"
        return in_order(file_ref(CLIENT, path.stem, path) for path in folder.glob("**/*.jsonl"))

    def read(self, ref: TranscriptRef, cursor: str, *, now: datetime) -> Read:
        return read_jsonl(ref, cursor, now=now, take=_take)

    def close(self) -> None:
        """Nothing is kept."""


def _take(progress: Progress, record: dict[str, Any], ref: TranscriptRef) -> Iterator[Message]:
    match record.get("type"):
        case "session":
            _read_header(progress, record, ref)
        case "end":
            progress.ended, progress.turn_open = True, False
        case "interrupted":
            progress.turn_open = False
            at = progress.moment(record.get("at"), ref.changed_at)
            yield happened(digest_of(progress.offset, record), Signal.INTERRUPTED, INTERRUPTED_WORDS, at)
        case _:
            yield from _from_line(progress, record, ref)


def _read_header(progress: Progress, record: Mapping[str, Any], ref: TranscriptRef) -> None:
    progress.header_seen = True
    progress.title = title_of(text_of(record.get("title"))) or progress.title
    progress.directory = text_of(record.get("directory")) or progress.directory
    progress.parent_id = text_of(record.get("parent_id")) or progress.parent_id
    if text_of(record.get("started_at")):
        progress.started_at = write_moment(progress.moment(record.get("started_at"), ref.changed_at))


def _from_line(progress: Progress, record: Mapping[str, Any], ref: TranscriptRef) -> Iterator[Message]:
    role = text_of(record.get("role")).strip()
    text = _words(record.get("text", record.get("content")))
    called = role == "tool" and bool(text_of(record.get("tool_name")))
    if not role or not (text or record.get("is_error") is True or called):
        progress.damaged_lines += 1
        return
    progress.ended = False
    at = progress.moment(record.get("at", record.get("timestamp")), ref.changed_at)
    # without an id its place counts too, so that saying the same thing twice makes two messages
    message_id = text_of(record.get("id")) or digest_of(progress.offset, record)
    if role == "tool":
        code = record.get("exit_code")
        yield from tool_said(
            message_id,
            Call(name=text_of(record.get("tool_name")), arguments=arguments_of(record.get("arguments"))),
            text,
            at,
            is_error=record.get("is_error") is True,
            exit_code=code if isinstance(code, int) and abs(code) < 2**31 else None,
            duration_ms=count_of(record.get("duration_ms")),
        )
        return
    progress.turn_open = role == "user"
    messages = said(message_id, role, text, at)
    yield from (replace(m, pasted=True) for m in messages) if record.get("pasted") is True else messages


def _words(content: Any) -> str:
    if isinstance(content, str):
        return text_of(content)
    blocks = map(fields_of, items_of(content))
    return "\n".join(IMAGE if "image" in text_of(b.get("type")) else text_of(b.get("text")) for b in blocks)
