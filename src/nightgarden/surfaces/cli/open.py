"""Opening the garden a command works on, and running its coroutine."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from nightgarden.errors import BadInput, CorruptGarden, StoreUnavailable
from nightgarden.garden import Garden
from nightgarden.settings import settings_problems
from nightgarden.surfaces.cli.numbered import replace_numbers
from nightgarden.surfaces.cli.short_ids import complete_ids

Work = Callable[[Garden, argparse.Namespace], Awaitable[int]]


def opened(arguments: argparse.Namespace, *, read_only: bool = False) -> AbstractAsyncContextManager[Garden]:
    """The garden that the arguments and settings name."""
    return Garden.open(arguments.garden, directory=arguments.directory, read_only=read_only)


def tell_of_settings(directory: str | None = None) -> None:
    """What was left out of the project's settings file, on standard error."""
    for problem in settings_problems(Path(directory) if directory else None):
        print(f"nightgarden: {problem}", file=sys.stderr)


@dataclass(frozen=True, slots=True, kw_only=True)
class GardenCommand:
    """A command that opens the garden itself, because it needs its caller's own files or shows how far it is.

    One that only reads still works when the file is damaged or may not be written.
    """

    work: Work
    reads: bool

    def __call__(self, arguments: argparse.Namespace) -> int:
        return asyncio.run(self._run(arguments))

    async def _run(self, arguments: argparse.Namespace) -> int:
        try:
            async with opened(arguments) as garden:
                return say_damage(garden, await self.work(garden, arguments))
        except (CorruptGarden, StoreUnavailable) as error:
            if not self.reads:
                raise
            why = error
        try:
            async with opened(arguments, read_only=True) as garden:
                if isinstance(why, CorruptGarden):
                    print(f"nightgarden: {why} Reading what can be read.", file=sys.stderr)
                return say_damage(garden, await self.work(garden, arguments))
        except (BadInput, StoreUnavailable):
            raise why from None


def say_damage(garden: Garden, code: int) -> int:
    """Says when a command had to leave out records that it could not read."""
    if number := garden.damaged:
        print(
            f"nightgarden: {number} damaged record{'s were' if number > 1 else ' was'} left out; "
            "`nightgarden doctor` says which, `nightgarden doctor --repair` rebuilds what can be rebuilt",
            file=sys.stderr,
        )
    return code


def on_garden(work: Work, *, reads: bool = False) -> GardenCommand:
    """The command that does this work, given whole ids. Always in the caller's own process."""

    async def with_whole_ids(garden: Garden, arguments: argparse.Namespace) -> int:
        replace_numbers(arguments)
        await complete_ids(garden, arguments)
        return await work(garden, arguments)

    return GardenCommand(work=with_whole_ids, reads=reads)
