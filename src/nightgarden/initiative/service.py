"""Initiative as it runs: hears what is said, answers when spoken to, and at each tick may have something to say.

One tick at a time, in this process and across processes; what was missed while nobody ran it is missed. Everything that
it decides is in its log. Time comes from the garden's clock and chance is passed in.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import assert_never

from nightgarden.domain.conversation import Converser
from nightgarden.errors import GardenBusy
from nightgarden.garden import Garden
from nightgarden.initiative.assemble import Assembled
from nightgarden.initiative.channels.channel import Incoming, Network, Reaction
from nightgarden.initiative.decision import Drop, NotUsable, Say
from nightgarden.initiative.feeds.collect import Endpoints
from nightgarden.initiative.feeds.performance import WINDOW
from nightgarden.initiative.gates import TickPlan, plan_tick
from nightgarden.initiative.immediate_reply import Replies
from nightgarden.initiative.initiative_documents import THOUGHT, Act, OutboxStatus, Purpose, TickState
from nightgarden.initiative.posting import Posting
from nightgarden.initiative.presence import Presence
from nightgarden.initiative.safe_text import links_of
from nightgarden.initiative.thoughts import Thought, held, kept, new_thought, noticed
from nightgarden.initiative.web_search import SearchServer

LOCK = "initiative tick"
TICK_SECONDS = 60.0
_FORGET_EVERY = timedelta(days=1)
_NOT_ASKED = TickPlan(asked=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """What a tick did."""

    plan: TickPlan
    outcomes: tuple[str, ...] = ()  # one for each thought that was considered
    sent: int = 0

    @property
    def sentence(self) -> str:
        if self.outcomes:
            return "; ".join(self.outcomes)
        return f"quiet ({self.plan.reason})" if self.plan.asked else "quiet (another tick is running)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What a tick would look at now. Nothing was posted and no model was asked."""

    plan: TickPlan
    community: str  # empty: no channel is eligible
    assembled: Assembled | None


class Initiative:
    """Present in the channels of some networks, on one garden."""

    def __init__(
        self,
        garden: Garden,
        *,
        networks: Sequence[Network] = (),
        converser: Converser | None = None,
        chance: random.Random | None = None,
        env: Mapping[str, str] | None = None,
        endpoints: Endpoints | None = None,
        search: SearchServer | None = None,
    ) -> None:
        self.presence = Presence(
            garden,
            networks=networks,
            converser=converser,
            chance=chance,
            env=env or {},
            endpoints=endpoints,
            search=search,
        )
        self.posting = Posting(self.presence)
        self._replies = Replies(self.presence, self.posting)
        self._ticking = asyncio.Lock()

    # -- hearing -----------------------------------------------------------------------------------------------------
    async def hear(self, event: Incoming | Reaction) -> None:
        """Somebody said something, or reacted. Answers if that is wanted."""
        presence = self.presence
        if isinstance(event, Reaction):
            await self._credit(event.message_id)
            return
        if presence.permits.refuse(event.channel, "" if event.from_me else event.author_id):
            return
        spoken_to = event.mentions_me or event.replies_to_me
        if not (spoken_to or event.from_me or presence.listens(event.channel)):
            return
        before = await presence.recent(event.community, event.channel)
        if not await presence.history.keep(event) or event.from_me:
            return
        if event.reply_to:
            await self._credit(event.reply_to)
        await self._notice(event)
        await self._replies.consider(event, [each for each in before if each.id != event.id])

    async def _notice(self, event: Incoming) -> None:
        """A thought that is pending there has been overtaken."""
        thought = await self.presence.stored.get(THOUGHT, event.community)
        if thought is not None and (after := noticed(thought, event.at)) != thought:
            await self.presence.stored.put_thought(after, at=self.presence.now())

    async def _credit(self, message_id: str) -> None:
        for delivery in await self.presence.deliveries():
            if message_id in delivery.sent and len(delivery.sent) == len(delivery.parts):  # else more is to be sent
                more = replace(delivery, engagement=delivery.engagement + 1)
                await self.presence.stored.put_delivery(more, OutboxStatus.SENT, at=self.presence.now())

    # -- ticking -----------------------------------------------------------------------------------------------------
    async def tick(self) -> Ticked:
        """One look. Returns at once when another one is under way, here or in another process."""
        if self._ticking.locked():
            return Ticked(plan=_NOT_ASKED)
        async with self._ticking:
            try:
                async with self.presence.garden.store.exclusive(LOCK):
                    return await self._tick()
            except GardenBusy:
                return Ticked(plan=_NOT_ASKED)

    async def _tick(self) -> Ticked:
        presence, now = self.presence, self.presence.now()
        await self.posting.flush()
        await presence.learn_channels()
        state = await self._forget_old(await presence.stored.state(), now)
        plan = plan_tick(await presence.standing(state), presence.roll)
        await self._clear(plan, now)
        outcomes = []
        posted = False
        if plan.revisit is not None:
            posted, words = await self._consider(plan.revisit.community, plan.revisit)
            outcomes.append(words)
        fresh = plan.fresh if not posted else None  # the caps are asked again before more is posted
        last_fresh = now if fresh else state.last_fresh_at
        await presence.stored.put_state(
            replace(state, ticks=state.ticks + 1, last_tick_at=now, last_fresh_at=last_fresh), at=now
        )
        if fresh is not None:
            outcomes.append((await self._consider(fresh, None))[1])
        return Ticked(plan=plan, outcomes=tuple(outcomes), sent=await self.posting.flush())

    async def _clear(self, plan: TickPlan, now: datetime) -> None:
        for thought, reason in plan.cleared:
            await self.presence.stored.remove(THOUGHT, thought.community, at=now)
            words = f"thought cleared: {reason}"
            await self.presence.log(Act.DROP, words, community=thought.community, thought=thought.id)
        if plan.quiet:
            gate = next((str(each.gate) for each in plan.asked if not each.passed), "")
            await self.presence.log(Act.SKIP, plan.reason, gate=gate)

    async def _consider(self, community: str, thought: Thought | None) -> tuple[bool, str]:
        """Whether something is to be posted, and what came of it in words."""
        presence = self.presence
        here = [channel for channel in await presence.eligible() if channel.community == community]
        quiet = [channel for channel in here if not await presence.is_active(channel)]
        assembled = await presence.assembler().assemble(
            community, quiet, media=await presence.media_left(), thought=thought
        )
        await self._log_feeds(assembled)
        decision = await presence.consult(assembled, purpose="initiative")
        now, which = presence.now(), thought.id if thought else ""
        match decision:
            case Say(now=True, channel=channel) if await self._is_busy(assembled, channel):
                words = "people there have begun to talk with us"
                return False, await self._hold(replace(decision, now=False, reason=words), assembled, thought)
            case Say(now=True):
                done = await self.posting.post(decision, assembled, Purpose.POST, decision.reason, thought=thought)
                return done.sent, done.words
            case Say():
                return False, await self._hold(decision, assembled, thought)
            case Drop(reason=reason):
                if thought is not None:
                    await presence.stored.remove(THOUGHT, community, at=now)
                await presence.log(Act.DROP, reason, community=community, thought=which)
                return False, f"dropped: {reason}"
            case NotUsable(reason=reason):
                if thought is not None:
                    await presence.stored.put_thought(kept(thought, reason=reason, now=now), at=now)
                await presence.log(Act.KEPT, reason, community=community, thought=which)
                return False, f"no decision: {reason}"
            case _:
                assert_never(decision)

    async def _is_busy(self, assembled: Assembled, channel: str) -> bool:
        """Whether a live exchange began in a channel while the model was thinking."""
        rooms = [room.channel for room in assembled.context.rooms if room.channel.id == channel]
        return any([await self.presence.is_active(each) for each in rooms])

    async def _hold(self, say: Say, assembled: Assembled, thought: Thought | None) -> str:
        presence, now, community = self.presence, self.presence.now(), assembled.context.community
        basis = assembled.newest_at or now
        offered = {candidate.item.url for candidate in assembled.context.candidates}
        urls = tuple(link for link in links_of(say.text) if link in offered)
        if thought is None:
            gap = timedelta(minutes=presence.settings.text.min_minutes_between_posts)
            after = new_thought(
                id=presence.new_id(now), community=community, channel=say.channel, text=say.text, reason=say.reason,
                media=say.media, basis_at=basis, gap=gap, now=now, reply_to=say.reply_to, feed_urls=urls,
            )  # fmt: skip
        else:
            after = held(
                thought, text=say.text, channel=say.channel, reason=say.reason, media=say.media, basis_at=basis,
                now=now, reply_to=say.reply_to, feed_urls=urls,
            )  # fmt: skip
        await presence.stored.put_thought(after, at=now)
        await presence.log(Act.HOLD, say.reason, community=community, channel=say.channel, thought=after.id)
        return f"held: {say.reason}"

    async def _log_feeds(self, assembled: Assembled) -> None:
        collected, sieved = assembled.collected, assembled.sieved
        if collected.asked:
            counts = {**collected.failures, **{f"left out, {why}": n for why, n in sieved.dropped.items()}}
            words = f"{len(collected.items)} items of {collected.asked} sources, {collected.unchanged} unchanged"
            detail = {name: str(number) for name, number in counts.items()}
            await self.presence.log(Act.FEEDS, words, community=assembled.context.community, **detail)

    async def _forget_old(self, state: TickState, now: datetime) -> TickState:
        """Erases what was said in channels longer ago than the settings allow, once a day."""
        if state.erased_at is not None and now - state.erased_at < _FORGET_EVERY:
            return state
        settings = self.presence.settings
        days = settings.replies.history_days
        if number := await self.presence.history.forget_old(days=days, now=now):
            await self.presence.log(Act.ERASED, f"{number} days of channels, older than {days} days")
        # What was sent and logged is needed for as long as links are not shared again and sources are judged by it.
        kept = max(timedelta(days=days), timedelta(hours=settings.discovery.dedupe_hours), WINDOW)
        if number := await self.presence.stored.forget(now - kept, at=now):
            await self.presence.log(
                Act.ERASED, f"{number} records of what was sent and done, older than {kept.days} days"
            )
        return replace(state, erased_at=now)

    # -- looking -----------------------------------------------------------------------------------------------------
    async def look(self, *, fetch: bool = True) -> Outlook:
        """What a tick would look at: gates, candidates and the whole prompt. Posts nothing and asks no model."""
        presence = self.presence
        await presence.learn_channels()
        plan = plan_tick(await presence.standing(await presence.stored.state()), presence.roll)
        pending = plan.revisit or next(iter(await presence.stored.all(THOUGHT)), None)
        channels = await presence.eligible()
        community = (pending.community if pending else "") or plan.fresh or next((c.community for c in channels), "")
        if not community:
            return Outlook(plan=plan, community="", assembled=None)
        assembled = await presence.assembler().assemble(
            community,
            [channel for channel in channels if channel.community == community],
            media=await presence.media_left(),
            thought=pending,
            fetch=fetch,
        )
        return Outlook(plan=plan, community=community, assembled=assembled)
