"""The PostgreSQL engine of the store: asyncpg, pgvector, one schema per garden."""

from nightgarden.store.postgres.store import PostgresStore, open_store

__all__ = ["PostgresStore", "open_store"]
