"""From a decision to a message that is sent: what is refused as a repetition, what is cleaned, what goes along."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from nightgarden.domain.text import dedupe_key
from nightgarden.errors import ModelUnavailable
from nightgarden.initiative.assemble import Assembled, shared_links
from nightgarden.initiative.channel_history import ME
from nightgarden.initiative.channels.channel import Incoming
from nightgarden.initiative.decision import Say
from nightgarden.initiative.feeds.scoring import Candidate
from nightgarden.initiative.initiative_documents import (
    MEDIA,
    THOUGHT,
    Act,
    Delivery,
    MediaMade,
    OutboxStatus,
    Purpose,
)
from nightgarden.initiative.media.make import Made, make
from nightgarden.initiative.outbox import Outbox
from nightgarden.initiative.presence import GardenClock, Presence
from nightgarden.initiative.safe_text import links_of, safe_text, split_text
from nightgarden.initiative.thoughts import Thought

CHARS_MAX = 2_000  # of one message, where the network does not say


@dataclass(frozen=True, slots=True, kw_only=True)
class PostResult:
    """What became of something that was to be said."""

    sent: bool
    words: str


class Posting:
    """Says things, once."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self._sending = asyncio.Lock()
        self.outbox = Outbox(
            presence.stored, presence.networks, GardenClock(presence.garden), make_media=self._make_media
        )

    async def post(
        self, say: Say, assembled: Assembled, purpose: Purpose, reason: str, *, thought: Thought | None = None
    ) -> PostResult:
        """Puts it into the outbox; a thought that it came from is over then."""
        presence, now, community = self._presence, self._presence.now(), assembled.context.community
        text = self._clean(say)
        refusal = await self._refuse(text, community, purpose)
        if not refusal and presence.settings.text.execution == "dry_run":
            refusal = "dry run: it would have been posted"
        if refusal:
            if thought is not None:
                await presence.stored.remove(THOUGHT, community, at=now)
            await presence.log(Act.DROP, refusal, community=community, channel=say.channel, text=text[:200])
            return PostResult(sent=False, words=f"dropped: {refusal}")
        network = presence.networks.get(say.channel.partition(":")[0])
        delivery = Delivery(
            id=presence.new_id(now),
            purpose=purpose,
            community=community,
            channel=say.channel,
            parts=tuple(split_text(text, network.chars_max if network else CHARS_MAX)),
            created_at=now,
            reply_to=say.reply_to,
            media=say.media if say.media is not None and say.media.kind in assembled.context.media else None,
            links=tuple(links_of(text)),
            sources=sources_of(text, assembled.context.candidates),
        )
        await presence.stored.post(delivery, community if thought is not None else None, at=now)
        act = Act.POST if purpose is Purpose.POST else Act.REPLY
        await presence.log(act, reason, community=community, channel=say.channel, delivery=delivery.id)
        return PostResult(sent=True, words=f"posted to {say.channel}: {reason}")

    def _clean(self, say: Say) -> str:
        settings = self._presence.garden.settings
        links = settings.initiative.discovery.max_links_per_post
        return safe_text(say.text, links_max=links, personal_allowed=frozenset(settings.remember.personal_allowed))

    async def _refuse(self, text: str, community: str, purpose: Purpose) -> str:
        """Why it is not said: nothing is left of it, or it was said before."""
        if not text:
            return "nothing is left to say once it is made safe to send"
        if purpose is Purpose.REPLY:
            return ""
        since = self._presence.now() - timedelta(hours=self._presence.settings.discovery.dedupe_hours)
        said = [*await self._presence.posts(), *await self._presence.deliveries()]
        earlier = [d for d in said if d.community == community and d.created_at > since]
        if dedupe_key(text) in {dedupe_key(" ".join(d.parts)) for d in earlier}:
            return "it was said before"
        if set(links_of(text)) & shared_links(earlier, since):
            return "its link was shared before"
        return ""

    async def flush(self) -> int:
        """Sends what waits in the outbox. Returns how many messages went out now."""
        sent = 0
        async with self._sending:
            for each in await self.outbox.flush():
                for message_id, text in each.new:
                    await self._keep_own(each.delivery, message_id, text)
                    sent += 1
                if each.status is OutboxStatus.FAILED:
                    await self._presence.log(Act.FAILED, each.delivery.last_error, channel=each.delivery.channel)
        return sent

    async def _keep_own(self, delivery: Delivery, message_id: str, text: str) -> None:
        own = Incoming(
            id=message_id,
            channel=delivery.channel,
            community=delivery.community,
            author_id=ME,
            author_name=ME,
            text=text,
            at=self._presence.now(),
            from_me=True,
            reply_to=delivery.reply_to,
        )
        await self._presence.history.keep(own)

    async def _make_media(self, delivery: Delivery) -> Made:
        """What goes with a delivery. When it cannot be made, the text goes alone."""
        assert delivery.media is not None
        presence, now = self._presence, self._presence.now()
        try:
            if delivery.media.kind not in await presence.media_left():
                raise ModelUnavailable(f"no budget is left for a {delivery.media.kind}")
            made = await make(delivery.media, presence.backends)
        except ModelUnavailable as error:
            await presence.log(Act.FAILED, str(error), channel=delivery.channel, delivery=delivery.id)
            return Made()
        record = MediaMade(id=presence.new_id(now), kind=delivery.media.kind, at=now)
        await presence.stored.put(MEDIA, record.id, record, at=now)
        await presence.log(Act.MEDIA, f"{delivery.media.kind} made", channel=delivery.channel, delivery=delivery.id)
        return made


def sources_of(text: str, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """The feeds that the links of a text came from."""
    links = set(links_of(text))
    return tuple(sorted({candidate.item.source for candidate in candidates if candidate.item.url in links}))
