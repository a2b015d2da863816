"""What the daemon does at each event, on a real garden."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from nightgarden.domain.verdict import Saved
from nightgarden.garden import Garden
from nightgarden.surfaces.hooks.event import Name, read_event
from nightgarden.surfaces.hooks.reply import Reply
from nightgarden.surfaces.hooks.serve import serve
from nightgarden.surfaces.hooks.states import SESSIONS_MAX, HookSession, HookSessions

FACT = "The staging database runs on port 5433"
NEVER = "Never run rm -rf on the build folder; use make clean instead"


@pytest.fixture
async def garden(tmp_path: Path) -> AsyncIterator[Garden]:
    env = {"NIGHTGARDEN_HOME": str(tmp_path / "data"), "NIGHTGARDEN_TURN_DEADLINE_MS": "20000"}
    async with Garden.open(directory=tmp_path, env=env) as garden:
        yield garden


class Client:
    """Sends events as a client would."""

    def __init__(self, garden: Garden) -> None:
        self.garden = garden
        self.sessions = HookSessions()

    async def send(self, name: Name, *, session: str = "s1", spooled: bool = False, **data: Any) -> Reply:
        event = read_event("claude-code", name, {"session_id": session, **data}, spooled=spooled)
        return await serve(self.garden, event, self.sessions)

    async def run(self, command: str) -> Reply:
        return await self.send("PreToolUse", tool_name="Bash", tool_input={"command": command})


@pytest.fixture
def client(garden: Garden) -> Client:
    return Client(garden)


async def test_a_session_starts_with_a_briefing(client: Client) -> None:
    await client.garden.remember(NEVER)
    assert NEVER in (await client.send("SessionStart", source="startup")).context


async def test_a_prompt_brings_what_answers_it_once(client: Client) -> None:
    await client.garden.remember(FACT)
    prompt = "which port does the staging database use?"
    assert FACT in (await client.send("UserPromptSubmit", prompt=prompt)).context
    assert (await client.send("UserPromptSubmit", prompt=prompt)).context == ""
    assert "1 recalled" in (await client.send("StatusLine")).line


async def test_after_a_compaction_what_was_shown_and_learned_is_brought_back(client: Client) -> None:
    verdict = await client.garden.remember("Deploys need the blue flag", session_id="s1")
    assert isinstance(verdict, Saved)
    await client.garden.remember(FACT)
    await client.send("UserPromptSubmit", prompt="which port does the staging database use?")
    again = (await client.send("SessionStart", source="compact")).context
    assert FACT in again
    assert "Deploys need the blue flag" in again
    assert again.count(FACT) == 1


async def test_a_forbidden_command_is_stopped_until_the_user_insists(client: Client) -> None:
    await client.garden.remember(NEVER)
    await client.send("UserPromptSubmit", prompt="thanks")
    assert NEVER in (await client.run("rm -rf build")).deny
    assert NEVER in (await client.run("rm -rf build")).deny
    await client.send("UserPromptSubmit", prompt="yes I know, do rm -rf build")
    allowed = await client.run("rm -rf build")
    assert allowed.deny == ""
    assert NEVER in allowed.context
    assert (await client.run("make clean")).deny == ""


async def test_a_plain_yes_after_a_stop_is_enough(client: Client) -> None:
    await client.garden.remember(NEVER)
    await client.send("UserPromptSubmit", prompt="thanks")
    assert NEVER in (await client.run("rm -fr build")).deny
    await client.send("UserPromptSubmit", prompt="Yes, go ahead.")
    assert (await client.run("rm -rf build")).deny == ""
    await client.send("UserPromptSubmit", prompt="thanks")
    assert NEVER in (await client.run("rm -rf build")).deny


async def test_reading_is_never_stopped(client: Client) -> None:
    await client.garden.remember(NEVER)
    reply = await client.send("PreToolUse", tool_name="Grep", tool_input={"pattern": "rm -rf build"})
    assert reply == Reply()


async def test_a_failing_tool_brings_what_is_known_of_the_error(client: Client) -> None:
    await client.garden.remember("The error 'lockfile is stale' goes away after running poetry lock --no-update")
    error = "Error: the lockfile is stale, cannot go on"
    sent = {"tool_name": "Bash", "tool_input": {"command": "poetry install"}, "error": error}
    assert "poetry lock" in (await client.send("PostToolUseFailure", **sent)).context
    assert (await client.send("PostToolUseFailure", **sent)).context == ""


async def test_a_spooled_event_says_nothing(client: Client) -> None:
    await client.garden.remember(FACT)
    assert await client.send("SessionStart", source="startup", spooled=True) == Reply()
    assert await client.send("UserPromptSubmit", prompt="which port does staging use?", spooled=True) == Reply()


async def test_sessions_of_a_client_that_was_not_allowed_are_not_read(client: Client) -> None:
    await client.send("Stop", last_assistant_message="done")
    await client.garden.settle()
    assert "read a session: done" not in (await client.garden.stats()).background


def test_what_is_known_of_sessions_is_bounded() -> None:
    sessions = HookSessions()
    for number in range(SESSIONS_MAX + 5):
        sessions.keep(str(number), HookSession(shown=1))
    assert sessions.get("0").shown == 0
    assert sessions.get(str(SESSIONS_MAX + 4)).shown == 1
