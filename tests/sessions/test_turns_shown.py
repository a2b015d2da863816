"""What a turn shows and leaves out: what helps, no echo of the prompt, nothing that was replaced since."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from nightgarden.domain.classify import TurnReading
from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.memory import Memory
from nightgarden.domain.session import Message, Session
from nightgarden.machine.one_at_a_time import Background
from nightgarden.remember.edit import superseded
from nightgarden.sessions.choosing import Chooser
from nightgarden.sessions.passages import cut_passages
from nightgarden.sessions.turn import Turns, TurnUpdate
from tests.recall.small_store import HashEmbedder
from tests.remember.scripted import Scripted
from tests.sessions.test_turns import LONG, START, Hand

OLD = "the staging database of ledger listens on port 5433"
NEW = "the staging database of ledger listens on port 5440"
ASK = "connect to the staging database of ledger and count the rows"


class Table:
    """A turn pipeline whose classifier finds everything about staging helpful."""

    def __init__(self, store, helps=lambda turn, memory: 0.9 if "staging" in memory else 0.0) -> None:
        self.store, self.background = store, Background()

        async def embedder() -> HashEmbedder:
            return HashEmbedder()

        async def classifier() -> Scripted:
            return Scripted(helps=helps)

        self.turns = Turns(
            store,
            embedder=embedder,
            chooser=Chooser(store, classifier=classifier),
            background=self.background,
            clock=Hand(),
        )

    async def plant(self, content: str, **fields: object) -> Memory:
        memory = Memory(id=f"m-{abs(hash(content))}", content=content, created_at=START, updated_at=START, **fields)  # type: ignore[arg-type]
        vector = HashEmbedder().embed([content])[0]
        vectors = [(HashEmbedder.model, memory.id, vector)]
        await self.store.apply([Change(None, memory)], Origin(actor="test"), at=START, vectors=vectors)
        return memory

    async def hear(self, session_id: str, text: str) -> None:
        said = Message(id=f"{session_id}-1", role="user", text=text, at=START - timedelta(days=3))
        session = Session(id=session_id, messages=(said,), started_at=said.at)
        await self.store.put_session(session, cut_passages(session))

    async def ask(self, text: str) -> str:
        shown = await self.turns.take(TurnUpdate(session_id="now", text=text), deadline_ms=LONG)
        return shown.text if shown is not None else ""


@pytest.fixture
async def table(store):
    made = Table(store)
    for number, thing in enumerate("garden weather coffee bicycle piano holiday carpet window river mountain".split()):
        await made.plant(f"Unrelated remark number {number} on the {thing}")
    yield made
    await made.turns.settle()
    await made.background.close()


async def test_what_helps_is_shown(table):
    await table.plant(OLD)
    assert "5433" in await table.ask(ASK)


async def test_what_does_not_help_is_not_shown_however_alike(store):
    table = Table(store, helps=lambda turn, memory: 0.01)
    await table.plant(OLD)
    assert await table.ask(ASK) == ""
    await table.background.close()


async def test_the_prompt_of_an_earlier_day_is_no_memory_of_itself(table):
    await table.hear("before", "please connect to the staging database of ledger and count the rows")
    assert await table.ask(ASK) == ""


async def test_a_passage_whose_memory_is_shown_is_not_shown_as_well(table):
    await table.hear("before", f"by the way, {OLD}")
    await table.plant(OLD, session_id="before", message_range=("before-1", "before-1"))
    assert (await table.ask(ASK)).count("5433") == 1


async def test_what_was_replaced_does_not_come_back_as_a_quote(store, table):
    await table.hear("before", f"by the way, {OLD}")
    old = await table.plant(OLD, session_id="before", message_range=("before-1", "before-1"))
    new = await table.plant(NEW)
    gone = superseded(old, by=new.id, at=START, now=START)
    await store.apply([Change(old, replace(gone))], Origin(actor="test"), at=START)
    shown = await table.turns.take(TurnUpdate(session_id="later", text=ASK), deadline_ms=LONG)
    assert shown is not None
    assert "5440" in shown.text
    assert "5433" not in shown.text


async def test_recall_searches_a_second_time_by_what_the_turn_was_read_for(store):
    reading = TurnReading(model_name="read", vector=np.array([3.0, 4.0], dtype=np.float32), nothing=0.0)

    async def classifier() -> Scripted:
        return Scripted(turn=reading)

    chooser = Chooser(store, classifier=classifier)
    turned = await chooser.turned(await chooser.read_turn("ship it"))
    assert turned is not None
    searched = turned("read", np.array([1.0, 0.0]))
    assert searched is not None
    assert searched.tolist() == pytest.approx([0.6, 0.8])
    assert turned("another model", np.array([1.0, 0.0])) is None
    assert await Chooser(store).turned(await Chooser(store).read_turn("ship it")) is None
