"""Which lines of a page came with the repository: by a clone, a pull, a merge or a checkout, not by the user's hand.

The folder of the pages may be committed, so a stranger can have written them. A line that is not committed, or that the
user's own commit brought, is the user's. Git is not asked; its log of what HEAD was and its objects are read as data.
Where there is no such log, what is committed came with the repository. Not covered: a log that somebody sent along with
an unpacked `.git`; pages that were never written here count as brought whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from nightgarden.learn.git_objects import Objects, UnreadableObject, head_of
from nightgarden.learn.notebook_values import said_in
from nightgarden.machine.plain_files import read_plain
from nightgarden.scope import git_folders_at

STEPS_MAX = 100  # of HEAD that are looked at; what is older is as old as the last of them
LOG_BYTES_MAX = 4_000_000
_STEP = re.compile(r"[0-9a-f]{40} ([0-9a-f]{40}) [^\t]*\t(.*)")
_STAMP = re.compile(r"\$Id(?::[^$\n]*)?\$")  # git can fill these in when it writes a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What of a page came with the repository."""

    lines: frozenset[str] = frozenset()  # as they are said, without marks
    removals: bool = False  # what is missing in the page is missing because of it

    def brought(self, said: str) -> bool:
        return _plain(said) in self.lines


def brought_by_git(root: Path, page: str, text: str) -> Brought:
    """Of a page by its name inside the repository, with the text that it has now. Blocks for milliseconds."""
    folders = git_folders_at(root)
    if folders is None or (head := head_of(*folders)) is None:
        return Brought()
    with Objects(folders[1]) as objects:
        committed = _said_at(objects, head, page)
        alive, lines, last = committed, set[str](), None
        steps = [*_steps(folders[0]), ("", "")]
        for (_, action), (before, _) in pairwise(steps):
            earlier = _said_at(objects, before, page) if before else frozenset()
            own = action.startswith("commit")
            if last is None and earlier != committed:
                last = own
            lines |= set() if own else alive - earlier
            alive &= earlier
            if not alive:
                break
    here = frozenset(map(_plain, said_in(text)))
    return Brought(lines=frozenset(lines | alive), removals=here == committed and not last)


def _steps(git_folder: Path) -> Iterator[tuple[str, str]]:
    """The commits that HEAD was, newest first, and what made it so."""
    try:
        log = read_plain(git_folder / "logs" / "HEAD", bytes_max=LOG_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return
    for line in reversed(log.splitlines()[-STEPS_MAX:]):
        if match := _STEP.fullmatch(line):
            yield match[1], match[2]


def _said_at(objects: Objects, commit: str, page: str) -> frozenset[str]:
    """The lines of the page in a commit; none where it has no such page."""
    try:
        tree = re.match(rb"tree ([0-9a-f]{40})\n", objects.read(commit, "commit"))
        id = tree[1].decode() if tree is not None else ""
        for part in page.split("/"):
            id = next((entry.id for entry in objects.tree(id) if entry.name == part), "")
        content = objects.read(id, "blob").decode("utf-8", "replace")
    except UnreadableObject:
        return frozenset()
    return frozenset(map(_plain, said_in(content)))


def _plain(said: str) -> str:
    return _STAMP.sub("$Id$", said)
