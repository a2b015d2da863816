"""What a client's summary lists as learned is captured: once a boundary, for three boundaries of a session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from nightgarden import Garden, Message, Session
from nightgarden.domain.session import Signal
from nightgarden.learn.flush import REQUEST, SECTION, learned_lines
from nightgarden.surfaces.hooks.event import read_event
from nightgarden.surfaces.hooks.on_event import serve

START = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
SUMMARY = """## Summary
We moved the shop.

## Learned in this session
- Migrations run in the release phase, because the web dyno has no rights to alter tables
* The **tax table** is loaded from the finance bucket at start, so a deploy needs network access

## Next
- write the changelog
"""


def test_the_request_names_the_section_that_is_read() -> None:
    assert SECTION in REQUEST
    assert "Often nothing will qualify" in REQUEST


def test_only_the_items_of_the_section_are_read() -> None:
    assert learned_lines(SUMMARY) == [
        "Migrations run in the release phase, because the web dyno has no rights to alter tables",
        "The **tax table** is loaded from the finance bucket at start, so a deploy needs network access",
    ]
    assert learned_lines("## Summary\n- nothing") == []
    assert learned_lines("1. Learned in this session:\n   - One thing only\n\n2. Files") == ["One thing only"]
    assert learned_lines("**Learned in this session**\n<nightgarden-recall>\n- ours\n</nightgarden-recall>\n") == []


def session(count: int) -> Session:
    words = "apple brick cedar dune ember".split()
    messages = [Message(id="u", role="user", text="go on with the move", at=START)]
    for number in range(count):
        word = words[number]
        text = f"Learned in this session\n- The {word} queue is drained before a deploy, because {word} jobs hold locks"
        at = START + timedelta(minutes=number + 1)
        messages.append(Message(id=f"c{number}", role="system", text=text, at=at, signal=Signal.COMPACTED))
    return Session(id="s1", messages=tuple(messages))


async def test_each_boundary_is_read_once_and_three_of_a_session(garden: Garden) -> None:
    await garden.sessions.add(session(1))
    await garden.sessions.extract("s1")
    (memory,) = await garden.list()
    assert (memory.provenance, memory.status, memory.session_id) == ("captured", "candidate", "s1")
    await garden.sessions.extract("s1", again=True)
    assert [m.observation_count for m in await garden.list()] == [1]
    await garden.sessions.add(session(5))
    await garden.sessions.extract("s1")
    assert len(await garden.list()) == 3
    entry = (await garden.history(memory.id))[0]
    assert entry.cycle is not None
    await garden.undo(entry.cycle)
    assert len(await garden.list()) == 2


async def test_a_secret_in_the_list_is_refused(garden: Garden) -> None:
    text = "Learned in this session\n- The deploy key is sk-ant-api03-" + "a1B2c3D4" * 12 + " for every shop"
    message = Message(id="c1", role="system", text=text, at=START, signal=Signal.COMPACTED)
    await garden.sessions.add(Session(id="s1", messages=(message,)))
    await garden.sessions.extract("s1")
    assert not any("sk-ant" in memory.content for memory in await garden.list())


async def test_a_client_is_asked_three_times_in_a_session(garden: Garden) -> None:
    asked = []
    for _ in range(5):
        event = read_event("claude-code", "PreCompact", {"session_id": "s1", "trigger": "auto"})
        asked.append((await serve(garden, event)).instructions)
        await garden.settle()
    assert asked == [REQUEST, REQUEST, REQUEST, "", ""]
