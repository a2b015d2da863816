"""A piece of work on code, as it is stored: where its worktree is, what it changes, and what became of it. Values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nightgarden.domain.documents import DocumentKind
from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import Store
from nightgarden.domain.shelf import Shelf
from nightgarden.errors import BadInput

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{1,50}")


class WorkStatus(StrEnum):
    """Where it stands."""

    OPEN = "open"  # being worked on
    ASKED = "asked"  # waits for the user
    DELIVERED = "delivered"  # pushed
    DROPPED = "dropped"  # rejected, given up or left behind


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedChange:
    """How the project's own tests went. `ok` is None when there are none."""

    command: str = ""
    ok: bool | None = None
    output: str = ""  # the end of it

    @property
    def words(self) -> str:
        if self.ok is None:
            return "no tests were found"
        return f"`{self.command}` {'passes' if self.ok else 'fails'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkRecord:
    """One branch in one worktree."""

    slug: str
    scope: Scope
    root: str  # of the user's repository
    path: str  # of the worktree
    branch: str
    base: str  # the commit it began at
    cycle: str
    created_at: datetime
    machine: str = ""  # where the worktree is
    kind: str = ""  # of the opportunity that it takes up
    status: WorkStatus = WorkStatus.OPEN
    written: tuple[str, ...] = ()  # files that the agent wrote; nothing else is committed
    title: str = ""
    description: str = ""
    commit: str = ""
    diff: str = ""
    files: int = 0
    lines: int = 0
    before: TestedChange = TestedChange()
    after: TestedChange = TestedChange()
    pull_request: str = ""
    result: str = ""
    rejected: bool = False  # by the user

    @property
    def over(self) -> bool:
        return self.status in (WorkStatus.DELIVERED, WorkStatus.DROPPED)


WORK = DocumentKind("ambient_work", WorkRecord)


def works(store: Store) -> Shelf[WorkRecord]:
    return Shelf(store, WORK)


def check_slug(slug: str) -> str:
    """Raises BadInput for what cannot name a piece of work."""
    if not _SLUG.fullmatch(slug):
        raise BadInput(f"{slug[:60]!r} cannot name work; use 2 to 51 lower-case letters, digits and dashes")
    return slug
