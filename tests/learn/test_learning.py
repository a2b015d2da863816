"""From transcripts to episodes, handoffs and procedures, through the garden that users have."""

from __future__ import annotations

import pytest

from nightgarden import Garden
from nightgarden.domain.memory import Ending
from tests.learn.conftest import Read
from tests.learn.corpus import WORKFLOWS, Script, scripts


async def test_the_five_workflows_are_found_and_nothing_else(garden: Garden, read: Read) -> None:
    chosen = scripts()
    await read(garden, chosen)
    report = await garden.tend("learn")
    workflow_of = {script.id: script.workflow for script in chosen}
    found = []
    for memory in await garden.learn.procedures():
        shown = await garden.learn.procedure(memory.id)
        sources = [await garden.learn.episode(each) for each in shown.sources]
        found.append({workflow_of[episode.session_id or ""] for episode in sources})
    assert sorted(found, key=str) == sorted(({name} for name in WORKFLOWS), key=str)
    episodes = await garden.learn.episodes(limit=None)
    assert len(episodes) == report.operations["learn"].counts["recorded"] == len(chosen) - 3
    assert {e.session_id for e in episodes}.isdisjoint({"session-un7", "session-un10", "session-un15"})
    assert all(e.episode is not None and e.episode.outcome in Ending for e in episodes)


@pytest.mark.parametrize("file", ["sessions_infra.txt", "sessions_web.txt", "sessions_rails.txt"])
async def test_the_workflows_of_other_projects_are_found_and_nothing_else(
    garden: Garden, read: Read, file: str
) -> None:
    chosen = scripts(file)
    await read(garden, chosen)
    await garden.tend("learn")
    workflow_of = {script.id: script.workflow for script in chosen}
    found = []
    for memory in await garden.learn.procedures():
        sources = [await garden.learn.episode(each) for each in (await garden.learn.procedure(memory.id)).sources]
        found.append({workflow_of[episode.session_id or ""] for episode in sources})
    expected = {script.workflow for script in chosen} - {"-"}
    assert len(expected) == 5
    assert sorted(found, key=str) == [{name} for name in sorted(expected)]


async def test_an_undo_without_a_name_takes_back_tended_learning_and_passes_over_what_the_end_of_a_session_recorded(
    garden: Garden, read: Read
) -> None:
    chosen = {script.id: script for script in scripts()}
    await read(garden, [script for script in chosen.values() if script.workflow][:2])
    await garden.remember("The office cat is called Mori")
    report = await garden.tend("learn")
    assert report.changes
    first, *_ = await garden.undo()
    assert first.undoes == report.cycle
    assert await garden.learn.episodes() == []
    session_id = (await garden.sessions.list())[0].id
    cycle = await garden.learn.after_session(session_id)
    assert cycle is not None
    await garden.undo()
    assert [memory.category for memory in await garden.list()] == ["episode"]  # the cat is gone, the episode stands
    await garden.undo(cycle)
    assert await garden.list() == []


async def test_a_task_that_was_carried_out_is_no_wish_and_a_rule_said_with_it_is(garden: Garden, read: Read) -> None:
    def session(number: int, task: str) -> Script:
        lines = [("user", task), ("edit", "src/api/reports.py"), ("run", "pytest -q => 9 passed"), ("agent", "Done.")]
        return Script(name=f"t{number}", workflow="-", client="claude-code", number=number, lines=lines)

    tasks = [
        "new route for monthly totals, GET /reports/monthly, with types for the frontend",
        "customers need a vat_id column (nullable string)",
        "split customer address into street/zip/city in the database",
        "mend the report. Remember: never round before the sum is made, and always use Decimal for money",
    ]
    await read(garden, [session(number, task) for number, task in enumerate(tasks)])
    await garden.tend("extract")
    told = (await garden.briefing()).text
    assert "Never round before the sum is made" in told
    assert not any(words in told for words in ("monthly totals", "vat_id", "street/zip/city"))
