"""What is PostgreSQL's own: addresses, opening, migrations, plain words for the server's troubles, repairs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncpg
import numpy as np
import pytest

from nightgarden.domain.ports import View
from nightgarden.errors import BadInput, NewerGarden, StoreUnavailable
from nightgarden.store.postgres import connection as connect
from nightgarden.store.postgres import open_store
from nightgarden.store.postgres.address import read_address
from nightgarden.store.postgres.migrate import Migration, known_migrations, migrate
from nightgarden.store.postgres.statements import compile_statement, load_statements
from tests.store.given import MODEL, NOW, add, add_session, dumped, found, memory, session

PICTURE = Path(__file__).with_name("postgres_schema.txt")
FRAGMENTS = {"memory_filter", "all_kinds_of_edges", "bm25", "sees", "existing", "vector_keys"}


@pytest.fixture
def url(new_place) -> str:
    return new_place("postgres").address


@pytest.fixture
async def garden(url):
    store = await open_store(url)
    yield store
    await store.close()


@pytest.fixture
async def server(postgres_server, url):
    """A connection of the administrator, looking at the garden's schema."""
    connection = await asyncpg.connect(postgres_server.dsn)
    await connection.execute(f'SET search_path = "{read_address(url).schema}", public')
    yield connection
    await connection.close()


@pytest.mark.parametrize(
    ("url", "schema", "shown"),
    [
        ("postgresql://u:pw@h/d", "nightgarden", "postgresql://u@h/d?schema=nightgarden"),
        ("postgres://u:pw@h:5433/d?schema=roses", "roses", "postgresql://u@h:5433/d?schema=roses"),
        (
            "postgresql://u:pw@h/d?garden=roses&sslmode=require&password=pw",
            "roses",
            "postgresql://u@h/d?sslmode=require&schema=roses",
        ),
        ("postgresql:///d?host=/run/pg", "nightgarden", "postgresql:///d?host=/run/pg&schema=nightgarden"),
    ],
)
def test_an_address_names_a_garden_and_is_shown_without_its_password(url, schema, shown):
    address = read_address(url)
    assert (address.schema, address.shown) == (schema, shown)
    assert "pw" not in repr(address)
    assert "schema=" not in address.dsn
    assert "garden=" not in address.dsn


@pytest.mark.parametrize(
    "url",
    [
        "mysql://h/d",
        "postgresql://h/d?schema=Roses",
        "postgresql://h/d?schema=a%22b",
        "postgresql://h/d?schema=pg_catalog",
        "postgresql://h/d?schema=",
        "postgresql://h/d?schema=a&garden=b",
        "postgresql://h:port/d",
    ],
)
def test_an_address_that_cannot_be_meant_is_bad_input(url):
    with pytest.raises(BadInput):
        read_address(url)


async def test_a_wrong_password_is_said_in_plain_words_without_it(postgres_server):
    rules = postgres_server.data / "pg_hba.conf"
    allowed = rules.read_text()
    name = postgres_server.new_schema("locked")
    await asyncio.to_thread(postgres_server.run, f"CREATE ROLE {name} LOGIN PASSWORD 'right'")
    try:
        rules.write_text(f"local all {name} scram-sha-256\n{allowed}")
        await asyncio.to_thread(postgres_server.run, "SELECT pg_reload_conf()")
        with pytest.raises(StoreUnavailable, match="password") as caught:
            await open_store(f"postgresql://{name}:hunter2@/postgres?host={postgres_server.data}")
        assert "hunter2" not in str(caught.value)
        with pytest.raises(StoreUnavailable, match="may not create"):
            await open_store(f"postgresql://{name}:right@/postgres?host={postgres_server.data}")
    finally:
        rules.write_text(allowed)
        await asyncio.to_thread(postgres_server.run, "SELECT pg_reload_conf()", f"DROP ROLE {name}")


async def test_a_missing_database_is_said_in_plain_words(postgres_server):
    with pytest.raises(StoreUnavailable, match="no such database"):
        await open_store(f"postgresql://postgres@/nowhere?host={postgres_server.data}")


@pytest.mark.parametrize("url", ["postgresql://u:hunter2@127.0.0.1:1/d", "postgresql://u:hunter2@/d?host=/nowhere"])
async def test_a_server_that_is_down_is_said_in_plain_words_without_the_password(url):
    with pytest.raises(StoreUnavailable, match="no server answers") as caught:
        await open_store(url)
    assert "hunter2" not in str(caught.value)


async def test_a_connection_lost_midway_is_said_and_the_next_call_works(garden, server):
    await add(garden, memory("a"))
    await server.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = left('nightgarden ' || current_schema(), 63)"
    )
    outcomes = await asyncio.gather(*(garden.memories(["a"]) for _ in range(3)), return_exceptions=True)
    assert [outcome for outcome in outcomes if not isinstance(outcome, StoreUnavailable | list)] == []
    assert len(await garden.memories(["a"])) == 1


async def test_a_newer_garden_is_refused_and_left_as_it_is(garden, server, url):
    newest = known_migrations()[-1].number
    await server.execute("INSERT INTO migration (number, name) VALUES ($1, 'later')", newest + 1)
    with pytest.raises(NewerGarden, match="upgrade the program"):
        await open_store(url)


async def test_processes_that_open_a_new_garden_at_once_migrate_it_once(url, server):
    stores = await asyncio.gather(*(open_store(url) for _ in range(4)))
    await asyncio.gather(*(add(store, memory(f"m{at}")) for at, store in enumerate(stores)))
    for store in stores:
        await store.close()
    assert await server.fetchval("SELECT count(*) FROM migration") == len(known_migrations())


async def test_a_migration_that_fails_leaves_neither_tables_nor_record(garden, server, url):
    await add(garden, memory("a"))
    schema = read_address(url).schema
    last = known_migrations()[-1].number
    bad = Migration(last + 1, "bad", "CREATE TABLE half (x int); SELECT 1 / 0")
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(server, schema, (*known_migrations(), bad))
    assert await server.fetchval("SELECT to_regclass('half')") is None
    good = Migration(last + 1, "good", "CREATE TABLE whole (x int)")
    assert await migrate(server, schema, (*known_migrations(), good)) == [last + 1]
    assert await garden.memories(["a"]) == [memory("a")]


async def test_the_schema_is_the_sum_of_its_migrations(garden, server):
    """The picture is what a reader may rely on; a migration that changes it changes the file too."""
    rows = await server.fetch(
        """SELECT format('table %s: %s %s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
               CASE WHEN a.attnotnull THEN ' not null' ELSE '' END) AS line
           FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
           WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
           UNION ALL SELECT 'index ' || replace(indexdef, schemaname || '.', '') FROM pg_indexes
           WHERE schemaname = current_schema()
           UNION ALL SELECT format('constraint on %s: %s', conrelid::regclass, pg_get_constraintdef(oid))
           FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype <> 'n'"""
    )
    assert sorted(row["line"] for row in rows) == PICTURE.read_text().splitlines()


async def test_every_statement_is_one_that_the_server_understands(garden, server):
    for file in ("read.sql", "write.sql", "search.sql", "whole.sql", "documents.sql"):
        for name, statement in load_statements(file).items():
            if name not in FRAGMENTS:
                await server.prepare(statement.sql.replace("MODEL", "1").replace("DIMENSION", "3"))


def test_parameters_are_numbered_by_name_and_fragments_are_taken_in():
    statement = compile_statement("SELECT :a::text, {{part}} WHERE x = :a", {"part": ":b::int"})
    assert statement.sql == "SELECT $1::text, $2::int WHERE x = $1"
    assert statement.values({"b": 2, "a": 1}) == [1, 2]


async def test_gardens_on_one_server_do_not_see_each_other(new_place):
    one, two = [await new_place("postgres").open() for _ in range(2)]
    await add(one, memory("a", "roses"))
    assert await found(two, "roses") == []
    assert await dumped(two) == []
    await one.close()
    await two.close()


async def test_an_id_with_a_nul_is_bad_input(garden):
    with pytest.raises(BadInput):
        await add(garden, memory("a\x00b"))
    with pytest.raises(BadInput):
        await garden.memories(["\ud800"])


async def test_a_garden_that_a_newer_program_migrated_meanwhile_is_read_and_not_written(garden, server):
    await add(garden, memory("a"))
    assert not garden.outdated
    await server.execute("INSERT INTO migration (number, name) VALUES (9999, 'of later')")
    writes = (
        add(garden, memory("b")),
        garden.put_vectors(MODEL, ["a"], np.zeros((1, 4), dtype=np.float32)),
        garden.touch(["a"], at=NOW),
        garden.put_state("x", 1),
        garden.purge(["a"], at=NOW),
    )
    for write in writes:
        with pytest.raises(NewerGarden):
            await write
    assert garden.outdated
    assert [each.id for each in await garden.memories(["a", "b"])] == ["a"]


async def test_a_statement_that_waits_too_long_is_given_up_in_words(url, server, monkeypatch):
    monkeypatch.setattr(connect, "STATEMENT_SECONDS", 0.2)
    store = await open_store(url)
    try:
        async with server.transaction():
            await server.execute("LOCK TABLE memory IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(StoreUnavailable, match="took too long"):
                await store.memories(["a"])
            with pytest.raises(StoreUnavailable, match="took too long"):
                await add(store, memory("a"))
        await add(store, memory("a"))
    finally:
        await store.close()


async def test_work_on_the_whole_garden_may_take_longer_than_a_statement(url, server, monkeypatch):
    monkeypatch.setattr(connect, "STATEMENT_SECONDS", 2.0)
    store = await open_store(url)
    schema = read_address(url).schema
    ids = [f"m{number}" for number in range(5001)]
    await server.execute(
        f"""CREATE FUNCTION slowly() RETURNS event_trigger LANGUAGE plpgsql AS $$
            BEGIN IF current_schema() = '{schema}' THEN PERFORM pg_sleep(2.5); END IF; END $$;
        CREATE EVENT TRIGGER "{schema}" ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION slowly()"""
    )
    try:
        for start in range(0, len(ids), 1000):
            await add(store, *(memory(each) for each in ids[start : start + 1000]))
        vectors = np.random.default_rng(1).normal(size=(len(ids), 4)).astype(np.float32)
        for start in range(0, len(ids), 1000):
            await store.put_vectors(MODEL, ids[start : start + 1000], vectors[start : start + 1000])
        assert await server.fetchval("SELECT indexed FROM vector_model")
    finally:
        await server.execute(f'DROP EVENT TRIGGER "{schema}"')
        await store.close()


async def test_an_index_is_built_once_there_are_many_vectors_and_dropped_with_them(garden, server):
    count = 5001
    ids = [f"m{number}" for number in range(count)]
    await add(garden, *(memory(each) for each in ids))
    vectors = np.random.default_rng(1).normal(size=(count, 4)).astype(np.float32)
    indexes = (  # not pg_indexes: it reads definitions, also of what another test drops at this moment
        "SELECT count(*) FROM pg_class i JOIN pg_am a ON a.oid = i.relam"
        " WHERE a.amname = 'hnsw' AND i.relnamespace = current_schema()::regnamespace"
    )
    await garden.put_vectors(MODEL, ids[:5000], vectors[:5000])
    assert await server.fetchval(indexes) == 0
    await garden.put_vectors(MODEL, ids[5000:], vectors[5000:])
    assert await server.fetchval(indexes) == 1
    found = [await garden.search_vectors(vector, MODEL.id, View(now=NOW), limit=1) for vector in vectors[:20]]
    exact = [hit.score == pytest.approx(1.0, abs=2e-3) for (hit,) in found]
    assert sum(exact) >= 18  # the index is approximate, and built by chance: now and then it finds the next best
    await garden.drop_vectors(except_model_id="other")
    assert await server.fetchval(indexes) == 0


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        ("DELETE FROM posting WHERE item = (SELECT min(item) FROM posting)", "terms"),
        ("UPDATE posting SET frequency = frequency + 1", "terms"),
        ("INSERT INTO posting VALUES (1, 999999, 1, 1)", "terms"),
        ("UPDATE term SET items = items + 1", "term counts"),
        ("DELETE FROM term", "term counts"),
        ("UPDATE corpus SET items = 99", "term counts"),
        ("DELETE FROM memory_tag", "tags"),
        ("DELETE FROM memory_tag; DELETE FROM tag", "tags"),
        ("DELETE FROM memory WHERE id = 'b'", "items"),
        ("UPDATE vector_model SET dimension = 5", "vector sizes"),
    ],
)
async def test_damage_is_found_repaired_and_said(garden, server, damage, check):
    await add(garden, memory("a", "roses need sun", tags=("sun",)), memory("b", "tulips \x00 \ud800"))
    await add_session(garden, session("s", "roses said"))
    await garden.put_vectors(MODEL, ["a"], np.array([[1, 0, 0, 0]], dtype=np.float32))
    await server.execute(damage)
    assert check in [line.name for line in await garden.check(repair=False) if not line.ok]
    repaired = [line for line in await garden.check(repair=True) if line.repaired]
    assert check in [line.name for line in repaired]
    assert all("repaired" in line.detail for line in repaired)
    assert [line for line in await garden.check(repair=False) if not line.ok] == []
    assert sorted(await found(garden, "roses")) == ["a", "p:s-0"]


async def test_a_server_that_only_reads_is_opened_for_reading(garden, server, url):
    await add(garden, memory("a", "roses"))
    await server.execute("CREATE ROLE reader LOGIN SUPERUSER; ALTER ROLE reader SET default_transaction_read_only = on")
    try:
        reading = await open_store(url.replace("postgres@", "reader@"))
        assert reading.read_only
        assert await found(reading, "roses") == ["a"]
        with pytest.raises(StoreUnavailable, match="only reads"):
            await add(reading, memory("b"))
        await reading.close()
    finally:
        await server.execute("DROP ROLE reader")
