"""What is kept of a session as it comes in: messages without secrets, joined to what is known of the session. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nightgarden.domain.classify import Classifier
from nightgarden.domain.gate import safe_id, scrubbed
from nightgarden.domain.personal import find_personal
from nightgarden.domain.redact import redact, scrub
from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.session import Extraction, HookSignals, Message, Session
from nightgarden.domain.terminal_codes import without_codes
from nightgarden.domain.time import as_utc
from nightgarden.domain.verdict import Finding
from nightgarden.sessions.blackout import secrets_in_words, values_of, without_values

TYPED_CHARS_MAX = 2_000
_UNSAID = ("tool", "system")
_SPOKEN = ("user", "assistant")
# Arguments of messages from chats that programs made: who wrote it, and what it answers.
_ID_ARGUMENTS = frozenset(("author", "reply_to"))


def cleaned(message: Message, personal_allowed: frozenset[str] = frozenset()) -> Message:
    """The message as it may be stored: secrets and personal data blacked out but for the kinds that are allowed, no
    codes for terminals and nothing else that a database cannot hold, its moment in UTC."""
    return replace(
        message,
        id=safe_id(message.id),
        role=_storable(message.role),
        text=_impersonal(_storable(message.text), personal_allowed),
        at=as_utc(message.at),
        tool_name=_storable(message.tool_name),
        arguments={
            _storable(name): _storable(value)
            if name in _ID_ARGUMENTS
            else _impersonal(_storable(value), personal_allowed)
            for name, value in message.arguments.items()
        },
    )


def _storable(text: str) -> str:
    text = without_codes(text).encode("utf-8", "ignore").decode("utf-8")
    return scrub(text, find_secrets)


def _impersonal(text: str, allowed: frozenset[str]) -> str:
    return redact(text, found) if (found := find_personal(text, allowed)) else text


def values_cut(raw: Sequence[Message], kept: Sequence[Message]) -> list[str]:
    """The values that the rules took out of messages, given as they came and as they may be stored."""
    return [
        value
        for came, message in zip(raw, kept, strict=True)
        if came.text != message.text
        for value in values_of(came.text, find_secrets(came.text))
    ]


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


def screened(
    messages: Sequence[Message], classifier: Classifier | None, values: Sequence[str] = ()
) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """The messages without the credentials that the classifier sees in plain words, and without every value that was
    blacked out here or earlier in the session, in the words of tools as well; and those values. Some milliseconds for a
    message that somebody typed, and for each sentence of an assistant's that points at a credential."""
    found = [_found_in(message, classifier) if classifier is not None else () for message in messages]
    fresh = [value for message, each in zip(messages, found, strict=True) for value in values_of(message.text, each)]
    known = tuple(dict.fromkeys((*values, *fresh)))
    kept = (
        replace(message, text=redact(message.text, each)) if each else message
        for message, each in zip(messages, found, strict=True)
    )
    return tuple(_without(message, known) for message in kept), known


def _found_in(message: Message, classifier: Classifier) -> tuple[Finding, ...]:
    if message.pasted or message.role not in _SPOKEN or not message.text:
        return ()
    typed = message.role == "user" and len(message.text) <= TYPED_CHARS_MAX
    return secrets_in_words(message.text, classifier, whole=typed)


def _without(message: Message, values: Sequence[str]) -> Message:
    if not values:
        return message
    text = without_values(message.text, values)
    arguments = {name: without_values(value, values) for name, value in message.arguments.items()}
    if text == message.text and arguments == message.arguments:
        return message
    return replace(message, text=text, arguments=arguments)


def merged(
    session: Session,
    old: Session | None,
    fresh: tuple[Message, ...],
    *,
    values: Sequence[str] = (),
    personal_allowed: frozenset[str] = frozenset(),
) -> Session:
    """The session as it came, with what the store knows about it: how far it was read for memories. A client takes its
    title out of the first message, secrets included, and whoever adds a session names the rest as they like. `values`
    were blacked out in its messages."""
    session = replace(
        session,
        client=_storable(session.client),
        title=without_values(_impersonal(scrubbed(without_codes(session.title)), personal_allowed), values),
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
