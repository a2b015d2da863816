"""The queue of a garden waits for a session that is in use: loading a model would be felt there."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from tests.conftest import Open

from nightgarden import Message, Session, Settings
from nightgarden.models.pace import QueueState
from nightgarden.settings import EmbeddingSettings


class Standing:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 16, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment


def said(id: str, text: str) -> Message:
    return Message(id=id, role="user", text=text, at=datetime(2026, 11, 15, tzinfo=UTC))


async def test_a_model_is_not_loaded_while_turns_come_in_and_is_when_they_stop(open_garden: Open) -> None:
    clock = Standing()
    by_meaning = Settings(embedding=EmbeddingSettings(model="minilm"))
    async with open_garden(settings=by_meaning, clock=clock) as garden:
        await garden.turn("hi", session_id="s")
        await garden.sessions.add(Session(id="a", messages=(said("m1", "The staging port is 5433"),)))
        async with asyncio.timeout(30):
            while garden.embedding_health.state is not QueueState.DEFERRED:  # noqa: ASYNC110 - the queue tells its state, no event
                await asyncio.sleep(0.01)
        clock.moment += timedelta(seconds=11)
        await garden.sessions.add(Session(id="b", messages=(said("m2", "The roses are watered on Mondays"),)))
        async with asyncio.timeout(60):
            while garden.embedding_health.state is not QueueState.READY:  # noqa: ASYNC110 - the same
                await asyncio.sleep(0.01)
