"""What is learned after serving: links that strengthen and fade, confidence, access, tags."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from nightgarden.domain.belief import LINK_FADES_TO, LINK_HALF_LIFE_DAYS, link_strength
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.memory import Category, Memory, Tier
from nightgarden.recall.afterwards import (
    CONFIDENCE_FLOOR,
    LINK_STEP,
    Served,
    after_rejection,
    after_use,
    infer_tag,
    learn,
)
from nightgarden.recall.cascade import edge_weight
from nightgarden.recall.used import was_used
from nightgarden.store.engine_of_address import open_store

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def memory(id: str, content: str = "", **fields: object) -> Memory:
    return Memory(id=id, content=content or f"statement {id}", created_at=NOW, updated_at=NOW, **fields)  # type: ignore[arg-type]


@pytest.fixture
async def store(tmp_path):
    opened = await open_store(str(tmp_path / "garden.db"))
    yield opened
    await opened.close()


async def plant(store, *memories: Memory) -> None:
    await store.apply([Change(None, each) for each in memories], Origin(actor="user"), at=NOW)


async def link(store, one: str, other: str) -> Edge | None:
    edges = await store.edges([one], kinds=[EdgeKind.RELATES_TO])
    return next((edge for edge in edges if {edge.source, edge.target} == {one, other}), None)


async def test_memories_that_are_relevant_together_are_linked_and_the_link_grows_with_repetition(store):
    await plant(store, memory("a"), memory("b"), memory("c"))
    weights = []
    for turn in range(4):
        await learn(Served(prompt="x", relevant=("a", "b")), store=store, now=NOW + turn * timedelta(hours=1))
        edge = await link(store, "a", "b")
        assert edge is not None
        weights.append(edge.weight)
    assert weights[0] == pytest.approx(LINK_STEP)
    assert weights == sorted(weights)
    assert weights[3] > 2 * weights[0]
    assert await link(store, "a", "c") is None


async def test_turns_of_one_piece_of_work_count_once(store):
    await plant(store, memory("a"), memory("b"))
    for minute in range(5):
        await learn(Served(prompt="x", relevant=("a", "b")), store=store, now=NOW + timedelta(minutes=minute))
    edge = await link(store, "a", "b")
    assert edge is not None
    assert edge.weight == pytest.approx(LINK_STEP)


def test_a_link_fades_without_repetition_but_never_vanishes():
    edge = Edge(source="a", target="b", kind=EdgeKind.RELATES_TO, weight=0.8, created_at=NOW, updated_at=NOW)
    assert link_strength(edge, NOW) == pytest.approx(0.8)
    assert link_strength(edge, NOW + LINK_HALF_LIFE_DAYS * DAY) == pytest.approx(0.4)
    assert link_strength(edge, NOW + 10_000 * DAY) == pytest.approx(0.8 * LINK_FADES_TO)
    assert edge_weight(edge, NOW + LINK_HALF_LIFE_DAYS * DAY) == pytest.approx(0.4)


async def test_a_link_made_by_hand_keeps_its_direction_and_what_is_left_of_it_grows(store):
    await plant(store, memory("a"), memory("b"))
    by_hand = Edge(source="b", target="a", kind=EdgeKind.RELATES_TO, weight=0.5, created_at=NOW, updated_at=NOW)
    await store.apply([Change(None, by_hand)], Origin(actor="user"), at=NOW)
    await learn(Served(prompt="x", relevant=("a", "b")), store=store, now=NOW + 60 * DAY)
    edge = await link(store, "a", "b")
    assert edge is not None
    assert (edge.source, edge.target) == ("b", "a")
    assert edge.weight == pytest.approx(0.25 + LINK_STEP * 0.75)


async def test_access_is_counted_for_what_was_shown_and_nothing_else(store):
    await plant(store, memory("a"), memory("b"))
    await learn(Served(prompt="x", shown=("a",), rejected=("b",)), store=store, now=NOW)
    shown, rejected = await store.memories(["a", "b"])
    assert (shown.access_count, rejected.access_count) == (1, 0)


async def test_being_shown_makes_nothing_surer_and_use_does(store):
    await plant(store, memory("a", confidence=0.5), memory("b", confidence=0.5))
    await learn(Served(prompt="x", shown=("a", "b"), used=("b",)), store=store, now=NOW)
    shown, used = await store.memories(["a", "b"])
    assert shown.confidence == 0.5
    assert used.confidence == pytest.approx(0.525)
    assert [entry.actor for entry in await store.history("b")] == ["user", "recall"]


@pytest.mark.parametrize(
    ("fields", "after"),
    [
        ({"confidence": 0.6}, 0.58),
        ({"confidence": CONFIDENCE_FLOOR + 0.01}, CONFIDENCE_FLOOR),
        ({"confidence": CONFIDENCE_FLOOR}, CONFIDENCE_FLOOR),
        ({"confidence": 0.1}, 0.1),
        ({"confidence": 0.6, "tier": Tier.PINNED}, 0.6),
        ({"confidence": 0.6, "category": Category.CORRECTION}, 0.6),
        ({"confidence": 0.6, "category": Category.NEGATIVE}, 0.6),
    ],
)
def test_a_rejection_lowers_a_little_and_never_below_the_floor(fields, after):
    assert after_rejection(memory("a", **fields)) == pytest.approx(after)


def test_a_hundred_rejections_do_not_lose_a_memory_and_a_hundred_uses_do_not_exceed_one():
    low = high = memory("a", confidence=0.9)
    for _ in range(100):
        low = memory("a", confidence=after_rejection(low))
        high = memory("a", confidence=after_use(high))
    assert low.confidence == CONFIDENCE_FLOOR
    assert 0.99 < high.confidence <= 1.0


async def test_what_was_archived_meanwhile_is_left_alone(store):
    await plant(store, memory("a"))
    assert await learn(Served(prompt="x", relevant=("a", "gone"), rejected=("gone",)), store=store, now=NOW) == 0


K8S = [
    memory("1", "The Kubernetes nodes are ARM"),
    memory("2", "We upgraded Kubernetes in May"),
    memory("3", "Backups of the Kubernetes cluster go to B2"),
]


@pytest.mark.parametrize(
    ("prompt", "together", "known", "tag"),
    [
        ("how is our kubernetes set up?", K8S, frozenset(), "kubernetes"),
        ("how is our kubernetes set up?", K8S[:2], frozenset(), None),  # too few
        ("how is our cluster set up?", K8S, frozenset(), None),  # the prompt does not name it
        (
            "the backup again",
            [memory(str(n), f"the backup runs at {n}") for n in range(3)],
            frozenset(),
            None,
        ),  # no name
        (
            "the backup again",
            [memory(str(n), f"the backup runs at {n}") for n in range(3)],
            frozenset({"backup"}),
            "backup",
        ),
        ("kubernetes?", [memory(m.id, m.content, tags=("infra",)) for m in K8S], frozenset(), None),  # they share one
    ],
)
def test_a_tag_is_inferred_from_a_name_that_all_share_and_never_from_any_word(prompt, together, known, tag):
    assert infer_tag(prompt, together, known) == tag


async def test_an_inferred_tag_is_written_to_all(store):
    await plant(store, *K8S)
    await learn(Served(prompt="our kubernetes?", relevant=("1", "2", "3")), store=store, now=NOW)
    assert {m.tags for m in await store.memories(["1", "2", "3"])} == {("kubernetes",)}


@pytest.mark.parametrize(
    ("answer", "used"),
    [
        ("I connected to ledger_stage on port 5433 through the bastion.", True),
        ("Done, the tests pass.", False),
        ("I connected to staging.", False),
    ],
)
def test_a_memory_was_used_when_the_answer_holds_what_only_it_said(answer, used):
    content = "Staging is ledger_stage on port 5433 behind the bastion"
    assert was_used(content, prompt="connect to staging", answer=answer) is used
