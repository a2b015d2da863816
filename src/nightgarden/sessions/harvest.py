"""Reading a session for memories, and keeping account of how far it was read.

Only what was said since the last reading gives new memories; what came before is context. A failure leaves the account
as it was, so that the session is read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from nightgarden.domain.classify import Classifier
from nightgarden.domain.gate import scrubbed
from nightgarden.domain.memory import GLOBAL, Scope
from nightgarden.domain.mind import Mind
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.domain.session import Extraction, Message, Session, SessionStatus
from nightgarden.domain.verdict import Verdict
from nightgarden.errors import NotFound
from nightgarden.remember.draft import Draft
from nightgarden.remember.extract.extraction import extract
from nightgarden.remember.extract.with_mind import extract_with_mind
from nightgarden.remember.note import Note
from nightgarden.remember.refuse import NOT_LASTING

Remember = Callable[[Note], Awaitable[Verdict]]


@dataclass(slots=True, kw_only=True)
class Harvest:
    """What reading one session gave."""

    session_id: str
    messages: int = 0
    verdicts: list[tuple[Draft, Verdict]] = field(default_factory=list)
    mind_failure: str = ""  # why a mind that was asked did not help

    def count(self, verdict: str) -> int:
        return sum(type(found).__name__.lower() == verdict for _, found in self.verdicts)


async def harvest(
    store: Store,
    session_id: str,
    remember: Remember,
    *,
    again: bool = False,
    mind: Mind | None = None,
    classifier: Classifier | None = None,
) -> Harvest:
    """Reads what is new of a session. `again` reads it from the start; what is known is then only reinforced. A `mind`
    adds what it finds; when it fails, what was found without it stands, and the session counts as read."""
    session = await store.session(session_id)
    if session is None:
        raise NotFound(f"there is no session {session_id!r}; `nightgarden sessions list` shows them")
    start = 0 if again else _first_new(session)
    result = Harvest(session_id=session_id, messages=len(session.messages) - start)
    if result.messages:
        fresh = {message.id for message in session.messages[start:]}
        known = [m.content for m in await store.list_memories(MemoryFilter(session_id=session_id))]
        found = await _extract(session.messages, known, mind, classifier, result)
        drafts = [draft for draft in found if draft.message_range and draft.message_range[0] in fresh]
        when = {message.id: message.at for message in session.messages}
        for draft in drafts:
            result.verdicts.append((draft, await remember(_note(draft, session, when))))
    await store.put_session(_read_through(session), ())
    return result


async def _extract(
    messages: Sequence[Message],
    known: Sequence[str],
    mind: Mind | None,
    classifier: Classifier | None,
    result: Harvest,
) -> Sequence[Draft]:
    if mind is None:
        return await asyncio.to_thread(extract, messages, known=known, classifier=classifier)
    read = await extract_with_mind(messages, mind, known=known, classifier=classifier)
    result.mind_failure = read.failure
    return read.drafts


def _first_new(session: Session) -> int:
    ids = [message.id for message in session.messages]
    return ids.index(session.extracted_through) + 1 if session.extracted_through in ids else 0


def _read_through(session: Session) -> Session:
    """The account after reading: done when the session is over, partial while it goes on."""
    over = session.status is not SessionStatus.ACTIVE
    last = session.messages[-1].id if session.messages else session.extracted_through
    return replace(session, extraction=Extraction.DONE if over else Extraction.PARTIAL, extracted_through=last)


def _note(draft: Draft, session: Session, when: dict[str, datetime]) -> Note:
    assert draft.message_range is not None
    scope: Scope = GLOBAL if draft.personal else session.scope or GLOBAL
    return Note(
        content=draft.content,
        scope=scope,
        wider_scopes=(GLOBAL,) if scope != GLOBAL else (),
        created_at=when[draft.message_range[0]],
        category=draft.category,
        tags=draft.tags,
        importance=draft.importance,
        provenance=draft.provenance,
        tainted=draft.tainted,
        confidence=draft.confidence,
        confidence_reason=draft.confidence_reason,
        session_id=session.id,
        message_range=draft.message_range,
        context_snippet=scrubbed(draft.context_snippet),
        trigger_patterns=draft.trigger_patterns,
        procedure=draft.procedure,
        temporal=draft.temporal,
        allow=frozenset({NOT_LASTING.id}),  # that was judged with the message around it
    )


def pending(sessions: Sequence[Session]) -> list[Session]:
    """Sessions that are over and were not read to their end; oldest first."""
    waiting = [s for s in sessions if s.extraction is not Extraction.DONE and s.status is not SessionStatus.ACTIVE]
    return sorted(waiting, key=lambda s: (s.started_at is None, s.started_at, s.id))
