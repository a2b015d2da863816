"""What an action stands on, as digests: the commit, what is staged, the files it names. Looks, and runs nothing.

Git is not asked, because a repository's settings can make it run commands; its files are read as data. Files beyond the
limits are compared by size and time of change. A file that a script opens by itself is not known here.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from nightgarden.machine.plain_files import read_plain
from nightgarden.safety.command_reading import UNKNOWN, CommandReading
from nightgarden.safety.requests import World
from nightgarden.scope import branch_at, commit_at, git_folder_at

FILE_BYTES_MAX = 4_000_000
FILES_MAX = 2_000  # of a folder that is named as a whole
INDEX_BYTES_MAX = 64_000_000
_SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__"})


def world_of(reading: CommandReading, directory: str) -> World:
    """The world that an action in this directory would meet now."""
    start = Path(directory)
    named = (*reading.all_reads, *reading.all_writes, *(p for c in reading.commands for p in c.executes))
    files: dict[str, str] = {}
    for path in dict.fromkeys(named):
        if UNKNOWN not in path and not any(sign in path for sign in "*?["):
            files[path] = _digest(path)
    folder = git_folder_at(start)
    return World(
        branch=branch_at(start),
        commit=commit_at(start),
        staged=_staged(folder / "index") if folder is not None and _is_about_git(reading) else "",
        files=files,
    )


def _is_about_git(reading: CommandReading) -> bool:
    return any(command.git is not None and command.git.verb in ("commit", "stash") for command in reading.commands)


def _digest(path: str) -> str:
    try:
        if Path(path).is_dir():
            return _folder(Path(path))
        return hashlib.sha256(read_plain(Path(os.path.realpath(path)), bytes_max=FILE_BYTES_MAX)).hexdigest()
    except FileNotFoundError:
        return "absent"
    except (OSError, ValueError):
        return _stamp(path)


def _folder(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in islice(_walk(folder), FILES_MAX):
        digest.update(f"{path}\0{_stamp(path)}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _walk(folder: Path) -> Iterator[str]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in _SKIPPED)
        yield from (str(Path(root, name)) for name in sorted(names))


def _stamp(path: str) -> str:
    with suppress(OSError):
        found = os.lstat(path)
        return f"{found.st_size}:{found.st_mtime_ns}:{found.st_mode}"
    return "absent"


def _staged(index: Path) -> str:
    """A digest of what is staged, without the times that git notes beside it and changes by merely looking."""
    try:
        data = read_plain(index, bytes_max=INDEX_BYTES_MAX)
    except (OSError, ValueError):
        return _stamp(str(index))
    with suppress(struct.error, IndexError, ValueError):
        return hashlib.sha256(b"\n".join(_entries(data))).hexdigest()
    return hashlib.sha256(data).hexdigest()


def _entries(data: bytes) -> Iterator[bytes]:
    """Mode, object and path of each entry of an index of version 2 or 3. Raises ValueError for another."""
    signature, version, count = struct.unpack_from(">4sII", data)
    if signature != b"DIRC" or version not in (2, 3):
        raise ValueError("an index of another version")
    at = 12
    for _ in range(count):
        flags = struct.unpack_from(">H", data, at + 60)[0]
        head = 64 if flags & 0x4000 else 62
        end = data.index(b"\0", at + head)
        yield data[at + 24 : at + 28] + data[at + 40 : at + 60] + data[at + head : end]
        at += (end - at) // 8 * 8 + 8
