"""Gardens with an ambient agent, and a clock that moves when it is told to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from nightgarden import Garden, Settings
from nightgarden.ambient.ambient import Ambient
from nightgarden.settings import AmbientSettings
from tests.conftest import BY_WORDS, Open
from tests.store.conftest import new_place, place, postgres_server  # noqa: F401 - fixtures of both stores

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


class Standing:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.moment = NOW

    def now(self) -> datetime:
        return self.moment

    def pass_(self, **length: float) -> None:
        self.moment += timedelta(**length)


def ambient_settings(**more: Any) -> Settings:
    return replace(BY_WORDS, ambient=AmbientSettings(**({"enabled": True} | more)))


@pytest.fixture
def clock() -> Standing:
    return Standing()


@pytest.fixture
def open_here(open_garden: Open, clock: Standing) -> Callable[..., Any]:
    """Opens this test's garden with ambient on; keyword `ambient` has its settings."""

    def open_one(ambient: dict[str, Any] | None = None, **more: Any) -> Any:
        return open_garden(clock=clock, settings=ambient_settings(**(ambient or {})), **more)

    return open_one


@pytest.fixture
async def garden(open_here: Callable[..., Any]) -> AsyncIterator[Garden]:
    async with open_here() as opened:
        yield opened


@pytest.fixture
def ambient(garden: Garden) -> Ambient:
    return Ambient(garden)
