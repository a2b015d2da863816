"""Connecting and disconnecting, on files of every shape."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from nightgarden.errors import BadInput
from nightgarden.surfaces.connect.clients import CLIENTS, ConfigSpot, detect
from nightgarden.surfaces.connect.neighbours import neighbours
from nightgarden.surfaces.connect.plugin import HttpAddress
from nightgarden.surfaces.connect.receipt import Receipts

NAMES = ("claude-code", "codex", "opencode", "gemini-cli", "copilot-cli", "cursor")
WITH_HOOKS = NAMES[:3]
FILES = {
    "claude-code": (".claude/settings.json", '{"model": "opus", "statusLine": {"type": "command", "command": "mine"}}'),
    "codex": (".codex/config.toml", '# my settings\nmodel = "x"  # best\n\n[mcp_servers.other]\ncommand = "y"'),
    "gemini-cli": (".gemini/settings.json", '{\n  "theme": "mine",\n  "mcpServers": {"other": {"command": "y"}}\n}\n'),
    "copilot-cli": (".copilot/mcp-config.json", '{"mcpServers": {"mine": {"type": "local", "command": "y"}}}'),
    "cursor": (".cursor/mcp.json", '{\n\t"mcpServers": {\n\t\t"mine": {"command": "y"}\n\t}\n}'),
    "opencode": (".config/opencode/opencode.jsonc", '{\n\t// mine\n\t"mcp": {"other": {"type": "local"}}, // one\n}\n'),
}


@pytest.fixture
def spot(tmp_path: Path) -> ConfigSpot:
    user = tmp_path / "user"
    user.mkdir()
    return ConfigSpot(user=user, project=None, data=tmp_path / "data", env={})


def connect(name: str, spot: ConfigSpot) -> Receipts:
    receipts = Receipts(spot.data)
    receipts.connect(name, spot.project, receipts.plan(CLIENTS[name].steps(spot), spot.project))
    return receipts


def disconnect(name: str, spot: ConfigSpot) -> None:
    receipts = Receipts(spot.data)
    receipts.disconnect(name, spot.project, receipts.plan_back(name, spot.project, CLIENTS[name].steps(spot)))


def everything_in(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("with_settings", [False, True])
def test_disconnecting_puts_everything_back_byte_for_byte(name: str, with_settings: bool, spot: ConfigSpot) -> None:
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
def test_connecting_twice_changes_nothing(name: str, spot: ConfigSpot) -> None:
    receipts = connect(name, spot)
    before = everything_in(spot.user)
    assert receipts.plan(CLIENTS[name].steps(spot)) == []
    connect(name, spot)
    assert everything_in(spot.user) == before


@pytest.mark.parametrize("name", NAMES)
def test_what_the_user_changed_after_connecting_stays_when_we_go(name: str, spot: ConfigSpot) -> None:
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


def test_a_file_that_cannot_be_read_is_left_alone_and_named(spot: ConfigSpot) -> None:
    file = spot.user / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"model": ')
    with pytest.raises(BadInput, match=r"settings\.json.*correct the file"):
        connect("claude-code", spot)
    assert everything_in(spot.user) == {".claude": None, ".claude/settings.json": b'{"model": '}


def test_hooks_of_others_in_codex_stay_where_they_are(spot: ConfigSpot) -> None:
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


def test_no_http_hook_goes_to_codex(spot: ConfigSpot) -> None:
    connect("codex", spot)
    hooks = json.loads((spot.user / ".codex" / "hooks.json").read_text())["hooks"]
    kinds = {hook["type"] for groups in hooks.values() for group in groups for hook in group["hooks"]}
    assert kinds == {"command"}


def test_a_status_line_of_the_users_own_stays(spot: ConfigSpot) -> None:
    path, text = FILES["claude-code"]
    (spot.user / path).parent.mkdir()
    (spot.user / path).write_text(text)
    connect("claude-code", spot)
    assert json.loads((spot.user / path).read_text())["statusLine"]["command"] == "mine"


def test_a_project_is_connected_apart_from_the_user(spot: ConfigSpot, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    here = ConfigSpot(user=spot.user, project=project, data=spot.data, env={})
    connect("claude-code", here)
    assert everything_in(spot.user) == {}
    assert (project / ".claude" / "settings.local.json").exists()
    connect("claude-code", spot)
    disconnect("claude-code", here)
    assert everything_in(project) == {}
    assert (spot.user / ".claude" / "settings.json").exists()


def test_a_link_to_a_settings_file_stays_a_link(spot: ConfigSpot, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n")
    (spot.user / ".claude").mkdir()
    (spot.user / ".claude" / "settings.json").symlink_to(real)
    connect("claude-code", spot)
    assert (spot.user / ".claude" / "settings.json").is_symlink()
    assert "nightgarden" in real.read_text()
    disconnect("claude-code", spot)
    assert real.read_text() == "{}\n"


def test_other_memory_tools_are_named(spot: ConfigSpot) -> None:
    (spot.user / ".claude.json").write_text('{"mcpServers": {"mem0-mcp": {}, "github": {}}}')
    assert neighbours("claude-code", spot) == ["mem0-mcp"]


def test_clients_are_found_by_program_or_settings(spot: ConfigSpot) -> None:
    (spot.user / ".codex").mkdir()
    found = detect(spot, lambda program: "/bin/opencode" if program == "opencode" else None)
    assert [client.name for client in found] == ["codex", "opencode"]


def test_agents_md_gets_a_block_that_can_be_taken_out(spot: ConfigSpot, tmp_path: Path) -> None:
    here = ConfigSpot(user=spot.user, project=tmp_path, data=spot.data, env=os.environ)
    (tmp_path / "AGENTS.md").write_text("# Rules\nBe kind.")
    connect("other", here)
    assert "memory_recall" in (tmp_path / "AGENTS.md").read_text()
    (tmp_path / "AGENTS.md").write_text((tmp_path / "AGENTS.md").read_text() + "\nAnd brief.\n")
    disconnect("other", here)
    assert "nightgarden" not in (tmp_path / "AGENTS.md").read_text()
    assert "And brief." in (tmp_path / "AGENTS.md").read_text()


# -- Codex writes into its settings too --------------------------------------------------------------------------------
TRUST = '\n[projects."/home/ann/shop"]\ntrust_level = "trusted"\n\n[hooks.state."x:y"]\ntrusted_hash = "sha256:1"\n'
OLD = """\
# >>> nightgarden (`nightgarden disconnect` takes this out) >>>
[mcp_servers.nightgarden]
command = "/old/python"
args = ["-m", "nightgarden", "mcp"]
{inside}# <<< nightgarden <<<
"""


def codex_settings(spot: ConfigSpot) -> Path:
    return spot.user / ".codex" / "config.toml"


def outdated(name: str, spot: ConfigSpot) -> bool:
    return bool(Receipts(spot.data).plan(CLIENTS[name].steps(spot)))


@pytest.mark.parametrize("before", ["", FILES["codex"][1], FILES["codex"][1] + "\n"])
def test_what_codex_appends_is_never_lost_and_never_taken_for_ours(before: str, spot: ConfigSpot) -> None:
    file = codex_settings(spot)
    file.parent.mkdir()
    if before:
        file.write_text(before)
    connect("codex", spot)
    file.write_text(file.read_text() + TRUST)
    assert not outdated("codex", spot)
    connect("codex", spot)
    assert TRUST in file.read_text()
    disconnect("codex", spot)
    assert "nightgarden" not in file.read_text()
    assert tomllib.loads(file.read_text()) == tomllib.loads(before + "\n" + TRUST)
    assert file.read_text().startswith(before)


def test_tables_that_codex_put_between_our_old_marks_stay_when_the_marks_go(spot: ConfigSpot) -> None:
    file = codex_settings(spot)
    file.parent.mkdir()
    file.write_text('model = "x"\n\n' + OLD.format(inside=TRUST))
    assert outdated("codex", spot)
    connect("codex", spot)
    text = file.read_text()
    assert ">>>" not in text
    assert "<<<" not in text
    assert "/old/python" not in text
    assert TRUST in text
    assert not outdated("codex", spot)
    file.write_text(text + "# mine\n")
    disconnect("codex", spot)
    assert tomllib.loads(file.read_text()) == {"model": "x"} | tomllib.loads(TRUST)
    assert "# mine" in file.read_text()


def test_a_table_that_lost_its_opening_mark_is_ours_still(spot: ConfigSpot) -> None:
    file = codex_settings(spot)
    file.parent.mkdir()
    file.write_text(OLD.format(inside="").partition("\n")[2] + '\n[mcp_servers.added]\ncommand = "y"\n')
    connect("codex", spot)
    assert set(tomllib.loads(file.read_text())["mcp_servers"]) == {"nightgarden", "added"}
    file.write_text(file.read_text() + TRUST)
    disconnect("codex", spot)
    assert set(tomllib.loads(file.read_text())["mcp_servers"]) == {"added"}


def test_what_the_user_says_about_our_server_stays_and_goes_with_it(spot: ConfigSpot) -> None:
    connect("codex", spot)
    file = codex_settings(spot)
    more = 'startup_timeout_sec = 20\n\n[mcp_servers.nightgarden.tools.memory_recall]\napproval_mode = "approve"\n'
    file.write_text(file.read_text().replace("/", "/old/", 1) + more + TRUST)
    assert outdated("codex", spot)
    connect("codex", spot)
    ours = tomllib.loads(file.read_text())["mcp_servers"]["nightgarden"]
    assert ours["startup_timeout_sec"] == 20
    assert ours["tools"] == {"memory_recall": {"approval_mode": "approve"}}
    assert ours["env"] == {"NIGHTGARDEN_HOME": str(spot.data)}
    disconnect("codex", spot)
    assert tomllib.loads(file.read_text()) == tomllib.loads(TRUST)


@pytest.mark.parametrize(
    "text",
    [
        'x = """\n[mcp_servers.nightgarden]\ncommand = "no"\n"""\n',
        "x = '''\n[mcp_servers.nightgarden]\n'''\n",
        'x = [\n  ["mcp_servers.nightgarden"],\n  [1],\n]\n[y] # [mcp_servers.nightgarden]\nz = "]"\n',
        '[mcp_servers."nightgarden"]\ncommand = "old"\nargs = [\n  "a", # ]\n  "b",\n]\n[z]\n',
        '[[many]]\na = 1\n[[many]]\na = 2\n[ mcp_servers . nightgarden ]\n"command" = "old"\n',
        "# only a comment",
    ],
)
def test_only_a_real_table_of_that_name_is_ours(text: str, spot: ConfigSpot) -> None:
    file = codex_settings(spot)
    file.parent.mkdir()
    file.write_text(text)
    connect("codex", spot)
    found = tomllib.loads(file.read_text())
    assert found["mcp_servers"]["nightgarden"]["args"][-1] == "mcp"
    assert {key: value for key, value in found.items() if key != "mcp_servers"} == {
        key: value for key, value in tomllib.loads(text).items() if key != "mcp_servers"
    }
    file.write_text(file.read_text() + TRUST)
    disconnect("codex", spot)
    left = tomllib.loads(file.read_text())
    assert "mcp_servers" not in left
    assert "projects" in left


# -- who may read and where is written -------------------------------------------------------------------------------
def test_files_with_the_token_are_for_their_owner_alone_also_when_they_were_not(spot: ConfigSpot) -> None:
    address = HttpAddress(url="http://127.0.0.1:1", token="s3cret-token")
    http = replace(spot, carrier="http", http=address)
    old = spot.data / "plugin" / "hooks" / "hooks.json"
    old.parent.mkdir(parents=True)
    old.write_text("{}")
    old.chmod(0o644)
    connect("claude-code", http)
    with_token = [path for path in spot.data.parent.rglob("*") if path.is_file() and b"s3cret" in path.read_bytes()]
    assert with_token == [old]
    assert {path.stat().st_mode & 0o077 for path in spot.data.rglob("*") if path.is_file()} == {0}
    old.chmod(0o644)
    assert outdated("claude-code", http)
    fresh = replace(http, data=spot.data.parent / "fresh")
    connect("claude-code", fresh)
    assert {path.stat().st_mode & 0o077 for path in (fresh.data, *fresh.data.rglob("*"))} == {0}


@pytest.mark.parametrize("name", ["claude-code", "codex", "opencode", "other"])
def test_connecting_a_project_never_writes_through_a_link_out_of_it(
    name: str, spot: ConfigSpot, tmp_path: Path
) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    for each in (project, outside):
        each.mkdir()
    for link in (".claude", ".opencode", ".agents"):
        (project / link).symlink_to(outside)
    (project / "AGENTS.md").symlink_to(outside / "new.md")
    with pytest.raises(BadInput, match="leads out of the project"):
        connect(name, replace(spot, project=project))
    assert everything_in(outside) == {}
    assert not (project / ".codex").exists()


def test_a_link_inside_the_project_is_followed(spot: ConfigSpot, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "docs").mkdir(parents=True)
    (project / "docs" / "agents.md").write_text("# Rules\n")
    (project / "AGENTS.md").symlink_to(project / "docs" / "agents.md")
    connect("other", replace(spot, project=project))
    assert "memory_recall" in (project / "docs" / "agents.md").read_text()


# -- everything says where the data is --------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_everything_that_is_installed_says_where_the_data_is(name: str, spot: ConfigSpot) -> None:
    connect(name, spot)
    texts = [p.read_text() for p in (*spot.user.rglob("*"), *(spot.data / "plugin").rglob("*")) if p.is_file()]
    started = [line for text in texts for line in text.splitlines() if "process.py" in line]
    assert started or name not in WITH_HOOKS
    assert all(str(spot.data) in line for line in started)
    servers = [text for text in texts if '"mcp"' in text and "__main__.py" in text]
    assert servers
    assert all("NIGHTGARDEN_HOME" in text and str(spot.data) in text for text in servers)
