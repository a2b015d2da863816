"""Opening files that somebody else wrote: regular files only, never a pipe, a device or a link to one, which may never
end. Knows nothing of what is in them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO


class NotPlain(OSError):
    """It is not a regular file, or larger than its reader takes."""


def open_plain(path: Path) -> BinaryIO:
    """The file, opened for reading. Raises OSError, also for what is not a regular file."""
    # Without waiting: opening a pipe to read would last until somebody writes to it.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotPlain(f"{path} is not a regular file")
    return os.fdopen(descriptor, "rb")


def read_plain(path: Path, *, bytes_max: int) -> bytes:
    """All of a file. Raises OSError, also when it is larger than that."""
    with open_plain(path) as file:
        content = file.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise NotPlain(f"{path} is larger than {bytes_max:,} bytes")
    return content
