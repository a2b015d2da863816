"""Collecting: which sources there are, asking each of them at most every quarter of an hour, and what came of it.

A source that fails costs nothing but its own items: the failure is counted under a word, and the others go on.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from urllib.parse import quote

from nightgarden.domain.ports import Clock
from nightgarden.errors import BadInput, NightgardenError
from nightgarden.initiative.feeds.items import (
    FeedItem,
    UnreadableFeed,
    check_value,
    read_feed,
    read_reddit,
    read_story,
    read_top_stories,
)
from nightgarden.initiative.feeds.safe_fetch import Fetched, FetchFailed, Rules, fetch
from nightgarden.initiative.initiative_documents import FEED, SOURCE, AddedSource, FeedState, Stored, source_key
from nightgarden.settings.initiative import InitiativeDiscoverySettings

AGAIN = timedelta(minutes=15)
AT_ONCE = 4
STORIES_MAX = 30
FAMILIES = ("reddit", "rss", "youtube", "x")  # those that have a list; Hacker News is on or off


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """Where the big sources are."""

    reddit: str = "https://www.reddit.com"
    hacker_news: str = "https://hacker-news.firebaseio.com"
    youtube: str = "https://www.youtube.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """One source to ask."""

    family: str
    value: str
    url: str

    @property
    def source(self) -> str:
        return f"{self.family}:{self.value}" if self.value else self.family


@dataclass(slots=True, kw_only=True)
class Collected:
    """What a collection gave."""

    items: list[FeedItem] = field(default_factory=list)
    asked: int = 0
    unchanged: int = 0
    failures: Counter[str] = field(default_factory=Counter)


def listed(settings: InitiativeDiscoverySettings, added: Sequence[AddedSource]) -> dict[str, list[str]]:
    """The values of each family: those of the settings, those the model added, without those it took away."""
    own = {
        "reddit": settings.reddit_subreddits,
        "rss": settings.rss_feeds,
        "youtube": settings.youtube_channel_ids,
        "x": settings.x_handles,
    }
    found: dict[str, list[str]] = {}
    for family, values in own.items():
        kept = dict.fromkeys(values)
        for source in added:
            if source.family == family:
                kept.pop(source.value, None) if source.removed else kept.setdefault(source.value)
        found[family] = list(kept)
    return found


def feeds_of(
    settings: InitiativeDiscoverySettings, added: Sequence[AddedSource], endpoints: Endpoints
) -> tuple[list[Feed], list[str]]:
    """What to ask, and what of the settings cannot be used."""
    feeds, problems = [], []
    for family, values in listed(settings, added).items():
        if family not in settings.sources:
            continue
        for value in values[: settings.max_sources_per_type]:
            try:
                feeds.append(_feed(family, check_value(family, value), settings, endpoints))
            except BadInput as error:
                problems.append(str(error))
    if "hacker_news" in settings.sources:
        feeds.append(Feed(family="hacker_news", value="", url=f"{endpoints.hacker_news}/v0/topstories.json"))
    return feeds, problems


def _feed(family: str, value: str, settings: InitiativeDiscoverySettings, endpoints: Endpoints) -> Feed:
    match family:
        case "reddit":
            url = f"{endpoints.reddit}/r/{value}/hot.json?limit={settings.source_fetch_limit}&raw_json=1"
        case "youtube":
            url = f"{endpoints.youtube}/feeds/videos.xml?channel_id={value}"
        case "x":
            if not settings.x_bridge_url:
                raise BadInput("accounts on X need initiative.discovery.x_bridge_url")
            url = f"{settings.x_bridge_url.rstrip('/')}/{quote(value)}/rss"
        case _:
            url = value
    return Feed(family=family, value=value, url=url)


class Collector:
    """Asks sources, and remembers what they answered."""

    def __init__(
        self, stored: Stored, settings: InitiativeDiscoverySettings, clock: Clock, endpoints: Endpoints | None = None
    ) -> None:
        self._stored = stored
        self._settings = settings
        self._clock = clock
        self._endpoints = endpoints or Endpoints()
        self._rules = Rules(allow_loopback=settings.allow_loopback)

    async def feeds(self) -> list[Feed]:
        return (await self.feeds_and_problems())[0]

    async def feeds_and_problems(self) -> tuple[list[Feed], list[str]]:
        """What is asked, and what of the settings cannot be used."""
        return feeds_of(self._settings, await self._stored.all(SOURCE), self._endpoints)

    async def collect(self, *, ask: bool = True, at_once: bool = False) -> Collected:
        """The items of all sources. Without `ask` only what is known already; with `at_once` those too that were asked
        a moment ago."""
        feeds, problems = await self.feeds_and_problems()
        collected = Collected(failures=Counter({"bad setting": len(problems)} if problems else {}))
        together, again = asyncio.Semaphore(AT_ONCE), timedelta() if at_once else AGAIN

        async def one(feed: Feed) -> FeedState:
            async with together:
                return await self._look(feed, collected, again if ask else None)

        for state in await asyncio.gather(*(one(feed) for feed in feeds)):
            collected.items += state.items
        return collected

    async def _look(self, feed: Feed, collected: Collected, again: timedelta | None) -> FeedState:
        """Asks a source that was not asked for so long; None asks none."""
        now = self._clock.now()
        state = await self._stored.get(FEED, source_key(feed.source)) or FeedState(source=feed.source)
        if again is None or (state.fetched_at is not None and now - state.fetched_at < again):
            return state
        collected.asked += 1
        state = await self._ask(feed, replace(state, fetched_at=now), collected)
        await self._stored.put(FEED, source_key(feed.source), state, at=now)
        return state

    async def _ask(self, feed: Feed, state: FeedState, collected: Collected) -> FeedState:
        try:
            fetched = await asyncio.to_thread(
                fetch, feed.url, self._rules, etag=state.etag, last_modified=state.last_modified
            )
            if fetched.unchanged:
                collected.unchanged += 1
                return replace(state, unchanged=state.unchanged + 1, last_error="")
            items = await self._read(feed, fetched)
        except (FetchFailed, UnreadableFeed) as error:
            return _failed(state, error.kind, error, collected)
        except NightgardenError as error:
            return _failed(state, "not installed", error, collected)
        return replace(
            state,
            etag=fetched.etag,
            last_modified=fetched.last_modified,
            items=tuple(items),
            fetched=state.fetched + len({item.url for item in items} - {item.url for item in state.items}),
            last_error="",
        )

    async def _read(self, feed: Feed, fetched: Fetched) -> list[FeedItem]:
        limit = self._settings.source_fetch_limit
        if feed.family == "reddit":
            return read_reddit(fetched.body, source=feed.source, limit=limit)
        if feed.family == "hacker_news":
            return await self._stories(feed, read_top_stories(fetched.body, min(STORIES_MAX, 2 * limit)), limit)
        return await asyncio.to_thread(
            read_feed,
            fetched.body,
            source=feed.source,
            family=feed.family,
            content_type=fetched.content_type,
            limit=limit,
        )

    async def _stories(self, feed: Feed, ids: Sequence[int], limit: int) -> list[FeedItem]:
        at_once = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> FeedItem | None:
            async with at_once:
                url = f"{self._endpoints.hacker_news}/v0/item/{number}.json"
                try:
                    answer = await asyncio.to_thread(fetch, url, self._rules)
                    return read_story(answer.body, source=feed.source)
                except (FetchFailed, UnreadableFeed):
                    return None

        found = await asyncio.gather(*(one(number) for number in ids))
        return [item for item in found if item is not None][:limit]


def _failed(state: FeedState, kind: str, error: Exception, collected: Collected) -> FeedState:
    collected.failures[kind] += 1
    failures = {**state.failures, kind: state.failures.get(kind, 0) + 1}
    return replace(state, failures=failures, last_error=str(error)[:300])
