"""Reading a session for memories, and keeping account of how far it was read.

Only what was said since the last reading gives new memories; what came before is context. A failure leaves the account
as it was, so that the session is read again. A mind has an account of its own: it is asked when a piece is worth its
tokens (`extraction_due`), and then reads all that was said since it was last asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from nightgarden.domain.classify import Classifier
from nightgarden.domain.gate import scrubbed
from nightgarden.domain.memory import GLOBAL, Memory, Scope, ScopeKind
from nightgarden.domain.mind import Mind
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.domain.session import Extraction, Message, Session, SessionStatus
from nightgarden.domain.verdict import Refused, Verdict
from nightgarden.errors import NotFound
from nightgarden.remember.draft import Draft
from nightgarden.remember.extraction_due import ExtractionProgress, ExtractionReason, extraction_due
from nightgarden.remember.note import Note
from nightgarden.remember.refuse import NOT_LASTING
from nightgarden.remember.whose import Reach, stated_reach
from nightgarden.sessions.taken_back import memories_taken_back

if TYPE_CHECKING:
    from nightgarden.remember.extract.retraction import SessionReading, TakenBack

Remember = Callable[[Note], Awaitable[Verdict]]
Forget = Callable[[str, str], Awaitable[Memory]]  # a memory's id, and why


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCue:
    """What made somebody read a session now."""

    requested: bool = False  # by a person or by code, not by the session's course
    ended: bool = False  # its client says so, which the transcript may not yet show
    topic_changed: bool = False  # with its last turn


REQUESTED = SessionCue(requested=True)
_TAKEN_BACK = "the user took it back in conversation"


@dataclass(slots=True, kw_only=True)
class Harvest:
    """What reading one session gave."""

    session_id: str
    messages: int = 0
    verdicts: list[tuple[Draft, Verdict]] = field(default_factory=list)
    forgotten: list[Memory] = field(default_factory=list)  # because the user took back what they say
    mind_failure: str = ""  # why a mind that was asked did not help
    mind_asked: ExtractionReason | None = None  # why it was asked

    def count(self, verdict: str) -> int:
        return sum(type(found).__name__.lower() == verdict for _, found in self.verdicts)


async def harvest(
    store: Store,
    session_id: str,
    remember: Remember,
    forget: Forget,
    *,
    again: bool = False,
    mind: Mind | None = None,
    cue: SessionCue = REQUESTED,
    classifier: Classifier | None = None,
) -> Harvest:
    """Reads what is new of a session. `again` reads it from the start; what is known is then only reinforced. A `mind`
    is asked when it is due, or `again`, and adds what it finds; when it fails, what was found without it stands, and
    the session counts as read."""
    session = await store.session(session_id)
    if session is None:
        raise NotFound(f"there is no session {session_id!r}; `nightgarden sessions list` shows them")
    start = 0 if again else _first_new(session, session.extracted_through)
    unread = 0 if again else _first_new(session, session.mind_through)
    result = Harvest(session_id=session_id, messages=len(session.messages) - start)
    if mind is not None:
        progress = _progress(session, session.messages[unread:], cue)
        result.mind_asked = extraction_due(progress)
        mind = mind if result.mind_asked or again else None
    if result.messages or mind is not None:
        known = [m.content for m in await store.list_memories(MemoryFilter(session_id=session_id))]
        read, added = await _extract(session.messages, known, mind, classifier, result)
        drafts = [*_said_in(session.messages[start:], read.drafts), *_said_in(session.messages[unread:], added)]
        when = {message.id: message.at for message in session.messages}
        await _forget_taken_back(store, session, read.taken_back, forget, result)
        for draft in drafts:
            verdict = await remember(_note(draft, session, when))
            if not (draft.tentative and isinstance(verdict, Refused)):  # nobody asked for it, so nobody is told
                result.verdicts.append((draft, verdict))
    by_mind = mind is not None and not result.mind_failure
    await store.put_session(_read_through(session, by_mind=by_mind), ())
    return result


def _progress(session: Session, unread: Sequence[Message], cue: SessionCue) -> ExtractionProgress:
    said = [message for message in unread if message.role == "user"]
    return ExtractionProgress(
        turns=len(said),
        chars=sum(len(message.text) for message in unread if message.role in ("user", "assistant")),
        topic_changed=cue.topic_changed,
        requested=cue.requested,
        ended=cue.ended or session.status is SessionStatus.CLOSED,
        crashed=session.status is SessionStatus.CRASHED,
    )


def _said_in(messages: Sequence[Message], drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts that begin in one of these messages."""
    ids = {message.id for message in messages}
    return [draft for draft in drafts if draft.message_range and draft.message_range[0] in ids]


async def _forget_taken_back(
    store: Store, session: Session, taken_back: Sequence[TakenBack], forget: Forget, result: Harvest
) -> None:
    """What is stored already, from this session or an earlier one, and is taken back in messages that were never read
    before: reading them again must not undo an undo. What people say in a community takes nothing of the user's away.
    """
    if session.scope is not None and session.scope.kind is ScopeKind.COMMUNITY:
        return
    new = {message.id: message for message in session.messages[_first_new(session, session.extracted_through) :]}
    for taken in taken_back:
        if (message := new.get(taken.message_id)) is None:
            continue
        for memory in await memories_taken_back(store, session, message, taken):
            result.forgotten.append(await forget(memory.id, _TAKEN_BACK))


async def _extract(
    messages: Sequence[Message],
    known: Sequence[str],
    mind: Mind | None,
    classifier: Classifier | None,
    result: Harvest,
) -> tuple[SessionReading, Sequence[Draft]]:
    """What the rules found, and what only the mind did."""
    from nightgarden.remember.extract.extraction import read_session  # compiles the rules of four languages
    from nightgarden.remember.extract.retraction import SessionReading  # the same
    from nightgarden.remember.extract.with_mind import extract_with_mind  # the same

    if mind is None:
        return await asyncio.to_thread(read_session, messages, known=known, classifier=classifier, tentative=True), ()
    read = await extract_with_mind(messages, mind, known=known, classifier=classifier)
    result.mind_failure = read.failure
    found = read.drafts[: len(read.drafts) - len(read.added)]
    return SessionReading(drafts=found, taken_back=read.taken_back), read.added


def _first_new(session: Session, through: str | None) -> int:
    ids = [message.id for message in session.messages]
    return ids.index(through) + 1 if through in ids else 0


def _read_through(session: Session, *, by_mind: bool) -> Session:
    """The account after reading: done when the session is over, partial while it goes on."""
    over = session.status is not SessionStatus.ACTIVE
    last = session.messages[-1].id if session.messages else None
    return replace(
        session,
        extraction=Extraction.DONE if over else Extraction.PARTIAL,
        extracted_through=last or session.extracted_through,
        mind_through=last if by_mind and last else session.mind_through,
    )


def _note(draft: Draft, session: Session, when: dict[str, datetime]) -> Note:
    assert draft.message_range is not None
    among_people = session.scope is not None and session.scope.kind is ScopeKind.COMMUNITY
    # What people say of themselves in a community is about them and not about the user, and stays there.
    reach = stated_reach(draft.content)
    personal = reach is Reach.EVERYWHERE or (draft.personal and reach is None)
    scope: Scope = GLOBAL if personal and not among_people else session.scope or GLOBAL
    return Note(
        content=draft.content,
        scope=scope,
        wider_scopes=(GLOBAL,) if scope != GLOBAL and not among_people else (),
        created_at=when[draft.message_range[0]],
        category=draft.category,
        tags=draft.tags,
        importance=draft.importance,
        provenance=draft.provenance,
        tainted=draft.tainted or among_people,
        confidence=draft.confidence,
        confidence_reason=draft.confidence_reason,
        session_id=session.id,
        message_range=draft.message_range,
        context_snippet=scrubbed(draft.context_snippet),
        trigger_patterns=draft.trigger_patterns,
        procedure=draft.procedure,
        news=draft.news,
        tentative=draft.tentative,
        temporal=draft.temporal,
        allow=frozenset({NOT_LASTING.id}),  # that was judged with the message around it
    )


def pending(sessions: Sequence[Session]) -> list[Session]:
    """Sessions that are over and were not read to their end; oldest first. Those of communities are left to the room
    that keeps them: what strangers say is not read for memories unless the user wants that."""
    waiting = [
        s
        for s in sessions
        if s.extraction is not Extraction.DONE
        and s.status is not SessionStatus.ACTIVE
        and (s.scope is None or s.scope.kind is not ScopeKind.COMMUNITY)
    ]
    return sorted(waiting, key=lambda s: (s.started_at is None, s.started_at, s.id))
