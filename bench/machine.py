"""On what machine and under what load something was measured. Figures mean little without it."""

from __future__ import annotations

import os
import platform
import sqlite3
from datetime import UTC, datetime
from pathlib import Path


def describe_machine() -> str:
    """One line for the head of a result page."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores of {model}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, load average {load} at the start"
    )
