"""Gardens for tests. No test touches the real home: each has a data folder of its own, and a clock that it moves."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from nightgarden import Garden, Settings
from nightgarden.settings import EmbeddingSettings, TurnSettings

# Most tests are about what happens to a statement, not about whether it is worth keeping, and say "bed 7 is watered by
# keeper 7": for them exact rules judge alone. Tests of judgement take the variable away again.
os.environ["NG_CLASSIFIER_FOLDER"] = os.devnull

# Searches by words. An answer is shown however late it comes: tests of the deadline set one of their own.
BY_WORDS = Settings(embedding=EmbeddingSettings(model="off"), turn=TurnSettings(deadline_ms=60_000))

# How long an example takes depends on who else uses the machine. The same examples at every run, so that a change is
# judged by what it changed; `make explore` looks for new ones.
QUIET: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same examples", derandomize=True, **QUIET)
settings.register_profile("new examples", max_examples=300, print_blob=True, **QUIET)
settings.load_profile(os.environ.get("NIGHTGARDEN_TEST_EXAMPLES", "same examples"))

# Real clients and daemons depend on when the machine runs whom: there, and there alone, a failure may be tried again.
AGAIN_IN = ("clients", "runtime")
AGAIN = 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(item.path).relative_to(Path(__file__).parent).parts[0] in AGAIN_IN:
            item.add_marker(pytest.mark.flaky(reruns=AGAIN))


Open = Callable[..., AbstractAsyncContextManager[Garden]]


class Ticking:
    """A clock that moves one second each time it is asked, so that no two moments are equal."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of this test, set in the environment too."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("NIGHTGARDEN_HOME", str(folder))
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def open_garden(home: Path, project: Path) -> Open:
    """Opens this test's garden, by words alone unless other settings are given."""
    clock = Ticking()

    def open_one(path: Path | None = None, *, settings: Settings = BY_WORDS, **more: Any) -> Any:
        given: dict[str, Any] = {"directory": project, "settings": settings, "clock": clock}
        return Garden.open(path or home / "garden.db", **(given | more))

    return open_one


@pytest.fixture
async def garden(open_garden: Open) -> AsyncIterator[Garden]:
    """An empty garden that searches by words: fast, and the same on every machine."""
    async with open_garden() as opened:
        yield opened
