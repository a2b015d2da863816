"""Opening files that somebody else wrote: regular files only, never a pipe, a device or a link to one, which may never
end; and walking their folders, never through a link, and no deeper than folders of people go. Knows nothing of what is
in them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

DEPTH_MAX = 64  # of folders in folders; those of large projects have 20
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


def walk_files(root: Path, enter: Callable[[Path], bool] = lambda folder: True) -> Iterator[Path]:
    """Everything below a root that is no folder, in order. Goes into the folders that `enter` lets in, never through a
    link, and no deeper than DEPTH_MAX. What cannot be listed is passed over."""
    waiting = [(root, 0)] if not root.is_symlink() else []
    while waiting:
        folder, depth = waiting.pop()
        below: list[str] = []
        names: list[str] = []
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                (below if entry.is_dir(follow_symlinks=False) else names).append(entry.name)
        yield from (folder / name for name in sorted(names))
        inside = (folder / name for name in sorted(below, reverse=True))
        waiting += [(path, depth + 1) for path in inside if enter(path) and depth < DEPTH_MAX]


def is_mine(owner: int) -> bool:
    """Whether a file's owner is the user who runs this. Windows knows no such numbers; there every file counts."""
    return os.name == "nt" or owner == os.geteuid()
