"""A session sees what belongs to it, to its agent and to the missions it works on: in turns, hooks and MCP."""

from __future__ import annotations

from dataclasses import replace

from nightgarden import Garden
from nightgarden.domain.memory import ScopeKind
from nightgarden.surfaces.hooks.client_reply import HookReply
from nightgarden.surfaces.hooks.event import read_event
from nightgarden.surfaces.hooks.on_event import serve
from nightgarden.surfaces.operations.perform import perform
from tests.conftest import BY_WORDS, Open

FACT = "The staging database listens on port 5433"
PROMPT = "which port does the staging database use?"


async def prompted(garden: Garden, session_id: str = "s1", **more: str) -> str:
    data = {"session_id": session_id, "prompt": PROMPT, **more}
    reply: HookReply = await serve(garden, read_event("claude-code", "UserPromptSubmit", data))
    await garden.settle()
    return reply.context


async def test_sessions_of_a_project_see_the_mission_that_was_started_there(garden: Garden) -> None:
    await garden.learn.missions.start("Database move")
    await garden.remember(FACT, scope="mission:database-move")
    assert FACT in await prompted(garden)
    found = await perform(garden, "recall", {"query": PROMPT})
    assert [result["content"] for result in found["results"]] == [FACT]
    shown = await garden.turn(PROMPT, session_id="s9")
    assert shown is not None
    await garden.learn.missions.end("cancelled")
    assert FACT not in await prompted(garden, "s2")


async def test_a_mission_of_one_session_or_agent_is_not_seen_by_others(garden: Garden) -> None:
    await garden.learn.missions.start("Mine", session_id="s1")
    await garden.learn.missions.start("Reviews", agent="reviewer")
    await garden.remember(FACT, scope="mission:mine")
    assert FACT not in await prompted(garden, "s2")
    assert FACT in await prompted(garden, "s1")
    await garden.remember("The staging database is dropped every night", scope="mission:reviews")
    asked = "is the staging database dropped every night?"
    assert "dropped every night" not in await prompted(garden, "s3", prompt=asked)
    assert "dropped every night" in await prompted(garden, "s4", prompt=asked, agent_type="reviewer")


async def test_an_agent_has_its_own_memories_by_setting_environment_or_client(open_garden: Open) -> None:
    acting = replace(BY_WORDS, agent=replace(BY_WORDS.agent, name="reviewer"))
    async with open_garden(settings=acting) as garden:
        await garden.remember(FACT, scope="agent")
        (memory,) = await garden.list(scope="all")
        assert str(memory.scope) == "agent:reviewer"
        assert FACT in await prompted(garden)
        assert FACT in (await garden.briefing()).text
    async with open_garden() as garden:
        assert FACT not in await prompted(garden, "s2")
        assert FACT in await prompted(garden, "s3", agent_type="reviewer")


async def test_a_session_takes_status_lines_and_forgets_them_at_its_end(garden: Garden) -> None:
    line = "Status: working on the auth refactor, half of the views are done"
    refused = await garden.remember(line)
    assert refused.id is None
    acting = await garden.acting(session_id="s1")
    saved = await acting.remember(line, scope="session")
    assert saved.id is not None
    (memory,) = await acting.list()
    assert memory.scope.kind is ScopeKind.SESSION
    assert line in (await acting.briefing()).text
    assert line not in (await garden.briefing()).text
    await serve(garden, read_event("claude-code", "SessionEnd", {"session_id": "s1"}))
    await garden.settle()
    assert await acting.list() == []
    assert line not in (await acting.briefing()).text
