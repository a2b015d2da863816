"""Pictures, videos and GIFs: what is offered, and making them with the servers of the settings.

Offered is what is switched on, has a server, a model that is allowed, and budget left today. Each server is behind one
small protocol; one real server is built in for each kind: OpenAI's API for pictures and videos, which many others
speak, and Giphy's for GIFs.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from nightgarden.errors import ModelUnavailable
from nightgarden.initiative.channels.channel import Attachment
from nightgarden.initiative.feeds.addresses import RefusedAddress, canonical
from nightgarden.initiative.feeds.safe_fetch import FetchFailed, Rules, fetch
from nightgarden.initiative.thoughts import MediaKind, MediaPlan
from nightgarden.models.post import get_json, post_json
from nightgarden.settings.initiative import InitiativeDiscoverySettings

SECONDS_MAX = 120.0
BYTES_MAX = 25 << 20
_POLL_SECONDS = 5.0
_MAGIC = {b"\x89PNG": ("png", "image/png"), b"\xff\xd8\xff": ("jpg", "image/jpeg"), b"RIFF": ("webp", "image/webp")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A file to send along, or a link to put into the text."""

    attachment: Attachment | None = None
    link: str = ""


class MediaBackend(Protocol):
    """Makes media of one kind."""

    async def make(self, prompt: str) -> Made:
        """Raises ModelUnavailable."""
        ...


def offered(
    settings: InitiativeDiscoverySettings, made_today: Mapping[str, int], env: Mapping[str, str]
) -> dict[MediaKind, int]:
    """What may be asked for now, and how much of it is left."""
    limits = {
        MediaKind.IMAGE: (settings.allow_image_posts, settings.max_images_per_day),
        MediaKind.VIDEO: (settings.allow_video_posts, settings.max_videos_per_day),
        MediaKind.GIF: (settings.allow_reply_gifs, settings.max_gifs_per_day),
    }
    backends = backends_of(settings, env)
    left = {kind: most - made_today.get(kind, 0) for kind, (on, most) in limits.items() if on and kind in backends}
    return {kind: number for kind, number in left.items() if number > 0}


def backends_of(settings: InitiativeDiscoverySettings, env: Mapping[str, str]) -> dict[MediaKind, MediaBackend]:
    """Those that the settings are complete for."""
    found: dict[MediaKind, MediaBackend] = {}
    headers = _bearer(env.get(settings.media_key_env, "") if settings.media_key_env else "")
    if settings.image_url and settings.allowed_image_models:
        found[MediaKind.IMAGE] = Pictures(
            url=settings.image_url.rstrip("/"), model=settings.allowed_image_models[0], headers=headers
        )
    if settings.video_url and settings.allowed_video_models:
        found[MediaKind.VIDEO] = Videos(
            url=settings.video_url.rstrip("/"), model=settings.allowed_video_models[0], headers=headers
        )
    if settings.gif_url:
        key = env.get(settings.gif_key_env, "") if settings.gif_key_env else ""
        found[MediaKind.GIF] = Gifs(url=settings.gif_url.rstrip("/"), key=key)
    return found


async def make(plan: MediaPlan, backends: Mapping[MediaKind, MediaBackend]) -> Made:
    """Raises ModelUnavailable when there is no backend, or it fails or takes too long."""
    backend = backends.get(plan.kind)
    if backend is None:
        raise ModelUnavailable(f"no server makes {plan.kind}s any more")
    try:
        async with asyncio.timeout(SECONDS_MAX):
            return await backend.make(plan.prompt)
    except TimeoutError:
        raise ModelUnavailable(f"the {plan.kind} was not ready within {SECONDS_MAX:.0f} s") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """POST /images/generations of OpenAI's API."""

    url: str
    model: str
    headers: Mapping[str, str]

    async def make(self, prompt: str) -> Made:
        body = {"model": self.model, "prompt": prompt, "n": 1, "response_format": "b64_json"}
        answer = await asyncio.to_thread(
            post_json,
            f"{self.url}/images/generations",
            body,
            headers=self.headers,
            timeout_seconds=SECONDS_MAX,
            where="the picture server",
        )
        return Made(attachment=_picture(_first(answer.body.get("data")).get("b64_json")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Videos:
    """POST /videos of OpenAI's API, asked until it is done."""

    url: str
    model: str
    headers: Mapping[str, str]
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def make(self, prompt: str) -> Made:
        job = await self._post({"model": self.model, "prompt": prompt})
        number = quote(str(job.get("id") or ""), safe="-_")
        while job.get("status") in ("queued", "in_progress"):
            await self.pause(_POLL_SECONDS)
            job = await self._get(number)
        if job.get("status") != "completed" or not number:
            raise ModelUnavailable("the video server gave the job up")
        rules = Rules(allow_loopback=True, seconds_max=60.0, bytes_max=BYTES_MAX)
        try:
            fetched = await asyncio.to_thread(fetch, f"{self.url}/videos/{number}/content", rules, headers=self.headers)
        except FetchFailed as error:
            raise ModelUnavailable(f"the video cannot be fetched: {error}") from None
        return Made(attachment=Attachment(name="video.mp4", content_type="video/mp4", content=fetched.body))

    async def _post(self, body: Mapping[str, Any]) -> dict[str, Any]:
        where, url = "the video server", f"{self.url}/videos"
        call = asyncio.to_thread(post_json, url, body, headers=self.headers, timeout_seconds=30.0, where=where)
        return (await call).body

    async def _get(self, number: str) -> dict[str, Any]:
        where, url = "the video server", f"{self.url}/videos/{number}"
        return (await asyncio.to_thread(get_json, url, headers=self.headers, timeout_seconds=30.0, where=where)).body


@dataclass(frozen=True, slots=True, kw_only=True)
class Gifs:
    """GET /gifs/search of Giphy's API: the first that is fit for everybody. It becomes a link."""

    url: str
    key: str

    async def make(self, prompt: str) -> Made:
        query = urlencode({"api_key": self.key, "q": prompt[:50], "limit": 1, "rating": "g"})
        answer = await asyncio.to_thread(
            get_json, f"{self.url}/gifs/search?{query}", headers={}, timeout_seconds=9.0, where="the GIF server"
        )
        images = _first(answer.body.get("data")).get("images")
        original = images.get("original") if isinstance(images, dict) else None
        address = original.get("url") if isinstance(original, dict) else None
        try:
            return Made(link=canonical(str(address or "")))
        except RefusedAddress:
            raise ModelUnavailable("the GIF server found nothing") from None


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _first(value: Any) -> dict[str, Any]:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return value[0]
    raise ModelUnavailable("the media server answered with nothing")


def _picture(encoded: Any) -> Attachment:
    try:
        content = base64.b64decode(encoded, validate=True) if isinstance(encoded, str) else b""
    except (binascii.Error, ValueError):
        content = b""
    known = next((kind for magic, kind in _MAGIC.items() if content.startswith(magic)), None)
    if known is None or len(content) > BYTES_MAX:
        raise ModelUnavailable("the picture server sent something that is not a picture")
    return Attachment(name=f"picture.{known[0]}", content_type=known[1], content=content)
