"""A skill file that was exported here is loaded by the real Claude Code and the real Codex: its text reaches the model
as a skill of theirs, and once more, whole, when the model takes it up."""

from __future__ import annotations

import json

import pytest

from tests.clients.connected import Connected, connect
from tests.clients.model_server import ModelServer, Reply, Rule
from tests.clients.wire import ToolCall

NAME = "Release a new version of the seed catalogue"
TRIGGER = "when the seed catalogue is to be released"
STEP = "Run `make catalogue-check` and wait for the green seal"
PROMPT = "please release the seed catalogue"


def take_up(connected: Connected, slug: str) -> ToolCall:
    """How a model takes up a skill: by a tool of the client, or by reading the file that it was told of."""
    if connected.name == "claude-code":
        return ToolCall(name="Skill", arguments={"skill": slug})
    return connected.shell(f"cat .agents/skills/{slug}/SKILL.md")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ("claude-code", "codex")]
)
def test_an_exported_skill_is_loaded_and_its_text_reaches_the_model(name: str, model: ModelServer) -> None:
    with connect(name, model) as connected:
        added = connected.nightgarden("procedures", "add", NAME, "--trigger", TRIGGER, "--step", STEP, "--json")
        applied = connected.nightgarden("skills", "apply", json.loads(added.stdout)["id"], "--json")
        files = [skill["file"] for skill in json.loads(applied.stdout)["skills"]]
        folder = ".claude/skills/" if name == "claude-code" else ".agents/skills/"
        (file,) = [each for each in files if each.startswith(folder)]
        slug = file.split("/")[-2]
        connected.nightgarden("off")  # so that nothing of it comes by way of memory
        model.rules = [
            Rule(says="seed catalogue", reply=Reply(text="Taking it up.", tool_calls=(take_up(connected, slug),))),
            Rule(says="", after_tool="", reply=Reply(text="Released.")),
        ]
        ran = connected.ask(PROMPT)
        first = next(asked for asked in model.asked if PROMPT in asked.everything and asked.tool_names)
        assert slug in first.everything  # the client lists it as a skill of its own
        assert TRIGGER in first.everything
        assert "Released." in ran.stdout
        assert any("wait for the green seal" in asked.everything for asked in model.asked)
