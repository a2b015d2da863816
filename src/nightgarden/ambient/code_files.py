"""Which files of a project the agent looks at: none that its owner keeps out of git, none that may hold secrets, and
nothing in hidden folders or in folders of built and fetched code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from nightgarden.remember.ignored import is_ignored
from nightgarden.safety.secret_files import is_secret

_SKIPPED = frozenset({"node_modules", "__pycache__", "dist", "build", "target", "vendor"})


def may_read(root: Path, path: Path) -> bool:
    """Whether a path in the project at `root` may be looked at."""
    return not is_secret(str(path)) and not is_ignored(root, path)


def files_below(root: Path, folder: Path) -> Iterator[Path]:
    """The files of a folder of the project at `root`, in a fixed order."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in _SKIPPED and not is_ignored(root, Path(parent, name))
        )
        yield from (path for name in sorted(names) if may_read(root, path := Path(parent, name)))
