"""Signs that something happened which may be a reason to run: sessions that ended, pushes, a user who went away.

Looks at the store and at git's own log files, as data; runs nothing. What was seen at the first look is old news.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.context import active_until
from nightgarden.ambient.events import Trigger
from nightgarden.ambient.projects import AmbientProject, find_projects
from nightgarden.domain.session import SessionStatus
from nightgarden.domain.state_keys import TEND_NOTICED
from nightgarden.domain.time import read_moment, write_moment
from nightgarden.garden import Garden
from nightgarden.machine.plain_files import read_plain, walk_files
from nightgarden.scope import git_folder_at

LOG_BYTES_MAX = 4_000_000
REMOTES_MAX = 200
_PUSHED = "update by push"
_TRIGGERS = {SessionStatus.CRASHED: Trigger.SESSION_CRASHED, SessionStatus.CLOSED: Trigger.SESSION_CLOSED}


class ActivitySigns:
    """Remembers what it saw last. One per process."""

    def __init__(self, ambient: Ambient) -> None:
        self._ambient = ambient
        self._sessions: dict[str, SessionStatus] | None = None
        self._pushes: dict[str, str] | None = None
        self._active: bool | None = None

    async def look(self) -> list[tuple[Trigger, str]]:
        """Notes what is new since the last look, and returns it."""
        found = [*await self._ended_sessions(), *await self._seen_pushes(), *await self._gone_idle()]
        for trigger, detail in found:
            await self._ambient.note(trigger, detail)
        return found

    async def _ended_sessions(self) -> list[tuple[Trigger, str]]:
        before = self._sessions
        sessions = await self._ambient.garden.sessions.list(limit=100)
        self._sessions = {session.id: session.status for session in sessions}
        if before is None:
            return []
        return [
            (_TRIGGERS[session.status], session.id)
            for session in sessions
            if session.status in _TRIGGERS and before.get(session.id) != session.status
        ]

    async def _seen_pushes(self) -> list[tuple[Trigger, str]]:
        before = self._pushes
        projects = (await find_projects(self._ambient.garden)).allowed
        self._pushes = await asyncio.to_thread(lambda: dict(_last_pushes(projects)))
        if before is None:
            return []
        return [(Trigger.GIT_PUSH, name) for name, line in self._pushes.items() if before.get(name) != line]

    async def _gone_idle(self) -> list[tuple[Trigger, str]]:
        settings, before = self._ambient.settings, self._active
        until = await active_until(self._ambient.garden, idle=timedelta(minutes=settings.idle_minutes))
        self._active = until is not None and until > self._ambient.garden.now()
        return [(Trigger.USER_IDLE, "")] if before and not self._active else []


def _last_pushes(projects: Iterable[AmbientProject]) -> Iterator[tuple[str, str]]:
    """By project and remote branch the last line that a push left in git's log; not of branches of the agent's own."""
    for project in projects:
        root, own = project.root, project.settings.ambient.work_branch_prefix
        folder = git_folder_at(root)
        logs = folder / "logs" / "refs" / "remotes" if folder is not None else None
        if logs is None or logs.parent.is_symlink() or logs.parent.parent.is_symlink():
            continue
        for path in islice(walk_files(logs), REMOTES_MAX):
            try:
                lines = read_plain(path, bytes_max=LOG_BYTES_MAX).decode("utf-8", "replace").splitlines()
            except (OSError, ValueError):
                continue
            pushed = [line for line in lines if line.endswith(_PUSHED)]
            remote, _, branch = path.relative_to(logs).as_posix().partition("/")
            if pushed and not (own and branch.startswith(own)):
                yield f"{root.name} {remote}/{branch}", pushed[-1]


def tend_wait(
    last: datetime | None,
    *,
    noticed_at: datetime,
    now: datetime,
    every: timedelta,
    active_until: datetime | None,
) -> timedelta:
    """How long the daemon waits before it tends by itself; 0: now. Due so long after the last time; then it waits until
    the user is idle, at most as long again after it noticed. Pure."""
    due = last + every if last is not None else noticed_at
    if now < due:
        return due - now
    latest = max(due, noticed_at) + every
    if active_until is None or active_until <= now or now >= latest:
        return timedelta(0)
    return min(active_until, latest) - now


async def tend_noticed_at(garden: Garden, last: datetime | None, every: timedelta) -> datetime:
    """When a daemon first saw that the garden was due to be tended."""
    now, after = garden.now(), write_moment(last) if last is not None else ""
    if last is not None and now < last + every:
        return now
    kept = await garden.store.get_state(TEND_NOTICED)
    if kept is not None and kept["after"] == after:
        return read_moment(kept["at"])
    await garden.store.put_state(TEND_NOTICED, {"after": after, "at": write_moment(now)})
    return now
