"""The world of the replayed year: what is true on each day, and what is said about it. Pure but for its own chance.

Two worlds made with the same seed say the same, so two gardens can live through the same year. Every line carries a
mark of what it says, so that what a garden keeps of it can be judged without reading texts.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeVar

from bench.year.texts import FOR_NOW, KINDS, NODS, PROJECTS, REMARKS, TASKS, Kind

START = datetime(2026, 1, 1, 8, 0, tzinfo=UTC)
# From which day to which a project is worked on. Afterwards somebody comes back to it now and then.
_WORKED_ON = {"atlas": (0, 210), "lumen": (80, 10_000), "quarry": (190, 10_000)}
_COMES_BACK = 0.06  # share of sessions on a project that is over
_USE = {"often": (0.2, 10), "sometimes": (0.4, 1), "never": (0.4, 0)}  # share of facts, weight of being asked for

Saying = Literal["fact", "remark", "for now", "task", "question", "answer"]
T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Fact:
    """Something that holds, until it changes."""

    key: str
    project: str
    kind: Kind
    subject: str
    use: str
    value: str
    former: str = ""
    told_on: int = 0
    changed_on: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What a line says: which fact with which value, or that nobody needs it, or until which day it holds."""

    saying: Saying
    key: str = ""
    value: str = ""
    until: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message."""

    id: str
    role: str
    text: str
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One session."""

    id: str
    project: str
    at: datetime
    lines: tuple[Line, ...]


@dataclass(slots=True)
class World:
    """What is true, day by day."""

    chance: random.Random
    facts: dict[str, Fact] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)  # by message

    def live_through(self, day: int) -> list[Talk]:
        """The sessions of the next day; afterwards the facts are as they are that evening."""
        number = self.chance.choice((1, 1, 2, 2, 3))
        return [self._talk(day, at) for at in range(number)]

    def in_use(self, day: int) -> list[Fact]:
        """Facts that people ask for, of projects that are worked on."""
        open_now = {name for name, (first, last) in _WORKED_ON.items() if first <= day < last}
        return [fact for fact in self.facts.values() if fact.use != "never" and fact.project in open_now]

    def _talk(self, day: int, number: int) -> Talk:
        at = START + timedelta(days=day, hours=3 * number)
        project = self._project(day)
        name = f"day{day:03d}-{number}"
        lines = []
        for place, (role, text, mark) in enumerate(self._exchanges(day, project)):
            line = Line(id=f"{name}-{place:02d}", role=role, text=text, mark=mark)
            self.marks[line.id] = mark
            lines.append(line)
        return Talk(id=name, project=project, at=at, lines=tuple(lines))

    def _project(self, day: int) -> str:
        started = [name for name, (first, _) in _WORKED_ON.items() if first <= day]
        over = [name for name in started if _WORKED_ON[name][1] <= day]
        if over and self.chance.random() < _COMES_BACK:
            return self.chance.choice(over)
        return self.chance.choice([name for name in started if name not in over])

    def _exchanges(self, day: int, project: str) -> Iterator[tuple[str, str, Mark]]:
        pick = self.chance.choices
        plan = ["task"] * self.chance.randint(1, 3) + ["question"] * self.chance.randint(1, 2)
        plan += ["new"] * pick((0, 1, 2), (50, 40, 10))[0] + ["again"] * pick((0, 1), (50, 50))[0]
        plan += ["change"] * pick((0, 1), (75, 25))[0] + ["remark"] * pick((0, 1, 2), (30, 50, 20))[0]
        plan += ["for now"] * pick((0, 1), (75, 25))[0]
        self.chance.shuffle(plan)
        for step in plan:
            yield from self._exchange(step, day, project)

    def _exchange(self, step: str, day: int, project: str) -> Iterator[tuple[str, str, Mark]]:
        words = {
            "s": self.chance.choice(PROJECTS[project]),
            "n": str(self.chance.randint(100, 9_999)),
            "m": str(self.chance.randint(2, 9)),
        }
        nod = ("assistant", self.chance.choice(NODS), Mark(saying="task"))
        here = [fact for fact in self.facts.values() if fact.project == project]
        if step == "task":
            said, answer = self.chance.choice(TASKS)
            yield "user", said.format(**words), Mark(saying="task")
            yield "assistant", answer.format(**words), Mark(saying="task")
        elif step == "remark":
            yield "user", self.chance.choice(REMARKS).format(**words), Mark(saying="remark")
            yield nod
        elif step == "for now":
            said, days = self.chance.choice(FOR_NOW)
            yield "user", said.format(**words), Mark(saying="for now", until=day + days)
            yield nod
        elif step == "question" and (asked := self._asked_for(here)) is not None:
            yield (
                "user",
                self.chance.choice(asked.kind.asked[:-1]).format(s=asked.subject),
                Mark(saying="question", key=asked.key),
            )
            yield "assistant", f"It is {asked.value}.", Mark(saying="answer", key=asked.key, value=asked.value)
        elif step in ("new", "again", "change") and (told := self._told(step, day, project, here)) is not None:
            yield "user", told[1], Mark(saying="fact", key=told[0].key, value=told[0].value)
            yield nod

    def _asked_for(self, here: Sequence[Fact]) -> Fact | None:
        weights = [_USE[fact.use][1] for fact in here]
        return self.chance.choices(here, weights)[0] if any(weights) else None

    def _told(self, step: str, day: int, project: str, here: Sequence[Fact]) -> tuple[Fact, str] | None:
        """A fact that comes up: a new one, a known one in other words, or one that has changed."""
        if step == "new":
            fact = self._new_fact(day, project)
        elif here:
            fact = self.chance.choice(here)
            if step == "change":
                fact.former, fact.changed_on = fact.value, day
                fact.value = self.chance.choice([value for value in fact.kind.values if value != fact.former])
        else:
            return None
        if fact is None:
            return None
        ways = fact.kind.changed if step == "change" else fact.kind.told
        return fact, self.chance.choice(ways).format(s=fact.subject, v=fact.value, o=fact.former)

    def _new_fact(self, day: int, project: str) -> Fact | None:
        open_still = [
            (kind, subject)
            for kind in KINDS
            for subject in PROJECTS[project]
            if f"{project}/{kind.name}/{subject}" not in self.facts
        ]
        if not open_still:
            return None
        kind, subject = self.chance.choice(open_still)
        use = self.chance.choices(list(_USE), [share for share, _ in _USE.values()])[0]
        fact = Fact(
            key=f"{project}/{kind.name}/{subject}",
            project=project,
            kind=kind,
            subject=subject,
            use=use,
            value=self.chance.choice(kind.values),
            told_on=day,
        )
        self.facts[fact.key] = fact
        return fact
