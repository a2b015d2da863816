"""A garden with a clock that the test moves, a scripted mind, and a chat network in memory that the test speaks in."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden, Settings
from nightgarden.initiative.channels.channel import Channel, Heard, Incoming, NetworkDown, Outgoing
from nightgarden.initiative.service import Initiative
from nightgarden.minds.scripted import ScriptedStepper, says
from nightgarden.minds.speaker import Spoken, StepRequest
from nightgarden.settings import EmbeddingSettings
from nightgarden.settings.initiative import (
    InitiativeDiscoverySettings,
    InitiativeRepliesSettings,
    InitiativeSettings,
    InitiativeTextSettings,
)

START = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
LOBBY = Channel(id="test:lobby", community="test/town", name="lobby")
GARDEN = Channel(id="test:garden", community="test/town", name="garden talk")
OTHER = Channel(id="test:other", community="test/city", name="other")
SECRET_ROOM = Channel(id="test:board", community="test/town", name="board", private=True)


class Clock:
    """Stands still until the test moves it."""

    def __init__(self, moment: datetime = START) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def pass_(self, **more: float) -> None:
        self.moment += timedelta(**more)


class Chat:
    """A network in memory: keeps what was sent by key, as a real server does."""

    name = "test"
    chars_max = 500

    def __init__(self, *channels: Channel) -> None:
        self._channels = channels or (LOBBY, GARDEN)
        self.sent: dict[str, Outgoing] = {}
        self.down = False
        self.crash_after_send = False
        self.tries = 0

    async def run(self, heard: Heard) -> None:
        """The test speaks."""

    async def catch_up(self, heard: Heard) -> None:
        """The test speaks."""

    async def channels(self) -> Sequence[Channel]:
        if self.down:
            raise NetworkDown("the test network is down")
        return self._channels

    async def send(self, message: Outgoing) -> str:
        self.tries += 1
        if self.down:
            raise NetworkDown("the test network is down")
        self.sent.setdefault(message.key, message)
        if self.crash_after_send:
            raise Crash
        return f"sent-{message.key}"

    async def close(self) -> None:
        """Nothing is open."""

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.sent.values()]


class Crash(BaseException):
    """The process dies here."""


class Mind:
    """A scripted mind: `answer` is asked for each step, and every prompt is kept."""

    def __init__(self, answer: Callable[[str], Spoken] | None = None) -> None:
        self.answer = answer or (lambda _: says('{"action": "drop", "reason": "nothing fits"}'))
        self.prompts: list[str] = []
        self.requests: list[StepRequest] = []
        self.stepper = ScriptedStepper(script=self._script)

    def _script(self, request: StepRequest) -> Spoken:
        self.requests.append(request)
        prompt = request.utterances[0].text
        if len(request.utterances) == 1:
            self.prompts.append(prompt)
        return self.answer(prompt)


def decide(action: str, text: str = "", channel: str = LOBBY.id, **more: Any) -> Spoken:
    return says(json.dumps({"action": action, "text": text, "channel_id": channel, "reason": f"{action} it"} | more))


def make_settings(**sections: Any) -> Settings:
    text = InitiativeTextSettings(**({"eagerness": 100} | sections.get("text", {})))
    discovery = InitiativeDiscoverySettings(**({"sources": (), "randomness": 0} | sections.get("discovery", {})))
    replies = InitiativeRepliesSettings(
        **({"discovery_channel_ids": (LOBBY.id, GARDEN.id, OTHER.id)} | sections.get("replies", {}))
    )
    initiative = InitiativeSettings(text=text, discovery=discovery, replies=replies)
    return replace(Settings(embedding=EmbeddingSettings(model="off")), initiative=initiative)


class Town:
    """Everything a test needs."""

    def __init__(self, garden: Garden, clock: Clock, chat: Chat, mind: Mind, initiative: Initiative) -> None:
        self.garden = garden
        self.clock = clock
        self.chat = chat
        self.mind = mind
        self.initiative = initiative
        self.stored = initiative.presence.stored
        self._said = 0

    async def say(self, text: str, *, by: str = "ana", channel: Channel = LOBBY, id: str = "", **more: Any) -> Incoming:
        self._said += 1
        message = Incoming(
            id=id or f"m{self._said}-{self.clock.moment:%d%H%M%S}",
            channel=channel.id,
            community=channel.community,
            author_id=f"test:{by}",
            author_name=by.capitalize(),
            text=text,
            at=self.clock.now(),
            **more,
        )
        await self.initiative.hear(message)
        return message

    async def acts(self) -> list[str]:
        from nightgarden.initiative.initiative_documents import ACTION

        return [action.act.value for action in await self.stored.all(ACTION)]


OpenTown = Callable[..., Any]


@pytest.fixture
def open_town(home: Path, project: Path) -> OpenTown:
    """Opens the garden of this test with initiative on it; again, for what a restart keeps."""

    @asynccontextmanager
    async def open_one(
        *, settings: Settings | None = None, clock: Clock | None = None, chat: Chat | None = None,
        mind: Mind | None = None, with_mind: bool = True, path: Path | None = None, **more: Any,
    ) -> AsyncIterator[Town]:  # fmt: skip
        clock, chat, mind = clock or Clock(), chat or Chat(), mind or Mind()
        opened = Garden.open(
            path or home / "garden.db", directory=project, settings=settings or make_settings(), clock=clock
        )
        async with opened as garden:
            initiative = Initiative(
                garden,
                networks=[chat],
                converser=garden.minds.converser_over(mind.stepper) if with_mind else None,
                chance=random.Random(7),
                **more,
            )
            yield Town(garden, clock, chat, mind, initiative)

    return open_one


@pytest.fixture
async def town(open_town: OpenTown) -> AsyncIterator[Town]:
    async with open_town() as opened:
        yield opened
