"""What a project says about itself, read once: its files, names, dependencies, commands, settings, ports and branches.

Reads only, within bounds, and never what the ignore files keep out. Where a bound was met, `complete` is false, and
nothing may be said to be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from nightgarden.machine.plain_files import DEPTH_MAX, read_plain, walk_files
from nightgarden.remember.ignored import is_ignored
from nightgarden.scope import git_folders_at
from nightgarden.tend.verify.config_values import Setting, read_settings
from nightgarden.tend.verify.manifests import Manifest, read_manifest

FILES_MAX = 20_000
FILE_BYTES_MAX = 1_000_000
LOCK_BYTES_MAX = 16_000_000  # those of large projects have 5 to 10 MB
TEXT_BYTES_MAX = 48_000_000  # read in a few seconds
WORDS_MAX = 1_000_000  # names and settings are kept until all claims are checked; large projects have a tenth of this
SETTINGS_MAX = 100_000
BRANCHES_MAX = 10_000  # that are not packed
_SKIPPED = frozenset(
    """.git .hg .svn node_modules .venv venv __pycache__ .mypy_cache .ruff_cache .pytest_cache .tox target dist
    build""".split()
)
_SOURCE = frozenset(
    """.py .pyi .js .jsx .ts .tsx .mjs .rs .go .java .kt .rb .php .c .h .cpp .hpp .cc .cs .swift .scala .ex .sql .sh
    .lua .vue .svelte .proto .graphql .tf .toml .yaml .yml .json .ini .cfg .env .mk .html .css""".split()
)
_NAMES = ("Makefile", "GNUmakefile", "Dockerfile", "justfile", "Justfile", "Procfile")
_WORD = re.compile(r"[A-Za-z_]\w{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedProject:
    """What was read of one project."""

    root: Path
    files: frozenset[str]  # relative, with forward slashes
    folders: frozenset[str]
    words: frozenset[str]  # every name in its sources
    manifests: tuple[Manifest, ...]
    settings: tuple[Setting, ...]
    branches: Mapping[str, str] | None  # name and where it is; None when they are not known, as outside a repository
    complete: bool

    def settings_of(self, key: str) -> list[Setting]:
        """Settings with this key: whole, or the last part of it."""
        wanted = _plain(key)
        return [s for s in self.settings if _plain(s.key) == wanted or _plain(s.key).endswith("." + wanted)]


def _plain(key: str) -> str:
    return key.lower().replace("-", "_").replace("::", ".")


def read_project(root: Path) -> CheckedProject:
    """Walks the project once."""
    files: list[str] = []
    folders: set[str] = set()
    words: set[str] = set()
    manifests: list[Manifest] = []
    settings: list[Setting] = []
    read_bytes, complete = 0, True
    too_deep: list[Path] = []
    for path in _walk(root, too_deep):
        if len(files) >= FILES_MAX:
            complete = False
            break
        relative = path.relative_to(root).as_posix()
        files.append(relative)
        folders.update(parent.as_posix() for parent in Path(relative).parents)
        if path.suffix.lower() not in _SOURCE and path.name not in _NAMES and not _is_listing(path.name):
            continue
        text = _read(path)
        if text is None or read_bytes + len(text) > TEXT_BYTES_MAX:
            complete = complete and text is not None and read_bytes + len(text) <= TEXT_BYTES_MAX
            continue
        if len(words) > WORDS_MAX or len(settings) > SETTINGS_MAX:
            complete = False
            break
        read_bytes += len(text)
        words.update(_WORD.findall(text))
        if (manifest := read_manifest(relative, text)) is not None:
            manifests.append(manifest)
        settings += read_settings(relative, text)
    return CheckedProject(
        root=root,
        files=frozenset(files),
        folders=frozenset(folders - {"."}),
        words=frozenset(words),
        manifests=tuple(manifests),
        settings=tuple(settings),
        branches=read_branches(root),
        complete=complete and not too_deep,
    )


def _is_listing(name: str) -> bool:
    return (
        name.startswith((".env", "requirements"))
        or name.endswith(".lock")
        or name in ("go.mod", "go.sum", ".python-version", ".nvmrc")
    )


def _walk(root: Path, too_deep: list[Path]) -> Iterator[Path]:
    """Its files that are not kept out. Folders that were not entered for their depth are added to `too_deep`."""

    def enter(folder: Path) -> bool:
        wanted = folder.name not in _SKIPPED and not is_ignored(root, folder, parents_pass=True)
        if wanted and len(folder.relative_to(root).parts) > DEPTH_MAX:
            too_deep.append(folder)
        return wanted

    for path in walk_files(root, enter):
        if not path.is_symlink() and not is_ignored(root, path, parents_pass=True):
            yield path


def _read(path: Path) -> str | None:
    """The text of a file, or None when it is too large or cannot be read."""
    try:
        is_lock = path.name.endswith((".lock", "-lock.json"))
        return read_plain(path, bytes_max=LOCK_BYTES_MAX if is_lock else FILE_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return None


def read_branches(root: Path) -> dict[str, str] | None:
    """Local and remote branches, read from the files of the repository; None where they cannot be known."""
    if (found := git_folders_at(root)) is None:
        return None
    own, git = found
    branches: dict[str, str] = {}
    packed = _read(git / "packed-refs") or ""
    for line in packed.splitlines():
        if match := re.match(r"[0-9a-f]{40} refs/(?:heads|remotes/[^/]+)/(.+)$", line):
            branches[match[1]] = ".git/packed-refs"
    for kind in ("heads", "remotes"):
        base = git / "refs" / kind
        loose = [
            path.relative_to(base).as_posix()
            for path in islice(walk_files(base), BRANCHES_MAX + 1)
            if path.name != "HEAD"
        ]
        if len(loose) > BRANCHES_MAX or base.is_symlink() or base.parent.is_symlink():
            return None  # git makes no such links, and they may lead anywhere
        names = (name.partition("/")[2] if kind == "remotes" else name for name in loose)
        branches |= dict.fromkeys(names, f".git/refs/{kind}")
    head = re.match(r"ref: refs/heads/(.+)", _read(own / "HEAD") or "")
    if head:
        branches.setdefault(head[1].strip(), ".git/HEAD")
    return branches
