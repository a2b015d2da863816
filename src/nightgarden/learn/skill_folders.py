"""Where skills lie in a project, and writing them there: regular files in our review folder and the clients' own
folders, nowhere else. A link anywhere on the way is refused: it may lead out of the project.
"""

from __future__ import annotations

import stat
from contextlib import suppress
from pathlib import Path

from nightgarden.errors import NotAllowed
from nightgarden.learn.project_files import need_plain_way, write_inside
from nightgarden.machine.plain_files import read_small

REVIEW = ".nightgarden/skills"
CLIENTS = (".claude/skills", ".agents/skills")
COMMANDS = ".claude/commands"
SKILL = "SKILL.md"
SKILL_BYTES_MAX = 200_000
FOUND_MAX = 500


def read(root: Path, relative: str) -> str | None:
    """The text of a file under the root; None when there is none, or it is no regular file, or no text."""
    try:
        need_plain_way(root, relative)
        return read_small(root / relative, bytes_max=SKILL_BYTES_MAX).text
    except (OSError, UnicodeDecodeError, NotAllowed):
        return None


def write(root: Path, relative: str, text: str) -> None:
    """Writes it whole or not at all. Raises NotAllowed for a place that is not a skill's, or is reached by a link."""
    if not relative.startswith(tuple(f"{folder}/" for folder in (REVIEW, *CLIENTS))) or ".." in relative.split("/"):
        raise NotAllowed(f"{relative} is not in a folder for skills; nothing was written")
    write_inside(root, relative, text)


def remove(root: Path, relative: str) -> None:
    """Removes one file, and its folder when that is empty then."""
    need_plain_way(root, relative)
    path = root / relative
    path.unlink(missing_ok=True)
    with suppress(OSError):  # something else is in it
        path.parent.rmdir()


def written(root: Path) -> list[str]:
    """The skills and commands in the clients' folders, by name."""
    found = [f"{folder}/{path.name}/{SKILL}" for folder in CLIENTS for path in _entries(root, folder)]
    found += [f"{COMMANDS}/{path.name}" for path in _entries(root, COMMANDS) if path.suffix == ".md"]
    return [relative for relative in found if _is_regular(root / relative)][:FOUND_MAX]


def _entries(root: Path, folder: str) -> list[Path]:
    try:
        need_plain_way(root, f"{folder}/x")
        return sorted((root / folder).iterdir())
    except (OSError, NotAllowed):
        return []


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode) and not path.parent.is_symlink()
    except OSError:
        return False
