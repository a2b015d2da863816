"""`nightgarden minds` and `nightgarden usage`, as a user runs them."""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nightgarden.surfaces.cli.commands.minds import offer_mind
from nightgarden.surfaces.cli.main import main
from tests.clients.model_server import ModelServer, Reply, ToolCall


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(default=Reply(text='{"number": 42}')) as running:
        yield running


@pytest.fixture(autouse=True)
def desk(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No program of the developer's own is on the PATH."""
    (home / "config.toml").write_text('# mine\n[embedding]\nmodel = "off"\n', encoding="utf-8")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(project)


def settings_of(home: Path) -> dict[str, Any]:
    return tomllib.loads((home / "config.toml").read_text(encoding="utf-8"))


def use(server: ModelServer, *more: str) -> int:
    return main(["minds", "use", "local", "--base-url", f"{server.url}/v1", "--model", "scripted-model", *more])


def test_a_mind_is_chosen_after_it_answered_and_turned_off_again(
    home: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert use(server, "--daily-tokens", "50000") == 0
    assert "100 tokens in, 20 out" in capsys.readouterr().out
    assert settings_of(home)["mind"]["daily_tokens"] == 50_000
    assert (home / "config.toml").read_text(encoding="utf-8").startswith("# mine\n")
    assert main(["minds", "list"]) == 0
    shown = capsys.readouterr().out
    assert "set by mind.kind = local" in shown
    assert "199,000 of 200,000 tokens left" in shown
    assert "At most 50,000 tokens a day" in shown
    assert main(["minds", "test"]) == 0
    assert main(["minds", "use", "none"]) == 0
    assert settings_of(home)["mind"]["kind"] == "none"
    assert len(server.asked) == 2


def test_an_unknown_model_is_reported_at_once_and_nothing_is_saved(
    home: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["minds", "use", "local", "--base-url", f"{server.url}/v1", "--model", "scripted-modle"]
    assert main(words) == 2
    assert "there is no such model; there are scripted-model" in capsys.readouterr().err
    assert "mind" not in settings_of(home)
    assert not server.asked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "with nothing"),
        ("I am a parrot", "'I am a parrot'"),
        ("<think>hm</think>42 it is", "42 it is"),
        ("42", "'42'"),
    ],
)
def test_a_model_that_does_not_answer_as_asked_is_reported_and_not_saved(
    home: Path, server: ModelServer, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    server.default = Reply(text=text)
    assert use(server) == 1
    shown = capsys.readouterr().err
    assert "scripted-model at 127.0.0.1" in shown
    assert said in shown
    assert "mind" not in settings_of(home)


def test_a_test_names_who_answered_when_the_first_could_not(
    home: Path, server: ModelServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    codex = tmp_path / "bin" / "codex"
    codex.parent.mkdir()
    codex.write_text("#!/bin/sh\necho no login >&2\nexit 1\n", encoding="utf-8")
    codex.chmod(0o755)
    monkeypatch.setenv("PATH", f"{codex.parent}:/usr/bin:/bin")
    words = ["minds", "use", "auto", "--base-url", f"{server.url}/v1", "--model", "scripted-model"]
    assert main(words) == 0
    assert "answered: scripted-model at 127.0.0.1" in capsys.readouterr().out


def test_a_model_that_thinks_aloud_is_understood(home: Path, server: ModelServer) -> None:
    server.default = Reply(text='<think>After 41 {comes} 42.</think>\n```json\n{"number": 42}\n```')
    assert use(server) == 0
    assert settings_of(home)["mind"]["kind"] == "local"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("use", "codex"), "codex is not on the PATH"),
        (("use", "auto"), "auto found nothing to ask: install codex or claude"),
        (("use", "openai"), "set mind.model too"),
        (("use", "local", "--model", "m", "--daily-tokens", "-1"), "mind.daily_tokens"),
        (("use", "gpt"), "invalid choice"),
        (("test",), "no mind is set up"),
    ],
)
def test_what_cannot_work_is_a_usage_error(
    home: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert main(["minds", *words]) == 2
    assert said in capsys.readouterr().err
    assert "mind" not in settings_of(home)


def test_usage_shows_days_purposes_and_what_had_no_answer(
    home: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["usage"]) == 0
    assert "No language model was asked" in capsys.readouterr().out
    assert use(server) == 0
    server.default = Reply(status=401, text="no")
    assert main(["minds", "test"]) == 1
    capsys.readouterr()
    assert main(["usage", "--days", "2"]) == 0
    shown = capsys.readouterr().out
    assert "local scripted-model" in shown
    assert "without an answer: not allowed 1" in shown
    assert main(["usage", "--json"]) == 0
    used = json.loads(capsys.readouterr().out)
    assert used["total"]["calls"] == 2
    assert used["total"]["tokens_in"] == 100
    assert [each["name"] for each in used["purposes"]] == ["test"]
    assert len(used["days"]) == 7
    assert main(["usage", "--days", "0"]) == 2


def test_a_tool_is_tried_out_and_a_model_that_calls_none_is_told_apart(
    home: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert use(server) == 0
    server.default = Reply(tool_calls=(ToolCall(name="number", arguments={"number": 42}),))
    capsys.readouterr()
    assert main(["minds", "test", "--tools", "--json"]) == 0
    tested = json.loads(capsys.readouterr().out)
    assert (tested["answer"], tested["tokens_in"]) == ("42", 120)
    server.default = Reply(text="It is 42.")
    assert main(["minds", "test", "--tools"]) == 1
    assert "did not call the tool: It is 42." in capsys.readouterr().err
    assert main(["minds", "test", "--tools", "--model", "nobody-knows-it"]) == 2
    assert "there is no such model" in capsys.readouterr().err


def test_with_nothing_chosen_the_list_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["minds", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "none"
    assert {each["kind"]: each["available"] for each in found["minds"]} == dict.fromkeys(
        ("codex", "claude", "local", "openai", "anthropic", "openrouter"), False
    )


class Typed(io.StringIO):
    """What somebody types at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "kind"), [("y\n", "auto"), ("n\n", None), ("", None)])
def test_init_offers_the_users_own_program_and_takes_no_for_an_answer(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: str,
    kind: str | None,
) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr("sys.stdin", Typed(typed))
    offer_mind()
    shown = capsys.readouterr().out
    assert "at most 200,000" in shown
    assert settings_of(home).get("mind", {}).get("kind") == kind
    assert ("minds use auto" in shown) == (kind is None)
