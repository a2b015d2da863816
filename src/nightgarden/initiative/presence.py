"""Our presence in channels: where we may be, what was said there lately, where things stand. Reads; decides nothing.

What the parts of initiative share: the garden, the networks, the stored documents, chance and the log.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from nightgarden.domain.conversation import Converser
from nightgarden.domain.ids import IdMaker
from nightgarden.garden import Garden
from nightgarden.initiative.assemble import HOUR, Assembled, Assembler
from nightgarden.initiative.attention import Attention, attention
from nightgarden.initiative.channel_history import ChannelHistory
from nightgarden.initiative.channels.channel import Channel, Incoming, Network, NetworkDown
from nightgarden.initiative.chat_tools import ChatTools, offered_tools, search_of
from nightgarden.initiative.consult import consult
from nightgarden.initiative.decision import Decision, NotUsable
from nightgarden.initiative.feeds.collect import Collector, Endpoints
from nightgarden.initiative.gates import DAY, Room, Standing
from nightgarden.initiative.initiative_documents import (
    CHANNEL,
    DELIVERY,
    MEDIA,
    THOUGHT,
    Act,
    Delivery,
    LoggedAction,
    Purpose,
    Stored,
    TickState,
)
from nightgarden.initiative.media.make import MediaBackend, backends_of, offered
from nightgarden.initiative.outbox import sends_since
from nightgarden.initiative.permits import Permits
from nightgarden.initiative.safe_text import links_of
from nightgarden.initiative.thoughts import MediaKind
from nightgarden.initiative.web_search import SearchServer
from nightgarden.settings.initiative import InitiativeSettings

DELIVERIES_LOOKED_AT = 200  # reactions to older messages are not counted
POSTS_LOOKED_AT = 1_000  # the most that a week of posts can be


class GardenClock:
    """The garden's own time."""

    def __init__(self, garden: Garden) -> None:
        self._garden = garden

    def now(self) -> datetime:
        return self._garden.now()


class Presence:
    """What the parts of initiative share."""

    def __init__(
        self,
        garden: Garden,
        *,
        networks: Sequence[Network],
        converser: Converser | None,
        chance: random.Random | None,
        env: Mapping[str, str],
        endpoints: Endpoints | None,
        search: SearchServer | None,
    ) -> None:
        self.garden = garden
        self.networks = {network.name: network for network in networks}
        self.converser = converser
        self.env = env
        self.stored = Stored(garden.store)
        self.history = ChannelHistory(garden)
        self.permits = Permits(settings=self.settings.replies, private_room=garden.settings.notify.chat_room)
        self.collector = Collector(self.stored, self.settings.discovery, GardenClock(garden), endpoints)
        self.search = search or search_of(self.settings)
        self.backends: Mapping[MediaKind, MediaBackend] = backends_of(self.settings.discovery, env)
        self._chance = chance or random.Random(secrets.randbits(64))
        self._ids = IdMaker(lambda: secrets.randbits(64))

    @property
    def settings(self) -> InitiativeSettings:
        return self.garden.settings.initiative

    def now(self) -> datetime:
        return self.garden.now()

    def new_id(self, at: datetime) -> str:
        return self._ids.make(at)

    def roll(self) -> float:
        """From 0 up to 100."""
        return self._chance.random() * 100

    async def log(self, act: Act, reason: str, *, community: str = "", channel: str = "", **detail: str) -> None:
        now = self.now()
        kept = {name: value for name, value in detail.items() if value}
        action = LoggedAction(
            id=self.new_id(now), act=act, at=now, reason=reason[:500], community=community, channel=channel, detail=kept
        )
        await self.stored.log(action)

    # -- channels ----------------------------------------------------------------------------------------------------
    def listens(self, channel: str) -> bool:
        """Whether what is said there is kept although nobody spoke to us."""
        replies = self.settings.replies
        return channel in {*replies.discovery_channel_ids, *replies.reply_channel_ids, *replies.allowed_channel_ids}

    async def learn_channels(self) -> None:
        """Asks the networks which channels we are in. One that is down keeps those it had."""
        for network in self.networks.values():
            try:
                channels = await network.channels()
            except NetworkDown:
                continue
            for channel in channels:
                if await self.stored.get(CHANNEL, channel.id) != channel:
                    await self.stored.put(CHANNEL, channel.id, channel, at=self.now())

    async def eligible(self) -> list[Channel]:
        """Where a thought of our own may be posted."""
        return self.permits.eligible(await self.stored.all(CHANNEL))

    async def recent(self, community: str, channel: str) -> list[Incoming]:
        limit = self.settings.text.lookback_messages
        return await self.history.recent(community, channel, limit=limit)

    def attention(self, messages: Sequence[Incoming]) -> Attention:
        window = timedelta(seconds=self.settings.replies.active_seconds)
        return attention(messages, now=self.now(), window=window)

    async def is_active(self, channel: Channel) -> bool:
        return self.attention(await self.recent(channel.community, channel.id)) is Attention.ACTIVE

    # -- where things stand ------------------------------------------------------------------------------------------
    async def deliveries(self) -> list[Delivery]:
        """The newest, oldest first: at least as many as an hour may have."""
        limit = max(DELIVERIES_LOOKED_AT, self.settings.replies.max_messages_per_hour)
        return await self.stored.all(DELIVERY, limit=limit)

    async def posts(self) -> list[Delivery]:
        """The newest that were no replies, oldest first, however many replies there were since."""
        return await self.stored.all(DELIVERY, owner=Purpose.POST, limit=POSTS_LOOKED_AT)

    async def standing(self, state: TickState) -> Standing:
        now, deliveries = self.now(), await self.deliveries()
        posts = [post for post in await self.posts() if post.created_at > now - DAY]
        return Standing(
            now=now,
            settings=self.settings,
            rooms=[await self._room(channel) for channel in await self.eligible()],
            has_mind=self.converser is not None,
            posts_last_day=len(posts),
            sends_last_hour=sends_since(deliveries, now - HOUR),
            last_send_at=max((d.sent_at for d in deliveries if d.sent_at), default=None),
            pending=await self.stored.all(THOUGHT),
            last_fresh_at=state.last_fresh_at,
        )

    async def _room(self, channel: Channel) -> Room:
        view = await self.assembler().room(channel, self.now())
        people = [message.at for message in view.messages if not message.from_me and not message.from_program]
        return Room(
            channel=channel.id,
            community=channel.community,
            active=self.attention(view.messages) is Attention.ACTIVE,
            humans_last_hour=view.messages_last_hour,
            newest_human_at=max(people, default=None),
        )

    async def media_left(self) -> dict[MediaKind, int]:
        """What may be asked for, and how much of it is left in these 24 hours."""
        since = self.now() - DAY
        made = Counter(each.kind for each in await self.stored.all(MEDIA, limit=2_000) if each.at > since)
        return offered(self.settings.discovery, made, self.env)

    # -- asking ------------------------------------------------------------------------------------------------------
    def assembler(self) -> Assembler:
        return Assembler(
            garden=self.garden,
            stored=self.stored,
            history=self.history,
            collector=self.collector,
            permits=self.permits,
            chance=self._chance.random,
            tools=offered_tools(self.settings, search=self.search is not None),
        )

    async def consult(self, assembled: Assembled, *, purpose: str) -> Decision:
        """What the model decides about what it is shown."""
        if self.converser is None:
            return NotUsable(reason="no language model is set up")
        context = assembled.context
        said = [message.text for room in context.rooms for message in room.messages]
        shown = {candidate.item.url for candidate in context.candidates}
        tools = ChatTools(
            garden=self.garden,
            stored=self.stored,
            settings=self.settings,
            scopes=assembled.scopes,
            known_urls=shown | {link for text in said for link in links_of(text)},
            new_id=self.new_id,
            search=self.search,
        )
        return (await consult(self.converser, context, tools, purpose=purpose)).decision
