"""Purge, state, gaps, counts, dump and load, the doctor."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from nightgarden.domain.documents import ABSENT
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, EdgeKind
from nightgarden.domain.memory import Category, Status
from nightgarden.domain.ports import View
from nightgarden.domain.purging import UNFINISHED
from nightgarden.domain.schedule import ScheduledTask
from nightgarden.domain.shelf import put
from nightgarden.domain.text import dedupe_key
from nightgarden.errors import BadInput, Conflict
from nightgarden.facade.scheduling import TASK
from tests.store.conftest import ENGINES
from tests.store.given import (
    DAY,
    MODEL,
    NEXT_MODEL,
    NOW,
    PROJECT,
    add,
    add_session,
    all_edge_keys,
    change,
    dumped,
    edge,
    found,
    memory,
    of_type,
    passages_of,
    session,
)

GAP = Gap(id="g", snippet="?", session_id="s", scope=PROJECT, seen_count=2, created_at=NOW, last_seen_at=NOW)


async def plant(store):
    """A bit of everything."""
    moments = {"created_at": NOW, "updated_at": NOW}
    one = memory("a", "roses\x00 need full sun", tags=("sun",), trigger_patterns=("x",))
    two = memory("b", "tulips \U0001f337 need shade", scope=PROJECT, tags=("shade", "sun"), confidence=1 / 3)
    old = memory("c", "roses need shade", status=Status.ARCHIVED, archived_at=NOW, category=Category.CORRECTION)
    await add(store, one, two, old, edge("a", "b", weight=0.1), edge("a", "c", EdgeKind.SUPERSEDES))
    cluster = Cluster(id="k", name="sunny", scope=PROJECT, member_ids=("a", "b"), centroid=(0.5,), **moments)
    await add(store, cluster)
    await change(store, (one, replace(one, content="roses need much sun")))
    await add_session(store, session("s", "I planted roses", "and tulips", scope=PROJECT), scope=PROJECT)
    await store.touch(["b"], at=NOW)
    rows = np.array([[0.1, 0.2, 0.3, 0.4], [1, 0, 0, 0], [0, 1 / 3, 0, 0]], dtype=np.float32)
    await store.put_vectors(MODEL, ["a", "b", "p:s-0"], rows)
    await store.put_vectors(NEXT_MODEL, ["a"], np.array([[0, 0, 1]], dtype=np.float32))
    await add(store, GAP)
    await store.put_state("cursor.x", {"at": [1, 2.5, None, "ü"]})
    await add(store, memory("z", "to be purged"))
    await store.purge(["z"], at=NOW)


async def test_a_purged_memory_is_gone_from_text_vectors_graph_journal_and_dump(store):
    secret = memory("a", "the zebrafish password", tags=("animals",), context_snippet="zebrafish")
    cluster = Cluster(id="k", name="n", scope=PROJECT, member_ids=("a", "b"), created_at=NOW, updated_at=NOW)
    await add(store, secret, memory("b"), edge("a", "b"), edge("b", "a", EdgeKind.DERIVED_FROM), cluster)
    await change(store, (secret, replace(secret, content="the zebrafish secret")))
    await store.put_vectors(MODEL, ["a"], np.array([[1, 0, 0, 0]], dtype=np.float32))
    assert await store.purge(["a", "nobody"], at=NOW) == ["a"]
    assert await store.memories(["a"]) == []
    assert await found(store, "zebrafish") == []
    assert await store.search_vectors(np.array([1, 0, 0, 0], dtype=np.float32), MODEL.id, View(now=NOW), limit=5) == []
    assert await all_edge_keys(store) == ["b>in_cluster>k"]
    assert (await store.clusters())[0].member_ids == ("b",)
    assert all(entry.before is None and entry.after is None for entry in await store.history("a"))
    assert "zebrafish" not in json.dumps(await dumped(store))
    assert await store.tombstones(["a", "b", dedupe_key("The zebrafish secret")]) == {
        "a",
        dedupe_key("the zebrafish secret"),
    }
    assert await store.purge(["a"], at=NOW) == []
    assert all(check.ok for check in await store.check(repair=False))


async def test_a_purged_memory_takes_its_sentences_and_the_tags_that_only_it_had_along(store):
    fact = "the spare key lies under the zebrafish stone"
    said = session("s", f"Good day. {fact.capitalize()}. Roses need water.", "Elsewhere. And more.")
    repeated = session("t", f"As I said: {fact}.")
    await add_session(store, said)
    await add_session(store, repeated)
    secret = memory("a", fact, tags=("keys", "xylograph"), session_id="s", message_range=("s-0", "s-0"))
    beside = memory("b", "roses need water", tags=("keys",), session_id="s", context_snippet=f"{fact}. Roses need.")
    await add(store, secret, beside)
    await change(store, (secret, replace(secret, tags=("keys",))))
    await add(store, replace(GAP, snippet=f"where? {fact}"))
    await store.put_vectors(MODEL, ["p:s-0", "p:s-1"], np.eye(4, dtype=np.float32)[:2])
    assert await store.purge(["a"], at=NOW) == ["a"]
    left = json.dumps(await dumped(store))
    assert [word for word in ("zebrafish", "xylograph") if word in left] == []
    assert [message.text for message in (await store.session("s")).messages] == [
        "Good day. [redacted: purged] Roses need water.",
        "Elsewhere. And more.",
    ]
    assert await found(store, "zebrafish") == []
    assert "p:s-0" in await found(store, "roses water")
    assert [tag.name for tag in await store.tags()] == ["keys"]
    assert await store.gaps(include_closed=True) == []
    assert "p:s-0" in [item.id for item in await store.pending_vectors(MODEL.id, limit=10)]  # its text is another
    assert all(check.ok for check in await store.check(repair=False))


async def test_text_with_a_nul_or_half_a_character_is_searched_hidden_and_purged_like_any_other(store):
    odd = memory(
        "a", "roses \x00 need \ud800 sun \U000ffffd0;", status=Status.ARCHIVED, archived_at=NOW, hides=("p:s-0",)
    )
    await add_session(store, session("s", "roses \x00 need \ud800 sun", "tulips \x00 do not"))
    await add(store, odd, memory("b", "tulips"))
    assert (await store.memories(["a"]))[0].content == odd.content
    assert await store.purge(["b", "s"], at=NOW) == ["b", "s"]
    assert await store.purge(["a"], at=NOW) == ["a"]


async def test_a_purged_session_takes_its_messages_and_passages_along(store):
    await add_session(store, session("s", "zebrafish one", "zebrafish two"))
    await add_session(store, session("t", "zebrafish three"))
    assert await store.purge(["p:t-0", "s"], at=NOW) == ["p:t-0", "s"]
    assert await store.session("s") is None
    assert (await store.session("t")) is not None
    assert await found(store, "zebrafish") == []
    assert await store.tombstones(["s", "p:t-0", "t"]) == {"s", "p:t-0"}


async def test_a_purged_passage_is_struck_from_its_message_which_keeps_its_place(store):
    said = session("t", "before", "good morning zebrafish bye", "after")
    piece = replace(passages_of(said)[1], content="zebrafish")
    await store.put_session(said, [piece])
    assert await store.purge([piece.id], at=NOW) == [piece.id]
    assert "zebrafish" not in json.dumps(await dumped(store))
    assert [m.text for m in (await store.session("t")).messages] == ["before", "good morning  bye", "after"]
    assert await store.put_session(said, []) == 0
    assert "zebrafish" not in json.dumps(await dumped(store))


async def test_state_is_kept_as_json_and_found_by_prefix(store):
    await store.put_state("cursor.a", {"n": 1, "x": [None, "ü\x00"]})
    await store.put_state("cursor.b", 0)
    await store.put_state("cursor_c", "no")
    assert await store.get_state("cursor.a") == {"n": 1, "x": [None, "ü\x00"]}
    await store.put_state("cursor.b", False)
    assert await store.state_items("cursor.") == {"cursor.a": {"n": 1, "x": [None, "ü\x00"]}, "cursor.b": False}
    await store.put_state("cursor.a", None)
    assert await store.get_state("cursor.a") is None
    assert await store.state_items("cursor.") == {"cursor.b": False}


async def test_gaps_are_kept_until_they_are_closed(store):
    await add(store, GAP, replace(GAP, id="h", closed_at=NOW, closed_by="m"))
    assert await store.gaps() == [GAP]
    assert [gap.id for gap in await store.gaps(include_closed=True)] == ["g", "h"]
    (entry,) = await change(store, (GAP, replace(GAP, closed_at=NOW)))
    assert await store.gaps() == []
    assert (entry.subject_kind, entry.subject_id, set(entry.after or ())) == ("gap", "g", {"closed_at"})
    with pytest.raises(Conflict):
        await change(store, (GAP, replace(GAP, seen_count=9)))
    await change(store, (replace(GAP, closed_at=NOW), None))
    assert [gap.id for gap in await store.gaps(include_closed=True)] == ["h"]


async def test_a_purged_task_is_gone_and_a_purged_session_takes_its_tasks_along(store):
    for task_id, session_id in (("t1", "s"), ("t2", None), ("t3", "other")):
        task = ScheduledTask(
            id=task_id, task="zebrafish", wake_at=NOW, created_at=NOW, scope=PROJECT, session_id=session_id
        )
        await store.put_documents([put(TASK, task_id, task, expected=ABSENT)], at=NOW)
    await store.put_state("cursor.t2", {"session_id": "s"})
    await add_session(store, session("s", "schedule it"))
    assert await store.purge(["t2", "s", "t2", "cursor.t2"], at=NOW) == ["t2", "s"]
    assert await store.get_state(UNFINISHED) == ["t2", "s"]
    await store.put_state(UNFINISHED, None)
    assert list(await store.state_items("")) == ["cursor.t2"]
    assert [each.key for each in await store.list_documents("task")] == ["t3"]
    assert await store.tombstones(["t1", "t2", "t3", "s"]) == {"t2", "s"}
    await store.purge(["t3"], at=NOW)
    await store.scrub()
    assert "zebrafish" not in json.dumps(await dumped(store))


async def test_counts_tell_how_much_of_everything_there_is(store):
    await plant(store)
    counts = await store.counts()
    assert dict(counts.memories) == {"promoted": 2, "archived": 1}
    assert dict(counts.memories_by_category) == {"fact": 2}
    assert dict(counts.memories_by_scope) == {"global": 1, "project:roses": 1}
    assert (counts.passages, counts.sessions, counts.tags, counts.clusters, counts.edges) == (2, 1, 2, 1, 7)
    assert dict(counts.vectors) == {MODEL.id: 3, NEXT_MODEL.id: 1}
    assert counts.tombstones == 2
    assert counts.journal_entries == len(await store.history())
    assert counts.bytes_on_disk > 0


@pytest.mark.parametrize("target", ENGINES)
async def test_a_dump_loaded_elsewhere_dumps_the_same_and_works_the_same(store, new_place, target):
    await plant(store)
    records = await dumped(store)
    copy = await new_place(target).open()
    try:
        await copy.load(records)
        assert await dumped(copy) == records
        for at in range(0, len(records), 5):
            await copy.load(records[at : at + 5])
        assert await dumped(copy) == records
        assert await found(copy, "roses sun") == await found(store, "roses sun")
        assert await all_edge_keys(copy) == await all_edge_keys(store)
        assert await copy.tags() == await store.tags()
        assert replace(await copy.counts(), bytes_on_disk=0) == replace(await store.counts(), bytes_on_disk=0)
        assert all(check.ok for check in await copy.check(repair=False))
    finally:
        await copy.close()


async def test_records_come_in_an_order_that_can_be_loaded_and_survive_json(store):
    await plant(store)
    records = await dumped(store)
    types = list(dict.fromkeys(record["type"] for record in records))
    order = "session message passage tag memory edge cluster journal model vector tombstone gap state".split()
    assert types == order
    assert json.loads(json.dumps(records)) == records
    assert [record["id"] for record in of_type(records, "memory")] == ["a", "b", "c"]


async def test_loading_leaves_alone_what_is_there(store):
    one = memory("a", "as it was")
    await add(store, one)
    await store.put_state("k", "old")
    records = await dumped(store)
    newer = replace(one, content="as it is", updated_at=NOW)
    await change(store, (one, newer))
    await store.put_state("k", "new")
    await store.load(records)
    assert await store.memories(["a"]) == [newer]
    assert await store.get_state("k") == "new"
    assert len(await store.history("a")) == 2


async def test_it_is_known_which_records_are_there_already(store):
    await plant(store)
    records = await dumped(store)
    assert await store.existing(records) == [True] * len(records)
    names = ("id", "source", "key", "item_id")
    strange = [{key: "other" if key in names else value for key, value in record.items()} for record in records]
    assert await store.existing(strange) == [False] * len(records)
    assert await store.existing([*records[:2], strange[0]]) == [True, True, False]


async def test_scrubbing_after_a_purge_keeps_everything_else(store):
    await plant(store)
    before = await dumped(store)
    await store.scrub()
    assert await dumped(store) == before
    assert sorted(await found(store, "roses")) == ["a", "p:s-0"]


async def test_a_record_of_unknown_type_is_bad_input_and_nothing_of_its_batch_is_kept(store):
    await add(store, memory("a"))
    records = await dumped(store)
    await store.purge(["a"], at=NOW)
    with pytest.raises(BadInput):
        await store.load([*records, {"type": "dragon"}])
    assert await store.memories(["a"]) == []


async def test_a_sound_garden_has_nothing_to_repair(store):
    await plant(store)
    assert [check for check in await store.check(repair=False) if not check.ok] == []
    assert [check for check in await store.check(repair=True) if not check.ok or check.repaired] == []


async def test_a_store_forgets_nothing_when_it_is_opened_again(store, open_again):
    await plant(store)
    again = await open_again()
    assert await dumped(again) == await dumped(store)
    assert not again.read_only
    assert await found(again, "roses", as_of=NOW - DAY / 2) == await found(store, "roses", as_of=NOW - DAY / 2)
