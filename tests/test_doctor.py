"""The doctor finds what is wrong, rebuilds what can be rebuilt, and saves what can be read."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nightgarden import Garden, Settings
from nightgarden.errors import GardenBusy, NeedsRepair, NightgardenError
from nightgarden.settings import EmbeddingSettings
from nightgarden.store.sqlite.rescue import rescue
from tests.conftest import BY_WORDS, Open, Ticking

WITH_MODEL = Settings(embedding=EmbeddingSettings(model="minilm"))


@contextmanager
def raw(home: Path) -> Iterator[sqlite3.Connection]:
    """The file itself, behind the program's back."""
    db = sqlite3.connect(home / "garden.db")
    with db:
        yield db
    db.close()


async def plant(garden: Garden, count: int = 20) -> None:
    for n in range(count):
        await garden.remember(f"The gardener called g{n:03}x waters bed number {n}", tags=["bed", f"t{n}"])


async def broken(garden: Garden) -> dict[str, str]:
    return {check.name: check.detail for check in await garden.doctor() if not check.ok}


async def repaired(garden: Garden) -> set[str]:
    return {check.name for check in await garden.doctor(repair=True) if check.repaired}


async def test_a_sound_garden_is_called_sound(garden: Garden) -> None:
    await plant(garden, 3)
    checks = await garden.doctor()
    assert all(check.ok and not check.repaired for check in checks)
    assert {"file", "graph", "full text", "tags", "vectors"} <= {check.name for check in checks}


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        ("DELETE FROM item_text_data WHERE id > 10", "full text"),
        ("INSERT INTO item_text (item_text) VALUES ('delete-all')", "full text"),
        ("DELETE FROM memory_tag", "tags"),
        ("DELETE FROM memory_tag WHERE tag_id = 'tag:bed'", "tags"),
        ("UPDATE memory_tag SET tag_id = 'tag:t1' WHERE tag_id = 'tag:t0'", "tags"),
        ("UPDATE item SET terms = 'other words'", "terms"),
        ("UPDATE term SET items = items + 1 WHERE term = 'bed'", "word counts"),
        ("UPDATE item SET live = 0, scope = 'global' WHERE number = 8", "columns"),
    ],
)
async def test_text_and_graph_that_disagree_are_found_and_rebuilt(
    open_garden: Open, home: Path, damage: str, name: str
) -> None:
    async with open_garden() as garden:
        await plant(garden)
    with raw(home) as db:
        db.execute(damage)
    async with open_garden() as garden:
        assert name in await broken(garden)
        assert name in await repaired(garden)
        assert await broken(garden) == {}
        assert "g007x" in (await garden.recall("g007x")).results[0].content
        assert len(await garden.list(tag="bed")) == 20


async def test_vectors_of_the_wrong_size_are_dropped_and_made_again(open_garden: Open, home: Path) -> None:
    async with open_garden(settings=WITH_MODEL) as garden:
        await plant(garden, 4)
        await garden.settle()
    with raw(home) as db:
        db.execute("UPDATE vector SET data = x'0011' WHERE sequence = 1")
        db.execute("UPDATE model SET vector_count = 77")
    async with open_garden(settings=WITH_MODEL) as garden:
        assert len((await garden.recall("who waters the third bed?")).results) == 4  # damage does not stop a search
        assert {"vectors", "vector counts"} <= (await broken(garden)).keys()
        assert "vectors" in await repaired(garden)
        await garden.doctor(repair=True)
        await garden.settle()
        assert await broken(garden) == {}
        assert (await garden.stats()).pending_vectors == 0
        assert len((await garden.recall("who waters the third bed?")).results) == 4


async def test_rows_that_point_at_nothing_are_named(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await plant(garden, 2)
    with raw(home) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("DELETE FROM item WHERE number = 1")
    async with open_garden() as garden:
        assert "memory" in (await broken(garden))["graph"]


async def test_a_ruined_file_is_refused_with_the_way_to_repair_and_rescue_starts_anew(
    open_garden: Open, home: Path
) -> None:
    (home / "garden.db").write_bytes(b"this was a garden once " * 500)
    with pytest.raises(NeedsRepair, match=r"doctor --repair.*restore-backup"):
        async with open_garden():
            pass
    words = rescue(home / "garden.db")
    assert "kept as" in words
    assert (home / "garden.db.damaged").read_bytes().startswith(b"this was a garden once")
    async with open_garden() as garden:
        assert await broken(garden) == {}


async def test_what_lies_before_the_damage_is_saved(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await plant(garden, 60)
    with raw(home) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'journal'").fetchone()[0]
    data = bytearray((home / "garden.db").read_bytes())
    data[(root - 1) * 4096 : root * 4096] = b"\xa5" * 4096
    (home / "garden.db").write_bytes(data)
    async with open_garden(read_only=True) as garden:
        assert len(await garden.list(limit=None)) == 60  # still readable, though the journal is not
        assert "file" in await broken(garden)
    words = rescue(home / "garden.db")
    assert "pages of journal were damaged" in words
    async with open_garden() as garden:
        assert len(await garden.list(limit=None)) == 60
        assert "g042x" in (await garden.recall("g042x")).results[0].content
        assert await broken(garden) == {}


@pytest.fixture(scope="module")
def sound_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")

    async def make() -> None:
        async with Garden.open(folder / "g.db", directory=folder, settings=BY_WORDS, clock=Ticking()) as garden:
            await plant(garden, 25)

    asyncio.run(make())
    return folder / "g.db"


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6), places=st.integers(1, 40), cut=st.booleans())
def test_bytes_damaged_at_random_never_cause_more_than_a_clear_error_and_rescue_gives_a_sound_garden(
    sound_file: Path, seed: int, places: int, cut: bool
) -> None:
    chance = random.Random(seed)
    data = bytearray(sound_file.read_bytes())
    for _ in range(places):
        start = chance.randrange(len(data))
        data[start : start + chance.randrange(1, 200)] = chance.randbytes(chance.randrange(1, 200))
    if cut:
        del data[chance.randrange(1000, len(data)) :]

    async def look(path: Path, *, read_only: bool) -> None:
        async with Garden.open(path, directory=path.parent, settings=BY_WORDS, read_only=read_only) as garden:
            await garden.doctor()
            for step in (garden.list(), garden.recall("g007x"), garden.stats(), garden.history()):
                with suppress(NightgardenError):
                    await step

    async def check(path: Path) -> None:
        for read_only in (True, False):
            with suppress(NightgardenError):
                await look(path, read_only=read_only)
        rescue(path)
        async with Garden.open(path, directory=path.parent, settings=BY_WORDS) as garden:
            assert await broken(garden) == {}
            await garden.remember("Life goes on in the garden")

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "g.db"
        path.write_bytes(data)
        asyncio.run(check(path))


async def test_a_garden_in_use_is_not_rescued_under_its_writers(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await plant(garden, 2)
        with pytest.raises(GardenBusy, match="in use"):
            rescue(home / "garden.db")
        assert len(await garden.list()) == 2
    assert sorted(path.name for path in home.glob("garden.db*")) == ["garden.db", "garden.db.swap.lock"]
