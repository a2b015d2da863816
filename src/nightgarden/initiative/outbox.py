"""The outbox: what is to be sent, sent once. A crash between sending and writing that down does not post twice.

A delivery is written before anything is sent. Each part has a key that never changes, by which the network itself
recognises a second try; a network that cannot do that looks for the key in what it sent. What could not be sent is
tried again until it is too old to make sense.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from nightgarden.domain.ports import Clock
from nightgarden.initiative.channels.channel import Network, NetworkDown, NotDelivered, Outgoing
from nightgarden.initiative.initiative_documents import DELIVERY, Delivery, OutboxStatus, Purpose, Stored
from nightgarden.initiative.media.make import Made

OPEN = (OutboxStatus.QUEUED, OutboxStatus.SENDING)
LATE = {Purpose.POST: timedelta(hours=2), Purpose.REPLY: timedelta(minutes=10)}  # later, it is about something else
Make = Callable[[Delivery], Awaitable[Made]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What became of a delivery in this try."""

    delivery: Delivery
    status: OutboxStatus
    new: tuple[tuple[str, str], ...] = ()  # ids and texts of the parts that arrived now


class Outbox:
    """Deliveries of one garden."""

    def __init__(self, stored: Stored, networks: Mapping[str, Network], clock: Clock, make_media: Make) -> None:
        self._stored = stored
        self._networks = networks
        self._clock = clock
        self._make_media = make_media
        self._made: dict[str, Made] = {}  # by delivery, so that a second try neither makes nor pays for it again

    async def flush(self) -> list[Sent]:
        """Tries everything that is not sent yet, oldest first."""
        return [await self._try(delivery) for delivery in await self._stored.all(DELIVERY, statuses=OPEN)]

    async def _try(self, delivery: Delivery) -> Sent:
        now = self._clock.now()
        if now - delivery.created_at > LATE[delivery.purpose]:
            part = f"only {len(delivery.sent)} of {len(delivery.parts)} parts" if delivery.sent else "not"
            words = f"{part} sent within {LATE[delivery.purpose]}: too late to make sense ({delivery.last_error})"
            return await self._end(replace(delivery, last_error=words), OutboxStatus.FAILED)
        network = self._networks.get(delivery.channel.partition(":")[0])
        if network is None:
            return await self._end(replace(delivery, last_error="its network is not set up"), OutboxStatus.QUEUED)
        delivery = replace(delivery, tries=delivery.tries + 1)
        await self._stored.put_delivery(delivery, OutboxStatus.SENDING, at=now)
        new: list[tuple[str, str]] = []
        try:
            for number, text in enumerate(delivery.parts[len(delivery.sent) :], start=len(delivery.sent)):
                message = await network.send(await self._outgoing(delivery, number, text))
                delivery = replace(delivery, sent=(*delivery.sent, message))
                new.append((message, text))
                await self._stored.put_delivery(delivery, OutboxStatus.SENDING, at=self._clock.now())
        except NetworkDown as error:
            return await self._end(replace(delivery, last_error=str(error)[:300]), OutboxStatus.SENDING, new)
        except NotDelivered as error:
            return await self._end(replace(delivery, last_error=str(error)[:300]), OutboxStatus.FAILED, new)
        return await self._end(replace(delivery, sent_at=self._clock.now(), last_error=""), OutboxStatus.SENT, new)

    async def _outgoing(self, delivery: Delivery, number: int, text: str) -> Outgoing:
        first = number == 0
        made = await self._media(delivery) if first and delivery.media is not None else Made()
        return Outgoing(
            key=part_key(delivery.id, number),
            channel=delivery.channel,
            text=f"{text}\n{made.link}" if made.link else text,
            reply_to=delivery.reply_to if first else "",
            attachment=made.attachment,
            retried=delivery.tries > 1,
        )

    async def _media(self, delivery: Delivery) -> Made:
        if delivery.id not in self._made:
            self._made[delivery.id] = await self._make_media(delivery)
        return self._made[delivery.id]

    async def _end(self, delivery: Delivery, status: OutboxStatus, new: list[tuple[str, str]] | None = None) -> Sent:
        if delivery.sent or status is OutboxStatus.FAILED:
            self._made.pop(delivery.id, None)
        await self._stored.put_delivery(delivery, status, at=self._clock.now())
        return Sent(delivery=delivery, status=status, new=tuple(new or ()))


def part_key(delivery_id: str, number: int) -> str:
    """The same for the same part, always; short enough for a nonce of Discord (25 characters)."""
    return f"{delivery_id[-22:]}-{number}"


def sends_since(deliveries: list[Delivery], since: datetime) -> int:
    """How many messages went out from a moment on."""
    return sum(len(d.parts) for d in deliveries if (d.sent_at or d.created_at) >= since and (d.sent or d.sent_at))
