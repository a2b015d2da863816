"""What is kept of a session as it comes in: messages without secrets, joined to what is known of the session. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nightgarden.domain.classify import Classifier
from nightgarden.domain.gate import safe_id, scrubbed
from nightgarden.domain.redact import redact, scrub
from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.session import Extraction, HookSignals, Message, Session
from nightgarden.domain.terminal_codes import without_codes
from nightgarden.domain.time import as_utc
from nightgarden.remember.screening import learned_secrets

TYPED_CHARS_MAX = 2_000
_UNSAID = ("tool", "system")


def cleaned(message: Message) -> Message:
    """The message as it may be stored: secrets blacked out, no codes for terminals and nothing else that a database
    cannot hold, its moment in UTC."""
    return replace(
        message,
        id=safe_id(message.id),
        role=_storable(message.role),
        text=_storable(message.text),
        at=as_utc(message.at),
        tool_name=_storable(message.tool_name),
        arguments={_storable(name): _storable(value) for name, value in message.arguments.items()},
    )


def _storable(text: str) -> str:
    text = without_codes(text).encode("utf-8", "ignore").decode("utf-8")
    return scrub(text, find_secrets)


def filled_in(known: Sequence[Message], read: Sequence[Message]) -> tuple[Message, ...]:
    """Known messages with what a reader of an older version left out of them, those that gain nothing left out. A
    message whose words are not the same any more stays as it is: somebody had them erased."""
    again = {message.id: message for message in read}
    gained = []
    for message in known:
        new = again.get(message.id)
        if new is None or new.text != message.text:
            continue
        full = replace(
            message,
            tool_name=message.tool_name or new.tool_name,
            arguments=new.arguments,
            exit_code=new.exit_code,
            duration_ms=new.duration_ms,
            signal=new.signal,
            usage=new.usage,
        )
        if full != message:
            gained.append(full)
    return tuple(gained)


def screened(messages: Sequence[Message], classifier: Classifier | None) -> tuple[Message, ...]:
    """The messages without the credentials that the classifier sees in a user's plain words. What others wrote, and
    what is longer than anybody types, is left to the rules. Some milliseconds a message."""
    if classifier is None:
        return tuple(messages)
    return tuple(_screened(message, classifier) if _typed(message) else message for message in messages)


def _typed(message: Message) -> bool:
    return message.role == "user" and not message.pasted and 0 < len(message.text) <= TYPED_CHARS_MAX


def _screened(message: Message, classifier: Classifier) -> Message:
    text = message.text
    found = [f for f in learned_secrets(text, classifier.screen(text)) if f.end - f.start < len(text)]
    return replace(message, text=redact(text, found)) if found else message


def merged(session: Session, old: Session | None, fresh: tuple[Message, ...]) -> Session:
    """The session as it came, with what the store knows about it: how far it was read for memories. A client takes its
    title out of the first message, secrets included, and whoever adds a session names the rest as they like."""
    session = replace(
        session,
        client=_storable(session.client),
        title=scrubbed(without_codes(session.title)),
        directory=_storable(session.directory),
        parent_id=safe_id(session.parent_id) if session.parent_id else session.parent_id,
        cursor=_storable(session.cursor),
        hooks=_signals(session.hooks) if session.hooks else None,
    )
    if old is None:
        return replace(session, messages=fresh)
    # Tools, and what happened without words, are found when an older reading is filled in; nothing new was said.
    reopened = old.extraction is Extraction.DONE and any(message.role not in _UNSAID for message in fresh)
    return replace(
        session,
        messages=fresh,
        title=session.title or old.title,
        started_at=old.started_at or session.started_at,
        extraction=Extraction.PARTIAL if reopened else old.extraction,
        extracted_through=old.extracted_through,
        mind_through=old.mind_through,
        usage=session.usage or old.usage,
        hooks=session.hooks or old.hooks,
    )


def _signals(told: HookSignals) -> HookSignals:
    return replace(told, stopped=tuple(map(safe_id, told.stopped)), end_reason=_storable(told.end_reason))
