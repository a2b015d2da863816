"""The immediate reply: a message that was said to us, or goes on with us, is answered now and not at a tick."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import assert_never

from nightgarden.initiative.assemble import HOUR
from nightgarden.initiative.attention import AttentionAnswer, Leave, Recent, admit
from nightgarden.initiative.channels.channel import Channel, Incoming
from nightgarden.initiative.chat_prompt import Asked
from nightgarden.initiative.decision import Drop, NotUsable, Say
from nightgarden.initiative.initiative_documents import CHANNEL, Act, Purpose
from nightgarden.initiative.outbox import sends_since
from nightgarden.initiative.posting import Posting
from nightgarden.initiative.presence import Presence


class Replies:
    """Answers, with the same tools and the same care as thoughts."""

    def __init__(self, presence: Presence, posting: Posting) -> None:
        self._presence = presence
        self._posting = posting
        self._one_by_one = asyncio.Lock()

    async def consider(self, event: Incoming, before: Sequence[Incoming]) -> None:
        """Answers a message, or leaves it. `before` is what preceded it, oldest first. One message at a time: of many
        that come at once, each is admitted by what became of those before it."""
        async with self._one_by_one:
            await self._consider(event, before)

    async def _consider(self, event: Incoming, before: Sequence[Incoming]) -> None:
        presence, now = self._presence, self._presence.now()
        deliveries = await presence.deliveries()
        here = [d.sent_at or d.created_at for d in deliveries if d.channel == event.channel]
        verdict = admit(
            event,
            before,
            settings=presence.settings.replies,
            permits=presence.permits,
            recent=Recent(
                sends_last_hour=sends_since(deliveries, now - HOUR), last_send_here_at=max(here, default=None)
            ),
            now=now,
            roll=presence.roll,
        )
        if isinstance(verdict, AttentionAnswer) and presence.converser is None:
            verdict = Leave(reason="no language model is set up; see mind.kind")
        if isinstance(verdict, Leave):
            await presence.log(Act.LEAVE, verdict.reason, community=event.community, channel=event.channel)
        else:
            await self._answer(event, verdict)

    async def _answer(self, event: Incoming, verdict: AttentionAnswer) -> None:
        presence = self._presence
        known = await presence.stored.get(CHANNEL, event.channel)
        channel = known or Channel(id=event.channel, community=event.community, name=event.channel, private=True)
        assembled = await presence.assembler().assemble(
            event.community,
            [channel],
            media=await presence.media_left(),
            asked=Asked(message=event, direct=verdict.direct),
        )
        decision = await presence.consult(assembled, purpose="reply")
        match decision:
            case Say(now=True):
                await self._posting.post(decision, assembled, Purpose.REPLY, verdict.reason)
                await self._posting.flush()
            case Say() | Drop():
                await presence.log(Act.LEAVE, decision.reason, community=event.community, channel=event.channel)
            case NotUsable(reason=reason):
                await presence.log(Act.FAILED, reason, community=event.community, channel=event.channel)
            case _:
                assert_never(decision)
