"""What initiative keeps in the garden, as documents: thoughts, deliveries, feeds, channels, and the log of what it did.

Typed reading and writing; decides nothing. A thought has the key of its community, so that no two can be pending there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from nightgarden.domain.documents import ABSENT, DocumentKind, Documents, Put
from nightgarden.domain.shelf import Shelf, put
from nightgarden.initiative.channels.channel import Channel
from nightgarden.initiative.feeds.items import FeedItem
from nightgarden.initiative.thoughts import MediaPlan, Thought

T = TypeVar("T")


class Act(StrEnum):
    """What the log tells of."""

    POST = "initiative_post"
    SKIP = "initiative_skip"
    HOLD = "initiative_hold"
    DROP = "initiative_drop"
    KEPT = "initiative_kept"  # an answer could not be used; the thought stays
    REPLY = "initiative_reply"
    LEAVE = "initiative_leave"  # a message that was not answered
    FAILED = "initiative_failed"
    FEEDS = "discovery_feed_snapshot"
    SOURCE_ADD = "initiative_source_add"
    SOURCE_REMOVE = "initiative_source_remove"
    MEDIA = "initiative_media"
    ERASED = "initiative_erased"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAction:
    """One line of the log. Equal lines in a row are one, counted."""

    id: str
    act: Act
    at: datetime
    reason: str
    community: str = ""
    channel: str = ""
    count: int = 1
    last_at: datetime | None = None
    detail: Mapping[str, str] = field(default_factory=dict)


class OutboxStatus(StrEnum):
    """Where a message on its way out stands."""

    QUEUED = "queued"
    SENDING = "sending"  # may have arrived already; tried again under the same key
    SENT = "sent"
    FAILED = "failed"


class Purpose(StrEnum):
    """Why something is sent."""

    POST = "post"
    REPLY = "reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A message on its way out, in the parts it is sent in."""

    id: str
    purpose: Purpose
    community: str
    channel: str
    parts: tuple[str, ...]
    created_at: datetime
    reply_to: str = ""
    media: MediaPlan | None = None
    sent: tuple[str, ...] = ()  # the network's ids of the parts that arrived
    sent_at: datetime | None = None
    tries: int = 0
    last_error: str = ""
    links: tuple[str, ...] = ()  # canonical
    sources: tuple[str, ...] = ()  # of feeds that the links came from
    engagement: int = 0  # reactions and replies


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedState:
    """What is known of one source: validators for the next request, and the items of the last answer."""

    source: str
    etag: str = ""
    last_modified: str = ""
    fetched_at: datetime | None = None
    items: tuple[FeedItem, ...] = ()
    fetched: int = 0  # items, all in all
    unchanged: int = 0  # answers with nothing new
    failures: Mapping[str, int] = field(default_factory=dict)  # by kind
    last_error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedSource:
    """A source that the model added by itself, or took away from those of the settings (`removed`)."""

    family: str
    value: str
    at: datetime
    removed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TickState:
    """Where the tick stands."""

    last_fresh_at: datetime | None = None
    last_tick_at: datetime | None = None
    ticks: int = 0
    erased_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaMade:
    """A picture, video or GIF that was made or fetched, for the budget."""

    id: str
    kind: str
    at: datetime


THOUGHT = DocumentKind("initiative_thought", Thought)
ACTION = DocumentKind("initiative_action", LoggedAction)
DELIVERY = DocumentKind("initiative_delivery", Delivery)
FEED = DocumentKind("initiative_feed", FeedState)
SOURCE = DocumentKind("initiative_source", AddedSource)
CHANNEL = DocumentKind("initiative_channel", Channel)
STATE = DocumentKind("initiative_state", TickState)
MEDIA = DocumentKind("initiative_media", MediaMade)
KINDS: tuple[DocumentKind[object], ...] = (THOUGHT, ACTION, DELIVERY, FEED, SOURCE, CHANNEL, STATE, MEDIA)  # type: ignore[assignment]
_STATE_KEY = "tick"
_FORGOTTEN_AT_ONCE = 500


class Stored:
    """The documents of initiative in one garden."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    async def all(
        self,
        kind: DocumentKind[T],
        *,
        owner: str | None = None,
        statuses: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[T]:
        """Newest last; with a limit the newest. What cannot be read is left out."""
        shelf = Shelf(self._documents, kind)
        found = await shelf.list(owner=owner, statuses=statuses, limit=limit, newest_first=limit is not None)
        return [kept.value for kept in (reversed(found) if limit is not None else found)]

    async def get(self, kind: DocumentKind[T], key: str) -> T | None:
        kept = await Shelf(self._documents, kind).get(key)
        return kept.value if kept is not None else None

    async def put(
        self,
        kind: DocumentKind[T],
        key: str,
        value: T,
        *,
        at: datetime,
        owner: str = "",
        status: str = "",
        due_at: datetime | None = None,
    ) -> None:
        shelf = Shelf(self._documents, kind)
        await shelf.put(key, value, expected=None, at=at, owner=owner, status=status, due_at=due_at)

    async def remove(self, kind: DocumentKind[T], key: str, *, at: datetime) -> None:
        await Shelf(self._documents, kind).remove(key, expected=None, at=at)

    # -- thoughts ----------------------------------------------------------------------------------------------------
    async def put_thought(self, thought: Thought, *, at: datetime) -> None:
        await self.put(THOUGHT, thought.community, thought, at=at, status=thought.status, due_at=thought.not_before_at)

    # -- deliveries --------------------------------------------------------------------------------------------------
    async def put_delivery(self, delivery: Delivery, status: OutboxStatus, *, at: datetime) -> None:
        await self.put(DELIVERY, delivery.id, delivery, at=at, owner=delivery.purpose, status=status)

    async def post(self, delivery: Delivery, community_thought: str | None, *, at: datetime) -> None:
        """Puts a new delivery into the outbox, and takes the thought it came from away, in one step."""
        queued = OutboxStatus.QUEUED
        puts = [put(DELIVERY, delivery.id, delivery, expected=ABSENT, owner=delivery.purpose, status=queued)]
        if community_thought is not None:
            puts.append(Put(kind=THOUGHT.name, key=community_thought, value=None, expected=None))
        await self._documents.put_documents(puts, at=at)

    async def forget(self, before: datetime, *, at: datetime) -> int:
        """Removes what was sent, made and logged before a moment. Returns how many records."""
        over = (OutboxStatus.SENT, OutboxStatus.FAILED)
        sent = [(DELIVERY.name, d.id) for d in await self.all(DELIVERY, statuses=over) if d.created_at < before]
        made = [(MEDIA.name, each.id) for each in await self.all(MEDIA) if each.at < before]
        logged = [(ACTION.name, each.id) for each in await self.all(ACTION) if (each.last_at or each.at) < before]
        old = [Put(kind=kind, key=key, value=None, expected=None) for kind, key in (*sent, *made, *logged)]
        for start in range(0, len(old), _FORGOTTEN_AT_ONCE):
            await self._documents.put_documents(old[start : start + _FORGOTTEN_AT_ONCE], at=at)
        return len(old)

    # -- state and log -----------------------------------------------------------------------------------------------
    async def state(self) -> TickState:
        return await self.get(STATE, _STATE_KEY) or TickState()

    async def put_state(self, state: TickState, *, at: datetime) -> None:
        await self.put(STATE, _STATE_KEY, state, at=at)

    async def log(self, action: LoggedAction) -> None:
        """Writes a line. A quiet tick for the same cause as the one before is counted there."""
        if action.act in (Act.SKIP, Act.LEAVE):
            last = (await self.all(ACTION, limit=1))[-1:]
            if last and _same(last[0], action):
                action = replace(last[0], count=last[0].count + 1, last_at=action.at, reason=action.reason)
        await self.put(ACTION, action.id, action, at=action.at, status=action.act)


def _same(one: LoggedAction, other: LoggedAction) -> bool:
    return (one.act, one.detail.get("gate"), one.channel) == (other.act, other.detail.get("gate"), other.channel)


def source_key(source: str) -> str:
    """A key for any text: short, and without characters that a key may not have."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:32]
