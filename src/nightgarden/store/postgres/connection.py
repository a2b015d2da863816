"""Opens a pool of connections to one garden: extension, schema, codecs and session settings."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import asyncpg

from nightgarden.errors import NightgardenError, StoreUnavailable
from nightgarden.store.postgres.address import Address
from nightgarden.store.postgres.faults import explain_refusal
from nightgarden.store.postgres.migrate import applied_numbers, known_migrations, lock_key, migrate, refuse_newer
from nightgarden.store.postgres.rows import decode_vector

if TYPE_CHECKING:
    from asyncpg import Connection, Pool

# A server that is away is said in our errors; the driver's own traceback of it goes only to who asks for its log.
logging.getLogger("asyncpg").addHandler(logging.NullHandler())

CONNECT_SECONDS = 10.0
STATEMENT_SECONDS = 30.0  # taste: a search takes milliseconds; what takes this long waits for something
PATIENT_SECONDS = 3600.0  # taste: building an index, checking or rewriting a large garden takes minutes
PATIENT_POOL_SIZE = 2
POOL_SIZE = 8  # taste: a few readers, the embedding queue and a writer; a server commonly allows 100 in all
MIN_SERVER_VERSION = 150000
MIN_VECTOR_VERSION = (0, 8)  # iterative index scans, without which a filtered search finds too little

# ef_search 100: pgvector's default of 40 returns at most 40 rows before a scan iterates. jit off: compiling costs more
# than any of our statements takes.
_SETTINGS = {
    "jit": "off",
    "timezone": "UTC",
    "hnsw.ef_search": "100",
    "hnsw.iterative_scan": "strict_order",
}


@dataclass(frozen=True, slots=True)
class OpenedPools:
    """Pools that lead to one garden, and whether it can be written. The patient one is for work on the whole garden."""

    pool: Pool
    patient: Pool
    read_only: bool


async def open_pool(address: Address) -> OpenedPools:
    """Connects, prepares the schema and returns a pool. Raises StoreUnavailable or NewerGarden."""
    try:
        vector_schema, read_only = await _prepare(address)
        pool = await _make_pool(address, vector_schema, sizes=(1, POOL_SIZE), seconds=STATEMENT_SECONDS)
        # Connects when it is first needed.
        patient = await _make_pool(address, vector_schema, sizes=(0, PATIENT_POOL_SIZE), seconds=PATIENT_SECONDS)
    except NightgardenError:
        raise
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
        raise explain_refusal(error, address.shown) from None  # the driver's own text may hold the password
    return OpenedPools(pool, patient, read_only)


async def _make_pool(address: Address, vector_schema: str, *, sizes: tuple[int, int], seconds: float) -> Pool:
    """Its statements take at most so many seconds."""
    return await asyncpg.create_pool(
        address.dsn,
        min_size=sizes[0],
        max_size=sizes[1],
        timeout=CONNECT_SECONDS,
        command_timeout=seconds + 5.0,  # a server that is frozen does not keep its own time
        server_settings=_SETTINGS
        | {
            "statement_timeout": f"{seconds * 1000:.0f}ms",
            "application_name": f"nightgarden {address.schema}"[:63],
            "search_path": _search_path(address.schema, vector_schema),
        },
        init=_codecs(vector_schema),
    )


def _search_path(schema: str, vector_schema: str) -> str:
    return f'"{schema}", "{vector_schema}"'


def _codecs(vector_schema: str) -> Any:
    # Vectors are sent as bytes, ready for the wire: the driver would take a numpy array for nested lists.
    async def init(connection: Connection) -> None:
        await connection.set_type_codec(
            "halfvec", schema=vector_schema, encoder=bytes, decoder=decode_vector, format="binary"
        )

    return init


async def _prepare(address: Address) -> tuple[str, bool]:
    """Extension and schema. Returns where the extension lives, and whether the server only reads."""
    connection = await asyncpg.connect(address.dsn, timeout=CONNECT_SECONDS, server_settings={"jit": "off"})
    try:
        if connection.get_server_version() < (MIN_SERVER_VERSION // 10000, 0):
            raise StoreUnavailable(f"{address.shown} is older than PostgreSQL 15; upgrade the server")
        read_only = await connection.fetchval("SELECT current_setting('transaction_read_only') = 'on'")
        vector_schema = await _vector_extension(connection, address, read_only=read_only)
        await connection.execute(f"SET search_path = {_search_path(address.schema, vector_schema)}")
        if read_only:
            applied = await applied_numbers(connection, address.schema)
            refuse_newer(applied, address.schema, known_migrations())
            if len(applied) < len(known_migrations()):
                raise StoreUnavailable(f"{address.shown} only reads, and holds no garden of this version yet")
        else:
            await migrate(connection, address.schema)
        return vector_schema, read_only
    finally:
        await connection.close(timeout=CONNECT_SECONDS)


async def _vector_extension(connection: Connection, address: Address, *, read_only: bool) -> str:
    where = """SELECT n.nspname, e.extversion FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
               WHERE e.extname = 'vector'"""
    found = await connection.fetchrow(where)
    if found is None and not read_only:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", lock_key("nightgarden.extension"))
            try:
                await connection.execute("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
            except (asyncpg.UndefinedFileError, asyncpg.FeatureNotSupportedError):
                raise StoreUnavailable(
                    f"{address.shown} lacks the pgvector extension; install it on the server (package pgvector)"
                ) from None
        found = await connection.fetchrow(where)
    if found is None:
        raise StoreUnavailable(f"{address.shown} lacks the pgvector extension; run CREATE EXTENSION vector there")
    if tuple(int(part) for part in found["extversion"].split(".")[:2]) < MIN_VECTOR_VERSION:
        raise StoreUnavailable(
            f"{address.shown} has pgvector {found['extversion']}; 0.8 is needed: run ALTER EXTENSION vector UPDATE"
        )
    schema: str = found["nspname"]
    return schema
