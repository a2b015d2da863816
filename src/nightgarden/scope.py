"""Which project a directory belongs to: the one answer for the command line, hooks, MCP, SDK and ambient agent.

A git repository is one project with all its worktrees and subfolders, wherever it is moved. Its identity is kept in a
small file inside the shared git folder; it is first derived from the address of `origin`, so that clones on several
machines agree, else from the first commit, else made from the path. A folder that is no repository is known by its real
path, unless `project.id` in its `.nightgarden/config.toml` says otherwise.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nightgarden.domain.memory import GLOBAL, Scope, ScopeKind
from nightgarden.errors import BadInput
from nightgarden.settings import load_settings

IDENTITY_FILE = "nightgarden-project"
_SHORT = {"user": ScopeKind.AGENT, "lane": ScopeKind.MISSION}  # names other tools use for the same thing


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where somebody works: the project's scope, its root folder and a name for people."""

    scope: Scope
    root: Path
    name: str


def resolve_place(directory: Path | str | None = None, env: Mapping[str, str] | None = None) -> Place:
    """The project of a directory (the working directory when None). The same answer everywhere."""
    start = Path(directory) if directory is not None else Path.cwd()
    with suppress(OSError):
        start = start.expanduser().resolve()
    if not start.is_dir():
        start = start.parent if start.parent.is_dir() else start
    repository = _find_repository(start)
    root = repository[0] if repository else start
    identity = load_settings(start, env).project.id or (
        _repository_identity(repository[1], root) if repository else _digest("path", str(start))
    )
    return Place(scope=Scope(ScopeKind.PROJECT, identity), root=root, name=root.name or "root")


def branch_at(directory: Path) -> str:
    """The git branch that is checked out there; empty outside a repository, and on no branch."""
    if found := _find_work_tree(directory):
        with suppress(OSError, UnicodeDecodeError):
            head = (found[1] / "HEAD").read_text(encoding="utf-8").strip()
            return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""
    return ""


def _find_repository(start: Path) -> tuple[Path, Path] | None:
    """The root of the work tree, and the git folder that all worktrees share."""
    found = _find_work_tree(start)
    return (found[0], _common_folder(found[1])) if found else None


def _find_work_tree(start: Path) -> tuple[Path, Path] | None:
    """The root of the work tree, and its own git folder."""
    for folder in (start, *start.parents):
        dot_git = folder / ".git"
        if dot_git.is_dir():
            return folder, dot_git
        if dot_git.is_file():
            with suppress(OSError, UnicodeDecodeError):
                if match := re.match(r"gitdir:\s*(.+)", dot_git.read_text(encoding="utf-8")):
                    return folder, (folder / match[1].strip()).resolve()
    return None


def _common_folder(git_folder: Path) -> Path:
    """A worktree's git folder names the shared one; a submodule's does not, and stands for itself."""
    with suppress(OSError, UnicodeDecodeError):
        return (git_folder / (git_folder / "commondir").read_text(encoding="utf-8").strip()).resolve()
    return git_folder


def _repository_identity(common: Path, root: Path) -> str:
    kept = common / IDENTITY_FILE
    if found := _read_identity(kept):
        return found
    identity = _derive(common, root)
    with suppress(OSError):  # a read-only checkout derives the same answer each time
        temporary = kept.with_name(f"{IDENTITY_FILE}.{os.urandom(8).hex()}")  # threads resolve at once too
        temporary.write_text(identity + "\n", encoding="utf-8")
        try:
            os.link(temporary, kept)  # whoever is first wins; link never overwrites
        except FileExistsError:
            if found := _read_identity(kept):
                return found
            temporary.replace(kept)  # what is there is damaged
        finally:
            temporary.unlink(missing_ok=True)
    return identity


def _read_identity(kept: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        if re.fullmatch(r"[0-9a-z-]{8,64}", found := kept.read_text(encoding="utf-8").strip()):
            return found
    return ""


def _derive(common: Path, root: Path) -> str:
    if address := _origin_address(common):
        return _digest("origin", address)
    if commit := _first_commit(root):
        return _digest("commit", commit)
    return _digest("path", str(common))


def _origin_address(common: Path) -> str:
    """`host/owner/name` of origin, however it was written; empty when there is none."""
    with suppress(OSError, UnicodeDecodeError):
        section = ""
        for line in (common / "config").read_text(encoding="utf-8").splitlines():
            line = line.strip()
            if line.startswith("["):
                section = line
            elif section == '[remote "origin"]' and (match := re.fullmatch(r"url\s*=\s*(.+)", line)):
                return normalise_address(match[1])
    return ""


def normalise_address(address: str) -> str:
    """git@host:a/b.git, ssh://git@host/a/b and https://user:key@host/a/b/ are one place."""
    plain = re.sub(r"^\w+://", "", address.strip())
    plain = re.sub(r"^[^@/]+@", "", plain)
    plain = re.sub(r"^([^/:]+):(\d+/)?", r"\1/", plain)
    return plain.removesuffix("/").removesuffix(".git").lower()


def _first_commit(root: Path) -> str:
    import subprocess  # 8 ms; only when a repository is seen for the first time

    try:
        done = subprocess.run(
            ["git", "rev-list", "--max-parents=0", "HEAD"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.split()[-1] if done.returncode == 0 and done.stdout.split() else ""


def _digest(kind: str, text: str) -> str:
    return hashlib.sha256(f"{kind}:{text}".encode("utf-8", "surrogatepass")).hexdigest()[:20]


def parse_scope(text: str, place: Place) -> Scope:
    """A scope as people write it: global, project, agent:NAME, mission:NAME, session:ID, project:ID."""
    kind_text, _, owner = text.strip().partition(":")
    kind = _SHORT.get(kind_text.lower())
    if kind is None:
        try:
            kind = ScopeKind(kind_text.lower())
        except ValueError:
            raise BadInput(
                f"unknown scope {text!r}; use global, project, agent:NAME, mission:NAME or session:ID"
            ) from None
    if kind is ScopeKind.GLOBAL:
        return GLOBAL
    if kind is ScopeKind.PROJECT and not owner:
        return place.scope
    if not owner:
        raise BadInput(f"scope {kind} needs an owner, as in {kind}:NAME")
    return Scope(kind, owner)


def visible_scopes(place: Place, *more: Scope) -> tuple[Scope, ...]:
    """What somebody at this place sees: global, the project, and the scopes they act in."""
    return tuple(sorted({GLOBAL, place.scope, *more}))
