"""Data folders whose daemons never outlive their test."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.runtime.running import Home

# A shell starts background jobs with these two ignored, and children inherit that: a daemon could then not be killed by
# them, whatever it does.
for _name, _action in ((signal.SIGQUIT, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)):
    if signal.getsignal(_name) is signal.SIG_IGN:
        signal.signal(_name, _action)


@pytest.fixture
def make_home(tmp_path: Path) -> Iterator[Callable[..., Home]]:
    homes: list[Home] = []

    def make(name: str = "home", settings: str = "") -> Home:
        homes.append(Home(tmp_path / name, settings))
        return homes[-1]

    yield make
    for home in homes:
        home.kill_all()


@pytest.fixture
def home(make_home: Callable[..., Home]) -> Home:
    return make_home()
