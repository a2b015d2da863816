"""Which items are offered to the model, and in which order. Pure: time and chance are passed in.

The weights are those of a system that ran for months in a real community: 0.3 for the kind of source, 0.4 for words the
community uses, 0.2 for freshness, 0.1 for popularity, and chance, so that not always the same source is first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from nightgarden.domain.text import query_terms
from nightgarden.initiative.feeds.items import FeedItem

SOURCE_WEIGHT = {"hacker_news": 1.0, "youtube": 0.96, "reddit": 0.94, "rss": 0.92, "x": 0.90}
TOPIC_MATCHES_FULL = 3
TOPIC_WORDS = 8
_POPULARITY_FULL = math.log1p(10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An item that may be shared, and why it stands where it does."""

    item: FeedItem
    score: float


@dataclass(slots=True)
class Sieved:
    """Candidates, and what was left out, by reason."""

    candidates: list[Candidate] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


def topic_words(texts: Iterable[str], number: int = TOPIC_WORDS) -> list[str]:
    """The words a community uses most, in stems; a word counts once a message."""
    counted = Counter(term for text in texts for term in set(query_terms(text)) if len(term) > 2 and term.isalpha())
    return [term for term, _ in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:number]]


def sieve(
    items: Sequence[FeedItem],
    *,
    topics: Collection[str],
    shared: Collection[str],
    now: datetime,
    freshness: timedelta,
    allow_nsfw: bool,
    randomness: int,
    chance: Callable[[], float],
    limit: int,
) -> Sieved:
    """The best items. `shared` are links within the dedupe window; `chance` gives numbers from 0 to 1."""
    sieved = Sieved()
    seen: set[str] = set()
    for item in sorted(items, key=lambda each: (each.url, each.source)):
        reason = _drop(item, seen, shared, now, freshness, allow_nsfw)
        if reason:
            sieved.dropped[reason] += 1
            continue
        seen.add(item.url)
        jitter = (chance() * 2 - 1) * 0.25 * randomness / 100
        sieved.candidates.append(Candidate(item=item, score=score(item, topics, now, freshness) + jitter))
    sieved.candidates.sort(key=lambda each: (-each.score, each.item.url))
    del sieved.candidates[limit:]
    return sieved


def _drop(
    item: FeedItem, seen: set[str], shared: Collection[str], now: datetime, freshness: timedelta, allow_nsfw: bool
) -> str:
    if item.suspicious:
        return "suspicious"
    if item.url in seen:
        return "duplicate"
    if item.url in shared:
        return "shared before"
    if item.nsfw and not allow_nsfw:
        return "nsfw"
    if item.published_at is not None and now - item.published_at > freshness:
        return "stale"
    return ""


def score(item: FeedItem, topics: Collection[str], now: datetime, freshness: timedelta) -> float:
    """Between 0 and 1."""
    words = set(query_terms(f"{item.title} {item.summary}"))
    topic = min(1.0, len(words & set(topics)) / TOPIC_MATCHES_FULL)
    age = (now - item.published_at) / freshness if item.published_at else 0.5
    fresh = min(1.0, max(0.0, 1.0 - age))
    popular = min(1.0, math.log1p(item.popularity) / _POPULARITY_FULL)
    return 0.3 * SOURCE_WEIGHT.get(item.family, 0.9) + 0.4 * topic + 0.2 * fresh + 0.1 * popular
