"""`make bench-faults [KILLS=1000]`: kills operations at exact and random points, damages files, writes the page."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.attempt import Laboratory, laboratory
from tests.faults.damage import NO_LOSS, Damaged
from tests.faults.operations import EVERY, MEMORIES
from tests.faults.postgres import killable_server

from bench.faults import earlier
from bench.machine import describe_machine

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bench" / "reliability.md"
DAMAGED = 200
DAEMON = "daemon under a client"
SERVER = "PostgreSQL server under a client"
# Of 100 kills.
SHARES = {"write": 10, "import": 9, "tend": 8, "purge": 10, "backup": 6, "restore": 8, "repair": 8, "migrate": 8}
SHARES |= {"queue": 8, DAEMON: 8, "write on PostgreSQL": 3, "import on PostgreSQL": 3, "tend on PostgreSQL": 3}
SHARES |= {"purge on PostgreSQL": 3, "migrate to PostgreSQL": 3, SERVER: 2}
_MEMORY = Path("/dev/shm")  # a killed process loses nothing that it gave to the kernel, whatever the disk

Kill = Callable[[], tuple[bool, list[str]]]


@dataclass(slots=True)
class Tally:
    """What came of the attempts at one operation."""

    points: int = 0
    tried: set[int] = field(default_factory=set)
    random: int = 0
    survived: int = 0
    late: int = 0  # ended before they could be killed
    wrong: list[str] = field(default_factory=list)

    @property
    def kills(self) -> int:
        return len(self.tried) + self.random


def main(kills: int) -> None:
    machine, began = describe_machine(), time.monotonic()
    with (
        tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as name,
        killable_server(Path(name)) as server,
        laboratory(Path(name), server) as lab,
    ):
        tallies, plans = _begin(lab, kills)
        for number in range(0, 100, 10):  # in turns, so that a run that is broken off has some of everything
            for operation, plan in plans.items():
                _attempt(tallies[operation], plan, kills * SHARES[operation] * (number + 10) // 10_000)
            done = {operation: tally.kills for operation, tally in tallies.items()}
            print(f"{time.monotonic() - began:.0f} s", sum(done.values()), done, flush=True)
            damaged = [lab.damage(seed) for seed in range(DAMAGED)] if number == 90 else []
            PAGE.write_text(_page(tallies, damaged, machine, time.monotonic() - began), encoding="utf-8")
    print([wrong for tally in tallies.values() for wrong in tally.wrong])


def _begin(lab: Laboratory, kills: int) -> tuple[dict[str, Tally], dict[str, Iterator[tuple[int, Kill]]]]:
    """A tally for each operation, and its attempts one after the other, each with its point or 0 for a moment."""
    tallies: dict[str, Tally] = {}
    plans: dict[str, Iterator[tuple[int, Kill]]] = {}
    for operation in EVERY:
        lab.prepare(operation)
        points, seconds = lab.count_points(operation)
        tallies[operation] = Tally(points=points)
        plans[operation] = _plan(lab, operation, points, seconds)
    chance = random.Random(8)
    tallies[DAEMON] = Tally()
    plans[DAEMON] = ((0, lambda: lab.kill_daemon(chance.uniform(0, 0.3))) for _ in range(10 * kills))
    tallies[SERVER] = Tally()
    plans[SERVER] = ((0, lambda: lab.kill_server(chance.uniform(0, 0.5))) for _ in range(10 * kills))
    return tallies, plans


def _plan(lab: Laboratory, operation: str, points: int, seconds: float) -> Iterator[tuple[int, Kill]]:
    """Two at exact points for one at a random moment, until every point was tried once; then moments alone."""
    chance = random.Random(operation)
    exact = chance.sample(range(1, points + 1), points)

    def at_moment() -> tuple[bool, list[str]]:
        return lab.kill_after(operation, chance.uniform(0, seconds))

    while True:
        for point in exact[:2]:
            yield point, lambda at=point: lab.kill_at_point(operation, at)  # type: ignore[misc]
        exact = exact[2:]
        yield 0, at_moment


def _attempt(tally: Tally, plan: Iterator[tuple[int, Kill]], until: int) -> None:
    for point, kill in plan:
        killed, wrong = kill()
        tally.wrong += [f"{each} (point {point})" if point else each for each in wrong]
        tally.late += not killed
        tally.survived += killed and not wrong
        if killed and point:
            tally.tried.add(point)
        elif killed:
            tally.random += 1
        if tally.kills >= until:
            return


def _page(tallies: Mapping[str, Tally], damaged: Sequence[Damaged], machine: str, seconds: float) -> str:
    kills = sum(tally.kills for tally in tallies.values())
    rows = [
        f"| {name} | {tally.points or '–'} | {len(tally.tried)} | {tally.random} | {tally.survived} | "
        f"{'; '.join(dict.fromkeys(tally.wrong)) or 'nothing'} |"
        for name, tally in tallies.items()
    ]
    late = sum(tally.late for tally in tallies.values())
    return f"""# Reliability

Measured by `make bench-faults` ({machine}; {seconds / 60:.0f} minutes).

## Killed

{kills:,} times a process was ended with SIGKILL while it worked: at exact points (before the n-th statement that
writes, or file that is made, renamed or removed) and at random moments. Afterwards the garden is opened and must be
sound by the doctor's checks: the memories that were there before are there, nothing is doubled, every memory has its
history. For writes and the daemon, every acknowledged note is looked for by its text. Then the operation is gone on
with: an import brings in the rest, a purge leaves no byte, a copy to another store is finished and compared.

| operation | points | killed at points | killed at random | survived | lost or wrong |
|---|---|---|---|---|---|
{chr(10).join(rows)}

Exact points were drawn without repetition from all those that an operation has; all of them were tried where the two
columns agree. Each operation runs in a process that was forked from one that had imported the program, so random
moments fall into the operation itself and not into the start of Python. {late} more attempts ended before they could be
killed, or had fewer points than when these were counted; they are judged and not counted. The gardens are small and
in memory: what a killed process has given to the kernel is kept whatever the disk. On PostgreSQL the client's process
is killed, and in the last row every process of the server at once: the client must then go on with the server that is
started again, and what was written before it died and never acknowledged must not be there twice. Not tried here: loss
of power, where the disk itself forgets what it said it had written.

{_damage_part(damaged)}
{earlier.table()}
## Hostile input

Tests hold these, and count no figures: a repository full of traps through every command, hook, MCP server and daemon
start (`tests/faults/test_trap_repository.py`); the time of every expression and rule on strings that grow
(`tests/faults/test_linear.py`); bad input by every entry (`tests/faults/test_doors.py`, `test_every_entry.py`); a
secret in every field of every operation, event and session (`test_every_field.py`).
"""


def _damage_part(damaged: Sequence[Damaged]) -> str:
    if not damaged:
        return ""
    kinds = sorted({each.kind for each in damaged})
    rows = []
    for kind in kinds:
        some = [each for each in damaged if each.kind == kind]
        lost = [max(0, MEMORIES - each.left) for each in some]
        unsaid = sum(number > 0 and NO_LOSS in each.said for number, each in zip(lost, some, strict=True))
        failed = sum(bool(each.wrong) for each in some)
        whole = sum(not number for number in lost)
        rows.append(f"| {kind} | {len(some)} | {whole} | {sum(lost)} of {len(some) * MEMORIES} | {unsaid} | {failed} |")
    wrong = "; ".join(dict.fromkeys(each for one in damaged for each in one.wrong))
    return f"""## Damaged

{len(damaged)} copies of a garden of {MEMORIES} memories were damaged and repaired as `doctor --repair` does.

| damage | files | every memory there | memories lost | lost, but "nothing was lost" | not sound, or not repaired |
|---|---|---|---|---|---|
{chr(10).join(rows)}

{f"Wrong: {wrong}." if wrong else "Every repaired garden was sound."} Only memories are counted: messages and passages
of sessions have no journal to be rebuilt from. In so small a garden one page holds a large part of all memories or of
their history.
"""


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
