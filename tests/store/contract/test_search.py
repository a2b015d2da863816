"""Search returns what the view allows, best first, the same for the same question."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from nightgarden.domain.memory import GLOBAL, Category, Procedure, Status
from nightgarden.domain.ports import View
from nightgarden.domain.searchable import indexed_terms
from nightgarden.domain.text import query_terms
from tests.store.given import (
    DAY,
    HOUR,
    MODEL,
    NEXT_MODEL,
    NOW,
    OTHER,
    PROJECT,
    add,
    add_session,
    change,
    found,
    memory,
    session,
)


async def test_any_of_the_words_finds_and_more_and_rarer_words_rank_higher(store):
    await add(
        store,
        memory("a", "roses need sun and water"),
        memory("b", "tulips need water"),
        memory("c", "oaks need water and patience"),
        memory("d", "moss likes shade"),
    )
    assert await found(store, "water for roses") == ["a", "b", "c"]
    assert await found(store, "nothing here") == []
    assert await found(store, "") == []
    assert await found(store, "water", limit=1) == ["b"]


async def test_identifiers_are_found_whole_and_in_parts(store):
    await add(store, memory("a", "parse_config reads the file"), memory("b", "HTTPServer listens"))
    assert await found(store, "parse_config") == ["a"]
    assert await found(store, "config") == ["a"]
    assert await found(store, "http server") == ["b"]


async def test_words_are_found_across_accents_case_scripts_and_inflection(store):
    await add(store, memory("a", "Café tables are réserved"), memory("b", "庭に薔薇がある"), memory("c", "שלום עולם"))
    assert await found(store, "cafe reserve") == ["a"]
    assert await found(store, "薔薇") == ["b"]
    assert await found(store, "שלום") == ["c"]


async def test_tags_and_file_names_of_a_memory_are_words_too(store):
    await add(store, memory("a", "mind the order", tags=("pruning",), file_paths=("src/shears.py",)))
    assert await found(store, "pruning") == ["a"]
    assert await found(store, "shears") == ["a"]


async def test_scores_are_those_of_bm25(store):
    rng = random.Random(7)
    words = [f"w{number}" for number in range(60)]
    memories = [
        memory(f"m{number:03}", " ".join(rng.choices(words, range(60, 0, -1), k=rng.randint(3, 40))))
        for number in range(80)
    ]
    await add(store, *memories)
    held = {each.id: Counter(indexed_terms(each).split()) for each in memories}
    mean = sum(found.total() for found in held.values()) / len(held)
    query = ["w0", "w7", "w59", "w33"]

    def score(terms: Counter[str]) -> float:
        total = 0.0
        for term in query:
            n = sum(term in other for other in held.values())
            idf = math.log1p((len(held) - n + 0.5) / (n + 0.5)) if n else 0.0
            total += idf * terms[term] * 2.2 / (terms[term] + 1.2 * (0.25 + 0.75 * terms.total() / mean))
        return total

    expected = sorted(((each, score(terms)) for each, terms in held.items()), key=lambda pair: (-pair[1], pair[0]))
    hits = await store.search_text(query, View(now=NOW), limit=10)
    assert [hit.score for hit in hits] == pytest.approx([value for _, value in expected[:10]], rel=1e-6)
    assert [hit.id for hit in hits] == [each for each, _ in expected[:10]]


async def test_archived_superseded_expired_and_not_yet_valid_memories_are_not_found(store):
    await add(
        store,
        memory("a", "roses one"),
        memory("b", "roses two", status=Status.ARCHIVED, archived_at=NOW - HOUR),
        memory("c", "roses three", superseded_by="a", valid_until=NOW - HOUR),
        memory("d", "roses four", valid_until=NOW),
        memory("e", "roses five", valid_from=NOW + HOUR),
        memory("f", "roses six", valid_from=NOW, valid_until=NOW + HOUR),
        memory("g", "roses seven", status=Status.CANDIDATE),
    )
    assert sorted(await found(store, "roses")) == ["a", "f", "g"]
    assert await store.visible(list("abcdefgx"), View(now=NOW)) == {"a", "f", "g"}


async def test_who_looks_for_what_took_the_place_of_something_finds_superseded_memories_too(store):
    await add(
        store,
        memory("a", "roses one"),
        memory("b", "roses two", status=Status.ARCHIVED, archived_at=NOW - HOUR),
        memory("c", "roses three", superseded_by="a", valid_until=NOW - HOUR),
        memory("d", "roses four", superseded_by="a", status=Status.ARCHIVED, scope=PROJECT, archived_at=NOW - HOUR),
    )
    await store.put_vectors(MODEL, ["a", "b", "c", "d"], np.stack([unit(1, 0, 0, 0)] * 4))
    for scopes, expected in ((None, {"a", "c", "d"}), ((GLOBAL,), {"a", "c"})):
        view = View(now=NOW, scopes=scopes, replaced=True)
        assert {hit.id for hit in await store.search_text(query_terms("roses"), view, limit=10)} == expected
        near = await store.search_vectors(unit(1, 0, 0, 0), MODEL.id, view, limit=10)
        assert {hit.id for hit in near} == expected
    assert await store.visible(list("abcd"), View(now=NOW)) == {"a"}


async def test_as_of_a_moment_answers_from_what_was_believed_then(store):
    await add(
        store,
        memory("old", "roses are red", created_at=NOW - 9 * DAY, superseded_by="new", valid_until=NOW - 5 * DAY),
        memory("new", "roses are white", created_at=NOW - 5 * DAY),
        memory("gone", "roses are blue", created_at=NOW - 9 * DAY, status=Status.ARCHIVED, archived_at=NOW - DAY),
    )
    assert await found(store, "roses") == ["new"]
    assert sorted(await found(store, "roses", as_of=NOW - 6 * DAY)) == ["gone", "old"]
    assert sorted(await found(store, "roses", as_of=NOW - 2 * DAY)) == ["gone", "new"]
    assert await found(store, "roses", as_of=NOW - 10 * DAY) == []


async def test_scopes_kinds_and_categories_narrow_the_view(store):
    await add(
        store,
        memory("a", "roses a", scope=PROJECT, category=Category.DECISION),
        memory("b", "roses b", scope=OTHER),
        memory("c", "roses c"),
    )
    await add_session(store, session("s", "roses said"), scope=PROJECT)
    assert sorted(await found(store, "roses")) == ["a", "b", "c", "p:s-0"]
    assert sorted(await found(store, "roses", scopes=(PROJECT,))) == ["a", "p:s-0"]
    assert sorted(await found(store, "roses", scopes=(PROJECT, GLOBAL))) == ["a", "c", "p:s-0"]
    assert await found(store, "roses", scopes=()) == []
    assert sorted(await found(store, "roses", kinds=("memory",))) == ["a", "b", "c"]
    assert await found(store, "roses", kinds=("passage",)) == ["p:s-0"]
    assert await found(store, "roses", kinds=()) == []
    assert sorted(await found(store, "roses", categories=(Category.DECISION,))) == ["a", "p:s-0"]
    assert await found(store, "roses", categories=(Category.DECISION,), kinds=("memory",)) == ["a"]


async def test_passages_said_after_the_moment_asked_about_are_not_found(store):
    await add_session(store, session("s", "roses early", "roses late"))
    assert sorted(await found(store, "roses", as_of=NOW - DAY)) == ["p:s-0"]
    assert sorted(await found(store, "roses", as_of=NOW)) == ["p:s-0", "p:s-1"]


async def test_hits_say_what_they_are(store):
    await add(store, memory("a", "roses"))
    await add_session(store, session("s", "roses"))
    hits = await store.search_text(query_terms("roses"), View(now=NOW), limit=5)
    assert {hit.id: hit.kind for hit in hits} == {"a": "memory", "p:s-0": "passage"}
    assert all(hit.score > 0 for hit in hits)


async def test_changed_text_is_found_by_its_new_words_only(store):
    one = memory("a", "roses need sun")
    await add(store, one)
    await change(store, (one, replace(one, content="tulips need shade")))
    assert await found(store, "roses") == []
    assert await found(store, "tulips") == ["a"]


async def test_equal_scores_come_in_the_order_of_ids(store):
    await add(store, *(memory(each, f"roses {each}") for each in ("c", "a", "b")))
    assert await found(store, "roses") == ["a", "b", "c"]


async def test_what_was_made_said_or_became_true_in_a_span_is_found_newest_first(store):
    await add(
        store,
        memory("a", created_at=NOW - 9 * DAY),
        memory("b", created_at=NOW - 5 * DAY, scope=PROJECT),
        memory("c", created_at=NOW - 2 * DAY, valid_from=NOW - 9 * DAY),
        memory("d", created_at=NOW - 5 * DAY, status=Status.ARCHIVED, archived_at=NOW - HOUR),
    )
    await add_session(store, session("s", "said"))

    async def between(*spans, limit: int = 9, **view) -> list[str]:
        hits = await store.said_between(spans, View(**({"now": NOW} | view)), limit=limit)
        assert all(hit.score == 1.0 for hit in hits)
        return [hit.id for hit in hits]

    assert await between((NOW - 10 * DAY, NOW - 5 * DAY)) == ["c", "a"]
    assert await between((NOW - 10 * DAY, NOW - 8 * DAY), (NOW - 5 * DAY, NOW)) == ["p:s-0", "c", "b", "a"]
    assert await between((NOW - 10 * DAY, NOW), limit=2) == ["p:s-0", "c"]
    assert await between((NOW - 10 * DAY, NOW), scopes=(PROJECT,)) == ["b"]
    assert await between((NOW - 10 * DAY, NOW), kinds=("passage",)) == ["p:s-0"]
    assert await between((NOW - DAY, NOW - DAY)) == []
    assert await between() == []


async def test_memories_with_triggers_are_all_returned_if_visible(store):
    await add(
        store,
        memory("a", trigger_patterns=("rm -rf",)),
        memory("b", procedure=Procedure(name="p", trigger="on release", steps=("tag",)), scope=PROJECT),
        memory("c"),
        memory("d", trigger_patterns=("x",), status=Status.ARCHIVED, archived_at=NOW - HOUR),
        memory("e", trigger_patterns=("y",), valid_until=NOW - HOUR),
    )
    assert [each.id for each in await store.triggered(View(now=NOW))] == ["a", "b"]
    assert [each.id for each in await store.triggered(View(now=NOW, scopes=(PROJECT,)))] == ["b"]


def unit(*numbers: float) -> np.ndarray:
    vector = np.array(numbers, dtype=np.float32)
    return vector / np.linalg.norm(vector)


async def test_vectors_are_found_by_cosine_within_the_view(store):
    await add(
        store, memory("a"), memory("b", scope=PROJECT), memory("c", status=Status.ARCHIVED, archived_at=NOW - HOUR)
    )
    await add_session(store, session("s", "said"))
    rows = np.stack([unit(1, 0, 0, 0), unit(1, 1, 0, 0), unit(1, 0, 0, 0), unit(0, 0, 1, 0)])
    await store.put_vectors(MODEL, ["a", "b", "c", "p:s-0"], rows)
    hits = await store.search_vectors(unit(1, 0, 0, 0), MODEL.id, View(now=NOW), limit=10)
    assert [hit.id for hit in hits] == ["a", "b", "p:s-0"]
    assert [hit.score for hit in hits] == pytest.approx([1.0, math.sqrt(0.5), 0.0], abs=2e-3)
    only = await store.search_vectors(unit(1, 0, 0, 0), MODEL.id, View(now=NOW, scopes=(PROJECT,)), limit=10)
    assert [hit.id for hit in only] == ["b"]
    assert await store.search_vectors(unit(1, 0, 0, 0), "unknown", View(now=NOW), limit=10) == []


async def test_many_vectors_are_found_as_well_as_by_comparing_all(store):
    rng = np.random.default_rng(3)
    count, model = 6000, replace(MODEL, dimension=16)
    ids = [f"m{number:05}" for number in range(count)]
    scopes = [PROJECT if number % 50 == 0 else GLOBAL for number in range(count)]
    await add(store, *(memory(each, scope=scope) for each, scope in zip(ids, scopes, strict=True)))
    vectors = rng.normal(size=(count, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    await store.put_vectors(model, ids, vectors)
    same = 0
    for query in vectors[:20]:
        hits = await store.search_vectors(query, model.id, View(now=NOW), limit=10)
        assert len(hits) == 10
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        true = [float(vectors[ids.index(hit.id)] @ query) for hit in hits]
        assert [hit.score for hit in hits] == pytest.approx(true, abs=4e-4)  # as exact as two bytes a number are
        same += len({hit.id for hit in hits} & {ids[at] for at in np.argsort(-(vectors @ query))[:10]})
    assert same >= 190
    hits = await store.search_vectors(vectors[1], model.id, View(now=NOW, scopes=(PROJECT,)), limit=10)
    narrow = [at for at in np.argsort(-(vectors @ vectors[1])) if scopes[at] is PROJECT][:10]
    assert [hit.id for hit in hits] == [ids[at] for at in narrow]


async def test_items_wait_for_their_vectors_memories_first_and_newest_first(store):
    await add(store, memory("a", "first"))
    await add_session(store, session("s", "said"))
    await add(store, memory("b", "second"))
    pending = await store.pending_vectors(MODEL.id, limit=10)
    assert [(each.id, each.kind, each.text) for each in pending] == [
        ("b", "memory", "second"),
        ("a", "memory", "first"),
        ("p:s-0", "passage", "said"),
    ]
    assert await store.count_pending_vectors(MODEL.id) == 3
    await store.put_vectors(MODEL, ["b", "nobody"], np.stack([unit(1, 0, 0, 0), unit(0, 1, 0, 0)]))
    assert [each.id for each in await store.pending_vectors(MODEL.id, limit=1)] == ["a"]
    assert await store.count_pending_vectors(MODEL.id) == 2
    assert await store.count_pending_vectors(NEXT_MODEL.id) == 3


async def test_a_memory_whose_text_changed_waits_for_a_new_vector_and_others_keep_theirs(store):
    one, two = memory("a", "old words"), memory("b", "other words")
    await add(store, one, two)
    await store.put_vectors(MODEL, ["a", "b"], np.stack([unit(1, 0, 0, 0), unit(0, 1, 0, 0)]))
    await change(store, (one, replace(one, content="new words")), (two, replace(two, tags=("x",), strength=2)))
    assert [each.id for each in await store.pending_vectors(MODEL.id, limit=9)] == ["a"]
    hits = await store.search_vectors(unit(1, 0, 0, 0), MODEL.id, View(now=NOW), limit=9)
    assert [hit.id for hit in hits] == ["b"]


async def test_vectors_of_two_models_stand_side_by_side_until_the_old_ones_are_dropped(store):
    await add(store, memory("a"), memory("b"))
    await store.put_vectors(MODEL, ["a", "b"], np.stack([unit(1, 0, 0, 0), unit(0, 1, 0, 0)]))
    await store.put_vectors(NEXT_MODEL, ["a"], np.stack([unit(0, 0, 1)]))
    assert (await store.counts()).vectors == {MODEL.id: 2, NEXT_MODEL.id: 1}
    assert [h.id for h in await store.search_vectors(unit(0, 0, 1), NEXT_MODEL.id, View(now=NOW), limit=5)] == ["a"]
    assert await store.drop_vectors(except_model_id=NEXT_MODEL.id) == 2
    assert await store.vectors(MODEL.id, ["a", "b"]) == {}
    kept = await store.vectors(NEXT_MODEL.id, ["b", "a"])
    assert list(kept) == ["a"]
    assert kept["a"] == pytest.approx(unit(0, 0, 1), abs=1e-3)
    assert await store.search_vectors(unit(1, 0, 0, 0), MODEL.id, View(now=NOW), limit=5) == []


async def test_all_visible_vectors_come_with_their_ids_in_order(store):
    await add(store, memory("b"), memory("a"), memory("c", status=Status.ARCHIVED, archived_at=NOW - HOUR))
    rows = np.stack([unit(1, 0, 0, 0), unit(0, 1, 0, 0), unit(0, 0, 1, 0)])
    await store.put_vectors(MODEL, ["b", "a", "c"], rows)
    ids, vectors = await store.all_vectors(MODEL.id, View(now=NOW))
    assert ids == ["a", "b"]
    assert vectors == pytest.approx(rows[[1, 0]], abs=1e-3)
    assert vectors.dtype == np.float32
    ids, vectors = await store.all_vectors("unknown", View(now=NOW))
    assert (ids, len(vectors)) == ([], 0)


async def test_a_vector_may_be_replaced(store):
    await add(store, memory("a"))
    await store.put_vectors(MODEL, ["a"], np.stack([unit(1, 0, 0, 0)]))
    await store.put_vectors(MODEL, ["a"], np.stack([unit(0, 1, 0, 0)]))
    (hit,) = await store.search_vectors(unit(0, 1, 0, 0), MODEL.id, View(now=NOW), limit=5)
    assert hit.score == pytest.approx(1.0, abs=2e-3)
