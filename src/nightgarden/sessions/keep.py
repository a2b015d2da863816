"""Keeping sessions in the garden: the `garden.sessions` part of the public API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import Store
from nightgarden.domain.session import Extraction, Message, Session, SessionStatus
from nightgarden.domain.time import as_utc
from nightgarden.errors import BadInput, NotFound
from nightgarden.sessions.passages import cut_passages


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What adding a session did."""

    session_id: str
    new_messages: int
    passages: int


class Sessions:
    """Conversations in the garden. Adding one again adds only what is new."""

    def __init__(self, store: Store, scope_of: Callable[[str], Scope], changed: Callable[[], None]) -> None:
        self._store = store
        self._scope_of = scope_of  # the scope of a directory; "" is the garden's own
        self._changed = changed

    async def add(self, session: Session) -> Added:
        """Stores a session and makes its messages searchable as passages."""
        session = self._checked(session)
        gone = await self._store.tombstones([session.id])
        if gone:
            return Added(session_id=session.id, new_messages=0, passages=0)
        passages = cut_passages(session, session.messages)
        purged = await self._store.tombstones([passage.id for passage in passages])
        kept = [passage for passage in passages if passage.id not in purged]
        new = await self._store.put_session(session, kept)
        self._changed()
        return Added(session_id=session.id, new_messages=new, passages=len(kept))

    async def get(self, session_id: str) -> Session:
        """One session with its messages. Raises NotFound."""
        session = await self._store.session(session_id)
        if session is None:
            raise NotFound(f"there is no session {session_id!r}; `nightgarden sessions list` shows them")
        return session

    async def list(
        self,
        *,
        client: str | None = None,
        status: SessionStatus | None = None,
        extraction: Extraction | None = None,
        scopes: Sequence[Scope] | None = None,
        limit: int | None = 50,
    ) -> list[Session]:
        """Newest first, without their messages."""
        return await self._store.list_sessions(
            client=client, status=status, extraction=extraction, scopes=scopes, limit=limit
        )

    def _checked(self, session: Session) -> Session:
        if not session.id.strip():
            raise BadInput("a session needs an id")
        seen: set[str] = set()
        for message in session.messages:
            if not message.id or message.id in seen:
                raise BadInput(f"session {session.id}: each message needs an id of its own, got {message.id!r} twice")
            seen.add(message.id)
        try:
            messages = tuple(_clean(message) for message in session.messages)
        except ValueError as error:
            raise BadInput(f"session {session.id}: {error}") from error
        times = [message.at for message in messages]
        return replace(
            session,
            messages=messages,
            scope=session.scope or self._scope_of(session.directory),
            started_at=as_utc(session.started_at) if session.started_at else min(times, default=None),
            ended_at=as_utc(session.ended_at) if session.ended_at else max(times, default=None),
        )


def _clean(message: Message) -> Message:
    """What no database can hold is dropped; moments are in UTC."""
    text = message.text.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")
    return replace(message, text=text, at=as_utc(message.at))
