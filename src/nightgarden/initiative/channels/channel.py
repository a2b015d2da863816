"""What a chat network is to us: messages come in, a message goes out. The one entry point that plugins implement.

A plugin is a Python package with an entry point in the group `nightgarden.channels`: a function that takes a `Setup`
and returns a `Network`. See docs/how-to/initiative.md.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol, runtime_checkable

from nightgarden.domain.backoff import backoff
from nightgarden.domain.ports import Clock
from nightgarden.errors import Unreachable
from nightgarden.settings.initiative import InitiativeSettings

GROUP = "nightgarden.channels"
RECONNECT_MIN, RECONNECT_MAX = timedelta(seconds=1), timedelta(minutes=5)


def seconds_to_reconnect(failures: int) -> float:
    """How long to leave a network alone that could not be reached so many times in a row."""
    return backoff(failures, shortest=RECONNECT_MIN, longest=RECONNECT_MAX).total_seconds()


class NetworkDown(Unreachable):
    """A chat network cannot be reached now; what is to be sent waits."""


class NotDelivered(Unreachable):
    """A chat network refused a message for good: no such channel, or no right to write there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel that we are in."""

    id: str  # NETWORK:ID
    community: str  # NETWORK/ID, the server, space or group it belongs to
    name: str
    private: bool = False  # between two people, or by invitation; never written to unasked
    text: bool = True


class MessageSource(StrEnum):
    """How something was said."""

    TEXT = "text"
    VOICE = "voice"  # a transcript of speech, put into the text channel


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """One message that somebody sent. Every word of it is outside text."""

    id: str
    channel: str
    community: str
    author_id: str  # NETWORK:ID
    author_name: str
    text: str
    at: datetime
    from_program: bool = False  # another bot; never answered
    from_me: bool = False
    mentions_me: bool = False
    replies_to_me: bool = False
    reply_to: str = ""
    source: MessageSource = MessageSource.TEXT
    live: bool = True  # False: it was said while we were away


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """Somebody reacted to a message."""

    message_id: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that goes with a message."""

    name: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One message to send. `key` is the same whenever the same message is tried again."""

    key: str
    channel: str
    text: str
    reply_to: str = ""
    attachment: Attachment | None = None
    retried: bool = False  # an earlier try may have arrived


Heard = Callable[[Incoming | Reaction], Awaitable[None]]


class Network(Protocol):
    """A connection to one chat network with one account."""

    @property
    def name(self) -> str:
        """What stands before the colon in ids of its channels and users."""
        ...

    @property
    def chars_max(self) -> int:
        """How long one message may be."""
        ...

    async def run(self, heard: Heard) -> None:
        """Connects and passes on what is said until cancelled. Connects again by itself after a break."""
        ...

    async def catch_up(self, heard: Heard) -> None:
        """Connects once, passes on what was said meanwhile, and returns. Raises NetworkDown."""
        ...

    async def channels(self) -> Sequence[Channel]:
        """Those we are in, as far as known. Raises NetworkDown."""
        ...

    async def send(self, message: Outgoing) -> str:
        """Sends it, and returns the network's id of it. Sending the same key again must not show it twice. Raises
        NetworkDown to be asked again later, NotDelivered when that is of no use."""
        ...

    async def close(self) -> None: ...


@runtime_checkable
class KnowsReaders(Protocol):
    """A network that can say who reads a channel. Only on such a one the user can decide requests."""

    async def readers(self, channel: str) -> frozenset[str]:
        """Everybody but us who is in a channel, or invited to it, as NETWORK:ID. Raises NotDelivered for one that
        others can join or look into by themselves, or that we cannot write to, and NetworkDown when we are not there
        yet."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a network is made from."""

    settings: InitiativeSettings
    env: Mapping[str, str]
    clock: Clock
    folder: str  # of its own, for what it has to keep; made when needed
    private_room: str = ""  # NETWORK:ID of the room in which the user decides requests


Make = Callable[[Setup], Network]
