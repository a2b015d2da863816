"""What sessions teach is the same on both stores, comes along when a garden moves, and is undone there."""

from __future__ import annotations

from pathlib import Path

from nightgarden import Garden
from nightgarden.store.exchange.move import move
from tests.conftest import BY_WORDS, Ticking
from tests.learn.corpus import scripts, write


async def test_episodes_and_procedures_on_every_store(place, new_place, tmp_path: Path) -> None:
    user, project = tmp_path / "user", tmp_path / "shop"
    project.mkdir()
    chosen = [script for script in scripts() if script.workflow == "client" or script.name == "un11"]
    write(user, project, chosen)
    async with Garden.open(place.address, directory=project, settings=BY_WORDS, clock=Ticking()) as garden:
        for client in ("claude-code", "codex", "opencode"):
            await garden.sessions.allow(client)
        await garden.sessions.scan(home=user)
        report = await garden.tend("learn")
        assert report.operations["learn"].counts == {"recorded": 6, "left undone": 1, "procedures learned": 1}
        (procedure,) = await garden.learn.procedures()
        procedure = await garden.learn.outcome(procedure.id, "success")
        assert (await garden.tend("learn")).changes == 0
        episodes = await garden.learn.episodes()
        other = await new_place("sqlite").open()
        await move(garden.store, other)
        assert await other.memories([procedure.id]) == [procedure]
        assert await other.memories([memory.id for memory in episodes]) == episodes
        assert await other.session("session-un11") == await garden.store.session("session-un11")
        await other.close()
        entry = (await garden.history(procedure.id))[-1]
        await garden.undo(entry.id)
        await garden.undo(report.cycle)
        assert await garden.learn.episodes() == []
