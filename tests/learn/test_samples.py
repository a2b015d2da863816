"""The bundled sample sessions teach a procedure, a recurring error, what the user said when they stopped the agent, and
what a shortened conversation listed."""

from __future__ import annotations

import pytest

from nightgarden import Garden
from nightgarden.models.classifier_files import FOLDER_VARIABLE
from nightgarden.samples import PASTED_SECRET, sample_sessions
from tests.conftest import Open


async def test_three_weeks_of_sessions_teach_what_is_in_them(
    open_garden: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    async with open_garden() as garden:
        await _read_and_learn(garden)


async def _read_and_learn(garden: Garden) -> None:
    for session in sample_sessions():
        await garden.sessions.add(session)
        await garden.sessions.extract(session.id)
    await garden.tend("learn")
    told, learned = await garden.learn.procedures()
    assert told.procedure is not None
    assert told.procedure.name == "deploy to production"  # the user dictated it in one line
    assert learned.procedure is not None
    assert any("alembic upgrade" in step for step in learned.procedure.steps)
    contents = [memory.content for memory in await garden.list(scope="all", limit=None)]
    assert any("Connection refused" in text and "docker compose up" in text for text in contents)
    assert any("Never delete tests/fixtures" in text for text in contents)
    assert any("Migrations need the database container first" in text for text in contents)
    assert not any(PASTED_SECRET in text for text in contents)
    captured = (await garden.learn.capture.status()).captured
    assert {"error", "error_cluster", "compaction"} <= set(captured)
