"""Recall as a whole, over a small store: what comes back, in which order, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import numpy as np
import pytest

from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.memory import Category, Memory, Scope, ScopeKind
from nightgarden.domain.ports import Reranker, Store, Vector, View
from nightgarden.domain.session import Passage
from nightgarden.errors import ModelUnavailable
from nightgarden.recall import gather
from nightgarden.recall.cascade import cascade
from nightgarden.recall.options import RecallOptions, Request
from nightgarden.recall.recall import recall
from nightgarden.recall.result import Cause, MissingPart, Part, Recalled
from tests.recall.small_store import HashEmbedder, SmallStore

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def memory(id: str, content: str, **changes: Any) -> Memory:
    return Memory(id=id, content=content, created_at=NOW, updated_at=NOW, **changes)


def said(id: str, content: str, *, session: str = "s", position: int = 0, **changes: Any) -> Passage:
    values: dict[str, Any] = {"role": "user", "created_at": NOW - timedelta(days=30), "message_ids": (id,)} | changes
    return Passage(id=id, session_id=session, position=position, content=content, **values)


def edge(source: str, target: str, kind: EdgeKind, weight: float = 1.0) -> Edge:
    return Edge(source=source, target=target, kind=kind, weight=weight, created_at=NOW, updated_at=NOW)


async def ask(
    store: SmallStore,
    query: str,
    *,
    embedder: HashEmbedder | None = None,
    reranker: Reranker | None = None,
    **wants: Any,
) -> Recalled:
    request = Request(query=query, **wants)
    return await recall(request, store=cast(Store, store), embedder=embedder, reranker=reranker, now=NOW)


def ids(found: Recalled) -> list[str]:
    return [result.id for result in found.results]


FILLER = [memory(f"f{n}", f"note {n} about gardening tools and the weather of day {n}") for n in range(12)]


async def test_words_alone_find_a_memory_when_there_is_no_embedder() -> None:
    found = await ask(
        SmallStore([*FILLER, memory("m", "staging runs postgres on port 5433")]), "which port has staging?"
    )
    assert ids(found)[0] == "m"
    assert found.missing == (MissingPart(part=Part.VECTOR, cause=Cause.NO_MODEL),)
    assert found.results[0].reasons == ("matches 'port', 'staging'",)


async def test_an_embedder_that_fails_does_not_stop_recall() -> None:
    class Broken(HashEmbedder):
        def embed_query(self, text: str) -> Vector:
            raise ModelUnavailable("the file is damaged")

    found = await ask(SmallStore([memory("m", "port 5433")]), "port", embedder=Broken())
    assert ids(found) == ["m"]
    assert found.missing == (MissingPart(part=Part.VECTOR, cause=Cause.FAILED, detail="the file is damaged"),)


async def test_the_answer_to_a_matching_question_is_found_though_it_shares_no_word() -> None:
    store = SmallStore(
        [
            *(said(f"x{n}", f"we talked about the garden number {n}", session=f"o{n}") for n in range(12)),
            said("q", "which instrument do you play?", position=4),
            said("a", "the violin, since I was seven years old", position=5),
            said("z", "the kitchen needs a new lamp and some paint", position=9),
        ]
    )
    found = await ask(store, "What instrument is played?", limit=3)
    assert ids(found)[:2] in (["a", "q"], ["q", "a"])
    answer = next(result for result in found.results if result.id == "a")
    assert "answers a message that matches" in answer.reasons


async def test_who_said_it_and_when_decide_between_equal_turns() -> None:
    turns = [
        said("1", "I went camping with friends", session="a", role="Ann", created_at=datetime(2023, 5, 8, tzinfo=UTC)),
        said("2", "I went camping with friends", session="b", role="Bob", created_at=datetime(2023, 5, 8, tzinfo=UTC)),
        said("3", "I went camping with friends", session="c", role="Ann", created_at=datetime(2024, 9, 2, tzinfo=UTC)),
    ]
    found = await ask(SmallStore(turns), "When did Ann go camping in May 2023?")
    assert ids(found)[0] == "1"
    assert "said by the person asked about" in found.results[0].reasons
    assert any("time asked about" in reason for reason in found.results[0].reasons)


async def test_a_question_about_a_day_alone_finds_what_was_said_then() -> None:
    days = [said(f"d{n}", f"entry {n}", session=f"s{n}", created_at=NOW - timedelta(days=n, hours=1)) for n in range(9)]
    found = await ask(SmallStore(days), "what happened yesterday?", limit=1)
    assert ids(found) == ["d1"]


async def test_a_pattern_fires_whatever_the_similarity() -> None:
    warning = memory("w", "Ask first.", category=Category.NEGATIVE, trigger_patterns=("force push",))
    found = await ask(SmallStore([*FILLER, warning]), "let me force-push the branch now", gated=True)
    assert ids(found) == ["w"]
    assert found.results[0].reasons[0] == "its trigger 'force push' matches"


async def test_the_cascade_reaches_what_shares_a_tag_and_says_how() -> None:
    store = SmallStore(
        [
            *FILLER,
            memory("seed", "the orders table lives in postgres", tags=("database",)),
            memory("far", "vacuum runs on Sundays", tags=("database",)),
        ]
    )
    found = await ask(store, "where does the orders table live?", limit=5)
    far = next(result for result in found.results if result.id == "far")
    assert "linked to seed through tag database" in far.reasons
    assert [step.kind for step in far.explanation.path] == ["has_tag", "has_tag"]
    without = await ask(store, "where does the orders table live?", options=RecallOptions(cascade=False))
    assert "far" not in ids(without)


async def test_seeds_that_meet_in_one_tag_say_one_thing_and_two_links_say_two() -> None:
    seeds = {f"seed{n}": 0.8 for n in range(3)}
    view = View(now=NOW)
    tagged = [memory(id, f"orders table {id}", tags=("db",)) for id in (*seeds, "far")]
    shared = (await cascade(seeds, cast(Store, SmallStore(tagged)), view))["far"]
    alone = (await cascade({"seed0": 0.8}, cast(Store, SmallStore(tagged)), view))["far"]
    assert shared.strength == pytest.approx(alone.strength)
    plain = [memory(id, f"orders table {id}") for id in (*seeds, "far")]
    links = [edge(seed, "far", EdgeKind.RELATES_TO, 0.5) for seed in seeds]
    linked = (await cascade(seeds, cast(Store, SmallStore(plain, links)), view))["far"]
    assert linked.strength > 1.5 * alone.strength


async def test_a_superseded_memory_on_the_way_leads_to_the_current_one() -> None:
    store = SmallStore(
        [
            *FILLER,
            memory("seed", "the orders table lives in postgres"),
            memory("old", "backups go to tape", superseded_by="new"),
            memory("new", "archives are copied to a bucket"),
        ],
        [
            edge("seed", "old", EdgeKind.RELATES_TO, 0.9),
            edge("new", "old", EdgeKind.SUPERSEDES),
        ],
    )
    found = await ask(store, "orders table postgres")
    assert "new" in ids(found)
    assert "old" not in ids(found)


async def test_the_cascade_never_leaves_the_scope_asked_for() -> None:
    mine, other = Scope(ScopeKind.PROJECT, "a"), Scope(ScopeKind.PROJECT, "b")
    store = SmallStore(
        [memory("seed", "orders table", tags=("db",), scope=mine), memory("far", "vacuum", tags=("db",), scope=other)]
    )
    assert ids(await ask(store, "orders table", scopes=(mine,))) == ["seed"]


async def test_no_way_leads_through_a_memory_that_is_hidden() -> None:
    mine, other = Scope(ScopeKind.PROJECT, "a"), Scope(ScopeKind.PROJECT, "b")
    store = SmallStore(
        [
            memory("seed", "orders table", scope=mine),
            memory("between", "vacuum", scope=other),
            memory("far", "tape", scope=mine),
        ],
        [edge("seed", "between", EdgeKind.RELATES_TO), edge("between", "far", EdgeKind.RELATES_TO)],
    )
    assert ids(await ask(store, "orders table", scopes=(mine,))) == ["seed"]
    assert set(ids(await ask(store, "orders table"))) == {"seed", "between", "far"}


async def test_a_tag_on_everything_carries_next_to_nothing() -> None:
    common = [memory(f"c{n:03}", f"thing number {n}", tags=("all",)) for n in range(500)]
    store = SmallStore([*common, memory("seed", "orders table", tags=("all",))])
    found = await ask(store, "orders table", limit=10)
    assert ids(found) == ["seed"]


async def test_a_belief_stands_before_the_passage_it_was_drawn_from() -> None:
    store = SmallStore(
        [
            *FILLER,
            said("p", "we decided that staging uses port 5433 from now on", session="s1"),
            memory("b", "Port of staging: 5433", session_id="s1", message_range=("p", "p")),
        ]
    )
    assert ids(await ask(store, "we decided which port staging uses from now on"))[:2] == ["b", "p"]


async def test_a_belief_stands_before_the_agents_proposal_that_it_corrects_but_not_before_another_subject() -> None:
    store = SmallStore(
        [
            *FILLER,
            said("own", "no, never use floats for money", session="s1", position=2, role="user"),
            said("before", "I would store money as a float", session="s1", position=1, role="assistant"),
            memory("b", "Never use floats for money", session_id="s1", message_range=("own", "own")),
            memory("c", "Tabs everywhere", session_id="s1", message_range=("own", "own")),
        ]
    )
    found = ids(await ask(store, "how to store money?"))
    assert found.index("b") < found.index("before")
    assert "c" not in found[: found.index("before")]


async def test_copies_fall_behind_what_says_something_else() -> None:
    items = [memory(f"m{n}", "staging uses port 5433", scope=Scope(ScopeKind.PROJECT, str(n))) for n in range(3)]
    found = await ask(
        SmallStore([*FILLER, *items, memory("other", "staging has a port forward")]), "staging port", limit=2
    )
    assert set(ids(found)) == {"m0", "other"}
    assert {cut.why for cut in found.cut if cut.id in ("m1", "m2")} == {"says the same as a better result"}


async def test_nothing_passes_the_gate_when_nothing_is_good_and_asking_outright_still_answers() -> None:
    store = SmallStore(FILLER)
    embedder = HashEmbedder()
    store.embed(embedder)
    assert ids(await ask(store, "who painted the ceiling of the chapel?", embedder=embedder, gated=True)) == []
    assert len(ids(await ask(store, "who painted the ceiling of the chapel?", embedder=embedder, limit=10))) == 10


async def test_what_the_caller_has_seen_and_what_its_session_wrote_stays_out() -> None:
    store = SmallStore([memory("a", "port 1"), memory("b", "port 2", session_id="s"), said("p", "port 3", session="s")])
    assert ids(await ask(store, "port", exclude_ids=frozenset({"a"}), exclude_session="s")) == []


async def test_the_cross_encoder_has_the_last_word_over_the_best() -> None:
    class Likes:
        def score(self, query: str, texts: Sequence[str]) -> Vector:
            return np.array([9.0 if "weekly" in text else -9.0 for text in texts], np.float32)

    store = SmallStore([*FILLER, memory("a", "the port of staging"), memory("b", "weekly port report")])
    assert ids(await ask(store, "port of staging"))[0] == "a"
    again = await ask(store, "port of staging", reranker=Likes(), rerank=True)
    assert ids(again)[0] == "b"
    assert again.results[0].explanation.reranked_from == 2
    assert (await ask(store, "port", rerank=True)).missing[-1].sentence == (
        "not read again by the cross-encoder: there is no reranking model"
    )


async def test_the_same_question_has_the_same_answer() -> None:
    store = SmallStore([*FILLER, *(said(f"p{n}", "note about tools", session="t", position=n) for n in range(5))])
    embedder = HashEmbedder()
    store.embed(embedder)
    first = await ask(store, "tools and weather", embedder=embedder)
    assert first == await ask(store, "tools and weather", embedder=embedder)
    assert [r.score for r in first.results] == sorted((r.score for r in first.results), reverse=True)


@pytest.mark.parametrize("query", ["", "   ", "<system-reminder>x</system-reminder>"])
async def test_an_empty_question_has_an_empty_answer(query: str) -> None:
    assert (await ask(SmallStore(FILLER), query)).results == ()


async def test_an_expired_memory_never_comes_back() -> None:
    gone = replace(memory("g", "port 5433"), valid_until=NOW - timedelta(days=1))
    assert ids(await ask(SmallStore([gone]), "port")) == []


async def test_each_switch_turns_its_part_off() -> None:
    store = SmallStore([*FILLER, memory("m", "port 5433", tags=("staging",))])
    embedder = HashEmbedder()
    store.embed(embedder)
    found = await ask(store, "staging port", embedder=embedder, options=RecallOptions(text=False, tags=False))
    best = found.results[0].explanation
    assert "text" not in best.arms
    assert "tags" not in best.boosts


async def test_a_turn_too_weak_to_be_read_comes_in_by_its_neighbour_with_all_its_evidence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gather, "READ_PASSAGES", 10)
    many = [said(f"p{n}", "harbour lights harbour", session=f"t{n}") for n in range(12)]
    best = said("best", "harbour harbour harbour harbour", position=0)
    weak = said("weak", f"a harbour {' '.join(f'word{n}' for n in range(60))}", position=1)
    alone = replace(weak, id="alone", session_id="elsewhere", position=9)
    found = await ask(SmallStore([*many, best, weak, alone]), "harbour?", limit=500)
    result = next(result for result in found.results if result.id == "weak")
    told = result.explanation
    assert told.evidence - sum(told.boosts.values()) == pytest.approx(told.arms["text"].evidence, abs=1e-4)
    assert told.arms["text"].evidence > 0
    assert "alone" not in ids(found)


async def test_what_the_cross_encoder_likes_least_still_stands_above_what_it_has_not_read() -> None:
    class Stern:
        def score(self, query: str, texts: Sequence[str]) -> Vector:
            return np.array([-11.0 - 0.1 * place for place in range(len(texts))], np.float32)

    store = SmallStore([memory(f"m{n:02}", f"the harbour number {n}") for n in range(40)])
    plain = await ask(store, "which harbour?", limit=20)
    read = await ask(store, "which harbour?", limit=20, rerank=True, reranker=Stern())
    assert set(ids(read)) == set(ids(plain))


async def test_the_cross_encoder_reads_an_answer_together_with_its_question() -> None:
    turns = [
        said("q", "Which instrument do you play?", role="Ada", position=0),
        said("a", "The violin, since I was seven", role="Ben", position=1),
        said("b", "Nice, the violin has a warm sound", role="Ada", position=2),
    ]
    read: list[str] = []

    class Reading:
        def score(self, query: str, texts: Sequence[str]) -> Vector:
            read.extend(texts)
            return np.zeros(len(texts), np.float32)

    await ask(SmallStore(turns), "violin instrument?", rerank=True, reranker=Reading())
    assert "Ada: Which instrument do you play? Ben: The violin, since I was seven" in read
    assert "Ada: Nice, the violin has a warm sound" in read
