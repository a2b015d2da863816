"""Whether a file is one that its owner keeps out: .gitignore, .secretsignore and .nightgardenignore of its folders.

Reads the ignore files between a root and a path. One that is no regular file, or far too large, excludes everything
below it: what its owner wanted kept out cannot be known. Does not read the user's global ignore file or
.git/info/exclude, and does not ask git, so it also works where there is no repository.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath

from nightgarden.domain.ignore_patterns import EVERYTHING, IgnorePattern, read_patterns, ruling
from nightgarden.machine.plain_files import NotPlain, read_plain

IGNORE_FILES = (".gitignore", ".secretsignore", ".nightgardenignore")
BYTES_MAX = 256 * 1024
_Files = Sequence[tuple[int, tuple[IgnorePattern, ...]]]  # how many folders below the root, and what each file says


def is_ignored(root: Path, path: Path | str, *, parents_pass: bool = False) -> bool:
    """Whether any of the three kinds of ignore files under `root` excludes `path`. Paths outside of root are not.
    `parents_pass`: the folders around it were judged before, as whoever walks from the root does."""
    absolute = Path(path) if Path(path).is_absolute() else root / path
    try:
        relative = PurePosixPath(absolute.relative_to(root).as_posix())
    except ValueError:
        return False
    if ".." in relative.parts or "\0" in str(relative):
        return False
    # A file under an ignored folder cannot be taken back, so folders are judged from the top down.
    first = len(relative.parts) if parents_pass else 1
    return any(_is_ignored_by(name, root, relative, first, is_folder=absolute.is_dir()) for name in IGNORE_FILES)


def _is_ignored_by(name: str, root: Path, relative: PurePosixPath, first: int, *, is_folder: bool) -> bool:
    whole = relative.parts
    files = ((depth, _patterns(root.joinpath(*whole[:depth], name))) for depth in range(len(whole)))
    speaking = [(depth, patterns) for depth, patterns in files if patterns]
    return any(
        _ruling(speaking, whole[:depth], is_folder=is_folder or depth < len(whole))
        for depth in range(first, len(whole) + 1)
    )


def _ruling(files: _Files, part: tuple[str, ...], *, is_folder: bool) -> bool:
    """The nearest ignore file that says something about a path decides."""
    for depth, patterns in reversed(files):
        if depth < len(part):
            ruled = ruling(patterns, "/".join(part[depth:]), is_folder=is_folder)
            if ruled is not None:
                return ruled
    return False


def _patterns(file: Path) -> tuple[IgnorePattern, ...]:
    try:
        found = file.stat()
    except OSError:
        return ()
    return _read(file, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=512)
def _read(file: Path, _mtime_ns: int, _size: int) -> tuple[IgnorePattern, ...]:
    """Kept until the file's time or size changes."""
    try:
        return read_patterns(read_plain(file, bytes_max=BYTES_MAX).decode("utf-8", "surrogateescape"))
    except NotPlain:
        return (EVERYTHING,)
    except OSError:
        return ()
