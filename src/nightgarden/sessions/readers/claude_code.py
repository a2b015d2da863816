"""Transcripts of Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`, sub-agents in a folder beside it.

Kept: what the user typed, what the model answered, which tools were called with what and what they gave back, usage,
interruptions, summaries of compaction. Left out: thinking, meta lines, attachments (our own context among them),
notices and records of the client's own book-keeping.
Formats as written by 2.1.325.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from nightgarden.domain.session import Message, SessionUsage, Signal
from nightgarden.machine.plain_files import read_plain
from nightgarden.sessions.processes import is_running
from nightgarden.sessions.readers.claude_pastes import Pastes
from nightgarden.sessions.readers.foreign_json import count_of, digest_of, fields_of, items_of, text_of
from nightgarden.sessions.readers.jsonl import file_ref, in_order, read_jsonl
from nightgarden.sessions.readers.progress import Progress
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

CLIENT = "claude-code"
_MODEL_CHARS_MAX = 80
NOTE_BYTES_MAX = 1_000_000  # what the client notes about one session takes a few hundred

_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_COMMAND_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_INTERRUPTED = "[Request interrupted by user"
_REJECTED = ("The user doesn't want to proceed", "The user doesn't want to take this action")
_TURN_ENDS = ("end_turn", "stop_sequence", "max_tokens", "refusal")
_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (\d{1,9})\b")
# The client writes these under the user's name: echoes of commands run in it, and news from background tasks.
_NOTICES = (
    "<local-command-",
    "<task-notification>",
    "<bash-",
    "<user-prompt-submit-hook>",
    "Caveat: The messages below were generated",
)


class ClaudeCode:
    """Reads Claude Code's transcripts. Keeps what the prompt history says about pastes."""

    def __init__(self) -> None:
        self._pastes = Pastes()

    def discover(self, home: Path, env: Mapping[str, str]) -> list[TranscriptRef]:
        projects = _config_folder(home, env) / "projects"
        refs = [file_ref(CLIENT, path.stem, path) for path in projects.glob("*/*.jsonl")]
        for path in projects.glob("*/*/subagents/**/agent-*.jsonl"):
            parent = path.relative_to(projects).parts[1]
            refs.append(file_ref(CLIENT, f"{parent}/{path.stem}", path, parent_id=parent))
        return in_order(refs)

    def read(self, ref: TranscriptRef, cursor: str, *, now: datetime) -> Read:
        folder = next((folder.parent for folder in ref.path.parents if folder.name == "projects"), None)
        pastes = self._pastes.of(folder, ref.session_id) if folder else ()
        finished = _about_agent(ref).get("finished") is True
        alive = _is_alive(folder / "sessions", ref.parent_id or ref.session_id) if folder else None
        return read_jsonl(ref, cursor, now=now, take=partial(_take, pastes), alive=alive, ended=finished)

    def close(self) -> None:
        self._pastes = Pastes()


def _config_folder(home: Path, env: Mapping[str, str]) -> Path:
    return Path(env["CLAUDE_CONFIG_DIR"]) if env.get("CLAUDE_CONFIG_DIR") else home / ".claude"


def _take(pastes: Sequence[str], progress: Progress, record: dict[str, Any], ref: TranscriptRef) -> Iterator[Message]:
    kind = record.get("type")
    if kind == "custom-title" or kind == "ai-title":
        progress.title = title_of(text_of(record.get("customTitle") or record.get("aiTitle"))) or progress.title
    elif kind == "cost-state":  # written when the client leaves
        progress.ended = True
    elif kind == "attachment":
        yield from _queued(pastes, progress, record, ref)
    elif kind == "user" and record.get("isCompactSummary"):
        at = progress.moment(record.get("timestamp"), ref.changed_at)
        text = _blocks_text(fields_of(record.get("message")).get("content"))
        yield happened(_id_of(record), Signal.COMPACTED, text, at)
    elif kind in ("user", "assistant") and not _is_bookkeeping(record):
        progress.ended = False
        progress.directory = progress.directory or text_of(record.get("cwd"))
        if record.get("isSidechain") and ref.path.stem.startswith("agent-"):  # older versions kept these with the rest
            progress.parent_id = text_of(record.get("sessionId")) or None
        if kind == "user":
            yield from _from_user(pastes, progress, record, ref)
        else:
            yield from _from_model(progress, record, ref)


def _is_bookkeeping(record: Mapping[str, Any]) -> bool:
    if any(record.get(flag) for flag in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")):
        return True
    return text_of(fields_of(record.get("origin")).get("kind")) not in ("", "human")


def _id_of(record: Mapping[str, Any]) -> str:
    return text_of(record.get("uuid")) or digest_of(record)


def _from_user(
    pastes: Sequence[str], progress: Progress, record: Mapping[str, Any], ref: TranscriptRef
) -> Iterator[Message]:
    at = progress.moment(record.get("timestamp"), ref.changed_at)
    content = fields_of(record.get("message")).get("content")
    # A sub-agent's "user" is the agent that started it: those are not a person's words.
    role = "assistant" if ref.parent_id or record.get("isSidechain") else "user"
    words = [content] if isinstance(content, str) else []
    for number, block in enumerate(items_of(content)):
        match fields_of(block):
            case {"type": "text", "text": str(text)}:
                words.append(text)
            case {"type": "image"}:
                words.append(IMAGE)
            case {"type": "tool_result"} as result:
                yield from _from_tool(progress, record, result, f"{_id_of(record)}.t{number}", at)
    text = _own_words(text_of("\n".join(words)))
    if text.startswith(_INTERRUPTED):
        progress.turn_open = False
        yield happened(_id_of(record), Signal.INTERRUPTED, INTERRUPTED_WORDS, at)
    elif text:
        progress.turn_open = True
        yield from said(_id_of(record), role, text, at, recorded=pastes)


def _from_tool(
    progress: Progress, record: Mapping[str, Any], result: Mapping[str, Any], message_id: str, at: datetime
) -> Iterator[Message]:
    output = _blocks_text(result.get("content"))
    failed = result.get("is_error") is True
    about = fields_of(record.get("toolUseResult"))
    code = _EXIT_CODE.match(output) if failed else None
    yield from tool_said(
        message_id,
        progress.called(text_of(result.get("tool_use_id"))),
        output,
        at,
        is_error=failed,
        exit_code=int(code[1]) if code else None,
        duration_ms=count_of(about.get("durationMs")) or count_of(about.get("totalDurationMs")),
        interrupted=about.get("interrupted") is True or (failed and output.startswith(_REJECTED)),
    )


def _own_words(text: str) -> str:
    """Without what the client wrote in. Of a slash command the arguments are the user's words."""
    plain = _REMINDER.sub("", text).strip()
    if plain.startswith(("<command-name>", "<command-message>")):
        arguments = _COMMAND_ARGUMENTS.search(plain)
        return arguments[1].strip() if arguments else ""
    return "" if plain.startswith(_NOTICES) else plain


def _from_model(progress: Progress, record: Mapping[str, Any], ref: TranscriptRef) -> Iterator[Message]:
    message = fields_of(record.get("message"))
    if record.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
        progress.turn_open = False  # the client gave up on this turn and said so
        return
    at = progress.moment(record.get("timestamp"), ref.changed_at)
    words, calls = [], False
    for block in items_of(message.get("content")):
        match fields_of(block):
            case {"type": "text", "text": str(text)}:
                words.append(text_of(text))
            case {"type": "tool_use"} as call:
                calls = True
                arguments = arguments_of(call.get("input"))
                progress.call(text_of(call.get("id")), text_of(call.get("name")), arguments, at)
    progress.model = text_of(message.get("model"))[:_MODEL_CHARS_MAX] or progress.model
    progress.spend(_usage(fields_of(message.get("usage"))), answer_id=text_of(message.get("id")))
    # Many versions write a line before it is known why the model stopped: words without a call then end the turn.
    spoken = message.get("stop_reason") is None and bool(words) and not calls
    progress.turn_open = not spoken and message.get("stop_reason") not in _TURN_ENDS
    yield from said(_id_of(record), "assistant", "\n".join(words), at)


def _usage(figures: Mapping[str, Any]) -> SessionUsage:
    taken = (count_of(figures.get(name)) or 0 for name in ("input_tokens", "cache_creation_input_tokens"))
    return SessionUsage(
        input_tokens=sum(taken),
        output_tokens=count_of(figures.get("output_tokens")) or 0,
        cached_tokens=count_of(figures.get("cache_read_input_tokens")) or 0,
    )


def _queued(
    pastes: Sequence[str], progress: Progress, record: Mapping[str, Any], ref: TranscriptRef
) -> Iterator[Message]:
    """What the user typed while the model was at work reaches it as an attachment; no other line has it."""
    attachment = fields_of(record.get("attachment"))
    if attachment.get("type") != "queued_command" or attachment.get("commandMode") not in (None, "prompt"):
        return
    if _is_bookkeeping(record) or _is_bookkeeping(attachment):
        return
    prompt = attachment.get("prompt")
    text = prompt if isinstance(prompt, str) else _blocks_text(prompt)
    role = "assistant" if ref.parent_id else "user"
    at = progress.moment(record.get("timestamp"), ref.changed_at)
    yield from said(_id_of(record), role, _own_words(text_of(text)), at, recorded=pastes)


def _blocks_text(content: Any) -> str:
    if isinstance(content, str):
        return text_of(content)
    texts = []
    for block in map(fields_of, items_of(content)):
        texts.append(IMAGE if block.get("type") == "image" else text_of(block.get("text")))
    return _REMINDER.sub("", "\n".join(texts))


def _about_agent(ref: TranscriptRef) -> dict[str, Any]:
    """What the client noted beside a sub-agent's transcript."""
    if ref.parent_id is None:
        return {}
    try:
        return fields_of(json.loads(read_plain(ref.path.with_suffix(".meta.json"), bytes_max=NOTE_BYTES_MAX)))
    except (OSError, ValueError, RecursionError):
        return {}


def _is_alive(notes: Path, session_id: str) -> bool | None:
    """Whether a running client says that it holds the session; None when clients leave no such notes here."""
    if not notes.is_dir():
        return None
    answers = [_holds(note, session_id) for note in notes.glob("*.json")]
    return True if True in answers else None if None in answers else False


def _holds(note: Path, session_id: str) -> bool | None:
    try:
        about = fields_of(json.loads(read_plain(note, bytes_max=NOTE_BYTES_MAX)))
    except (OSError, ValueError, RecursionError):
        return False
    pid = about.get("pid")
    if about.get("sessionId") != session_id or not isinstance(pid, int):
        return False
    return is_running(pid, text_of(about.get("procStart")))
