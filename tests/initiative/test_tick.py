"""A tick from the clock to the channel: posts, holds, drops, revisits; a crash, a restart, a network that is down."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from nightgarden.initiative.initiative_documents import ACTION, DELIVERY, THOUGHT, Act, Delivery, OutboxStatus, Purpose
from nightgarden.initiative.presence import DELIVERIES_LOOKED_AT
from nightgarden.initiative.web_search import WebResult
from nightgarden.minds.scripted import calls, says
from nightgarden.minds.speaker import Spoken
from tests.initiative.conftest import (
    GARDEN,
    LOBBY,
    OTHER,
    Chat,
    Clock,
    Crash,
    Mind,
    OpenTown,
    Town,
    decide,
    make_settings,
)


async def test_a_thought_that_fits_is_posted_once_and_logged(town: Town) -> None:
    town.mind.answer = lambda _: decide("post_now", "The lilies are in bloom.")
    ticked = await town.initiative.tick()
    assert ticked.sent == 1
    assert town.chat.texts == ["The lilies are in bloom."]
    assert "initiative_post" in await town.acts()
    [own] = await town.initiative.presence.recent(LOBBY.community, LOBBY.id)
    assert (own.text, own.from_me) == ("The lilies are in bloom.", True)


async def test_without_a_mind_nothing_is_posted_and_the_log_says_why(open_town: OpenTown) -> None:
    async with open_town(with_mind=False) as town:
        await town.say("hello @it", mentions_me=True)
        ticked = await town.initiative.tick()
        assert "mind: no language model" in ticked.sentence
        assert town.chat.sent == {}


async def test_a_held_thought_is_revisited_with_its_media_plan_and_then_posted(town: Town) -> None:
    town.mind.answer = lambda _: decide(
        "hold", "Maybe the roses", media_directive="image", media_prompt="a red rose at dawn"
    )
    await town.initiative.tick()
    [thought] = await town.stored.all(THOUGHT)
    assert (thought.text, thought.revision, str(thought.media and thought.media.kind)) == (
        "Maybe the roses",
        0,
        "image",
    )
    town.clock.pass_(minutes=1)
    town.mind.answer = lambda _: decide("post_now", "The roses, finally.")
    await town.initiative.tick()
    assert "Your current thought: Maybe the roses" in town.mind.prompts[-1]
    assert "a red rose at dawn" in town.mind.prompts[-1]
    assert town.chat.texts == ["The roses, finally."]
    assert await town.stored.all(THOUGHT) == []


async def test_a_held_thought_survives_a_restart_and_expires_when_it_was_going_to(open_town: OpenTown) -> None:
    clock, mind = Clock(), Mind(lambda _: decide("hold", "later"))
    async with open_town(clock=clock, mind=mind) as town:
        await town.initiative.tick()
        [before] = await town.stored.all(THOUGHT)
    async with open_town(clock=clock, mind=mind) as town:
        assert await town.stored.all(THOUGHT) == [before]
        while clock.moment + timedelta(minutes=1) < before.expires_at:
            clock.pass_(minutes=1)
            await town.initiative.tick()
        [held] = await town.stored.all(THOUGHT)
        assert held.expires_at == before.expires_at
        assert held.revision > 3
        clock.pass_(minutes=2)
        await town.initiative.tick()
        assert await town.stored.all(THOUGHT) == []
        assert len(mind.prompts) < 20, "a thought that waits does not cost a call every minute"


@pytest.mark.parametrize(
    "answer", ["no idea", "{", '{"action": "shout"}', '{"action": "post_now", "channel_id": "test:nowhere"}', ""]
)
async def test_an_answer_that_cannot_be_used_keeps_the_thought_and_is_counted(town: Town, answer: str) -> None:
    town.mind.answer = lambda _: decide("hold", "as it stood")
    await town.initiative.tick()
    town.clock.pass_(minutes=1)
    town.mind.answer = lambda _: says(answer)
    await town.initiative.tick()
    [thought] = await town.stored.all(THOUGHT)
    assert (thought.text, thought.failures) == ("as it stood", 1)
    assert "initiative_kept" in await town.acts()
    assert town.chat.sent == {}


async def test_new_activity_brings_a_thought_back_as_overtaken(town: Town) -> None:
    town.mind.answer = lambda _: decide("hold", "about the weather")
    await town.initiative.tick()
    town.clock.pass_(seconds=20)
    await town.say("it rains")
    [thought] = await town.stored.all(THOUGHT)
    assert thought.status == "reconsider"
    town.clock.pass_(seconds=40)
    await town.initiative.tick()
    assert "People have said something since" in town.mind.prompts[-1]


async def test_a_pending_thought_blocks_its_own_community_only(open_town: OpenTown) -> None:
    chat, mind = Chat(LOBBY, OTHER), Mind()
    mind.answer = lambda prompt: decide("hold", "x", channel=OTHER.id if OTHER.id in prompt else LOBBY.id)
    settings = make_settings(text={"min_minutes_between_posts": 1})
    async with open_town(chat=chat, mind=mind, settings=settings) as town:
        for _ in range(4):
            await town.initiative.tick()
            town.clock.pass_(minutes=1)
        assert sorted(t.community for t in await town.stored.all(THOUGHT)) == ["test/city", "test/town"]


async def test_pending_bookkeeping_does_not_delay_fresh_thoughts_elsewhere(open_town: OpenTown) -> None:
    chat, mind, clock = Chat(LOBBY, OTHER), Mind(), Clock()
    mind.answer = lambda prompt: decide("hold", "x", channel=OTHER.id if OTHER.id in prompt else LOBBY.id)
    settings = make_settings(text={"min_minutes_between_posts": 10})
    async with open_town(chat=chat, mind=mind, settings=settings, clock=clock) as town:
        await town.initiative.tick()
        first = (await town.stored.state()).last_fresh_at
        for _ in range(5):
            clock.pass_(minutes=1)
            await town.initiative.tick()
        assert (await town.stored.state()).last_fresh_at == first
        clock.pass_(minutes=5)
        await town.initiative.tick()
        assert len(await town.stored.all(THOUGHT)) == 2


async def test_caps_hold_over_days_and_nothing_is_caught_up(open_town: OpenTown) -> None:
    clock, mind = Clock(), Mind()
    said = iter(range(10_000))
    mind.answer = lambda _: decide("post_now", f"thought number {next(said)}")
    settings = make_settings(text={"min_minutes_between_posts": 60, "max_posts_per_day": 3})
    async with open_town(clock=clock, mind=mind, settings=settings) as town:
        posted = []
        for minute in range(0, 2 * 24 * 60, 10):
            if (await town.initiative.tick()).sent:
                posted.append(minute)
            clock.pass_(minutes=10)
        for start in posted:
            assert sum(start <= each < start + 24 * 60 for each in posted) <= 3
        assert len(posted) == 6
        clock.pass_(days=5)
        assert (await town.initiative.tick()).sent == 1, "five days away are one tick"


async def test_the_same_thing_is_never_posted_twice(open_town: OpenTown) -> None:
    clock, mind = Clock(), Mind(lambda _: decide("post_now", "Look: https://example.org/a?utm_source=x"))
    settings = make_settings(text={"min_minutes_between_posts": 1})
    async with open_town(clock=clock, mind=mind, settings=settings) as town:
        await town.initiative.tick()
        clock.pass_(minutes=2)
        mind.answer = lambda _: decide("post_now", "Have you seen https://example.org/a ?")
        assert "its link was shared before" in (await town.initiative.tick()).sentence
        mind.answer = lambda _: decide("post_now", "Look: https://example.org/a")
        clock.pass_(minutes=2)
        assert (await town.initiative.tick()).sent == 0
        assert town.chat.texts == ["Look: https://example.org/a"]


async def test_a_crash_between_sending_and_writing_it_down_does_not_post_twice(open_town: OpenTown) -> None:
    clock, chat, mind = Clock(), Chat(), Mind(lambda _: decide("post_now", "once"))
    async with open_town(clock=clock, chat=chat, mind=mind) as town:
        chat.crash_after_send = True
        with pytest.raises(Crash):
            await town.initiative.tick()
    chat.crash_after_send = False
    async with open_town(clock=clock, chat=chat, mind=mind) as town:
        clock.pass_(minutes=1)
        await town.initiative.tick()
        assert chat.texts == ["once"]
        assert chat.tries == 2
        [delivery] = await town.stored.all(DELIVERY)
        assert delivery.sent_at is not None


async def test_what_cannot_be_sent_waits_for_the_network_and_goes_stale(open_town: OpenTown) -> None:
    clock, chat, mind = Clock(), Chat(), Mind(lambda _: decide("post_now", "are you there?"))
    async with open_town(clock=clock, chat=chat, mind=mind) as town:
        await town.initiative.presence.learn_channels()
        chat.down = True
        assert (await town.initiative.tick()).sent == 0
        clock.pass_(minutes=5)
        chat.down = False
        await town.initiative.tick()
        assert chat.texts == ["are you there?"]
        mind.answer = lambda _: decide("post_now", "old news")
        chat.down = True
        clock.pass_(hours=7)
        await town.initiative.tick()
        clock.pass_(hours=3)
        chat.down = False
        await town.initiative.tick()
        assert chat.texts == ["are you there?"]
        assert "initiative_failed" in await town.acts()


async def test_two_ticks_at_once_are_one(town: Town) -> None:
    town.mind.answer = lambda _: decide("post_now", "only once")
    both = await asyncio.gather(town.initiative.tick(), town.initiative.tick())
    assert sorted(each.sent for each in both) == [0, 1]
    assert town.chat.texts == ["only once"]


async def test_quiet_ticks_are_counted_in_one_line(town: Town) -> None:
    for _ in range(5):
        await town.initiative.tick()
        town.clock.pass_(minutes=1)
    skips = [action for action in await town.stored.all(ACTION) if action.act is Act.SKIP]
    assert [action.count for action in skips] == [4]
    assert skips[0].detail["gate"] == "gap"


async def test_a_dry_run_posts_nothing_and_logs_what_it_would_have(open_town: OpenTown) -> None:
    mind = Mind(lambda _: decide("post_now", "imagine"))
    async with open_town(mind=mind, settings=make_settings(text={"execution": "dry_run"})) as town:
        await town.initiative.tick()
        assert town.chat.sent == {}
        last = (await town.stored.all(ACTION))[-1]
        assert last.detail["text"] == "imagine"


async def test_tools_are_bounded_by_calls_and_rounds_and_the_decision_still_comes(open_town: OpenTown) -> None:
    mind = Mind()
    settings = make_settings(text={"max_tool_calls": 2, "max_tool_steps": 2})

    def answer(_: str) -> object:
        told = mind.requests[-1].utterances
        if any("Answer with your decision now" in each.text for each in told):
            return decide("post_now", "found it")
        return calls("memory_search", query="roses")

    mind.answer = answer  # type: ignore[assignment]
    async with open_town(mind=mind, settings=settings) as town:
        await town.initiative.tick()
        assert town.chat.texts == ["found it"]
        assert sum(bool(each.calls) for each in mind.requests[-1].utterances) == 2


async def test_a_long_text_is_split_between_words_and_sent_in_order(town: Town) -> None:
    text = " ".join(f"Sentence number {n} is about lilies." for n in range(40))
    town.mind.answer = lambda _: decide("post_now", text)
    await town.initiative.tick()
    assert len(town.chat.texts) == 4
    assert all(len(part) <= 500 and part.endswith(".") for part in town.chat.texts)
    assert " ".join(town.chat.texts) == text


async def test_the_channels_of_a_live_exchange_are_left_to_the_reply_path(town: Town) -> None:
    town.mind.answer = lambda _: decide("drop")
    await town.say("@it are you there?", mentions_me=True)
    await town.say("@it and here?", mentions_me=True, channel=GARDEN)
    asked = len(town.mind.prompts)
    town.clock.pass_(seconds=60)
    ticked = await town.initiative.tick()
    assert "attention: 0 of 2 channels" in ticked.sentence
    assert len(town.mind.prompts) == asked
    town.clock.pass_(seconds=61)
    assert (await town.initiative.tick()).outcomes


async def test_the_daily_cap_holds_however_many_replies_there_were(open_town: OpenTown) -> None:
    settings = make_settings(
        text={"max_posts_per_day": 1, "min_minutes_between_posts": 1}, replies={"max_messages_per_hour": 1000}
    )
    texts = iter(f"thing number {n}" for n in range(10))
    async with open_town(settings=settings, mind=Mind(lambda _: decide("post_now", next(texts)))) as town:
        await town.initiative.tick()
        for n in range(DELIVERIES_LOOKED_AT + 1):
            now = town.clock.now()
            reply = Delivery(
                id=f"zz{n:05}", purpose=Purpose.REPLY, community=LOBBY.community, channel=LOBBY.id, parts=("yes",),
                created_at=now, sent=(f"r{n}",), sent_at=now,
            )  # fmt: skip
            await town.stored.put_delivery(reply, OutboxStatus.SENT, at=now)
        town.clock.pass_(hours=3)
        assert "daily cap" in (await town.initiative.tick()).sentence
        assert town.chat.texts == ["thing number 0"]


class Interrupting:
    """A search server; while it is asked, somebody in the channel begins to talk with us."""

    town: Town

    async def search(self, query: str) -> list[WebResult]:
        await self.town.say("hey you", mentions_me=True)
        return []


async def test_a_thought_waits_when_people_begin_to_talk_with_us_while_it_is_thought(open_town: OpenTown) -> None:
    steps = iter([calls("web_search", query="tulips")])

    def answer(prompt: str) -> Spoken:
        if "REPLY MODE" in prompt:
            return decide("post_now", "Yes?")
        return next(steps, decide("post_now", "Tulips are early this year."))

    search = Interrupting()
    async with open_town(mind=Mind(answer), search=search) as search.town:
        town = search.town
        assert (await town.initiative.tick()).sentence == "held: people there have begun to talk with us"
        assert town.chat.texts == ["Yes?"]
        town.clock.pass_(minutes=10)
        await town.initiative.tick()
        assert town.chat.texts == ["Yes?", "Tulips are early this year."]


async def test_what_was_sent_and_logged_is_forgotten_in_time(open_town: OpenTown) -> None:
    texts = iter(f"thing number {n}" for n in range(10))
    mind = Mind(lambda _: decide("post_now", next(texts)))
    async with open_town(settings=make_settings(replies={"history_days": 14}), mind=mind) as town:
        await town.initiative.tick()
        town.clock.pass_(days=13)
        await town.initiative.tick()
        assert len(await town.stored.all(DELIVERY)) == 2
        town.clock.pass_(days=2)
        await town.initiative.tick()
        assert [each.parts for each in await town.stored.all(DELIVERY)] == [("thing number 1",), ("thing number 2",)]
        acts = await town.stored.all(ACTION)
        assert min(act.at for act in acts) > town.clock.now() - timedelta(days=14)
        assert any("records of what was sent and done" in act.reason for act in acts)


async def test_the_rest_of_a_message_is_not_sent_when_it_is_too_late_to_make_sense(town: Town) -> None:
    half = Delivery(
        id="d1", purpose=Purpose.POST, community=LOBBY.community, channel=LOBBY.id, parts=("first", "second"),
        created_at=town.clock.now(), sent=("sent-first",), tries=1, last_error="down",
    )  # fmt: skip
    await town.stored.put_delivery(half, OutboxStatus.SENDING, at=town.clock.now())
    town.clock.pass_(hours=3)
    await town.initiative.posting.flush()
    assert town.chat.texts == []
    [act] = [act for act in await town.stored.all(ACTION) if act.act is Act.FAILED]
    assert "only 1 of 2 parts sent" in act.reason


async def test_a_lively_channel_is_told_as_it_is_however_few_messages_are_shown(open_town: OpenTown) -> None:
    mind = Mind(lambda _: decide("post_now", "The beans are up."))
    async with open_town(settings=make_settings(text={"lookback_messages": 4}), mind=mind) as town:
        await town.initiative.tick()
        town.clock.pass_(hours=7)
        for n in range(30):
            await town.say(f"peas, day {n}", by=f"person{n % 5}")
        mind.answer = lambda _: decide("drop")
        await town.initiative.tick()
        assert "30 messages of 5 people in the last hour; you spoke 7 hours ago" in mind.prompts[-1]
        assert mind.prompts[-1].count("peas, day") == 4
