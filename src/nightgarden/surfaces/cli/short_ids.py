"""Short ids: what is printed in place of 26 characters, and what an argument stands for.

Ids begin with a timestamp, so those of one batch differ only at the end: the last characters are shown. A command takes
the beginning or the end of an id, or the beginning of what is shown of it, as long as only one thing matches.
"""

from __future__ import annotations

import argparse
from typing import Literal

from nightgarden.garden import Garden
from nightgarden.surfaces.cli.numbered import ID_KINDS, take_numbers
from nightgarden.surfaces.cli.screen import short as short
from nightgarden.surfaces.operations.id_prefixes import complete_given

Kind = Literal["memory", "passage", "session", "entry", "task", "gap", "request", "notification"]


def add_id(
    parser: argparse.ArgumentParser,
    name: str,
    *kinds: Kind,
    help: str,
    nargs: str | None = None,
    metavar: str | None = None,
) -> None:
    """An argument that takes ids of these kinds, whole or short."""
    parser.add_argument(name, nargs=nargs, metavar=metavar, help=help)
    take_numbers(parser, name.lstrip("-").replace("-", "_"), *kinds)


async def complete_ids(garden: Garden, arguments: argparse.Namespace) -> None:
    """Puts whole ids in the place of short ones. What matches nothing is left to the command, which says so."""
    kinds: dict[str, tuple[Kind, ...]] = getattr(arguments, ID_KINDS, {})
    for name, wanted in kinds.items():
        setattr(arguments, name, await complete_given(garden, getattr(arguments, name), wanted))
