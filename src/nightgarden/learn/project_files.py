"""Writing files into a project: regular ones, whole or not at all, and never through a link, for it may lead out."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from nightgarden.errors import NotAllowed


def need_plain_way(root: Path, relative: str) -> None:
    """No part of the way below the root is a link, and what is at its end is a regular file or nothing. Raises
    NotAllowed: a link may lead out of the project."""
    path = root
    parts = relative.split("/")
    for at, part in enumerate(parts):
        path = path / part
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            return
        last = at == len(parts) - 1
        if not (stat.S_ISREG(mode) if last else stat.S_ISDIR(mode)):
            raise NotAllowed(f"{path} is not a plain {'file' if last else 'folder'}; nothing is written through it")


def write_inside(root: Path, relative: str, text: str) -> None:
    """Writes a file below the root, whole or not at all. Raises NotAllowed when a link is on the way, and OSError."""
    if ".." in relative.split("/"):
        raise NotAllowed(f"{relative} leads out of {root}; nothing was written")
    need_plain_way(root, relative)
    path = root / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    need_plain_way(root, relative)
    half = path.with_name(f".{path.name}.{os.getpid()}.half")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    half.unlink(missing_ok=True)
    with os.fdopen(os.open(half, flags, 0o644), "wb") as file:
        file.write(text.encode("utf-8", "replace"))
    half.replace(path)
