"""Backups: whole, pruned, checked before they are put back, and nothing that was there is lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from nightgarden import Garden, Settings
from nightgarden.errors import BadInput, CorruptGarden, GardenBusy, NewerGarden, NotFound
from nightgarden.settings import EmbeddingSettings, GardenSettings
from nightgarden.store.backup import put_back
from nightgarden.store.copies import list_backups
from tests.conftest import Open

ONE, TWO = "The staging database runs on port 5433", "Ada prefers tea in the morning"


async def contents(garden: Garden) -> set[str]:
    return {memory.content for memory in await garden.list()}


async def test_a_backup_put_back_gives_the_garden_of_then_and_keeps_what_was_there(
    open_garden: Open, home: Path
) -> None:
    async with open_garden() as garden:
        await garden.remember(ONE)
        backup = await garden.files.backup()
        assert backup.stat().st_mode & 0o077 == 0
        await garden.remember(TWO)
    first = put_back(backup, home / "garden.db")
    async with open_garden() as garden:
        assert await contents(garden) == {ONE}
        assert (await garden.recall("staging port")).results
        await garden.remember("The night build takes forty minutes")
    second = put_back(backup, home / "garden.db")
    assert first != second
    for kept, expected in ((first, {ONE, TWO}), (second, {ONE, "The night build takes forty minutes"})):
        assert kept is not None
        async with open_garden(kept) as garden:
            assert await contents(garden) == expected


async def test_a_backup_is_taken_while_others_write(open_garden: Open) -> None:
    async with open_garden() as garden, open_garden() as other:
        await garden.remember(ONE)
        backup = await other.files.backup()
        await garden.remember(TWO)
    async with open_garden(backup) as garden:
        assert await contents(garden) == {ONE}
        assert all(check.ok for check in await garden.doctor())


async def test_only_so_many_backups_are_kept_and_chosen_files_are_never_pruned_or_overwritten(
    open_garden: Open, home: Path, tmp_path: Path
) -> None:
    settings = Settings(embedding=EmbeddingSettings(model="off"), garden=GardenSettings(backups_kept=2))
    async with open_garden(settings=settings) as garden:
        mine = home / "backups" / "before-the-move.db"
        await garden.files.backup(mine)
        made = [await garden.files.backup() for _ in range(4)]
        assert list_backups(home / "garden.db") == [made[3], made[2]]
        assert mine.exists()
        with pytest.raises(BadInput, match="exists already"):
            await garden.files.backup(mine)


async def test_a_damaged_a_foreign_a_newer_and_a_missing_backup_are_refused_and_nothing_is_changed(
    open_garden: Open, home: Path, tmp_path: Path
) -> None:
    async with open_garden() as garden:
        await garden.remember(ONE)
        for n in range(30):
            await garden.remember(f"Statement number {n} is about the thing called thing{n}")
        backup = await garden.files.backup()
    damaged = tmp_path / "damaged.db"
    data = bytearray(backup.read_bytes())
    data[4096 : 4096 * 6] = b"\xee" * (4096 * 5)
    damaged.write_bytes(data)
    short = tmp_path / "short.db"
    short.write_bytes(backup.read_bytes()[: len(data) // 2])
    garbage = tmp_path / "garbage.db"
    garbage.write_bytes(b"not a database, not at all" * 100)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    newer = tmp_path / "newer.db"
    newer.write_bytes(backup.read_bytes())
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    for path, error in (
        (damaged, CorruptGarden),
        (short, CorruptGarden),
        (garbage, CorruptGarden),
        (foreign, BadInput),
        (newer, NewerGarden),
        (tmp_path / "nowhere.db", NotFound),
    ):
        with pytest.raises(error, match=path.name):
            put_back(path, home / "garden.db")
    async with open_garden() as garden:
        assert ONE in await contents(garden) or len(await garden.list()) == 31
    assert not list(home.glob("*.replaced*"))


async def test_a_garden_in_use_is_not_replaced(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await garden.remember(ONE)
        backup = await garden.files.backup()
        await garden.remember(TWO)
        with pytest.raises(GardenBusy, match="in use"):
            put_back(backup, home / "garden.db")
        assert await contents(garden) == {ONE, TWO}


async def test_a_damaged_garden_is_replaced_and_the_damaged_file_kept(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await garden.remember(ONE)
        backup = await garden.files.backup()
    (home / "garden.db").write_bytes(b"ruined" * 1000)
    kept = put_back(backup, home / "garden.db")
    assert kept is not None
    assert kept.read_bytes().startswith(b"ruined")
    async with open_garden() as garden:
        assert await contents(garden) == {ONE}
