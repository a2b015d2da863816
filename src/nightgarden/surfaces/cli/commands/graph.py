"""Commands on the graph: tag, link, related."""

from __future__ import annotations

import argparse

from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.record import to_record
from nightgarden.garden import Garden
from nightgarden.recall.related import through
from nightgarden.surfaces.cli.ids import add_id, short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import paint, print_json, print_table
from nightgarden.surfaces.cli.shapes import edge_shape, memory_shape

LINKS = [kind for kind in EdgeKind if kind not in (EdgeKind.HAS_TAG, EdgeKind.IN_CLUSTER)]


def add_tag(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", nargs="?", help="of a memory; without it, all tags are listed")
    parser.add_argument("tags", nargs="*", help="tags to add")
    parser.add_argument("--remove", "-r", action="append", default=[], metavar="TAG", help="a tag to take off")
    parser.add_argument("--describe", nargs=2, metavar=("TAG", "TEXT"), help="say what a tag is for")
    add_common(parser)
    parser.set_defaults(call=on_garden(_tag))


async def _tag(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.describe is not None:
        tag = await garden.learn.tiers.describe_tag(*arguments.describe)
        if arguments.json:
            print_json(to_record(tag))
        else:
            print(f"{tag.name}: {tag.description}")
        return 0
    if arguments.id is None:
        tags = await garden.tags()
        if arguments.json:
            print_json({"tags": [to_record(tag) for tag in tags]})
        else:
            rows = [(tag.name, str(tag.memory_count), tag.description) for tag in tags]
            print_table(("tag", "memories", "description"), rows)
        return 0
    memory = await garden.tag(arguments.id, add=arguments.tags, remove=arguments.remove)
    if arguments.json:
        print_json(memory_shape(memory))
    else:
        print(f"{short(memory.id)}: {', '.join(memory.tags) or 'no tags'}")
    return 0


def add_link(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "source", "memory", help="id of a memory")
    add_id(parser, "target", "memory", help="id of another memory")
    parser.add_argument("--kind", "-k", choices=LINKS, default=EdgeKind.RELATES_TO)
    parser.add_argument("--weight", "-w", type=float, default=0.5, help="above 0, at most 1")
    add_common(parser)
    parser.set_defaults(call=on_garden(_link))


async def _link(garden: Garden, arguments: argparse.Namespace) -> int:
    edge = await garden.link(arguments.source, arguments.target, arguments.kind, weight=arguments.weight)
    if arguments.json:
        print_json(edge_shape(edge))
    else:
        print(f"{paint('linked', 'green')} {short(edge.source)} {edge.kind} {short(edge.target)} ({edge.weight:g})")
    return 0


def add_related(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", help="of a memory")
    parser.add_argument("--depth", "-d", type=int, default=1, choices=range(1, 5), help="how many links away")
    add_common(parser)
    parser.set_defaults(call=on_garden(_related, reads=True))


async def _related(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await garden.related(arguments.id, depth=arguments.depth)
    names = await through(garden.store, found)
    if arguments.json:
        shape = [
            {"memory": memory_shape(memory), "edge": edge_shape(edge), "through": names[memory.id]}
            for memory, edge in found
        ]
        print_json({"related": shape})
        return 0
    rows = [(short(memory.id), names[memory.id], f"{edge.weight:g}", memory.content) for memory, edge in found]
    print_table(("id", "through", "weight", "content"), rows)
    return 0
