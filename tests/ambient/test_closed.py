"""A project that closed itself to the agent: nothing of it is shown to a model, and none of its tasks is lost."""

from __future__ import annotations

from datetime import timedelta

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.run_gate import Delay
from nightgarden.domain.memory import Memory
from nightgarden.domain.verdict import Saved
from nightgarden.minds.scripted import calls
from tests.ambient.conftest import Standing
from tests.ambient.test_agent import Talks, ends
from tests.ambient.test_cycle import run

SECRET = "The vault code is written in the blue book of the vicar"


async def remember(garden: Garden, text: str, scope: str | None = None) -> Memory:
    saved = await garden.remember(text, scope=scope)
    assert isinstance(saved, Saved)
    return saved.memory


def close(garden: Garden) -> None:
    folder = garden.place.root / ".nightgarden"
    folder.mkdir()
    (folder / "config.toml").write_text("[ambient]\nenabled = false\n", "utf-8")


async def test_its_memories_are_neither_shown_to_the_model_nor_changed_by_it(garden: Garden) -> None:
    memory = await remember(garden, SECRET)
    other = await remember(garden, "The vicar of the next village collects blue books", scope="global")
    close(garden)
    scope = str(memory.scope)
    talks = Talks(
        garden,
        [
            calls("memory_search", query="vault code blue book vicar"),
            calls("memory_forget", id=memory.id, reason="no longer true"),
            calls("memory_link", source=other.id, target=memory.id),
            calls("memory_remember", text="The vault was moved to the cellar", scope=scope),
            calls("memory_in_doubt"),
            ends(),
        ],
    )
    await talks.run()
    found, forgotten, linked, remembered, _ = talks.answers()
    assert other.id in found
    assert all("closed to you" in answer for answer in (forgotten, linked, remembered))
    assert "vault" not in talks.system + found
    assert [m.content for m in await garden.list(scope=(memory.scope,))] == [SECRET]


async def test_a_due_task_of_it_is_told_and_does_not_wake_the_agent_again_and_again(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    close(garden)
    task = await garden.schedule.add("tend merge", wake_in_minutes=1, target="ambient")
    clock.pass_(minutes=2)
    await run(ambient)
    clock.pass_(minutes=30)
    decision = await ambient.look()
    assert isinstance(decision, Delay)
    assert decision.until is not None
    assert decision.until > clock.now() + timedelta(minutes=60)
    told = await garden.schedule.get(task.id)
    assert (told.open, told.result) == (True, "its project is closed to the ambient agent")
    assert "tend merge" in (await garden.briefing()).text


async def test_what_the_agent_looks_at_does_not_count_as_used(garden: Garden) -> None:
    memory = await remember(garden, "The staging database listens on port 5433")
    await Talks(garden, [calls("memory_search", query="staging database port"), ends()]).run()
    await garden.settle()
    assert (await garden.get(memory.id)).access_count == 0
