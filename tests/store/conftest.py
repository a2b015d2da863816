"""A `store` on each engine, empty and of its own for each test."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from nightgarden.domain.ports import Store
from nightgarden.store import postgres, sqlite
from tests.store.server import Server, running_server

ENGINES = ("sqlite", "postgres")


@dataclass(frozen=True)
class Place:
    """Where a garden of a test lives. Opening it twice gives two stores on one garden."""

    engine: str
    address: str

    async def open(self) -> Store:
        if self.engine == "postgres":
            return await postgres.open_store(self.address)
        return await sqlite.open_store(self.address)


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Server]:
    """One real server for the whole run, shared by its workers."""
    root = tmp_path_factory.getbasetemp()
    with running_server(root if worker_id == "master" else root.parent) as server:
        yield server


@pytest.fixture
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Place]]:
    """Makes places for gardens; those on the server are dropped after the test."""
    schemas: list[str] = []

    def make(engine: str) -> Place:
        if engine == "sqlite":
            return Place(engine, str(tmp_path / f"garden{len(list(tmp_path.iterdir()))}.db"))
        server: Server = request.getfixturevalue("postgres_server")
        schemas.append(server.new_schema(re.sub(r"\W+", "_", request.node.name.lower())))
        return Place(engine, server.url(schemas[-1]))

    yield make
    if schemas:
        request.getfixturevalue("postgres_server").drop_schemas(schemas)


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest, new_place: Callable[[str], Place]) -> Place:
    return new_place(request.param)


@pytest.fixture
async def store(place: Place) -> AsyncIterator[Store]:
    opened = await place.open()
    yield opened
    await opened.close()


@pytest.fixture
async def open_again(place: Place) -> AsyncIterator[Callable[[], Awaitable[Store]]]:
    """Opens further stores on the garden of this test, as another process would."""
    opened: list[Store] = []

    async def open_one() -> Store:
        opened.append(await place.open())
        return opened[-1]

    yield open_one
    for each in opened:
        await each.close()
