"""Matrix, through matrix-nio: one account on one homeserver, whose rooms are one community. Unencrypted rooms only.

A message has a transaction id that is the same at every try, by which the homeserver itself recognises a repetition.
How far was read is kept in a file, so that a restart goes on there. What comes in live is dated by our own clock: the
time in an event is whatever its sender's server says. What was said while the homeserver could not be reached for a
while is kept like what was said before a restart, and not answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import nio

from nightgarden.errors import BadSetting
from nightgarden.initiative.channels.channel import (
    Channel,
    Heard,
    Incoming,
    MessageSource,
    NetworkDown,
    NotDelivered,
    Outgoing,
    Reaction,
    Setup,
    seconds_to_reconnect,
)
from nightgarden.initiative.channels.networks import listed_channels
from nightgarden.initiative.channels.tokens import read_token
from nightgarden.store import private

SYNC_MS = 30_000
AWAY = timedelta(minutes=2)  # a shorter break is none to those who wait for an answer; taste
BY_INVITATION = ("invite", "private", "knock")  # rules of joining by which nobody comes in unasked
OWN_MAX = 1_000  # of our own messages whose replies are recognised
_DOWN = (aiohttp.ClientError, asyncio.TimeoutError, OSError)
_FOR_GOOD = ("M_FORBIDDEN", "M_NOT_FOUND", "M_TOO_LARGE", "M_BAD_JSON", "M_INVALID_PARAM")
_log = logging.getLogger("nightgarden.matrix")


class Matrix:
    """The network."""

    name = "matrix"
    chars_max = 4_000

    def __init__(self, setup: Setup) -> None:
        settings = setup.settings.matrix
        if not settings.user_id.startswith("@") or ":" not in settings.user_id:
            raise BadSetting("initiative.matrix.user_id must be an account such as @garden:example.org")
        token = read_token("initiative.matrix", settings.token_env, settings.token_file, setup.env)
        self._me = settings.user_id
        self._community = f"matrix/{settings.user_id.partition(':')[2]}"
        self._joined = {*listed_channels(setup), setup.private_room}  # when invited
        self._clock = setup.clock
        self._file = Path(setup.folder) / "matrix.json"
        self._homeserver = settings.homeserver
        self._token = token
        self._client: nio.AsyncClient | None = None
        self._synced = False
        self._reached_at: datetime | None = None
        self._failed = False  # since then
        self._own: dict[str, None] = {}

    # -- listening ---------------------------------------------------------------------------------------------------
    async def run(self, heard: Heard) -> None:
        failures = 0
        while True:
            try:
                await self._sync(heard, timeout_ms=SYNC_MS)
                failures = 0
            except NetworkDown as error:
                failures += 1
                wait = seconds_to_reconnect(failures)
                _log.warning("matrix: %s; next try in %.0f s", error, wait)
                await asyncio.sleep(wait)

    async def catch_up(self, heard: Heard) -> None:
        await self._sync(heard, timeout_ms=0)

    async def _sync(self, heard: Heard, *, timeout_ms: int) -> None:
        since, first, live = self._since(), not self._synced, self._synced and not self._was_away()
        client = self._connected()
        try:
            answer = await client.sync(timeout=timeout_ms, since=since, full_state=first)
        except _DOWN as error:
            self._failed = True
            raise NetworkDown(f"{self._homeserver} cannot be reached: {type(error).__name__}") from None
        if not isinstance(answer, nio.SyncResponse):
            self._failed = True
            raise NetworkDown(f"{self._homeserver} refused: {getattr(answer, 'message', 'unknown')}"[:200])
        self._synced = True
        for room_id in answer.rooms.invite:
            if f"matrix:{room_id}" in self._joined:
                await client.join(room_id)
        for room_id, room in answer.rooms.join.items():
            for event in room.timeline.events:
                if (made := self._event(room_id, event, live=live)) is not None:
                    await heard(made)
        self._keep_since(answer.next_batch)
        self._reached_at, self._failed = self._clock.now(), False

    def _was_away(self) -> bool:
        """Whether the homeserver could not be reached for so long that what was said there is over."""
        return self._failed and self._reached_at is not None and self._clock.now() - self._reached_at > AWAY

    def _event(self, room_id: str, event: Any, *, live: bool) -> Incoming | Reaction | None:
        channel = f"matrix:{room_id}"
        if isinstance(event, nio.ReactionEvent):
            return None if event.sender == self._me else Reaction(message_id=event.reacts_to, channel=channel)
        if not isinstance(event, nio.RoomMessageText | nio.RoomMessageNotice | nio.RoomMessageEmote):
            return None
        content = event.source.get("content")
        content = content if isinstance(content, dict) else {}
        if _at(content, "m.relates_to", "rel_type") == "m.replace":
            return None  # an edit of what was heard already
        own = event.sender == self._me
        if own:
            self._remember_own(event.event_id)
        reply_to = _at(content, "m.relates_to", "m.in_reply_to", "event_id")
        reply_to = reply_to if isinstance(reply_to, str) else ""
        now = self._clock.now()
        said = datetime.fromtimestamp(min(event.server_timestamp / 1000, now.timestamp()), tz=UTC)
        return Incoming(
            id=event.event_id,
            channel=channel,
            community=self._community,
            author_id=f"matrix:{event.sender}",
            author_name=self._name_of(room_id, event.sender),
            text=_without_quotation(event.body),
            at=now if live else said,
            from_me=own,
            from_program=isinstance(event, nio.RoomMessageNotice),
            mentions_me=not own and self._mentions_me(room_id, content, event.body),
            replies_to_me=bool(reply_to) and reply_to in self._own,
            reply_to=reply_to,
            source=MessageSource.VOICE if content.get("org.nightgarden.voice") is True else MessageSource.TEXT,
            live=live,
        )

    def _mentions_me(self, room_id: str, content: dict[str, Any], body: str) -> bool:
        listed = _at(content, "m.mentions", "user_ids")
        if isinstance(listed, list):
            return self._me in listed
        name = self._name_of(room_id, self._me).casefold()
        return self._me in body or bool(name and f"@{name}" in body.casefold())

    def _name_of(self, room_id: str, user: str) -> str:
        room = self._connected().rooms.get(room_id)
        return (room.user_name(user) if room else None) or user.partition(":")[0].lstrip("@")

    def _remember_own(self, event_id: str) -> None:
        self._own[event_id] = None
        while len(self._own) > OWN_MAX:
            del self._own[next(iter(self._own))]

    # -- speaking ----------------------------------------------------------------------------------------------------
    async def channels(self) -> Sequence[Channel]:
        if not self._synced:
            raise NetworkDown(f"{self._homeserver} was not reached yet")
        return [
            Channel(
                id=f"matrix:{room.room_id}",
                community=self._community,
                name=room.display_name or room.room_id,
                private=room.joined_count <= 2,
                text=not room.encrypted,
            )
            for room in self._connected().rooms.values()
        ]

    async def readers(self, channel: str) -> frozenset[str]:
        if not self._synced:
            raise NetworkDown(f"{self._homeserver} was not reached yet")
        room = self._connected().rooms.get(channel.partition(":")[2])
        if room is None:
            raise NetworkDown(f"{self._me} is not in the room {channel} yet; invite it")
        if room.encrypted:
            raise NotDelivered(f"the room {channel} is encrypted, which is not supported")
        if room.join_rule not in BY_INVITATION or room.history_visibility == "world_readable":
            raise NotDelivered(f"the room {channel} is open to others; make it one by invitation only")
        return frozenset(f"matrix:{user}" for user in room.users if user != self._me)

    async def send(self, message: Outgoing) -> str:
        room_id = message.channel.partition(":")[2]
        # Naming nobody in `m.mentions` keeps clients from reading a call on the room out of the text.
        content: dict[str, Any] = {"msgtype": "m.text", "body": message.text, "m.mentions": {}}
        if message.reply_to:
            content["m.relates_to"] = {"m.in_reply_to": {"event_id": message.reply_to}}
        event_id = await self._put(room_id, content, message.key)
        if message.attachment is not None:
            await self._attach(room_id, message)
        return event_id

    async def _put(self, room_id: str, content: dict[str, Any], key: str) -> str:
        try:
            answer = await self._connected().room_send(
                room_id, "m.room.message", content, tx_id=key, ignore_unverified_devices=True
            )
        except nio.LocalProtocolError as error:
            raise NotDelivered(f"the room {room_id} cannot be written to: {error}") from None
        except _DOWN as error:
            raise NetworkDown(f"{self._homeserver} cannot be reached: {type(error).__name__}") from None
        if isinstance(answer, nio.RoomSendResponse):
            self._remember_own(answer.event_id)
            return str(answer.event_id)
        words = f"{self._homeserver} did not take the message: {answer.message}"[:200]
        raise (NotDelivered if answer.status_code in _FOR_GOOD else NetworkDown)(words)

    async def _attach(self, room_id: str, message: Outgoing) -> None:
        assert message.attachment is not None
        file = message.attachment
        try:
            answer, _ = await self._connected().upload(
                lambda *_: io.BytesIO(file.content), file.content_type, file.name, filesize=len(file.content)
            )
        except _DOWN as error:
            raise NetworkDown(f"{self._homeserver} cannot be reached: {type(error).__name__}") from None
        if not isinstance(answer, nio.UploadResponse):
            return  # the text is there; a picture that the server does not take is left out
        kind = "m.video" if file.content_type.startswith("video/") else "m.image"
        info = {"mimetype": file.content_type, "size": len(file.content)}
        content = {"msgtype": kind, "body": file.name, "url": answer.content_uri, "info": info, "m.mentions": {}}
        await self._put(room_id, content, f"{message.key}-m")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None
            self._synced = False

    # -- inside ------------------------------------------------------------------------------------------------------
    def _connected(self) -> nio.AsyncClient:
        if self._client is None:
            config = nio.AsyncClientConfig(
                max_limit_exceeded=3, max_timeouts=1, request_timeout=60, store_sync_tokens=False
            )
            self._client = nio.AsyncClient(self._homeserver, self._me, config=config)
            self._client.access_token = self._token
            self._client.user_id = self._me
        return self._client

    def _since(self) -> str | None:
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
            since = json.loads(self._file.read_text(encoding="utf-8")).get(self._me)
            return since if isinstance(since, str) else None
        return None

    def _keep_since(self, token: str) -> None:
        private.make_folder(self._file.parent)
        fresh = self._file.with_suffix(".new")
        fresh.write_text(json.dumps({self._me: token}), encoding="utf-8")
        fresh.replace(self._file)


def _at(value: Any, *names: str) -> Any:
    """What stands under these names, one inside the other; None when it is not there."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _without_quotation(body: str) -> str:
    """A reply's own words: older clients put the message that is replied to before them, each line after `> `."""
    lines = body.split("\n")
    quoted = next((n for n, line in enumerate(lines) if not line.startswith("> ")), len(lines))
    return "\n".join(lines[quoted:]).strip() if quoted else body
