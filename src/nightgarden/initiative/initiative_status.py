"""How initiative is doing, in one value: for `initiative status` and the daemon's line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nightgarden.domain.record import to_record
from nightgarden.initiative.channels.channel import Channel
from nightgarden.initiative.initiative_documents import DELIVERY, FEED
from nightgarden.initiative.open_initiative import OpenedInitiative
from nightgarden.initiative.outbox import OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeStatus:
    """Where it may speak, and what it did lately."""

    enabled: bool
    has_mind: bool
    networks: tuple[str, ...]
    channels: tuple[Channel, ...]
    pending: int
    posts_last_day: int
    posts_max: int
    sends_last_hour: int
    sends_max: int
    waiting: int
    feeds: int
    feeds_failing: int
    last_tick_at: datetime | None
    problems: tuple[str, ...]

    def shape(self) -> dict[str, Any]:
        return to_record(self)


async def status_of(opened: OpenedInitiative) -> InitiativeStatus:
    """Reads the store; connects to nobody."""
    presence = opened.initiative.presence
    state = await presence.stored.state()
    standing = await presence.standing(state)
    feeds = await presence.stored.all(FEED)
    return InitiativeStatus(
        enabled=presence.settings.text.enabled,
        has_mind=presence.converser is not None,
        networks=tuple(network.name for network in opened.networks),
        channels=tuple(await presence.eligible()),
        pending=len(standing.pending),
        posts_last_day=standing.posts_last_day,
        posts_max=presence.settings.text.max_posts_per_day,
        sends_last_hour=standing.sends_last_hour,
        sends_max=presence.settings.replies.max_messages_per_hour,
        waiting=len(await presence.stored.all(DELIVERY, statuses=OPEN)),
        feeds=len(await presence.collector.feeds()),
        feeds_failing=sum(bool(feed.last_error) for feed in feeds),
        last_tick_at=state.last_tick_at,
        problems=tuple(opened.problems),
    )
