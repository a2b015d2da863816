"""The machine's clock, behind the `Clock` port. Tests pass another."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """Tells the machine's time in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)
