"""Living through the year: sessions come in by the real intake, every message is a turn, nights may be tended.

The garden's clock is the year's own. Nothing is stood in for: the store, the model, extraction, the write path, turns
and tending are those of an installation with default settings.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from bench.year.measure import Figures, measure
from bench.year.page import STOPPED
from bench.year.texts import PROJECTS
from bench.year.world import START, Talk, World
from nightgarden.domain.session import Message, Session
from nightgarden.garden import Garden
from nightgarden.scope import resolve_place
from nightgarden.sessions.hooked import Said
from nightgarden.settings import EmbeddingSettings, Settings

SEED = 5
MEASURED_EVERY = 15  # days
NO_DEADLINE_MS = 60_000  # a busy machine must not decide what is shown


@dataclass(slots=True)
class Sun:
    """The clock of the year; it moves when it is told to."""

    moment: datetime = START

    def now(self) -> datetime:
        return self.moment


@dataclass(slots=True, kw_only=True)
class Year:
    """What one garden's year came to."""

    figures: list[Figures] = field(default_factory=list)
    nights: Counter[str] = field(default_factory=Counter)  # how tending ended, and what it changed, by operation
    verdicts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    tending_seconds: float = 0.0


async def live(folder: Path, days: int, *, tended: bool, every: int = MEASURED_EVERY, pace: int = 1) -> Year:
    """Replays the days in a garden of its own; with a `pace` only every so many days."""
    began, sun, world, year = time.monotonic(), Sun(), World(random.Random(SEED)), Year()
    env = {"NIGHTGARDEN_HOME": str(folder / "home"), "XDG_CONFIG_HOME": str(folder / "none")}
    directories = {name: folder / name for name in PROJECTS}
    for directory in directories.values():
        directory.mkdir(parents=True)
    settings = Settings(embedding=EmbeddingSettings(model="minilm"))  # what every installation has
    async with Garden.open(
        folder / "garden.db", directory=directories["atlas"], settings=settings, clock=sun, env=env
    ) as garden:
        places = {name: garden.at(resolve_place(path, env), settings) for name, path in directories.items()}
        for day in range(0, days, pace):
            for talk in world.live_through(day):
                await _sit(garden, talk, directories[talk.project], sun, year)
            sun.moment = START + timedelta(days=day, hours=15)
            await garden.settle()
            if tended:
                await _tend(garden, year)
            if (day + pace) % every == 0 or day + pace >= days:
                sun.moment = START + timedelta(days=day, hours=23)
                found = await measure(garden, places, world, day)
                year.figures.append(replace(found, day=min(day + pace, days)))
    year.seconds = time.monotonic() - began
    return year


async def _sit(garden: Garden, talk: Talk, directory: Path, sun: Sun, year: Year) -> None:
    """One session: each message of the user is a turn; when it is over it is taken in and read for memories."""
    messages: list[Message] = []
    for place, line in enumerate(talk.lines):
        sun.moment = talk.at + timedelta(minutes=4 * place)
        if line.role == "user":
            recent = [Said(role=message.role, text=message.text) for message in messages[-4:]]
            await garden.turn(
                line.text, session_id=talk.id, directory=directory, recent=recent, deadline_ms=NO_DEADLINE_MS
            )
        messages.append(Message(id=line.id, role=line.role, text=line.text, at=sun.moment))
    session = Session(id=talk.id, client="jsonl", directory=str(directory), messages=tuple(messages))
    await garden.sessions.add(session)
    harvest = await garden.sessions.extract(talk.id)
    year.verdicts.update(type(verdict).__name__.lower() for _, verdict in harvest.verdicts)


async def _tend(garden: Garden, year: Year) -> None:
    began = time.monotonic()
    report = await garden.tend()
    await garden.settle()
    year.tending_seconds += time.monotonic() - began
    year.nights[STOPPED if report.stopped_at else "done"] += 1
    for name, outcome in report.operations.items():
        for what, number in outcome.counts.items():
            year.nights[f"{name}: {what}"] += number
