"""The turn pipeline on a real store: deadline, what is shown and what is not, what a mind adds, what follows."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.memory import Memory, Scope, ScopeKind
from nightgarden.domain.ports import Vector
from nightgarden.errors import ModelUnavailable, StoreUnavailable
from nightgarden.machine.one_at_a_time import Background
from nightgarden.recall.line import digest
from nightgarden.recall.result_judge import Judge
from nightgarden.sessions.choosing import Chooser
from nightgarden.sessions.hooked import Said
from nightgarden.sessions.turn import Turns, TurnUpdate
from nightgarden.settings import TurnSettings
from nightgarden.store.engine_of_address import open_store
from tests.recall.small_store import HashEmbedder

START = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
LONG = 60_000  # ms; for tests that are not about the deadline
STAGING = "The staging database of ledger listens on port 5433"
ASK = "connect to the staging database of ledger and count the rows"


class Hand:
    """A clock set by hand."""

    def __init__(self) -> None:
        self.moment = START

    def now(self) -> datetime:
        return self.moment

    def advance(self, **by: float) -> None:
        self.moment += timedelta(**by)


class SlowEmbedder(HashEmbedder):
    """Answers when the test lets it."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def embed_query(self, text: str) -> Vector:
        self.go.wait(30)
        return super().embed_query(text)


class FunctionMind:
    """Names the notes that contain a word."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.calls = 0
        self.broken = False

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        self.calls += 1
        if self.broken:
            raise ModelUnavailable("down")
        notes = [line for line in prompt.partition("NOTES\n")[2].splitlines() if line[:1].isdigit()]
        return json.dumps({"useful": [n for n, note in enumerate(notes, start=1) if self.word in note]})


class Desk:
    """A pipeline with its parts in reach."""

    def __init__(self, store, *, embedder=None, mind=None, **settings: object) -> None:
        self.store, self.clock, self.mind = store, Hand(), mind
        self.embedder = embedder or HashEmbedder()
        self.background = Background()
        self.settings = TurnSettings(**settings)  # type: ignore[arg-type]
        self.judge: Judge | None = None
        self.turns = self.open()

    def open(self) -> Turns:
        async def get() -> HashEmbedder:
            return self.embedder

        return Turns(
            self.store,
            embedder=get,
            background=self.background,
            clock=self.clock,
            mind=self.mind,
            chooser=Chooser(self.store, judge=self.judge),
        )

    async def plant(self, *contents: str, **fields: object) -> list[str]:
        memories = [
            Memory(id=f"m-{digest(text)}", content=text, created_at=START, updated_at=START, **fields)  # type: ignore[arg-type]
            for text in contents
        ]
        vectors = [(HashEmbedder.model, each.id, HashEmbedder().embed([each.content])[0]) for each in memories]
        origin = Origin(actor="user")
        await self.store.apply([Change(None, each) for each in memories], origin, at=START, vectors=vectors)
        return [each.id for each in memories]

    async def say(self, text: str, *, session: str = "s", recent: Sequence[Said] = (), **more: object):
        update = TurnUpdate(session_id=session, text=text, recent=tuple(recent), settings=self.settings, **more)  # type: ignore[arg-type]
        shown = await self.turns.take(update, deadline_ms=LONG)
        await self.background.settle()
        return shown

    async def counts(self) -> Mapping[str, int]:
        await self.turns.settle()
        await self.background.settle()
        return await self.turns.counts.read()


@pytest.fixture
async def desk(store):
    made = Desk(store)
    yield made
    await made.turns.settle()
    await made.background.close()


async def fill(desk: Desk) -> None:
    await desk.plant(*(f"Unrelated remark number {n} on the {thing}" for n, thing in enumerate(
        "garden weather coffee bicycle piano holiday carpet window river mountain".split())))  # fmt: skip


async def test_a_good_memory_is_shown_in_the_same_turn(desk):
    await fill(desk)
    [id] = await desk.plant(STAGING)
    shown = await desk.say(ASK)
    assert shown is not None
    assert shown.ids == (id,)
    assert STAGING in shown.text


async def test_talk_and_turns_without_anything_good_get_nothing(desk):
    await fill(desk)
    await desk.plant(STAGING)
    assert await desk.say("thanks, that works") is None
    assert await desk.say("translate the poem about autumn leaves into Italian") is None
    counts = await desk.counts()
    assert counts["class none"] == 1
    assert counts["nothing good"] == 1


async def test_silence_after_the_deadline_and_the_work_goes_on_unseen(store):
    desk = Desk(store, embedder=SlowEmbedder())
    await fill(desk)
    await desk.plant(STAGING)
    update = TurnUpdate(session_id="s", text=ASK)
    assert await desk.turns.take(update, deadline_ms=20) is None
    desk.embedder.go.set()  # type: ignore[union-attr]
    counts = await desk.counts()
    assert counts["late"] == 1
    assert "shown" not in counts
    state = await desk.turns.live.find("s")
    assert state is not None
    assert (state.turns, state.shown) == (1, ())
    shown = await desk.say(ASK)  # it was not shown before, so it may be shown now
    assert shown is not None
    await desk.background.close()


async def test_a_pile_of_late_turns_is_not_made_higher(store):
    desk = Desk(store, embedder=SlowEmbedder())
    for n in range(12):
        assert await desk.turns.take(TurnUpdate(session_id=f"s{n}", text=ASK), deadline_ms=1) is None
    desk.embedder.go.set()  # type: ignore[union-attr]
    assert (await desk.counts())["too busy"] == 4
    await desk.background.close()


async def test_nothing_is_repeated_for_45_minutes_unless_it_changed(desk):
    await fill(desk)
    [id] = await desk.plant(STAGING)
    assert await desk.say(ASK) is not None
    desk.clock.advance(minutes=5)
    assert await desk.say(ASK) is None
    [memory] = await desk.store.memories([id])
    changed = replace(memory, content=STAGING.replace("5433", "5434"), updated_at=desk.clock.now())
    vectors = [(HashEmbedder.model, id, HashEmbedder().embed([changed.content])[0])]
    await desk.store.apply([Change(memory, changed)], Origin(actor="user"), at=desk.clock.now(), vectors=vectors)
    shown = await desk.say(ASK)
    assert shown is not None
    assert "5434" in shown.text


async def test_after_another_topic_and_45_minutes_it_may_be_shown_again(desk):
    await fill(desk)
    await desk.plant(STAGING)
    assert await desk.say(ASK) is not None
    desk.clock.advance(minutes=20)
    assert await desk.say("translate a poem of autumn leaves falling slowly") is None  # another topic
    desk.clock.advance(minutes=20)
    assert await desk.say(ASK) is None
    desk.clock.advance(minutes=20)
    assert await desk.say("write another poem: winter snow, silent fields") is None
    assert await desk.say(ASK) is not None


async def test_another_session_is_shown_it_at_once(desk):
    await fill(desk)
    await desk.plant(STAGING)
    assert await desk.say(ASK, session="one") is not None
    assert await desk.say(ASK, session="two") is not None


async def test_the_rules_hold_across_a_restart(desk):
    await fill(desk)
    await desk.plant(STAGING)
    assert await desk.say(ASK) is not None
    desk.turns = desk.open()
    desk.clock.advance(minutes=5)
    assert await desk.say(ASK) is None
    assert (await desk.counts())["known already"] == 1


async def test_an_identical_block_is_not_sent_twice_within_moments(store):
    desk = Desk(store, repeat_minutes=0)
    await fill(desk)
    await desk.plant(STAGING)
    assert await desk.say(ASK) is not None
    await desk.say("write a poem about winter snow and silent fields")  # clears what is surfaced
    assert await desk.say(ASK) is None
    assert (await desk.counts())["same as before"] == 1
    desk.clock.advance(seconds=121)
    await desk.say("translate a letter of thanks from Norwegian grandparents")
    assert await desk.say(ASK) is not None
    await desk.background.close()


async def test_a_memory_is_not_echoed_to_the_session_that_wrote_or_confirmed_it(desk):
    await fill(desk)
    await desk.plant(STAGING, session_id="writer")
    assert await desk.say(ASK, session="writer") is None
    [id] = await desk.plant("The production database of ledger listens on port 5432 behind a bastion")
    await desk.say("tell me something about poems and winter", session="confirmer")
    await desk.turns.note_written("confirmer", id)
    ask = "connect to the production database of ledger behind the bastion port"
    shown = await desk.say(ask, session="confirmer")
    assert shown is None or id not in shown.ids
    other = await desk.say(ask, session="other")
    assert other is not None
    assert id in other.ids


async def test_only_what_the_session_may_see_is_shown(desk):
    await fill(desk)
    await desk.plant(STAGING, scope=Scope(ScopeKind.PROJECT, "secret"))
    assert await desk.say(ASK) is None


async def test_a_failure_of_the_store_is_silence_and_counted(desk, monkeypatch):
    async def broken(*_: object, **__: object) -> None:
        raise StoreUnavailable("disk on fire")

    monkeypatch.setattr(desk.store, "search_text", broken)
    assert await desk.say(ASK) is None
    assert (await desk.counts())["failed (StoreUnavailable)"] == 1


async def test_the_judge_decides_when_another_model_ranked_and_its_absence_is_no_failure(store):
    class Strict(HashEmbedder):
        """Finds everything strange but what it is told to like."""

        likes = ""

        def embed(self, texts: Sequence[str]) -> Vector:
            rows = np.zeros((len(texts), 4), np.float32)
            for row, text in zip(rows, texts, strict=True):
                row[0 if text == ASK or (self.likes and self.likes in text) else 1] = 1.0
            return rows

    model = Strict()

    async def get() -> Strict | None:
        return model

    desk = Desk(store)
    desk.judge = Judge(get)
    desk.turns = desk.open()
    await fill(desk)
    await desk.plant(STAGING)
    assert await desk.say(ASK, session="one") is None
    model.likes = "5433"
    desk.judge = Judge(get)
    desk.turns = desk.open()
    assert await desk.say(ASK, session="two") is not None
    model = None  # type: ignore[assignment]
    assert await desk.say(ASK, session="three") is not None
    await desk.background.close()


async def test_switched_off_means_silence(store):
    desk = Desk(store, enabled=False)
    await desk.plant(STAGING)
    assert await desk.say(ASK) is None
    await desk.background.close()


async def test_what_a_mind_verified_is_ready_for_the_next_turn(store):
    desk = Desk(store, mind=FunctionMind("nightly"))
    await fill(desk)
    [hidden] = await desk.plant("The nightly import of ledger locks the table rows for minutes")
    [shown_id] = await desk.plant(STAGING)
    first = await desk.say(ASK)
    assert first is not None
    assert first.ids == (shown_id,)
    second = await desk.say("count the rows of the staging database once more please")
    assert second is not None
    assert hidden in second.ids
    assert (await desk.counts())["verify judge_ran"] >= 1
    await desk.background.close()


async def test_what_was_prepared_expires(store):
    desk = Desk(store, mind=FunctionMind("nightly"))
    await fill(desk)
    await desk.plant("The nightly import of ledger locks the table rows for minutes", STAGING)
    assert await desk.say(ASK) is not None
    desk.clock.advance(seconds=121)
    assert await desk.say("count the rows of the staging database once more please") is None
    await desk.background.close()


async def test_the_mind_is_asked_at_most_every_third_turn_and_rests_after_a_failure(store):
    mind = FunctionMind("staging")
    desk = Desk(store, mind=mind)
    await fill(desk)
    await desk.plant(STAGING)
    for _ in range(4):
        await desk.say(ASK)
    assert mind.calls == 4  # two votes at the first turn, two at the fourth
    mind.broken = True
    for _ in range(3):
        await desk.say(ASK)
    await desk.say(ASK)
    counts = await desk.counts()
    assert counts["verify judge_transport_error"] == 1
    assert counts["verify breaker_open"] == 1
    assert counts["verify cadence_carry"] == 4
    state = await desk.turns.live.find("s")
    assert state is not None
    assert len(state.verified) == 1  # the last verified set stands
    desk.clock.advance(seconds=31)
    mind.broken = False
    await desk.say(ASK)
    assert (await desk.counts())["verify judge_ran"] == 3
    await desk.background.close()


async def test_without_a_mind_that_is_counted_too(desk):
    await desk.say(ASK)
    assert (await desk.counts())["verify no_backend"] == 1


async def test_after_a_turn_access_is_counted_and_what_was_shown_together_is_linked(desk):
    await fill(desk)
    ids = await desk.plant(STAGING, "The staging database of ledger sleeps on weekends")
    shown = await desk.say(ASK)
    assert shown is not None
    assert set(shown.ids) == set(ids)
    assert [memory.access_count for memory in await desk.store.memories(ids)] == [1, 1]
    edges = await desk.store.edges(ids, kinds=[EdgeKind.RELATES_TO])
    assert len(edges) == 1


async def test_an_answer_that_used_a_memory_makes_it_surer(desk):
    await fill(desk)
    [id] = await desk.plant(STAGING, confidence=0.5)
    assert await desk.say("connect to the staging database and count the rows") is not None
    said = [
        Said(role="user", text="connect to the staging database and count the rows"),
        Said(role="assistant", text="ledger listens on port 5433; there are 12 rows."),
    ]
    await desk.say("good, write that down somewhere for later readers", recent=said)
    [memory] = await desk.store.memories([id])
    assert memory.confidence > 0.5


async def test_a_question_about_us_that_nothing_answers_becomes_a_gap(desk):
    await fill(desk)
    await desk.say("which printer do we use in the Lisbon office again?")
    await desk.say("what is the capital of Norway?")
    gaps = await desk.store.gaps()
    assert [gap.snippet for gap in gaps] == ["which printer do we use in the Lisbon office again?"]


async def test_turns_of_one_session_at_the_same_moment_do_not_show_the_same(desk):
    await fill(desk)
    await desk.plant(STAGING)
    update = TurnUpdate(session_id="s", text=ASK)
    both = await asyncio.gather(*(desk.turns.take(update, deadline_ms=LONG) for _ in range(2)))
    assert [shown is None for shown in both].count(True) == 1


async def test_a_read_only_store_serves_turns_and_learns_nothing(store, tmp_path):
    desk = Desk(store)
    await fill(desk)
    await desk.plant(STAGING)
    reader = await open_store(str(tmp_path / "garden.db"), read_only=True)
    desk.store = reader
    desk.turns = desk.open()
    assert await desk.say(ASK) is not None
    assert await desk.say(ASK) is None
    assert not [label for label in desk.background.outcomes if "failed" in label]
    await desk.background.close()
    await reader.close()


async def test_work_after_an_answer_rests_first_unless_somebody_waits_for_it() -> None:
    background, done = Background(rest_seconds=3600), list[str]()

    async def work() -> None:
        done.append("work")

    background.submit("first", work)
    await asyncio.sleep(0)
    assert done == []
    await asyncio.wait_for(background.settle(), 10)
    assert done == ["work"]
    background.submit("second", work)
    await asyncio.wait_for(background.close(), 10)
    assert done == ["work", "work"]
