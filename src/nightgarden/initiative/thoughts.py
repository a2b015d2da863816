"""A thought: something that may be worth saying in a channel, held until it is posted, dropped or expired. Pure.

The expiry is fixed when the thought is made; holding never extends it. A thought that is held waits longer each time,
unless somebody said something meanwhile. What a model answered and cannot be read keeps the thought, and is counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from nightgarden.domain.backoff import backoff

TEXT_CHARS_MAX = 1_800  # fits one message of every chat network we know, with room for links
MEDIA_PROMPT_CHARS_MAX = 900
LIFE_MAX = timedelta(hours=2)  # what was worth saying two hours ago is old in a chat
LIFE_MIN = timedelta(minutes=30)
WAIT_MIN = timedelta(seconds=30)
WAIT_MAX = timedelta(minutes=30)
# New messages bring a thought back sooner, but a busy channel must not cost a call every minute; taste.
WAIT_MAX_WITH_ACTIVITY = timedelta(minutes=5)
FAILURES_MAX = 5  # answers in a row that cannot be read; then the thought is dropped


class ThoughtStatus(StrEnum):
    """Whether a thought rests as it is, or was overtaken by what people said since."""

    QUEUED = "queued"
    RECONSIDER = "reconsider"


class MediaKind(StrEnum):
    """What a post may carry besides text."""

    IMAGE = "image"
    VIDEO = "video"
    GIF = "gif"


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaPlan:
    """A picture, video or GIF that a thought wants, in words."""

    kind: MediaKind
    prompt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """Something that may be worth saying. At most one is pending in a community, and it blocks only its own."""

    id: str
    community: str
    channel: str  # where it was meant for; a later pass may choose another
    draft: str  # as it was first thought
    text: str  # as it stands now
    created_at: datetime
    updated_at: datetime
    basis_at: datetime  # the newest message that it knows of
    not_before_at: datetime
    expires_at: datetime  # fixed at creation
    revision: int = 0
    status: ThoughtStatus = ThoughtStatus.QUEUED
    last_action: str = "hold"
    last_reason: str = ""
    reply_to: str = ""
    media: MediaPlan | None = None
    failures: int = 0  # answers in a row that could not be read
    feed_urls: tuple[str, ...] = ()  # links it came from, by which its source is credited

    def is_expired(self, now: datetime) -> bool:
        return now >= self.expires_at

    def is_due(self, now: datetime) -> bool:
        return now >= self.not_before_at


def expiry(created_at: datetime, gap: timedelta) -> datetime:
    """At most two hours, at least half an hour, else twice the gap between considerations."""
    return created_at + min(LIFE_MAX, max(LIFE_MIN, 2 * gap))


def new_thought(  # noqa: PLR0913 - as many as a thought has fields
    *,
    id: str,
    community: str,
    channel: str,
    text: str,
    reason: str,
    media: MediaPlan | None,
    basis_at: datetime,
    gap: timedelta,
    now: datetime,
    reply_to: str = "",
    feed_urls: tuple[str, ...] = (),
) -> Thought:
    """A thought that the model holds for the first time."""
    return Thought(
        id=id,
        community=community,
        channel=channel,
        draft=text[:TEXT_CHARS_MAX],
        text=text[:TEXT_CHARS_MAX],
        created_at=now,
        updated_at=now,
        basis_at=basis_at,
        not_before_at=now + WAIT_MIN,
        expires_at=expiry(now, gap),
        last_reason=reason,
        reply_to=reply_to,
        media=media,
        feed_urls=feed_urls,
    )


def held(
    thought: Thought,
    *,
    text: str,
    channel: str,
    reason: str,
    media: MediaPlan | None,
    basis_at: datetime,
    now: datetime,
    reply_to: str = "",
    feed_urls: tuple[str, ...] = (),
) -> Thought:
    """The thought as it was refined. It waits twice as long as before; when it expires does not change."""
    return replace(
        thought,
        text=text[:TEXT_CHARS_MAX],
        channel=channel,
        revision=thought.revision + 1,
        status=ThoughtStatus.QUEUED,
        updated_at=now,
        basis_at=basis_at,
        not_before_at=now + wait(thought.revision + 1),
        last_action="hold",
        last_reason=reason,
        reply_to=reply_to,
        media=media,
        failures=0,
        feed_urls=tuple(dict.fromkeys((*thought.feed_urls, *feed_urls))),
    )


def wait(revision: int) -> timedelta:
    """How long a thought rests after it was held that many times."""
    return backoff(revision + 1, shortest=WAIT_MIN, longest=WAIT_MAX)


def kept(thought: Thought, *, reason: str, now: datetime) -> Thought:
    """The same thought after an answer that could not be read, or a delivery that was not possible: counted."""
    failures = thought.failures + 1
    return replace(
        thought,
        failures=failures,
        last_action="kept",
        last_reason=reason,
        updated_at=now,
        not_before_at=now + wait(failures),
    )


def noticed(thought: Thought, newest_message_at: datetime) -> Thought:
    """The thought after somebody spoke in its community: it is to be reconsidered, sooner than it would have been."""
    if newest_message_at <= thought.basis_at:
        return thought
    soon = max(thought.updated_at + WAIT_MIN, min(thought.not_before_at, thought.updated_at + WAIT_MAX_WITH_ACTIVITY))
    return replace(thought, status=ThoughtStatus.RECONSIDER, not_before_at=soon)
