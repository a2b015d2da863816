"""A real store in a fresh folder, and transcripts written by hand in each client's format."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from nightgarden.domain.ports import Store
from nightgarden.store.engine_of_address import open_store


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(str(tmp_path / "garden.db"))
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder
