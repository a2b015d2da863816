"""The daemon killed a hundred ways: nothing is left running, nothing acknowledged is lost, and the next one starts."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from nightgarden.errors import NightgardenError
from nightgarden.garden import Garden
from nightgarden.surfaces import client
from nightgarden.surfaces.daemon.folder import take_lock
from tests.runtime.running import Home, wait_for

Make = Callable[..., Home]
# How far a daemon has come when it is killed, each as something that can be seen from outside.
PHASES: dict[str, Callable[[Home], object]] = {
    "first process": lambda home: home.processes(),
    "folder made": lambda home: home.folder.path.is_dir(),
    "lock taken": lambda home: home.folder.holder(),
    "token made": lambda home: (home.folder.path / "token").exists(),
    "socket there": lambda home: home.folder.socket().exists(),
    "address published": lambda home: home.folder.address.exists(),
    "answers": lambda home: home.ping(),
    "garden made": lambda home: (home.path / "garden.db").exists(),
}
DEADLY = ("SIGTERM", "SIGINT", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGABRT", "SIGSEGV", "SIGUSR1")


def send(process: int, name: str) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, getattr(signal, name))


def kill_everything(home: Home, name: str) -> None:
    """Each process of this folder gets the signal, also one that the first forks while it is being sent."""

    def gone() -> bool:
        for process in home.processes():
            send(process, name)
        return not home.processes()

    wait_for(gone, f"an end by {name}")


@pytest.mark.parametrize("name", DEADLY)
def test_killed_at_any_phase_of_its_start_it_leaves_no_process(name: str, make_home: Make) -> None:
    homes = {phase: make_home(f"{index}") for index, phase in enumerate(PHASES)}
    for home in homes.values():
        home.spawn()
    for phase, home in homes.items():
        wait_for(lambda home=home, phase=phase: PHASES[phase](home), phase)  # type: ignore[misc]
        kill_everything(home, name)
    for home in homes.values():

        def free(home: Home = home) -> object:
            # A process that is just becoming another program has no environment to be known by, and may have missed
            # the signal: it gets it now, before the lock is tried.
            kill_everything(home, name)
            return take_lock(home.folder)

        wait_for(free, "the lock, which the kernel let go of").release()  # type: ignore[attr-defined]
    again = homes["lock taken"]
    assert again.start()
    again.stop()
    again.wait_until_gone()


@pytest.mark.parametrize("name", DEADLY)
async def test_killed_while_writing_it_loses_nothing_that_was_acknowledged(name: str, make_home: Make) -> None:
    homes = [make_home(f"{index}") for index in range(3)]
    for home in homes:
        home.spawn()
    for index, home in enumerate(homes):
        process = int(wait_for(home.ping, "an answer")["pid"])
        acknowledged: list[str] = []
        with suppress(NightgardenError), client.Connection(str(home.path), timeout_ms=30_000) as connection:
            for number in range(40):
                if number == 2 + 3 * index:
                    send(process, name)
                text = {"text": f"Sensor {number} of hall {index} is read every {number + 2} minutes"}
                acknowledged.append(connection.ask("remember", text, directory=str(home.path), timeout_ms=30_000)["id"])
        kill_everything(home, "SIGTERM")
        async with Garden.open(home.path / "garden.db", directory=home.path) as garden:
            kept = {memory.id for memory in await garden.list(scope="all", limit=None)}
            assert set(acknowledged) <= kept
            assert all(check.ok for check in await garden.doctor())


def remove_socket(home: Home) -> None:
    home.folder.socket().unlink()


def remove_lock(home: Home) -> None:
    home.folder.lock.unlink()


def remove_folder(home: Home) -> None:
    shutil.rmtree(home.folder.path)


def remove_home(home: Home) -> None:
    shutil.rmtree(home.path)


def replace_lock(home: Home) -> None:
    home.folder.lock.unlink()
    home.folder.lock.write_text("1", "ascii")


def ask_to_stop(home: Home) -> None:
    home.ask("stop")


LOSSES = (remove_socket, remove_lock, remove_folder, remove_home, replace_lock, ask_to_stop)


def test_it_ends_by_itself_when_nobody_could_find_it_any_more(make_home: Make) -> None:
    homes = {lose: make_home(lose.__name__) for lose in LOSSES}
    for home in homes.values():
        home.spawn()
    for lose, home in homes.items():
        wait_for(home.ping, "an answer")
        lose(home)
    for home in homes.values():
        home.wait_until_gone()


def another(home: Home, hung: int) -> dict[str, Any] | None:
    found = home.ping()
    return found if found and found["pid"] != hung else None


def test_a_hung_one_is_replaced_at_any_phase(make_home: Make) -> None:
    late = ("lock taken", "socket there", "address published", "answers", "garden made")
    homes = {phase: make_home(f"{index}", "[daemon]\nhung_seconds = 0.5\n") for index, phase in enumerate(late)}
    for home in homes.values():
        home.spawn()
    for phase, home in homes.items():
        wait_for(lambda home=home, phase=phase: PHASES[phase](home), phase)  # type: ignore[misc]
        hung = wait_for(home.folder.holder, "a holder")
        assert hung is not None
        send(hung, "SIGSTOP")
        home.spawn()
        new = wait_for(lambda home=home, hung=hung: another(home, hung), "another daemon")  # type: ignore[misc]
        wait_for(lambda home=home, new=new: home.processes() == [new["pid"]], "that one alone")  # type: ignore[misc]
        home.stop()
        home.wait_until_gone()


def test_killed_while_it_stops_it_is_gone_all_the_same(make_home: Make) -> None:
    for index, name in enumerate(("SIGTERM", "SIGKILL", "SIGINT", "SIGHUP")):
        home = make_home(f"{index}")
        process = home.start()
        home.ask("stop")
        send(process, name)
        home.wait_until_gone()


def test_a_storm_of_starts_leaves_exactly_one(home: Home) -> None:
    for _ in range(12):
        home.spawn()
    wait_for(home.ping, "an answer")
    wait_for(lambda: len(home.processes()) == 1, "one process")
    assert home.processes() == [home.folder.holder()]
    home.stop()
    home.wait_until_gone()
