"""Short ids: what is printed in place of 26 characters, and what an argument stands for.

Ids begin with a timestamp, so those of one batch differ only at the end: the last characters are shown. A command takes
the beginning or the end of an id, as long as only one thing matches.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Literal

from nightgarden.domain.ids import is_id
from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.screen import cut

Kind = Literal["memory", "passage", "session", "entry", "task", "gap", "request", "notification"]
SHORT_CHARS = 8  # 40 random bits: among 10,000 ids, two alike have odds of 1 in 20,000
PART_CHARS_MIN = 4
_SHOWN_MAX = 5
_TEXT_CHARS = 60
_KINDS = "id_kinds"
_DOCUMENTS = {"request": "permission_request", "notification": "notification"}  # kinds of documents, as stored


def short(id: str) -> str:
    """An id as people see it."""
    return id[-SHORT_CHARS:]


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
    known: dict[str, tuple[Kind, ...]] = parser.get_default(_KINDS) or {}
    parser.set_defaults(**{_KINDS: {**known, name.lstrip("-").replace("-", "_"): kinds}})


async def complete_ids(garden: Garden, arguments: argparse.Namespace) -> None:
    """Puts whole ids in the place of short ones. What matches nothing is left to the command, which says so."""
    kinds: dict[str, tuple[Kind, ...]] = getattr(arguments, _KINDS, {})
    for name, wanted in kinds.items():
        given = getattr(arguments, name)
        if isinstance(given, list):
            setattr(arguments, name, [await _complete(garden, part, wanted) for part in given])
        elif given is not None:
            setattr(arguments, name, await _complete(garden, given, wanted))


async def _complete(garden: Garden, part: str, kinds: Sequence[Kind]) -> str:
    if is_id(part) or len(part) < PART_CHARS_MIN or not part.isascii():
        return part
    found = await _matching(garden, part, kinds)
    if part in found or not found:
        return part
    if len(found) > 1:
        raise BadInput(await _ambiguous(garden, part, found))
    return found[0]


async def _matching(garden: Garden, part: str, kinds: Sequence[Kind]) -> list[str]:
    found = await garden.store.matching_ids(part, kinds)
    if "task" in kinds:
        tasks = await garden.schedule.list(scope="all", include_closed=True)
        found += [task.id for task in tasks if _fits(task.id, part)]
    for kind in kinds:
        if stored := _DOCUMENTS.get(kind):
            found += [each.key for each in await garden.store.list_documents(stored) if _fits(each.key, part)]
    if "gap" in kinds:
        found += [gap.id for gap in await garden.gaps(include_closed=True) if _fits(gap.id, part)]
    return list(dict.fromkeys(found))


def _fits(id: str, part: str) -> bool:
    return id.startswith(part) or id.endswith(part)


async def _ambiguous(garden: Garden, part: str, found: Sequence[str]) -> str:
    texts = {memory.id: memory.content for memory in await garden.store.memories(found[:_SHOWN_MAX])}
    lines = [f"  {id}  {cut(texts.get(id, ''), _TEXT_CHARS)}".rstrip() for id in found[:_SHOWN_MAX]]
    more = [f"  and {len(found) - _SHOWN_MAX} more"] if len(found) > _SHOWN_MAX else []
    head = f"{part!r} matches {len(found)} ids; give more characters of the one you mean:"
    return "\n".join([head, *lines, *more])
