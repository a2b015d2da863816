"""Every table of both stores is part of dump, load, empty, purge and the doctor, or the reason why not stands here."""

from __future__ import annotations

import asyncio
import inspect
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from importlib import resources
from types import ModuleType

import asyncpg
import numpy as np
import pytest

from nightgarden.domain.documents import Put
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster
from nightgarden.domain.memory import GLOBAL
from nightgarden.domain.mind_call import CallOutcome, MindCall
from nightgarden.domain.ports import Store
from nightgarden.store.exchange.move import fingerprint, move
from nightgarden.store.postgres import doctor as postgres_check
from nightgarden.store.postgres import documents as postgres_documents
from nightgarden.store.postgres import dump as postgres_dump
from nightgarden.store.postgres import erase as postgres_erase
from nightgarden.store.postgres.address import read_address
from nightgarden.store.sqlite import dump as sqlite_dump
from tests.store.conftest import Place
from tests.store.given import MODEL, NOW, add, add_session, dumped, edge, memory, session
from tests.store.server import Server

# Follow from other tables, which are dumped.
DERIVED = {"item", "memory_tag", "cluster_member", "posting", "term", "corpus"}
OF_THE_SCHEMA = {"migration"}
# By type of record, where it is called otherwise than its table.
CALLED = {"vector_model": "model", "item_vector": "vector"}
# Hold ids, numbers and names of models, never what was said: nothing of them is erased.
WITHOUT_WORDS = {"edge", "model", "vector_model", "mind_call", "tombstone", "memory_tag", "cluster_member", "corpus"}
# The server's own checks and constraints are enough for rows that nothing follows from.
WITHOUT_DOCTOR = {"session", "message", "tombstone", "gap", "mind_call", "state"}


async def plant(store: Store) -> None:
    """Something in every table."""
    await add(store, memory("a", "roses need sun", tags=("bed",)), memory("b", "tulips need shade"), edge("a", "b"))
    cluster = Cluster(id="c", name="bed", scope=GLOBAL, member_ids=("a",), created_at=NOW, updated_at=NOW)
    gap = Gap(
        id="g", snippet="which bed?", session_id="s", scope=GLOBAL, seen_count=1, created_at=NOW, last_seen_at=NOW
    )
    await add(store, cluster, gap, memory("gone", "to be purged"))
    await add_session(store, session("s", "the bed is dry"))
    await store.put_vectors(MODEL, ["a"], np.array([[1, 0, 0, 0]], dtype=np.float32))
    await store.purge(["gone"], at=NOW)
    await store.put_state("note", 1)
    await store.put_documents([Put(kind="task", key="t", value={"text": "water"}, expected=0, due_at=NOW)], at=NOW)
    call = MindCall(
        id="call",
        at=NOW,
        budget="mind",
        provider="claude",
        model="haiku",
        purpose="extract",
        outcome=CallOutcome.OPEN,
        charged_tokens=1,
        charged_usd=0.0,
    )
    await store.open_call(call, None)


def sqlite_rows(place: Place) -> dict[str, int]:
    with closing(sqlite3.connect(place.address)) as db:
        names = [
            name
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith(("sqlite_", "item_text"))
        ]
        return {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


async def postgres_rows(server: Server, place: Place) -> dict[str, int]:
    connection = await asyncpg.connect(server.dsn)
    try:
        await connection.execute(f'SET search_path = "{read_address(place.address).schema}", public')
        found = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {row[0]: await connection.fetchval(f'SELECT count(*) FROM "{row[0]}"') for row in found}
    finally:
        await connection.close()


async def rows_of(request: pytest.FixtureRequest, place: Place) -> dict[str, int]:
    if place.engine == "sqlite":
        return await asyncio.to_thread(sqlite_rows, place)
    return await postgres_rows(request.getfixturevalue("postgres_server"), place)


async def test_a_row_of_every_table_is_dumped_loaded_emptied_and_moved(
    request: pytest.FixtureRequest, place: Place, new_place: Callable[[str], Place]
) -> None:
    store = await place.open()
    await plant(store)
    filled = await rows_of(request, place)
    assert [name for name, count in filled.items() if not count] == [], "plant() leaves no table empty"
    wanted = {CALLED.get(name, name) for name in filled.keys() - DERIVED - OF_THE_SCHEMA}
    records = await dumped(store)
    assert {record["type"] for record in records} == wanted
    assert all(await store.existing(records))
    for engine in ("sqlite", "postgres"):
        target_place = new_place(engine)
        target = await target_place.open()
        await move(store, target)
        assert await fingerprint(target) == await fingerprint(store)
        assert [name for name, count in (await rows_of(request, target_place)).items() if not count] == []
        await target.close()
    await store.empty()
    left = {name for name, count in (await rows_of(request, place)).items() if count}
    assert left == {"state", "migration", "corpus"}
    assert await store.existing(records) == [record["type"] == "state" for record in records]
    await store.load(records)
    assert await dumped(store) == records
    again = await rows_of(request, place)
    assert {name: again[name] for name in filled.keys() - {"term"}} == {
        name: filled[name]
        for name in filled.keys() - {"term"}  # words of what was purged are let go by scrub
    }
    await store.close()


def words_of(*modules: ModuleType, files: tuple[str, ...] = ()) -> set[str]:
    texts = [inspect.getsource(module) for module in modules]
    texts += [resources.files("nightgarden.store").joinpath(file).read_text() for file in files]
    return {word for text in texts for word in re.findall(r"[a-z_]+", text)}


async def test_every_table_that_holds_words_is_reached_by_purge_and_rewritten_by_scrub(
    request: pytest.FixtureRequest, new_place: Callable[[str], Place]
) -> None:
    place = new_place("postgres")
    await (await place.open()).close()
    tables = set(await rows_of(request, place)) - OF_THE_SCHEMA - WITHOUT_WORDS
    assert tables - {*postgres_erase._WORDED, "term"} == set()  # a term is the hash of a word
    reached = words_of(
        postgres_erase, postgres_documents, files=("postgres/read.sql", "postgres/write.sql", "postgres/documents.sql")
    )
    assert tables - reached == set()


async def test_the_doctor_looks_at_every_table(
    request: pytest.FixtureRequest, new_place: Callable[[str], Place]
) -> None:
    place = new_place("sqlite")
    await (await place.open()).close()
    tables = set(await rows_of(request, place)) - OF_THE_SCHEMA - DERIVED
    assert tables == set(sqlite_dump.TABLES)  # `records` reads all of these, and rescue saves them
    place = new_place("postgres")
    await (await place.open()).close()
    tables = set(await rows_of(request, place)) - OF_THE_SCHEMA - WITHOUT_DOCTOR
    looked_at = words_of(postgres_check, files=("postgres/whole.sql",))
    assert tables - looked_at == set()
    assert {kind for kind, _ in postgres_dump._DUMPED} == set(sqlite_dump.TABLES)
