"""Fixtures for tests that drive real clients: the model server, a fresh home, and each client ready to be asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.drive import ClaudeCodeClient, CodexClient, Desk, OpenCodeClient
from tests.clients.model_server import ModelServer


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """Answers "ok" until a test gives it rules."""
    with ModelServer() as server:
        yield server


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    home = tmp_path / "home"
    project = home / "project"
    project.mkdir(parents=True)
    return Desk(home=home, project=project)


@pytest.fixture
def claude(desk: Desk, model: ModelServer) -> ClaudeCodeClient:
    return ClaudeCodeClient(desk=desk, server_url=model.url)


@pytest.fixture
def codex(desk: Desk, model: ModelServer) -> CodexClient:
    client = CodexClient(desk=desk, server_url=model.url)
    client.configure()
    return client


@pytest.fixture
def opencode(desk: Desk, model: ModelServer) -> OpenCodeClient:
    client = OpenCodeClient(desk=desk, server_url=model.url)
    client.configure()
    return client
