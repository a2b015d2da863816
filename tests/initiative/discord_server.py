"""A scripted Discord on loopback: the gateway and the part of REST that a bot uses. Knows one server with two channels.

Like the real one it recognises a nonce for a while, and can be told to limit, refuse or break off.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

BOT = {"id": "100", "username": "garden", "discriminator": "0000", "avatar": None, "bot": True}
GUILD, LOBBY, SHED = "500", "501", "502"
TOKEN = "scripted-token"


def _json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """The library reads JSON only if the type says so without a charset, as the real server does."""
    kind = {"Content-Type": "application/json"}
    return web.Response(body=json.dumps(value).encode(), status=status, headers=kind | (headers or {}))


def person(number: int, name: str) -> dict[str, Any]:
    return {"id": str(number), "username": name, "discriminator": "0000", "avatar": None, "global_name": name}


@dataclass
class ScriptedDiscord:
    """What was sent, and what to do next."""

    url: str = ""
    messages: list[dict[str, Any]] = field(default_factory=list)
    nonces: dict[str, dict[str, Any]] = field(default_factory=dict)
    posts: list[dict[str, Any]] = field(default_factory=list)  # bodies as they came in
    failures: list[int] = field(default_factory=list)  # statuses to answer the next posts with
    drop_after_post: bool = False
    identified: int = 0
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    _sockets: list[web.WebSocketResponse] = field(default_factory=list)
    _sequence: int = 0

    # -- the script --------------------------------------------------------------------------------------------------
    def message(self, author: dict[str, Any], text: str, channel: str = LOBBY, **more: Any) -> dict[str, Any]:
        made = {
            "id": str(10_000 + len(self.messages)), "channel_id": channel, "author": author, "content": text,
            "timestamp": "2026-11-16T09:00:00+00:00", "edited_timestamp": None, "tts": False,
            "mention_everyone": False, "mentions": [], "mention_roles": [], "attachments": [], "embeds": [],
            "pinned": False, "type": 0,
        } | more  # fmt: skip
        self.messages.append(made)
        return made

    async def say(self, author: dict[str, Any], text: str, channel: str = LOBBY, **more: Any) -> dict[str, Any]:
        made = self.message(author, text, channel, **more)
        await self.dispatch("MESSAGE_CREATE", made | {"guild_id": GUILD, "member": {"roles": [], "flags": 0}})
        return made

    async def react(self, author: dict[str, Any], message_id: str, channel: str = LOBBY) -> None:
        event = {
            "user_id": author["id"], "message_id": message_id, "channel_id": channel, "guild_id": GUILD,
            "emoji": {"id": None, "name": "x"}, "burst": False, "type": 0,
        }  # fmt: skip
        await self.dispatch("MESSAGE_REACTION_ADD", event)

    async def dispatch(self, name: str, data: Any) -> None:
        self._sequence += 1
        for each in self._sockets:
            if not each.closed:
                await each.send_json({"op": 0, "t": name, "s": self._sequence, "d": data})

    async def break_off(self) -> None:
        self.ready.clear()
        for each in list(self._sockets):
            await each.close(code=4000)

    # -- the gateway -------------------------------------------------------------------------------------------------
    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 40_000}})
        async for frame in socket:
            if frame.type is not WSMsgType.TEXT:
                break
            said = json.loads(frame.data)
            if said["op"] == 1:
                await socket.send_json({"op": 11})
            elif said["op"] == 2:
                assert said["d"]["token"] == TOKEN
                self.identified += 1
                self._sockets.append(socket)
                await self._welcome()
            elif said["op"] == 6:  # cannot be resumed: it begins anew
                await socket.send_json({"op": 9, "d": False})
        return socket

    async def _welcome(self) -> None:
        await self.dispatch(
            "READY",
            {
                "v": 10, "user": BOT, "guilds": [{"id": GUILD, "unavailable": True}], "session_id": "s",
                "resume_gateway_url": self.url.replace("http", "ws") + "/gateway-socket",
                "application": {"id": "100", "flags": 0}, "private_channels": [], "relationships": [],
            },
        )  # fmt: skip
        roles = [_role(GUILD, "@everyone")]
        channels = [_channel(LOBBY, "lobby"), _channel(SHED, "shed")]
        await self.dispatch("GUILD_CREATE", _guild() | {"roles": roles, "channels": channels})
        self.ready.set()

    # -- REST --------------------------------------------------------------------------------------------------------
    async def me(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        return _json(BOT)

    async def application(self, _: web.Request) -> web.Response:
        return _json(
            {"id": "100", "name": "garden", "icon": None, "description": "", "bot_public": True, "summary": "",
             "bot_require_code_grant": False, "owner": BOT, "verify_key": "00", "flags": 0, "team": None}
        )  # fmt: skip

    async def where(self, _: web.Request) -> web.Response:
        return _json({"url": self.url.replace("http", "ws") + "/gateway-socket"})

    async def channel(self, request: web.Request) -> web.Response:
        number = request.match_info["channel"]
        if number not in (LOBBY, SHED):
            return _json({"message": "Unknown Channel", "code": 10003}, status=404)
        return _json(_channel(number, "lobby") | {"guild_id": GUILD})

    async def history(self, request: web.Request) -> web.Response:
        here = [m for m in self.messages if m["channel_id"] == request.match_info["channel"]]
        return _json(list(reversed(here))[: int(request.query.get("limit", 50))])

    async def post(self, request: web.Request) -> web.StreamResponse:
        if request.content_type.startswith("multipart/"):
            fields = {part: value async for part, value in _parts(request)}
            body = json.loads(fields["payload_json"])
            body["files"] = [name for name in fields if name.startswith("files")]
        else:
            body = await request.json()
        self.posts.append(body)
        if self.failures:
            status = self.failures.pop(0)
            if status == 429:
                limits = {"message": "You are being rate limited.", "retry_after": 0.05, "global": False}
                return _json(limits, status=429, headers={"Via": "1.1 google", "Retry-After": "0.05"})
            return _json({"message": "no", "code": 50001}, status=status)
        nonce = str(body.get("nonce", ""))
        if not (body.get("enforce_nonce") and nonce in self.nonces):
            made = self.message(BOT, body.get("content", ""), request.match_info["channel"], nonce=nonce)
            self.nonces[nonce] = made
        if self.drop_after_post:
            self.drop_after_post = False
            assert request.transport is not None
            request.transport.abort()
        return _json(self.nonces[nonce])


async def _parts(request: web.Request) -> AsyncIterator[tuple[str, str]]:
    reader = await request.multipart()
    while (part := await reader.next()) is not None:
        data = await part.read()  # type: ignore[union-attr]
        yield str(part.name), bytes(data).decode("utf-8", "replace")  # type: ignore[union-attr]


def _role(number: str, name: str) -> dict[str, Any]:
    return {
        "id": number, "name": name, "color": 0, "colors": {"primary_color": 0}, "hoist": False, "position": 0,
        "permissions": str(2**40 - 1), "managed": False, "mentionable": False, "flags": 0,
    }  # fmt: skip


def _channel(number: str, name: str) -> dict[str, Any]:
    return {
        "id": number, "type": 0, "name": name, "position": 0, "permission_overwrites": [], "nsfw": False,
        "topic": None, "parent_id": None, "rate_limit_per_user": 0, "last_message_id": None, "flags": 0,
    }  # fmt: skip


def _guild() -> dict[str, Any]:
    return {
        "id": GUILD, "name": "village", "icon": None, "splash": None, "owner_id": "1", "region": "", "afk_timeout": 0,
        "verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0, "emojis": [],
        "stickers": [], "features": [], "mfa_level": 0, "system_channel_flags": 0, "premium_tier": 0, "nsfw_level": 0,
        "preferred_locale": "en-US", "premium_progress_bar_enabled": False, "members": [], "voice_states": [],
        "presences": [], "threads": [], "stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": [],
        "large": False, "unavailable": False, "member_count": 3, "joined_at": "2026-01-01T00:00:00+00:00",
        "afk_channel_id": None, "system_channel_id": None, "rules_channel_id": None, "vanity_url_code": None,
        "description": None, "banner": None, "discovery_splash": None, "public_updates_channel_id": None,
        "application_id": None, "premium_subscription_count": 0, "safety_alerts_channel_id": None,
    }  # fmt: skip


@asynccontextmanager
async def scripted_discord() -> AsyncIterator[ScriptedDiscord]:
    server = ScriptedDiscord()
    app = web.Application()
    app.add_routes(
        [
            web.get("/api/users/@me", server.me),
            web.get("/api/oauth2/applications/@me", server.application),
            web.get("/api/gateway", server.where),
            web.get("/api/channels/{channel}", server.channel),
            web.get("/api/channels/{channel}/messages", server.history),
            web.post("/api/channels/{channel}/messages", server.post),
            web.get("/gateway-socket", server.gateway),
            web.get("/gateway-socket/", server.gateway),
        ]
    )
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    server.url = f"http://127.0.0.1:{port}"
    try:
        yield server
    finally:
        await runner.cleanup()
