"""The embedded store: one SQLite file, one writer thread, readers in many threads and processes."""

from nightgarden.store.sqlite.opening import open_store
from nightgarden.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore", "open_store"]
