"""A data folder with a few memories and a running daemon, and the environment of an MCP client's server process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import environment, run
from tests.runtime.running import Home, wait_for

COMMAND = (sys.executable, "-m", "nightgarden", "mcp")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    home = Home(tmp_path_factory.mktemp("mcp") / "home")
    home.start()
    for text in ("The staging database runs on port 5433", "Never deploy on a Friday"):
        assert run(home.path, "remember", text).code == 0  # the user's own word
    wait_for(home.ping, "an answer")
    yield home
    home.kill_all()


@pytest.fixture
def env(home: Home) -> dict[str, str]:
    """Without the variable that switches models off: the settings file says it already."""
    kept = environment(home.path)
    del kept["NIGHTGARDEN_EMBEDDING_MODEL"]
    return kept


@pytest.fixture
def directory(home: Home) -> Path:
    return home.path
