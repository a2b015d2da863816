"""What was acknowledged is there: after a kill at any instant, on a full or read-only disk, among busy writers."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nightgarden.domain.record import to_record
from nightgarden.store.sqlite.connection import connect
from tests.cli.command import environment, run
from tests.conftest import Open

_WRITER = """
import asyncio, sys
from datetime import UTC, datetime
from nightgarden import Garden, Message, Session
async def one(garden, n):
    verdict = await garden.remember(f"The gardener {sys.argv[1]}x{n}y waters bed number {n}", tags=[f"t{n % 7}"])
    print("memory", verdict.id, flush=True)
    if n % 5 == 0:
        await garden.forget(verdict.id)
        print("archived", verdict.id, flush=True)
    if n % 3 == 0:
        said = Message(id=f"m{n}", role="user", text=f"I said {sys.argv[1]}said{n}", at=datetime.now(UTC))
        await garden.sessions.add(Session(id=f"s-{sys.argv[1]}-{n}", messages=(said,)))
        print("session", f"s-{sys.argv[1]}-{n}", flush=True)
async def main():
    async with Garden.open() as garden:
        n = 0
        while True:
            await asyncio.gather(*(one(garden, n + k) for k in range(4)))
            n += 4
asyncio.run(main())
"""


async def killed_writer(home: Path, name: str, after_lines: int, spin: int) -> list[list[str]]:
    """Lets a real process write, kills it at an instant it cannot know, and returns what it was told is done."""
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _WRITER, name, env=environment(home, NIGHTGARDEN_EMBEDDING_MODEL="minilm"), cwd=home,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert writer.stdout is not None
    lines = []
    for _ in range(after_lines):
        lines.append((await asyncio.wait_for(writer.stdout.readline(), 60)).decode().split())
    for _ in range(spin):  # an instant between two lines, without waiting for time to pass
        pass
    writer.send_signal(signal.SIGKILL)
    rest = (await writer.stdout.read()).decode()
    lines += [line.split() for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    await writer.wait()
    return [line for line in lines if len(line) == 2]


async def test_every_acknowledged_write_survives_a_kill_at_any_instant_and_everything_agrees(
    home: Path, open_garden: Open
) -> None:
    chance = random.Random(4242)
    done: list[list[str]] = []
    for round_number in range(4):
        spin = chance.randrange(300_000)
        done += await killed_writer(home, f"r{round_number}", chance.randrange(1, 40), spin)
        async with open_garden(directory=home, clock=None) as garden:
            assert [to_record(check) for check in await garden.doctor() if not check.ok] == []
            states = {word: [each for kind, each in done if kind == word] for word in ("memory", "archived", "session")}
            kept = await garden.store.memories(states["memory"])
            assert len(kept) == len(states["memory"])
            assert all(not memory.live for memory in await garden.store.memories(states["archived"]))
            for session_id in states["session"]:
                assert len((await garden.sessions.get(session_id)).messages) == 1
            counts = (await garden.stats()).counts
            entries = [entry for entry in await garden.history() if entry.subject_kind == "memory"]
            assert {entry.subject_id for entry in entries} == {
                memory.id for memory in [*await garden.list(limit=None), *await garden.list(limit=None, archived=True)]
            }
            assert counts.memories.get("promoted", 0) + counts.memories.get("archived", 0) >= len(kept)
    assert len(done) > 20


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MB, where the machine lets us mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)], check=False, capture_output=True
    )
    yield folder
    if mounted.returncode == 0:
        subprocess.run(["umount", "-l", str(folder)], check=True)


_FILL = """
import asyncio, json, resource, sys
from nightgarden import Garden
from nightgarden.errors import NightgardenError
async def main():
    async with Garden.open() as garden:
        await garden.remember("The first statement is safe and sound")
        if sys.argv[1] == "limit":  # where no small disk can be mounted, files that may not grow stand in for it
            resource.setrlimit(resource.RLIMIT_FSIZE, (900_000, resource.RLIM_INFINITY))
        done, said = [], ""
        for n in range(4000):
            try:
                verdict = await garden.remember(f"Statement {n} is about w{n}w and " + f"filler{n} " * 300)
                done.append(verdict.id)
            except NightgardenError as error:
                said = f"{type(error).__name__}: {error}"
                break
        print(json.dumps([done, said]))
asyncio.run(main())
"""


@pytest.mark.parametrize("way", ["disk", "limit"])
async def test_a_full_disk_is_a_clear_error_and_what_was_acknowledged_is_kept(
    small_disk: Path, tmp_path: Path, open_garden: Open, way: str
) -> None:
    home = small_disk if way == "disk" and small_disk.is_mount() else tmp_path / "home"
    way = "disk" if home == small_disk else "limit"
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _FILL, way, env=environment(home), cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    stdout, stderr = await writer.communicate()
    assert writer.returncode == 0, stderr.decode()
    done, said = json.loads(stdout)
    assert said.startswith("StoreUnavailable: the disk that holds"), said
    assert "Free some space" in said
    rescued = tmp_path / "roomy"
    shutil.copytree(home, rescued)
    async with open_garden(rescued / "garden.db", directory=tmp_path, clock=None) as garden:
        assert len(await garden.store.memories(done)) == len(done) > 3
        assert [check.detail for check in await garden.doctor() if not check.ok] == []
        await garden.remember("There is room again for new statements")


def test_a_folder_that_may_not_be_written_is_a_clear_error_and_can_still_be_read(home: Path) -> None:
    first = run(home, "remember", "The staging database runs on port 5433")
    assert first.code == 0
    shutil.rmtree(home / "models", ignore_errors=True)
    for path in (*home.iterdir(), home, *list(home.parents)[:-2]):
        path.chmod(0o555 if path == home else 0o444 if path.parent == home else 0o755)
    code = f"""
import sys; sys.path[:0] = {sys.path!r}
from nightgarden.surfaces.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    results = []
    for words in (["remember", "Something new to keep"], ["recall", "staging"], ["list"], ["doctor"]):
        command = [*as_nobody, sys.executable, "-c", code, *words, "--directory", str(home)]
        done = subprocess.run(command, env=environment(home), cwd="/", capture_output=True, text=True, check=False)
        results.append((words[0], done.returncode, done.stdout, done.stderr))
        assert "Traceback" not in done.stderr
    home.chmod(0o755)
    assert results[0][1] == 1
    assert "Permission denied" in results[0][3]
    assert "permissions" in results[0][3]
    for name, exit_code, out, err in results[1:]:
        assert exit_code == 0, (name, out, err)
    assert "5433" in results[1][2]


async def test_a_writer_that_holds_the_garden_makes_others_wait_without_an_error(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await garden.remember("The first statement is safe and sound")
        db = connect(home / "garden.db", read_only=False)
        db.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(garden.remember("The second statement waits its turn"))
        assert (await garden.recall("first statement")).results  # readers do not wait
        done, _ = await asyncio.wait([waiting], timeout=0.3)
        assert not done
        db.execute("COMMIT")
        db.close()
        await asyncio.wait_for(waiting, 30)
        assert len(await garden.list()) == 2
