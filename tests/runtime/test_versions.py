"""A daemon and a garden of two versions: the older one never writes what the newer one does not expect."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from nightgarden._version import __version__
from nightgarden.errors import RunLocally
from tests.cli.command import environment, run
from tests.runtime.running import Home, wait_for

OLDER = """
import nightgarden._version as version
version.__version__ = "0.0.1"
from nightgarden.surfaces.daemon.__main__ import main
main([])
"""


def test_a_daemon_ends_when_a_newer_program_has_migrated_the_garden(home: Home) -> None:
    home.start()
    home.ask("remember", {"text": "The old roses stand by the wall"}, directory=str(home.path))
    with closing(sqlite3.connect(home.path / "garden.db")) as db:
        db.execute("PRAGMA user_version = 9999")
    with pytest.raises(RunLocally, match="older than the garden"):
        home.ask("remember", {"text": "The new roses stand by the gate"}, directory=str(home.path))
    home.wait_until_gone()
    with closing(sqlite3.connect(home.path / "garden.db")) as db:
        assert db.execute("SELECT count(*) FROM memory").fetchone() == (1,)
    assert "older than the garden" in home.folder.log.read_text("utf-8")


def test_a_daemon_ends_when_only_its_own_background_work_met_a_newer_garden(home: Home) -> None:
    home.start()
    home.ask("remember", {"text": "The old roses stand by the wall"}, directory=str(home.path))
    with closing(sqlite3.connect(home.path / "garden.db")) as db:
        db.execute("PRAGMA user_version = 9999")
    # Reading is answered; that it was read is counted afterwards, by nobody's request.
    assert home.ask("recall", {"query": "old roses"}, directory=str(home.path))["results"]
    home.wait_until_gone()
    assert "older than the garden" in home.folder.log.read_text("utf-8")


def test_start_replaces_a_daemon_of_an_older_version(home: Home) -> None:
    older = subprocess.Popen([sys.executable, "-c", OLDER], env=environment(home.path), stderr=subprocess.DEVNULL)
    assert (wait_for(home.ping, "an answer to ping"))["version"] == "0.0.1"
    started = run(home.path, "start", "--json").json
    assert (started["started"], started["version"]) == (True, __version__)
    assert older.wait(60) is not None
