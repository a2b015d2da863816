"""What was left undone is told first at the next start of a session in that project, until it is done or stale."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.surfaces.hooks.event import read_event
from nightgarden.surfaces.hooks.on_event import serve
from tests.conftest import Open, Ticking
from tests.learn.conftest import Read
from tests.learn.corpus import Script, scripts, write
from tests.sessions.transcripts import claude_model, claude_user, tool_result, tool_use, write_claude

UNFINISHED = next(script for script in scripts() if script.name == "un11")


def later(name: str, *lines: tuple[str, str]) -> Script:
    return Script(name=name, workflow="-", client="claude-code", number=60, lines=list(lines))


async def told(garden: Garden) -> list[str]:
    sections = (await garden.briefing()).sections
    return [line.text for section in sections if section.title == "Left undone" for line in section.lines]


async def test_what_was_left_undone_is_told_first_and_goes_when_it_is_done(garden: Garden, read: Read) -> None:
    await garden.remember("Never push to main on a Friday")
    await read(garden, [UNFINISHED])
    await garden.tend("learn")
    assert (await garden.briefing()).sections[0].title == "Left undone"
    (line,) = await told(garden)
    assert "finish the customers table" in line
    await read(
        garden,
        [
            later(
                "next",
                ("user", "anonymise the customers table now and finish it"),
                ("edit", "scripts/anonymise.py"),
                ("run", "python scripts/anonymise.py customers => 900 rows"),
                ("user", "great"),
            )
        ],
    )
    await garden.tend("learn")
    assert await told(garden) == []
    assert [memory.status for memory in await garden.list(category="handoff", archived=True)] == ["archived"]


async def test_tasks_that_the_agent_keeps_one_by_one_and_names_of_files_are_told_whole(
    garden: Garden, tmp_path: Path, project: Path
) -> None:
    def used(number: int, tool: str, given: dict[str, str], result: str) -> list[dict[str, Any]]:
        call = tool_use(f"c{number}", tool, given)
        return [
            claude_model(f"a{number}", call, second=number, stop="tool_use", cwd=str(project)),
            claude_user(f"r{number}", [tool_result(f"c{number}", result)], number, cwd=str(project)),
        ]

    records = [
        claude_user("u0", "move the api to async", 0, cwd=str(project)),
        *used(1, "TaskCreate", {"subject": "Convert orders"}, "Task #1 created successfully: Convert orders"),
        *used(2, "TaskCreate", {"subject": "Convert refunds"}, "Task #2 created successfully: Convert refunds"),
        *used(3, "Edit", {"file_path": str(project / "api/orders.py")}, "updated"),
        *used(4, "Bash", {"command": "make check-async"}, "ok"),
        *used(5, "TaskUpdate", {"taskId": "1", "status": "completed"}, "Updated task #1 status"),
        claude_user("u6", "Enough. Tomorrow we go on with api/refunds.py and its tests.", 6, cwd=str(project)),
        claude_model("a7", "Fine.", second=7, cwd=str(project)),
        {"type": "cost-state"},
    ]
    write_claude(tmp_path / "user", records)
    await garden.sessions.allow("claude-code")
    await garden.sessions.scan(home=tmp_path / "user")
    await garden.tend("learn")
    (line,) = await told(garden)
    assert '): Convert refunds; Tomorrow we go on with api/refunds.py and its tests"' in line
    lines = [("user", "go on"), ("edit", "src/api/refunds.py"), ("run", "make check-async => ok"), ("user", "great")]
    write(tmp_path / "user", project, [replace(later("next", *lines), number=130)])
    await garden.sessions.scan(home=tmp_path / "user")
    await garden.tend("learn")
    (line,) = await told(garden)
    assert line.startswith('- "Left undone on 2026-11-15 (move the api to async; session s-1): Convert refunds"')


async def test_a_failing_check_is_left_undone_until_it_passes(garden: Garden, read: Read) -> None:
    broken = later("broken", ("user", "speed up the parser"), ("edit", "a.py"), ("fail", "pytest -q => 2 failed"))
    await read(garden, [broken])
    await garden.tend("learn")
    assert "pytest fails" in (await told(garden))[0]
    mended = later("mended", ("user", "mend the parser"), ("edit", "a.py"), ("run", "pytest -q => 9 passed"))
    mended.number = 61
    await read(garden, [mended])
    await garden.tend("learn")
    assert await told(garden) == []


async def test_what_nobody_took_up_is_stale_after_two_weeks(open_garden: Open, read: Read) -> None:
    clock = Ticking()
    async with open_garden(clock=clock) as garden:
        await read(garden, [UNFINISHED])
        await garden.tend("learn")
        assert len(await told(garden)) == 1
        clock.moment += timedelta(days=20)
        assert await told(garden) == []
        await garden.tend("learn")
        assert await garden.list(category="handoff") == []


async def test_another_project_is_not_told(open_garden: Open, read: Read, tmp_path: Path) -> None:
    async with open_garden() as garden:
        await read(garden, [UNFINISHED])
        await garden.tend("learn")
    other = tmp_path / "other"
    other.mkdir()
    async with open_garden(directory=other) as garden:
        assert await told(garden) == []


async def test_the_end_of_a_session_hands_over_at_once_and_can_be_undone(
    open_garden: Open, tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = tmp_path / "user"
    monkeypatch.setenv("HOME", str(user))
    write(user, project, [UNFINISHED])
    async with open_garden() as garden:
        await garden.sessions.allow("claude-code")
        event = read_event("claude-code", "SessionEnd", {"session_id": UNFINISHED.id, "reason": "other"})
        await serve(garden, event)
        await garden.settle()
        assert "finish the customers table" in (await told(garden))[0]
        (episode,) = await garden.learn.episodes()
        (entry,) = await garden.history(episode.id)
        assert entry.cycle is not None
        assert (await garden.tend("learn")).changes == 0
        await garden.undo(entry.cycle)
        assert await told(garden) == []


async def test_a_session_that_goes_on_and_does_it_hands_nothing_over(garden: Garden, read: Read) -> None:
    lines = [("user", "speed up the parser"), ("edit", "a.py"), ("fail", "pytest -q => 2 failed")]
    await read(garden, [later("same", *lines)])
    await garden.tend("learn")
    assert "pytest fails" in (await told(garden))[0]
    await read(garden, [later("same", *lines, ("fail", "make lint => 1 error"))])
    await garden.tend("learn")
    (line,) = await told(garden)
    assert "make lint fails" in line
    await read(garden, [later("same", *lines, ("fail", "make lint => 1 error"), ("run", "make lint && pytest => ok"))])
    await garden.tend("learn")
    assert await told(garden) == []
    assert len(await garden.learn.episodes()) == 1
