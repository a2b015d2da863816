"""A year replayed: sessions arrive daily, one garden is tended every night, the other never is.

    python -m bench.year [DAYS] [FOLDER]        default 365 docs/bench

After that three times as long with sessions on every sixth day, to see where growth ends. Writes year.md and its plots
into the folder. Two gardens live side by side, each in a process of its own.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from bench.machine import describe_machine
from bench.year.page import LEFT, TENDED, write
from bench.year.replay import MEASURED_EVERY, live

DAYS = 365
LONGER, PACE = 3, 6


def one_year(days: int, pace: int, tended: bool) -> dict[str, Any]:
    """The year of one garden, as plain values."""
    with tempfile.TemporaryDirectory(prefix="bench-year-") as folder:
        year = asyncio.run(live(Path(folder), days, tended=tended, every=MEASURED_EVERY * pace, pace=pace))
    return {
        "figures": [figures.row() for figures in year.figures],
        "nights": dict(year.nights),
        "verdicts": dict(year.verdicts),
        "seconds": year.seconds,
        "tending_seconds": year.tending_seconds,
    }


def main(arguments: list[str]) -> None:
    days = int(arguments[0]) if arguments else DAYS
    folder = Path(arguments[1]) if len(arguments) > 1 else Path("docs") / "bench"
    machine = describe_machine()
    runs = [(days, 1, True), (days, 1, False), (LONGER * days, PACE, True), (LONGER * days, PACE, False)]
    with ProcessPoolExecutor(2) as pool:
        tended, left, long_tended, long_left = pool.map(one_year, *zip(*runs, strict=True))
    years, longer = {TENDED: tended, LEFT: left}, {TENDED: long_tended, LEFT: long_left}
    write(years, longer, folder, days=days, pace=PACE, machine=machine)


if __name__ == "__main__":
    main(sys.argv[1:])
