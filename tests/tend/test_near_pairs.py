"""Near pairs at night are read as they would have been by day: merged, replaced, flagged, or left as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from nightgarden.domain.classify import Classifier, RelationScores
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.memory import Category, Memory, Provenance
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.remember import relations
from nightgarden.remember.likelihood import Likelihood
from nightgarden.tend import pair_relations
from nightgarden.tend.tending import LentTending
from nightgarden.tend.undo import undo
from tests.remember.scripted import Scripted, scores
from tests.store.given import add as put
from tests.tend.given import DAY, MODEL, NOW, add, at_cosine, direction, memory, said, tended

MINUTE = DAY / 1440
BRANCH = ("The default branch is main", "The default branch is develop")
MAIL = ("Mail goes out through Postmark", "Postmark delivers our outgoing mail")


class Reader(Scripted):
    """Says of each pair what a test gives, and remembers what it was asked."""

    def __init__(self, relation: RelationScores) -> None:
        super().__init__(relation=relation)
        self.asked: list[tuple[str, str]] = []

    def relate_to(self, newer: str, older: Sequence[str]) -> list[RelationScores]:
        self.asked += [(each, newer) for each in older]
        return super().relate_to(newer, older)


def lent(reader: Reader) -> LentTending:
    async def classifier() -> Classifier | None:
        return reader

    return LentTending(model=MODEL, classifier=classifier)


async def plant(store: Store, texts: Sequence[str], cosine: float = 0.96, **fields: Any) -> list[Memory]:
    given = {"provenance": Provenance.USER_STATED} | fields
    pair = [memory(n, text, age_days=9.0 - 3 * n, **given) for n, text in enumerate(texts, start=1)]
    await add(store, pair, [direction(0), at_cosine(cosine)])
    return pair


async def live(store: Store) -> dict[str, Memory]:
    return {each.id: each for each in await store.list_memories(MemoryFilter()) if each.live}


async def test_what_says_the_same_in_other_words_becomes_one_and_undo_brings_it_back(store: Store) -> None:
    await plant(store, MAIL)
    before = await said(store)
    assert (await tended(store, "merge", cycle="by signs")).changes == 0
    reader = Reader(scores(same=0.99))
    report = await tended(store, "merge", cycle="night", at=NOW + MINUTE, lent=lent(reader), full=True, allow_loss=True)
    assert report.operations["merge"].counts == {"merged": 1}
    assert len(await live(store)) == 1
    await undo(store, "night", actor="user", at=NOW + 2 * MINUTE)
    assert await said(store) == before


async def test_what_is_outdated_is_replaced_by_the_newer_one(store: Store) -> None:
    older, newer = await plant(store, BRANCH)
    before = await said(store)
    report = await tended(store, "merge", "resolve", cycle="night", lent=lent(Reader(scores(changes=0.99))))
    assert report.operations["resolve"].counts == {"settled": 1}
    assert list(await live(store)) == [newer.id]
    ((kept, edge),) = [(e.source, e) for e in await store.edges([older.id], kinds=[EdgeKind.SUPERSEDES])]
    assert (kept, edge.target) == (newer.id, older.id)
    await undo(store, "night", actor="user", at=NOW + MINUTE)
    assert await said(store) == before


@pytest.mark.parametrize(
    ("texts", "fields", "said_by_networks"),
    [
        (BRANCH, {}, scores(changes=0.6, compatible=0.4)),  # likely, not certain
        (("Never use eval", "We use eval"), {"category": Category.NEGATIVE}, scores(changes=0.99)),
        (BRANCH, {"created_at": NOW - DAY}, scores(changes=0.99)),  # at one moment: neither is the newer one
    ],
)
async def test_what_is_likely_or_may_not_fall_is_flagged_and_not_read_again(
    garden_store: Store,
    monkeypatch: pytest.MonkeyPatch,
    texts: Sequence[str],
    fields: dict[str, Any],
    said_by_networks: RelationScores,
) -> None:
    as_said = Likelihood(same=said_by_networks.same, changes=said_by_networks.changes)
    monkeypatch.setattr(relations, "likelihood", lambda *_: as_said)  # what follows is no matter of fitted weights
    older, newer = await plant(garden_store, texts, **fields)
    reader = Reader(said_by_networks)
    await tended(garden_store, "merge", "resolve", lent=lent(reader))
    left = await live(garden_store)
    assert (bool(left[older.id].flagged), bool(left[newer.id].flagged)) == (False, True)
    asked = len(reader.asked)
    await tended(garden_store, "merge", "resolve", at=NOW + MINUTE, full=True, lent=lent(reader))
    assert len(reader.asked) == asked
    assert await live(garden_store) == left


async def test_what_the_user_let_stand_side_by_side_is_never_merged(garden_store: Store) -> None:
    one, other = await plant(garden_store, MAIL)
    await put(
        garden_store,
        Edge(source=other.id, target=one.id, kind=EdgeKind.CONTRADICTS, created_at=NOW, updated_at=NOW),
    )
    reader = Reader(scores(same=0.99))
    await tended(garden_store, "merge", "consolidate", "resolve", lent=lent(reader), allow_loss=True)
    assert len(await live(garden_store)) == 2
    assert not reader.asked


@pytest.mark.parametrize(
    "relation", [scores(compatible=0.9), scores(narrows=0.9), scores(excepts=0.9), scores(unrelated=0.9)]
)
async def test_what_stands_beside_stays_as_it_is(garden_store: Store, relation: RelationScores) -> None:
    await plant(garden_store, BRANCH)
    report = await tended(garden_store, "merge", "resolve", lent=lent(Reader(relation)))
    assert report.changes == 0


async def test_each_pair_is_read_once_a_run(garden_store: Store) -> None:
    await plant(garden_store, BRANCH)
    reader = Reader(scores(compatible=0.9))
    await tended(garden_store, "merge", "consolidate", "resolve", lent=lent(reader))
    assert reader.asked == [BRANCH]
    await tended(garden_store, "merge", "resolve", at=NOW + MINUTE, lent=lent(reader))
    assert reader.asked == [BRANCH], "nothing is new"


@pytest.mark.parametrize(("operation", "done"), [("merge", "merged"), ("resolve", "settled")])
async def test_what_a_run_has_no_time_to_read_is_read_by_the_next_nearest_first(
    garden_store: Store, monkeypatch: pytest.MonkeyPatch, operation: str, done: str
) -> None:
    texts, relation = (MAIL, scores(same=0.99)) if operation == "merge" else (BRANCH, scores(changes=0.99))
    memories, vectors = [], []
    for plane in range(5):
        number, repository = 2 * plane + 1, "ABCDE"[plane]
        memories += [memory(number, f"{texts[0]} in repository {repository}", age_days=9)]
        memories += [memory(number + 1, f"{texts[1]} in repository {repository}", age_days=3)]
        vectors += [direction(0, plane), at_cosine(0.99 - 0.005 * plane, plane)]
    await add(garden_store, memories, vectors)
    monkeypatch.setattr(pair_relations, "READINGS_MAX", {"merge": 2, "resolve": 16}[operation])
    counts, readers = [], []
    for night in range(4):
        readers.append(Reader(relation))
        at = NOW + night * MINUTE
        report = await tended(garden_store, operation, at=at, lent=lent(readers[-1]), allow_loss=True)
        counts.append(report.operations[operation].counts.get(done, 0))
    assert sum(counts) == 5
    assert counts[0] < 5
    assert counts[-1] == 0
    assert readers[0].asked[0][0].endswith("A")
    assert len(await live(garden_store)) == 5


async def test_a_run_that_breaks_off_does_what_it_had_found(
    garden_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the networks would say of a garden half changed is another matter."""
    _, newer = await plant(garden_store, BRANCH)

    def broken(*_: object, **__: object) -> Callable[..., None]:
        raise RuntimeError("power cut")

    with monkeypatch.context() as patched:
        patched.setattr("nightgarden.tend.run.make", broken)
        with pytest.raises(RuntimeError):
            await tended(garden_store, "resolve", cycle="night", lent=lent(Reader(scores(changes=0.99))))
    changed = replace(scores(compatible=0.9))
    report = await tended(garden_store, "resolve", at=NOW + MINUTE, lent=lent(Reader(changed)))
    assert report.resumed
    assert list(await live(garden_store)) == [newer.id]
