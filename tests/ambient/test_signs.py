"""What wakes the agent is seen: sessions that ended, pushes in git's log, a user who went away; and who tends when."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.events import Trigger
from nightgarden.ambient.signs import ActivitySigns, tend_wait
from nightgarden.ambient.starts import serve_sessions
from nightgarden.domain.schedule import Outcome
from nightgarden.domain.session import Message, Session, SessionStatus
from nightgarden.errors import BadInput
from nightgarden.scope import machine_of
from tests.ambient.conftest import NOW, Standing
from tests.conftest import Open


def session(id: str, status: SessionStatus) -> Session:
    message = Message(id=f"{id}-1", role="user", text="hello", at=NOW - timedelta(hours=2))
    return Session(id=id, client="claude-code", messages=(message,), status=status)


async def test_a_session_that_ends_is_noted_once_and_old_ones_are_no_news(garden: Garden, ambient: Ambient) -> None:
    await garden.sessions.add(session("old", SessionStatus.CLOSED))
    await garden.sessions.add(session("one", SessionStatus.ACTIVE))
    signs = ActivitySigns(ambient)
    assert await signs.look() == []
    await garden.sessions.add(session("one", SessionStatus.CRASHED))
    await garden.sessions.add(session("two", SessionStatus.CLOSED))
    assert sorted(await signs.look()) == [(Trigger.SESSION_CLOSED, "two"), (Trigger.SESSION_CRASHED, "one")]
    assert await signs.look() == []
    assert {event.trigger for event in (await ambient.records.state()).events} == {
        Trigger.SESSION_CLOSED,
        Trigger.SESSION_CRASHED,
    }


async def test_a_push_is_seen_in_git_s_own_log(open_garden: Open, project: Path, tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], cwd=project, check=True)

    git("init", "-q", "--bare", str(tmp_path / "bare"))
    git("init", "-q", "-b", "main")
    git("remote", "add", "origin", str(tmp_path / "bare"))
    git("commit", "-q", "--allow-empty", "-m", "one")
    async with open_garden() as garden:
        signs = ActivitySigns(Ambient(garden))
        assert await signs.look() == []
        git("push", "-q", "origin", "main")
        assert await signs.look() == [(Trigger.GIT_PUSH, "project origin/main")]
        git("push", "-q", "origin", "main:ambient/mend-add")  # its own work is no news to it
        assert await signs.look() == []


async def test_a_user_who_goes_away_is_noted(garden: Garden, ambient: Ambient, clock: Standing) -> None:
    signs = ActivitySigns(ambient)
    await garden.turn("where is it?", session_id="s")
    await garden.settle()
    assert await signs.look() == []
    clock.pass_(minutes=16)
    assert (Trigger.USER_IDLE, "") in await signs.look()


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("last_hours", "noticed_hours", "active_minutes", "wait_minutes"),
    [
        (None, 0, None, 0),  # never, and nobody is there
        (None, 0, 10, 10),  # never, but the user is at work: not in the middle of it
        (20, 0, None, 240),
        (25, 0, None, 0),
        (25, 0, 10, 10),
        (25, 0, 0, 0),
        (72, 0, 10, 10),  # the machine was off: no reason to disturb whoever has just come
        (72, 24, 10, 0),  # at work for a day without a pause: at the latest now
        (47, 30, 90, 60),
    ],
)
def test_the_daemon_tends_when_the_user_is_idle_and_at_the_latest_a_day_later(
    last_hours: float | None, noticed_hours: float, active_minutes: float | None, wait_minutes: float
) -> None:
    wait = tend_wait(
        NOW - timedelta(hours=last_hours) if last_hours is not None else None,
        noticed_at=NOW - timedelta(hours=noticed_hours),
        now=NOW,
        every=DAY,
        active_until=NOW + timedelta(minutes=active_minutes) if active_minutes is not None else None,
    )
    assert wait == timedelta(minutes=wait_minutes)


async def test_a_task_for_a_session_is_told_unless_sessions_may_be_started(garden: Garden, clock: Standing) -> None:
    with pytest.raises(BadInput, match="needs that session's id"):
        await garden.schedule.add("go on", wake_in_minutes=5, target="resume")
    task = await garden.schedule.add("look at the build", wake_in_minutes=5, target="spawn")
    clock.pass_(minutes=6)
    assert (await garden.briefing()).text == ""
    assert "start_sessions is off" in (await serve_sessions(garden, {}))[0]
    assert "look at the build" in (await garden.briefing()).text
    assert (await garden.schedule.get(task.id)).open


async def test_a_session_is_started_once_and_what_it_said_is_kept(
    open_here: object, open_garden: Open, clock: Standing, tmp_path: Path, project: Path
) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/called\necho "the build is green"\n', "utf-8")
    program.chmod(0o755)
    env = {"PATH": f"{program.parent}:/usr/bin:/bin"}
    async with open_here({"start_sessions": True}) as garden:  # type: ignore[operator]
        task = await garden.schedule.add("look at the build", wake_in_minutes=5, target="spawn")
        clock.pass_(minutes=6)
        assert await serve_sessions(garden, env) == ["look at the build: done in a session"]
        assert await serve_sessions(garden, env) == []
        done = await garden.schedule.get(task.id)
        assert (done.outcome, done.result) == (Outcome.DONE, "the build is green")
        assert (tmp_path / "called").read_text() == "-p Scheduled earlier, and due now: look at the build\n"
        killed = await garden.schedule.add("look again", wake_in_minutes=5, target="spawn")
        clock.pass_(minutes=6)
        by = f"sessions-{machine_of(garden.settings)}"
        await garden.schedule.take(killed.id, by=by)
        await garden.schedule.note_start(killed.id, by=by)  # and its process dies here
        await serve_sessions(garden, env)
        assert "nobody knows how it ended" in (await garden.schedule.get(killed.id)).result
        assert (tmp_path / "called").read_text().count("look again") == 0


async def test_a_task_that_was_taken_and_never_started_is_not_lost(
    open_here: Callable[..., Any], clock: Standing
) -> None:
    async with open_here() as garden:
        task = await garden.schedule.add("look at the build", wake_in_minutes=5, target="spawn")
        clock.pass_(minutes=6)
        await garden.schedule.take(task.id, by=f"sessions-{machine_of(garden.settings)}")  # and its process dies here
        await serve_sessions(garden, {})
        await serve_sessions(garden, {})
        assert "look at the build" in (await garden.briefing()).text


async def test_a_session_that_another_machine_started_is_left_to_it(
    open_here: Callable[..., Any], clock: Standing, tmp_path: Path, project: Path
) -> None:
    async with open_here({"start_sessions": True}) as garden:
        task = await garden.schedule.add("look at the build", wake_in_minutes=5, target="spawn")
        elsewhere = await garden.schedule.add("look there", wake_in_minutes=5, target="spawn")
        project.rename(tmp_path / "not here")
        clock.pass_(minutes=6)
        await garden.schedule.take(task.id, by="sessions-desk")
        await garden.schedule.note_start(task.id, by="sessions-desk")
        assert await serve_sessions(garden, {"PATH": str(tmp_path)}) == []
        assert (await garden.schedule.get(task.id)).taken_by == "sessions-desk"
        assert (await garden.schedule.get(elsewhere.id)).result == ""
