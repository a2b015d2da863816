"""The web, read-only and in small pieces: searching through the user's own search server, reading one page.

Which search server answers is a small protocol; SearXNG is the one that is built in. A page becomes plain text and a
list of links. All of it is outside text.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlencode, urljoin

from nightgarden.errors import NightgardenError
from nightgarden.initiative.feeds.addresses import RefusedAddress, canonical
from nightgarden.initiative.feeds.items import plain
from nightgarden.initiative.feeds.safe_fetch import Rules, fetch
from nightgarden.models.post import get_json

RESULTS_MAX = 5
PAGE_CHARS_MAX = 4_000
LINKS_MAX = 25
PAGE_BYTES_MAX = 1 << 20
_SILENT = re.compile(r"<(script|style|noscript|template|svg|head)\b")
_TITLE = re.compile(r"<title[^<>]{0,200}>([^<]{0,400})", re.IGNORECASE)
_HREF = re.compile(
    r"<a\s[^<>]{0,500}?href\s{0,3}=\s{0,3}[\"']([^\"'<>]{1,1000})[\"'][^<>]{0,500}>([^<]{0,300})", re.IGNORECASE
)
_CHARSET = re.compile(r"charset=[\"']?([\w-]{1,30})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebResult:
    """One result of a search."""

    title: str
    url: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """One page as text."""

    url: str
    title: str
    text: str
    links: tuple[tuple[str, str], ...]  # words and address


class SearchServer(Protocol):
    """A search server."""

    async def search(self, query: str) -> Sequence[WebResult]:
        """Raises NightgardenError when it cannot answer."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SearXNG:
    """A SearXNG server that gives JSON. Its address is the user's own setting, so it may be on this machine."""

    url: str

    async def search(self, query: str) -> Sequence[WebResult]:
        address = f"{self.url.rstrip('/')}/search?{urlencode({'q': query[:300], 'format': 'json'})}"
        answer = await asyncio.to_thread(get_json, address, headers={}, timeout_seconds=9.0, where="the search server")
        results = answer.body.get("results")
        found = []
        for each in results[: RESULTS_MAX * 2] if isinstance(results, list) else ():
            if isinstance(each, dict) and (made := _found(each)) is not None:
                found.append(made)
        return found[:RESULTS_MAX]


def _found(record: dict[str, object]) -> WebResult | None:
    try:
        url = canonical(str(record.get("url") or ""))
    except RefusedAddress:
        return None
    title, summary = plain(str(record.get("title") or ""), 200), plain(str(record.get("content") or ""), 400)
    return WebResult(title=title or url, url=url, summary=summary)


async def read_page(url: str, *, allow_loopback: bool) -> WebPage:
    """Raises NightgardenError."""
    rules = Rules(allow_loopback=allow_loopback, bytes_max=PAGE_BYTES_MAX)
    fetched = await asyncio.to_thread(fetch, url, rules, accept="text/html, text/plain")
    kind = fetched.content_type.partition(";")[0].strip().lower()
    if kind not in ("text/html", "text/plain", "application/xhtml+xml", ""):
        raise NightgardenError(f"it is not a page but {kind[:60]}")
    charset = _CHARSET.search(fetched.content_type)
    try:
        text = fetched.body.decode(charset[1] if charset else "utf-8", "replace")
    except LookupError:
        text = fetched.body.decode("utf-8", "replace")
    return page_of(text, fetched.url)


def page_of(text: str, url: str) -> WebPage:
    """A page's words and links."""
    title = _TITLE.search(text)
    body = without_blocks(text)
    links = []
    for match in _HREF.finditer(body):
        try:
            links.append((plain(match[2], 80) or "link", canonical(urljoin(url, match[1]))))
        except (RefusedAddress, ValueError):
            continue
        if len(links) >= LINKS_MAX:
            break
    return WebPage(
        url=url,
        title=plain(title[1], 200) if title else "",
        text=plain(body, PAGE_CHARS_MAX),
        links=tuple(dict.fromkeys(links)),
    )


def without_blocks(text: str) -> str:
    """The markup without what nobody reads: scripts, styles, and the like. One pass, whatever the text."""
    low, position = text.lower(), 0
    kept: list[str] = []
    for match in _SILENT.finditer(low):
        if match.start() < position:
            continue
        kept.append(text[position : match.start()])
        end = low.find(f"</{match[1]}", match.start())
        if end < 0:
            return "".join(kept)
        position = end + len(match[1]) + 2
    return "".join([*kept, text[position:]])
