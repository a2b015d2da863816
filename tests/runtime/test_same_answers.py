"""A command gives the same answer whether the daemon or the command itself opens the garden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ran, run
from tests.runtime.running import Home, wait_for

STATEMENTS = (
    "The staging database runs on port 5433",
    "Production runs on port 5432",
    "Never deploy on a Friday",
    "We use tabs in Makefiles only",
    "The calendar was slow because of a missing index on starts_at",
    "Ann reviews the payment code",
)
COMMANDS = (
    ("recall", "which port does staging use?"),
    ("recall", "deploy", "--explain"),
    ("recall", "port", "--limit", "2", "--kind", "memory"),
    ("list",),
    ("list", "--scope", "all", "--limit", "3"),
    ("stats",),
    ("history", "--limit", "4"),
    ("tag",),
    ("sessions", "list"),
    ("gaps",),
    ("schedule", "list"),
)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """With the bundled model: what is found by meaning must be the same too."""
    home = Home(tmp_path_factory.mktemp("same") / "home")
    (home.path / "config.toml").write_text('[embedding]\nmodel = "minilm"\n', "utf-8")
    for text in STATEMENTS:
        assert direct(home, "remember", text).code == 0
    home.start()
    wait_for(lambda: home.ask("stats")["embedding"]["pending"] == 0, "all vectors")
    yield home
    home.kill_all()


def direct(home: Home, *words: str) -> Ran:
    return run(home.path, *words, env={"NIGHTGARDEN_DIRECT": "1", "NIGHTGARDEN_EMBEDDING_MODEL": "minilm"})


def through_daemon(home: Home, *words: str, **env: str) -> Ran:
    return run(home.path, *words, env={"NIGHTGARDEN_EMBEDDING_MODEL": "minilm", **env})


def rounded(number: str) -> float:
    return round(float(number), 3)


def timeless(out: str) -> Any:
    """Without the time it took, and without what one process did since it started. A belief fades from second to second
    in the sixth decimal; that is no difference either."""
    shape = json.loads(out, parse_float=rounded)
    shape.pop("took_ms", None)
    for moving in ("background", "bytes_on_disk"):
        shape.pop(moving, None)
    shape.get("health", {}).pop("counted_at", None)
    if isinstance(shape.get("embedding"), dict):
        shape["embedding"] = {name: shape["embedding"][name] for name in ("model", "pending")}
    return shape


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_reading_gives_the_same_json(filled: Home, words: tuple[str, ...]) -> None:
    before = filled.ask("status")["requests"]
    far = through_daemon(filled, *words, "--json")
    asked = set(filled.ask("status")["requests"].items()) - set(before.items())
    assert {name for name, _ in asked} - {"ping", "status"}, "the daemon answered"
    near = direct(filled, *words, "--json")
    assert (far.code, far.err) == (near.code, near.err)
    assert json.dumps(timeless(far.out)) == json.dumps(timeless(near.out))


def test_errors_are_the_same(filled: Home) -> None:
    wrong = (
        ("show", "nothing"),
        ("recall", "x", "--limit", "0"),
        ("list", "--scope", "nowhere"),
        ("tag", "nothing", "x"),
    )
    for words in wrong:
        far, near = through_daemon(filled, *words), direct(filled, *words)
        assert (far.code, far.out, far.err) == (near.code, near.out, near.err)


def test_help_is_the_same(filled: Home) -> None:
    assert through_daemon(filled, "recall", "--help").out == direct(filled, "recall", "--help").out


def test_the_project_is_that_of_the_callers_directory(filled: Home, tmp_path: Path) -> None:
    env = {"NIGHTGARDEN_EMBEDDING_MODEL": "minilm"}
    told = run(filled.path, "remember", "This shop sells bicycles", "--json", cwd=tmp_path, env=env).json
    assert told["memory"]["scope"] != run(filled.path, "list", "--json", env=env).json["memories"][0]["scope"]
    near = run(filled.path, "list", "--json", cwd=tmp_path, env=env | {"NIGHTGARDEN_DIRECT": "1"}).json
    assert [memory["id"] for memory in near["memories"]] == [told["id"]]


def test_the_callers_own_settings_count(filled: Home) -> None:
    assert len(through_daemon(filled, "recall", "port", "--json", NIGHTGARDEN_RECALL_LIMIT="1").json["results"]) == 1


def test_standard_input_is_read_by_the_command_and_other_models_are_loaded_by_it(filled: Home) -> None:
    before = filled.ask("status")["requests"]
    piped = run(
        filled.path, "recall", "-", "--json", stdin=b"staging port", env={"NIGHTGARDEN_EMBEDDING_MODEL": "minilm"}
    )
    assert piped.json["query"] == "staging port"
    assert filled.ask("status")["requests"]["recall"] == before["recall"] + 1
    by_words = run(filled.path, "stats", "--json", env={"NIGHTGARDEN_EMBEDDING_MODEL": "off"})
    assert by_words.json["embedding"]["model"] is None
    assert filled.ask("status")["faults"] == 0
