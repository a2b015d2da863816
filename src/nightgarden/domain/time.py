"""Moments: always aware, always UTC, and written the same way everywhere."""

from __future__ import annotations

from datetime import UTC, datetime


def as_utc(moment: datetime) -> datetime:
    """The same moment in UTC. A moment without a zone is an error of the caller, not a guess of ours."""
    if moment.tzinfo is None:
        raise ValueError(f"a moment without a time zone: {moment.isoformat()}; add one, for example tzinfo=UTC")
    return moment.astimezone(UTC)


def write_moment(moment: datetime) -> str:
    """Fixed width, so that text order is time order: 2026-11-15T21:41:00.000000Z."""
    return as_utc(moment).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def read_moment(text: str) -> datetime:
    """Reads what `write_moment` wrote, and other ISO 8601 forms; without a zone it is taken as UTC."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is UTC:
        return moment
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
