"""Commands on the graph: tag, link, related."""

from __future__ import annotations

import argparse

from nightgarden.domain.requests.counting import DescribeTag
from nightgarden.domain.requests.reading import Related, Tags
from nightgarden.domain.requests.writing import Link, TagRequest
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.numbered import print_numbered
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import paint, print_json, print_table, short


def add_tag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="id of a memory; without it, all tags are listed")
    parser.add_argument("tags", nargs="*", help="tags to add")
    add_fields(parser, TagRequest, leave_out=("id",))
    parser.add_argument("--describe", nargs=2, metavar=("TAG", "TEXT"), help="say what a tag is for")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_tag))


def _tag(ask: Asker, arguments: argparse.Namespace) -> int:
    if arguments.describe is not None:
        name, text = arguments.describe
        tag = ask(DescribeTag, {"tag": name, "description": text})
        if arguments.json:
            print_json(tag)
        else:
            print(f"{tag['name']}: {tag['description']}")
        return 0
    if arguments.id is None:
        answer = ask(Tags)
        if arguments.json:
            print_json(answer)
        else:
            rows = [(tag["name"], str(tag["memory_count"]), tag["description"]) for tag in answer["tags"]]
            print_table(("tag", "memories", "description"), rows)
        return 0
    memory = ask(TagRequest, given_by(TagRequest, arguments) | {"add": [*arguments.tags, *(arguments.add or [])]})
    if arguments.json:
        print_json(memory)
    else:
        print(f"{short(memory['id'])}: {', '.join(memory['tags']) or 'no tags'}")
    return 0


def add_link(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Link)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_link))


def _link(ask: Asker, arguments: argparse.Namespace) -> int:
    edge = ask(Link, given_by(Link, arguments))
    if arguments.json:
        print_json(edge)
    else:
        ends = f"{short(edge['source'])} {edge['kind']} {short(edge['target'])}"
        print(f"{paint('linked', 'green')} {ends} ({edge['weight']:g})")
    return 0


def add_related(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Related)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_related))


def _related(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(Related, given_by(Related, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        (short(each["memory"]["id"]), each["through"], f"{each['edge']['weight']:g}", each["memory"]["content"])
        for each in answer["related"]
    ]
    ids = [each["memory"]["id"] for each in answer["related"]]
    print_numbered(arguments, ("id", "through", "weight", "content"), rows, ids)
    return 0
