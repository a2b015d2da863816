"""Takes replies: checks who sent them, decides the request they are for, or keeps them as a directive.

A reply decides only with a token of that request, from a configured sender, once. The same message taken twice does
nothing the second time. A wrong token decides nothing and becomes no directive either. Not covered: whoever reads the
user's mail, or runs their chat server, and can send in their name is the user here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nightgarden.domain.memory import GLOBAL
from nightgarden.errors import Conflict
from nightgarden.garden import Garden
from nightgarden.safety.directing import Directives
from nightgarden.safety.directives import Directive
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.replies import Meaning, RequestReply, meaning_of, own_words, subject_id_of, tokens_of
from nightgarden.safety.requests import PermissionRequest

REASON_CHARS_MIN = 20  # a longer reply says why


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The reply decided a request."""

    request: PermissionRequest

    @property
    def sentence(self) -> str:
        return f"{'Approved' if self.request.approved else 'Denied'}: {self.request.description}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Directed:
    """The reply is an instruction for the next cycle."""

    directive: Directive

    @property
    def sentence(self) -> str:
        return "Noted for the next cycle."


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Nothing came of the reply, and why."""

    why: str

    @property
    def sentence(self) -> str:
        return f"Nothing was done: {self.why}."


Taken = Decided | Directed | Ignored


async def take_reply(garden: Garden, reply: RequestReply, *, senders: Sequence[str]) -> Taken:
    """What a reply does. Never raises for what somebody wrote."""
    if reply.sender.strip().lower() not in {sender.strip().lower() for sender in senders}:
        return Ignored(why="it is not from a sender in the settings")
    if reply.automatic:
        return Ignored(why="it is an automatic reply")
    words = own_words(reply.text)
    tokens = tokens_of(reply)
    if len(tokens) > 1:
        return Ignored(why="it has several tokens; answer one request at a time")
    meaning = meaning_of(words or (reply.subject if tokens else ""))
    if tokens:
        permissions = Permissions(garden)
        request = await permissions.by_token(tokens[0])
        if request is None:
            return Ignored(why="its token belongs to no request")
        if meaning is not Meaning.OTHER:
            return await _decide(permissions, request, reply, words, meaning)
        return await _direct(garden, reply, words, request)
    if meaning is not Meaning.OTHER and len(words) < REASON_CHARS_MIN:
        return Ignored(why="it does not say which request it is about; repeat it with the token of that request")
    return await _direct(garden, reply, words, None)


async def _decide(
    permissions: Permissions, request: PermissionRequest, reply: RequestReply, words: str, meaning: Meaning
) -> Taken:
    reason = " ".join(words.split()) if len(words) >= REASON_CHARS_MIN else ""
    try:
        decided = await permissions.decide(
            request.id,
            approve=meaning is Meaning.APPROVE,
            by=reply.sender,
            via=reply.channel,
            reason=reason,
            once=meaning is Meaning.UNCLEAR,
        )
    except Conflict as error:
        return Ignored(why=str(error))
    return Decided(request=decided)


async def _direct(garden: Garden, reply: RequestReply, words: str, about: PermissionRequest | None) -> Taken:
    if not words:
        return Ignored(why="it is empty")
    directive = await Directives(garden).add(
        words,
        by=reply.sender,
        via=reply.channel,
        in_reply_to=about.id if about else subject_id_of(reply),
        message_id=reply.message_id,
        scope=about.scope if about else GLOBAL,
    )
    return Directed(directive=directive) if directive is not None else Ignored(why="it was taken before")
