"""What commands print with --json has the names that the reference lists."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from nightgarden.surfaces.cli.main import main
from nightgarden.surfaces.json_shapes import SHAPES
from nightgarden.surfaces.reference import RECORDS, SENTENCES

NEEDS_MORE = {
    "models fetch": "a download, or a carrier wheel",
    "minds test": "a language model",
    "open": "a daemon",
    "start": "a daemon",
    "restart": "a daemon",
    "status": "a daemon",
}


def names(shape: str) -> set[str]:
    """The names at the top of a shape as it is written down."""
    if shape in RECORDS:
        return {field.name for field in fields(RECORDS[shape])} | SENTENCES.get(shape, {}).keys()
    depth, top = 0, []
    for piece in re.findall(r'[{}\[\]]|"\w+"', shape):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(piece, 0)
        if piece.startswith('"') and depth == 1:
            top.append(piece.strip('"'))
    return set(top)


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str, code: int = 0) -> Any:
        assert main([*words, "--json"]) == code, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return call


def test_every_json_shape_is_as_written_down(run: Any, folder: Path) -> None:
    first = run("remember", "The build server has 16 cores")["id"]
    second = run("remember", "The linter runs before each commit")["id"]
    (folder / "notes.md").write_text("- Reviews happen on Mondays\n", encoding="utf-8")
    (folder / "reviews.json").write_text('{"reviews": [], "comments": []}', encoding="utf-8")
    (folder / "chat.jsonl").write_text('{"role": "user", "text": "we use tabs"}\n', encoding="utf-8")
    calls: dict[str, tuple[str, ...]] = {
        "remember": ("The office has three floors",),
        "recall": ("cores",),
        "list": (),
        "show": (first,),
        "edit": (first, "--pin"),
        "feedback": (first, "--helpful"),
        "flagged": (),
        "turn": ("how many cores has the build server?",),
        "briefing": (),
        "gaps": (),
        "stop": (),
        "service install": ("--dry-run",),
        "service uninstall": ("--dry-run",),
        "tend": ("--dry-run",),
        "tag": (first, "ci"),
        "link": (first, second),
        "related": (first,),
        "history": (),
        "watch": ("--all", "--limit", "1"),
        "forget": (second,),
        "restore": (second,),
        "import": ("notes.md",),
        "backup": (),
        "doctor": ("--repair",),
        "stats": (),
        "migrate-store": ("--to", "other.db"),
        "models list": (),
        "similar": (first,),
        "candidates": (),
        "promote": (first,),
        "pin": (first,),
        "unpin": (first,),
        "mission start": ("Release",),
        "mission note": ("The release needs two reviewers",),
        "mission list": (),
        "mission show": ("release",),
        "mission end": ("--outcome", "success"),
        "core edit": ("--focus", "the release"),
        "core show": (),
        "core history": (),
        "capture errors": (),
        "capture pr": ("reviews.json",),
        "capture file": ("reviews.json",),
        "capture status": (),
        "digest": (),
        "notebook sync": (),
        "notebook status": (),
        "notebook unlink": (),
        "episodes list": (),
        "procedures list": (),
        "procedures add": ("Water the beds", "--step", "Fill the can"),
        "skills list": (),
        "skills review": (),
        "skills reindex": (),
        "minds list": (),
        "minds use": ("none",),
        "usage": (),
        "schedule add": ("look at the build", "--in", "30"),
        "schedule list": (),
        **{f"ambient {action}": () for action in ("run", "status", "log", "show", "queue", "trust", "explain")},
        **{f"ambient {action}": () for action in ("stop", "pause", "resume")},
        "surfaced": (),
        "off": ("--project",),
        "on": ("--project",),
        "safety check": ("ls",),
        "permissions list": (),
        "permissions log": (),
        "permissions rules": (),
        "notifications list": (),
        "notifications send": (),
        "directives list": (),
        "directives add": ("look at the tests",),
        "initiative status": (),
        "initiative tick": (),
        "initiative thoughts": (),
        "initiative feeds": (),
        "initiative log": (),
        "initiative preview": ("--no-fetch",),
        "sessions allow": ("codex",),
        "sessions scan": ("--home", str(folder)),
        "sessions list": (),
        "sessions extract": (),
        "sessions search": ("tabs",),
        "sessions forbid": ("codex",),
    }
    for name, words in calls.items():
        assert set(run(*name.split(" "), *words)) == names(SHAPES[name]), name
    entry = run("history", first)["entries"][-1]["id"]
    assert set(run("undo", entry)) == names(SHAPES["undo"])
    assert set(run("purge", second, "--yes")) == names(SHAPES["purge"])
    for outcome in ("done", "cancel"):
        task = run("schedule", "add", f"look again ({outcome})", "--in", "30")["id"]
        assert set(run("schedule", outcome, task)) == names(SHAPES[f"schedule {outcome}"])
    entry = run("mission", "show", "release")["memories"][0]["id"]
    assert set(run("mission", "promote", entry)) == names(SHAPES["mission promote"])
    way = run("procedures", "list")["procedures"][0]["id"]
    for action, words in (("show", (way,)), ("outcome", (way, "success")), ("history", (way,))):
        assert set(run("procedures", action, *words)) == names(SHAPES[f"procedures {action}"])
    for action in ("apply", "revert"):
        assert set(run("skills", action, way)) == names(SHAPES[f"skills {action}"])
    assert set(run("restore-backup", "latest", "--yes")) == names(SHAPES["restore-backup"])
    apart = {"undo", "purge", "restore-backup", "sessions show", "schedule done", "schedule cancel", "episodes show"}
    apart |= {"mission promote"}
    apart |= {"procedures show", "procedures outcome", "procedures history", "skills apply", "skills revert"}
    # These need a request or a channel: tests/safety/test_commands.py
    apart |= {f"permissions {action}" for action in ("show", "approve", "deny", "withdraw")}
    apart |= {"notifications test", "notifications retry"}
    left = set(SHAPES) - set(calls) - apart - set(NEEDS_MORE)
    assert not left, "commands whose JSON nobody looks at"


def test_a_session_is_shown_as_its_record(run: Any, folder: Path) -> None:
    import asyncio
    from datetime import UTC, datetime

    from nightgarden import Garden, Message, Session

    async def add() -> None:
        async with Garden.open() as garden:
            said = Message(id="1", role="user", text="we use tabs", at=datetime(2026, 1, 1, tzinfo=UTC))
            await garden.sessions.add(Session(id="chat", messages=(said,)))

    asyncio.run(add())
    assert set(run("sessions", "show", "chat")) == names(SHAPES["sessions show"])


def test_a_recalled_result_has_the_names_written_down(run: Any) -> None:
    run("remember", "The build server has 16 cores")
    result = run("recall", "build server")["results"][0]
    documented = re.search(r'"results": \[\{(.*?)\}, …\]', SHAPES["recall"])
    assert documented is not None
    assert set(result) == set(re.findall(r'"(\w+)"', documented[1]))


def test_the_status_of_no_daemon_says_why(run: Any) -> None:
    assert set(run("status", code=3)) == {"running", "home", "spooled", "why"}


def test_a_refusal_names_its_rule_and_has_no_id(run: Any) -> None:
    shape = run("remember", "password: correct-horse-Battery9!", code=1)
    assert shape["verdict"] == "refused"
    assert shape["id"] is None
    assert set(shape) == names(SHAPES["remember"]) | {"findings", "may_be_allowed"}
    assert shape["memory"] is None
