"""`make bench-faults [KILLS=1000]`: kills operations at exact and random points, damages files, writes the page."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.attempt import count_points, damage, kill_after, kill_at_point, kill_daemon, prepare
from tests.faults.operations import OPERATIONS

from bench.machine import describe_machine

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bench" / "reliability.md"
DAMAGED = 200
_MEMORIES = 13


@dataclass(slots=True)
class Tally:
    """What came of the attempts at one operation."""

    exact: int = 0
    random: int = 0
    survived: int = 0
    points: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, killed: bool, found: list[str], *, exact: bool) -> None:
        if killed:
            self.exact += exact
            self.random += not exact
            self.survived += not found
        self.wrong += found


def main(kills: int) -> None:
    chance, machine, began = random.Random(7), describe_machine(), time.monotonic()
    tallies: dict[str, Tally] = {}
    each = kills // (len(OPERATIONS) + 1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for operation in OPERATIONS:
            tallies[operation] = _kill(operation, folder, each, chance)
            print(operation, tallies[operation], f"{time.monotonic() - began:.0f} s", flush=True)
        template = folder / "write-template"
        daemon = tallies["daemon under a client"] = Tally()
        for _ in range(each):
            daemon.add(*kill_daemon(template, folder, chance.uniform(0, 0.3)), exact=False)
        print("daemon", daemon, flush=True)
        damaged = [damage(template, folder, chance) for _ in range(DAMAGED)]
    PAGE.write_text(_page(tallies, damaged, machine, time.monotonic() - began), encoding="utf-8")


def _kill(operation: str, folder: Path, number: int, chance: random.Random) -> Tally:
    tally, template = Tally(), prepare(operation, folder)
    tally.points, seconds = count_points(operation, template, folder)
    exact = min(tally.points, number * 2 // 3)
    for point in sorted(chance.sample(range(1, tally.points + 1), exact)):
        tally.add(*kill_at_point(operation, template, folder, point), exact=True)
    for _ in range(number - exact):
        tally.add(*kill_after(operation, template, folder, chance.uniform(seconds * 0.5, seconds)), exact=False)
    return tally


def _page(tallies: dict[str, Tally], damaged: list[tuple[int, list[str]]], machine: str, seconds: float) -> str:
    kills = sum(tally.exact + tally.random for tally in tallies.values())
    rows = [
        f"| {name} | {tally.points or '–'} | {tally.exact} | {tally.random} | {tally.survived} | "
        f"{'; '.join(dict.fromkeys(tally.wrong)) or 'nothing'} |"
        for name, tally in tallies.items()
    ]
    left = [number for number, _ in damaged]
    whole = sum(number >= _MEMORIES for number in left)
    failed = [each for _, wrong in damaged for each in wrong]
    why = f"({'; '.join(dict.fromkeys(failed))})" if failed else ""
    return f"""# Reliability

Measured by `make bench-faults` ({machine}; {seconds / 60:.0f} minutes).

## Killed

{kills} processes were ended with SIGKILL while they worked: at exact points (before the n-th statement that writes, or
file that is made, renamed or removed) and at random moments. Afterwards the garden is opened and must be sound by the
doctor's checks: the memories that were there before are there, nothing is doubled, every memory has its history. For
writes and the daemon, every acknowledged note is looked for by its text. Then the operation is gone on with: an import
brings in the rest, a purge leaves no byte, a copy to another store is finished and compared.

| operation | points | killed at points | killed at random | survived | lost or wrong |
|---|---|---|---|---|---|
{chr(10).join(rows)}

Exact points were drawn from all those that an operation has; all of them were tried only where the two columns agree.
Random moments lie in the second half of a run, which begins with the start of Python, so some fall before the first
write; runs that ended before they were killed are not counted. The gardens are small, and all are on SQLite. Not tried
here: PostgreSQL, and loss of power, where the disk itself forgets what it said it had written.

## Damaged

{len(damaged)} copies of a garden of {_MEMORIES} memories were damaged (1 to 20 flipped bits, one page of noise, or
the end cut off) and repaired as `doctor --repair` does.

| outcome | count |
|---|---|
| every memory there after the repair | {whole} |
| some memories lost | {len(left) - whole} |
| memories lost in all, of {len(left) * _MEMORIES:,} | {sum(max(0, _MEMORIES - number) for number in left)} |
| repaired garden not sound, or the repair failed | {len(failed)} {why} |

The losses are not broken down by kind of damage, and only memories are counted: messages and passages of sessions have
no journal to be rebuilt from. Whether each lost memory was named by the repair was not compared here. In so small a
garden one page holds a large part of all memories or of their history.
"""


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
