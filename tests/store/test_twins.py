"""The two stores are twins: what both have is in files, statements and methods of the same names."""

from __future__ import annotations

import inspect
import re
from importlib import resources

from nightgarden.domain.ports import Store
from nightgarden.store.postgres.statements import load_statements
from nightgarden.store.postgres.store import PostgresStore
from nightgarden.store.sqlfile import load_queries, take_in
from nightgarden.store.sqlite.store import SqliteStore

# What one engine needs and the other has no use for.
SQLITE_ALONE = {
    *("lock", "opening", "swap", "streaming"),  # one file, opened and replaced, read by threads
    *("damage", "rescue", "salvage", "carve", "pages"),  # damaged bytes; a server checks its own
    *("listing", "vector_rows"),  # clauses that are set alone reach SQLite; vectors without numpy
}
POSTGRES_ALONE = {
    *("address", "faults", "statements"),  # a server, reached by a driver
    *("terms", "hidden", "nodes"),  # full text as tables of our own, and writing in batches
}
# Statements that take other parameters in the two: many at once, or clauses that are added in Python.
OTHER_PARAMETERS = {
    *("all_edges", "all_vectors", "blank_entries", "drop_vectors", "hidden_passages", "remove_entries_of"),
    *("said_between", "triggered", "visible", "list_memories", "list_documents"),
    *("passages_to_archive", "put_gap"),  # moments as text there, as moments here
}
SHARED_MIN = 72  # statements of the same name; a new pair gets one name and raises this
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)\b")


def modules(engine: str) -> set[str]:
    names = [entry.name for entry in resources.files(f"nightgarden.store.{engine}").iterdir()]
    return {name.removesuffix(".py") for name in names if name.endswith(".py")} - {"__init__"}


def test_what_both_do_stands_in_files_of_the_same_name() -> None:
    sqlite, postgres = modules("sqlite"), modules("postgres")
    assert sqlite - postgres <= SQLITE_ALONE
    assert postgres - sqlite <= POSTGRES_ALONE
    assert {"changes", "doctor", "connection", "documents", "dump", "erase", "ledger", "migrate"} <= sqlite & postgres
    assert {"rows", "search", "sessions", "store", "vectors"} <= sqlite & postgres


def sqlite_statements() -> dict[str, set[str]]:
    found = {}
    for file in ("queries.sql", "documents.sql"):
        raw = load_queries("nightgarden.store.sqlite", file)
        found |= {name: set(_PARAMETER.findall(take_in(sql, raw))) for name, sql in raw.items()}
    return found


def postgres_statements() -> dict[str, set[str]]:
    files = [entry.name for entry in resources.files("nightgarden.store.postgres").iterdir()]
    found: dict[str, set[str]] = {}
    for file in files:
        if file.endswith(".sql") and file != "visible.sql":
            found |= {name: set(statement.names) for name, statement in load_statements(file).items()}
    return found


def test_statements_of_one_name_take_the_same_parameters() -> None:
    sqlite, postgres = sqlite_statements(), postgres_statements()
    shared = sqlite.keys() & postgres.keys()
    assert len(shared) >= SHARED_MIN
    assert {name for name in shared if sqlite[name] != postgres[name]} == OTHER_PARAMETERS


def public(cls: type) -> dict[str, object]:
    return {name: member for name, member in inspect.getmembers(cls) if not name.startswith("_")}


def test_both_stores_offer_the_contract_with_the_same_signatures_and_nothing_else() -> None:
    contract = public(Store)
    assert public(PostgresStore).keys() == contract.keys()
    assert public(SqliteStore).keys() - contract.keys() == {"path", "copy_to"}  # for backups, which are files
    for name, member in contract.items():
        if callable(member):
            wanted = inspect.signature(member)
            for cls in (SqliteStore, PostgresStore):
                found = inspect.signature(getattr(cls, name))
                assert list(found.parameters) == list(wanted.parameters), f"{cls.__name__}.{name}"
