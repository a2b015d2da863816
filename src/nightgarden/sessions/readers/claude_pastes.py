"""What the user pasted into Claude Code. Its transcripts hold pastes without a mark; its prompt history knows them.

`history.jsonl` has a line per prompt with what was pasted into it, long pastes by a digest that names a file.
Not covered: a paste whose prompt was read in the moments before the client wrote its history, and short pastes, which
the client treats as typed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nightgarden.machine.plain_files import open_plain, read_plain
from nightgarden.sessions.readers.foreign_json import fields_of, text_of

PASTE_BYTES_MAX = 16_000_000
_DIGEST = re.compile(r"[0-9a-f]{8,64}")


class Pastes:
    """The pastes of each session, read again only when the history changed."""

    def __init__(self) -> None:
        self._seen = ""
        self._by_session: dict[str, list[str]] = {}

    def of(self, config_folder: Path, session_id: str) -> tuple[str, ...]:
        history = config_folder / "history.jsonl"
        try:
            stat = history.stat()
            seen = f"{history}-{stat.st_size}-{stat.st_mtime_ns}"
            if seen != self._seen:
                self._by_session = _read_history(history)
                self._seen = seen
        except OSError:
            return ()
        return tuple(self._by_session.get(session_id, ()))


def _read_history(history: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    with open_plain(history) as file:
        for line in file:
            if b'"pastedContents":{}' in line:
                continue
            try:
                entry = fields_of(json.loads(line))
            except (ValueError, RecursionError):
                continue
            pastes = found.setdefault(text_of(entry.get("sessionId")), [])
            pastes.extend(_contents(fields_of(entry.get("pastedContents")), history.parent / "paste-cache"))
    return found


def _contents(pasted: dict[str, Any], cache: Path) -> Iterator[str]:
    for paste in map(fields_of, pasted.values()):
        if paste.get("type") != "text":
            continue
        digest = text_of(paste.get("contentHash"))
        if text_of(paste.get("content")):
            yield text_of(paste["content"])
        elif _DIGEST.fullmatch(digest):
            try:
                yield text_of(read_plain(cache / f"{digest}.txt", bytes_max=PASTE_BYTES_MAX).decode("utf-8", "replace"))
            except OSError:
                continue
