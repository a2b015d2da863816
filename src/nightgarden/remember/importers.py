"""Reading other tools' memories: Claude Code's memory folder, a MEMORY.md, exports of mem0 and mcp-memory-service.

Pure but for reading the files. What is read goes through the same rules as everything else that is remembered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nightgarden.domain.memory import GLOBAL, Category, Provenance, Scope
from nightgarden.domain.time import read_moment
from nightgarden.errors import BadImport
from nightgarden.remember.note import Note

FORMATS = ("claude-memory", "memory-md", "mem0", "mcp-memory-service")


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """One statement another tool kept."""

    text: str
    source: str  # file and place, for messages
    category: Category | None = None
    tags: tuple[str, ...] = ()
    at: datetime | None = None


def note_of(found: Foreign, *, scope: Scope, now: datetime, trust: bool) -> Note:
    """The statement as a note. A file nobody vouches for is outside text."""
    return Note(
        content=found.text,
        scope=scope,
        wider_scopes=(GLOBAL,),
        created_at=found.at or now,
        category=found.category,
        tags=found.tags,
        provenance=Provenance.IMPORTED,
        tainted=not trust,
        confidence_reason=f"imported from {found.source}",
    )


def detect(path: Path) -> str | None:
    """Which of the formats a file or folder is in, if any."""
    if path.is_dir():
        return "claude-memory" if any(path.glob("*.md")) else None
    if path.suffix.lower() in (".md", ".markdown"):
        return "memory-md"
    try:
        data = _load(path)
    except BadImport:
        return None
    if isinstance(data, dict) and "export_metadata" in data and "memories" in data:
        return "mcp-memory-service"
    rows = list(_rows(data))
    if rows and all(isinstance(row, dict) and "memory" in row for row in rows):
        return "mem0"
    if rows and all(isinstance(row, dict) and "content_hash" in row for row in rows):
        return "mcp-memory-service"
    return None


def read_foreign(path: Path, form: str) -> tuple[list[Foreign], list[str]]:
    """The statements of a file or folder, and what could not be read, by place."""
    problems: list[str] = []
    found: list[Foreign] = []
    if form == "claude-memory":
        files = sorted(file for file in path.glob("**/*.md") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            try:
                found += _read_markdown(file)
            except BadImport as error:
                problems.append(str(error))
        return found, problems
    if form == "memory-md":
        return list(_read_markdown(path)), problems
    for place, row in enumerate(_rows(_load(path)), start=1):
        try:
            found.append(_mem0(row, place) if form == "mem0" else _mcp_memory_service(row, place))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError) as error:
            problems.append(f"entry {place}: {error!s}")
    return found, problems


def _load(path: Path) -> Any:
    """JSON, or JSON Lines."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadImport(f"{path}: cannot be read as text ({error})") from error
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError) as error:
            raise BadImport(f"{path}: neither JSON nor JSON Lines ({error})") from error


def _rows(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        data = data.get("results", data.get("memories", data.get("data", [])))
    yield from data if isinstance(data, list) else []


def _text(row: Any, key: str) -> str:
    text = row[key]
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"no text under {key!r}")
    return text


def _moment(value: Any) -> datetime | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return datetime.fromtimestamp(value, UTC)
    return read_moment(value) if isinstance(value, str) and value else None


def _mem0(row: Any, place: int) -> Foreign:
    metadata = row.get("metadata") or {}
    raw = row.get("categories") or metadata.get("category") or []
    tags = tuple(raw) if isinstance(raw, list) else (str(raw),)
    at = _moment(row.get("created_at"))
    return Foreign(text=_text(row, "memory"), source=f"entry {place}", tags=tags, at=at)


_MCP_TYPES = {"decision": Category.DECISION, "preference": Category.PREFERENCE, "pattern": Category.PATTERN}


def _mcp_memory_service(row: Any, place: int) -> Foreign:
    tags = row.get("tags") or []
    tags = tuple(tags.split(",")) if isinstance(tags, str) else tuple(str(tag) for tag in tags)
    kind = str(row.get("memory_type") or row.get("type") or "")
    at = _moment(row.get("created_at_iso") or row.get("created_at"))
    return Foreign(text=_text(row, "content"), source=f"entry {place}", tags=tags, at=at, category=_MCP_TYPES.get(kind))


_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+(.*)$")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_LINK_ONLY = re.compile(r"^\[[^\]]*\]\([^)]*\)\W*$")
_INDEX_ENTRY = re.compile(r"^\[[^\]]*\]\((?!\w+://)[^)]*\.md[^)]*\)")  # points at a topic file, which is read itself
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BY_HEADING = (
    ("convention", Category.CONVENTION),
    ("preference", Category.PREFERENCE),
    ("decision", Category.DECISION),
    ("gotcha", Category.GOTCHA),
    ("pitfall", Category.GOTCHA),
    ("pattern", Category.PATTERN),
    ("never", Category.NEGATIVE),
    ("don't", Category.NEGATIVE),
)


def _read_markdown(path: Path) -> Iterator[Foreign]:
    """Bullets and short paragraphs are statements; headings tell their category; code and indexes are left out."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadImport(f"{path}: cannot be read as text ({error})") from error
    lines = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text).split("\n")
    pending: list[str] = []
    heading, started, fenced, front = "", 0, False, bool(lines) and lines[0].strip() == "---"
    for number, line in enumerate([*lines, ""], start=1):
        if front:
            front = number == 1 or line.strip() != "---"
            continue
        if _FENCE.match(line):
            fenced, pending = not fenced, []
            continue
        bullet, title = _BULLET.match(line), _HEADING.match(line)
        continues = bool(pending) and bool(line.strip()) and not bullet and not title and not fenced
        if continues:
            pending.append(line.strip())
            continue
        if pending:
            yield from _statement(" ".join(pending), f"{path.name}:{started}", heading)
            pending = []
        if fenced:
            continue
        if title:
            heading = title[2]
        elif bullet or line.strip():
            pending, started = [bullet[1] if bullet else line.strip()], number


def _statement(text: str, source: str, heading: str) -> Iterator[Foreign]:
    plain = re.sub(r"\*\*(.+?)\*\*|__(.+?)__", lambda m: m[1] or m[2], text).strip()
    if len(plain) < 8 or _LINK_ONLY.match(plain) or _INDEX_ENTRY.match(plain):
        return
    category = next((kind for cue, kind in _BY_HEADING if cue in heading.lower()), None)
    yield Foreign(text=plain, source=source, category=category)
