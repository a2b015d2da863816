"""Discord, through discord.py: one bot, whose servers are communities. Calls on anybody are never sent as such.

A message carries its key as a nonce, by which Discord itself recognises a repetition for some minutes; a later try
looks at what we wrote there last. Rate limits are obeyed by the library.
"""

from __future__ import annotations

import asyncio
import io
import logging
import warnings
from collections.abc import Sequence
from typing import Any

import aiohttp
import yarl

with warnings.catch_warnings():  # it imports a module for voice, which we do not use, that Python is taking away
    warnings.simplefilter("ignore", DeprecationWarning)
    import discord
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

from nightgarden.initiative.channels.channel import (
    Channel,
    Heard,
    Incoming,
    NetworkDown,
    NotDelivered,
    Outgoing,
    Reaction,
    Setup,
    seconds_to_reconnect,
)
from nightgarden.initiative.channels.networks import listed_channels
from nightgarden.initiative.channels.tokens import read_token

HISTORY = 50  # messages that are looked at after a pause
_DOWN = (aiohttp.ClientError, asyncio.TimeoutError, OSError, discord.GatewayNotFound, discord.ConnectionClosed)
_log = logging.getLogger("nightgarden.discord")


class Discord:
    """The network."""

    name = "discord"
    chars_max = 2_000

    def __init__(self, setup: Setup) -> None:
        settings = setup.settings.discord
        self._token = read_token("initiative.discord", settings.token_env, settings.token_file, setup.env)
        self._api = settings.api_url.rstrip("/")
        self._listed = sorted(each for each in listed_channels(setup) if each.startswith("discord:"))
        self._clock = setup.clock
        self._client: discord.Client | None = None
        self._fetched: dict[int, Any] = {}

    # -- listening ---------------------------------------------------------------------------------------------------
    async def run(self, heard: Heard) -> None:
        failures = 0
        while True:
            failures += 1
            wait = seconds_to_reconnect(failures)
            try:
                client = await self._logged_in(heard)
                await client.connect(reconnect=True)
                failures, wait = 0, seconds_to_reconnect(1)
            except NetworkDown as error:
                _log.warning("discord: %s; next try in %.0f s", error, wait)
            except _DOWN as error:
                _log.warning("discord: %s; next try in %.0f s", type(error).__name__, wait)
            await self.close()
            await asyncio.sleep(wait)

    async def catch_up(self, heard: Heard) -> None:
        client = await self._logged_in(heard)
        missing = []
        for each in self._listed:
            try:
                channel = await self._channel(client, each)
            except NotDelivered as error:  # one that is not there, or not ours to read, does not hide the others
                missing.append(str(error))
                continue
            try:
                messages = [message async for message in channel.history(limit=HISTORY)]
            except discord.HTTPException as error:
                raise NetworkDown(f"Discord did not give the history of {each}: status {error.status}") from None
            for message in reversed(messages):
                await heard(self._incoming(client, message, live=False))
        if missing:
            raise NetworkDown(f"cannot be read: {'; '.join(missing)}")

    async def _logged_in(self, heard: Heard) -> discord.Client:
        if self._client is not None and not self._client.is_closed():
            return self._client
        if self._api:
            Route.BASE = self._api
        intents = discord.Intents(guilds=True, messages=True, message_content=True, reactions=True)
        self._client = client = _Ears(self, heard, intents=intents, allowed_mentions=discord.AllowedMentions.none())
        try:
            await client.login(self._token)
            if self._api:
                gateway = await client.http.request(Route("GET", "/gateway"))
                DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway["url"])
        except discord.LoginFailure:
            await self.close()
            raise NetworkDown("Discord does not accept the token; check initiative.discord") from None
        except (*_DOWN, discord.HTTPException) as error:
            await self.close()
            raise NetworkDown(f"Discord cannot be reached: {type(error).__name__}") from None
        return client

    async def _channel(self, client: discord.Client, channel: str) -> Any:
        """Raises NetworkDown or NotDelivered."""
        number = channel.partition(":")[2]
        if not number.isdecimal():
            raise NotDelivered(f"{channel} is not a channel of Discord")
        known = client.get_channel(int(number)) or self._fetched.get(int(number))
        if known is not None:
            return known
        try:
            self._fetched[int(number)] = found = await client.fetch_channel(int(number))
        except (discord.Forbidden, discord.NotFound, discord.InvalidData) as error:
            raise NotDelivered(f"{channel}: {type(error).__name__}") from None
        except (*_DOWN, discord.HTTPException) as error:
            raise NetworkDown(f"Discord cannot be reached: {type(error).__name__}") from None
        return found

    def _incoming(self, client: discord.Client, message: discord.Message, *, live: bool) -> Incoming:
        me = client.user.id if client.user is not None else 0
        own = message.author.id == me
        reference = message.reference.message_id if message.reference is not None else None
        resolved = message.reference.resolved if message.reference is not None else None
        to_me = isinstance(resolved, discord.Message) and resolved.author.id == me
        return Incoming(
            id=str(message.id),
            channel=f"discord:{message.channel.id}",
            community=f"discord/{message.guild.id}" if message.guild is not None else "discord/direct",
            author_id=f"discord:{message.author.id}",
            author_name=message.author.display_name,
            text=message.clean_content,
            at=self._clock.now() if live else min(message.created_at, self._clock.now()),
            from_me=own,
            from_program=message.author.bot and not own,
            mentions_me=not own and any(user.id == me for user in message.mentions),
            replies_to_me=to_me,
            reply_to=str(reference) if reference is not None else "",
            live=live,
        )

    # -- speaking ----------------------------------------------------------------------------------------------------
    async def channels(self) -> Sequence[Channel]:
        client = self._client
        if client is None or not (client.is_ready() or self._fetched):
            raise NetworkDown("Discord was not reached yet")
        open_ = [channel for guild in client.guilds for channel in guild.text_channels]
        known = {channel.id: channel for channel in (*open_, *self._fetched.values())}
        return [
            Channel(
                id=f"discord:{channel.id}",
                community=f"discord/{channel.guild.id}",
                name=str(channel.name),
                text=isinstance(channel, discord.TextChannel | discord.Thread),
            )
            for channel in known.values()
            if getattr(channel, "guild", None) is not None
        ]

    async def send(self, message: Outgoing) -> str:
        client = self._client
        if client is None or client.is_closed():
            raise NetworkDown("Discord was not reached yet")
        channel = await self._channel(client, message.channel)
        if message.retried and (sent := await self._sent_before(client, channel, message)):
            return sent
        more: dict[str, Any] = {}
        if message.reply_to.isdecimal():
            more["reference"] = discord.MessageReference(
                message_id=int(message.reply_to), channel_id=channel.id, fail_if_not_exists=False
            )
        if message.attachment is not None:
            more["file"] = discord.File(io.BytesIO(message.attachment.content), filename=message.attachment.name)
        try:
            made = await channel.send(message.text, nonce=message.key, mention_author=False, **more)
        except (discord.Forbidden, discord.NotFound) as error:
            raise NotDelivered(f"Discord did not take the message: {error.text[:200]}") from None
        except discord.HTTPException as error:
            kind = NotDelivered if 400 <= error.status < 500 and error.status != 429 else NetworkDown
            raise kind(f"Discord did not take the message: status {error.status}") from None
        except _DOWN as error:
            raise NetworkDown(f"Discord cannot be reached: {type(error).__name__}") from None
        return str(made.id)

    async def _sent_before(self, client: discord.Client, channel: Any, message: Outgoing) -> str:
        """The id of our own newest message with this text, should the last try have arrived after all."""
        me = client.user.id if client.user is not None else 0
        try:
            async for each in channel.history(limit=HISTORY):
                if each.author.id == me and each.content == message.text:
                    return str(each.id)
        except (*_DOWN, discord.HTTPException) as error:
            raise NetworkDown(f"Discord cannot be reached: {type(error).__name__}") from None
        return ""

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None
        self._fetched.clear()


class _Ears(discord.Client):
    """Passes on what the gateway tells."""

    def __init__(self, network: Discord, heard: Heard, **options: Any) -> None:
        super().__init__(**options)
        self._network = network
        self._heard = heard

    async def on_message(self, message: discord.Message) -> None:
        await self._heard(self._network._incoming(self, message, live=True))

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        if self.user is None or payload.user_id != self.user.id:
            await self._heard(Reaction(message_id=str(payload.message_id), channel=f"discord:{payload.channel_id}"))
