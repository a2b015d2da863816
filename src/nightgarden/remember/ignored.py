"""Whether a file is one that its owner keeps out: .gitignore, .secretsignore and .nightgardenignore of its folders.

Reads the ignore files between a root and a path. One that is no regular file, or far too large, excludes everything
below it: what its owner wanted kept out cannot be known. Does not read the user's global ignore file or
.git/info/exclude, and does not ask git, so it also works where there is no repository.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePosixPath

from nightgarden.domain.ignore_patterns import EVERYTHING, IgnorePattern, read_patterns, ruling
from nightgarden.plain_files import NotPlain, read_plain

IGNORE_FILES = (".gitignore", ".secretsignore", ".nightgardenignore")
BYTES_MAX = 256 * 1024


def is_ignored(root: Path, path: Path | str) -> bool:
    """Whether any of the three kinds of ignore files under `root` excludes `path`. Paths outside of root are not."""
    absolute = Path(path) if Path(path).is_absolute() else root / path
    try:
        relative = PurePosixPath(absolute.relative_to(root).as_posix())
    except ValueError:
        return False
    if ".." in relative.parts or "\0" in str(relative):
        return False
    return any(_is_ignored_by(name, root, relative, is_folder=absolute.is_dir()) for name in IGNORE_FILES)


def _is_ignored_by(name: str, root: Path, relative: PurePosixPath, *, is_folder: bool) -> bool:
    # A file under an ignored folder cannot be taken back, so folders are judged from the top down.
    for depth in range(1, len(relative.parts) + 1):
        part = relative.parts[:depth]
        if _ruling(name, root, part, is_folder=is_folder or depth < len(relative.parts)):
            return True
    return False


def _ruling(name: str, root: Path, part: tuple[str, ...], *, is_folder: bool) -> bool:
    """The nearest ignore file that says something about a path decides."""
    for above in range(len(part) - 1, -1, -1):
        patterns = _patterns(root.joinpath(*part[:above], name))
        ruled = ruling(patterns, "/".join(part[above:]), is_folder=is_folder) if patterns else None
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
