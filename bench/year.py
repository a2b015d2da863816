"""A year replayed: memories arrive daily, one garden is tended every night, the other never is.

    python -m bench.year [DAYS] [PER_DAY]        default 365 4

Time is passed in. Each day brings facts: new ones, known ones in other words, known ones with a new value, and remarks
that nobody ever needs. Each month both gardens are asked for the facts that hold. Plots are drawn where matplotlib is.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.memory import Category, Provenance, Scope, ScopeKind
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.recall.options import Request
from nightgarden.recall.recall import recall
from nightgarden.remember.note import Note
from nightgarden.remember.write import Writing, remember
from nightgarden.settings import RememberSettings, Settings
from nightgarden.store.sqlite import open_store
from nightgarden.tend.run import tend
from nightgarden.tend.tending import Lent
from nightgarden.tend.wish import Wish

START = datetime(2026, 1, 1, 8, 0, tzinfo=UTC)
SCOPE = Scope(ScopeKind.PROJECT, "year")
ASKED = 40
_PARTS = "billing search login mail export invoice report backup cache queue gateway upload payroll review chat".split()
_KINDS = "service worker page table job".split()
_WAYS = (
    "The {a} {b} of unit {u} keeps its results for {v} days",
    "Results are kept for {v} days by the {a} {b} of unit {u}",
    "Remember that the {a} {b} of unit {u} keeps its results for {v} days",
)
_REMARKS = (
    "Perhaps the {a} {b} of unit {u} felt slow on attempt {v}",
    "The {a} {b} of unit {u} seemed fine in trial {v}",
    "Somebody mentioned the {a} {b} of unit {u} in call {v}",
)


@dataclass(slots=True)
class World:
    """What is true, and what was said."""

    chance: random.Random
    values: dict[str, int] = field(default_factory=dict)
    words: dict[str, dict[str, str]] = field(default_factory=dict)

    def day(self, per_day: int) -> list[tuple[str, Provenance, float]]:
        return [self._one() for _ in range(per_day)]

    def _one(self) -> tuple[str, Provenance, float]:
        kind = self.chance.random()
        if kind < 0.35:
            remark = self.chance.choice(_REMARKS).format(**self._new_words(), v=self.chance.randint(1, 9_999))
            return remark, Provenance.INFERRED, 0.4
        if kind < 0.6 or not self.values:
            key = f"f{len(self.values)}"
            self.words[key] = self._new_words()
        else:
            key = self.chance.choice(list(self.values))
        if key not in self.values or kind > 0.85:
            self.values[key] = self.chance.randint(2, 9_000)
        text = self.chance.choice(_WAYS).format(**self.words[key], v=self.values[key])
        return text, Provenance.OBSERVED, 0.85

    def _new_words(self) -> dict[str, str]:
        unit = str(self.chance.randint(100, 9_999))
        return {"a": self.chance.choice(_PARTS), "b": self.chance.choice(_KINDS), "u": unit}


async def run(days: int = 365, per_day: int = 4) -> dict[str, list[dict[str, Any]]]:
    """Figures by month, of the tended garden and of the other."""
    found: dict[str, list[dict[str, Any]]] = {}
    for tended in (True, False):
        with tempfile.TemporaryDirectory(prefix="bench-year-") as folder:
            store = await open_store(Path(folder) / "garden.db")
            try:
                found["tended" if tended else "left alone"] = await _year(store, days, per_day, tended=tended)
            finally:
                await store.close()
    return found


async def _year(store: Store, days: int, per_day: int, *, tended: bool) -> list[dict[str, Any]]:
    world, asking = World(random.Random(5)), random.Random(6)
    entropy = random.Random(7)
    ids = IdMaker(lambda: entropy.getrandbits(64))
    months = []
    for day in range(days):
        now = START + timedelta(days=day)
        for text, provenance, confidence in world.day(per_day):
            note = Note(
                text=text, scope=SCOPE, at=now, category=Category.FACT, provenance=provenance, confidence=confidence
            )
            writing = Writing(
                store=store,
                embedder=None,
                settings=RememberSettings(),
                ids=ids,
                now=now,
                actor="bench",
                machine_id="bench",
            )
            await remember(note, writing)
        await _use(store, world, asking, now)
        if tended:
            night = now + timedelta(hours=19)
            await tend(store, Settings(), Lent(), Wish(allow_loss=True), cycle=f"night-{day:03d}", now=night)
        if day % 30 == 29 or day == days - 1:
            months.append(await _measure(store, world, now) | {"day": day + 1})
    return months


async def _use(store: Store, world: World, asking: random.Random, now: datetime) -> None:
    """People look a few facts up every day; what they see counts as used."""
    for key in asking.sample(sorted(world.values), min(2, len(world.values))):
        found = await _ask(store, world, key, now, limit=3)
        await store.touch([each.id for each in found if each.kind == "memory"], at=now)


async def _ask(store: Store, world: World, key: str, now: datetime, *, limit: int) -> Sequence[Any]:
    query = "how long does the {a} {b} of unit {u} keep its results".format(**world.words[key])
    request = Request(query=query, limit=limit, scopes=(SCOPE,), kinds=("memory",), rerank=False)
    return (await recall(request, store=store, embedder=None, reranker=None, now=now)).results


async def _measure(store: Store, world: World, now: datetime) -> dict[str, Any]:
    live = await store.list_memories(MemoryFilter())
    keys = sorted(world.values)
    asked = random.Random(8).sample(keys, min(ASKED, len(keys)))
    first = top = outdated = 0
    for key in asked:
        wanted, unit = f"{world.values[key]} days", f"unit {world.words[key]['u']}"
        shown = [each.content for each in await _ask(store, world, key, now, limit=5)]
        first += bool(shown) and wanted in shown[0]
        top += any(wanted in text for text in shown)
        outdated += any(unit in text and " days" in text and wanted not in text for text in shown)
    facts = [memory.content for memory in live if " days" in memory.content]
    said = [(text.split("unit ")[1].split()[0], text.split(" days")[0].split()[-1]) for text in facts]
    return {
        "live": len(live),
        "junk": sum(" days" not in memory.content for memory in live),
        "duplicates": len(said) - len(set(said)),
        "facts_true": len(world.values),
        "first": round(first / max(1, len(asked)), 3),
        "in_five": round(top / max(1, len(asked)), 3),
        "outdated_shown": round(outdated / max(1, len(asked)), 3),
    }


def plot(found: dict[str, list[dict[str, Any]]], target: Path) -> bool:
    """Four small plots in one picture. False where matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        return False
    import matplotlib.pyplot as plt  # 400 ms, and only for a picture

    figure, axes = plt.subplots(2, 2, figsize=(9, 6), constrained_layout=True)
    for axis, name in zip(axes.flat, ("live", "junk", "duplicates", "first"), strict=True):
        for garden, months in found.items():
            axis.plot([month["day"] for month in months], [month[name] for month in months], label=garden)
        axis.set_title({"live": "live memories", "first": "right answer first"}.get(name, name))
        axis.set_xlabel("day")
        axis.legend()
    figure.savefig(target)
    return True


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:] if each.isdigit()]
    figures = asyncio.run(run(*numbers))
    print(json.dumps(figures))
    plot(figures, Path("docs/bench/year.png"))
