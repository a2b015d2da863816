"""The switch for all of memory: off and on."""

from __future__ import annotations

import argparse

from nightgarden.garden import Garden
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import paint, print_json


def add_off(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "While memory is off, connected agents are told nothing and their memory tools refuse, no tool is stopped, and "
        "nothing said in their sessions is kept, also not later. What is stored stays; your own commands work."
    )
    _add_where(parser)
    parser.set_defaults(call=on_garden(_off))


def add_on(parser: argparse.ArgumentParser) -> None:
    _add_where(parser)
    parser.set_defaults(call=on_garden(_on))


def _add_where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", "-p", action="store_true", help="only in this project; default: everywhere")
    add_common(parser)


async def _off(garden: Garden, arguments: argparse.Namespace) -> int:
    changed = await garden.switch(on=False, everywhere=not arguments.project)
    return await _say(garden, arguments, "off" if changed else "off already")


async def _on(garden: Garden, arguments: argparse.Namespace) -> int:
    changed = await garden.switch(on=True, everywhere=not arguments.project)
    return await _say(garden, arguments, "on" if changed else "on already")


async def _say(garden: Garden, arguments: argparse.Namespace, state: str) -> int:
    where = f"in {garden.place.name}" if arguments.project else "everywhere"
    off_here = await garden.is_off()
    if arguments.json:
        print_json({"scope": str(garden.place.scope) if arguments.project else "global", "off_here": off_here})
        return 0
    print(f"memory is {paint(state, 'yellow' if state.startswith('off') else 'green')} {where}")
    if state.startswith("on") and off_here:
        other = "nightgarden on" if arguments.project else "nightgarden on --project"
        print(f"  it is still off here: `{other}` switches that on too")
    return 0
