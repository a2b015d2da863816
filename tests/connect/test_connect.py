"""Connecting and disconnecting, on files of every shape."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from nightgarden.errors import BadInput
from nightgarden.surfaces.connect.clients import CLIENTS, Spot, detect
from nightgarden.surfaces.connect.neighbours import neighbours
from nightgarden.surfaces.connect.receipt import Receipts

NAMES = ("claude-code", "codex", "opencode")
FILES = {
    "claude-code": (".claude/settings.json", '{"model": "opus", "statusLine": {"type": "command", "command": "mine"}}'),
    "codex": (".codex/config.toml", '# my settings\nmodel = "x"  # best\n\n[mcp_servers.other]\ncommand = "y"'),
    "opencode": (".config/opencode/opencode.jsonc", '{\n\t// mine\n\t"mcp": {"other": {"type": "local"}}, // one\n}\n'),
}


@pytest.fixture
def spot(tmp_path: Path) -> Spot:
    user = tmp_path / "user"
    user.mkdir()
    return Spot(user=user, project=None, data=tmp_path / "data", env={})


def connect(name: str, spot: Spot) -> Receipts:
    receipts = Receipts(spot.data)
    receipts.connect(name, spot.project, receipts.plan(CLIENTS[name].steps(spot)))
    return receipts


def disconnect(name: str, spot: Spot) -> None:
    receipts = Receipts(spot.data)
    receipts.disconnect(name, spot.project, receipts.plan_back(name, spot.project, CLIENTS[name].steps(spot)))


def everything_in(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("with_settings", [False, True])
def test_disconnecting_puts_everything_back_byte_for_byte(name: str, with_settings: bool, spot: Spot) -> None:
    path, text = FILES[name]
    if with_settings:
        (spot.user / path).parent.mkdir(parents=True)
        (spot.user / path).write_text(text)
        (spot.user / path).chmod(0o640)
    before = everything_in(spot.user)
    connect(name, spot)
    assert everything_in(spot.user) != before
    disconnect(name, spot)
    assert everything_in(spot.user) == before
    if with_settings:
        assert (spot.user / path).stat().st_mode & 0o777 == 0o640
    assert Receipts(spot.data).all() == []


@pytest.mark.parametrize("name", NAMES)
def test_connecting_twice_changes_nothing(name: str, spot: Spot) -> None:
    receipts = connect(name, spot)
    before = everything_in(spot.user)
    assert receipts.plan(CLIENTS[name].steps(spot)) == []
    connect(name, spot)
    assert everything_in(spot.user) == before


@pytest.mark.parametrize("name", NAMES)
def test_what_the_user_changed_after_connecting_stays_when_we_go(name: str, spot: Spot) -> None:
    path, text = FILES[name]
    file = spot.user / path
    file.parent.mkdir(parents=True)
    file.write_text(text)
    connect(name, spot)
    changed = file.read_text().replace("mine", "still mine").replace("best", "still best")
    assert changed != file.read_text()
    file.write_text(changed)
    disconnect(name, spot)
    assert "still" in file.read_text()
    assert "nightgarden" not in file.read_text()
    assert file.read_text() == text.replace("mine", "still mine").replace("best", "still best")


def test_a_file_that_cannot_be_read_is_left_alone_and_named(spot: Spot) -> None:
    file = spot.user / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"model": ')
    with pytest.raises(BadInput, match=r"settings\.json.*correct the file"):
        connect("claude-code", spot)
    assert everything_in(spot.user) == {".claude": None, ".claude/settings.json": b'{"model": '}


def test_hooks_of_others_in_codex_stay_where_they_are(spot: Spot) -> None:
    file = spot.user / ".codex" / "hooks.json"
    file.parent.mkdir()
    theirs = {"hooks": [{"type": "command", "command": "theirs"}]}
    file.write_text(json.dumps({"hooks": {"Stop": [theirs]}}, indent=2))
    connect("codex", spot)
    stop = json.loads(file.read_text())["hooks"]["Stop"]
    assert stop[0] == theirs
    assert len(stop) == 2
    file.write_text(json.dumps(json.loads(file.read_text())))  # an editor wrote it anew
    disconnect("codex", spot)
    assert json.loads(file.read_text()) == {"hooks": {"Stop": [theirs]}}


def test_no_http_hook_goes_to_codex(spot: Spot) -> None:
    connect("codex", spot)
    hooks = json.loads((spot.user / ".codex" / "hooks.json").read_text())["hooks"]
    kinds = {hook["type"] for groups in hooks.values() for group in groups for hook in group["hooks"]}
    assert kinds == {"command"}


def test_a_status_line_of_the_users_own_stays(spot: Spot) -> None:
    path, text = FILES["claude-code"]
    (spot.user / path).parent.mkdir()
    (spot.user / path).write_text(text)
    connect("claude-code", spot)
    assert json.loads((spot.user / path).read_text())["statusLine"]["command"] == "mine"


def test_a_project_is_connected_apart_from_the_user(spot: Spot, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    here = Spot(user=spot.user, project=project, data=spot.data, env={})
    connect("claude-code", here)
    assert everything_in(spot.user) == {}
    assert (project / ".claude" / "settings.local.json").exists()
    connect("claude-code", spot)
    disconnect("claude-code", here)
    assert everything_in(project) == {}
    assert (spot.user / ".claude" / "settings.json").exists()


def test_a_link_to_a_settings_file_stays_a_link(spot: Spot, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n")
    (spot.user / ".claude").mkdir()
    (spot.user / ".claude" / "settings.json").symlink_to(real)
    connect("claude-code", spot)
    assert (spot.user / ".claude" / "settings.json").is_symlink()
    assert "nightgarden" in real.read_text()
    disconnect("claude-code", spot)
    assert real.read_text() == "{}\n"


def test_other_memory_tools_are_named(spot: Spot) -> None:
    (spot.user / ".claude.json").write_text('{"mcpServers": {"mem0-mcp": {}, "github": {}}}')
    assert neighbours("claude-code", spot) == ["mem0-mcp"]


def test_clients_are_found_by_program_or_settings(spot: Spot) -> None:
    (spot.user / ".codex").mkdir()
    found = detect(spot, lambda program: "/bin/opencode" if program == "opencode" else None)
    assert [client.name for client in found] == ["codex", "opencode"]


def test_agents_md_gets_a_block_that_can_be_taken_out(spot: Spot, tmp_path: Path) -> None:
    here = Spot(user=spot.user, project=tmp_path, data=spot.data, env=os.environ)
    (tmp_path / "AGENTS.md").write_text("# Rules\nBe kind.")
    connect("other", here)
    assert "memory_recall" in (tmp_path / "AGENTS.md").read_text()
    (tmp_path / "AGENTS.md").write_text((tmp_path / "AGENTS.md").read_text() + "\nAnd brief.\n")
    disconnect("other", here)
    assert "nightgarden" not in (tmp_path / "AGENTS.md").read_text()
    assert "And brief." in (tmp_path / "AGENTS.md").read_text()
