"""Commands on what counts: candidates, promote, pin, unpin."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable
from functools import partial

from nightgarden.domain.memory import Memory
from nightgarden.garden import Garden
from nightgarden.learn.tiers import Tiers
from nightgarden.surfaces.cli.numbered import print_numbered
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json
from nightgarden.surfaces.cli.shapes import memory_shape
from nightgarden.surfaces.cli.short_ids import add_id, short

Act = Callable[[Tiers, str], Awaitable[Memory]]


def add_candidates(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "A candidate is promoted when it is met again or used, or by `nightgarden promote`."
    parser.add_argument("--scope", "-s", help="one scope only, or `all`; default: global and this project")
    parser.add_argument("--limit", "-n", type=int, default=20, help="how many at most (default 20)")
    add_common(parser)
    parser.set_defaults(call=on_garden(_candidates, reads=True))


async def _candidates(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await garden.learn.tiers.candidates(scopes=garden.scopes(arguments.scope), limit=arguments.limit)
    if arguments.json:
        print_json({"candidates": [memory_shape(memory) for memory in found]})
        return 0
    rows = [(short(m.id), str(m.category), f"{m.confidence:.2f}", str(m.observation_count), m.content) for m in found]
    print_numbered(arguments, ("id", "category", "sure", "seen", "content"), rows, [memory.id for memory in found])
    print(paint(count(len(found), "candidate"), "dim"))
    return 0


async def promote(tiers: Tiers, memory_id: str) -> Memory:
    return await tiers.promote(memory_id)


async def pin(tiers: Tiers, memory_id: str) -> Memory:
    return await tiers.pin(memory_id)


async def unpin(tiers: Tiers, memory_id: str) -> Memory:
    return await tiers.unpin(memory_id)


def add_promote(parser: argparse.ArgumentParser) -> None:
    _add(parser, "promoted", promote)


def add_pin(parser: argparse.ArgumentParser) -> None:
    _add(parser, "pinned", pin)


def add_unpin(parser: argparse.ArgumentParser) -> None:
    _add(parser, "unpinned", unpin)


def _add(parser: argparse.ArgumentParser, word: str, act: Act) -> None:
    add_id(parser, "id", "memory", help="of a memory")
    add_common(parser)
    parser.set_defaults(call=on_garden(partial(_act, word, act)))


async def _act(word: str, act: Act, garden: Garden, arguments: argparse.Namespace) -> int:
    memory = await act(garden.learn.tiers, arguments.id)
    if arguments.json:
        print_json(memory_shape(memory))
    else:
        print(f"{paint(word, 'green')} {short(memory.id)}: {memory.content}")
    return 0
