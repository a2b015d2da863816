"""The daemon's steps at night: who tends, when, and what a daemon does while the agent is off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.ambient_documents import ONLY
from nightgarden.domain.session import Message, Session, SessionStatus
from nightgarden.surfaces.daemon.night import Night
from tests.ambient.conftest import Standing


def night(garden: Garden) -> Night:
    """As a daemon that was just started has it."""

    async def home() -> Garden:
        return garden

    return Night(home)


async def work(garden: Garden, clock: Standing) -> None:
    """The user says something in an open session."""
    message = Message(id=f"{clock.now():%d%H%M}", role="user", text="go on", at=clock.now())
    await garden.sessions.add(Session(id="open", client="codex", messages=(message,), status=SessionStatus.ACTIVE))


async def test_with_the_agent_off_the_daemon_tends_when_the_user_is_idle(
    open_here: Callable[..., Any], clock: Standing
) -> None:
    async with open_here({"enabled": False}) as garden:
        await work(garden, clock)
        daemon = night(garden)
        done = await daemon.tend()
        assert done.line == "not yet, you are working"
        assert done.again_seconds == 15 * 60
        clock.pass_(minutes=15)
        await daemon.tend()
        assert (await garden.health()).last_sweep == clock.now()
        clock.pass_(hours=1)
        assert (await daemon.tend()).line.startswith("done ")


async def test_it_tends_at_the_latest_after_a_day_however_often_it_is_started_anew(
    open_here: Callable[..., Any], clock: Standing
) -> None:
    async with open_here({"enabled": False}) as garden:
        for _ in range(3):
            await work(garden, clock)
            assert (await night(garden).tend()).line == "not yet, you are working"
            clock.pass_(hours=8)
        await work(garden, clock)
        await night(garden).tend()
        assert (await garden.health()).last_sweep == clock.now()


async def test_with_the_agent_on_tending_is_left_to_it_unless_it_is_paused(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    assert (await night(garden).tend()).line == "left to the ambient agent"
    assert (await garden.health()).last_sweep is None
    await night(garden).ambient()
    assert (await garden.health()).last_sweep == clock.now()
    await ambient.control.pause()
    clock.pass_(days=2)
    await night(garden).ambient()
    await night(garden).tend()
    assert (await garden.health()).last_sweep == clock.now()


async def test_with_the_agent_off_its_due_tasks_are_told_at_once(
    open_here: Callable[..., Any], clock: Standing
) -> None:
    async with open_here({"enabled": False}) as garden:
        await garden.schedule.add("check whether CI passed", wake_in_minutes=5, target="ambient")
        clock.pass_(minutes=6)
        assert (await night(garden).ambient()).line == "disabled"
        assert "check whether CI passed" in (await garden.briefing()).text


async def test_an_idle_daemon_does_not_write_at_each_look(garden: Garden, ambient: Ambient, clock: Standing) -> None:
    async def version() -> int:
        kept = await ambient.records.state_shelf.get(ONLY)
        assert kept is not None
        return kept.version

    daemon = night(garden)
    await daemon.ambient()
    clock.pass_(seconds=30)
    await daemon.ambient()
    before = await version()
    clock.pass_(seconds=30)
    await daemon.ambient()
    assert await version() == before
    clock.pass_(minutes=5)
    await daemon.ambient()  # a sign of life
    assert await version() == before + 1
