"""What was said in channels, kept as sessions: one session a channel and day, with a retention of its own.

What other people's names and words may be kept is the user's decision (`initiative.replies.people`). Secrets and
personal data such as mail addresses and telephone numbers never land, whoever typed them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from nightgarden.domain.memory import Scope, ScopeKind
from nightgarden.domain.personal import find_personal
from nightgarden.domain.redact import redact
from nightgarden.domain.session import Extraction, Message, Session, SessionStatus
from nightgarden.garden import Garden
from nightgarden.initiative.channels.channel import Incoming, MessageSource
from nightgarden.initiative.communities import channel_scope

CLIENT = "chat"
ME = "assistant"
_DAYS_BACK = 2  # how far a summary looks for the newest messages of a channel


class ChannelHistory:
    """The messages of channels in a garden."""

    def __init__(self, garden: Garden) -> None:
        self._garden = garden

    async def keep(self, message: Incoming) -> bool:
        """Stores a message. False when it was there already."""
        settings = self._garden.settings
        scope = channel_scope(message.community, message.channel)
        kept = to_message(message, named=settings.initiative.replies.people != "nothing")
        text = kept.text
        if found := find_personal(text, frozenset(settings.remember.personal_allowed)):
            kept = replace(kept, text=redact(text, found))
        added = await self._garden.sessions.add(
            Session(
                id=await self._session_id(scope, message.at),
                client=CLIENT,
                title=message.channel,
                scope=scope,
                messages=(kept,),
                status=SessionStatus.CLOSED,
                extraction=Extraction.DONE,
            )
        )
        return added.new_messages > 0

    async def recent(self, community: str, channel: str, *, limit: int) -> list[Incoming]:
        """The newest messages of a channel, oldest first."""
        scope = channel_scope(community, channel)
        found: list[Incoming] = []
        sessions = await self._garden.store.list_sessions(client=CLIENT, scopes=[scope], limit=_DAYS_BACK)
        for header in sessions:  # newest first
            session = await self._garden.store.session(header.id)
            if session is not None:
                read = [
                    to_incoming(m, community=community, channel=channel) for m in session.messages if m.text.strip()
                ]
                found = [*read, *found]
            if len(found) >= limit:
                break
        found.sort(key=lambda message: (message.at, message.id))
        return found[-limit:]

    async def sessions(self, communities: Iterable[str] | None = None) -> list[Session]:
        """All sessions of channels, without their messages."""
        found = await self._garden.store.list_sessions(client=CLIENT)
        wanted = None if communities is None else tuple(communities)
        return [s for s in found if s.scope is not None and (wanted is None or _community(s.scope) in wanted)]

    async def forget_old(self, *, days: int, now: datetime) -> int:
        """Erases the sessions of days that are past their time. Returns how many."""
        before = now - timedelta(days=days)
        old = [s.id for s in await self.sessions() if s.ended_at is not None and s.ended_at < before]
        return len(await self._garden.purge(*old)) if old else 0

    async def _session_id(self, scope: Scope, at: datetime) -> str:
        """The session of a channel and day. One that was purged has a successor under another name."""
        stem = f"chat-{_digest(str(scope))}-{at:%Y-%m-%d}"
        number = 0
        while await self._garden.store.tombstones([name := stem if number == 0 else f"{stem}-{number}"]):
            number += 1
        return name


def to_message(message: Incoming, *, named: bool) -> Message:
    """As it is kept. Without names, a speaker is a number that is the same for the same person."""
    speaker = message.author_name.strip() or message.author_id
    author = message.author_id
    if not named and not message.from_me:
        author = speaker = f"member-{_digest(message.author_id)[:6]}"
    flags = {
        "author": author,
        "mentions_me": "1" if message.mentions_me else "",
        "replies_to_me": "1" if message.replies_to_me else "",
        "reply_to": message.reply_to,
        "voice": "1" if message.source is MessageSource.VOICE else "",
        "program": "1" if message.from_program else "",
    }
    return Message(
        id=message.id,
        role=ME if message.from_me else _speaker(speaker),
        text=message.text,
        at=message.at,
        pasted=not message.from_me,  # never the user's own words
        arguments={name: value for name, value in flags.items() if value},
    )


def to_incoming(message: Message, *, community: str, channel: str) -> Incoming:
    """The other way round."""
    flags = message.arguments
    return Incoming(
        id=message.id,
        channel=channel,
        community=community,
        author_id=flags.get("author", ""),
        author_name=message.role,
        text=message.text,
        at=message.at,
        from_me=message.role == ME,
        from_program="program" in flags,
        mentions_me="mentions_me" in flags,
        replies_to_me="replies_to_me" in flags,
        reply_to=flags.get("reply_to", ""),
        source=MessageSource.VOICE if "voice" in flags else MessageSource.TEXT,
    )


def _speaker(name: str) -> str:
    """A name that is not one of the roles, whatever people call themselves."""
    plain = " ".join("".join(c for c in name if c.isprintable()).split())[:60] or "somebody"
    return f"{plain} (person)" if plain.lower() in ("user", "assistant", "system", "tool", "developer") else plain


def humans_since(messages: Sequence[Incoming], since: datetime) -> Counter[str]:
    """How many messages each person wrote from a moment on."""
    return Counter(m.author_id for m in messages if not m.from_me and not m.from_program and m.at >= since)


def _community(scope: Scope) -> str:
    return scope.owner.partition("#")[0] if scope.kind is ScopeKind.COMMUNITY else ""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
