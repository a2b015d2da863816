"""Random puts of documents on a real store and on a dictionary side by side; they must never disagree."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nightgarden.domain.documents import ABSENT, Document, Put
from nightgarden.domain.ports import Store
from nightgarden.errors import Conflict
from tests.store.conftest import ENGINES, Place
from tests.store.given import NOW, dumped

Name = tuple[str, str]
json_values = st.recursive(
    st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner | st.none(), max_size=3),
    max_leaves=6,
)
moments = st.integers(0, 3).map(lambda hours: NOW + timedelta(hours=hours))
puts = st.builds(
    Put,
    kind=st.sampled_from(["task", "thought"]),
    key=st.sampled_from(["a", "b", "ä/c"]),
    value=st.none() | json_values,
    expected=st.none() | st.integers(0, 3),
    owner=st.sampled_from(["", "project:x"]),
    status=st.sampled_from(["", "open", "done"]),
    due_at=st.none() | moments,
)
batches = st.lists(st.tuples(st.lists(puts, min_size=1, max_size=3), moments), max_size=8)


def take(model: dict[Name, Document], batch: list[Put], at: datetime) -> dict[Name, Document] | None:
    """The dictionary after the batch, None where it must be refused."""
    after = dict(model)
    for put in batch:
        name = put.kind, put.key
        there = after.get(name)
        version = there.version if there else ABSENT
        if put.expected not in (None, version):
            return None
        if put.value is None:
            after.pop(name, None)
            continue
        fields = {"owner": put.owner, "status": put.status, "due_at": put.due_at, "value": put.value}
        made = there or Document(kind=put.kind, key=put.key, version=0, value=None, created_at=at, updated_at=at)
        after[name] = replace(made, version=version + 1, updated_at=at, **fields)
    return after


def due_by(document: Document, moment: datetime) -> bool:
    return document.due_at is not None and document.due_at <= moment


async def agree(store: Store, model: dict[Name, Document]) -> None:
    for kind in ("task", "thought"):
        mine = sorted((each for each in model.values() if each.kind == kind), key=lambda each: each.key.encode())
        assert await store.list_documents(kind) == mine
        assert await store.list_documents(kind, newest_first=True, limit=2) == mine[::-1][:2]
        done = [each for each in mine if each.status == "done" and each.owner == ""]
        assert await store.list_documents(kind, owner="", statuses=["done"]) == done
        due = sorted(
            (each for each in mine if due_by(each, NOW + timedelta(hours=1))), key=lambda each: str(each.due_at)
        )
        assert await store.list_documents(kind, due_before=NOW + timedelta(hours=1)) == due
    assert len(await dumped(store)) == len(model)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_store_of_documents_is_a_dictionary_with_versions(new_place: Callable[[str], Place], engine: str) -> None:
    runner = asyncio.Runner()
    store = runner.run(new_place(engine).open())

    async def play(steps: list[tuple[list[Put], datetime]]) -> None:
        await store.empty()
        model: dict[Name, Document] = {}
        for batch, at in steps:
            after = take(model, batch, at)
            if after is None:
                with pytest.raises(Conflict):
                    await store.put_documents(batch, at=at)
            else:
                written = await store.put_documents(batch, at=at)
                assert [each is None for each in written] == [put.value is None for put in batch]
                model = after
            await agree(store, model)

    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(batches)
    def check(steps: list[tuple[list[Put], datetime]]) -> None:
        runner.run(play(steps))

    try:
        check()
    finally:
        runner.run(store.close())
        runner.close()
