"""What a garden of the replayed year holds, and how well it answers, against what is true that day."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.year.world import Fact, Mark, World
from nightgarden.domain.ports import ItemKind, MemoryFilter
from nightgarden.garden import Garden
from nightgarden.recall.options import Request
from nightgarden.recall.result import Result
from nightgarden.tend.sweep import EVERGREEN

ASKED = 40  # facts of each sort; all of them while there are fewer
SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """How a sample of facts was answered, as shares of it."""

    first: float  # the value that holds now comes first
    in_five: float
    stale_above: float  # a value that no longer holds is shown before it, or instead of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One measuring of one garden."""

    day: int
    true_facts: int
    live: int
    live_facts: int
    evergreen: int  # preferences and conventions, which do not go stale
    junk: int
    duplicates: int
    outdated: int
    archived: int
    megabytes: float
    journal: int
    passages: int
    used: Answers  # facts that people ask for, of projects that are worked on
    used_memories: Answers  # the same, memories alone: words of sessions may not help out
    every: Answers  # all facts that hold: never asked for, and of old projects, too

    def row(self) -> dict[str, Any]:
        return asdict(self)


async def measure(garden: Garden, places: Mapping[str, Garden], world: World, day: int) -> Figures:
    """`places` is the garden as it is seen from each project."""
    live = [memory for memory in await garden.store.list_memories(MemoryFilter()) if memory.live]
    marks = [world.marks[memory.message_range[0]] for memory in live if memory.message_range]
    facts = [mark for mark in marks if mark.saying == "fact"]
    holding = Counter((mark.key, mark.value) for mark in facts)
    counts = await garden.store.counts()
    used, every = _sample(world.in_use(day)), _sample(list(world.facts.values()))
    return Figures(
        day=day + 1,
        true_facts=len(world.facts),
        live=len(live),
        live_facts=len(facts),
        evergreen=sum(memory.category in EVERGREEN for memory in live),
        junk=sum(mark.saying in ("remark", "task", "question", "answer") for mark in marks),
        duplicates=sum(number - 1 for number in holding.values()),
        outdated=sum(mark.value != world.facts[mark.key].value for mark in facts) + _over(marks, day),
        archived=counts.memories.get("archived", 0),
        megabytes=round(counts.bytes_on_disk / 1e6, 2),
        journal=counts.journal_entries,
        passages=counts.passages,
        used=await _ask(places, world, used),
        used_memories=await _ask(places, world, used, kinds=("memory",)),
        every=await _ask(places, world, every),
    )


def _over(marks: Sequence[Mark], day: int) -> int:
    return sum(mark.saying == "for now" and mark.until < day for mark in marks)


def _sample(facts: Sequence[Fact]) -> list[Fact]:
    ordered = sorted(facts, key=lambda fact: fact.key)
    return random.Random(8).sample(ordered, min(ASKED, len(ordered)))


async def _ask(
    places: Mapping[str, Garden],
    world: World,
    asked: Sequence[Fact],
    *,
    kinds: tuple[ItemKind, ...] = ("memory", "passage"),
) -> Answers:
    first = shown = stale = 0
    for fact in asked:
        query = fact.kind.asked[-1].format(s=fact.subject)  # a wording that is never said in a session
        place = places[fact.project]
        request = Request(query=query, limit=SHOWN, kinds=kinds, scopes=place.scopes(None))
        found = await place.recall_request(request)  # which does not count as use: measuring changes nothing
        said = [_said(result, world.marks) for result in found.results]
        telling = [mark for mark in said if mark is None or mark.saying != "question"]  # a question answers nothing
        right = [at for at, mark in enumerate(telling) if mark and (mark.key, mark.value) == (fact.key, fact.value)]
        wrong = [at for at, mark in enumerate(telling) if mark and mark.key == fact.key and mark.value != fact.value]
        first += right[:1] == [0]
        shown += bool(right)
        stale += bool(wrong) and (not right or wrong[0] < right[0])
    number = max(1, len(asked))
    return Answers(
        first=round(first / number, 3), in_five=round(shown / number, 3), stale_above=round(stale / number, 3)
    )


def _said(result: Result, marks: Mapping[str, Mark]) -> Mark | None:
    return marks.get(result.message_ids[0]) if result.message_ids else None
