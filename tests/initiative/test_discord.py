"""Discord through the real library, against a scripted gateway and REST server on loopback."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden, Settings
from nightgarden.initiative.channels.channel import Attachment, Incoming, NetworkDown, NotDelivered, Outgoing
from nightgarden.initiative.channels.discord import Discord
from nightgarden.initiative.initiative_documents import DELIVERY
from nightgarden.initiative.open_initiative import make_setup
from nightgarden.initiative.service import Initiative
from nightgarden.settings import EmbeddingSettings
from nightgarden.settings.initiative import (
    InitiativeDiscordSettings,
    InitiativeDiscoverySettings,
    InitiativeRepliesSettings,
    InitiativeSettings,
    InitiativeTextSettings,
)
from tests.initiative.conftest import Clock, Mind, decide
from tests.initiative.discord_server import BOT, GUILD, LOBBY, TOKEN, ScriptedDiscord, person, scripted_discord

SECONDS_MAX = 30  # a bound for a stuck test
ANA = person(7, "ana")
HERE = f"discord:{LOBBY}"


def make_settings(server: ScriptedDiscord, *more: str) -> Settings:
    initiative = InitiativeSettings(
        text=InitiativeTextSettings(eagerness=100),
        discovery=InitiativeDiscoverySettings(sources=()),
        replies=InitiativeRepliesSettings(discovery_channel_ids=(*more, HERE)),
        discord=InitiativeDiscordSettings(enabled=True, token_env="DISCORD_TOKEN", api_url=f"{server.url}/api"),
    )
    return replace(Settings(embedding=EmbeddingSettings(model="off")), initiative=initiative)


class Bot:
    def __init__(self, garden: Garden, network: Discord, initiative: Initiative) -> None:
        self.garden, self.network, self.initiative = garden, network, initiative
        self.heard: list[Any] = []
        self.seen = asyncio.Event()

    async def hear(self, event: Any) -> None:
        await self.initiative.hear(event)
        self.heard.append(event)
        self.seen.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(SECONDS_MAX):
            while not condition():
                self.seen.clear()
                if not condition():
                    await self.seen.wait()


@asynccontextmanager
async def bot(
    server: ScriptedDiscord, home: Path, mind: Mind, token: str = TOKEN, more: Sequence[str] = ()
) -> AsyncIterator[Bot]:
    settings = make_settings(server, *more)
    opened = Garden.open(home / "garden.db", directory=home, settings=settings, clock=Clock())
    async with opened as garden:
        network = Discord(make_setup(garden, {"NIGHTGARDEN_HOME": str(home), "DISCORD_TOKEN": token}))
        initiative = Initiative(
            garden,
            networks=[network],
            converser=garden.minds.converser_over(mind.stepper),
            chance=random.Random(1),
        )
        try:
            yield Bot(garden, network, initiative)
        finally:
            await network.close()


@asynccontextmanager
async def listening(server: ScriptedDiscord, running: Bot) -> AsyncIterator[None]:
    task = asyncio.create_task(running.network.run(running.hear))
    try:
        async with asyncio.timeout(SECONDS_MAX):
            await server.ready.wait()
        await reached(running.network.channels)
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def reached(channels: Callable[[], Awaitable[Any]]) -> None:
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            try:
                if await channels():
                    return
            except NetworkDown:
                await asyncio.sleep(0.01)  # until it is connected, within the bound above


async def test_hears_answers_and_posts_through_the_real_library(tmp_path: Path) -> None:
    mind = Mind(lambda _: decide("post_now", "hello @everyone and <@&12>", channel=HERE))
    async with scripted_discord() as server, bot(server, tmp_path, mind) as running, listening(server, running):
        await server.say(ANA, "hi <@100>", mentions=[BOT])
        await running.until(lambda: len(server.posts) == 1)
        [post] = server.posts
        assert "@everyone" not in post["content"]
        assert "<@&" not in post["content"]
        assert post["allowed_mentions"] == {"parse": [], "replied_user": False}
        assert post["enforce_nonce"] is True
        [heard] = [each for each in running.heard if isinstance(each, Incoming) and not each.from_me]
        assert (heard.channel, heard.community, heard.mentions_me) == (HERE, f"discord/{GUILD}", True)
        await running.initiative.presence.learn_channels()
        assert [channel.id for channel in await running.initiative.presence.eligible()] == [HERE]
        sent = server.messages[-1]
        await server.react(ANA, sent["id"])
        await running.until(lambda: len(running.heard) >= 2)
        [delivery] = await running.initiative.presence.stored.all(DELIVERY)
        assert delivery.engagement == 1


async def test_a_connection_that_breaks_off_comes_back(tmp_path: Path) -> None:
    async with scripted_discord() as server, bot(server, tmp_path, Mind()) as running, listening(server, running):
        await server.break_off()
        async with asyncio.timeout(SECONDS_MAX):
            await server.ready.wait()
        assert server.identified == 2
        await reached(running.network.channels)
        await server.say(ANA, "still there?")
        await running.until(lambda: any(getattr(each, "text", "") == "still there?" for each in running.heard))


async def test_a_repetition_is_recognised_by_its_nonce_and_later_by_what_was_written(tmp_path: Path) -> None:
    async with scripted_discord() as server, bot(server, tmp_path, Mind()) as running:
        await running.network.catch_up(running.hear)
        message = Outgoing(key="k-0", channel=HERE, text="only once")
        first = await running.network.send(message)
        assert await running.network.send(message) == first
        server.nonces.clear()  # Discord forgets them after some minutes
        assert await running.network.send(replace(message, retried=True)) == first
        assert [m["content"] for m in server.messages] == ["only once"]


async def test_an_answer_that_is_lost_after_sending_does_not_post_twice(tmp_path: Path) -> None:
    mind = Mind(lambda _: decide("post_now", "lost and found", channel=HERE))
    async with scripted_discord() as server, bot(server, tmp_path, mind) as running:
        await running.network.catch_up(running.hear)
        server.drop_after_post = True
        await running.initiative.tick()
        await running.initiative.posting.flush()
        assert [m["content"] for m in server.messages] == ["lost and found"]
        [delivery] = await running.initiative.presence.stored.all(DELIVERY)
        assert delivery.sent_at is not None


@pytest.mark.parametrize(("status", "error"), [(403, NotDelivered), (404, NotDelivered), (400, NotDelivered)])
async def test_what_discord_refuses_for_good_is_not_tried_again(
    tmp_path: Path, status: int, error: type[Exception]
) -> None:
    async with scripted_discord() as server, bot(server, tmp_path, Mind()) as running:
        await running.network.catch_up(running.hear)
        server.failures = [status]
        with pytest.raises(error):
            await running.network.send(Outgoing(key="k", channel=HERE, text="x"))
        with pytest.raises(NotDelivered):
            await running.network.send(Outgoing(key="k", channel="discord:999", text="x"))
        with pytest.raises(NotDelivered):
            await running.network.send(Outgoing(key="k", channel="discord:word", text="x"))


async def test_rate_limits_are_obeyed_and_the_message_arrives(tmp_path: Path) -> None:
    async with scripted_discord() as server, bot(server, tmp_path, Mind()) as running:
        await running.network.catch_up(running.hear)
        server.failures = [429]
        picture = Attachment(name="p.png", content_type="image/png", content=b"\x89PNG")
        await running.network.send(Outgoing(key="k", channel=HERE, text="x"))
        await running.network.send(Outgoing(key="k2", channel=HERE, text="with a picture", attachment=picture))
        assert [m["content"] for m in server.messages] == ["x", "with a picture"]
        assert server.posts[-1]["files"] == ["files[0]"]


async def test_a_wrong_token_is_said_in_words(tmp_path: Path) -> None:
    async with scripted_discord() as server, bot(server, tmp_path, Mind(), token="wrong") as running:
        with pytest.raises(NetworkDown, match="does not accept the token"):
            await running.network.catch_up(running.hear)


async def test_what_was_said_meanwhile_is_kept_and_not_answered(tmp_path: Path) -> None:
    mind = Mind()
    async with scripted_discord() as server, bot(server, tmp_path, mind) as running:
        server.message(ANA, "anybody? <@100>", mentions=[BOT])
        await running.network.catch_up(running.hear)
        assert mind.prompts == []
        [kept] = await running.initiative.presence.recent(f"discord/{GUILD}", HERE)
        assert kept.text.startswith("anybody?")


async def test_a_channel_that_is_not_there_is_named_and_does_not_hide_the_others(tmp_path: Path) -> None:
    nowhere = "discord:1"
    async with scripted_discord() as server, bot(server, tmp_path, Mind(), more=[nowhere]) as running:
        server.message(ANA, "the peas are in")
        with pytest.raises(NetworkDown, match="discord:1: NotFound"):
            await running.network.catch_up(running.hear)
        recent = await running.initiative.presence.recent(f"discord/{GUILD}", HERE)
        assert [message.text for message in recent] == ["the peas are in"]


async def test_of_many_mentions_at_once_one_is_answered(tmp_path: Path) -> None:
    mind = Mind(lambda _: decide("post_now", "Here I am.", channel=HERE))
    async with scripted_discord() as server, bot(server, tmp_path, mind) as running, listening(server, running):
        for number in range(6):
            await server.say(ANA, f"<@100> are you there, {number}?", mentions=[BOT])
        await running.until(lambda: len([e for e in running.heard if isinstance(e, Incoming) and not e.from_me]) == 6)
        assert [post["content"] for post in server.posts] == ["Here I am."]
