"""Events that hooks left on disk: taken in once, in order, and the bad ones put aside."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.errors import BadInput, StoreUnavailable
from nightgarden.surfaces import client
from nightgarden.surfaces.daemon.spool import ingest
from tests.conftest import BY_WORDS
from tests.runtime.running import Home, wait_for


def spooled(folder: Path, *texts: str) -> list[str]:
    return [Path(client.spool("remember", {"text": t}, directory="/x", home=str(folder))).name for t in texts]


@pytest.fixture
async def garden(tmp_path: Path) -> AsyncIterator[Garden]:
    env = {"NIGHTGARDEN_HOME": str(tmp_path)}
    async with Garden.open(tmp_path / "garden.db", directory=tmp_path, settings=BY_WORDS, env=env) as opened:
        yield opened


class Taker:
    """Notes what it is given; fails as told."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.failures: dict[str, Exception] = {}

    async def __call__(self, event: dict[str, Any]) -> None:
        text = event["arguments"]["text"]
        if text in self.failures:
            raise self.failures[text]
        self.taken.append(text)


async def test_they_are_taken_in_order_and_once(garden: Garden, tmp_path: Path) -> None:
    take = Taker()
    spooled(tmp_path, "first", "second", "third")
    await ingest(tmp_path / "spool", garden.store, take)
    await ingest(tmp_path / "spool", garden.store, take)
    assert take.taken == ["first", "second", "third"]
    assert list((tmp_path / "spool").iterdir()) == []


async def test_one_that_was_taken_before_a_crash_is_not_taken_again(garden: Garden, tmp_path: Path) -> None:
    take = Taker()
    names = spooled(tmp_path, "first", "second")
    await garden.store.put_state("spool:done", names[0])  # the mark was written, the file not yet removed
    await ingest(tmp_path / "spool", garden.store, take)
    assert take.taken == ["second"]


async def test_a_failure_that_may_pass_keeps_the_order(garden: Garden, tmp_path: Path) -> None:
    take = Taker()
    spooled(tmp_path, "first", "second", "third")
    take.failures["second"] = StoreUnavailable("the disk is full")
    with pytest.raises(StoreUnavailable):
        await ingest(tmp_path / "spool", garden.store, take)
    assert take.taken == ["first"]
    take.failures.clear()
    await ingest(tmp_path / "spool", garden.store, take)
    assert take.taken == ["first", "second", "third"]


async def test_what_can_never_be_taken_in_is_put_aside_with_the_reason(garden: Garden, tmp_path: Path) -> None:
    take = Taker()
    folder = tmp_path / "spool"
    spooled(tmp_path, "first")
    (folder / "00000000000000000001-1.json").write_text("{nonsense", "utf-8")
    (folder / "00000000000000000002-1.json").write_text(json.dumps({"no": "op"}), "utf-8")
    (folder / ".half-written.json").write_text("{", "utf-8")
    take.failures["bad"] = BadInput("remember needs text")
    spooled(tmp_path, "bad", "last")
    done = await ingest(folder, garden.store, take)
    assert take.taken == ["first", "last"]
    assert "3 put aside" in done.line
    aside = sorted((folder / "rejected").glob("*.why"))
    assert "remember needs text" in aside[-1].read_text("utf-8")


def test_a_daemon_takes_in_what_was_spooled_before_it_started_and_while_it_ran(home: Home) -> None:
    def memories() -> list[str]:
        return [m["content"] for m in home.ask("list", {"scope": "all"})["memories"]]

    for text in ("Ann reviews payments", "Bo reviews the calendar"):
        client.spool("remember", {"text": text}, directory=str(home.path), home=str(home.path))
    home.start()
    wait_for(lambda: len(memories()) == 2, "what was spooled before")
    client.spool("remember", {"text": "Cy reviews the search"}, directory=str(home.path), home=str(home.path))
    home.ask("spooled")
    wait_for(lambda: len(memories()) == 3, "what was spooled later")
    assert memories() == ["Cy reviews the search", "Bo reviews the calendar", "Ann reviews payments"]
