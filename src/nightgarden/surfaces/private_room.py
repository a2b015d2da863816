"""The private room of a chat network in which the user is told of requests and decides them: notify.chat_room.

What is said in it never reaches initiative, and what is said anywhere else never decides anything. As long as somebody
is in it who is not in notify.chat_senders, nothing is sent there and nothing said there counts. Not covered: whoever
runs the user's chat server can read the room and speak in the user's name.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from nightgarden.errors import BadSetting, Unreachable
from nightgarden.garden import Garden
from nightgarden.initiative.channels.channel import (
    Heard,
    Incoming,
    KnowsReaders,
    Network,
    NetworkDown,
    NotDelivered,
    Outgoing,
    Reaction,
)
from nightgarden.safety.answering import Decided, Directed, Ignored, take_reply
from nightgarden.safety.replies import RequestReply
from nightgarden.sessions.passages import cut_text

_COUNTED = {Decided: "decided", Directed: "directives", Ignored: "ignored"}
_log = logging.getLogger("nightgarden.chat")


class PrivateRoom:
    """The room on the network that it belongs to."""

    def __init__(self, garden: Garden, networks: Sequence[Network]) -> None:
        notify = garden.settings.notify
        self._garden = garden
        self._channel = notify.chat_room
        self._name = notify.chat_room.partition(":")[0]
        self._network = next((network for network in networks if network.name == self._name), None)
        self._senders = notify.chat_senders
        self._counts: Counter[str] = Counter()

    @property
    def sentence(self) -> str:
        """What came in since the room was opened."""
        words = [f"{self._counts[name]} {name}" for name in _COUNTED.values()]
        strangers = self._counts["strangers"]
        return ", ".join([*words, *([f"{strangers} from strangers"] if strangers else [])])

    async def away(self) -> str:
        """Why there is no use in sending yet, as while the network is being connected; empty when it can be tried."""
        try:
            await self._check()
        except NetworkDown as error:
            return str(error)
        except (NotDelivered, BadSetting):
            return ""  # trying says why, and counts
        return ""

    def before(self, hear: Heard) -> Heard:
        """Keeps what is said in the room, and passes everything else on."""

        async def heard(event: Incoming | Reaction) -> None:
            if not self._channel or event.channel != self._channel:
                await hear(event)
            elif isinstance(event, Incoming) and not event.from_me:
                await self._take(event)

        return heard

    async def post(self, text: str) -> None:
        """Says something in the room. Raises Unreachable or BadSetting."""
        await self._send(text, key=f"ng-{secrets.token_hex(8)}")

    # -- inside ------------------------------------------------------------------------------------------------------
    async def _take(self, message: Incoming) -> None:
        sender = message.author_id.removeprefix(f"{self._name}:")
        if sender not in self._senders:  # letter by letter: ids that differ in case are two people
            self._counts["strangers"] += 1
            return
        if self._garden.now() - message.at > timedelta(hours=self._garden.settings.safety.request_hours):
            return  # what the room had before it was named here
        try:
            await self._check()
        except (Unreachable, BadSetting) as error:
            self._counts["ignored"] += 1
            _log.warning("a reply in the chat room does not count: %s", error)
            return
        reply = RequestReply(
            channel=self._name,
            sender=sender,
            text=message.text,
            message_id=message.id,
            automatic=message.from_program,
        )
        taken = await take_reply(self._garden, reply, senders=self._senders)
        self._counts[_COUNTED[type(taken)]] += 1
        if reply.automatic:  # two programs would write to each other for ever
            return
        key = f"ack-{hashlib.sha256(message.id.encode()).hexdigest()[:16]}"  # heard twice, it is answered once
        try:
            await self._send(taken.sentence, key=key, reply_to=message.id)
        except (Unreachable, BadSetting) as error:
            _log.warning("a reply in the chat room was taken and could not be acknowledged: %s", error)

    async def _send(self, text: str, *, key: str, reply_to: str = "") -> None:
        network = await self._check()
        for number, part in enumerate(cut_text(text, network.chars_max)):
            await network.send(Outgoing(key=f"{key}-{number}", channel=self._channel, text=part, reply_to=reply_to))

    async def _check(self) -> Network:
        """The network, if nobody but the user reads the room. Raises Unreachable or BadSetting."""
        network = self._network
        if network is None:
            raise BadSetting(f"notify.chat_room is on {self._name!r}, which is not set up; see [initiative]")
        if not isinstance(network, KnowsReaders):
            raise BadSetting(f"notify.chat_room: {self._name} does not say who is in a room; use one on matrix")
        readers = {reader.removeprefix(f"{self._name}:") for reader in await network.readers(self._channel)}
        if strangers := sorted(readers.difference(self._senders)):
            raise NotDelivered(f"{strangers[0]} is in the chat room and not in notify.chat_senders")
        if not readers:
            raise NotDelivered("nobody is in the chat room; join it")
        return network
