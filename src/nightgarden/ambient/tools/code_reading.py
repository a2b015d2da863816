"""Tools that look at code, and change nothing: files, a search, the history. Only in projects that allow it.

Files that may hold secrets and files that are ignored are refused; what is read is data.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from nightgarden.ambient.code_files import files_below, may_read
from nightgarden.ambient.projects import AmbientProject, AmbientProjects
from nightgarden.ambient.tools.toolbox import AmbientTool, spec, text, whole
from nightgarden.domain.conversation import ToolAnswer
from nightgarden.domain.taint import fence
from nightgarden.errors import BadInput, NotAllowed, NotFound
from nightgarden.learn.commit_history import read_history, with_files
from nightgarden.machine.plain_files import read_plain

FILE_BYTES_MAX = 200_000
FILES_MAX = 5000
HITS_MAX = 60
LINES_MAX = 400
COMMITS_MAX = 30


def code_tools(projects: AmbientProjects) -> list[AmbientTool]:
    """Reading tools on the projects that may be looked at."""

    async def list_files(given: Mapping[str, Any]) -> str:
        project, folder = place(projects, given["path"])
        found = await asyncio.to_thread(lambda: list(islice(files_below(project.root, folder), LINES_MAX)))
        names = [str(path) for path in found]
        return _data("\n".join(names) or "no files")

    async def read_file(given: Mapping[str, Any]) -> ToolAnswer:
        _, path = place(projects, given["path"])
        content = await asyncio.to_thread(_read, path)
        first = max(1, given.get("line", 1))
        lines = content.splitlines()[first - 1 : first - 1 + LINES_MAX]
        return ToolAnswer(text=_data("\n".join(f"{n}\t{line}" for n, line in enumerate(lines, first))))

    async def search_code(given: Mapping[str, Any]) -> str:
        if not given["words"].strip():
            raise BadInput("words must not be empty")
        project, folder = place(projects, given["path"])
        hits = await asyncio.to_thread(_search, project, folder, given["words"])
        return _data("\n".join(hits) or "nothing was found")

    async def history(given: Mapping[str, Any]) -> str:
        project, _ = place(projects, given["path"])
        return _data("\n".join(await asyncio.to_thread(_commits, project)) or "no commits")

    path = text("absolute path in one of the projects: " + ", ".join(str(p.root) for p in projects.allowed)[:1000])
    return [
        AmbientTool(spec=spec("list_files", "Files below a folder.", required=("path",), path=path), answer=list_files),
        AmbientTool(
            spec=spec(
                "read_file", "A file with numbered lines.", required=("path",), path=path, line=whole("first line")
            ),
            answer=read_file,
        ),
        AmbientTool(
            spec=spec(
                "search_code",
                "Lines that hold these exact words.",
                required=("path", "words"),
                path=path,
                words=text("exact words, no pattern"),
            ),
            answer=search_code,
        ),
        AmbientTool(
            spec=spec("git_history", "The latest commits of a project and their files.", required=("path",), path=path),
            answer=history,
        ),
    ]


def place(projects: AmbientProjects, given: str) -> tuple[AmbientProject, Path]:
    """A path in a project that may be looked at, and the project, whose root is resolved too. Raises NotAllowed."""
    path = Path(os.path.realpath(given))
    for project in projects.allowed:
        root = Path(os.path.realpath(project.root))
        if path.is_relative_to(root):
            if not may_read(root, path):
                raise NotAllowed(f"{given[:200]} is ignored or may hold secrets, and is not read")
            return replace(project, root=root), path
    raise NotAllowed(f"{given[:200]!r} is in no project that may be looked at")


def project_of(projects: AmbientProjects, given: str) -> AmbientProject:
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


def _commits(project: AmbientProject) -> list[str]:
    commits = with_files(project.root, read_history(project.root)[:COMMITS_MAX])
    return [
        f"{each.id[:12]} {each.committed_at:%Y-%m-%d %H:%M} {each.author}: {each.subject[:200]} "
        f"({', '.join(each.files[:8])})"
        for each in commits
    ]


def _search(project: AmbientProject, folder: Path, words: str) -> list[str]:
    hits: list[str] = []
    for path in islice(files_below(project.root, folder), FILES_MAX):
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
