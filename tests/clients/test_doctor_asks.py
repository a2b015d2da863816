"""`nightgarden doctor clients` asks the client itself, which may make something else of a file than what it says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import nightgarden
from tests.clients.connected import Connected, connect
from tests.clients.drive import Desk
from tests.clients.install import CLAUDE_CODE, COPILOT, GEMINI, OPENCODE, Client, install
from tests.clients.model_server import ModelServer

SOURCE = str(Path(nightgarden.__file__).parents[1])


def doctor(connected: Connected, client: Client) -> str:
    path = connected.desk.clean_env({})["PATH"]
    env = {**connected.client.env, "PATH": f"{install(client).parent}{os.pathsep}{path}"}  # type: ignore[union-attr]
    return connected.desk.run(Path(sys.executable), ["-m", "nightgarden", "doctor", "clients"], env).stdout


@pytest.mark.xdist_group("claude-code")
def test_settings_that_claude_code_ignores_and_a_folder_it_does_not_trust_are_told(model: ModelServer) -> None:
    with connect("claude-code", model) as connected:
        assert "works" in doctor(connected, CLAUDE_CODE)
        settings = connected.desk.home / ".claude" / "settings.json"
        whole = settings.read_text()
        settings.write_text("// mine\n" + whole)
        assert "Claude Code does not load our plugin" in doctor(connected, CLAUDE_CODE)
        settings.write_text(whole)
        connected.nightgarden("disconnect", "claude-code", "--yes")
        connected.nightgarden("connect", "claude-code", "--project", str(connected.desk.project), "--yes")
        assert "trust the folder" in doctor(connected, CLAUDE_CODE)


@pytest.mark.xdist_group("opencode")
def test_opencode_says_whether_it_reaches_our_server(model: ModelServer) -> None:
    with connect("opencode", model) as connected:
        assert "works" in doctor(connected, OPENCODE)
        settings = connected.desk.home / ".config" / "opencode" / "opencode.json"
        settings.write_text(settings.read_text().replace('"enabled": true', '"enabled": false'))
        assert "does not have our part" in doctor(connected, OPENCODE)


@pytest.mark.parametrize(
    ("name", "client", "file"),
    [
        pytest.param("gemini-cli", GEMINI, ".gemini/settings.json", marks=pytest.mark.xdist_group("gemini")),
        pytest.param("copilot-cli", COPILOT, ".copilot/mcp-config.json", marks=pytest.mark.xdist_group("copilot")),
    ],
)
def test_a_client_that_only_speaks_mcp_loads_our_server_and_says_so(
    name: str, client: Client, file: str, tmp_path: Path
) -> None:
    desk = Desk(home=tmp_path, project=tmp_path / "project", more_env={"PYTHONPATH": SOURCE})
    desk.project.mkdir()
    settings = tmp_path / ".config" / "nightgarden" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[daemon]\non_demand = false\n")  # what the client says of us is asked before the daemon

    def ours(*arguments: str) -> str:
        path = f"{install(client).parent}{os.pathsep}{desk.clean_env({})['PATH']}"
        return desk.run(Path(sys.executable), ["-m", "nightgarden", *arguments], {"PATH": path}).stdout

    assert "connected" in ours("connect", name, "--yes")
    assert "the daemon is not running" in ours("doctor", "clients")
    whole = (tmp_path / file).read_text()
    (tmp_path / file).write_text(whole.replace("mcpServers", "mcpservers"))
    assert "does not have our part" in ours("doctor", "clients")
    (tmp_path / file).write_text(whole)
    assert "disconnected" in ours("disconnect", name, "--yes")
    assert not (tmp_path / file).exists() or "nightgarden" not in (tmp_path / file).read_text()
