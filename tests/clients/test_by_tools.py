"""Clients that only speak MCP, run against the scripted model: `connect` wrote what they read, and the model's call of
our tool brings what is remembered."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import nightgarden
from tests.clients.drive import Desk
from tests.clients.install import COPILOT, GEMINI, Client, install
from tests.clients.model_server import Asked, ModelServer, Reply, Rule, ToolCall

SOURCE = str(Path(nightgarden.__file__).parents[1])
QUESTION = "Which port does the staging database use?"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByTools:
    """How one of them is run without a person and without its maker's servers."""

    name: str
    client: Client
    arguments: tuple[str, ...]
    env: Mapping[str, str]
    settings: tuple[str, str] | None = None  # a file of the user's own, which is there first


GEMINI_CLI = ByTools(
    name="gemini-cli",
    client=GEMINI,
    arguments=("--model", "gemini-2.5-flash", "--approval-mode", "yolo", "-p"),
    env={"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": "URL", "GEMINI_CLI_TRUST_WORKSPACE": "true"},
    settings=(".gemini/settings.json", '{"security": {"auth": {"selectedType": "gemini-api-key"}}}'),
)
COPILOT_CLI = ByTools(
    name="copilot-cli",
    client=COPILOT,
    arguments=("--allow-all-tools", "-p"),
    env={
        "COPILOT_PROVIDER_BASE_URL": "URL/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_API_KEY": "dummy",
        "COPILOT_MODEL": "scripted-model",
        "COPILOT_OFFLINE": "true",
    },
)


def recall(asked: Asked) -> Reply:
    """The model looks for our tool under whatever name the client gives it, and calls it."""
    name = next(name for name in asked.tool_names if name.endswith("memory_recall"))
    return Reply(tool_calls=(ToolCall(name=name, arguments={"query": "staging database port"}),))


@pytest.mark.parametrize(
    "which",
    [
        pytest.param(GEMINI_CLI, marks=pytest.mark.xdist_group("gemini"), id="gemini-cli"),
        pytest.param(COPILOT_CLI, marks=pytest.mark.xdist_group("copilot"), id="copilot-cli"),
    ],
)
def test_the_model_finds_our_tools_and_what_it_recalls_reaches_it(
    which: ByTools, model: ModelServer, tmp_path: Path
) -> None:
    desk = Desk(home=tmp_path, project=tmp_path / "project", more_env={"PYTHONPATH": SOURCE})
    desk.project.mkdir()
    ours = tmp_path / ".config" / "nightgarden" / "config.toml"
    ours.parent.mkdir(parents=True)
    ours.write_text("[daemon]\non_demand = false\n")  # the server opens the garden itself; nothing is left running
    if which.settings is not None:
        theirs = tmp_path / which.settings[0]
        theirs.parent.mkdir()
        theirs.write_text(which.settings[1])

    def run(*arguments: str) -> str:
        ran = desk.run(Path(sys.executable), ["-m", "nightgarden", *arguments], {})
        assert ran.returncode == 0, ran.stderr + ran.stdout
        return ran.stdout

    assert "connected" in run("connect", which.name, "--yes")
    run("remember", "The staging database runs on port 5433")
    model.rules = [
        Rule(says="staging", reply=recall),
        Rule(says="staging", after_tool="5433", reply=Reply(text="It is that one.")),
    ]
    env = {name: value.replace("URL", model.url) for name, value in which.env.items()}
    ran = desk.run(install(which.client), [*which.arguments, QUESTION], env)
    assert "It is that one." in ran.stdout, ran.stderr[-2000:] + ran.stdout[-2000:]
    run("disconnect", which.name, "--yes")
    if which.settings is not None:
        assert (tmp_path / which.settings[0]).read_text() == which.settings[1]
