"""The gardens a daemon has open: the one of its data folder, and those that projects' settings name."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from nightgarden.errors import BadInput, NightgardenError, NotAllowed
from nightgarden.garden import Garden
from nightgarden.scope import Place, real_directory, resolve_place
from nightgarden.settings import Settings, garden_address, load_settings

GARDENS_MAX = 8  # a person works with one or two; more is a mistake or an attack on memory
_KNOWN_SECONDS = 2.0  # a settings file that was just edited counts after this
_KNOWN_MAX = 256
_REST_SECONDS = 0.4  # a client that was answered is busy itself: a prompt by process took 47 ms more instead of 56
_FAILED_SECONDS = 5.0  # a garden that could not be opened is not tried again at every prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class GardenSpot:
    """A directory with what was found out about it."""

    place: Place
    settings: Settings
    address: str


class Gardens:
    """Opens each garden once and shows it as somebody in a directory has it."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._open: dict[str, Garden] = {}
        self._failed: dict[str, tuple[float, NightgardenError]] = {}
        self._spots: dict[tuple[str, frozenset[tuple[str, str]]], tuple[float, GardenSpot]] = {}
        self._opening = asyncio.Lock()
        self._closing = AsyncExitStack()

    async def home(self) -> Garden:
        """The garden of the data folder itself, outside any project."""
        return await self.at(self._env["NIGHTGARDEN_HOME"], {})

    async def at(self, directory: str | None, env: Mapping[str, str]) -> Garden:
        """The garden of a directory, with the settings and the project there."""
        spot = await self.spot(directory, env)
        return (await self._opened(spot)).at(spot.place, spot.settings)

    async def register(self, garden: Garden) -> None:
        """Notes where the project of a garden is, once: opening did so for one directory only."""
        with suppress(NightgardenError):  # a store that cannot be written now: what is asked there says so itself
            await garden.register()

    async def spot(self, directory: str | None, env: Mapping[str, str]) -> GardenSpot:
        """What a directory means. `env` holds the caller's own variables, which go before the daemon's."""
        where = directory or self._env["NIGHTGARDEN_HOME"]
        key = (where, frozenset(env.items()))
        known = self._spots.get(key)
        if known is not None and time.monotonic() - known[0] < _KNOWN_SECONDS:
            return known[1]
        try:
            spot = await asyncio.to_thread(_look, where, {**self._env, **env})
        except (RuntimeError, ValueError) as error:  # a home that nobody has, a name that no file can have
            raise BadInput(f"the directory {where[:200]!r} cannot be used: {error}") from None
        if len(self._spots) >= _KNOWN_MAX:
            self._spots.clear()
        self._spots[key] = (time.monotonic(), spot)
        return spot

    async def _opened(self, spot: GardenSpot) -> Garden:
        if garden := self._open.get(spot.address):
            return garden
        async with self._opening:
            if garden := self._open.get(spot.address):
                return garden
            failed_at, failure = self._failed.get(spot.address, (0.0, None))
            if failure is not None and time.monotonic() - failed_at < _FAILED_SECONDS:
                raise failure
            if len(self._open) >= GARDENS_MAX:
                raise NotAllowed(f"the daemon has {GARDENS_MAX} gardens open already; restart it to open another")
            try:
                opening = Garden.open(
                    spot.address,
                    directory=spot.place.root,
                    settings=spot.settings,
                    env=self._env,
                    rest_seconds=_REST_SECONDS,
                )
                garden = await self._closing.enter_async_context(opening)
            except NightgardenError as error:
                self._failed[spot.address] = (time.monotonic(), error)
                raise
            self._open[spot.address] = garden
            return garden

    def opened(self) -> dict[str, Garden]:
        """Those that are open now, by address."""
        return dict(self._open)

    def outdated(self) -> list[str]:
        """Addresses of gardens that a newer program migrated: this one can write them no more."""
        return [address for address, garden in self._open.items() if garden.outdated]

    async def close(self) -> None:
        await self._closing.aclose()


def _look(directory: str, env: Mapping[str, str]) -> GardenSpot:
    """Reads files."""
    start = real_directory(directory)
    settings = load_settings(start, env)
    return GardenSpot(place=resolve_place(start, env), settings=settings, address=garden_address(settings, env))


def daemon_env(home: Path) -> dict[str, str]:
    """The environment a daemon works in."""
    return {**os.environ, "NIGHTGARDEN_HOME": str(home)}
