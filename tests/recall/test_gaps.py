"""Gaps: which turns are one; each is kept once, holds no secret, and is closed by the memory that answers it."""

from __future__ import annotations

import pytest

from nightgarden.domain.session import Message, Session
from nightgarden.recall.gaps import OPEN_MAX, asks_about_us, note_gap
from tests.recall.small_store import HashEmbedder


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("which port does our staging database use?", True),
        ("what did we decide about the queue last time?", True),
        ("Welchen Drucker benutzen wir in Lissabon?", True),
        ("Quel port utilise notre base de test ?", True),
        ("¿qué puerto usa nuestra base de pruebas?", True),
        ("remind me where my notes on the audit are", True),
        ("what is the capital of Norway?", False),
        ("fix the failing test in src/a.py", False),
        ("our tests are red", False),
        ("why?", False),
    ],
)
def test_a_gap_is_a_question_about_us(text, gap):
    assert asks_about_us(text) is gap


async def ask(garden, text: str, **more: object):
    return await note_gap(
        text,
        session_id="s",
        scope=garden.place.scope,
        store=garden.store,
        embedder=HashEmbedder(),
        now=garden.now(),
        **more,  # type: ignore[arg-type]
    )


async def test_the_same_question_is_one_gap_that_is_counted(garden):
    await ask(garden, "which port does our staging database use?", context=["we set up the audit"])
    await ask(garden, "Which port does our staging database use again?")
    await ask(garden, "who reviews our tax changes before a release?")
    gaps = await garden.gaps()
    assert [gap.seen_count for gap in gaps] == [2, 1]
    assert gaps[0].snippet == "which port does our staging database use?\nwe set up the audit"


async def test_a_later_memory_closes_the_gap_it_answers_and_no_other(garden):
    await ask(garden, "which port does our staging database use?")
    await ask(garden, "who reviews our tax changes before a release?")
    saved = await garden.remember("The staging database uses port 5433")
    await garden.settle()
    [still_open] = await garden.gaps()
    assert still_open.snippet.startswith("who reviews")
    [closed] = [gap for gap in await garden.gaps(include_closed=True) if gap.closed_at]
    assert closed.closed_by == saved.id


async def test_a_gap_is_closed_by_hand(garden):
    gap = await ask(garden, "which port does our staging database use?")
    await garden.close_gap(gap.id)
    assert await garden.gaps() == []


async def test_a_gap_that_was_closed_is_open_again_when_nothing_is_known_once_more(garden):
    gap = await ask(garden, "which port does our staging database use?")
    await garden.close_gap(gap.id)
    await ask(garden, "which port does our staging database use?")
    [again] = await garden.gaps()
    assert (again.id, again.seen_count, again.closed_at) == (gap.id, 2, None)


async def test_no_secret_is_kept_in_a_gap(garden):
    await ask(garden, "why does our key AKIAIOSFODNN7EXAMPLQ not work for anna.silva@quillstone.pt?")
    [gap] = await garden.gaps()
    assert "AKIAIOSFODNN7EXAMPLQ" not in gap.snippet
    assert "anna.silva@quillstone.pt" not in gap.snippet


async def test_gaps_do_not_pile_up_without_bound(garden):
    for n in range(OPEN_MAX + 3):  # no word in common: the embedder of these tests takes some numbers for one another
        await ask(garden, f"where is our thing{n} and part{n} of item{n}?")
    assert len(await garden.gaps()) == OPEN_MAX


async def test_purging_a_session_removes_what_was_asked_in_it_and_its_live_state(garden):
    at = garden.now()
    await garden.sessions.add(Session(id="s", messages=(Message(id="m", role="user", text="hello all", at=at),)))
    await ask(garden, "which port does our staging database use?")
    await garden.turn("which scanner do we use in the office?", session_id="s", deadline_ms=60_000)
    await garden.settle()
    assert await garden.turns.live.find("s") is not None
    await garden.purge("s")
    assert await garden.gaps(include_closed=True) == []
    assert await garden.turns.live.find("s") is None
