"""Short ids: where an operation takes an id, its first or last characters do, as long as only one thing matches.

People are shown the last eight characters, so the beginning of these does as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.domain.ids import SHORT_CHARS, is_id
from nightgarden.domain.requests.declare import OperationRequest
from nightgarden.errors import BadInput
from nightgarden.garden import Garden

PART_CHARS_MIN = 4
_SHOWN_MAX = 5
_TEXT_CHARS = 60
_DOCUMENTS = {"request": "permission_request", "notification": "notification"}  # kinds of documents, as stored


async def with_whole_ids(
    garden: Garden, request: type[OperationRequest], arguments: dict[str, object]
) -> dict[str, object]:
    """The arguments with whole ids in the place of short ones. What matches nothing is left to the operation."""
    whole = dict(arguments)
    for name, value in arguments.items():
        if kinds := request.fields[name].ids:
            whole[name] = await complete_given(garden, value, kinds)
    return whole


async def complete_given(garden: Garden, given: object, kinds: Sequence[str]) -> object:
    """An id, or several, in full."""
    if isinstance(given, str):
        return await complete(garden, given, kinds)
    if isinstance(given, (list, tuple)):
        return [await complete(garden, part, kinds) for part in given]
    return given


async def complete(garden: Garden, part: str, kinds: Sequence[str]) -> str:
    """The id that a part stands for, or the part itself. Raises BadInput when it stands for several."""
    if is_id(part) or len(part) < PART_CHARS_MIN or not part.isascii():
        return part
    found = await _matching(garden, part, kinds)
    if part in found or not found:
        return part
    if len(found) > 1:
        raise BadInput(await _ambiguous(garden, part, found))
    return found[0]


async def _matching(garden: Garden, part: str, kinds: Sequence[str]) -> list[str]:
    found = await garden.lookup.ids_like(part, [_DOCUMENTS.get(kind, kind) for kind in kinds])
    if "task" in kinds:
        tasks = await garden.schedule.list(scope="all", include_closed=True)
        found += [task.id for task in tasks if _fits(task.id, part)]
    if "gap" in kinds:
        found += [gap.id for gap in await garden.gaps(include_closed=True) if _fits(gap.id, part)]
    return list(dict.fromkeys(found))


def _fits(id: str, part: str) -> bool:
    return id.startswith(part) or id.endswith(part) or id[-SHORT_CHARS:].startswith(part)


async def _ambiguous(garden: Garden, part: str, found: Sequence[str]) -> str:
    texts = {memory.id: memory.content for memory in await garden.lookup.memories(found[:_SHOWN_MAX])}
    lines = [f"  {id}  {' '.join(texts.get(id, '').split())[:_TEXT_CHARS]}".rstrip() for id in found[:_SHOWN_MAX]]
    more = [f"  and {len(found) - _SHOWN_MAX} more"] if len(found) > _SHOWN_MAX else []
    head = f"{part!r} matches {len(found)} ids; give more characters of the one you mean:"
    return "\n".join([head, *lines, *more])
