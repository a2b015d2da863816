"""Events that hooks left on disk: taken in once, in order, and the bad ones put aside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.errors import BadInput, StoreUnavailable
from nightgarden.surfaces import client
from nightgarden.surfaces.daemon.spool import ingest
from tests.cli.command import SOURCE, environment
from tests.conftest import BY_WORDS
from tests.runtime.running import Home, wait_for
from tests.runtime.taking import take_all
from tests.sessions.transcripts import claude_model, claude_user, write_claude


def spooled(folder: Path, *texts: str) -> list[str]:
    return [Path(client.spool("hook", {"text": t}, directory="/x", home=str(folder))).name for t in texts]


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
    await ingest(tmp_path / "spool", garden, take)
    await ingest(tmp_path / "spool", garden, take)
    assert take.taken == ["first", "second", "third"]
    assert list((tmp_path / "spool").iterdir()) == []


async def test_one_that_was_taken_before_a_crash_is_not_taken_again(garden: Garden, tmp_path: Path) -> None:
    take = Taker()
    names = spooled(tmp_path, "first", "second")
    await garden.store.put_state("spool:done", names[0])  # the mark was written, the file not yet removed
    await ingest(tmp_path / "spool", garden, take)
    assert take.taken == ["second"]


async def test_a_failure_that_may_pass_keeps_the_order(garden: Garden, tmp_path: Path) -> None:
    take = Taker()
    spooled(tmp_path, "first", "second", "third")
    take.failures["second"] = StoreUnavailable("the disk is full")
    with pytest.raises(StoreUnavailable):
        await ingest(tmp_path / "spool", garden, take)
    assert take.taken == ["first"]
    take.failures.clear()
    await ingest(tmp_path / "spool", garden, take)
    assert take.taken == ["first", "second", "third"]


async def test_what_can_never_be_taken_in_is_put_aside_with_the_reason(garden: Garden, tmp_path: Path) -> None:
    take = Taker()
    folder = tmp_path / "spool"
    spooled(tmp_path, "first")
    (folder / "00000000000000000001-1.json").write_text("{nonsense", "utf-8")
    (folder / "00000000000000000002-1.json").write_text(json.dumps({"no": "op"}), "utf-8")
    client.spool("purge", {"id": "m1"}, directory="/x", home=str(tmp_path))
    (folder / ".half-written.json").write_text("{", "utf-8")
    take.failures["bad"] = BadInput("hook needs client")
    spooled(tmp_path, "bad", "last")
    done = await ingest(folder, garden, take)
    assert take.taken == ["first", "last"]
    assert "4 put aside" in done.line
    aside = [path.read_text("utf-8") for path in sorted((folder / "rejected").glob("*.why"))]
    assert "might be done twice" in aside[-2]
    assert "hook needs client" in aside[-1]


async def test_what_is_put_aside_holds_no_secret_and_no_more_than_its_beginning(garden: Garden, tmp_path: Path) -> None:
    folder, key = tmp_path / "spool", "sk-ant-api03-" + "Zx9Kq2Lm7Vb4" * 6
    folder.mkdir()
    (folder / "00000000000000000001-1.json").write_text(json.dumps({"op": "hook", "said": f"my key is {key}"}) + "}")
    (folder / "00000000000000000002-1.json").write_text(json.dumps({"op": f"password={key}"}))
    (folder / "00000000000000000003-1.json").write_text("{" + "x" * 9_000_000)
    await ingest(folder, garden, Taker())
    aside = list((folder / "rejected").iterdir())
    assert len(aside) == 6
    assert not [path for path in aside if key in path.read_text("utf-8") or path.stat().st_size > 1 << 17]
    assert "[redacted" in (folder / "rejected" / "00000000000000000001-1.json").read_text("utf-8")


SAID = [
    claude_user("u1", "Remember that the staging database runs on port 5433."),
    claude_model("a1", "I will.", second=1),
    claude_user("u2", "Remember that Ann reviews all payments.", 2),
    claude_model("a2", "I will.", second=3),
]


def leave(home: Home, session_id: str) -> None:
    """As a hook of Claude Code does at the end of a session."""
    data = {"session_id": session_id, "cwd": str(home.path)}
    event = {"client": "claude-code", "event": "SessionEnd", "data": data, "spooled": True}
    client.spool("hook", event, directory=str(home.path), home=str(home.path))


async def allow(home: Home) -> None:
    async with Garden.open(home.path / "garden.db", directory=home.path, settings=BY_WORDS) as garden:
        await garden.sessions.allow("claude-code")


async def test_a_daemon_takes_in_what_was_spooled_before_it_started_and_while_it_ran(
    make_home: Callable[..., Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make_home(settings="[daemon]\nwatch_seconds = 86400\n")
    monkeypatch.setenv("HOME", str(home.path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    await allow(home)

    def read() -> list[str]:
        return [session["id"] for session in home.ask("sessions_list")["sessions"]]

    write_claude(home.path, SAID, "s-1")
    leave(home, "s-1")
    home.start()
    wait_for(lambda: read() == ["s-1"], "what was spooled before")
    write_claude(home.path, SAID[:2], "s-2")
    leave(home, "s-2")
    home.ask("spooled")
    wait_for(lambda: sorted(read()) == ["s-1", "s-2"], "what was spooled later")
    wait_for(lambda: list(home.folder.spool.iterdir()) == [], "an empty spool")


async def outcome(home: Home) -> dict[str, Any]:
    """What is believed and what was read, without what differs from one garden to the next."""
    async with Garden.open(home.path / "garden.db", directory=home.path, settings=BY_WORDS) as garden:
        memories = await garden.list(scope="all", limit=None)
        session = await garden.store.session("s-1")
    assert session is not None
    return {
        "memories": sorted((m.content, m.confidence, m.importance, m.observation_count) for m in memories),
        "messages": [message.text for message in session.messages],
        "extraction": session.extraction,
    }


def take_and_die(home: Home, write: int) -> int:
    command = [sys.executable, "-m", "tests.runtime.taking", str(write)]
    done = subprocess.run(
        command, env=environment(home.path), cwd=SOURCE.parent, capture_output=True, timeout=120, check=False
    )
    return done.returncode


async def test_killed_at_any_write_it_takes_an_event_in_once(
    make_home: Callable[..., Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def prepared(name: str) -> Home:
        home = make_home(name)
        an_hour_ago = time.time() - 3600
        os.utime(write_claude(home.path, SAID, "s-1"), (an_hour_ago, an_hour_ago))
        leave(home, "s-1")
        await allow(home)
        monkeypatch.setenv("HOME", str(home.path))
        return home

    whole = await prepared("whole")
    writes = await take_all(whole.path)
    wanted = await outcome(whole)
    assert [memory[-1] for memory in wanted["memories"]] == [1, 1]
    killed = 0
    for write in range(1, writes + 1):
        home = await prepared(str(write))
        ended = take_and_die(home, write)
        assert ended in (0, -signal.SIGKILL)  # what is written in the background may need a write less
        killed += ended != 0
        await take_all(home.path)
        assert await outcome(home) == wanted, f"killed at write {write} of {writes}"
        assert list(home.folder.spool.iterdir()) == []
    assert killed >= writes - 2
