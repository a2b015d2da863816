"""Which project a directory belongs to: the one answer for the command line, hooks, MCP, SDK and ambient agent.

A git repository is one project with all its worktrees and subfolders, wherever it is moved. It is known by the address
of `origin`, so that clones on several machines agree, else by a random number; which of them is kept in a small file in
the shared git folder, so that it stays when an origin is added or changed. A folder that is no repository is known by
its real path. Where the user's own settings say `project.id`, that goes; said by a project's own file it makes the
folder of that file a project of its own.

What is read here may come from strangers. Git is never asked, because a repository's settings can make it run commands;
its files are read as data, small and regular ones only. A folder can claim neither another folder's number, which
nobody knows, nor its path; and a git folder that lies elsewhere counts only where it says itself that it belongs here.
Not covered: an unpacked archive that brings its own `.git` can claim any address as its origin.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nightgarden.domain.memory import GLOBAL, Scope, ScopeKind
from nightgarden.domain.ports import Store
from nightgarden.domain.state_keys import PROJECT_ROOT
from nightgarden.errors import BadInput
from nightgarden.machine.home import working_directory
from nightgarden.machine.plain_files import read_small
from nightgarden.machine.project_file import find_project_file
from nightgarden.settings import AgentSettings, Settings, load_settings

IDENTITY_FILE = "nightgarden-project"
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SHORT = {"user": ScopeKind.AGENT, "lane": ScopeKind.MISSION}  # names other tools use for the same thing


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where somebody works: the project's scope, its root folder and a name for people."""

    scope: Scope
    root: Path
    name: str


def resolve_place(directory: Path | str | None = None, env: Mapping[str, str] | None = None) -> Place:
    """The project of a directory (the working directory when None). The same answer everywhere. Raises BadInput for
    what cannot be a directory."""
    start = real_directory(directory)
    repository = _find_repository(start)
    root = repository.root if repository else start
    if said := load_settings(start, env, project=False).project.id:
        identity = said
    else:
        identity = _identity(repository) if repository else _digest("path", str(start))
        if (file := find_project_file(start)) is not None and file.id:
            root = file.folder
            inside = os.path.relpath(root, repository.root) if repository else str(root)
            around = identity if repository else ""
            identity = _digest("named", f"{around}:{inside}:{file.id}")
    return Place(scope=Scope(ScopeKind.PROJECT, identity), root=root, name=root.name or "root")


def machine_of(settings: Settings) -> str:
    """The name of this machine in memories and state."""
    return settings.garden.machine_id or socket.gethostname()


async def register_place(store: Store, settings: Settings, place: Place) -> None:
    """Notes where a project is on this machine, so that it has a name and facts can be looked up in it."""
    if place.scope.kind is not ScopeKind.PROJECT:
        return
    machine, key = machine_of(settings), PROJECT_ROOT + place.scope.owner
    known = await store.get_state(key) or {}
    if known.get(machine) != str(place.root):
        from nightgarden.domain.secrets import (
            find_secrets,  # its patterns are dear, and most commands know their project
        )

        if not find_secrets(str(place.root)):
            await store.put_state(key, known | {machine: str(place.root)})


def real_directory(directory: Path | str | None = None) -> Path:
    """The directory without links, also one that is gone; of a file the folder around it. Raises BadInput."""
    if directory is None and not (directory := working_directory()):
        raise BadInput("the working directory was removed; change to one that exists, or say --directory")
    try:
        os.fsencode(directory)  # what has no bytes cannot be a path
        start = Path(directory).expanduser()
        with suppress(OSError):
            start = start.resolve()
    except (ValueError, RuntimeError) as error:  # a NUL, half a character, a circle of links; ~somebody unknown
        raise BadInput(f"{str(directory)!r} cannot be a directory: {error}") from error
    return start.parent if start.exists() and not start.is_dir() else start


def branch_at(directory: Path) -> str:
    """The git branch that is checked out there; empty outside a repository, and on no branch."""
    if found := _find_repository(directory):
        head = _read(found.git_folder / "HEAD").strip()
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""
    return ""


def branch_words(directory: Path) -> str:
    """The branch as words to search by; empty for the main one, whose name says nothing."""
    branch = branch_at(directory)
    return "" if branch in ("main", "master", "trunk", "develop") else re.sub(r"[/_.-]+", " ", branch)


def git_folders_at(directory: Path) -> tuple[Path, Path] | None:
    """The git folder of the work tree around, and the one that all worktrees share; None outside of a repository."""
    found = _find_repository(directory)
    return (found.git_folder, found.common) if found is not None else None


def git_folder_at(directory: Path) -> Path | None:
    """The git folder of the work tree around a directory; None outside a repository."""
    found = _find_repository(directory)
    return found.git_folder if found else None


def commit_at(directory: Path) -> str:
    """The commit that is checked out there; empty outside a repository, and before the first commit."""
    found = _find_repository(directory)
    if found is None:
        return ""
    head = _read(found.git_folder / "HEAD").strip()
    if not head.startswith("ref: "):
        return head if _COMMIT.fullmatch(head) else ""
    name = head.removeprefix("ref: ")
    if not name.startswith("refs/") or ".." in name:
        return ""
    loose = _read(found.common / name).strip()
    if _COMMIT.fullmatch(loose):
        return loose
    packed = (line.split(" ", 1) for line in _read(found.common / "packed-refs").splitlines())
    return next((parts[0] for parts in packed if len(parts) == 2 and parts[1] == name), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Repository:
    """A work tree: its root, its own git folder, and the one that all worktrees share."""

    root: Path
    git_folder: Path
    common: Path


def _find_repository(start: Path) -> _Repository | None:
    """The nearest repository around. One that belongs to somebody else than the user, or than whoever owns the folder
    where the work is done, does not count: anybody can put a `.git` into a shared folder."""
    owners = {owner for owner in (_owner(start), None if os.name == "nt" else os.geteuid()) if owner is not None}
    for folder in (start, *start.parents):
        dot_git = folder / ".git"
        if os.path.lexists(dot_git) and (os.name == "nt" or _owner(dot_git) in owners):
            return _repository_at(folder, dot_git)
    return None


def _owner(path: Path) -> int | None:
    try:
        return path.lstat().st_uid
    except OSError:
        return None


def _repository_at(folder: Path, dot_git: Path) -> _Repository | None:
    """A git folder elsewhere counts for a worktree that it names itself, and for a submodule of a repository around."""
    if dot_git.is_dir() and not dot_git.is_symlink():
        return _Repository(root=folder, git_folder=dot_git, common=dot_git)
    match = re.match(r"gitdir:\s*(.+)", _read(dot_git))
    if match is None:
        return None
    git_folder = Path(os.path.realpath(folder / match[1].strip()))
    if named := _read(git_folder / "gitdir").strip():  # of a worktree: the way back to it
        common = Path(os.path.realpath(git_folder / (_read(git_folder / "commondir").strip() or ".")))
        if Path(os.path.realpath(git_folder / named)) == dot_git and git_folder.parent == common / "worktrees":
            return _Repository(root=folder, git_folder=git_folder, common=common)
    around = (folder, *(parent / ".git" / "modules" for parent in folder.parents))
    if any(git_folder != place and git_folder.is_relative_to(place) for place in around):
        return _Repository(root=folder, git_folder=git_folder, common=git_folder)
    return None


def _read(path: Path) -> str:
    """A small text; empty when it cannot be read as one."""
    with suppress(OSError, UnicodeDecodeError):
        return read_small(path).text
    return ""


def _identity(repository: _Repository) -> str:
    """By what is kept in the git folder, which is written there the first time."""
    kept = repository.common / IDENTITY_FILE
    if found := _read_identity(kept):
        return _digest(*found)
    address = _origin_address(repository.common)
    known_by = ("origin", address) if address else ("number", os.urandom(16).hex())
    try:
        return _digest(*_keep(kept, known_by))
    except OSError:  # a read-only checkout derives the same answer each time
        return _digest("origin", address) if address else _digest("path", str(repository.common))


def _keep(kept: Path, known_by: tuple[str, str]) -> tuple[str, str]:
    """What is known from now on: of several who come at once, the first one's. Raises OSError."""
    temporary = kept.with_name(f"{IDENTITY_FILE}.{os.urandom(8).hex()}")  # threads resolve at once too
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(" ".join(known_by) + "\n")
        try:
            os.link(temporary, kept)  # whoever is first wins; link never overwrites
        except FileExistsError:
            if found := _read_identity(kept):
                return found
            temporary.replace(kept)  # what is there is damaged; a link is replaced, never followed
    finally:
        temporary.unlink(missing_ok=True)
    return known_by


def _read_identity(kept: Path) -> tuple[str, str] | None:
    match = re.fullmatch(r"(?:(number) ([0-9a-f]{32})|(origin) (\S{1,1000}))\n?", _read(kept))
    return ((match[1] or match[3]), (match[2] or match[4])) if match else None


def _origin_address(common: Path) -> str:
    """`host/owner/name` of origin, however it was written; empty when there is none."""
    section = ""
    for line in _read(common / "config").splitlines():
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


def _digest(kind: str, text: str) -> str:
    return hashlib.sha256(f"{kind}:{text}".encode("utf-8", "surrogatepass")).hexdigest()[:20]


def parse_scope(text: str, place: Place, acting: AgentSettings | None = None) -> Scope:
    """A scope as people write it: global, project, agent:NAME, mission:NAME, session:ID, community:NETWORK/ID…
    Without an owner, that of who acts."""
    kind_text, _, owner = text.strip().partition(":")
    kind = _SHORT.get(kind_text.lower())
    if kind is None:
        try:
            kind = ScopeKind(kind_text.lower())
        except ValueError:
            raise BadInput(
                f"unknown scope {text!r}; use global, project, agent:NAME, mission:NAME, session:ID or "
                "community:NETWORK/ID"
            ) from None
    if kind is ScopeKind.GLOBAL:
        return GLOBAL
    if kind is ScopeKind.PROJECT and not owner:
        return place.scope
    own = [scope for scope in acting_scopes(acting) if scope.kind is kind] if acting is not None else []
    if not owner and len(own) == 1:
        return own[0]
    if not owner:
        raise BadInput(f"scope {kind} needs an owner, as in {kind}:NAME")
    return Scope(kind, owner)


def scope_at(scope: Scope | str | None, place: Place, acting: AgentSettings) -> Scope:
    """The scope that somebody named at a place; by default the place's own."""
    if scope is None:
        return place.scope
    return parse_scope(scope, place, acting) if isinstance(scope, str) else scope


def acting_scopes(acting: AgentSettings) -> tuple[Scope, ...]:
    """The scopes of who acts: their own, their missions', their session's."""
    named = ((ScopeKind.AGENT, acting.name), (ScopeKind.SESSION, acting.session))
    missions = (Scope(ScopeKind.MISSION, each.strip()) for each in acting.mission.split(",") if each.strip())
    return (*(Scope(kind, owner.strip()) for kind, owner in named if owner.strip()), *missions)


def visible_scopes(place: Place, *more: Scope) -> tuple[Scope, ...]:
    """What somebody at this place sees: global, the project, and the scopes they act in."""
    return tuple(sorted({GLOBAL, place.scope, *more}))
