"""Documents: versions that grow by one, compare-and-set, listing, journal and undo, and the whole garden."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

import pytest

from nightgarden.domain.documents import ABSENT, Document, DocumentKind, Put
from nightgarden.domain.journal import Change
from nightgarden.domain.ports import Store
from nightgarden.domain.shelf import Shelf, new, read
from nightgarden.errors import BadInput, Conflict, CorruptGarden, UndoConflict
from nightgarden.store.sqlite.store import SqliteStore
from nightgarden.tend.undo import undo
from tests.store.given import DAY, HOUR, NOW, USER, add, add_session, change, dumped, memory, session

WORD = "zanzibarite"
SECRET = f"The spare key of the vault lies under the {WORD} stone"


class Mood(StrEnum):
    DRY = "dry"
    WET = "wet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bed:
    """What a room may keep."""

    name: str
    mood: Mood = Mood.DRY
    watered_at: datetime | None = None
    plants: tuple[str, ...] = ()


BED = DocumentKind("bed", Bed)


def put(key: str, value: object = "x", *, expected: int | None = None, kind: str = "bed", **fields: object) -> Put:
    return Put(kind=kind, key=key, value=value, expected=expected, **fields)  # type: ignore[arg-type]


async def keys(store: Store, kind: str = "bed", **which: object) -> list[str]:
    return [found.key for found in await store.list_documents(kind, **which)]  # type: ignore[arg-type]


async def test_a_document_is_written_changed_and_removed_and_its_version_grows(store: Store) -> None:
    assert await store.document("bed", "a") is None
    value = {"n": 1, "list": [True, None, "\x00\ud800ü"], "": {}}
    due = NOW + HOUR
    (first,) = await store.put_documents([put("a", value, expected=ABSENT, owner="global", due_at=due)], at=NOW)
    assert first == await store.document("bed", "a")
    assert first == Document(
        kind="bed",
        key="a",
        version=1,
        value=value,
        owner="global",
        due_at=due,
        created_at=NOW,
        updated_at=NOW,
    )
    (second,) = await store.put_documents([put("a", 2, expected=1, status="done")], at=NOW + HOUR)
    assert (
        second
        == replace(first, version=2, value=2, owner="", status="done", due_at=None, updated_at=NOW + HOUR)
        == await store.document("bed", "a")
    )
    assert await store.put_documents([put("a", None, expected=2)], at=NOW) == [None]
    assert await store.document("bed", "a") is None
    assert await store.put_documents([put("a", None)], at=NOW) == [None]


@pytest.mark.parametrize("expected", [ABSENT, 1, 3])
async def test_a_version_that_is_not_as_expected_is_refused_and_nothing_is_written(store: Store, expected: int) -> None:
    await store.put_documents([put("a", 1), put("a", 2)], at=NOW)
    with pytest.raises(Conflict):
        await store.put_documents([put("b", 1, expected=ABSENT), put("a", 3, expected=expected)], at=NOW)
    with pytest.raises(Conflict):
        await store.apply([Change(None, memory("m"))], USER, at=NOW, documents=[put("a", 3, expected=expected)])
    assert await keys(store) == ["a"]
    assert await store.memories(["m"]) == []
    assert (await store.document("bed", "a")).version == 2  # type: ignore[union-attr]


async def test_documents_are_written_with_changes_or_not_at_all(store: Store) -> None:
    await store.apply([Change(None, memory("m"))], USER, at=NOW, documents=[put("a", 1, expected=ABSENT)])
    assert (await store.document("bed", "a")).value == 1  # type: ignore[union-attr]
    with pytest.raises(Conflict):
        await store.apply([Change(None, memory("m"))], USER, at=NOW, documents=[put("b", 1, expected=ABSENT)])
    assert await keys(store) == ["a"]


async def test_a_listing_is_by_key_or_by_what_is_due(store: Store) -> None:
    await store.put_documents(
        [
            put("b", 1, owner="p", status="open", due_at=NOW + HOUR),
            put("a", 1, owner="q", status="open", due_at=NOW + 2 * HOUR),
            put("c", 1, owner="p", status="done", due_at=NOW + HOUR),
            put("d", 1, owner="p", status="open"),
            put("a", 1, kind="other", owner="p", status="open", due_at=NOW),
        ],
        at=NOW,
    )
    assert await keys(store) == ["a", "b", "c", "d"]
    assert await keys(store, newest_first=True, limit=2) == ["d", "c"]
    assert await keys(store, owner="p") == ["b", "c", "d"]
    assert await keys(store, statuses=["open"]) == ["a", "b", "d"]
    assert await keys(store, statuses=["open", "done"], limit=3) == ["a", "b", "c"]
    assert await keys(store, statuses=[]) == []
    assert await keys(store, owner="p", statuses=["open"], newest_first=True) == ["d", "b"]
    assert await keys(store, due_before=NOW + 3 * HOUR) == ["b", "c", "a"]
    assert await keys(store, due_before=NOW + HOUR, statuses=["done"]) == ["c"]
    assert await keys(store, due_before=NOW) == []
    assert await keys(store, "other") == ["a"]
    assert (await store.counts()).documents == {"bed": 4, "other": 1}
    assert await store.matching_ids("a", ["bed"]) == ["a"]
    assert await store.matching_ids("a", ["memory"]) == []


@pytest.mark.parametrize(
    "bad",
    [
        put("", 1),
        put("a\x00", 1),
        put("k" * 501, 1),
        put("a", 1, kind="Bed"),
        put("a", 1, kind=""),
        put("a", 1, owner="\ud800"),
        put("a", float("nan")),
        put("a", object()),
    ],
)
async def test_what_cannot_be_stored_is_bad_input_on_both_engines(store: Store, bad: Put) -> None:
    with pytest.raises(BadInput):
        await store.put_documents([bad], at=NOW)
    assert (await store.counts()).documents == {}


async def test_of_many_who_claim_a_document_one_has_it(
    store: Store, open_again: Callable[[], Awaitable[Store]]
) -> None:
    other = await open_again()
    for key in ("a", "b", "c"):
        tries = [
            target.put_documents([put(key, {"by": n}, expected=ABSENT)], at=NOW)
            for n in range(6)
            for target in (store, other)
        ]
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        assert sorted(isinstance(outcome, Conflict) for outcome in outcomes) == [False] + [True] * 11
        assert await store.document("bed", key) == await other.document("bed", key)


async def test_those_who_do_not_mind_the_version_all_get_through(
    store: Store, open_again: Callable[[], Awaitable[Store]]
) -> None:
    other = await open_again()
    await asyncio.gather(*(target.put_documents([put("a", n)], at=NOW) for n in range(5) for target in (store, other)))
    assert (await store.document("bed", "a")).version == 10  # type: ignore[union-attr]


async def test_a_journalled_document_is_undone_with_its_cycle(store: Store) -> None:
    origin = replace(USER, cycle="night-1")
    await store.put_documents([put("old", 1, status="open")], at=NOW)
    before = await store.document("bed", "old")
    assert before is not None
    after = replace(before, version=2, value=2, status="done", updated_at=NOW + HOUR)
    fresh = new(BED, "new", Bed(name="roses"), at=NOW + HOUR)
    entries = await change(store, (before, after), (None, fresh), (None, memory("m")), origin=origin)
    assert [(entry.subject_kind, entry.subject_id) for entry in entries[:2]] == [
        ("document", "bed/old"),
        ("document", "bed/new"),
    ]
    assert await store.document("bed", "new") == fresh
    await undo(store, "night-1", actor="user", at=NOW + 2 * HOUR)
    assert await keys(store) == ["old"]
    assert await store.memories(["m"]) == []
    now = await store.document("bed", "old")
    assert now is not None
    assert (now.version, now.value, now.status) == (3, 1, "open")
    await undo(store, "undo-night-1", actor="user", at=NOW + 3 * HOUR)
    assert await keys(store) == ["new", "old"]
    assert (await store.document("bed", "old")).version == 4  # type: ignore[union-attr]


async def test_an_undo_that_would_overwrite_a_later_put_is_refused(store: Store) -> None:
    entries = await change(store, (None, new(BED, "a", Bed(name="roses"), at=NOW)))
    await store.put_documents([put("a", {"name": "tulips"}, expected=1)], at=NOW)
    with pytest.raises(UndoConflict, match="changed again since"):
        await undo(store, entries[0].id, actor="user", at=NOW)
    assert (await store.document("bed", "a")).value == {"name": "tulips"}  # type: ignore[union-attr]


async def test_a_journalled_change_must_follow_what_is_there(store: Store) -> None:
    first = new(BED, "a", Bed(name="roses"), at=NOW)
    await change(store, (None, first))
    with pytest.raises(Conflict, match="exists already"):
        await change(store, (None, first))
    with pytest.raises(BadInput, match="version"):
        await change(store, (first, replace(first, status="done")))
    with pytest.raises(BadInput, match="cannot turn"):
        await change(store, (first, replace(first, key="b", version=2)))
    with pytest.raises(Conflict, match="changed by someone else"):
        await change(store, (replace(first, status="x"), replace(first, version=2)))
    await change(store, (first, None))
    with pytest.raises(Conflict, match="gone"):
        await change(store, (first, None))


async def test_a_shelf_reads_and_writes_values_and_leaves_out_what_it_cannot_read(store: Store) -> None:
    shelf = Shelf(store, BED)
    roses = Bed(name="roses", mood=Mood.WET, watered_at=NOW, plants=("a", "b"))
    kept = await shelf.put("a", roses, expected=ABSENT, at=NOW, status="wet", due_at=NOW + DAY)
    assert (kept.key, kept.version) == ("a", 1)
    assert await shelf.get("a") == kept
    assert await shelf.get("none") is None
    await store.put_documents([put("b", {"name": "x", "mood": "sandy"}), put("c", [1])], at=NOW)
    assert [each.value for each in await shelf.list()] == [roses]
    assert shelf.unreadable == 2
    assert [each.key for each in await shelf.list(due_before=NOW + DAY)] == ["a"]
    assert shelf.unreadable == 0
    with pytest.raises(CorruptGarden, match="bed/b"):
        await shelf.get("b")
    with pytest.raises(Conflict):
        await shelf.put("a", roses, expected=5, at=NOW)
    await shelf.remove("b", expected=None, at=NOW)
    assert await keys(store) == ["a", "c"]
    assert read(BED, kept.document) == roses


# -- purge -------------------------------------------------------------------------------------------------------------
async def holding(store: Store) -> bool:
    return WORD in str(await dumped(store))


async def test_a_purged_memory_is_struck_from_documents_and_their_history(store: Store) -> None:
    await add(store, memory("m", SECRET))
    quoting = Document(
        kind="bed",
        key="log",
        version=1,
        value={"text": f"Good morning. {SECRET}. All is well.", "args": [{"content": SECRET}], "memory": "m"},
        created_at=NOW,
        updated_at=NOW,
    )
    await change(store, (None, quoting))
    await change(store, (quoting, replace(quoting, version=2, value={"text": f"I was told: {SECRET.lower()}!"})))
    await change(store, (None, replace(quoting, key="gone")), (replace(quoting, key="gone"), None))
    await store.put_documents(
        [put("of", {"memory_id": "m", "why": f"it is about a {WORD}"}), put("m", WORD), put("else", "All is well.")],
        at=NOW,
    )
    assert await holding(store)
    assert await store.purge(["m"], at=NOW) == ["m"]
    assert not await holding(store)
    assert await keys(store) == ["else", "log"]
    log = await store.document("bed", "log")
    assert log is not None
    assert log.version == 3
    assert log.value["text"] != ""
    assert (await store.document("bed", "else")).version == 1  # type: ignore[union-attr]
    assert "Good morning." in str(await store.history("bed/log"))


async def test_a_purged_session_or_passage_is_struck_from_documents(store: Store) -> None:
    await add_session(store, session("s", f"Hello there. {SECRET}. And PIN {WORD}9."))
    await store.put_documents(
        [
            put("of", {"session_id": "s", "summary": f"speaks of {WORD}"}),
            put("log", {"said": [f"user: {SECRET.upper()}."], "cut": f"{SECRET[:-8]}…", "pin": f"And PIN {WORD}9."}),
            put("else", {"session": "s", "text": "Hello you."}),
        ],
        at=NOW,
    )
    await store.purge(["s"], at=NOW)
    assert not await holding(store)
    assert WORD.upper() not in str(await dumped(store))
    assert await keys(store) == ["else", "log"]
    await add_session(store, session("t", f"{SECRET}."))
    await store.put_documents([put("log2", f"{SECRET}. Bye.")], at=NOW)
    await store.purge(["p:t-0"], at=NOW)
    assert not await holding(store)
    assert "Bye." in (await store.document("bed", "log2")).value  # type: ignore[union-attr]


async def test_a_document_is_purged_by_its_key_with_its_history(store: Store) -> None:
    await change(store, (None, new(BED, "a", Bed(name=WORD), at=NOW)))
    await store.put_documents([put("a", 1, kind="other"), put("b", 1)], at=NOW)
    assert await store.purge(["a", "nothing"], at=NOW) == ["a"]
    assert (await store.counts()).documents == {"bed": 1}
    assert not await holding(store)
    assert await store.tombstones(["a", "b"]) == {"a"}


async def test_dump_load_and_empty_know_documents(store: Store) -> None:
    await store.put_documents([put("a", {"x": [1]}, owner="o", status="s", due_at=NOW), put("a", 1)], at=NOW)
    records = await dumped(store)
    assert [record["type"] for record in records] == ["document"]
    assert await store.existing(records) == [True]
    assert await store.existing([records[0] | {"kind": "other"}]) == [False]
    await store.empty()
    assert await dumped(store) == []
    await store.load(records)
    await store.put_documents([put("a", 3)], at=NOW)
    await store.load(records)  # what is there is left alone
    assert (await store.document("bed", "a")).version == 3  # type: ignore[union-attr]
    assert all(check.ok for check in await store.check(repair=False))


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
async def test_a_damaged_document_is_left_out_and_counted_and_can_be_taken_away(store: Store) -> None:
    assert isinstance(store, SqliteStore)  # a server checks its own pages
    await store.put_documents([put("a", 1), put("b", 1), put("c", 1)], at=NOW)
    await store._write(lambda db: db.execute("UPDATE document SET value = '{' WHERE key = 'b'"))
    await store._write(lambda db: db.execute("UPDATE document SET version = 'x' WHERE key = 'c'"))
    assert await keys(store) == ["a"]
    assert store.damaged == 2
    assert [record["key"] for record in await dumped(store)] == ["a"]
    with pytest.raises(CorruptGarden, match="bed/b"):
        await store.document("bed", "b")
    with pytest.raises(CorruptGarden):
        await store.put_documents([put("b", 2, expected=1)], at=NOW)
    (records,) = [check for check in await store.check(repair=False) if check.name == "records"]
    assert "bed/b, bed/c" in records.detail
    await add(store, memory("m", SECRET))
    await store.purge(["m"], at=NOW)
    await store.put_documents([put("b", None)], at=NOW)
    await store.purge(["c"], at=NOW)
    assert all(check.ok for check in await store.check(repair=False))
