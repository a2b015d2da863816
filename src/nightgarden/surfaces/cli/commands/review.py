"""The command that settles contradictions: flagged."""

from __future__ import annotations

import argparse
import sys

from nightgarden.domain.doubt import describe
from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.memory import Memory
from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.ids import add_id, short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, when
from nightgarden.surfaces.cli.shapes import memory_shape


def add_flagged(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", nargs="?", help="decide about this one instead of listing all")
    decision = parser.add_mutually_exclusive_group()
    decision.add_argument("--keep", action="store_true", help="it is right: what it contradicts is replaced by it")
    decision.add_argument("--drop", action="store_true", help="it is wrong: archive it")
    decision.add_argument("--both", action="store_true", help="both are right: unflag it")
    parser.add_argument("--scope", "-s", help="one scope only, or `all`; default: global and this project")
    add_common(parser)
    parser.set_defaults(call=on_garden(_flagged))


async def _flagged(garden: Garden, arguments: argparse.Namespace) -> int:
    choice = next((name for name in ("keep", "drop", "both") if getattr(arguments, name)), None)
    if arguments.id is not None:
        if choice is None:
            raise BadInput("say what to do with it: --keep, --drop or --both")
        memory = await garden.settle_flag(arguments.id, choice)
        if arguments.json:
            print_json({"decision": choice, "memory": memory_shape(memory)})
        else:
            print(f"{paint(choice, 'green')}: {memory.content}")
        return 0
    if choice is not None:
        raise BadInput(f"--{choice} needs the id of a flagged memory")
    found = await garden.list(scope=arguments.scope, flagged=True, limit=None, newest_first=False)
    pairs = [(memory, await _against(garden, memory)) for memory in found]
    if arguments.json:
        shape = [{"memory": memory_shape(m), "against": [memory_shape(a) for a in against]} for m, against in pairs]
        print_json({"flagged": shape})
        return 0
    asking = sys.stdout.isatty() and sys.stdin.isatty()  # before anything is printed: the daemon leaves asking to us
    for memory, against in pairs:
        _print_pair(memory, against)
        asking = asking and await _ask(garden, memory, against)
    print(paint(f"{count(len(pairs), 'memory')} to decide on", "dim"))
    return 0


async def _against(garden: Garden, memory: Memory) -> list[Memory]:
    edges = await garden.store.edges([memory.id], kinds=[EdgeKind.CONTRADICTS])
    ids = [edge.target if edge.source == memory.id else edge.source for edge in edges]
    return [other for other in await garden.store.memories(ids) if other.live]


def _print_pair(memory: Memory, against: list[Memory]) -> None:
    print(f"{paint(short(memory.id), 'cyan')}  {when(memory.created_at)}  {memory.content}")
    print(paint(f"    {describe(memory.doubts)}", "yellow"))
    for other in against:
        print(f"    against {paint(short(other.id), 'cyan')}  {when(other.created_at)}  {other.content}")


async def _ask(garden: Garden, memory: Memory, against: list[Memory]) -> bool:
    """Whether to go on asking."""
    both = "[b]oth are right" if against else "[b] it is right after all"
    print(f"    [k]eep it, [d]rop it, {both}, [s]kip, [q]uit? ", end="", flush=True)
    answer = sys.stdin.readline().strip().lower()[:1]
    if choice := {"k": "keep", "d": "drop", "b": "both"}.get(answer):
        await garden.settle_flag(memory.id, choice)
        print(f"    {paint(choice, 'green')}")
    return answer != "q"
