"""Transcripts of Codex: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl`.

Each line is `{timestamp, type, payload}`. Kept: messages of user and model, which tools were called with what and what
they gave back, from the response items; events repeat them, but tell of usage and interruptions. Of a compacted history
the summary is kept. Left out: reasoning, developer and harness messages.
Formats as written by 0.166.0, and by older ones that put less into a line.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from nightgarden.domain.session import Message, SessionUsage, Signal
from nightgarden.domain.time import write_moment
from nightgarden.sessions.readers.foreign_json import count_of, digest_of, fields_of, items_of, text_of
from nightgarden.sessions.readers.jsonl import file_ref, in_order, read_jsonl
from nightgarden.sessions.readers.progress import Progress
from nightgarden.sessions.readers.speech import IMAGE, INTERRUPTED_WORDS, arguments_of, happened, said, tool_said
from nightgarden.sessions.readers.transcript import Read, TranscriptRef

CLIENT = "codex"
_MODEL_CHARS_MAX = 80

_THREAD = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_EXIT_CODE = re.compile(r"(?:Process exited with code|Exit code:)\s*(-?\d+)")
_WALL_TIME = re.compile(r"Wall time:\s*(\d{1,9}(?:\.\d{1,9})?) seconds")
_OUTPUT = re.compile(r"\A(?:Chunk ID|Exit code|Wall time)\b.*?^Output:\n", re.DOTALL | re.MULTILINE)
# Older rollouts do not say who wrote a user item; what the program adds itself begins like this.
_HARNESS = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<skills_instructions>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<user_shell_command>",
    "<skill>",
    "# AGENTS.md instructions",
)


class CodexReader:
    """Reads Codex's rollouts. Keeps nothing between readings."""

    def discover(self, home: Path, env: Mapping[str, str]) -> list[TranscriptRef]:
        root = Path(env["CODEX_HOME"]) if env.get("CODEX_HOME") else home / ".codex"
        paths = [*root.glob("sessions/*/*/*/rollout-*.jsonl"), *root.glob("archived_sessions/rollout-*.jsonl")]
        return in_order(file_ref(CLIENT, _session_id(path), path) for path in paths)

    def read(self, ref: TranscriptRef, cursor: str, *, now: datetime) -> Read:
        return read_jsonl(ref, cursor, now=now, take=_take)

    def close(self) -> None:
        """Nothing is kept."""


def _session_id(path: Path) -> str:
    thread = _THREAD.search(path.stem)
    return thread[0] if thread else path.stem


def _take(progress: Progress, record: dict[str, Any], ref: TranscriptRef) -> Iterator[Message]:
    payload = fields_of(record.get("payload"))
    match record.get("type"):
        case "session_meta" if not progress.header_seen:  # a fork carries the header of its origin after its own
            _read_header(progress, payload)
        case "turn_context":
            progress.model = text_of(payload.get("model"))[:_MODEL_CHARS_MAX] or progress.model
        case "event_msg":
            _follow_turn(progress, payload)
            if payload.get("type") == "token_count" and (limits := fields_of(payload.get("rate_limits"))):
                progress.limits = dict(limits)
                progress.limits_at = write_moment(progress.moment(record.get("timestamp"), ref.changed_at))
            if payload.get("type") == "turn_aborted":
                at = progress.moment(record.get("timestamp"), ref.changed_at)
                message_id = digest_of(at.isoformat(), "turn_aborted", payload.get("turn_id"))
                yield happened(message_id, Signal.INTERRUPTED, INTERRUPTED_WORDS, at)
        case "compacted" if text_of(payload.get("message")):
            at = progress.moment(record.get("timestamp"), ref.changed_at)
            text = text_of(payload.get("message"))
            yield happened(digest_of(at.isoformat(), "compacted", text), Signal.COMPACTED, text, at)
        case "response_item":
            at = progress.moment(record.get("timestamp"), ref.changed_at)
            yield from _from_item(progress, payload, at)


def _read_header(progress: Progress, payload: Mapping[str, Any]) -> None:
    progress.header_seen = True
    progress.directory = text_of(payload.get("cwd"))
    spawn = fields_of(fields_of(fields_of(payload.get("source")).get("subagent")).get("thread_spawn"))
    progress.parent_id = text_of(payload.get("parent_thread_id") or spawn.get("parent_thread_id")) or None


def _follow_turn(progress: Progress, event: Mapping[str, Any]) -> None:
    match event.get("type"):
        case "task_started" | "turn_started":
            progress.turn_open = True
        case "task_complete" | "turn_complete" | "turn_aborted":
            progress.turn_open = False
        case "token_count":
            # The sum so far: the same event may come twice, and then adds nothing.
            progress.spend(_usage(fields_of(fields_of(event.get("info")).get("total_token_usage"))), answer_id="thread")
        case "item_completed":
            progress.shows_answers = True
            item = fields_of(event.get("item"))
            if item.get("type") == "AgentMessage":
                progress.shown = [*progress.shown[-7:], text_of(item.get("id"))]


def _is_summary(progress: Progress, item: Mapping[str, Any]) -> bool:
    """An answer that was never shown is one the program asked for itself: the summary of a compaction."""
    item_id = text_of(item.get("id"))
    if item.get("role") != "assistant" or not progress.shows_answers or not item_id:
        return False
    if item_id not in progress.shown:
        return True
    progress.shown.remove(item_id)
    return False


def _from_item(progress: Progress, item: Mapping[str, Any], at: datetime) -> Iterator[Message]:
    call_id = text_of(item.get("call_id"))
    match item.get("type"):
        case "message" if item.get("role") in ("user", "assistant") and not _is_summary(progress, item):
            text = _words(item)
            role = "assistant" if progress.parent_id else text_of(item.get("role"))
            yield from said(_id_of(item, at, text), role, text, at)
        case "function_call" | "custom_tool_call":
            given = item.get("arguments") if item.get("type") == "function_call" else item.get("input")
            progress.call(call_id, text_of(item.get("name")), arguments_of(_decoded(given)), at)
        case "local_shell_call":
            progress.call(call_id, "shell", arguments_of(fields_of(item.get("action"))), at)
        case "function_call_output" | "custom_tool_call_output":
            result = _tool_output(item.get("output"))
            yield from tool_said(
                _id_of(item, at, result.text),
                progress.called(call_id),
                result.text,
                at,
                is_error=result.failed,
                exit_code=result.exit_code,
                duration_ms=result.duration_ms,
            )


def _id_of(item: Mapping[str, Any], at: datetime, text: str) -> str:
    """Derived from what the line says: items of older rollouts have no id, and some servers reuse theirs."""
    return digest_of(at.isoformat(), item.get("id"), item.get("call_id"), item.get("role"), text)


def _words(item: Mapping[str, Any]) -> str:
    about = items_of(fields_of(item.get("internal_chat_message_metadata_passthrough")).get("content_item_metadata"))
    words = []
    for number, block in enumerate(map(fields_of, items_of(item.get("content")))):
        writer = fields_of(fields_of(about[number]).get("provenance")).get("type") if number < len(about) else None
        text = text_of(block.get("text"))
        if writer == "harness" or (item.get("role") == "user" and text.lstrip().startswith(_HARNESS)):
            continue
        words.append(IMAGE if block.get("type") == "input_image" else text)
    return "\n".join(words)


def _usage(figures: Mapping[str, Any]) -> SessionUsage:
    taken, cached = count_of(figures.get("input_tokens")) or 0, count_of(figures.get("cached_input_tokens")) or 0
    return SessionUsage(
        input_tokens=max(0, taken - cached),
        output_tokens=count_of(figures.get("output_tokens")) or 0,
        cached_tokens=cached,
    )


def _decoded(arguments: Any) -> Any:
    """Arguments are JSON in a text; what a custom tool takes is text."""
    if isinstance(arguments, str) and arguments.lstrip().startswith("{"):
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(arguments)
    return arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """What a tool printed, without the frame around it, and what the frame says."""

    text: str
    failed: bool
    exit_code: int | None = None
    duration_ms: int | None = None


def _tool_output(raw: Any) -> _Result:
    if isinstance(raw, str) and raw.startswith('{"output"'):  # older shells answer with JSON inside the text
        with contextlib.suppress(ValueError, RecursionError):
            raw = json.loads(raw)
    if isinstance(raw, dict):
        about = fields_of(raw.get("metadata"))
        code = about.get("exit_code") if isinstance(about.get("exit_code"), int) else None
        output = text_of(raw.get("output") or raw.get("content"))
        failed = raw.get("success") is False or code not in (None, 0)
        return _Result(
            text=output, failed=failed, exit_code=_small(code), duration_ms=_milliseconds(about.get("duration_seconds"))
        )
    if isinstance(raw, list):
        blocks = map(fields_of, raw)
        raw = "\n".join(IMAGE if b.get("type") == "input_image" else text_of(b.get("text")) for b in blocks)
    text = text_of(raw)
    frame = text[:400]  # not what was printed
    found, took = _EXIT_CODE.search(frame), _WALL_TIME.search(frame)
    code = int(found[1]) if found else None
    return _Result(
        text=_OUTPUT.sub("", text, count=1),
        failed=code not in (None, 0),
        exit_code=_small(code),
        duration_ms=_milliseconds(float(took[1])) if took else None,
    )


def _small(code: int | None) -> int | None:
    return code if code is not None and abs(code) < 2**31 else None


def _milliseconds(seconds: Any) -> int | None:
    return count_of(seconds * 1000) if isinstance(seconds, int | float) and abs(seconds) < 1e9 else None
