"""Whether another program still runs. Asks the kernel only; never signals anything."""

from __future__ import annotations

import os
from pathlib import Path


def is_running(pid: int, started: str = "") -> bool | None:
    """`started` is the kernel's start time of the process, which tells it from a later one with the same number.

    None when it cannot be told: on Windows asking by signal would end the process.
    """
    if os.name == "nt":
        return None
    try:
        os.kill(pid, 0)  # signal 0 only asks
    except PermissionError:
        pass  # someone else's process: it runs
    except (OSError, OverflowError):
        return False
    seen = _start_time(pid)
    return not (started and seen) or seen == started


def _start_time(pid: int) -> str:
    """In clock ticks since boot, as Linux writes it; empty elsewhere."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()  # the name before may hold spaces and brackets
    return fields[19] if len(fields) > 19 else ""
