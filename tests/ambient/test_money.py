"""What is paid by the token: never asked unless the user allowed it, and then under a cap of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycles import CyclePhase
from nightgarden.settings import MindSettings
from tests.ambient.conftest import ambient_settings
from tests.ambient.test_over_http import END, calls, run
from tests.clients.model_server import ModelServer, Rule
from tests.conftest import Open


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(rules=[Rule(reply=calls("end_ambient_cycle", **END))]) as running:
        yield running


@pytest.fixture
def open_paid(open_garden: Open, clock: Any, server: ModelServer) -> Any:
    """A mind that is found by itself, and is a provider by API key at an address of the user's choice."""
    mind = MindSettings(
        kind="auto", api_provider="openai", base_url=f"{server.url}/v1", model="scripted-model", api_key_env="KEY"
    )
    return lambda **ambient: open_garden(clock=clock, settings=replace(ambient_settings(**ambient), mind=mind))


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"PATH": str(tmp_path), "KEY": "k", "NIGHTGARDEN_HOME": str(tmp_path / "home")}


async def test_a_provider_by_key_is_not_asked_unless_that_is_allowed(
    open_paid: Any, env: dict[str, str], server: ModelServer
) -> None:
    async with open_paid() as garden:
        assert Ambient(garden, env=env).converser() is None
    assert server.asked == []


async def test_one_that_is_allowed_is_asked_within_its_own_daily_budget(
    open_paid: Any, env: dict[str, str], server: ModelServer
) -> None:
    async with open_paid(allow_api_keys=True, api_daily_budget=70_000) as garden:
        ambient = Ambient(garden, env=env)
        assert (await ambient.money()).cap == 70_000
        assert (await run(ambient)).status is CyclePhase.COMPLETE
    assert len(server.asked) == 1


async def test_its_budget_holds_also_when_it_stands_in_for_a_program_that_fails(
    open_paid: Any, env: dict[str, str], server: ModelServer, tmp_path: Path
) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    program.chmod(0o755)
    async with open_paid(allow_api_keys=True, api_daily_budget=1) as garden:
        cycle = await run(Ambient(garden, env=env))
    assert cycle.status is CyclePhase.INCOMPLETE
    assert server.asked == []
