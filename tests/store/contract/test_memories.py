"""Memories are written as changes: all or nothing, checked against what is there, journaled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nightgarden.domain.doubt import Doubt, DoubtKind
from nightgarden.domain.graph import Cluster, EdgeKind, Tag
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import (
    Category,
    Episode,
    Importance,
    Memory,
    Procedure,
    Provenance,
    Reinforcement,
    Status,
    Temporal,
    Tier,
)
from nightgarden.domain.ports import MemoryFilter
from nightgarden.domain.record import to_record
from nightgarden.domain.text import dedupe_key
from nightgarden.errors import BadInput, Conflict
from tests.store.given import (
    DAY,
    HOUR,
    MODEL,
    NOW,
    OTHER,
    PROJECT,
    USER,
    add,
    all_edge_keys,
    change,
    edge,
    found,
    memory,
)


def full_memory(id: str) -> Memory:
    return Memory(
        id=id,
        content='Roses need\x00 "full" sun — 薔薇 🌹 \ud800 שלום',
        category=Category.PROCEDURE,
        scope=PROJECT,
        tags=("garden", "roses"),
        tier=Tier.PINNED,
        status=Status.CANDIDATE,
        provenance=Provenance.EXTRACTED,
        session_id="s1",
        message_range=("a", "b"),
        file_paths=("src/rose.py",),
        context_snippet="as said",
        confidence_reason="twice",
        tainted=True,
        machine_id="shed",
        created_at=NOW - DAY,
        updated_at=NOW - HOUR,
        last_accessed_at=NOW - HOUR,
        confirmed_at=NOW,
        access_count=3,
        observation_count=4,
        strength=5,
        reinforcements=(Reinforcement(at=NOW, session_id="s1"), Reinforcement(at=NOW, message_id="m")),
        confidence=0.1,
        trust=1 / 3,
        importance=Importance.HIGH,
        valid_from=NOW - DAY,
        valid_until=NOW + DAY,
        doubts=(Doubt(kind=DoubtKind.CONTRADICTS, against=("b", "c"), rule="r", detail="d"),),
        trigger_patterns=("prune",),
        procedure=Procedure(name="pruning", trigger="in spring", steps=("cut", "burn")),
        episode=Episode(task="prune", tools=("shears",)),
        temporal=Temporal(session_only=True, seasonal="spring"),
    )


async def test_every_field_of_a_memory_comes_back_as_it_was_written(store):
    written = full_memory("m1")
    await add(store, written)
    (read,) = await store.memories(["m1"])
    assert to_record(read) == to_record(written)


async def test_memories_come_in_the_order_asked_for_and_missing_ones_are_left_out(store):
    await add(store, memory("a"), memory("b"), memory("c"))
    assert [each.id for each in await store.memories(["c", "nobody", "a"])] == ["c", "a"]


async def test_a_change_whose_before_is_not_what_is_there_is_refused(store):
    one = memory("a", "old text")
    await add(store, one)
    newer = replace(one, content="new text")
    await change(store, (one, newer))
    with pytest.raises(Conflict):
        await change(store, (one, replace(one, content="another text")))
    with pytest.raises(Conflict):
        await change(store, (memory("gone"), memory("gone", "again")))
    with pytest.raises(Conflict):
        await add(store, memory("a", "created again"))
    assert await store.memories(["a"]) == [newer]


async def test_a_batch_with_one_bad_change_leaves_nothing_behind(store):
    with pytest.raises(Conflict):
        await change(store, (None, memory("a", tags=("sun",))), (memory("b"), memory("b", "other")))
    assert await store.memories(["a"]) == []
    assert await store.tags() == []
    assert await store.history() == []
    assert await found(store, "statement") == []


async def test_two_live_memories_of_a_scope_never_say_the_same(store):
    await add(store, memory("a", "Roses need sun.", scope=PROJECT))
    with pytest.raises(Conflict):
        await add(store, memory("b", "roses  need SUN", scope=PROJECT))
    with pytest.raises(Conflict):
        await add(store, memory("c", "twins"), memory("d", "Twins."))
    await add(store, memory("b", "roses need sun", scope=OTHER))
    await add(store, memory("e", "roses need sun", scope=PROJECT, status=Status.ARCHIVED, archived_at=NOW))


async def test_an_archived_text_may_be_said_again_in_the_same_batch_but_not_restored_beside_it(store):
    one = memory("a", "roses need sun")
    gone = replace(one, status=Status.ARCHIVED, archived_at=NOW)
    await add(store, one)
    await change(store, (one, gone), (None, memory("b", "roses need sun")))
    with pytest.raises(Conflict):
        await change(store, (gone, one))


async def test_a_superseded_memory_leaves_its_text_free(store):
    one = memory("a", "roses need sun")
    await add(store, one)
    await change(store, (one, replace(one, superseded_by="b", valid_until=NOW)), (None, memory("b", "roses need sun")))
    assert await found(store, "roses") == ["b"]


async def test_a_node_may_be_changed_twice_in_a_batch(store):
    one = memory("a")
    two = replace(one, content="second words")
    three = replace(two, content="third words")
    entries = await change(store, (None, one), (one, two), (two, three))
    assert [(entry.after or {}).get("content") for entry in entries] == [one.content, two.content, three.content]
    assert await store.memories(["a"]) == [three]
    assert await found(store, "second") == []
    assert await found(store, "third") == ["a"]


async def test_a_vector_that_is_known_already_is_stored_with_the_change_or_not_at_all(store):
    vector = np.array([1, 0, 0, 0], dtype=np.float32)
    await store.apply([Change(None, memory("a"))], USER, at=NOW, vectors=[(MODEL, "a", vector)])
    assert list(await store.vectors(MODEL.id, ["a"])) == ["a"]
    with pytest.raises(Conflict):
        await store.apply([Change(None, memory("a"))], USER, at=NOW, vectors=[(MODEL, "a", -vector)])
    assert (await store.vectors(MODEL.id, ["a"]))["a"].tolist() == [1, 0, 0, 0]


async def test_changes_that_make_no_sense_are_bad_input(store):
    await add(store, memory("a"), memory("b"))
    with pytest.raises(BadInput):
        await change(store, (None, None))
    with pytest.raises(BadInput):
        await change(store, (memory("a"), memory("c")))
    with pytest.raises(BadInput):
        await add(store, edge("a", "tag:x", EdgeKind.HAS_TAG))


async def test_uses_are_counted_apart_and_survive_changes_by_those_who_did_not_see_them(store):
    one = memory("a")
    await add(store, one, memory("b"))
    await store.touch(["a", "nobody"], at=NOW)
    await store.touch(["a"], at=NOW - HOUR)
    await change(store, (one, replace(one, content="other words")))
    a, b = await store.memories(["a", "b"])
    assert (a.access_count, a.last_accessed_at, b.access_count) == (2, NOW, 0)
    assert len(await store.history("a")) == 2


async def test_the_journal_keeps_what_differs_and_all_of_what_came_or_went(store):
    one = memory("a", "old words")
    two = replace(one, content="new words", updated_at=NOW)
    created = await add(store, one)
    changed = await change(store, (one, two))
    removed = await change(store, (two, None))
    assert await store.history("a") == [*created, *changed, *removed]
    assert created[0].before is None
    assert created[0].after["content"] == "old words"
    assert changed[0].before == {"content": "old words", "updated_at": to_record(one)["updated_at"]}
    assert changed[0].after == {"content": "new words", "updated_at": to_record(two)["updated_at"]}
    assert (removed[0].before["content"], removed[0].after) == ("new words", None)
    assert await store.journal_entry(changed[0].id) == changed[0]
    assert await store.journal_entry("nothing") is None
    entry = changed[0].id
    assert await store.matching_ids(entry[-20:], ["entry"]) == [entry]
    assert entry in await store.matching_ids(entry[:20], ["entry", "memory"])
    assert await store.matching_ids(entry[-20:], ["memory", "passage", "session"]) == []
    assert entry in await store.matching_ids(entry[-8:-3], ["entry"])  # the beginning of what people are shown
    assert await store.matching_ids("%", ["entry"]) == []
    assert await store.memories(["a"]) == []


async def test_history_is_oldest_first_and_can_be_asked_by_cycle(store):
    night = replace(USER, actor="tend", cycle="c1")
    await add(store, memory("a"))
    (entry,) = await change(store, (None, memory("b")), origin=night)
    everything = await store.history()
    assert [each.subject_id for each in everything] == ["a", "b"]
    assert [each.id for each in everything] == sorted(each.id for each in everything)
    assert await store.history(cycle="c1") == [entry]
    assert [each.subject_id for each in await store.entries_after("", limit=1)] == ["a"]


async def test_turning_a_change_round_restores_exactly(store):
    one = full_memory("m1")
    two = replace(one, content="changed", tags=("other",), confidence=0.5)
    await add(store, one)
    await change(store, (one, two))
    await change(store, (two, one))
    assert await store.memories(["m1"]) == [one]
    assert await found(store, "garden", now=NOW) == ["m1"]


async def test_lists_are_filtered_ordered_and_paged(store):
    everything = [
        memory("a", scope=PROJECT, category=Category.DECISION, tags=("x",)),
        memory("b", scope=PROJECT, tier=Tier.PINNED, session_id="s", created_at=NOW - 3 * DAY),
        memory(
            "c",
            scope=OTHER,
            status=Status.CANDIDATE,
            doubts=(Doubt(kind=DoubtKind.GONE),),
            provenance=Provenance.INFERRED,
        ),
        memory("d", status=Status.ARCHIVED, archived_at=NOW),
        memory("e", superseded_by="a", valid_until=NOW, tags=("x", "y")),
    ]
    await add(store, *everything)

    async def ids(limit: int | None = None, after: str | None = None, newest_first: bool = False, **which) -> str:
        rows = await store.list_memories(MemoryFilter(**which), limit=limit, after=after, newest_first=newest_first)
        return "".join(each.id for each in rows)

    assert await ids() == "abce"
    assert await ids(statuses=None) == "abcde"
    assert await ids(statuses=(Status.ARCHIVED,)) == "d"
    assert await ids(scopes=(PROJECT, OTHER)) == "abc"
    assert await ids(scopes=()) == ""
    assert await ids(categories=(Category.DECISION,)) == "a"
    assert await ids(tiers=(Tier.PINNED,)) == "b"
    assert await ids(provenances=(Provenance.INFERRED,)) == "c"
    assert await ids(tag="x") == "ae"
    assert await ids(session_id="s") == "b"
    assert await ids(flagged=True) == "c"
    assert await ids(flagged=False) == "abe"
    assert await ids(superseded=True) == "e"
    assert await ids(created_before=NOW - 2 * DAY) == "b"
    assert await ids(created_after=NOW - 2 * DAY) == "ace"
    assert await ids(limit=2) == "ab"
    assert await ids(limit=2, after="b") == "ce"
    assert await ids(newest_first=True, limit=3) == "ecb"
    assert await ids(newest_first=True, after="c") == "ba"


async def test_a_text_is_found_by_its_dedupe_key_together_with_other_filters(store):
    key = dedupe_key("Roses need sun.")
    archived = memory("a", "roses need sun", scope=PROJECT, status=Status.ARCHIVED, archived_at=NOW)
    await add(store, archived, memory("b", "Roses need SUN", scope=PROJECT), memory("c", "roses need sun", scope=OTHER))

    async def ids(**which) -> str:
        return "".join(each.id for each in await store.list_memories(MemoryFilter(dedupe_key=key, **which)))

    assert await ids() == "bc"
    assert await ids(statuses=None) == "abc"
    assert await ids(scopes=(PROJECT,)) == "b"
    assert await ids(scopes=(PROJECT,), statuses=None) == "ab"


async def test_tags_come_with_their_first_memory_and_are_journaled(store):
    entries = await add(store, memory("a", tags=("sun", "water")), memory("b", tags=("sun",)))
    assert [entry.subject_id for entry in entries] == ["tag:sun", "tag:water", "a", "b"]
    assert [(tag.name, tag.memory_count) for tag in await store.tags()] == [("sun", 2), ("water", 1)]
    assert await all_edge_keys(store) == ["a>has_tag>tag:sun", "a>has_tag>tag:water", "b>has_tag>tag:sun"]


async def test_only_live_memories_are_counted_on_a_tag(store):
    one = memory("a", tags=("sun",))
    await add(store, one)
    await change(store, (one, replace(one, status=Status.ARCHIVED, archived_at=NOW)))
    (tag,) = await store.tags()
    assert tag.memory_count == 0


async def test_membership_follows_the_tags_of_the_memory(store):
    one = memory("a", tags=("sun", "water"))
    await add(store, one)
    await change(store, (one, replace(one, tags=("soil", "sun"))))
    assert await all_edge_keys(store) == ["a>has_tag>tag:soil", "a>has_tag>tag:sun"]
    assert await found(store, "soil") == ["a"]
    assert await found(store, "water") == []


async def test_a_tag_can_be_described_and_removed_once_nothing_carries_it(store):
    one = memory("a", tags=("sun",))
    await add(store, one)
    (tag,) = await store.tags()
    described = replace(tag, description="what shines")
    await change(store, (tag, described))
    assert (await store.tags())[0].description == "what shines"
    with pytest.raises(Conflict):
        await change(store, (described, None))
    await change(store, (one, replace(one, tags=())), (described, None))
    assert await store.tags() == []
    await add(store, Tag(id="tag:moon", name="moon", created_at=NOW))
    assert [each.name for each in await store.tags()] == ["moon"]


async def test_edges_are_written_changed_and_removed_like_memories(store):
    link = edge("a", "b", weight=0.25)
    await add(store, memory("a"), memory("b"), memory("c"), link, edge("c", "a", EdgeKind.SUPERSEDES))
    heavier = replace(link, weight=0.5)
    await change(store, (link, heavier))
    with pytest.raises(Conflict):
        await change(store, (link, None))
    assert await store.edges(["a"], incoming=False) == [heavier]
    assert sorted(each.key for each in await store.edges(["a"])) == ["a>relates_to>b", "c>supersedes>a"]
    assert [each.key for each in await store.edges(["a"], kinds=[EdgeKind.SUPERSEDES])] == ["c>supersedes>a"]
    await change(store, (heavier, None))
    assert [each.key for each in await store.edges(["a", "b"])] == ["c>supersedes>a"]


async def test_an_edge_needs_memories_that_exist_and_goes_with_them(store):
    with pytest.raises(Conflict):
        await add(store, memory("a"), edge("a", "nobody"))
    one = memory("a")
    await add(store, one, memory("b"), edge("a", "b"))
    await change(store, (one, None))
    assert await store.edges(["b"]) == []


async def test_clusters_bring_edges_to_their_members(store):
    moments = {"created_at": NOW, "updated_at": NOW}
    cluster = Cluster(id="k", name="roses", scope=PROJECT, member_ids=("a", "b"), centroid=(0.1, 0.2), **moments)
    await add(store, memory("a"), memory("b"), memory("c"), cluster)
    assert await store.clusters() == [cluster]
    assert await store.clusters([OTHER]) == []
    grown = replace(cluster, member_ids=("b", "c"))
    await change(store, (cluster, grown))
    assert await all_edge_keys(store) == ["b>in_cluster>k", "c>in_cluster>k"]
    assert {each.key for each in await store.edges(["k"])} == {"b>in_cluster>k", "c>in_cluster>k"}
    with pytest.raises(Conflict):
        await change(store, (grown, replace(grown, member_ids=("nobody",))))
    await change(store, (grown, None))
    assert await all_edge_keys(store) == []


async def test_degrees_count_edges_of_all_kinds_at_both_ends(store):
    cluster = Cluster(id="k", name="n", scope=PROJECT, member_ids=("a",), created_at=NOW, updated_at=NOW)
    await add(store, memory("a", tags=("x",)), memory("b", tags=("x",)), memory("c"), edge("a", "b"), cluster)
    degrees = await store.degrees(["a", "b", "c", "k", "tag:x", "nobody"])
    assert degrees == {"a": 3, "b": 2, "k": 1, "tag:x": 2}


async def test_many_edges_come_in_pages_by_key(store):
    names = [f"n{number:02}" for number in range(50)]
    await add(store, *(memory(name) for name in names))
    await add(store, *(edge(one, two) for one in names for two in names if one != two))
    keys = await all_edge_keys(store)
    assert len(keys) == 50 * 49
    assert keys == sorted(keys)
