"""Opening the garden a command works on, and running its coroutine."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from nightgarden.errors import BadInput, CorruptGarden, StoreUnavailable
from nightgarden.garden import Garden

Work = Callable[[Garden, argparse.Namespace], Awaitable[int]]


def opened(arguments: argparse.Namespace, *, read_only: bool = False) -> AbstractAsyncContextManager[Garden]:
    """The garden that the arguments and settings name."""
    return Garden.open(arguments.garden, directory=arguments.directory, read_only=read_only)


def on_garden(work: Work, *, reads: bool = False) -> Callable[[argparse.Namespace], int]:
    """A command that works on an open garden. One that only reads still works when the file is damaged or may not be
    written."""

    async def run(arguments: argparse.Namespace) -> int:
        try:
            async with opened(arguments) as garden:
                return await work(garden, arguments)
        except (CorruptGarden, StoreUnavailable) as error:
            if not reads:
                raise
            why = error
        try:
            async with opened(arguments, read_only=True) as garden:
                if isinstance(why, CorruptGarden):
                    print(f"nightgarden: {why} Reading what can be read.", file=sys.stderr)
                return await work(garden, arguments)
        except (BadInput, StoreUnavailable):
            raise why from None

    return lambda arguments: asyncio.run(run(arguments))
