"""The file arm: what is about the files at hand, or named in the query. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from nightgarden.domain.memory import Memory
from nightgarden.domain.text import query_terms

FILE_WEIGHT = 1.0  # the same file; taste, the weight of a speaker's name
_FILES_MAX = 8


def file_terms(files: Iterable[str]) -> tuple[str, ...]:
    """Words to search for: names of the files, without the folders that everything lies in."""
    names = [PurePosixPath(file.replace("\\", "/")).name for file in list(files)[:_FILES_MAX]]
    return tuple(query_terms(" ".join(names))) if names else ()


def shared_files(memory: Memory, files: Iterable[str]) -> tuple[str, ...]:
    """The files of a memory that are at hand: equal, or one path ends in the other."""
    wanted = [_parts(file) for file in files]
    return tuple(path for path in memory.file_paths if any(_same(_parts(path), other) for other in wanted))


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in PurePosixPath(path.replace("\\", "/")).parts if part not in ("/", ".", ".."))


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    shorter = min(len(one), len(other))
    return shorter > 0 and one[-shorter:] == other[-shorter:]
