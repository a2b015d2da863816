"""Reading small files that somebody else may have made: a link, a pipe, a device or a file without end is not read."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

BYTES_MAX = 1 << 20  # settings and git's own files are far smaller. Taste


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


def read_small(path: Path, *, bytes_max: int = BYTES_MAX) -> SmallFile:
    """A regular file, whole. Raises OSError for anything else, also when it is longer than `bytes_max`."""
    # Without waiting for a pipe's other end, and not through a link where the system can refuse that.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # half a path: it holds a NUL
        raise OSError(f"{path!r} cannot be a file") from error
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(f"{path} is not a regular file")
        content = file.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise OSError(f"{path} is longer than {bytes_max:,} bytes")
    return SmallFile(content=content, owner=found.st_uid, mode=stat.S_IMODE(found.st_mode))


def is_mine(owner: int) -> bool:
    """Whether a file's owner is the user who runs this. Windows knows no such numbers; there every file counts."""
    return os.name == "nt" or owner == os.geteuid()
