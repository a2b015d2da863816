"""Gardens that have read the sessions of sessions.txt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from nightgarden import Garden
from tests.learn.corpus import Script, write

Read = Callable[[Garden, Sequence[Script]], Awaitable[None]]


@pytest.fixture
def read(tmp_path: Path, project: Path) -> Read:
    """Writes transcripts as the clients do, and has the garden read them."""

    async def read_all(garden: Garden, chosen: Sequence[Script]) -> None:
        user = tmp_path / "user"
        write(user, project, chosen)
        for client in ("claude-code", "codex", "opencode"):
            await garden.sessions.allow(client)
        await garden.sessions.scan(home=user)

    return read_all
