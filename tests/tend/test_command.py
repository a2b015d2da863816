"""`nightgarden tend` as a person runs it, and tending through the public API."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from nightgarden.domain.doubt import describe
from nightgarden.domain.session import Message, Session, SessionStatus
from nightgarden.garden import Garden
from nightgarden.settings import EmbeddingSettings, Settings
from nightgarden.surfaces.cli.main import main
from nightgarden.tend.report import OperationOutcome
from tests.tend.given import DAY, NOW

PLAIN = Settings(embedding=EmbeddingSettings(model="off"))


class Later:
    """A clock that is set."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIGHTGARDEN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", "off")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_one_of_a_thing_is_told_in_the_singular() -> None:
    told = OperationOutcome(
        counts={"procedures learned": 1, "linked": 2}, noted={"near pairs left": 1, "sessions read": 2}
    )
    assert told.words() == "1 procedure learned, 2 linked, 1 near pair left, 2 sessions read"


def test_tend_plans_tends_explains_and_is_undone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran(capsys, "remember", "Deploys of the shop run on Friday", "--json")
    for number in range(6):
        ran(capsys, "remember", f"Unit {number} of the shop belongs to team {number + 10}")
    ran(capsys, "tag", json.loads(ran(capsys, "list", "--json")[1])["memories"][0]["id"], "deploy")
    ids = [memory["id"] for memory in json.loads(ran(capsys, "list", "--json")[1])["memories"]]
    ran(capsys, "tag", ids[1], "deploys")
    ran(capsys, "tag", ids[2], "deploys")
    code, out, _ = ran(capsys, "tend", "--dry-run")
    assert code == 0
    assert "nothing was changed" in out
    code, out, _ = ran(capsys, "tend", "--json", "--only", "tags")
    report = json.loads(out)
    assert report["changes"] == report["operations"]["tags"]["changes"] == 2
    code, out, _ = ran(capsys, "tend", "explain", ids[0])
    assert "deploy is filed under deploys" in out
    assert "to undo it: nightgarden undo" in out
    assert ran(capsys, "undo", report["cycle"])[0] == 0
    out = ran(capsys, "tend", "explain", ids[0])[1]
    assert "undone by user" in out
    assert "to undo it" not in out
    code, out, err = ran(capsys, "tend", "--only", "weeding")
    assert code == 2
    assert "there is no operation 'weeding'" in err
    assert json.loads(ran(capsys, "stats", "--json")[1])["health"]["total"] == 7


async def test_sessions_that_were_missed_are_read_in_the_cycle_and_undone_with_it(tmp_path: Path) -> None:
    clock = Later(NOW)
    text = "Remember: always run the linter before pushing. Remember: the billing service uses PostgreSQL 16."
    said = [
        Message(id=f"m{number}", role="user", text=text if number == 0 else "Thanks, that works.", at=NOW - DAY)
        for number in range(4)
    ]
    async with Garden.open(tmp_path / "g.db", directory=tmp_path, settings=PLAIN, clock=clock) as garden:
        await garden.sessions.add(Session(id="s1", messages=tuple(said), status=SessionStatus.CRASHED))
        assert (await garden.tend(dry_run=True)).operations["extract"].noted == {"sessions waiting": 1}
        report = await garden.tend()
        gained = report.operations["extract"].noted["memories gained"]
        assert gained == len(await garden.list()) > 0
        assert "extract" in {entry.actor for entry in await garden.history(cycle=report.cycle)}
        clock.at += timedelta(minutes=1)
        assert (await garden.tend()).operations["extract"].noted == {}
        await garden.undo(report.cycle)
        assert not await garden.list()


async def test_a_project_is_known_by_where_it_was_opened(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    (project / "Makefile").write_text("lint:\n\ttrue\n")
    clock = Later(NOW - 60 * DAY)
    async with Garden.open(tmp_path / "g.db", directory=project, settings=PLAIN, clock=clock) as garden:
        verdict = await garden.remember("Run `make bundle` before each release", category="procedure")
        clock.at = NOW
    async with Garden.open(tmp_path / "g.db", directory=tmp_path, settings=PLAIN, clock=clock) as garden:
        await garden.tend("verify")
        assert describe((await garden.get(str(verdict.id))).doubts).startswith(
            "not found in the project: command make bundle"
        )


def test_tending_says_what_it_did_checks_new_claims_at_once_and_leaves_what_you_were_asked_to_you(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "docs").mkdir()
    (home / "docs" / "index.md").write_text("Welcome.\n")
    ran(capsys, "remember", "The retry guide is docs/retries.md")
    ran(capsys, "remember", "Never deploy on Fridays")
    _, verdict, _ = ran(capsys, "remember", "We deploy on Fridays")
    assert verdict.startswith("flagged")
    code, out, _ = ran(capsys, "tend")
    assert code == 0
    assert "doubted “The retry guide is docs/retries.md”: not found in the project: path docs/retries.md" in out
    assert "1 change made; to take this back: nightgarden undo tend-" in out
    live = [memory["content"] for memory in json.loads(ran(capsys, "list", "--json")[1])["memories"]]
    assert "Never deploy on Fridays" in live
    _, asked, _ = ran(capsys, "flagged")
    assert "We deploy on Fridays\n    may contradict:\n" in asked
    assert "decide with: nightgarden flagged ID" in asked
    _, undone, _ = ran(capsys, "undo")
    assert "as before: “The retry guide is docs/retries.md”" in undone


def test_an_undo_names_what_it_took_back(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran(capsys, "remember", "The API listens on port 8080")
    _, verdict, _ = ran(capsys, "remember", "The API port was changed from 8080 to 8081")
    assert verdict.startswith("superseded")
    _, undone, _ = ran(capsys, "undo")
    assert "removed: The API port was changed from 8080 to 8081" in undone
    assert "brought back: “The API listens on port 8080”" in undone
    assert "01m" not in undone  # texts, no ids of 26 characters
    _, told, _ = ran(capsys, "history")
    assert "superseded: the newer one says that what the older one says has changed" in told
    assert "undo of" in told
    shown = json.loads(ran(capsys, "list", "--json")[1])["memories"][0]["id"][-8:]
    assert ran(capsys, "show", shown[:5])[1].startswith("The API listens on port 8080")  # the beginning of what is seen
