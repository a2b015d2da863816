"""The commands as a user types them, with a scripted model server behind the settings; and the daemon's own tick."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from nightgarden.initiative.channels import networks
from nightgarden.initiative.channels.channel import GROUP, Setup
from nightgarden.initiative.channels.console import Console
from nightgarden.settings.initiative import InitiativeSettings
from tests.cli.command import run
from tests.clients.model_server import ModelServer, Reply, Rule
from tests.initiative.conftest import Clock
from tests.runtime.running import Home, wait_for

POST = json.dumps({"action": "post_now", "channel_id": "console:lobby", "text": "The beans are up.", "reason": "news"})
HOLD = json.dumps({"action": "hold", "channel_id": "console:lobby", "text": "Soon, beans.", "reason": "not yet"})


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def configure(home: Path, server: ModelServer | None, **text: Any) -> None:
    lines = [
        "[initiative.replies]",
        'discovery_channel_ids = ["console:lobby"]',
        "reply_eagerness = 0",
        "[initiative.discovery]",
        "sources = []",
    ]
    lines += ["[initiative.text]", *(f"{name} = {json.dumps(value)}" for name, value in text.items())]
    if server is not None:
        lines += ["[mind]", 'kind = "local"', f'base_url = "{server.url}/v1"', 'model = "scripted-model"']
    (home / "config.toml").write_text('[embedding]\nmodel = "off"\n' + "\n".join(lines) + "\n", "utf-8")


def test_trying_it_out_in_the_console_with_a_mind(home: Path, server: ModelServer) -> None:
    server.rules = [Rule(reply=Reply(text=POST), offers_tools=None)]
    configure(home, server)
    ran = run(home, "initiative", "try", stdin=b"ana: good morning\n/tick\n/log\n/quit\n")
    assert ran.code == 0, ran.err
    assert "it: The beans are up." in ran.out
    assert "posted to console:lobby: news" in ran.out
    log = run(home, "initiative", "log", "--json").json["actions"]
    assert "initiative_post" in [action["act"] for action in log]
    prompt = json.dumps(server.asked[-1].body)
    assert "=== AMBIENT TEXT MODE ===" in prompt
    assert "good morning" in prompt


def test_a_tick_holds_a_thought_that_the_next_command_shows(home: Path, server: ModelServer) -> None:
    server.rules = [Rule(reply=Reply(text=HOLD), offers_tools=None)]
    configure(home, server, eagerness=100)
    ticked = run(home, "initiative", "tick", "--json").json
    assert ticked["outcomes"] == ["held: not yet"]
    [thought] = run(home, "initiative", "thoughts", "--json").json["thoughts"]
    assert thought["text"] == "Soon, beans."
    status = run(home, "initiative", "status", "--json").json
    assert (status["pending"], status["has_mind"], status["posts_last_day"]) == (1, True, 0)
    preview = run(home, "initiative", "preview", "--json").json
    assert "Your current thought: Soon, beans." in preview["prompt"]
    assert len(server.asked) == 1, "a preview asks nobody"


def test_without_a_mind_every_command_works_and_nothing_is_posted(home: Path) -> None:
    configure(home, None)
    said = run(home, "initiative", "try", stdin=b"hello @it\n/tick\n/preview\n/quit\n")
    assert "nothing will be posted" in said.out
    assert "stopped  mind: no language model is set up" in said.out
    assert "=== TASK ===" in said.out
    assert not (home / "initiative" / "console.jsonl").exists()
    assert "quiet (mind" in run(home, "initiative", "tick").out
    assert run(home, "initiative", "feeds").code == 0


def test_bad_settings_are_named(home: Path) -> None:
    for text, said in (
        ("[initiative.text]\neagerness = 101\n", "initiative.text.eagerness"),
        ("[initiative.txt]\neagerness = 1\n", "unknown section [initiative.txt]"),
        ("[initiative]\neagerness = 1\n", "initiative.eagerness"),
        ("[initiative.text]\nshout = true\n", "unknown key initiative.text.shout"),
    ):
        (home / "config.toml").write_text(text, "utf-8")
        ran = run(home, "initiative", "status")
        assert ran.code == 2
        assert said in ran.err


def test_a_setting_can_come_from_the_environment(home: Path) -> None:
    env = {"NIGHTGARDEN_INITIATIVE_REPLIES_DISCOVERY_CHANNEL_IDS": "console:lobby"}
    assert run(home, "initiative", "status", "--json", env=env).json["networks"] == ["console"]


def test_purging_a_person_by_name(home: Path) -> None:
    configure(home, None)
    run(home, "initiative", "try", stdin=b"dora: my hedge is ill\nemil: poor you\n/quit\n")
    assert run(home, "purge", "--person", "Dora").code == 2
    assert run(home, "purge").code == 2
    assert run(home, "purge", "--person", "Dora", "--yes").code == 0
    whole = run(home, "export").out
    assert "hedge" not in whole
    assert "poor you" in whole


def test_the_daemon_ticks_by_itself_and_says_so_in_status(tmp_path: Path, server: ModelServer) -> None:
    server.rules = [Rule(reply=Reply(text=POST), offers_tools=None)]
    settings = f"""
[initiative.text]
eagerness = 100
[initiative.replies]
discovery_channel_ids = ["console:lobby"]
[initiative.discovery]
sources = []
[mind]
kind = "local"
base_url = "{server.url}/v1"
model = "scripted-model"
"""
    home = Home(tmp_path / "home", settings)
    home.start()
    try:
        sent = home.path / "initiative" / "console.jsonl"
        wait_for(sent.is_file, "a post in the console channel")
        step = wait_for(lambda: _step(home), "the line of the step")
        assert step["ok"]
        assert json.loads(sent.read_text("utf-8"))["text"] == "The beans are up."
    finally:
        home.stop()


def _step(home: Home) -> Any:
    steps = {step["name"]: step for step in home.ask("status")["steps"]}
    step = steps["initiative"]
    return step if "posted to console:lobby" in step["line"] else None


def test_a_plugin_adds_a_network_and_one_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    points = [
        EntryPoint("mine", "tests.initiative.test_command:make_mine", GROUP),
        EntryPoint("broken", "tests.initiative.test_command:make_broken", GROUP),
        EntryPoint("gone", "tests.nowhere:make", GROUP),
    ]
    monkeypatch.setattr(networks, "entry_points", lambda group: points if group == GROUP else [])
    setup = Setup(settings=InitiativeSettings(), env={}, clock=Clock(), folder=str(tmp_path))
    found, problems = networks.open_networks(setup)
    assert [network.name for network in found] == ["mine"]
    assert [problem.partition(":")[0] for problem in problems] == ["broken", "gone"]


class Mine(Console):
    name = "mine"


def make_mine(setup: Setup) -> Mine:
    return Mine(setup)


def make_broken(_: Setup) -> Mine:
    raise RuntimeError("not today")
