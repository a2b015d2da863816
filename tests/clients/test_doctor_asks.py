"""`nightgarden doctor clients` asks the client itself, which may make something else of a file than what it says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.clients.connected import Connected, connect
from tests.clients.install import CLAUDE_CODE, OPENCODE, Client, install
from tests.clients.model_server import ModelServer


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
