"""Putting together what the model is shown: channels, finds, sources, interests, and what is remembered of a community.

Looks at one community only. Memories come from its own scopes; nothing global, of a project or of another community is
ever asked for here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import MemoryFilter
from nightgarden.garden import Garden
from nightgarden.initiative.channel_history import ChannelHistory, humans_since
from nightgarden.initiative.channels.channel import Channel, Incoming
from nightgarden.initiative.chat_prompt import Asked, PromptContext, RoomView
from nightgarden.initiative.communities import BEHAVIOR, GUIDANCE, is_person_scope, is_rule, told_scopes
from nightgarden.initiative.feeds.collect import Collected, Collector
from nightgarden.initiative.feeds.performance import Performance, performance
from nightgarden.initiative.feeds.scoring import Sieved, sieve, topic_words
from nightgarden.initiative.initiative_documents import DELIVERY, FEED, Delivery, OutboxStatus, Stored
from nightgarden.initiative.permits import Permits
from nightgarden.initiative.thoughts import MediaKind, Thought

MEMORIES_MAX = 8
GUIDANCE_MAX = 20
BEHAVIOR_MAX = 5
COUNTED_MAX = 200  # messages of an hour that are counted; more is very lively in any case
DELIVERIES_MAX = 1_000  # in which shared links and the performance of sources are looked for
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """A context, and what else was found out on the way."""

    context: PromptContext
    scopes: tuple[Scope, ...]  # what may be searched
    sieved: Sieved
    collected: Collected

    @property
    def newest_at(self) -> datetime | None:
        """When somebody last spoke, as far as the model is shown."""
        return max((m.at for room in self.context.rooms for m in room.messages), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembler:
    """Reads what a context needs."""

    garden: Garden
    stored: Stored
    history: ChannelHistory
    collector: Collector
    permits: Permits
    chance: Callable[[], float]
    tools: Sequence[str]

    async def assemble(
        self,
        community: str,
        channels: Sequence[Channel],
        *,
        media: dict[MediaKind, int],
        thought: Thought | None = None,
        asked: Asked | None = None,
        fetch: bool = True,
    ) -> Assembled:
        """`channels` are those of the community that may be spoken in."""
        settings, now = self.garden.settings.initiative, self.garden.now()
        deliveries = await self.stored.all(DELIVERY, statuses=[OutboxStatus.SENT], limit=DELIVERIES_MAX)
        spoke = {delivery.channel: delivery.sent_at for delivery in deliveries}  # the newest is last
        rooms = [await self.room(channel, now, spoke.get(channel.id)) for channel in channels]
        said = [message for room in rooms for message in room.messages if not message.from_me]
        collected = await self.collector.collect(ask=fetch) if asked is None else Collected()
        sieved = sieve(
            collected.items,
            topics=topic_words(message.text for message in said),
            shared=shared_links(deliveries, now - timedelta(hours=settings.discovery.dedupe_hours)),
            now=now,
            freshness=timedelta(hours=settings.discovery.freshness_hours),
            allow_nsfw=settings.discovery.allow_nsfw,
            randomness=settings.discovery.randomness,
            chance=self.chance,
            limit=settings.discovery.max_candidates,
        )
        scopes = self._scopes(community, channels, said)
        topic = " ".join([*(message.text for message in said[-6:]), thought.text if thought else ""])[:1_000]
        sources = await self._performance(deliveries, now) if asked is None else []
        context = PromptContext(
            now=now,
            community=community,
            rooms=rooms,
            eagerness=settings.text.eagerness,
            thought=thought,
            asked=asked,
            candidates=sieved.candidates,
            performance=sources,
            interests=interests(said, rooms, sources),
            memories=await self._relevant(topic, scopes),
            guidance=await self._rules(GUIDANCE, scopes, GUIDANCE_MAX),
            behavior=await self._behavior(topic, scopes),
            tools=self.tools,
            media=media,
            links_max=settings.discovery.max_links_per_post,
        )
        return Assembled(context=context, scopes=scopes, sieved=sieved, collected=collected)

    async def room(self, channel: Channel, now: datetime, spoke_at: datetime | None = None) -> RoomView:
        """One channel as it is now, without what blocked people said. `spoke_at` is when we last posted there, which
        may be before the messages that are looked at."""
        settings = self.garden.settings.initiative
        limit = settings.text.lookback_messages
        recent = await self.history.recent(channel.community, channel.id, limit=max(limit, COUNTED_MAX))
        heard = [m for m in recent if m.from_me or not self.permits.refuse(channel.id, m.author_id)]
        lately, shown = humans_since(heard, now - HOUR), heard[-limit:]
        own = [message.at for message in heard if message.from_me]
        return RoomView(
            channel=channel,
            messages=shown,
            people_last_hour=len(lately),
            messages_last_hour=sum(lately.values()),
            own_last_at=max([*own, *([spoke_at] if spoke_at else [])], default=None),
            reply_channel=channel.id in settings.replies.reply_channel_ids,
        )

    def _scopes(self, community: str, channels: Iterable[Channel], said: Iterable[Incoming]) -> tuple[Scope, ...]:
        people = {message.author_id for message in said}
        if self.garden.settings.initiative.replies.people != "memories":
            people = set()  # statements about people are neither kept nor told
        return told_scopes(community, [channel.id for channel in channels], people)

    async def _relevant(self, topic: str, scopes: tuple[Scope, ...]) -> list[str]:
        if not topic.strip():
            return []
        found = await self.garden.recall(topic, scope=scopes, kinds=("memory",), limit=MEMORIES_MAX * 2)
        ids = [result.id for result in found.results]
        rules = {m.id for m in await self.garden.store.memories(ids) if {GUIDANCE, BEHAVIOR} & set(m.tags)}
        return [result.content for result in found.results if result.id not in rules][:MEMORIES_MAX]

    async def _behavior(self, topic: str, scopes: tuple[Scope, ...]) -> list[str]:
        if not topic.strip():
            return []
        found = await self.garden.recall(topic, scope=scopes, kinds=("memory",), limit=BEHAVIOR_MAX * 4)
        known = {m.id: m for m in await self.garden.store.memories([result.id for result in found.results])}
        return [m.content for m in known.values() if is_rule(m, BEHAVIOR)][:BEHAVIOR_MAX]

    async def _rules(self, tag: str, scopes: tuple[Scope, ...], limit: int) -> list[str]:
        which = MemoryFilter(scopes=tuple(s for s in scopes if not is_person_scope(s)), tag=tag)
        found = await self.garden.store.list_memories(which, limit=limit * 2, newest_first=True)
        return [memory.content for memory in found if is_rule(memory, tag)][:limit]

    async def _performance(self, deliveries: Sequence[Delivery], now: datetime) -> list[Performance]:
        fetched = {state.source: state.fetched for state in await self.stored.all(FEED)}
        return performance(fetched, deliveries, now=now)


def shared_links(deliveries: Iterable[Delivery], since: datetime) -> set[str]:
    """Links that were posted from a moment on."""
    return {link for d in deliveries if (d.sent_at or d.created_at) >= since for link in d.links}


def interests(said: Sequence[Incoming], rooms: Sequence[RoomView], sources: Sequence[Performance]) -> list[str]:
    """What a community is into, in a few lines: frequent words, the liveliest channel, the source they like best."""
    facts = []
    if words := topic_words((message.text for message in said), 4):
        facts.append(f"people talk about: {', '.join(words)}")
    lively = max(rooms, key=lambda room: (room.messages_last_hour, room.channel.id), default=None)
    if lively is not None and lively.messages_last_hour:
        facts.append(f"the liveliest channel is {lively.channel.name}")
    if best := next((each for each in sources if each.engagement), None):
        facts.append(f"what they like best comes from {best.source}")
    return facts
