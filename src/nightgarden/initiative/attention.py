"""Who has our attention: whether a channel is in a live exchange with us, and whether a message is answered. Pure.

A channel is ACTIVE while somebody names us, replies to us, or goes on talking right after we spoke; the reply path has
it then, and thoughts of our own stay out. Otherwise it is AMBIENT.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from nightgarden.initiative.channels.channel import Incoming
from nightgarden.initiative.permits import Permits
from nightgarden.settings.initiative import InitiativeRepliesSettings


class Attention(StrEnum):
    """How we are present in a channel."""

    ACTIVE = "active"
    AMBIENT = "ambient"


def attention(messages: Sequence[Incoming], *, now: datetime, window: timedelta) -> Attention:
    """Of a channel's newest messages, oldest first."""
    spoke_at: datetime | None = None
    active_until: datetime | None = None
    for message in messages:
        if message.from_me:
            spoke_at = message.at
            if active_until is not None and message.at < active_until:
                active_until = message.at + window  # our own answer keeps the exchange going
            continue
        if message.from_program:
            continue
        live = spoke_at is not None and message.at - spoke_at < window
        if message.mentions_me or message.replies_to_me or live:
            active_until = message.at + window
    return Attention.ACTIVE if active_until is not None and now < active_until else Attention.AMBIENT


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionAnswer:
    """The message is answered."""

    reason: str
    direct: bool  # it was said to us


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """The message is left alone."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """What was sent lately."""

    sends_last_hour: int
    last_send_here_at: datetime | None


def admit(
    message: Incoming,
    before: Sequence[Incoming],
    *,
    settings: InitiativeRepliesSettings,
    permits: Permits,
    recent: Recent,
    now: datetime,
    roll: Callable[[], float],
) -> AttentionAnswer | Leave:
    """Whether a message is answered at once. `before` are the messages that preceded it, oldest first."""
    if reason := _never(message, settings, permits):
        return Leave(reason=reason)
    if recent.sends_last_hour >= settings.max_messages_per_hour:
        return Leave(reason=f"{recent.sends_last_hour} messages in an hour are enough")
    cooldown = timedelta(seconds=settings.min_seconds_between_messages)
    if recent.last_send_here_at is not None and now - recent.last_send_here_at < cooldown:
        return Leave(reason="cooldown")
    if message.mentions_me or message.replies_to_me:
        return AttentionAnswer(reason="it was said to us", direct=True)
    window = timedelta(seconds=settings.active_seconds)
    if attention(before, now=message.at, window=window) is Attention.ACTIVE:
        return _rolled(settings.response_window_eagerness, "a live exchange goes on", roll)
    if message.channel in settings.reply_channel_ids:
        lively = sum(not each.from_me and message.at - each.at < window for each in before) > 1
        chance = settings.reply_eagerness + (settings.reply_channel_bonus if lively else 0)
        return _rolled(chance, "a reply channel", roll)
    return Leave(reason="it was not said to us")


def _never(message: Incoming, settings: InitiativeRepliesSettings, permits: Permits) -> str:
    if not settings.enabled:
        return "initiative.replies.enabled is false"
    if message.from_me or message.from_program:
        return "no person said it"
    if not message.live:
        return "it was said while we were away"
    if not message.text.strip():
        return "it has no words"
    return permits.refuse(message.channel, message.author_id)


def _rolled(chance: int, reason: str, roll: Callable[[], float]) -> AttentionAnswer | Leave:
    rolled = roll()
    words = f"{reason}; rolled {rolled:.1f} against {chance}"
    return AttentionAnswer(reason=words, direct=False) if rolled < chance else Leave(reason=words)
