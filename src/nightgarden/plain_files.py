"""Opening files that somebody else wrote: regular files only, never a pipe, a device or a link to one, which may never
end; and writing files into a project without following its links. Knows nothing of what is in them."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from nightgarden.errors import NotAllowed

SMALL_BYTES_MAX = 1 << 20  # settings and git's own files are far smaller. Taste


class NotPlain(OSError):
    """It is not a regular file, or larger than its reader takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallFile:
    """What was read, and whose it is."""

    content: bytes
    owner: int
    mode: int

    @property
    def text(self) -> str:
        """Raises UnicodeDecodeError."""
        return self.content.decode("utf-8")


def open_plain(path: Path, *, follow: bool = True) -> BinaryIO:
    """The file, opened for reading; through a link only if `follow`. Raises OSError, also for what is not regular."""
    # Without waiting: opening a pipe to read would last until somebody writes to it.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    if not follow:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except ValueError as error:  # half a path: it holds a NUL
        raise NotPlain(f"{path!r} cannot be a file") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotPlain(f"{path} is not a regular file")
    return os.fdopen(descriptor, "rb")


def read_plain(path: Path, *, bytes_max: int) -> bytes:
    """All of a file. Raises OSError, also when it is larger than that."""
    with open_plain(path) as file:
        return _read(file, path, bytes_max)


def read_small(path: Path, *, bytes_max: int = SMALL_BYTES_MAX) -> SmallFile:
    """All of a file that is no link, and its owner. Raises OSError for anything else."""
    with open_plain(path, follow=False) as file:
        found = os.fstat(file.fileno())
        content = _read(file, path, bytes_max)
    return SmallFile(content=content, owner=found.st_uid, mode=stat.S_IMODE(found.st_mode))


def _read(file: BinaryIO, path: Path, bytes_max: int) -> bytes:
    content = file.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise NotPlain(f"{path} is larger than {bytes_max:,} bytes")
    return content


def is_mine(owner: int) -> bool:
    """Whether a file's owner is the user who runs this. Windows knows no such numbers; there every file counts."""
    return os.name == "nt" or owner == os.geteuid()


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
