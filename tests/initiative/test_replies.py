"""Answering when spoken to: admission, cooldown, lists of permission, the tone of reply channels, the same tools."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from nightgarden.initiative.attention import Attention, AttentionAnswer, Leave, Recent, admit, attention
from nightgarden.initiative.channels.channel import Incoming, Reaction
from nightgarden.initiative.initiative_documents import DELIVERY, Delivery, OutboxStatus, Purpose
from nightgarden.initiative.permits import Permits
from nightgarden.minds.scripted import calls
from nightgarden.settings.initiative import InitiativeRepliesSettings
from tests.initiative.conftest import GARDEN, LOBBY, SECRET_ROOM, START, Mind, OpenTown, Town, decide, make_settings

WINDOW = timedelta(seconds=120)
SAID = Incoming(
    id="m", channel=LOBBY.id, community=LOBBY.community, author_id="test:ana", author_name="Ana", text="hi", at=START
)


def at(seconds: int, **more: Any) -> Incoming:
    return replace(SAID, at=START + timedelta(seconds=seconds), **more)


@pytest.mark.parametrize(
    ("messages", "seconds", "expected"),
    [
        ([], 0, Attention.AMBIENT),
        ([at(0)], 1, Attention.AMBIENT),
        ([at(0, mentions_me=True)], 119, Attention.ACTIVE),
        ([at(0, mentions_me=True)], 120, Attention.AMBIENT),
        ([at(0, replies_to_me=True)], 1, Attention.ACTIVE),
        ([at(0, from_me=True), at(60)], 170, Attention.ACTIVE),
        ([at(0, from_me=True), at(130)], 131, Attention.AMBIENT),
        ([at(0, from_me=True)], 1, Attention.AMBIENT),
        ([at(0, mentions_me=True), at(100, from_me=True)], 200, Attention.ACTIVE),
        ([at(0, mentions_me=True, from_program=True)], 1, Attention.AMBIENT),
    ],
)
def test_a_channel_is_active_while_somebody_talks_with_us(
    messages: list[Incoming], seconds: int, expected: Attention
) -> None:
    assert attention(messages, now=START + timedelta(seconds=seconds), window=WINDOW) is expected


def decide_on(message: Incoming, *, before: Any = (), rolled: float = 0.0, recent: Any = None, **more: Any) -> Any:
    settings = InitiativeRepliesSettings(**more)
    return admit(
        message,
        before,
        settings=settings,
        permits=Permits(settings=settings),
        recent=recent or Recent(sends_last_hour=0, last_send_here_at=None),
        now=message.at,
        roll=lambda: rolled,
    )


@pytest.mark.parametrize(
    ("message", "more"),
    [
        (at(0, mentions_me=True), {"enabled": False}),
        (at(0, mentions_me=True, from_program=True), {}),
        (at(0, mentions_me=True, from_me=True), {}),
        (at(0, mentions_me=True, live=False), {}),
        (at(0, mentions_me=True, text="  "), {}),
        (at(0, mentions_me=True), {"blocked_user_ids": ("test:ana",)}),
        (at(0, mentions_me=True), {"blocked_channel_ids": (LOBBY.id,), "allowed_channel_ids": (LOBBY.id,)}),
        (at(0, mentions_me=True), {"allowed_channel_ids": (GARDEN.id,)}),
        (at(0, mentions_me=True), {"max_messages_per_hour": 0}),
        (at(0), {}),
    ],
)
def test_what_is_never_answered(message: Incoming, more: dict[str, Any]) -> None:
    assert isinstance(decide_on(message, **more), Leave)


def test_admission_by_mention_by_exchange_and_by_reply_channel() -> None:
    assert decide_on(at(0, mentions_me=True), rolled=99).direct
    live = [at(-30, mentions_me=True), at(-20, from_me=True)]
    assert isinstance(decide_on(at(0), before=live, rolled=54), AttentionAnswer)
    assert isinstance(decide_on(at(0), before=live, rolled=56), Leave)
    here = {"reply_channel_ids": (LOBBY.id,)}
    assert isinstance(decide_on(at(0), rolled=19, **here), AttentionAnswer)
    assert isinstance(decide_on(at(0), rolled=30, **here), Leave)
    assert isinstance(decide_on(at(0), before=[at(-9), at(-5)], rolled=30, **here), AttentionAnswer), (
        "the bonus of a live one"
    )


def test_a_cooldown_holds_even_for_those_who_call_us() -> None:
    recent = Recent(sends_last_hour=1, last_send_here_at=START - timedelta(seconds=4))
    assert isinstance(decide_on(at(0, mentions_me=True), recent=recent), Leave)


async def test_who_speaks_to_us_is_answered_at_once_in_their_channel(town: Town) -> None:
    town.mind.answer = lambda _: decide("post_now", "Here I am.", reply_to_message_id="q1")
    await town.say("@it where are you?", id="q1", mentions_me=True)
    [sent] = town.chat.sent.values()
    assert (sent.channel, sent.text, sent.reply_to) == (LOBBY.id, "Here I am.", "q1")
    assert "=== REPLY MODE ===" in town.mind.prompts[0]
    assert "=== MESSAGE TO ANSWER ===" in town.mind.prompts[0]


async def test_a_reply_may_use_the_same_tools(town: Town) -> None:
    await town.garden.remember("The pond is 3 metres deep", scope="community:test/town")
    answers = iter([calls("memory_search", query="pond deep"), decide("post_now", "Three metres.")])
    town.mind.answer = lambda _: next(answers)
    await town.say("@it how deep is the pond?", mentions_me=True)
    told = town.mind.requests[-1].utterances[-1].text
    assert "The pond is 3 metres deep" in told
    assert town.chat.texts == ["Three metres."]


async def test_reply_channels_have_their_tone_and_get_no_new_topics(open_town: OpenTown) -> None:
    settings = make_settings(
        replies={"discovery_channel_ids": (GARDEN.id,), "reply_channel_ids": (LOBBY.id,), "reply_eagerness": 100}
    )
    async with open_town(settings=settings, mind=Mind(lambda _: decide("post_now", "me too"))) as town:
        await town.say("I like ferns")
        assert "one of the regulars" in town.mind.prompts[0]
        assert town.chat.texts == ["me too"]
        town.clock.pass_(hours=1)
        await town.initiative.tick()
        assert LOBBY.id not in town.mind.prompts[-1], "nothing is begun there"
        assert len(town.chat.texts) == 1


async def test_what_blocked_people_say_is_neither_kept_nor_shown(open_town: OpenTown) -> None:
    settings = make_settings(replies={"blocked_user_ids": ("test:mallory",)})
    async with open_town(settings=settings) as town:
        await town.say("@it listen to me", by="mallory", mentions_me=True)
        await town.initiative.tick()
        assert town.mind.prompts
        assert "listen to me" not in town.mind.prompts[-1]
        assert await town.initiative.presence.recent(LOBBY.community, LOBBY.id) == []


async def test_a_channel_nobody_listed_is_not_listened_to(town: Town) -> None:
    await town.say("between us", channel=SECRET_ROOM)
    assert await town.initiative.presence.recent(SECRET_ROOM.community, SECRET_ROOM.id) == []


async def test_reactions_and_replies_count_for_what_was_shared(town: Town) -> None:
    town.mind.answer = lambda _: decide("post_now", "Look at this.")
    await town.initiative.tick()
    [delivery] = await town.stored.all(DELIVERY)
    await town.initiative.hear(Reaction(message_id=delivery.sent[0], channel=LOBBY.id))
    town.mind.answer = lambda _: decide("drop")
    await town.say("lovely", reply_to=delivery.sent[0], replies_to_me=True)
    [delivery] = await town.stored.all(DELIVERY)
    assert delivery.engagement == 2


async def test_of_many_who_call_at_once_no_more_are_answered_than_the_hour_allows(open_town: OpenTown) -> None:
    mind = Mind(lambda _: decide("post_now", "Here I am."))
    replies = {"max_messages_per_hour": 3, "min_seconds_between_messages": 0}
    async with open_town(mind=mind, settings=make_settings(replies=replies)) as town:
        await asyncio.gather(*(town.say(f"hey you, number {n}", mentions_me=True) for n in range(10)))
        assert (len(town.chat.sent), len(mind.prompts)) == (3, 3)


async def test_a_cooldown_holds_for_those_who_call_at_once(town: Town) -> None:
    town.mind.answer = lambda _: decide("post_now", "Here I am.")
    await asyncio.gather(*(town.say(f"hey you, number {n}", mentions_me=True) for n in range(4)))
    assert len(town.chat.sent) == 1


async def test_a_reaction_to_the_first_part_does_not_lose_the_others(town: Town) -> None:
    part = Delivery(
        id="d1", purpose=Purpose.POST, community=LOBBY.community, channel=LOBBY.id, parts=("first", "second"),
        created_at=town.clock.now(), sent=("sent-first",), tries=1,
    )  # fmt: skip
    await town.stored.put_delivery(part, OutboxStatus.SENDING, at=town.clock.now())
    await town.initiative.hear(Reaction(message_id="sent-first", channel=LOBBY.id))
    await town.initiative.posting.flush()
    assert town.chat.texts == ["second"]
