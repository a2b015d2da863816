"""The service files: what they say, that they are removed again, and that a dry run changes nothing."""

from __future__ import annotations

import configparser
import plistlib
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from nightgarden.surfaces.service.unit import Platform, Unit, choose_platform, make_unit
from tests.cli.command import run

ODD = Path('/data/Ann\'s "garden" 100% $HOME <&>')


def unit(platform: Platform) -> Unit:
    return make_unit(
        platform,
        user_home=Path("/home/ann"),
        config=Path("/home/ann/.config"),
        home=ODD,
        words=["/opt/py thon/bin/python", "-P", "/opt/py thon/main.py", "serve"],
        path="/usr/bin:/bin",
    )


def test_systemd_runs_it_for_the_user_and_again_after_a_crash() -> None:
    made = unit("systemd")
    assert made.path == Path("/home/ann/.config/systemd/user/nightgarden.service")
    read = configparser.RawConfigParser(strict=False)
    read.read_string(made.text)
    assert "Documentation" not in read["Unit"]  # there is no manual page
    assert read["Service"]["ExecStart"] == '"/opt/py thon/bin/python" "-P" "/opt/py thon/main.py" "serve"'
    assert read["Service"]["Restart"] == "on-failure"
    assert 'NIGHTGARDEN_HOME=/data/Ann\'s \\"garden\\" 100%% $$HOME <&>' in made.text


def test_launchd_gets_a_valid_property_list() -> None:
    read = plistlib.loads(unit("launchd").text.encode())
    assert read["ProgramArguments"] == ["/opt/py thon/bin/python", "-P", "/opt/py thon/main.py", "serve"]
    assert read["EnvironmentVariables"]["NIGHTGARDEN_HOME"] == str(ODD)
    assert read["KeepAlive"] == {"SuccessfulExit": False}


def test_windows_gets_a_valid_task() -> None:
    made = unit("windows")
    root = ElementTree.fromstring(made.text.encode(made.encoding))
    names = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
    assert root.findtext("t:Actions/t:Exec/t:Command", namespaces=names) == "/opt/py thon/bin/python"
    assert root.findtext("t:Actions/t:Exec/t:Arguments", namespaces=names) == '-P "/opt/py thon/main.py" serve'


@pytest.mark.parametrize(
    ("sys_platform", "platform"), [("linux", "systemd"), ("darwin", "launchd"), ("win32", "windows")]
)
def test_each_platform_has_its_own(sys_platform: str, platform: str) -> None:
    assert choose_platform(sys_platform) == platform


@pytest.mark.parametrize("platform", ["systemd", "launchd", "windows"])
def test_a_file_that_starts_the_daemon_in_another_way_is_outdated(platform: Platform) -> None:
    made = unit(platform)
    assert not made.is_outdated(made.text)
    assert not made.is_outdated(made.text.replace("/usr/bin:/bin", "/opt/bin"))
    assert made.is_outdated(made.text.replace("main.py", "other.py"))
    if platform != "windows":  # there the file lies in the data folder
        assert not made.is_outdated(made.text.replace("garden", "other").replace("main.py", "other.py"))


def test_the_doctor_notices_a_service_of_an_earlier_version_and_writes_it_anew(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "systemctl").write_text("#!/bin/sh\n")
    (tools / "systemctl").chmod(0o755)
    env = {"PATH": f"{tools}:/usr/bin:/bin"}
    run(tmp_path, "service", "install", "--platform", "systemd", env=env)
    file = tmp_path / ".config" / "systemd" / "user" / "nightgarden.service"
    current = file.read_text()
    assert "service" not in run(tmp_path, "doctor", env=env).err
    lines = [line for line in current.splitlines() if not line.startswith("WorkingDirectory")]
    old = [f'ExecStart="{sys.executable}" -m nightgarden serve' if "ExecStart" in line else line for line in lines]
    file.write_text("\n".join(old) + "\n")
    assert "run `nightgarden service install`" in run(tmp_path, "doctor", env=env).err
    assert "-m nightgarden" in file.read_text()
    assert "written anew" in run(tmp_path, "doctor", "--repair", env=env).err
    assert file.read_text() == current


def test_a_dry_run_shows_everything_and_changes_nothing(tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    shown = run(tmp_path, "service", "install", "--dry-run", "--platform", "systemd")
    assert "ExecStart" in shown.out
    assert "would run: systemctl --user enable --now nightgarden.service" in shown.out
    assert "not there" in run(tmp_path, "service", "uninstall", "--dry-run").out
    assert sorted(tmp_path.rglob("*")) == before


def test_install_and_uninstall_run_the_platforms_commands(tmp_path: Path) -> None:
    """With a systemctl that only notes how it is called: no test touches the machine's own services."""
    tools = tmp_path / "bin"
    tools.mkdir()
    noted = tmp_path / "noted"
    (tools / "systemctl").write_text(f'#!/bin/sh\necho "$@" >> {noted}\n')
    (tools / "systemctl").chmod(0o755)
    env = {"PATH": f"{tools}:/usr/bin:/bin"}
    assert run(tmp_path, "service", "install", "--platform", "systemd", env=env).code == 0
    file = tmp_path / ".config" / "systemd" / "user" / "nightgarden.service"
    assert file.exists()
    assert "unchanged" in run(tmp_path, "service", "install", "--platform", "systemd", env=env).out
    assert "removed" in run(tmp_path, "service", "uninstall", "--platform", "systemd", env=env).out
    assert not file.exists()
    assert noted.read_text().splitlines()[-1] == "--user disable --now nightgarden.service"
