"""What is kept of a session as it comes in: messages without secrets, joined to what is known of the session. Pure."""

from __future__ import annotations

from dataclasses import replace

from nightgarden.domain.gate import scrubbed
from nightgarden.domain.redact import redact
from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.session import Extraction, Message, Session
from nightgarden.domain.time import as_utc


def cleaned(message: Message) -> Message:
    """The message as it may be stored: secrets blacked out, nothing that a database cannot hold, its moment in UTC."""
    text = message.text.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")
    if found := find_secrets(text):
        text = redact(text, found)
    return replace(message, text=text, at=as_utc(message.at))


def merged(session: Session, old: Session | None, fresh: tuple[Message, ...]) -> Session:
    """The session as it came, with what the store knows about it: how far it was read for memories. A client takes its
    title out of the first message, secrets included."""
    session = replace(session, title=scrubbed(session.title))
    if old is None:
        return replace(session, messages=fresh)
    reopened = bool(fresh) and old.extraction is Extraction.DONE
    return replace(
        session,
        messages=fresh,
        title=session.title or old.title,
        started_at=old.started_at or session.started_at,
        extraction=Extraction.PARTIAL if reopened else old.extraction,
        extracted_through=old.extracted_through,
    )
