"""Transcripts of OpenCode: the SQLite database `opencode.db`.

A message is a row with its parts in other rows, and both change while the model speaks; so a message is taken once it
is finished, in order, and the cursor is the last one taken. Kept: words, tools with what they were called with and gave
back, usage, aborted turns, summaries of compaction. Left out: reasoning, steps, synthetic parts (files and notes that
the program adds), tools without an end. Formats as written by 1.18.33.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nightgarden.domain.session import Message, Session, SessionUsage, Signal
from nightgarden.sessions.readers.foreign_json import count_of, fields_of, text_of
from nightgarden.sessions.readers.jsonl import in_order
from nightgarden.sessions.readers.progress import Call, Progress, read_progress, usage_of
from nightgarden.sessions.readers.speech import (
    IMAGE,
    INTERRUPTED_WORDS,
    arguments_of,
    happened,
    said,
    title_of,
    tool_said,
)
from nightgarden.sessions.readers.sqlite_copy import SqliteCopy, fingerprint
from nightgarden.sessions.readers.transcript import Read, TranscriptRef
from nightgarden.sessions.session_status import QUIET, judge_status

CLIENT = "opencode"

# A message may be finished after its session was touched for the last time, so all three are asked.
_SESSIONS = """
SELECT s.id, s.parent_id, max(
    s.time_updated,
    coalesce((SELECT max(m.time_updated) FROM message m WHERE m.session_id = s.id), 0),
    coalesce((SELECT max(p.time_updated) FROM part p WHERE p.session_id = s.id), 0)
) AS changed FROM session s ORDER BY s.id
"""
_SESSION = "SELECT id, parent_id, title, directory, time_created, time_updated FROM session WHERE id = ?"
_MESSAGES = "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id"
_PARTS = "SELECT message_id, id, data FROM part WHERE session_id = ? ORDER BY message_id, id"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One message as OpenCode keeps it."""

    id: str
    info: Mapping[str, Any]
    parts: tuple[Mapping[str, Any], ...]  # each with its id

    @property
    def at(self) -> datetime:
        return _moment(fields_of(self.info.get("time")).get("created"))

    @property
    def finished(self) -> bool:
        """A user's message is there with its first part; the model's when it says so, or failed."""
        if self.info.get("role") == "user":
            return bool(self.parts)
        return bool(fields_of(self.info.get("time")).get("completed") or self.info.get("error"))

    @property
    def usage(self) -> SessionUsage | None:
        tokens = fields_of(self.info.get("tokens"))
        cache = fields_of(tokens.get("cache"))
        figures = {
            "input_tokens": (count_of(tokens.get("input")) or 0) + (count_of(cache.get("write")) or 0),
            "output_tokens": (count_of(tokens.get("output")) or 0) + (count_of(tokens.get("reasoning")) or 0),
            "cached_tokens": count_of(cache.get("read")) or 0,
        }
        return usage_of(figures)

    @property
    def aborted(self) -> bool:
        return fields_of(self.info.get("error")).get("name") == "MessageAbortedError"

    @property
    def ends_turn(self) -> bool:
        return self.info.get("role") == "assistant" and self.info.get("finish") != "tool-calls" and self.finished


class OpenCode:
    """Reads OpenCode's sessions from a private copy of its database, made anew only when the database changed."""

    def __init__(self) -> None:
        self._copy: SqliteCopy | None = None
        self._copied: Path | None = None

    def discover(self, home: Path, env: Mapping[str, str]) -> list[TranscriptRef]:
        data = Path(env["XDG_DATA_HOME"]) if env.get("XDG_DATA_HOME") else home / ".local" / "share"
        database = data / "opencode" / "opencode.db"
        if not database.is_file():
            return []
        return in_order(
            TranscriptRef(
                client=CLIENT,
                session_id=text_of(row["id"]),
                path=database,
                changed_at=_moment(row["changed"]),
                fingerprint=str(row["changed"]),
                parent_id=text_of(row["parent_id"]) or None,
            )
            for row in self._open(database).connection.execute(_SESSIONS)
        )

    def read(self, ref: TranscriptRef, cursor: str, *, now: datetime) -> Read:
        header, rows, damaged = _from_database(self._open(ref.path).connection, ref.session_id)
        return _read(ref, header, rows, damaged, cursor, now=now)

    def close(self) -> None:
        if self._copy is not None:
            self._copy.close()
        self._copy = self._copied = None

    def _open(self, database: Path) -> SqliteCopy:
        if self._copy is None or self._copied != database or self._copy.fingerprint != fingerprint(database):
            self.close()
            self._copy, self._copied = SqliteCopy(database), database
        return self._copy


def _from_database(connection: sqlite3.Connection, session_id: str) -> tuple[dict[str, Any], list[_Row], int]:
    found = connection.execute(_SESSION, (session_id,)).fetchone()
    if found is None:
        raise FileNotFoundError(f"OpenCode no longer has session {session_id}")
    header = {"title": found["title"], "directory": found["directory"], "created": found["time_created"]}
    damaged = 0
    parts: dict[str, list[Mapping[str, Any]]] = {}
    for row in connection.execute(_PARTS, (session_id,)):
        data = _parse(row["data"])
        damaged += data is None
        parts.setdefault(row["message_id"], []).append({**(data or {}), "id": row["id"]})
    rows = []
    for row in connection.execute(_MESSAGES, (session_id,)):
        info = _parse(row["data"])
        if info is None:
            damaged += 1
            continue
        info["time"] = {"created": row["time_created"], **fields_of(info.get("time"))}
        rows.append(_Row(id=row["id"], info=info, parts=tuple(parts.get(row["id"], ()))))
    return header, rows, damaged


def _parse(data: Any) -> dict[str, Any] | None:
    try:
        parsed = json.loads(data)
    except (ValueError, TypeError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def _read(
    ref: TranscriptRef, header: Mapping[str, Any], rows: list[_Row], damaged: int, cursor: str, *, now: datetime
) -> Read:
    before = read_progress(cursor)
    ids = [row.id for row in rows]
    restarted = bool(before.mark) and before.mark not in ids
    start = ids.index(before.mark) + 1 if before.mark and not restarted else 0
    new: list[Message] = []
    progress = Progress(mark="" if restarted else before.mark, fingerprint=ref.fingerprint, damaged_lines=damaged)
    quiet = now - ref.changed_at >= QUIET
    all_finished = True
    for row in rows[start:]:
        all_finished = all_finished and row.finished
        if not all_finished and not quiet:  # what comes after it must not be filed before it
            break
        new.extend(_with_usage(row.usage, _messages(row, delegated=ref.parent_id is not None)))
        if all_finished:  # what broke off may go on one day: it is looked at again then
            progress.mark = row.id
    progress.turn_open = bool(rows) and not rows[-1].ends_turn
    status = judge_status(turn_open=progress.turn_open, ended=False, changed_at=ref.changed_at, now=now)
    session = Session(
        id=ref.session_id,
        messages=tuple(new),
        client=CLIENT,
        title=title_of(text_of(header.get("title"))),
        directory=text_of(header.get("directory")),
        started_at=_moment(header.get("created")),
        ended_at=None if status == "active" else ref.changed_at,
        status=status,
        parent_id=ref.parent_id,
        cursor=progress.write(),
        damaged_lines=damaged,
        usage=_sum(rows),
    )
    return Read(
        session=session,
        new_messages=tuple(new),
        cursor=session.cursor,
        damaged_lines=max(0, damaged - (0 if restarted else before.damaged_lines)),
        status=status,
        restarted=restarted,
    )


def _messages(row: _Row, *, delegated: bool) -> Iterator[Message]:
    if row.info.get("summary") is True:  # a compaction's summary; on a user's message it is an object
        texts = (text_of(part.get("text")) for part in row.parts if part.get("type") == "text")
        yield happened(row.id, Signal.COMPACTED, "\n".join(texts), row.at)
        return
    role = text_of(row.info.get("role"))
    if role not in ("user", "assistant"):
        return
    # A sub-agent's "user" is the agent that started it: those are not a person's words.
    role = "assistant" if delegated else role
    for part in row.parts:
        part_id = text_of(part.get("id")) or row.id
        match part:
            case {"type": "text"} if not part.get("synthetic") and not part.get("ignored"):
                yield from said(part_id, role, _unquoted(text_of(part.get("text")), role), row.at)
            case {"type": "file"} if role == "user":
                image = text_of(part.get("mime")).startswith("image/")
                yield from said(part_id, role, IMAGE if image else f"[file {text_of(part.get('filename'))}]", row.at)
            case {"type": "tool", "state": {"status": "completed" | "error"}}:
                yield from _tool(part_id, part, row.at)
    if row.aborted:
        yield happened(f"{row.id}.aborted", Signal.INTERRUPTED, INTERRUPTED_WORDS, row.at)


def _sum(rows: Iterable[_Row]) -> SessionUsage | None:
    spent = [usage for row in rows if (usage := row.usage) is not None]
    return sum(spent, start=SessionUsage()) if spent else None


def _with_usage(usage: SessionUsage | None, messages: Iterable[Message]) -> Iterator[Message]:
    """The first message carries what the whole answer cost."""
    for message in messages:
        yield replace(message, usage=usage) if usage else message
        usage = None


def _tool(part_id: str, part: Mapping[str, Any], at: datetime) -> Iterable[Message]:
    state = fields_of(part.get("state"))
    failed = state.get("status") == "error"
    output = text_of(state.get("error") if failed else state.get("output"))
    times, about = fields_of(state.get("time")), fields_of(state.get("metadata"))
    ended, code = times.get("end"), about.get("exit")
    call = Call(
        name=text_of(part.get("tool")),
        arguments=arguments_of(state.get("input")),
        at=_moment(times.get("start")) if ended and times.get("start") else None,
    )
    return tool_said(
        part_id,
        call,
        output,
        _moment(ended) if ended else at,
        is_error=failed,
        exit_code=code if isinstance(code, int) and abs(code) < 2**31 else None,
        interrupted=about.get("interrupted") is True,
    )


def _unquoted(text: str, role: str) -> str:
    """`opencode run "some words"` stores the words with the quotation marks around them."""
    inner = text.strip()
    if role == "user" and len(inner) > 2 and inner[0] == inner[-1] == '"' and '"' not in inner[1:-1]:
        return inner[1:-1]
    return text


def _moment(milliseconds: Any) -> datetime:
    try:
        return datetime.fromtimestamp(float(milliseconds) / 1000, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
