"""Sessions, their messages in order, and their passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.store.postgres.rows import passage_row, read_json, write_json
from nightgarden.store.postgres.statements import load_statements
from nightgarden.store.postgres.terms import Q as WRITE
from nightgarden.store.postgres.terms import Tally, add_items, by_column

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("read.sql")


def session_row(session: Session) -> dict[str, Any]:
    """Columns of table session; its messages have a table of their own."""
    record = to_record(session)
    del record["messages"]
    return {
        "id": session.id,
        "record": write_json(record),
        "client": session.client,
        "status": session.status.value,
        "extraction": session.extraction.value,
        "scope": None if session.scope is None else str(session.scope),
        "started_at": session.started_at,
    }


def message_row(session_id: str, position: int, message: Message) -> dict[str, Any]:
    """Columns of table message."""
    record = write_json(to_record(message))
    return {"session_id": session_id, "id": message.id, "position": position, "record": record}


async def put_session(
    connection: Connection, session: Session, passages: Sequence[Passage], again: Sequence[Message] = ()
) -> int:
    """Messages known by id are left alone but for those given again; new ones follow. Returns how many were new."""
    await Q["put_session"].run(connection, **session_row(session))  # locks the session until the transaction ends
    for message in again:
        record = write_json(to_record(message))
        await Q["rewrite_message"].run(connection, session_id=session.id, id=message.id, record=record)
    places = {row["id"]: row["position"] for row in await Q["known_messages"].rows(connection, id=session.id)}
    following = max(places.values(), default=-1) + 1
    new: list[dict[str, Any]] = []
    for message in session.messages:
        if message.id not in places:
            places[message.id] = following + len(new)
            new.append(message_row(session.id, places[message.id], message))
    if new:
        await Q["insert_messages"].run(connection, **by_column(new))
    placed = [
        replace(passage, position=places[passage.message_ids[0]])
        for passage in passages
        if passage.message_ids and passage.message_ids[0] in places
    ]
    tally = Tally()
    await add_passages(connection, placed, tally)
    await tally.settle(connection)
    return len(new)


async def add_passages(connection: Connection, passages: Sequence[Passage], tally: Tally) -> None:
    """Passages known by id are left alone."""
    unique = list({passage.id: passage for passage in reversed(passages)}.values())[::-1]
    added = await add_items(connection, unique, tally)
    if rows := [passage_row(passage) for passage in unique if passage.id in added]:
        await WRITE["insert_passages"].run(connection, **by_column(rows))


async def load_session(connection: Connection, session_id: str, *, messages: bool) -> Session | None:
    row = await Q["session_by_id"].row(connection, id=session_id)
    if row is None:
        return None
    said = await Q["messages"].rows(connection, id=session_id) if messages else []
    record = read_json(row["record"]) | {"messages": [read_json(each["record"]) for each in said]}
    return from_record(Session, record)


async def neighbours(connection: Connection, passage_ids: Sequence[str], *, reach: int) -> dict[str, list[Passage]]:
    found: dict[str, list[Passage]] = {each: [] for each in passage_ids}
    for row in await Q["neighbours"].rows(connection, ids=list(found), reach=reach):
        found[row["id"]].append(from_record(Passage, read_json(row["record"])))
    return found
