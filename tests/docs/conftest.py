"""A home, a working folder and a database server for the examples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.server import Server, running_server


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a reader would type the examples: an empty folder, a home of its own, no model, no terminal."""
    monkeypatch.setenv("NIGHTGARDEN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", "off")
    monkeypatch.setenv("NO_COLOR", "1")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


@pytest.fixture(scope="session")
def team_server(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Server]:
    """The server that the pages call db.example.org."""
    root = tmp_path_factory.getbasetemp()
    with running_server(root if worker_id == "master" else root.parent) as server:
        yield server
