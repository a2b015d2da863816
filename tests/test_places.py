"""One open garden, used from many places: what is shared stays shared, and a run's writes are undone as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightgarden import Garden, Saved
from nightgarden.domain.session import Message, Session, SessionStatus
from nightgarden.errors import BadInput, ModelUnavailable, RuleRefused
from nightgarden.scope import resolve_place
from tests.conftest import BY_WORDS, Open


class DeadMind:
    """Is never there."""

    calls = 0

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        self.calls += 1
        raise ModelUnavailable("down")


def request_from(garden: Garden, folder: Path) -> Garden:
    """The garden as a daemon hands it to one request of a project with [turn] settings of its own."""
    own = replace(garden.settings, turn=replace(garden.settings.turn, items_max=2, deadline_ms=60_000))
    return garden.at(resolve_place(folder), own)


class Still:
    """A clock that stands."""

    def now(self) -> datetime:
        return datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


async def everything_said(garden: Garden) -> list[dict[str, object]]:
    """What the garden says: its memories and graph, without counts of use."""
    await garden.settle()
    kinds = ("memory", "tag", "edge", "cluster")
    counts = ("access_count", "last_accessed_at")
    return [
        {name: value for name, value in record.items() if name not in counts}
        async for record in garden.store.dump()
        if record["type"] in kinds
    ]


async def test_a_dead_mind_is_left_alone_whatever_turn_settings_a_project_has(open_garden: Open, project: Path) -> None:
    mind = DeadMind()
    async with open_garden(mind=mind, clock=Still()) as garden:
        await garden.remember("The staging database listens on port 5433")
        for number in range(12):  # each in a session of its own, so that it is always the mind's turn
            asking = request_from(garden, project)
            await asking.turn("which port does the staging database listen on?", session_id=f"s{number}")
            await asking.settle()
        assert mind.calls == 2
        counts = await garden.turns.counts.read()
        assert counts["verify breaker_open"] == 11


async def test_a_projects_own_turn_settings_count_for_its_turns_only(open_garden: Open, project: Path) -> None:
    async with open_garden() as garden:
        await garden.remember("The staging database listens on port 5433", scope="global")
        off = replace(garden.settings, turn=replace(garden.settings.turn, enabled=False))
        quiet = garden.at(garden.place, off)
        asked = "which port does the staging database listen on?"
        assert await quiet.turn(asked, session_id="quiet", deadline_ms=60_000) is None
        assert await garden.turn(asked, session_id="loud", deadline_ms=60_000) is not None


async def test_indexes_are_looked_after_once_however_many_requests_ask(
    open_garden: Open, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_garden() as garden:
        await garden.remember("The staging database listens on port 5433")
        runs = []
        maintain = garden.store.maintain

        async def counted() -> None:
            runs.append(1)
            await maintain()

        monkeypatch.setattr(garden.store, "maintain", counted)
        for _ in range(10):
            await request_from(garden, project).recall("staging port")
            await garden.settle()
        assert len(runs) == 1


async def test_an_upkeep_that_fails_is_counted(open_garden: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_garden() as garden:

        async def broken() -> None:
            raise OSError("no space left")

        monkeypatch.setattr(garden.store, "maintain", broken)
        await garden.recall("anything")
        await garden.settle()
        assert (await garden.stats()).background["upkeep: failed (OSError)"] == 1


async def test_a_garden_is_a_value_that_nobody_changes(garden: Garden, project: Path) -> None:
    with pytest.raises(FrozenInstanceError):
        garden._settings = BY_WORDS  # type: ignore[misc]
    assert garden.at(garden.place, BY_WORDS).store is garden.store


async def test_whatever_a_run_writes_is_undone_as_one(garden: Garden, tmp_path: Path) -> None:
    ids = []
    for text in ("The depot opens at nine", "The mill has two wheels", "Bread is baked on Mondays"):
        verdict = await garden.remember(text)
        assert isinstance(verdict, Saved)
        ids.append(verdict.id)
    await garden.forget(ids[2])
    before = await everything_said(garden)

    notes = tmp_path / "CLAUDE.md"
    notes.write_text("# Notes\n\n- The ferry leaves from pier four\n", encoding="utf-8")
    said = Message(id="1", role="user", text="Remember: the harbour master wants a call by noon", at=garden.now())
    await garden.sessions.add(Session(id="talk", messages=(said,), status=SessionStatus.CLOSED))
    cycle = "night-7"
    await garden.remember("The lamp in the hall is broken", tags=["house"], cycle=cycle)
    await garden.update(ids[0], content="The depot opens at ten", cycle=cycle)
    await garden.tag(ids[0], add=["hours"], cycle=cycle)
    await garden.link(ids[0], ids[1], cycle=cycle)
    await garden.feedback(ids[1], helpful=True, cycle=cycle)
    await garden.forget(ids[1], cycle=cycle)
    await garden.restore(ids[2], cycle=cycle)
    await garden.import_(notes, cycle=cycle)
    await garden.sessions.extract("talk", cycle=cycle)
    assert (await garden.tend("sweep", cycle=cycle)).cycle == cycle
    assert len(await everything_said(garden)) > len(before) + 3

    await garden.undo(cycle)
    assert await everything_said(garden) == before


async def test_a_cycle_needs_a_name_that_can_be_one(garden: Garden) -> None:
    with pytest.raises(BadInput, match="cannot name a cycle"):
        await garden.remember("The lamp in the hall is broken", cycle="two words")
    with pytest.raises(BadInput, match="cannot name a cycle"):
        await garden.tend(cycle="")
    with pytest.raises(RuleRefused):
        await garden.remember("The lamp in the hall is broken", cycle="ghp_" + "a1B2c3D4e5F6" * 3)
    assert await garden.list() == []
