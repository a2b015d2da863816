"""Codex and we write into the same settings. Trust is given here as Codex's own /hooks page gives it: by asking its app
server for the hooks, and having it write their hashes down."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from nightgarden.machine import programs
from tests.clients.connected import Connected, connect
from tests.clients.drive import Desk
from tests.clients.install import CODEX, install
from tests.clients.model_server import ModelServer

pytestmark = pytest.mark.xdist_group("codex")
FACT = "The staging database runs on port 5433"
QUESTION = "Which port does the staging database use?"
FENCE = "nightgarden-recall"


def request(desk: Desk, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """What Codex's app server answers."""
    hello = {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "test", "version": "1"}}}
    asked = [hello, {"method": "initialized"}, {"id": 2, "method": method, "params": params}]
    line = programs.converse(
        [str(install(CODEX)), "app-server"],
        cwd=desk.project,
        env=desk.clean_env({"SCRIPTED_KEY": "dummy"}),
        given="".join(json.dumps(each) + "\n" for each in asked).encode(),
        until=lambda line: json.loads(line).get("id") == 2,
        seconds=120,
    )
    answer: dict[str, Any] = json.loads(line)["result"]
    return answer


def hooks(desk: Desk) -> list[dict[str, Any]]:
    found = request(desk, "hooks/list", {"cwds": [str(desk.project)]})
    return [hook for each in found["data"] for hook in each["hooks"]]


def trust(desk: Desk, given: list[dict[str, Any]]) -> None:
    state = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in given}
    request(
        desk,
        "config/batchWrite",
        {"edits": [{"keyPath": "hooks.state", "mergeStrategy": "upsert", "value": state}]},
    )


def told(connected: Connected, model: ModelServer) -> bool:
    """Whether a new session is told what is remembered, with the trust that was given and no other."""
    before = len(model.asked)
    ran = connected.client.ask(QUESTION)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return any(FENCE in asked.everything for asked in model.asked[before:])


def with_codex_on_path(connected: Connected) -> dict[str, str]:
    path = connected.desk.clean_env({})["PATH"]
    return {"PATH": f"{install(CODEX).parent}{os.pathsep}{path}"}


def doctor(connected: Connected) -> str:
    ran = connected.desk.run(
        Path(sys.executable),
        ["-m", "nightgarden", "doctor", "clients"],
        with_codex_on_path(connected),
    )
    return ran.stdout


def edit(desk: Desk, given: list[dict[str, Any]]) -> None:
    """What a user does in Codex: trusts hooks and a folder, adds a server, writes a line by hand."""
    trust(desk, given)
    request(
        desk,
        "config/batchWrite",
        {
            "edits": [
                {"keyPath": f'projects."{name}"', "mergeStrategy": "upsert", "value": {"trust_level": "trusted"}}
                for name in ("/home/ann/shop", "/home/ann/other")
            ]
        },
    )
    added = desk.run(install(CODEX), ["mcp", "add", "other", "--", "true"], {})
    assert added.returncode == 0, added.stderr
    file = desk.home / ".codex" / "config.toml"
    file.write_text("# by hand\n" + file.read_text() + "\n[profiles.quick]\nmodel = 'small'  # mine\n")


def test_trust_given_in_codex_outlives_connecting_again_and_the_doctor_asks_codex(model: ModelServer) -> None:
    with connect("codex", model) as connected:
        connected.nightgarden("remember", FACT)
        file = connected.desk.home / ".codex" / "config.toml"
        assert not told(connected, model)
        assert "until you trust them" in doctor(connected)
        ours = hooks(connected.desk)
        assert {hook["trustStatus"] for hook in ours} == {"untrusted"}

        trust(connected.desk, ours)
        assert told(connected, model)
        assert "works" in doctor(connected)
        before = file.read_bytes()
        assert "connected already" in connected.nightgarden("connect", "codex", "--yes").stdout
        assert file.read_bytes() == before
        assert told(connected, model)

        path = connected.desk.home / ".codex" / "hooks.json"
        path.write_text(path.read_text().replace('"timeout": 5', '"timeout": 4', 1))  # no longer what was trusted
        assert "does not have our part" in doctor(connected)
        connected.nightgarden("connect", "codex", "--yes")
        assert "works" in doctor(connected)


def test_connect_the_users_edits_connect_again_and_disconnect_leave_what_is_the_users_byte_for_byte(
    model: ModelServer,
) -> None:
    with connect("codex", model) as connected:
        file = connected.desk.home / ".codex" / "config.toml"
        edit(connected.desk, hooks(connected.desk))
        with_us = file.read_text()
        connected.nightgarden("connect", "codex", "--yes")
        connected.nightgarden("disconnect", "codex", "--yes")
        blocks = [each for each in with_us.split("\n\n") if not each.startswith("[mcp_servers.nightgarden")]
        assert len(blocks) < len(with_us.split("\n\n"))
        assert file.read_text() == "\n\n".join(blocks)
        left = tomllib.loads(file.read_text())
        assert set(left) == {
            "model",
            "model_provider",
            "model_providers",
            "mcp_servers",
            "hooks",
            "projects",
            "profiles",
        }
        assert set(left["mcp_servers"]) == {"other"}
        assert len(left["projects"]) >= 2
        assert not (connected.desk.home / ".codex" / "hooks.json").exists()
