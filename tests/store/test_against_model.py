"""Random operations on a real store and on plain dictionaries side by side; they must never disagree."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change, Node
from nightgarden.domain.memory import GLOBAL, Memory, Status
from nightgarden.domain.ports import MemoryFilter, Store, View
from nightgarden.domain.searchable import indexed_terms
from nightgarden.domain.session import Passage
from nightgarden.domain.text import dedupe_key, query_terms
from nightgarden.errors import Conflict
from tests.store.conftest import ENGINES, Place
from tests.store.given import HOUR, MODEL, NOW, PROJECT, USER, dumped, edge, memory, passages_of, session

WORDS = ("roses", "tulips", "sun", "shade", "water", "HTTPServer", "薔薇", "a\x00b", "\U0001f337")
IDS = tuple(f"m{number}" for number in range(6))
TAGS = ("dry", "wet")

ids = st.sampled_from(IDS)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
tags = st.sets(st.sampled_from(TAGS)).map(lambda names: tuple(sorted(names)))
scopes = st.sampled_from((GLOBAL, PROJECT))
memories = st.builds(
    lambda id, text, names, scope, status: memory(
        id, text, tags=names, scope=scope, status=status, archived_at=NOW - HOUR if status is Status.ARCHIVED else None
    ),
    ids,
    texts,
    tags,
    scopes,
    st.sampled_from((Status.PROMOTED, Status.PROMOTED, Status.CANDIDATE, Status.ARCHIVED)),
)


class Garden:
    """What the store must be equal to."""

    def __init__(self) -> None:
        self.memories: dict[str, Memory] = {}
        self.edges: dict[str, Edge] = {}
        self.passages: dict[str, Passage] = {}
        self.messages: dict[str, list[str]] = {}
        self.vectors: dict[str, tuple[float, ...]] = {}
        self.tags: set[str] = set()
        self.uses: dict[str, int] = {}
        self.purged: set[str] = set()
        self.entries = 0

    def copy(self) -> Garden:
        other = Garden()
        for name, value in vars(self).items():
            setattr(other, name, value.copy() if isinstance(value, dict | set) else value)
        return other

    def take(self, changes: list[Change]) -> Garden:
        """The garden after the changes, or Conflict."""
        after = self.copy()
        for change in changes:
            after._take_one(change)
        return after

    def _take_one(self, change: Change) -> None:
        node = change.after if change.after is not None else change.before
        here: dict[str, Any] = self.memories if isinstance(node, Memory) else self.edges
        assert isinstance(node, Memory | Edge)
        key = node.id if isinstance(node, Memory) else node.key
        if here.get(key) != change.before:
            raise Conflict("not what is there")
        self.entries += 1
        if change.after is None:
            del here[key]
            if isinstance(node, Memory):
                self.forget(key)
        elif isinstance(change.after, Memory):
            self._put_memory(change.after)
        else:
            assert isinstance(change.after, Edge)
            if not {change.after.source, change.after.target} <= self.memories.keys():
                raise Conflict("an end is missing")
            here[key] = change.after

    def _put_memory(self, new: Memory) -> None:
        if new.live and any(
            other.live and other.id != new.id and (other.scope, said(other)) == (new.scope, said(new))
            for other in self.memories.values()
        ):
            raise Conflict("said already")
        if new.id in self.memories and self.memories[new.id].content != new.content:
            self.vectors.pop(new.id, None)
        self.entries += len(set(new.tags) - self.tags)
        self.tags |= set(new.tags)
        self.uses.setdefault(new.id, 0)
        self.memories[new.id] = new

    def forget(self, memory_id: str) -> None:
        self.memories.pop(memory_id, None)
        self.vectors.pop(memory_id, None)
        self.uses.pop(memory_id, None)
        self.edges = {key: each for key, each in self.edges.items() if memory_id not in (each.source, each.target)}

    def matching(self, terms: list[str]) -> set[str]:
        items: list[Memory | Passage] = [each for each in self.memories.values() if each.live]
        items += self.passages.values()
        return {item.id for item in items if set(indexed_terms(item).split()) & set(terms)}


def said(each: Memory) -> str:
    return dedupe_key(each.content)


class StoreAgainstModel(RuleBasedStateMachine):
    """Drives both. `place` makes a new garden for each run."""

    new_place: Callable[[], Place]

    @initialize()
    def start(self) -> None:
        self.runner = asyncio.Runner()
        self.place = type(self).new_place()
        self.model = Garden()
        self.store: Store = self.run(self.place.open())

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(work)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            checks = self.run(self.store.check(repair=False))
            self.run(self.store.close())
            self.runner.close()
            assert [check for check in checks if not check.ok] == []

    def apply(self, *pairs: tuple[Node | None, Node | None]) -> None:
        changes = [Change(before, after) for before, after in pairs]
        try:
            expected = self.model.take(changes)
        except Conflict:
            with pytest.raises(Conflict):
                self.run(self.store.apply(changes, USER, at=NOW))
        else:
            self.run(self.store.apply(changes, USER, at=NOW))
            self.model = expected

    @rule(new=memories)
    def create(self, new: Memory) -> None:
        self.apply((None, new))

    @rule(new=memories)
    def change(self, new: Memory) -> None:
        self.apply((self.model.memories.get(new.id), new))

    @rule(one=memories, two=memories)
    def change_two_at_once(self, one: Memory, two: Memory) -> None:
        after = one if one.id == two.id else self.model.memories.get(two.id)
        self.apply((self.model.memories.get(one.id), one), (after, two))

    @rule(id=ids, strength=st.integers(2, 3))
    def change_what_was_read_long_ago(self, id: str, strength: int) -> None:
        old = memory(id, "long ago")
        self.apply((old, replace(old, strength=strength)))

    @rule(id=ids)
    def remove(self, id: str) -> None:
        if before := self.model.memories.get(id):
            self.apply((before, None))

    @rule(one=ids, other=ids, weight=st.floats(0, 1), kind=st.sampled_from((EdgeKind.RELATES_TO, EdgeKind.SUPERSEDES)))
    def link(self, one: str, other: str, weight: float, kind: EdgeKind) -> None:
        link = edge(one, other, kind, weight=weight)
        self.apply((self.model.edges.get(link.key), link))

    @precondition(lambda self: self.model.edges)
    @rule(data=st.data())
    def unlink(self, data: st.DataObject) -> None:
        self.apply((self.model.edges[data.draw(st.sampled_from(sorted(self.model.edges)))], None))

    @rule(used=st.lists(ids, unique=True))
    def touch(self, used: list[str]) -> None:
        self.run(self.store.touch(used, at=NOW))
        for each in used:
            if each in self.model.uses:
                self.model.uses[each] += 1

    @rule(id=st.sampled_from(("s", "t")), said=st.lists(texts, min_size=1, max_size=3))
    def hear(self, id: str, said: list[str]) -> None:
        heard = session(id, *said)
        known = self.model.messages.setdefault(id, [])
        new = [message.id for message in heard.messages if message.id not in known]
        assert self.run(self.store.put_session(heard, passages_of(heard))) == len(new)
        known += new
        for passage in passages_of(heard):
            placed = replace(passage, position=known.index(passage.message_ids[0]))
            self.model.passages.setdefault(passage.id, placed)

    @rule(chosen=st.lists(st.sampled_from((*IDS, "p:s-0", "t")), unique=True, max_size=3))
    def purge(self, chosen: list[str]) -> None:
        model = self.model
        there = [each for each in chosen if each in (*model.memories, *model.passages, *model.messages)]
        assert self.run(self.store.purge(chosen, at=NOW)) == there
        for each in there:
            model.purged.add(each)
            if each in model.memories:
                model.purged.add(said(model.memories[each]))
                model.forget(each)
            gone = {each} if each in model.passages else {p.id for p in model.passages.values() if p.session_id == each}
            model.passages = {key: value for key, value in model.passages.items() if key not in gone}
            model.vectors = {key: value for key, value in model.vectors.items() if key not in gone}
            model.messages.pop(each, None)

    @rule()
    def embed(self) -> None:
        waiting = self.run(self.store.pending_vectors(MODEL.id, limit=100))
        items = {*self.model.memories, *self.model.passages}
        assert {each.id for each in waiting} == items - self.model.vectors.keys()
        vectors = {each.id: (float(len(each.text) % 3), 1.0, float(len(each.id)), 0.0) for each in waiting}
        if vectors:
            self.run(self.store.put_vectors(MODEL, list(vectors), np.array(list(vectors.values()), dtype=np.float32)))
            self.model.vectors |= vectors

    @rule()
    def open_again(self) -> None:
        self.run(self.store.close())
        self.store = self.run(self.place.open())

    @rule()
    def load_what_is_there(self) -> None:
        records = self.run(dumped(self.store))
        self.run(self.store.load(records))
        assert self.run(dumped(self.store)) == records

    @rule(query=texts)
    def search(self, query: str) -> None:
        terms = query_terms(query)
        hits = self.run(self.store.search_text(terms, View(now=NOW + HOUR), limit=100))
        assert {hit.id for hit in hits} == self.model.matching(terms)
        assert [(-hit.score, hit.id) for hit in hits] == sorted((-hit.score, hit.id) for hit in hits)

    @rule()
    def search_by_meaning(self) -> None:
        query = np.array([1, 0, 0, 0], dtype=np.float32)
        hits = self.run(self.store.search_vectors(query, MODEL.id, View(now=NOW + HOUR), limit=100))
        hidden = {each.id for each in self.model.memories.values() if not each.live}
        assert {hit.id for hit in hits} == self.model.vectors.keys() - hidden

    @invariant()
    def the_same_memories_with_the_same_uses(self) -> None:
        if hasattr(self, "store"):
            rows = self.run(self.store.list_memories(MemoryFilter(statuses=None)))
            assert rows == [self.model.memories[each] for each in sorted(self.model.memories)]
            assert {row.id: row.access_count for row in rows} == self.model.uses

    @invariant()
    def the_same_graph(self) -> None:
        if hasattr(self, "store"):
            edges = self.run(self.store.edges(list(IDS)))
            plain = {each.key: each for each in edges if each.kind is not EdgeKind.HAS_TAG}
            assert plain == self.model.edges
            carried = {(each.source, each.target) for each in edges if each.kind is EdgeKind.HAS_TAG}
            assert carried == {(m.id, f"tag:{name}") for m in self.model.memories.values() for name in m.tags}
            assert {tag.name for tag in self.run(self.store.tags())} == self.model.tags

    @invariant()
    def the_same_journal_sessions_and_tombstones(self) -> None:
        if hasattr(self, "store"):
            assert len(self.run(self.store.history())) == self.model.entries
            for id, messages in self.model.messages.items():
                assert [message.id for message in self.run(self.store.session(id)).messages] == messages
            keys = [*IDS, "p:s-0", "t", *map(said, self.model.memories.values())]
            assert self.run(self.store.tombstones(keys)) == self.model.purged & set(keys)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_store_behaves_like_plain_dictionaries(engine: str, new_place: Callable[[str], Place]) -> None:
    machine = type("Machine", (StoreAgainstModel,), {"new_place": staticmethod(lambda: new_place(engine))})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
