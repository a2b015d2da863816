"""Small values for tests of the store, and short ways to write and search them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change, JournalEntry, Node, Origin
from nightgarden.domain.memory import Memory, Scope, ScopeKind
from nightgarden.domain.ports import EmbeddingModel, Store, View
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.domain.text import query_terms

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
USER = Origin(actor="user", reason="a test")
PROJECT = Scope(ScopeKind.PROJECT, "roses")
OTHER = Scope(ScopeKind.PROJECT, "tulips")
MODEL = EmbeddingModel(id="tiny@1", name="tiny", dimension=4, pooling="mean")
NEXT_MODEL = EmbeddingModel(id="tiny@2", name="tiny", dimension=3, pooling="cls")


def memory(id: str, content: str = "", **fields: Any) -> Memory:
    moments = {"created_at": NOW - DAY, "updated_at": NOW - DAY}
    return Memory(id=id, content=content or f"statement number {id}", **(moments | fields))


def edge(source: str, target: str, kind: EdgeKind = EdgeKind.RELATES_TO, **fields: Any) -> Edge:
    return Edge(source=source, target=target, kind=kind, **({"created_at": NOW, "updated_at": NOW} | fields))


def session(id: str, *texts: str, **fields: Any) -> Session:
    said = [Message(id=f"{id}-{at}", role="user", text=text, at=NOW - DAY + at * HOUR) for at, text in enumerate(texts)]
    return Session(id=id, messages=tuple(said), **({"started_at": NOW - DAY} | fields))


def passages_of(session: Session, **fields: Any) -> list[Passage]:
    return [
        Passage(
            id=f"p:{message.id}",
            session_id=session.id,
            message_ids=(message.id,),
            position=at,
            role=message.role,
            content=message.text,
            created_at=message.at,
            **fields,
        )
        for at, message in enumerate(session.messages)
    ]


async def change(store: Store, *pairs: tuple[Node | None, Node | None], origin: Origin = USER) -> list[JournalEntry]:
    """Applies pairs of before and after."""
    return list(await store.apply([Change(before, after) for before, after in pairs], origin, at=NOW))


async def add(store: Store, *nodes: Node) -> list[JournalEntry]:
    return await change(store, *((None, node) for node in nodes))


async def add_session(store: Store, session: Session, **fields: Any) -> int:
    return await store.put_session(session, passages_of(session, **fields))


async def found(store: Store, query: str, *, limit: int = 10, **view: Any) -> list[str]:
    """Ids that a search by words finds, best first."""
    hits = await store.search_text(query_terms(query), View(**({"now": NOW} | view)), limit=limit)
    return [hit.id for hit in hits]


async def dumped(store: Store) -> list[dict[str, Any]]:
    return [record async for record in store.dump()]


async def all_edge_keys(store: Store) -> list[str]:
    return [edge.key async for page in store.all_edges() for edge in page]


def of_type(records: Sequence[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [record for record in records if record["type"] == kind]
