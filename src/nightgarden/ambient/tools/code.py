"""Tools that look at code, and change nothing: files, a search, the history. Only in projects that allow it.

Files that hold secrets are refused by the gate and here; what is read is data.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from nightgarden.ambient.projects import Project, Projects
from nightgarden.ambient.tools.toolbox import Tool, spec, text, whole
from nightgarden.domain.conversation import ToolAnswer
from nightgarden.domain.taint import fence
from nightgarden.errors import BadInput, NotAllowed, NotFound
from nightgarden.plain_files import read_plain, walk_files
from nightgarden.safety.secret_files import is_secret

FILE_BYTES_MAX = 200_000
FILES_MAX = 5000
HITS_MAX = 60
LINES_MAX = 400
_SKIPPED = frozenset({"node_modules", "__pycache__", "dist", "build", "target", "vendor"})


def code_tools(projects: Projects) -> list[Tool]:
    """Reading tools on the projects that may be looked at."""

    async def list_files(given: Mapping[str, Any]) -> str:
        root = place(projects, given["path"])
        names = await asyncio.to_thread(lambda: [str(p) for p in islice(_files(root), LINES_MAX)])
        return _data("\n".join(names) or "no files")

    async def read_file(given: Mapping[str, Any]) -> ToolAnswer:
        path = place(projects, given["path"])
        content = await asyncio.to_thread(_read, path)
        first = max(1, given.get("line", 1))
        lines = content.splitlines()[first - 1 : first - 1 + LINES_MAX]
        return ToolAnswer(text=_data("\n".join(f"{n}\t{line}" for n, line in enumerate(lines, first))))

    async def search_code(given: Mapping[str, Any]) -> str:
        if not given["words"].strip():
            raise BadInput("words must not be empty")
        root = place(projects, given["path"])
        return _data("\n".join(await asyncio.to_thread(_search, root, given["words"])) or "nothing was found")

    path = text("absolute path in one of the projects: " + ", ".join(str(p.root) for p in projects.allowed)[:1000])
    return [
        Tool(spec=spec("list_files", "Files below a folder.", required=("path",), path=path), answer=list_files),
        Tool(
            spec=spec(
                "read_file", "A file with numbered lines.", required=("path",), path=path, line=whole("first line")
            ),
            answer=read_file,
        ),
        Tool(
            spec=spec(
                "search_code",
                "Lines that hold these exact words.",
                required=("path", "words"),
                path=path,
                words=text("exact words, no pattern"),
            ),
            answer=search_code,
        ),
    ]


def place(projects: Projects, given: str) -> Path:
    """A path in a project that may be looked at. Raises NotAllowed."""
    path = Path(os.path.realpath(given))
    if any(path.is_relative_to(os.path.realpath(project.root)) for project in projects.allowed):
        if is_secret(str(path)):
            raise NotAllowed(f"{given[:200]} may hold secrets and is not read")
        return path
    raise NotAllowed(f"{given[:200]!r} is in no project that may be looked at")


def project_of(projects: Projects, given: str) -> Project:
    """By its folder or its name. Raises NotFound."""
    for project in projects.allowed:
        if given in (str(project.root), project.name):
            return project
    raise NotFound(f"there is no project {given[:100]!r}; there are {', '.join(p.name for p in projects.allowed)}")


def _read(path: Path) -> str:
    try:
        return read_plain(path, bytes_max=FILE_BYTES_MAX).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        raise NotFound(f"{path} cannot be read: {error}") from error


def _files(root: Path) -> Iterator[Path]:
    def enter(folder: Path) -> bool:
        return not folder.name.startswith(".") and folder.name not in _SKIPPED

    return (path for path in walk_files(root, enter) if not is_secret(str(path)))


def _search(root: Path, words: str) -> list[str]:
    hits: list[str] = []
    for path in islice(_files(root), FILES_MAX):
        try:
            content = read_plain(path, bytes_max=FILE_BYTES_MAX).decode("utf-8", "replace")
        except (OSError, ValueError):
            continue
        for number, line in enumerate(content.splitlines(), 1):
            if words in line:
                hits.append(f"{path}:{number}: {line.strip()[:200]}")
                if len(hits) >= HITS_MAX:
                    return hits
    return hits


def _data(text: str) -> str:
    return fence(text, note='kind="data"')
