"""Measures what turns are shown: precision and recall over labelled turns, and how often nothing becomes something.

    python bench/turns.py [--errors] [--model minilm|bge-small|off] [--models FOLDER]

The garden and the turns are those of an invented user with four projects. A turn lists the items that deserve to be
shown; `fine` ones would not hurt and count for neither side. Turns are independent: each is the first of its session,
and nothing is learned in between. Every second turn is held out: no constant was chosen on those.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from nightgarden.domain.memory import GLOBAL, Scope, ScopeKind
from nightgarden.domain.session import Message, Session
from nightgarden.domain.verdict import Refused
from nightgarden.garden import Garden
from nightgarden.sessions.turn import TurnUpdate
from nightgarden.settings import EmbeddingSettings, Settings

DATA = Path(__file__).parent / "data"
NOW = datetime(2026, 11, 15, 10, 0, tzinfo=UTC)
GOALS = {"precision": 0.6, "recall": 0.7, "disturbed": 0.05}


class FixedClock:
    def now(self) -> datetime:
        return NOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One turn and what it was shown, as the labels' ids."""

    turn: dict[str, Any]
    shown: tuple[str, ...]
    took_ms: float


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def scope_of(project: str) -> Scope:
    return Scope(ScopeKind.PROJECT, project) if project else GLOBAL


async def plant(garden: Garden) -> dict[str, str]:
    """Fills the garden through its public door. Returns the label of each stored id."""
    labels: dict[str, str] = {}
    for row in rows("turns_garden.jsonl"):
        at = datetime.fromisoformat(row["on"]).replace(hour=9, tzinfo=UTC)
        if row["kind"] == "memory":
            verdict = await garden.remember(
                row["content"],
                category=row["category"],
                scope=scope_of(row["project"]),
                tags=row["tags"],
                created_at=at,
            )
            if isinstance(verdict, Refused):
                raise ValueError(f"{row['id']} was refused: {verdict.rule.sentence}")
            labels[verdict.memory.id] = row["id"]
            continue
        said = tuple(
            Message(id=f"{row['id']}-{n}", role=each["role"], text=each["text"], at=at + timedelta(minutes=n))
            for n, each in enumerate(row["messages"])
        )
        await garden.sessions.add(Session(id=row["id"], messages=said, scope=scope_of(row["project"])))
    await garden.settle()
    async for record in garden.store.dump():
        if record["type"] == "passage":
            labels[record["id"]] = record["message_ids"][0]
    return labels


async def ask(garden: Garden, labels: dict[str, str], turn: dict[str, Any]) -> Answer:
    update = TurnUpdate(
        session_id=turn["id"],
        text=turn["text"],
        scopes=(GLOBAL, scope_of(turn["project"])),
        scope=scope_of(turn["project"]),
    )
    started = perf_counter()
    shown = await garden.turns.take(update, deadline_ms=60_000)  # quality here; the deadline has its own tests
    took = (perf_counter() - started) * 1000.0
    return Answer(turn=turn, shown=tuple(labels[id] for id in shown.ids) if shown else (), took_ms=took)


def measure(answers: Iterable[Answer]) -> dict[str, Any]:
    """Over all turns: of what was shown, how much was wanted; of what was wanted, how much was shown."""
    right = shown = wanted = quiet = disturbed = 0
    for answer in answers:
        want, fine = set(answer.turn["wanted"]), set(answer.turn.get("fine", ()))
        right += len(want & set(answer.shown))
        shown += len(set(answer.shown) - fine)
        wanted += len(want)
        if not want:
            quiet += 1
            disturbed += bool(answer.shown)
    return {
        "precision": round(right / max(1, shown), 4),
        "recall": round(right / max(1, wanted), 4),
        "disturbed": round(disturbed / max(1, quiet), 4),
        "wanted": wanted,
        "shown": shown,
        "deserve_nothing": quiet,
    }


async def answers_of(*, model: str, folder: str) -> list[Answer]:
    settings = Settings(embedding=EmbeddingSettings(model=model, folder=folder))  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as home:
        path = str(Path(home) / "garden.db")
        async with Garden.open(path, directory=home, settings=settings, clock=FixedClock()) as garden:
            labels = await plant(garden)
        async with Garden.open(path, directory=home, settings=settings, clock=FixedClock(), read_only=True) as garden:
            await garden.warm()
            return [await ask(garden, labels, turn) for turn in rows("turns.jsonl")]


def run(*, model: str = "auto", folder: str = "", show: bool = False) -> dict[str, Any]:
    """Figures for the turns constants were chosen on, for those held out, and for all; whether all goals are met."""
    answers = asyncio.run(answers_of(model=model, folder=folder))
    if show:
        print_errors(answer for answer in answers if not answer.turn["held_out"])
    whole = measure(answers)
    return {
        "tuned": measure(answer for answer in answers if not answer.turn["held_out"]),
        "held_out": measure(answer for answer in answers if answer.turn["held_out"]),
        "all": whole,
        "median_ms": round(median(answer.took_ms for answer in answers), 1),
        "goals": GOALS,
        "met": whole["precision"] >= GOALS["precision"]
        and whole["recall"] >= GOALS["recall"]
        and whole["disturbed"] <= GOALS["disturbed"],
    }


def print_errors(answers: Iterable[Answer]) -> None:
    for answer in answers:
        want, fine, got = set(answer.turn["wanted"]), set(answer.turn.get("fine", ())), set(answer.shown)
        if want - got or got - want - fine:
            print(f"{answer.turn['id']} missed {sorted(want - got)} wrong {sorted(got - want - fine)}: ", end="")
            print(answer.turn["text"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--errors", action="store_true", help="print what went wrong in the tuning half")
    parser.add_argument("--model", default="auto", help="the setting embedding.model")
    parser.add_argument("--models", default="", metavar="FOLDER", help="the setting embedding.folder")
    given = parser.parse_args()
    print(json.dumps(run(model=given.model, folder=given.models, show=given.errors), indent=2))
