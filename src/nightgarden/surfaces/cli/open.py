"""Opening the garden a command works on, and running its coroutine."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from nightgarden.errors import CorruptGarden
from nightgarden.garden import Garden

Work = Callable[[Garden, argparse.Namespace], Awaitable[int]]


def opened(arguments: argparse.Namespace, *, read_only: bool = False) -> AbstractAsyncContextManager[Garden]:
    """The garden that the arguments and settings name."""
    return Garden.open(arguments.garden, directory=arguments.directory, read_only=read_only)


def on_garden(work: Work, *, reads: bool = False) -> Callable[[argparse.Namespace], int]:
    """A command that works on an open garden. One that only reads still works when the file is damaged."""

    async def run(arguments: argparse.Namespace) -> int:
        try:
            async with opened(arguments) as garden:
                return await work(garden, arguments)
        except CorruptGarden as error:
            if not reads:
                raise
            print(f"nightgarden: {error} Reading what can be read.", file=sys.stderr)
        async with opened(arguments, read_only=True) as garden:
            return await work(garden, arguments)

    return lambda arguments: asyncio.run(run(arguments))
