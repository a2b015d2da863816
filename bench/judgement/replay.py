"""A year of one person's statements, and of one person's sessions, told to a real garden in order. Where a pair is
judged alone both statements are about one thing; here each new one meets whatever the garden holds."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence, Set
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import groupby
from pathlib import Path

from bench.judgement.count import Table
from bench.judgement.measure import NOW, Groups, Row, belongs_to, says
from nightgarden.domain.memory import GLOBAL
from nightgarden.domain.session import Message, Session
from nightgarden.domain.verdict import Flagged, Refused, Reinforced, Superseded, Verdict
from nightgarden.garden import Garden
from nightgarden.settings import Settings

ROLES = {"u": "user", "a": "assistant"}
STANDS = ("", "compatible", "narrows", "excepts")  # relations after which the older statement is as true as before


@asynccontextmanager
async def empty_garden(settings: Settings) -> AsyncIterator[Garden]:
    with tempfile.TemporaryDirectory() as folder:
        async with Garden.open(Path(folder) / "garden.db", directory=folder, settings=settings) as garden:
            yield garden


async def notebook(rows: Sequence[Row], settings: Settings, groups: Groups, table: Table) -> None:
    """Each statement through `remember`, in order. A row has n, text and maybe a relation to an earlier one."""
    async with empty_garden(settings) as garden:
        stored: dict[object, str] = {}
        matter: dict[object, set[str]] = {}  # ids of all that was told of the same thing, by statement
        for row in rows:
            verdict = await garden.remember(row["text"], scope=GLOBAL)
            mine = groups[row["w"]]
            if isinstance(verdict, Refused):
                table.add("notebooks: refused", True, *mine)
                continue
            table.add("notebooks: refused", False, *mine)
            past = matter.get(row["of"], set()) if row.get("rel") in ("changes", "same") else set()
            _count(row, verdict, stored.get(row.get("of")), past, table, mine)
            stored[row["n"]] = verdict.memory.id
            past.add(verdict.memory.id)
            matter[row["n"]] = past


def _count(row: Row, verdict: Verdict, about: str | None, past: Set[str], table: Table, mine: Iterable[str]) -> None:
    relation = row.get("rel", "")
    merged = isinstance(verdict, Reinforced)
    replaced = verdict.replaced_ids if isinstance(verdict, Superseded) else ()
    if relation == "same":
        table.add("notebooks: duplicates: recall", merged and verdict.id in past, *mine)
    if merged:
        table.add("notebooks: duplicates: precision", relation == "same" and verdict.id in past, *mine)
    if relation == "changes" and about is not None:
        asked = isinstance(verdict, Flagged) and about in verdict.conflicting_ids
        table.add("notebooks: supersede: recall", about in replaced, *mine)
        table.add("notebooks: supersede: recall, flagged counted", about in replaced or asked, *mine)
        table.add("notebooks: opposites merged", merged, *mine)
    for id in replaced:
        table.add("notebooks: supersede: precision", relation == "changes" and id in past, *mine)
    if relation in STANDS:
        table.add("notebooks: true facts lost", bool(replaced) or merged, *mine)
        table.add("notebooks: flagged without need", isinstance(verdict, Flagged), *mine)


async def history(rows: Sequence[Row], settings: Settings, groups: Groups, table: Table) -> None:
    """Sessions read one after the other, as after their end. A chain is right when what it came to is a live memory and
    nothing that it left behind is, not even a part of it."""
    mine = groups[rows[0]["w"]]
    gold = {kept["id"]: {"say": kept["from"], **kept} for row in rows for kept in row.get("keep", ())}
    async with empty_garden(settings) as garden:
        memories: dict[str, set[str]] = defaultdict(set)  # by what was to be kept
        parts: dict[str, set[str]] = defaultdict(set)  # the same, of those that say only a part of it
        junk: set[str] = set()
        for number, messages in groupby(rows, key=lambda row: row["s"]):
            told = list(messages)
            await garden.sessions.add(_session(number, told))
            harvest = await garden.sessions.extract(f"s{number}")
            here = [kept["id"] for row in told for kept in row.get("keep", ())]
            for draft, verdict in harvest.verdicts:
                if isinstance(verdict, Refused):
                    continue
                for each in here:
                    if says(draft, gold[each]):
                        memories[each].add(verdict.memory.id)
                    if belongs_to(draft, gold[each]):
                        parts[each].add(verdict.memory.id)
                if not any(verdict.memory.id in parts[each] for each in here):
                    junk.add(verdict.memory.id)
        live = {memory.id for memory in await garden.list(limit=None)}
    for each in gold:
        table.add("histories: kept: recall", bool(memories[each]), *mine)
    good = {id for found in parts.values() for id in found}
    for id in sorted(good | junk):
        table.add("histories: kept: junk", id not in good, *mine)
    for chain in _chains(gold):
        last = {id for each in chain[-1] for id in memories[each] & live}
        past = {id for state in chain[:-1] for each in state for id in parts[each] & live}
        past -= {id for each in chain[-1] for id in parts[each]}
        table.add("histories: chains right", bool(last) and not past, *mine)
        table.add("histories: chains whose outdated statement is live", bool(past), *mine)


def _session(number: int, told: Sequence[Row]) -> Session:
    start = NOW + timedelta(days=number)
    return Session(
        id=f"s{number}",
        messages=tuple(
            Message(id=f"{number}-{place}", role=ROLES[row["r"]], text=row["t"], at=start + timedelta(minutes=place))
            for place, row in enumerate(told)
        ),
        started_at=start,
    )


def _chains(gold: dict[str, Row]) -> list[list[list[str]]]:
    """For each thing that changed what was told of it, state after state; a state may have been told more than once."""
    chains: dict[str, list[list[str]]] = {}  # by each statement that belongs to it
    for number, kept in gold.items():
        earlier = kept.get("of")
        if earlier not in gold or kept["rel"] not in ("changes", "same"):
            continue
        chain = chains.setdefault(earlier, [[earlier]])
        chains[number] = chain
        if kept["rel"] == "changes":
            chain.append([number])
        else:
            chain[-1].append(number)
    return [chain for chain in {id(chain): chain for chain in chains.values()}.values() if len(chain) > 1]
