"""A few simulated days on a real garden, with crashes, sleep, jumps of the clock and limits: the invariants hold.

`python -m bench.ambient simulate 30` does a month and writes its page.
"""

from __future__ import annotations

from pathlib import Path

from bench.ambient import simulate


async def test_the_invariants_hold_over_days_of_crashes_sleep_and_limits(tmp_path: Path, home: Path) -> None:
    month = await simulate(tmp_path, 2, seed=3)
    assert month.broken == []
    assert month.crashes > 0
    assert month.cycles["complete"] > 5
