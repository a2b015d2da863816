"""The latest commits of a repository and the files that they changed. Blocking; call it in a thread."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from nightgarden.learn.digest_values import Commit
from nightgarden.learn.git_objects import Objects, UnreadableObject, head_of
from nightgarden.scope import git_folders_at

COMMITS_MAX = 300
FILES_MAX = 500  # of a commit; more is an import of somebody's code
TREES_MAX = 3_000  # read for one look
SUBJECT_CHARS_MAX = 400
_WHO = re.compile(r"(?P<name>[^<\n]{0,400})<[^>\n]{0,400}> (?P<at>\d{1,12}) [+-]\d{4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A commit as it is stored."""

    commit: Commit
    tree: str
    parents: tuple[str, ...]


def read_history(root: Path) -> list[Commit]:
    """The latest commits by their moment, newest first and without their files; none where there is no repository."""
    folders = git_folders_at(root)
    head = head_of(*folders) if folders is not None else None
    if folders is None or head is None:
        return []
    found: list[Commit] = []
    with Objects(folders[1]) as objects:
        seen, waiting = {head}, [(0, 0, head)]
        while waiting and len(found) < COMMITS_MAX:
            _, _, id = heapq.heappop(waiting)
            with suppress(UnreadableObject):  # a shallow clone ends somewhere
                read = _read(objects, id)
                found.append(read.commit)
                for parent in read.parents:
                    if parent not in seen:
                        seen.add(parent)
                        with suppress(UnreadableObject):
                            at = _read(objects, parent).commit.committed_at.timestamp()
                            heapq.heappush(waiting, (-int(at), len(seen), parent))
    return found


def with_files(root: Path, commits: Sequence[Commit]) -> list[Commit]:
    """The same commits with the files that each changed; a merge changed none by itself."""
    folders = git_folders_at(root)
    if folders is None:
        return list(commits)
    found = []
    with Objects(folders[1]) as objects:
        budget = _Budget(TREES_MAX)
        for commit in commits:
            files: tuple[str, ...] = ()
            with suppress(UnreadableObject):
                read = _read(objects, commit.id)
                if len(read.parents) <= 1:
                    before = _read(objects, read.parents[0]).tree if read.parents else None
                    changed = _changed(objects, before, read.tree, "", budget)
                    files = tuple(path for path, _ in zip(changed, range(FILES_MAX), strict=False))
            found.append(replace(commit, files=files))
    return found


@dataclass(slots=True)
class _Budget:
    """How many trees may still be read."""

    left: int


def _changed(objects: Objects, before: str | None, after: str | None, path: str, budget: _Budget) -> Iterator[str]:
    """Paths that differ between two trees."""
    budget.left -= 2
    if before == after or budget.left < 0:
        return
    old = {entry.name: entry for entry in objects.tree(before)} if before is not None else {}
    new = {entry.name: entry for entry in objects.tree(after)} if after is not None else {}
    for name in sorted({*old, *new}):
        one, other = old.get(name), new.get(name)
        if one is not None and other is not None and one.id == other.id:
            continue
        folder_before = one.id if one is not None and one.folder else None
        folder_after = other.id if other is not None and other.folder else None
        if folder_before is not None or folder_after is not None:
            yield from _changed(objects, folder_before, folder_after, f"{path}{name}/", budget)
        if (one is not None and not one.folder) or (other is not None and not other.folder):
            yield f"{path}{name}"


def _read(objects: Objects, id: str) -> _Read:
    head, _, message = objects.read(id, "commit").decode("utf-8", "replace").partition("\n\n")
    fields: dict[str, list[str]] = {}
    for line in head.split("\n"):
        if not line.startswith(" "):  # which goes on with a signature
            name, _, value = line.partition(" ")
            fields.setdefault(name, []).append(value)
    author, committer = (_WHO.match(fields.get(name, [""])[0]) for name in ("author", "committer"))
    if author is None or committer is None or "tree" not in fields:
        raise UnreadableObject(f"commit {id} is damaged")
    commit = Commit(
        id=id,
        author=author["name"].strip(),
        authored_at=_moment(author["at"]),
        committed_at=_moment(committer["at"]),
        subject=message.strip().split("\n", 1)[0][:SUBJECT_CHARS_MAX],
    )
    return _Read(commit=commit, tree=fields["tree"][0], parents=tuple(fields.get("parent", ())))


def _moment(seconds: str) -> datetime:
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        raise UnreadableObject("a commit of no known time") from None
