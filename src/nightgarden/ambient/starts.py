"""Tasks that want a session: resumed or started in the user's own client, without a terminal, once and never twice.

Only if the settings allow it; else the user is told of the task instead. A session that is open is told by its next
turn. The start is noted before it is made: a process that dies in between leaves a task that is told, not run again.
A task whose folder is not on this machine is left to the machine that has it; if none has, it is told after a while.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from nightgarden.domain.schedule import Outcome, ScheduledTask, Target
from nightgarden.domain.session import SessionStatus
from nightgarden.errors import NightgardenError
from nightgarden.garden import Garden
from nightgarden.machine import programs
from nightgarden.recall.switch import is_off
from nightgarden.scope import machine_of

SECONDS_MAX = 1800.0
AT_ONCE = 3


async def serve_sessions(garden: Garden, env: Mapping[str, str]) -> list[str]:
    """Does what is due and wants a session. What it did, in words. Works with the ambient agent off."""
    told: list[str] = []
    now, by = garden.now(), f"sessions-{machine_of(garden.settings)}"
    for task in await garden.schedule.list(scope="all"):
        if task.taken_by == by and task.open:  # by a process of this machine that has ended since
            if task.started_at is None:
                await garden.schedule.give_back(task.id, by=by)
                continue
            await garden.schedule.tell_instead(
                task.id, why="a session was started for it, and nobody knows how it ended"
            )
        if not task.takeable(now, (Target.RESUME, Target.SPAWN)) or len(told) >= AT_ONCE:
            continue
        if task.directory and not Path(task.directory).is_dir():
            continue
        told.append(await _serve(garden, task, env, by=by))
    return told


async def _serve(garden: Garden, task: ScheduledTask, env: Mapping[str, str], *, by: str) -> str:
    why, words = await _command(garden, task, env)
    if words is None:
        await garden.schedule.tell_instead(task.id, why=why)
        return f"{task.task}: {why}"
    if await garden.schedule.take(task.id, by=by) is None or not await garden.schedule.note_start(task.id, by=by):
        return f"{task.task}: somebody else has it"
    try:
        status, out, err = await programs.run_group(
            words, cwd=task.directory or str(Path.home()), env=env, given=b"", seconds=SECONDS_MAX
        )
    except (OSError, TimeoutError) as error:
        await garden.schedule.tell_instead(task.id, why=f"its session could not be run: {error}")
        return f"{task.task}: {error}"
    said = (out or err).decode("utf-8", "replace").strip()
    if status:
        await garden.schedule.tell_instead(task.id, why=f"its session failed: {said[-300:]}")
        return f"{task.task}: its session failed"
    await garden.schedule.finish(task.id, by=by, outcome=Outcome.DONE, result=said[-500:])
    return f"{task.task}: done in a session"


async def _command(garden: Garden, task: ScheduledTask, env: Mapping[str, str]) -> tuple[str, list[str] | None]:
    """The command line that does it, or why there is none."""
    if not garden.settings.ambient.start_sessions:
        return "ambient.start_sessions is off, so you are told instead", None
    if task.tainted or task.actor == "ambient":
        return "text from outside or an agent scheduled it, so you are told instead", None
    if await is_off(garden.store, (task.scope,)):
        return "memory is switched off there", None
    try:
        session = await garden.sessions.get(task.session_id) if task.session_id else None
    except NightgardenError:
        session = None
    if task.target is Target.RESUME:
        if session is None:
            return "its session is not known here", None
        if session.status is SessionStatus.ACTIVE:
            return "its session is open and is told at its next turn", None
    client = "codex" if session is not None and session.client == "codex" else "claude"
    program = shutil.which(client, path=programs.clean(env).get("PATH", os.defpath))
    if program is None:
        return f"{client} is not on the PATH", None
    resumes = [session.id] if task.target is Target.RESUME and session is not None else []
    prompt = _prompt(task)
    if client == "codex":
        return "", [program, "exec", *(["resume", *resumes] if resumes else []), prompt]
    return "", [program, "-p", *(["--resume", *resumes] if resumes else []), prompt]


def _prompt(task: ScheduledTask) -> str:
    parts = [f"Scheduled earlier, and due now: {task.task}"]
    parts += [f"Background: {task.background}"] if task.background else []
    parts += [f"It is done when: {task.success_criteria}"] if task.success_criteria else []
    parts += [f"Files: {', '.join(task.relevant_files)}"] if task.relevant_files else []
    return "\n".join(parts)
