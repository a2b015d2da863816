"""A project's own settings file, `.nightgarden/config.toml`: which one counts for a directory, and what it says.

It comes with the project, so nothing in it is trusted: it counts only if it is a regular file of the user's own that
others cannot write, it is looked for no higher than the repository's root, the user's home or a folder that everybody
may write, never in the file system's root, and a fault in it is a problem to report, not an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nightgarden.machine.bounded_toml import read_toml
from nightgarden.machine.home import working_directory
from nightgarden.machine.plain_files import is_mine, read_small

NAME = Path(".nightgarden") / "config.toml"
BYTES_MAX = 64 * 1024  # such a file is a few lines; also bounds how long reading may take
_WRITABLE_BY_ALL = 0o002


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """What the file of `folder` says, unchecked, and what is wrong with it as a whole."""

    folder: Path
    values: dict[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return self.folder / NAME

    @property
    def id(self) -> str:
        """`project.id`, if it is a text."""
        section = self.values.get("project")
        found = section.get("id") if isinstance(section, dict) else None
        return found if isinstance(found, str) else ""


def find_project_file(directory: Path | None = None) -> ProjectFile | None:
    """The nearest one that is there, from the directory (None: the working directory) upwards."""
    for folder in _folders(directory):
        try:
            if os.path.lexists(folder / NAME):
                return _read(folder)
        except ValueError:  # a path that cannot be
            return None
    return None


def _folders(directory: Path | None) -> Iterator[Path]:
    start = working_directory() if directory is None else str(directory)
    try:
        folder = Path(os.path.realpath(start)) if start else None
    except (OSError, ValueError):
        folder = None
    user = Path("~").expanduser().resolve()
    first = folder
    while folder is not None and folder != folder.parent:
        if folder != first and _writable_by_all(folder):
            return
        yield folder
        if folder == user or os.path.lexists(folder / ".git"):
            return
        folder = folder.parent


def _writable_by_all(folder: Path) -> bool:
    try:
        return os.name != "nt" and bool(folder.stat().st_mode & _WRITABLE_BY_ALL)
    except OSError:
        return False


def _read(folder: Path) -> ProjectFile:
    path = folder / NAME
    try:
        found = read_small(path, bytes_max=BYTES_MAX)
        if not is_mine(found.owner):
            return _left_out(folder, "it belongs to another user")
        if os.name != "nt" and found.mode & _WRITABLE_BY_ALL:
            return _left_out(folder, "every user of this machine can write it; run `chmod o-w` on it")
        return ProjectFile(folder=folder, values=read_toml(found.text))
    except (ValueError, RecursionError) as error:
        return _left_out(folder, f"it is not valid TOML ({error})")
    except OSError as error:
        return _left_out(folder, f"it cannot be read ({error.strerror or error})")


def _left_out(folder: Path, why: str) -> ProjectFile:
    return ProjectFile(folder=folder, problems=(f"{folder / NAME}: the whole file was left out: {why}.",))
