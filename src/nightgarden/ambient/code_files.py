"""Which files of a project the agent looks at: none that its owner keeps out of git, none that may hold secrets, and
nothing in hidden folders or in folders of built and fetched code."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from nightgarden.machine.plain_files import walk_files
from nightgarden.remember.ignored import is_ignored
from nightgarden.safety.secret_files import is_secret

NAMES_MAX = 100_000
_SKIPPED = frozenset({"node_modules", "__pycache__", "dist", "build", "target", "vendor"})


def may_read(root: Path, path: Path) -> bool:
    """Whether a path in the project at `root` may be looked at."""
    return not is_secret(str(path)) and not is_ignored(root, path)


def files_below(root: Path, folder: Path) -> Iterator[Path]:
    """The files of a folder of the project at `root`, in a fixed order. Looks at NAMES_MAX names at most."""

    def enter(inside: Path) -> bool:
        return not inside.name.startswith(".") and inside.name not in _SKIPPED and not is_ignored(root, inside)

    return (path for path in islice(walk_files(folder, enter), NAMES_MAX) if may_read(root, path))
