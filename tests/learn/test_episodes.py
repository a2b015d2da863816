"""Episodes: made of what a session did, worded by a mind when there is one, erased with their session."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.domain.memory import Category, Ending
from nightgarden.domain.session import Session
from nightgarden.errors import ModelUnavailable, NotFound, UndoConflict
from nightgarden.learn.actions import commands_of
from nightgarden.surfaces.cli.main import main
from tests.conftest import Open
from tests.learn.conftest import Read
from tests.learn.corpus import Script, scripts

BY_NAME = {script.name: script for script in scripts()}


async def one(garden: Garden, read: Read, *names: str, **changes: Any) -> None:
    await read(garden, [replace(BY_NAME[name], **changes) for name in names])
    await garden.tend("learn")


async def test_an_episode_says_what_was_done_and_how_it_ended(garden: Garden, read: Read) -> None:
    await one(garden, read, "mig2")
    (memory,) = await garden.learn.episodes()
    episode = memory.episode
    assert episode is not None
    assert episode.task.startswith("please index customers.email")
    assert episode.outcome is Ending.SUCCESS
    assert [step.action for step in episode.steps] == [
        "edit models/*.py",
        "alembic revision",
        "alembic upgrade",
        "pytest",
    ]
    assert episode.gotchas == ("alembic revision: FAILED: Target database is not up to date.",)
    assert episode.files == ("app/models/customer.py",)
    assert episode.worded_by == "rules"
    assert memory.category is Category.EPISODE
    assert (await garden.learn.episode(memory.id)) == memory


@pytest.mark.parametrize(
    ("last", "outcome"),
    [
        (("user", "it still fails on my machine"), Ending.FAILURE),
        (("user", "perfect, thank you"), Ending.SUCCESS),
        (("fail", "pytest => 3 failed"), Ending.FAILURE),
        (("stop", ""), Ending.PARTIAL),
    ],
)
async def test_the_end_of_a_session_decides_its_outcome(
    garden: Garden, read: Read, last: tuple[str, str], outcome: Ending
) -> None:
    await one(garden, read, "mig1", lines=[*BY_NAME["mig1"].lines, last])
    (memory,) = await garden.learn.episodes()
    assert memory.episode is not None
    assert memory.episode.outcome is outcome


async def test_tending_again_changes_nothing_and_an_undo_takes_all_of_it_back(garden: Garden, read: Read) -> None:
    await read(garden, [BY_NAME[name] for name in ("api1", "api2", "api3", "un11")])
    report = await garden.tend("learn")
    assert report.operations["learn"].counts == {"recorded": 4, "left undone": 1, "procedures learned": 1}
    assert (await garden.tend("learn")).changes == 0
    await garden.undo(report.cycle)
    assert await garden.learn.episodes() == []
    assert await garden.learn.procedures() == []
    with pytest.raises(UndoConflict):
        await garden.undo(report.cycle)


async def test_a_dry_run_counts_and_writes_nothing(garden: Garden, read: Read) -> None:
    await read(garden, [BY_NAME["api1"]])
    report = await garden.tend("learn", dry_run=True)
    assert report.operations["learn"].counts == {"recorded": 1}
    assert await garden.learn.episodes() == []


async def test_a_purged_session_takes_its_episode_with_it_and_a_forgotten_one_stays_away(
    garden: Garden, read: Read
) -> None:
    await one(garden, read, "un11", "api1")
    episodes = {memory.session_id: memory for memory in await garden.learn.episodes()}
    await garden.forget(episodes["session-api1"].id)
    await garden.purge("session-un11")
    await garden.tend("learn", full=True)
    assert await garden.learn.episodes() == []
    assert await garden.list(category="handoff") == []
    assert "anonymise" not in str([record async for record in garden.store.dump()])


async def test_secrets_and_personal_data_do_not_reach_an_episode(garden: Garden, read: Read) -> None:
    token = "ghp_" + "x8Kq2Lw9Zr4Tn6Vb1Yc3Md5Pf7Gh0Js2Ka4Q"
    lines = [
        ("user", "tell jane.doe@company-mail.com when the build is out"),
        ("run", f"GH_TOKEN={token} gh release create v1 => ok"),
        ("fail", f"curl -H 'Authorization: Bearer {token}' https://example.test => error: denied for {token}"),
        ("run", "make => ok"),
    ]
    await one(garden, read, "un1", lines=lines)
    (memory,) = await garden.learn.episodes()
    assert token not in str(memory)
    assert "jane.doe" not in str(memory)


class Scripted:
    """A mind that says what it is told to, or fails."""

    def __init__(self, reply: object) -> None:
        self.reply = reply
        self.prompts: list[str] = []

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        self.prompts.append(prompt)
        if isinstance(self.reply, Exception):
            raise self.reply
        return json.dumps(self.reply)


WORDS = {
    "task": "Regenerate the typed client",
    "approach": "Exported the schema, then generated types",
    "patterns": ["Export first"],
    "gotchas": [],
    "decisions": ["Types are generated, never written"],
}


async def test_a_mind_improves_the_words_and_nothing_else(open_garden: Open, read: Read) -> None:
    async with open_garden(mind=Scripted(WORDS)) as garden:
        await one(garden, read, "api1")
        (memory,) = await garden.learn.episodes()
        assert memory.episode is not None
        assert (memory.episode.task, memory.episode.decisions) == (WORDS["task"], tuple(WORDS["decisions"]))
        assert memory.episode.worded_by == "mind"
        assert "openapi-typescript" in [step.action for step in memory.episode.steps]
        assert (await garden.tend("learn")).changes == 0


@pytest.mark.parametrize("reply", [ModelUnavailable("down"), {"task": 7}, WORDS | {"more": 1}, "talk"])
async def test_a_mind_that_fails_leaves_the_plain_episode_marked_and_counted(
    open_garden: Open, read: Read, reply: object
) -> None:
    async with open_garden(mind=Scripted(reply)) as garden:
        await read(garden, [BY_NAME["api1"]])
        report = await garden.tend("learn")
        (memory,) = await garden.learn.episodes()
        assert memory.episode is not None
        assert memory.episode.task.startswith("backend changed the cart endpoints")
        assert memory.episode.worded_by == "rules, the mind failed"
        assert report.operations["learn"].noted["episodes in plain words, because the mind failed"] == 1


async def test_an_episode_is_found_when_asked_for_and_not_shown_unasked(garden: Garden, read: Read) -> None:
    await one(garden, read, "api1")
    found = await garden.recall("regenerate the typed client", kinds=("memory",))
    assert [result.category for result in found.results] == ["episode"]
    shown = await garden.turn("regenerate the typed client please", session_id="new", deadline_ms=20_000)
    assert shown is None or all("episode" not in line.text for line in shown.lines)
    assert all(line.id != found.results[0].id for line in (shown.lines if shown else ()))
    assert found.results[0].id not in (await garden.briefing()).ids


async def test_the_command_lists_and_shows_episodes(
    garden: Garden, read: Read, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await one(garden, read, "mig2")
    (memory,) = await garden.learn.episodes()
    import asyncio

    assert await asyncio.to_thread(main, ["episodes", "list", "-C", str(project)]) == 0
    assert "please index customers.email" in capsys.readouterr().out
    assert await asyncio.to_thread(main, ["episodes", "show", memory.id[-8:], "-C", str(project)]) == 0
    shown = capsys.readouterr().out
    assert "alembic upgrade head" in shown
    assert "Target database is not up to date" in shown
    assert await asyncio.to_thread(main, ["episodes", "show", "nothing", "-C", str(project)]) == 2


async def test_a_session_without_work_has_no_episode_and_no_such_id_is_said(garden: Garden, read: Read) -> None:
    await one(garden, read, "un7", "un15")
    assert await garden.learn.episodes() == []
    with pytest.raises(NotFound):
        await garden.learn.episode("01m7fh8fa00003mvxtpq887pt0")
    assert await garden.learn.after_session("nobody") is None
    await garden.sessions.add(Session(id="empty"))
    assert await garden.learn.after_session("empty") is None


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("cd web && npm run build --silent | tail -5", ["npm run build"]),
        ("FOO=1 sudo docker compose -f x.yml up -d", ["docker compose up"]),
        ("uv run python -m pytest -q; git status", ["pytest"]),
        ("python scripts/deploy.py --env staging", ["scripts/deploy.py"]),
        ("./gradlew assemble", ["gradlew assemble"]),
        ("kubectl -n staging rollout status deploy/x", ["kubectl rollout status"]),
        ("git commit -m 'it''s broken", ["git commit"]),
        ("ls -la; cat x; grep -r y .", []),
        ("", []),
        ("\x00 | && ;; ((", []),
    ],
)
def test_commands_have_one_name_however_they_are_written(command: str, names: list[str]) -> None:
    assert [name for name, _ in commands_of(command)] == names


def test_scripts_cover_three_clients() -> None:
    found: list[Script] = scripts()
    assert len(found) >= 40
    assert {script.client for script in found} == {"claude-code", "codex", "opencode"}
