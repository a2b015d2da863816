"""Items of feeds: reading what a source answered, as values. Pure: bytes in, items out.

RSS and Atom are read by feedparser, which takes what is broken as well as it can. A document that declares entities is
refused before it is parsed: feeds have no use for them, and nested ones grow without bound. The text of an item is
outside text: it is cut, loses its markup, and one that reads like an order is never offered.
"""

from __future__ import annotations

import calendar
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from nightgarden.domain.taint import instruction_like, strip_injected
from nightgarden.domain.text import squash
from nightgarden.errors import BadInput, ModelUnavailable, NightgardenError
from nightgarden.initiative.feeds.addresses import RefusedAddress, canonical

TITLE_CHARS_MAX = 200
SUMMARY_CHARS_MAX = 400
_TAG = re.compile(r"<[^<>]{0,2000}>")
_NSFW = re.compile(r"\bnsfw\b|\b18\+", re.IGNORECASE)


class UnreadableFeed(NightgardenError):
    """What a source answered is not what it should be. `kind` is a word to count by."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedItem:
    """Something that may be shared. Outside text in every field."""

    source: str  # "rss:https://…", as the sources are called
    family: str  # reddit, hacker_news, youtube, rss, x
    title: str
    url: str  # canonical
    summary: str = ""
    published_at: datetime | None = None
    popularity: int = 0
    nsfw: bool = False
    suspicious: bool = False  # reads like an order to an agent; never offered


def item(
    *,
    source: str,
    family: str,
    title: str,
    url: str,
    summary: str = "",
    published_at: datetime | None = None,
    popularity: int = 0,
    nsfw: bool = False,
) -> FeedItem | None:
    """An item, or None when it has no title or no address that may be shared."""
    try:
        link = canonical(url.strip())
    except RefusedAddress:
        return None
    name, about = plain(title, TITLE_CHARS_MAX), plain(summary, SUMMARY_CHARS_MAX)
    if not name:
        return None
    return FeedItem(
        source=source,
        family=family,
        title=name,
        url=link,
        summary=about,
        published_at=published_at,
        popularity=max(0, popularity),
        nsfw=nsfw or bool(_NSFW.search(name)),
        suspicious=bool(instruction_like(name) or instruction_like(about)),
    )


def plain(text: str, chars_max: int) -> str:
    """Text without markup, in one line, cut."""
    text = html.unescape(_TAG.sub(" ", text[: chars_max * 20]))
    text = strip_injected(_TAG.sub(" ", text)).replace("\x00", "")
    text = squash("".join(c for c in text if c.isprintable() or c.isspace()))
    return text if len(text) <= chars_max else text[: chars_max - 1].rstrip() + "…"


def declares_entities(body: bytes) -> bool:
    """Whether an XML document brings entities of its own, in whatever encoding."""
    for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        if any(word.encode(encoding) in body for word in ("<!ENTITY", "<!entity", "<!Entity")):
            return True
    return False


def read_feed(body: bytes, *, source: str, family: str, content_type: str, limit: int) -> list[FeedItem]:
    """Items of an RSS or Atom document. Raises Unreadable for what is no feed at all."""
    if declares_entities(body):
        raise UnreadableFeed("entities", "the feed declares entities and is not read")
    try:
        import feedparser  # 60 ms, and an extra: pip install nightgarden[initiative]
    except ImportError:
        raise ModelUnavailable("feeds need feedparser; run `pip install 'nightgarden[initiative]'`") from None
    parsed = feedparser.parse(
        body, response_headers={"content-type": content_type} if content_type else {}, resolve_relative_uris=False
    )
    if not parsed.get("version") and not parsed.get("entries"):
        raise UnreadableFeed("not a feed", "the answer is neither RSS nor Atom")
    found = []
    for entry in parsed.entries[: limit * 2]:
        published = _moment(entry.get("published_parsed") or entry.get("updated_parsed"))
        made = item(
            source=source,
            family=family,
            title=str(entry.get("title") or ""),
            url=str(entry.get("link") or ""),
            summary=str(entry.get("summary") or ""),
            published_at=published,
            popularity=_views(entry),
        )
        if made is not None:
            found.append(made)
    return found[:limit]


def _moment(parsed: Any) -> datetime | None:
    """feedparser's struct_time, which is in UTC."""
    try:
        return datetime.fromtimestamp(calendar.timegm(parsed), tz=UTC) if parsed else None
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _views(entry: Any) -> int:
    statistics = entry.get("media_statistics")
    return _number(statistics.get("views")) if isinstance(statistics, Mapping) else 0


def _number(value: Any) -> int:
    try:
        return min(int(value), 10**12)
    except (TypeError, ValueError, OverflowError):
        return 0


def read_json(body: bytes) -> Any:
    """Raises Unreadable."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise UnreadableFeed("not json", "the answer is not valid JSON") from None


def read_reddit(body: bytes, *, source: str, limit: int) -> list[FeedItem]:
    """Items of a subreddit's listing."""
    answer = read_json(body)
    children = answer.get("data", {}).get("children") if isinstance(answer, dict) else None
    if not isinstance(children, list):
        raise UnreadableFeed("not a listing", "the answer is not a listing of Reddit")
    found = []
    for child in children[: limit * 2]:
        post = child.get("data") if isinstance(child, dict) else None
        if not isinstance(post, dict) or post.get("stickied"):
            continue
        link = post.get("url_overridden_by_dest") or f"https://www.reddit.com{post.get('permalink', '')}"
        made = item(
            source=source,
            family="reddit",
            title=str(post.get("title") or ""),
            url=str(link),
            summary=str(post.get("selftext") or ""),
            published_at=_from_seconds(post.get("created_utc")),
            popularity=_number(post.get("score")),
            nsfw=bool(post.get("over_18")),
        )
        if made is not None:
            found.append(made)
    return found[:limit]


def read_story(body: bytes, *, source: str) -> FeedItem | None:
    """One story of Hacker News; None for a job, a poll or something deleted."""
    story = read_json(body)
    if not isinstance(story, dict) or story.get("type") != "story" or story.get("dead") or story.get("deleted"):
        return None
    here = f"https://news.ycombinator.com/item?id={_number(story.get('id'))}"
    return item(
        source=source,
        family="hacker_news",
        title=str(story.get("title") or ""),
        url=str(story.get("url") or here),
        summary=str(story.get("text") or ""),
        published_at=_from_seconds(story.get("time")),
        popularity=_number(story.get("score")),
    )


def read_top_stories(body: bytes, limit: int) -> list[int]:
    """Ids of the top stories of Hacker News."""
    answer = read_json(body)
    if not isinstance(answer, list):
        raise UnreadableFeed("not a listing", "the answer is not a list of stories")
    return [each for each in answer if isinstance(each, int) and not isinstance(each, bool)][:limit]


def _from_seconds(value: Any) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(value), tz=UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def check_value(family: str, value: str) -> str:
    """A source as it may be added: a subreddit, an address, a channel id or a handle. Raises BadInput."""
    value = value.strip()
    patterns = {"reddit": r"[A-Za-z0-9_]{2,21}", "youtube": r"UC[A-Za-z0-9_-]{22}", "x": r"[A-Za-z0-9_]{1,15}"}
    if family == "rss":
        try:
            return canonical(value)
        except RefusedAddress as error:
            raise BadInput(f"{value[:100]!r} cannot be a feed: {error}") from None
    value = value.removeprefix("r/").removeprefix("/r/").lstrip("@")
    if family not in patterns or not re.fullmatch(patterns[family], value):
        raise BadInput(f"{value[:100]!r} is not a valid {family} source")
    return value
