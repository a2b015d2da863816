"""Telling the user: events go to an outbox, and from there to each channel, batched, outside quiet hours, and again
after a failure. What was given up stays visible as a dead letter.

`Notifier.send` only writes to the garden; `deliver` sends. So a crash loses nothing, and a slow server holds up nobody.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from nightgarden.domain.backoff import backoff
from nightgarden.domain.gate import scrubbed
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.shelf import Kept
from nightgarden.errors import BadSetting, Conflict, NotFound, Unreachable
from nightgarden.garden import Garden
from nightgarden.safety.channels import ChatChannel, NotificationChannel, NotificationMessage, Post, open_channels
from nightgarden.safety.messages import TITLES, DeliveryStatus, EventName, Notification, SafetyEvent
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import PermissionRequest, RequestStatus, Urgency
from nightgarden.safety.safety_documents import NOTIFICATION, ActionLabels, LabelledShelf
from nightgarden.safety.telling import request_text
from nightgarden.settings import NotifySettings

RETRY_MIN = timedelta(seconds=30)  # then doubled
RETRY_MAX = timedelta(hours=1)
DETAIL_CHARS_MAX = 20_000
_ORDER = {Urgency.LOW: 0, Urgency.NORMAL: 1, Urgency.HIGH: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """What one delivery did."""

    sent: int = 0
    failed: int = 0
    waiting: int = 0
    dead: int = 0

    @property
    def sentence(self) -> str:
        parts = [f"{self.sent} sent"] if self.sent else []
        parts += [f"{self.waiting} waiting"] if self.waiting else []
        parts += [f"{self.dead} given up: nightgarden notifications list"] if self.dead else []
        return ", ".join(parts) or "nothing to send"


class Notifier:
    """The outbox of one garden and the channels of its user."""

    def __init__(
        self,
        garden: Garden,
        *,
        settings: NotifySettings | None = None,
        channels: Sequence[NotificationChannel] | None = None,
        post: Post | None = None,
        env: Mapping[str, str] | None = None,
        local: Callable[[datetime], datetime] = datetime.astimezone,
    ) -> None:
        """`post` says something in the private chat room; without it, what is for the room waits for somebody who can.
        `local` gives the user's own time, for quiet hours."""
        self._garden = garden
        self._settings = settings or garden.settings.notify
        env = os.environ if env is None else env
        self.channels = tuple(open_channels(self._settings, env, post) if channels is None else channels)
        self._local = local
        self._ids = IdMaker(lambda: int.from_bytes(os.urandom(10)))
        self._shelf: LabelledShelf[Notification] = LabelledShelf(garden.store, NOTIFICATION, _labels)

    async def send(self, event: SafetyEvent) -> builtins.list[Notification]:
        """Puts an event into the outbox, once for each channel; none if it is not wanted."""
        if event.name is not EventName.TEST and not self._is_wanted(event):
            return []
        now = self._garden.now()
        made = []
        for channel in self.channels:
            one = Notification(
                id=self._ids.make(now),
                channel=channel.name,
                event=event.name,
                urgency=event.urgency,
                safe=event.safe_body,
                detail=scrubbed(event.detail)[:DETAIL_CHARS_MAX] if channel.private else "",
                subject_id=event.subject_id,
                created_at=now,
                due_at=self._due(event, now),
            )
            await self._shelf.add(one.id, one, at=now)
            made.append(one)
        return made

    async def send_request(self, request: PermissionRequest) -> builtins.list[Notification]:
        """Tells of a new request for permission."""
        waiting = len(await Permissions(self._garden).pending())
        return await self.send(
            SafetyEvent(
                name=EventName.REQUEST,
                urgency=request.urgency,
                counts={"requests_waiting": waiting},
                detail=request_text(request),
                subject_id=request.id,
            )
        )

    async def deliver(self) -> Delivered:
        """Sends what is due. What fails is tried again later; what failed too often is given up, and stays listed."""
        now = self._garden.now()
        waiting = await self._shelf.list(statuses=(DeliveryStatus.WAITING.value,))
        sent = failed = 0
        for channel in self.channels:
            if isinstance(channel, ChatChannel) and channel.post is None:
                continue
            mine = [held for held in waiting if held.value.channel == channel.name]
            for batch in _batches(mine, now, channel):
                if await self._send(channel, batch):
                    sent += len(batch)
                else:
                    failed += len(batch)
        left = await self._shelf.list(statuses=(DeliveryStatus.WAITING.value,))
        dead = await self._shelf.list(statuses=(DeliveryStatus.DEAD.value,))
        return Delivered(sent=sent, failed=failed, waiting=len(left), dead=len(dead))

    async def list(self, *, dead: bool = False, limit: int | None = None) -> builtins.list[Notification]:
        """The outbox, the newest first; `dead`: only what was given up."""
        statuses = (DeliveryStatus.DEAD.value,) if dead else None
        return [held.value for held in await self._shelf.list(statuses=statuses, limit=limit, newest_first=True)]

    async def retry(self, notification_id: str) -> Notification:
        """Gives a dead letter another chance. Raises NotFound."""
        now = self._garden.now()

        def again(one: Notification) -> Notification:
            return replace(one, status=DeliveryStatus.WAITING, attempts=0, due_at=now, error="")

        changed, _ = await self._shelf.change(notification_id, again, at=now)
        if changed is None:
            raise NotFound(f"there is no notification {notification_id!r}; `nightgarden notifications list` shows them")
        return changed

    # -- when --------------------------------------------------------------------------------------------------------
    def _is_wanted(self, event: SafetyEvent) -> bool:
        least = _ORDER[Urgency(self._settings.min_urgency)]
        return event.name.value in self._settings.events and _ORDER[event.urgency] >= least

    def _due(self, event: SafetyEvent, now: datetime) -> datetime:
        if event.urgency is Urgency.HIGH or event.name is EventName.TEST:
            return now
        due = now + timedelta(seconds=self._settings.batch_seconds)
        return quiet_end(self._local(due), self._settings) or due

    # -- how ---------------------------------------------------------------------------------------------------------
    async def _send(self, channel: NotificationChannel, batch: Sequence[Kept[Notification]]) -> bool:
        claimed = [held for held in batch if await self._claim(held)]
        if not claimed:
            return True
        notes = [held.value for held in claimed]
        try:
            await channel.send(await self._message(channel, notes))
        except (Unreachable, BadSetting) as error:
            for one in notes:
                await self._failed(one, str(error))
            return False
        for one in notes:
            await self._end(replace(one, status=DeliveryStatus.SENT, sent_at=self._garden.now(), error=""))
        return True

    async def _claim(self, held: Kept[Notification]) -> bool:
        """Counts the attempt first, so that of two processes one sends; a crash here costs one attempt."""
        one = held.value
        tried = replace(one, attempts=one.attempts + 1, due_at=self._next_try(one.attempts + 1))
        try:
            await self._shelf.put(one.id, tried, held.version, at=self._garden.now())
        except Conflict:
            return False
        return True

    async def _failed(self, one: Notification, why: str) -> None:
        attempts = one.attempts + 1
        dead = attempts >= self._settings.attempts_max
        due = self._next_try(attempts)
        status = DeliveryStatus.DEAD if dead else DeliveryStatus.WAITING
        await self._end(replace(one, status=status, attempts=attempts, error=scrubbed(why)[:400], due_at=due))

    def _next_try(self, attempts: int) -> datetime:
        return self._garden.now() + backoff(attempts, shortest=RETRY_MIN, longest=RETRY_MAX)

    async def _end(self, one: Notification) -> None:
        await self._shelf.put(one.id, one, None, at=self._garden.now())

    async def _message(self, channel: NotificationChannel, notes: Sequence[Notification]) -> NotificationMessage:
        token = ""
        if channel.private and len(notes) == 1 and notes[0].event is EventName.REQUEST:
            token = await self._token(notes[0].subject_id)
        urgent = any(one.urgency is Urgency.HIGH for one in notes)
        title = TITLES[notes[0].event] if len(notes) == 1 else f"{len(notes)} messages"
        return NotificationMessage(
            title=f"nightgarden: {title}",
            body="\n\n".join(_body(one, channel, token) for one in notes),
            urgent=urgent,
            token=token,
            reference=notes[0].subject_id or notes[0].id,
        )

    async def _token(self, request_id: str) -> str:
        permissions = Permissions(self._garden)
        try:
            request = await permissions.get(request_id)
        except NotFound:
            return ""
        return await permissions.issue_token(request_id) if request.status is RequestStatus.PENDING else ""


def quiet_end(local: datetime, settings: NotifySettings) -> datetime | None:
    """When the quiet hours around this moment end; None outside them."""
    start, end = clock_time(settings.quiet_from, "quiet_from"), clock_time(settings.quiet_until, "quiet_until")
    if start is None or end is None or start == end:
        return None
    at = local.timetz().replace(tzinfo=None)
    quiet = start <= at < end if start < end else (at >= start or at < end)
    if not quiet:
        return None
    ends = local.replace(hour=end.hour, minute=end.minute, second=0, microsecond=0)
    return ends if ends > local else ends + timedelta(days=1)


def clock_time(text: str, key: str) -> time | None:
    """A time of day such as 23:00; None for an empty text. Raises BadSetting."""
    if not text.strip():
        return None
    try:
        return time.fromisoformat(text.strip())
    except ValueError:
        raise BadSetting(f"notify.{key} = {text!r} is not a time of day; try 23:00") from None


def _batches(
    mine: Sequence[Kept[Notification]], now: datetime, channel: NotificationChannel
) -> list[list[Kept[Notification]]]:
    """What goes out together: everything that waits once something is due, but what failed before waits for its turn,
    and each request by itself where an answer can come back."""
    if not any(held.value.due_at <= now for held in mine):
        return []
    ready = [held for held in mine if held.value.due_at <= now or held.value.attempts == 0]
    alone = [[held] for held in ready if channel.private and held.value.event is EventName.REQUEST]
    rest = [held for held in ready if not (channel.private and held.value.event is EventName.REQUEST)]
    return [*alone, *([rest] if rest else [])]


def _body(one: Notification, channel: NotificationChannel, token: str) -> str:
    if not channel.private:
        return one.safe
    how = "" if not token else f"\n\nTo decide, reply with: approve {token}\nor: deny {token}"
    if token and channel.replies:
        how = "\n\nTo decide, reply to this message with approve or deny, and why if you like."
    return f"{one.safe}\n\n{one.detail}{how}".strip() if one.detail else one.safe


def _labels(one: Notification) -> ActionLabels:
    due = one.due_at if one.status is DeliveryStatus.WAITING else None
    return ActionLabels(owner=one.channel, status=one.status.value, due_at=due)
