"""A `store` on each engine for tests of tending; see tests/store/conftest.py."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from nightgarden.domain.ports import Store
from nightgarden.store import sqlite
from tests.store.conftest import new_place, place, postgres_server, store

__all__ = ["new_place", "place", "postgres_server", "store"]


@pytest.fixture
async def garden_store(tmp_path: Path) -> AsyncIterator[Store]:
    """A store on SQLite alone, for tests that open many."""
    opened = await sqlite.open_store(tmp_path / "garden.db")
    yield opened
    await opened.close()
