"""What is killed half-way: how each operation is prepared, run, and judged afterwards.

An operation is run through the command line or the public API, and writes what was acknowledged to `acked`, a line
each, only after the product said so.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from nightgarden import Garden, Message, Saved, Session, Settings
from nightgarden.domain.memory import Status
from nightgarden.domain.ports import MemoryFilter
from nightgarden.errors import GardenBusy, StoreUnavailable
from nightgarden.settings import EmbeddingSettings
from nightgarden.store.backup import check_backup
from nightgarden.store.copies import list_backups
from nightgarden.surfaces.cli.main import main as command

COUNT = 12  # memories that are there before
MEMORIES = COUNT + 1  # and one that is purged
WORD = "zanzibarite"
BY_WORDS = Settings(embedding=EmbeddingSettings(model="off"))
BY_MEANING = Settings(embedding=EmbeddingSettings(model="minilm"))


class OldClock:
    """A clock long ago, so that tending finds something to do."""

    def __init__(self) -> None:
        self.moment = datetime(2024, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment


@dataclass(frozen=True)
class Operation:
    """`judge` returns what is wrong, or nothing."""

    prepare: Callable[[Path], Coroutine[Any, Any, None]]
    run: Callable[[Path], None]
    judge: Callable[[Path], Coroutine[Any, Any, list[str]]]


def place(home: Path) -> str:
    """Where the garden is: the address that is written down in its folder, or a file there."""
    written = home / "address"
    return written.read_text() if written.exists() else str(home / "garden.db")


def on_server(home: Path) -> bool:
    return place(home).startswith("postgresql://")


def opened(home: Path, settings: Settings = BY_WORDS) -> AbstractAsyncContextManager[Garden]:
    return Garden.open(place(home), directory=home, settings=settings)


async def plant(home: Path) -> None:
    async with Garden.open(place(home), directory=home, settings=BY_WORDS, clock=OldClock()) as garden:
        for number in range(COUNT):
            await garden.remember(f"Bed g{number:03}x is watered by keeper {number}", tags=[f"bed{number % 3}"])
        said = Message(id="m1", role="user", text=f"Good day. The {WORD} stone lies by the well.", at=garden.now())
        await garden.sessions.add(Session(id="s1", messages=(said,)))
        await garden.remember(f"The {WORD} stone lies by the well", session_id="s1", message_range=("m1", "m1"))


def ack(home: Path, text: str) -> None:
    with (home / "acked").open("a") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())


def acked(home: Path) -> list[str]:
    path = home / "acked"
    return path.read_text().splitlines() if path.exists() else []


async def contents(garden: Garden) -> list[str]:
    every = MemoryFilter(statuses=tuple(Status))
    return [memory.content for memory in await garden.store.list_memories(every)]


async def soundness(garden: Garden, expected: int = COUNT) -> list[str]:
    """What every garden must be after a kill, whatever was killed."""
    wrong = [f"{check.name}: {check.detail}" for check in await garden.doctor() if not check.ok]
    there = await contents(garden)
    wrong += [f"doubled: {text}" for text in {text for text in there if there.count(text) > 1}]
    lost = expected - sum(text.startswith("Bed g") for text in there)
    return wrong + ([f"{lost} memories lost"] if lost > 0 else [])


def settings_of(home: Path) -> None:
    """This process works for that garden from now on, by words alone."""
    os.environ |= {"NIGHTGARDEN_HOME": str(home), "HOME": str(home), "NIGHTGARDEN_EMBEDDING_MODEL": "off"}
    os.environ |= {"NIGHTGARDEN_DAEMON_ON_DEMAND": "false", "NIGHTGARDEN_GARDEN_URL": place(home)}
    os.chdir(home)


def cli(home: Path, *words: str) -> None:
    settings_of(home)
    if command(list(words)):
        raise SystemExit(f"{words} failed")


# -- write -------------------------------------------------------------------------------------------------------------
def run_write(home: Path) -> None:
    async def work() -> None:
        async with opened(home) as garden:
            for number in range(4):
                text = f"Pond {number} holds carp of kind {number}"
                verdict = await garden.remember(text, tags=["pond"])
                assert isinstance(verdict, Saved)
                ack(home, text)
                await garden.tag(verdict.id, add=["water"])

    asyncio.run(work())


async def judge_write(home: Path) -> list[str]:
    async with opened(home) as garden:
        there = await contents(garden)
        return await soundness(garden) + [f"acknowledged and lost: {text}" for text in acked(home) if text not in there]


# -- write while the server is killed ----------------------------------------------------------------------------------
NOTES_AFTERWARDS = 3


def take_notes(home: Path) -> None:
    """Writes notes one after the other, each until it is acknowledged, and ends some notes after the server came back.
    What the server did before it died, and nobody was told of, must not be there twice."""

    async def work() -> None:
        number, afterwards = 0, 0
        async with opened(home) as garden:
            while afterwards < NOTES_AFTERWARDS:
                text = f"Pond {number} holds carp of kind {number}"
                try:
                    await garden.remember(text, tags=["pond"])
                except (StoreUnavailable, GardenBusy):
                    await asyncio.sleep(0.01)  # between two tries to reach a server that is gone
                    continue
                ack(home, text)
                number += 1
                afterwards += (home / "back").exists()

    asyncio.run(work())


# -- import ------------------------------------------------------------------------------------------------------------
async def prepare_import(home: Path) -> None:
    await plant(home)
    async with Garden.open(home / "other.db", directory=home, settings=BY_WORDS) as other:
        for number in range(20):
            await other.remember(f"Tree {number} stands in row {number}", tags=["tree"])
        lines = [line async for line in other.export()]
    (home / "trees.jsonl").write_text("\n".join(lines) + "\n")
    for path in home.glob("other.db*"):
        path.unlink()


async def judge_import(home: Path) -> list[str]:
    async with opened(home) as garden:
        wrong = await soundness(garden)
        await garden.import_(home / "trees.jsonl")
        trees = sum(text.startswith("Tree ") for text in await contents(garden))
        return wrong + await soundness(garden) + ([f"{trees} of 20 trees"] if trees != 20 else [])


# -- tend --------------------------------------------------------------------------------------------------------------
async def judge_tend(home: Path) -> list[str]:
    async with opened(home) as garden:
        wrong = await soundness(garden)
        report = await garden.tend(allow_loss=True)
        wrong += await soundness(garden)
        if any(entry.cycle == report.cycle for entry in await garden.history()):
            await garden.undo(report.cycle)
        return wrong + await soundness(garden)


# -- purge -------------------------------------------------------------------------------------------------------------
async def prepare_copies(home: Path) -> None:
    await plant(home)
    async with opened(home) as garden:
        if not on_server(home):
            await garden.files.backup()
        (stone,) = [m for m in await garden.list(scope="all", limit=None) if WORD in m.content]
    (home / "stone").write_text(stone.id)


async def judge_purge(home: Path) -> list[str]:
    stone = (home / "stone").read_text()
    async with opened(home) as garden:
        wrong = await soundness(garden)
        begun = bool(await garden.store.tombstones([stone]))
        left = await holding(home, garden)
        if begun and left:
            wrong.append(f"text is left in {left} after the next open")
        await garden.purge(stone)
        left = await holding(home, garden)
        return wrong + ([f"text is left in {left} after purging again"] if left else [])


async def holding(home: Path, garden: Garden) -> list[str]:
    """Files, and on a server records, in which the purged word stands."""
    files = [path.name for path in home.rglob("*") if path.is_file() and WORD.encode() in path.read_bytes().lower()]
    records = [line async for line in garden.export()] if on_server(home) else []
    return files + [line[:60] for line in records if WORD in line.lower()]


# -- backup ------------------------------------------------------------------------------------------------------------
async def judge_backup(home: Path) -> list[str]:
    wrong = []
    for path in list_backups(home / "garden.db"):
        try:
            check_backup(path)
        except Exception as error:  # noqa: BLE001 - whatever it is, the backup is not sound
            wrong.append(f"{path.name}: {error}")
    async with opened(home) as garden:
        await garden.files.backup()
        left = [path.name for path in (home / "backups").iterdir() if path.suffix != ".db"]
        return wrong + await soundness(garden) + ([f"left: {left}"] if left else [])


# -- restore -----------------------------------------------------------------------------------------------------------
async def prepare_restore(home: Path) -> None:
    await prepare_copies(home)
    async with opened(home) as garden:
        await garden.remember("Said after the backup")


async def judge_restore(home: Path) -> list[str]:
    async with opened(home) as garden:
        wrong = await soundness(garden)
        kept = any((home / f"garden.db.{name}").exists() for name in ("replaced", "swap"))
        after = "Said after the backup" in await contents(garden)
        if not after and not kept:
            wrong.append("what was there before is not kept")
        return wrong


# -- migrate -----------------------------------------------------------------------------------------------------------
def target_of(home: Path) -> str:
    written = home / "target"
    return written.read_text() if written.exists() else str(home / "target.db")


async def judge_migrate(home: Path) -> list[str]:
    from nightgarden.store.engine_of_address import open_store
    from nightgarden.store.exchange.move import move

    async with opened(home) as garden:
        wrong = await soundness(garden)
        if "copied" in acked(home):
            return wrong
        target = await open_store(target_of(home))
        if await target.get_state("moved_from"):
            await garden.remember("Said between two attempts")
        try:
            await move(garden.store, target)
        except Exception as error:  # noqa: BLE001 - any failure to go on is what is looked for
            wrong.append(f"cannot be gone on with: {error}")
        finally:
            await target.close()
        return wrong


def run_migrate(home: Path) -> None:
    cli(home, "migrate-store", "--to", target_of(home))
    ack(home, "copied")


# -- repair ------------------------------------------------------------------------------------------------------------
async def prepare_repair(home: Path) -> None:
    await plant(home)
    async with opened(home) as garden:
        first = (await garden.list(scope="all", limit=None))[3].id
        await garden.store._write(  # type: ignore[attr-defined]
            lambda db: db.execute("UPDATE memory SET record = '{' WHERE id = ?", (first,))
        )


async def judge_repair(home: Path) -> list[str]:
    async with opened(home) as garden:
        broken = not all(check.ok for check in await garden.doctor())
    if broken:
        from nightgarden.store.sqlite.rescue import rescue

        rescue(home / "garden.db")
    async with opened(home) as garden:
        return await soundness(garden)


# -- queue -------------------------------------------------------------------------------------------------------------
def run_queue(home: Path) -> None:
    async def work() -> None:
        async with opened(home, BY_MEANING) as garden:
            for number in range(6):
                await garden.remember(f"Pond {number} holds carp of kind {number}")
            await garden.settle()

    asyncio.run(work())


async def judge_queue(home: Path) -> list[str]:
    async with opened(home, BY_MEANING) as garden:
        wrong = await soundness(garden)
        await garden.settle()
        stats = await garden.stats()
        items = stats.counts.passages + sum(stats.counts.memories.values())
        vectors = sum(stats.counts.vectors.values())
        return wrong + ([f"{vectors} vectors of {items} items"] if vectors != items else [])


OPERATIONS: dict[str, Operation] = {
    "write": Operation(plant, run_write, judge_write),
    "import": Operation(prepare_import, lambda home: cli(home, "import", str(home / "trees.jsonl")), judge_import),
    "tend": Operation(plant, lambda home: cli(home, "tend", "--allow-loss"), judge_tend),
    "purge": Operation(
        prepare_copies, lambda home: cli(home, "purge", (home / "stone").read_text(), "--yes"), judge_purge
    ),
    "backup": Operation(plant, lambda home: cli(home, "backup"), judge_backup),
    "restore": Operation(prepare_restore, lambda home: cli(home, "restore-backup", "latest", "--yes"), judge_restore),
    "repair": Operation(prepare_repair, lambda home: cli(home, "doctor", "--repair"), judge_repair),
    "migrate": Operation(plant, run_migrate, judge_migrate),
    "queue": Operation(plant, run_queue, judge_queue),
}

# The same on PostgreSQL, where the client's process is killed; the last one copies from a file to the server.
ON_POSTGRES: dict[str, Operation] = {
    f"{name} on PostgreSQL": OPERATIONS[name] for name in ("write", "import", "tend", "purge")
}
ON_POSTGRES["migrate to PostgreSQL"] = OPERATIONS["migrate"]
EVERY = OPERATIONS | ON_POSTGRES
