"""Files and folders for their owner's eyes alone, from the moment they come into being: 0600 and 0700.

Changing the mode afterwards would leave a moment, or a crash, in which others may read. SQLite gives the files that it
makes beside a database the mode of the database. On Windows folders inherit their rights, and this does nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

FILE, FOLDER = 0o600, 0o700


def make_folder(path: Path) -> None:
    """Makes a folder and those above it that are missing."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode=FOLDER, exist_ok=True)


def make_file(path: Path) -> None:
    """Makes an empty file; one that is there keeps what it holds."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), FILE))


def open_new(path: Path) -> BinaryIO:
    """A file to write bytes to; what it held is gone."""
    path.unlink(missing_ok=True)  # one that another made may be open to more than its owner
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    return os.fdopen(os.open(path, flags, FILE), "wb")


def tighten(paths: Iterable[Path]) -> list[Path]:
    """Takes the rights of others away from files and folders that an older program made. Returns which had them."""
    changed = []
    for path in paths:
        with suppress(OSError):  # gone meanwhile, or another's
            mode = path.lstat().st_mode & 0o777
            if mode & 0o077 and not path.is_symlink() and os.name != "nt":
                path.chmod(FOLDER if path.is_dir() else FILE)
                changed.append(path)
    return changed
