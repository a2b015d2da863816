"""How sources did lately: how much they brought, what was shared of it, and how people took that. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

WINDOW = timedelta(days=14)
SOURCES_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """One source in the last 14 days."""

    source: str
    fetched: int = 0
    shared: int = 0
    engagement: int = 0  # reactions and replies to what was shared
    last_used_at: datetime | None = None


class Shared(Protocol):
    """A message that shared something."""

    @property
    def sources(self) -> tuple[str, ...]: ...

    @property
    def engagement(self) -> int: ...

    @property
    def sent_at(self) -> datetime | None: ...


def performance(fetched: dict[str, int], posts: Sequence[Shared], *, now: datetime) -> list[Performance]:
    """The best first."""
    shared: dict[str, list[Shared]] = {source: [] for source in fetched}
    for post in posts:
        if post.sent_at is not None and now - post.sent_at <= WINDOW:
            for source in post.sources:
                shared.setdefault(source, []).append(post)
    found = [
        Performance(
            source=source,
            fetched=fetched.get(source, 0),
            shared=len(used),
            engagement=sum(post.engagement for post in used),
            last_used_at=max((post.sent_at for post in used if post.sent_at), default=None),
        )
        for source, used in shared.items()
    ]
    return sorted(found, key=lambda each: (-each.engagement, -each.shared, -each.fetched, each.source))[:SOURCES_SHOWN]
