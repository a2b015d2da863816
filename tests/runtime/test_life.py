"""Starting, joining, stopping and telling how it goes."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nightgarden.errors import DaemonAway, DaemonSlow
from nightgarden.settings import DaemonSettings
from nightgarden.surfaces import client
from nightgarden.surfaces.daemon.background import BackgroundRunner, BackgroundStep, Done
from nightgarden.surfaces.daemon.folder import SOCKET_BYTES_MAX, DaemonFolder
from nightgarden.surfaces.daemon.serve import is_idle
from tests.cli.command import run
from tests.conftest import Ticking
from tests.runtime.running import Home, wait_for


def test_a_daemon_has_the_variables_that_the_users_settings_name_and_no_others(tmp_path: Path) -> None:
    home = Home(
        tmp_path / "home",
        "[ambient]\nforge_token_env = 'FORGE_KEY'\n[notify]\nsmtp_password_env = 'MAIL_KEY'\n"
        "[safety]\nproactive = true\n",
    )
    given = {"FORGE_KEY": "f", "MAIL_KEY": "m", "SSH_AUTH_SOCK": "/run/agent", "OTHER_KEY": "o"}
    try:
        pid = run(home.path, "start", "--json", env=given).json["pid"]
        has = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        assert {b"FORGE_KEY=f", b"MAIL_KEY=m", b"SSH_AUTH_SOCK=/run/agent"} <= set(has)
        assert not [each for each in has if each.startswith(b"OTHER_KEY")]
    finally:
        home.stop()


def test_the_commands_start_join_show_restart_and_stop(home: Home) -> None:
    assert run(home.path, "status").code == 3
    started = run(home.path, "start", "--json").json
    assert started["started"] is True
    joined = run(home.path, "start", "--json").json
    assert (joined["started"], joined["pid"]) == (False, started["pid"])
    status = run(home.path, "status", "--json")
    assert (status.code, status.json["pid"], status.json["ok"]) == (0, started["pid"], True)
    assert {step["name"] for step in status.json["steps"]} >= {"warm", "spool", "sessions", "indexes"}
    restarted = run(home.path, "restart", "--json").json
    assert restarted["pid"] != started["pid"]
    assert "serving" in run(home.path, "logs").out
    assert run(home.path, "stop", "--json").json == {"stopped": True}
    assert run(home.path, "stop", "--json").json == {"stopped": False}
    home.wait_until_gone()


def test_one_in_the_foreground_ends_cleanly_within_five_seconds_of_sigterm(home: Home) -> None:
    process = home.serve()
    second = run(home.path, "serve")
    assert second.code == 0
    assert f"process {process.pid}" in second.err
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0
    assert time.monotonic() - began < 5
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    assert not home.folder.address.exists()
    assert not home.folder.socket().exists()


def test_its_files_are_for_its_owner_alone(home: Home) -> None:
    home.start()
    assert stat.S_IMODE(home.folder.path.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.folder.path.iterdir()}
    assert {"lock", "token", "port", "address.json", "socket", "log"} <= modes.keys()
    assert set(modes.values()) == {0o600}


def test_a_long_path_still_has_a_socket(
    make_home: Callable[..., Home], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    home = make_home("a" * 60 + "/" + "b" * 60)
    assert len(os.fsencode(home.folder.path / "socket")) > SOCKET_BYTES_MAX
    home.start()
    elsewhere = home.folder.socket().parent
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700
    home.stop()
    elsewhere.rmdir()


def test_the_port_and_token_stay_over_a_restart(home: Home) -> None:
    home.start()
    before = (client.read_address(str(home.path))["http"], client.read_token(str(home.path)))
    home.stop()
    home.start()
    assert (client.read_address(str(home.path))["http"], client.read_token(str(home.path))) == before


def test_bad_settings_are_told_at_start_and_leave_nothing_running(make_home: Callable[..., Home]) -> None:
    home = make_home(settings="[daemon]\nport = 70000\n")
    started = run(home.path, "start")
    assert started.code == 1
    assert "daemon.port" in started.err
    home.wait_until_gone()


@pytest.mark.parametrize(
    ("minutes", "running", "idle_seconds", "ends"),
    [(0, 0, 1e9, False), (5, 0, 299, False), (5, 0, 301, True), (5, 1, 301, False)],
)
def test_one_that_nobody_uses_ends_when_the_settings_say_so(
    minutes: int, running: int, idle_seconds: float, ends: bool
) -> None:
    assert is_idle(DaemonSettings(idle_exit_minutes=minutes), running=running, idle_seconds=idle_seconds) is ends


def test_a_port_that_is_taken_is_told_and_leaves_nothing_running(make_home: Callable[..., Home]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        home = make_home(settings=f"[daemon]\nport = {taken.getsockname()[1]}\n")
        started = run(home.path, "start")
    assert started.code == 1
    assert "daemon.port" in started.err
    home.wait_until_gone()


def test_asking_when_nobody_is_there_says_so_at_once(home: Home) -> None:
    began = time.monotonic()
    with pytest.raises(DaemonAway, match="nightgarden start"):
        home.ask("ping")
    assert time.monotonic() - began < 1


def test_asking_a_hung_one_gives_up_in_time_and_commands_do_without_it(home: Home) -> None:
    process = home.start()
    wait_for(lambda: all(step["runs"] for step in home.ask("status")["steps"][:2]), "an open garden")
    os.kill(process, signal.SIGSTOP)
    with pytest.raises(DaemonSlow):
        home.ask("ping", timeout_ms=100)
    assert run(home.path, "remember", "Deploys happen on Mondays", "--json").json["verdict"] == "saved"


def test_switched_off_it_is_never_started_on_demand(make_home: Callable[..., Home]) -> None:
    home = make_home(settings="[daemon]\non_demand = false\n")
    assert client.start_in_background(str(home.path)) is False
    assert home.processes() == []


def test_a_second_client_does_not_start_another_within_seconds(home: Home) -> None:
    assert client.start_in_background(str(home.path)) is True
    assert client.start_in_background(str(home.path)) is False
    wait_for(home.ping, "an answer")


def test_the_client_imports_nothing_heavy() -> None:
    code = "import sys, nightgarden.surfaces.client; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"asyncio", "dataclasses", "pathlib", "tomllib", "subprocess", "argparse", "logging", "inspect"}
    assert not heavy & set(loaded)


async def test_a_failing_step_is_counted_and_the_others_go_on() -> None:
    good_runs = asyncio.Event()

    async def bad() -> Done:
        raise RuntimeError("the disk is on fire")

    async def slow() -> Done:
        await asyncio.sleep(60)
        return Done(line="", again_seconds=None)

    async def good() -> Done:
        good_runs.set()
        return Done(line="did it", again_seconds=None)

    steps = (
        BackgroundStep(name="bad", run=bad, seconds_max=1),
        BackgroundStep(name="slow", run=slow, seconds_max=0.01),
        BackgroundStep(name="good", run=good, seconds_max=1),
    )
    background = BackgroundRunner(steps, Ticking())
    background.start()
    await asyncio.wait_for(good_runs.wait(), 10)
    async with asyncio.timeout(10):
        while not all(health.runs for health in background.health()):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.001)
    shapes = {health.name: health.shape() for health in background.health()}
    await background.close()
    assert (shapes["bad"]["ok"], shapes["bad"]["failures"]) == (False, 1)
    assert shapes["bad"]["last_error"] == "the disk is on fire"
    assert shapes["slow"]["line"] == "failing: not done within 0.01 s"
    assert (shapes["good"]["ok"], shapes["good"]["line"]) == (True, "did it")


def test_an_idle_daemon_uses_no_measurable_processor_time(home: Home) -> None:
    process = home.start()
    early = ("warm", "spool", "sessions")  # what it does in its first seconds; the rest comes after a minute

    def settled_down() -> bool:
        return all(step["runs"] for step in home.ask("status")["steps"] if step["name"] in early)

    wait_for(settled_down, "the first run of the background")

    def ticks() -> int:
        fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    settled = ticks()
    began = time.monotonic()
    wait_for(lambda: time.monotonic() - began > 3, "three seconds of rest")
    assert (ticks() - settled) / os.sysconf("SC_CLK_TCK") <= 0.05
    assert DaemonFolder(home.path).holder() == process
