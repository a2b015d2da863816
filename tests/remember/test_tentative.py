"""What is too weak to be kept for itself is stored where it is news of something known, and else leaves no trace."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.memory import GLOBAL
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.domain.verdict import Refused, Reinforced, Saved, Superseded
from nightgarden.remember.note import Note
from nightgarden.remember.write import NO_NEWS, Writing, remember
from nightgarden.settings import RememberSettings
from nightgarden.store.engine_of_address import open_store

NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(str(tmp_path / "garden.db"))
    yield opened
    await opened.close()


IDS = IdMaker(lambda: 7)


def writing(store: Store) -> Writing:
    return Writing(
        store=store, embedder=None, settings=RememberSettings(), ids=IDS, now=NOW, actor="test", machine_id="here"
    )


def note(text: str, *, days: int = 0, tentative: bool = False) -> Note:
    return Note(content=text, scope=GLOBAL, created_at=NOW + timedelta(days=days), tentative=tentative)


async def live(store: Store) -> list[str]:
    return [memory.content for memory in await store.list_memories(MemoryFilter()) if memory.live]


async def test_news_of_something_known_is_stored(store: Store) -> None:
    assert isinstance(await remember(note("The staging port is 8080"), writing(store)), Saved)
    verdict = await remember(note("The staging port went from 8080 to 9090", days=1, tentative=True), writing(store))
    assert isinstance(verdict, Superseded)
    assert await live(store) == ["The staging port went from 8080 to 9090"]


async def test_what_is_known_is_only_reinforced(store: Store) -> None:
    await remember(note("The staging port is 8080"), writing(store))
    verdict = await remember(note("The staging port is 8080", days=1, tentative=True), writing(store))
    assert isinstance(verdict, Reinforced)


async def test_what_is_no_news_of_anything_leaves_no_trace(store: Store) -> None:
    await remember(note("The staging port is 8080"), writing(store))
    verdict = await remember(note("Anna waters the plants now", days=1, tentative=True), writing(store))
    assert isinstance(verdict, Refused)
    assert verdict.rule is NO_NEWS
    assert await live(store) == ["The staging port is 8080"]
