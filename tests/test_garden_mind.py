"""A garden whose settings name a mind: what it is asked for, what it costs, and that nothing needs it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightgarden import Garden, Message, Session, Settings
from nightgarden.domain.memory import Provenance
from nightgarden.domain.session import SessionStatus
from nightgarden.errors import BadSetting
from nightgarden.minds.mind_of_settings import MindUse
from nightgarden.settings import EmbeddingSettings, MindSettings, load_settings, settings_problems
from nightgarden.surfaces.cli.main import main
from tests.clients.model_server import Asked, ModelServer, Reply, Rule
from tests.conftest import Open

SAID = "so, the Friday call was moved to nine because of Lisbon, just so you are aware"
KEY = "a-key-nobody-may-see"


def read_session(asked: Asked) -> Reply:
    memory = {
        "category": "fact",
        "content": "The Friday call was moved to nine because of Lisbon",
        "message_id": "m1",
        "evidence": "the Friday call was moved to nine because of Lisbon",
    }
    return Reply(text=json.dumps({"memories": [memory]}))


def choose_notes(asked: Asked) -> Reply:
    return Reply(text=json.dumps({"useful": [1]}))


def write_one(asked: Asked) -> Reply:
    """The notes' own words: the longest of them, without the order they stood in."""
    notes = re.findall(r"^\d+\. (.*)$", asked.user_text, re.MULTILINE)
    return Reply(text=json.dumps({"text": sorted(notes)[0]}))


RULES = (
    Rule(says="You read a transcript", reply=read_session, offers_tools=None),
    Rule(says="latest words of a user", reply=choose_notes, offers_tools=None),
    Rule(says="say the same in different words", reply=write_one, offers_tools=None),
)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(rules=RULES) as running:
        yield running


def settings_for(server: ModelServer, kind: str = "anthropic", **fields: object) -> Settings:
    mind = MindSettings(kind=kind, base_url=f"{server.url}/v1", model="claude-scripted", **fields)  # type: ignore[arg-type]
    return Settings(embedding=EmbeddingSettings(model="off"), mind=mind)


def session() -> Session:
    message = Message(id="m1", role="user", text=SAID, at=datetime(2026, 11, 15, 9, tzinfo=UTC))
    answer = Message(id="m2", role="assistant", text="Good to know. " * 10, at=message.at)
    return Session(id="s1", messages=(message, answer), status=SessionStatus.CLOSED)


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
async def test_a_session_is_read_by_the_mind_as_well(open_garden: Open, server: ModelServer, kind: str) -> None:
    async with open_garden(settings=settings_for(server, kind)) as garden:
        await garden.sessions.add(session())
        harvest = await garden.sessions.extract("s1")
        assert [draft.content for draft, _ in harvest.verdicts] == [
            "The Friday call was moved to nine because of Lisbon"
        ]
        assert harvest.mind_failure == ""
        (memory,) = await garden.list()
        assert memory.provenance is Provenance.EXTRACTED
        stats = await garden.stats()
        assert stats.mind == MindUse(
            name=f"claude-scripted at {server.url.removeprefix('http://')}",
            tokens_today=120,
            calls_today=1,
            daily_tokens=200_000,
            daily_usd=1.0,
        )


async def test_a_session_that_tending_finds_is_read_by_the_mind_and_undone_with_the_run(
    open_garden: Open, server: ModelServer
) -> None:
    async with open_garden(settings=settings_for(server)) as garden:
        await garden.sessions.add(session())
        report = await garden.tend("extract")
        assert len(await garden.list()) == 1
        await garden.undo(report.cycle)
        assert await garden.list() == []


async def test_when_the_mind_is_away_the_session_is_read_without_it(open_garden: Open) -> None:
    with ModelServer() as server:
        away = settings_for(server)
    async with open_garden(settings=away) as garden:
        await garden.sessions.add(session())
        harvest = await garden.sessions.extract("s1")
        assert "cannot be reached" in harvest.mind_failure
        assert await garden.sessions.pending() == []


async def test_turns_are_verified_by_the_mind(open_garden: Open, server: ModelServer) -> None:
    async with open_garden(settings=settings_for(server)) as garden:
        await garden.remember("The staging database runs on port 5433")
        await garden.turn("which port does the staging database use?", session_id="s", deadline_ms=20_000)
        await garden.settle()
        counts = (await garden.stats()).turns
        assert counts["verify judge_ran"] == 1
        assert len(server.asked) == 2  # two votes


async def test_tending_asks_the_mind_of_the_settings(open_garden: Open, server: ModelServer) -> None:
    texts = (
        "The shop retries all failed calls three times before it gives up",
        "The shop retries all the failed calls three times before it gives up",
        "The shop retries all of the failed calls three times before it gives up",
    )
    async with open_garden(settings=settings_for(server)) as garden:
        for number, text in enumerate(texts):  # written apart, or the second would only reinforce the first
            with_other = await garden.remember(f"placeholder {number} about something else {'abc'[number] * 9}")
            await garden.update(with_other.memory.id, content=text)  # type: ignore[union-attr]
        dry = await garden.tend("consolidate", dry_run=True, allow_loss=True)
        assert not server.asked
        assert dry.operations["consolidate"].noted == {"texts to ask a mind for": 1}
        report = await garden.tend("consolidate", allow_loss=True)
        assert len(server.asked) == 1
        assert "questions to a mind" in report.operations["consolidate"].noted
        assert len(await garden.list()) == 1


async def test_the_days_tokens_hold_over_all_that_asks(open_garden: Open, server: ModelServer) -> None:
    async with open_garden(settings=settings_for(server, daily_tokens=100)) as garden:
        await garden.sessions.add(session())
        harvest = await garden.sessions.extract("s1")
        assert "100 tokens a day" in harvest.mind_failure
        await garden.remember("The staging database runs on port 5433")
        await garden.turn("which port does the staging database use?", session_id="s", deadline_ms=20_000)
        await garden.settle()
        assert (await garden.stats()).turns["verify judge_transport_error"] == 1
    assert not server.asked


async def test_a_garden_opened_for_reading_asks_nobody(open_garden: Open, server: ModelServer) -> None:
    async with open_garden(settings=settings_for(server)) as garden:
        await garden.remember("The staging database runs on port 5433")
    async with open_garden(settings=settings_for(server), read_only=True) as garden:
        await garden.turn("which port does the staging database use?", session_id="s", deadline_ms=20_000)
        await garden.settle()
        assert (await garden.stats()).mind is not None
    assert not server.asked


async def test_by_default_there_is_no_mind(garden: Garden) -> None:
    assert (await garden.stats()).mind is None


async def test_a_mind_passed_in_is_in_the_ledger_and_under_no_cap(open_garden: Open) -> None:
    class Echo:
        async def complete(self, prompt: str, schema: object) -> str:
            return '{"memories": []}'

    async with open_garden(mind=Echo()) as garden:
        await garden.sessions.add(session())
        await garden.sessions.extract("s1")
        assert (await garden.stats()).mind == MindUse(name="Echo", calls_today=1)
        (call,) = await garden.store.mind_calls(since=datetime(2026, 1, 1, tzinfo=UTC))
        assert (call.provider, call.model, call.purpose, call.tokens_in) == ("code", "Echo", "extract", None)


async def test_settings_that_name_half_a_mind_are_refused_when_the_garden_opens(open_garden: Open) -> None:
    with pytest.raises(BadSetting, match=r"set mind\.model too"):
        async with open_garden(settings=Settings(mind=MindSettings(kind="openai"))):
            pass


def test_a_project_cannot_say_where_memories_are_sent(tmp_path: Path) -> None:
    file = tmp_path / "p" / ".nightgarden" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[mind]\nkind = "openai"\nbase_url = "https://elsewhere.example/v1"\n', encoding="utf-8")
    env = {"NIGHTGARDEN_HOME": str(tmp_path / "home")}
    assert load_settings(tmp_path / "p", env).mind == MindSettings()
    assert "mind.base_url cannot be set by a project" in " ".join(settings_problems(tmp_path / "p", env))
    own = tmp_path / "home" / "config.toml"
    own.parent.mkdir()
    file.rename(own)
    assert load_settings(tmp_path / "p", env | {"NIGHTGARDEN_MIND_MODEL": "m"}).mind.model == "m"


def test_stats_says_which_mind_is_on_and_never_its_key(
    home: Path, project: Path, server: ModelServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "config.toml").write_text(
        f'[mind]\nkind = "openai"\nbase_url = "{server.url}/v1"\nmodel = "scripted-model"\napi_key_env = "MIND_KEY"\n'
        '[embedding]\nmodel = "off"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("MIND_KEY", KEY)
    monkeypatch.chdir(project)

    async def add() -> None:
        async with Garden.open() as garden:
            await garden.sessions.add(session())

    asyncio.run(add())
    assert main(["sessions", "extract"]) == 0
    assert main(["stats"]) == 0
    shown = capsys.readouterr()
    assert "120 of 200,000 tokens today" in shown.out
    assert main(["stats", "--json"]) == 0
    as_json = capsys.readouterr().out
    assert json.loads(as_json)["mind"]["calls_today"] == 1
    everything = (
        shown.out
        + shown.err
        + as_json
        + "".join(path.read_bytes().decode("latin-1") for path in home.rglob("*") if path.is_file())
    )
    assert KEY not in everything
