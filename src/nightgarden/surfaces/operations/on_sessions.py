"""Performs the operations on conversations."""

from __future__ import annotations

from nightgarden.domain.requests import sessions
from nightgarden.domain.session import SessionStatus
from nightgarden.garden import Garden
from nightgarden.surfaces.operations import answer_types as answers
from nightgarden.surfaces.operations.answers import harvest_shape, session_shape
from nightgarden.surfaces.operations.on_memories import shown_of
from nightgarden.surfaces.operations.performer import Perform
from nightgarden.surfaces.operations.who_speaks import Speaker


async def search(garden: Garden, asked: sessions.SessionsSearch, speaker: Speaker) -> answers.RecalledAnswer:
    given = {name: value for name, value in vars(asked).items() if name != "explain"}
    return await shown_of(garden, await garden.recall(kinds=("passage",), **given), explain=asked.explain)


async def list_sessions(garden: Garden, asked: sessions.SessionsList, speaker: Speaker) -> answers.SessionsAnswer:
    status = SessionStatus(asked.status) if asked.status else None
    found = await garden.sessions.list(client=asked.client, status=status, limit=asked.limit)
    return {"sessions": [session_shape(session) for session in found]}


async def get(garden: Garden, asked: sessions.SessionGet, speaker: Speaker) -> answers.SessionRecord:
    return session_shape(await garden.sessions.get(asked.id), messages=True)


async def extract(garden: Garden, asked: sessions.SessionExtract, speaker: Speaker) -> answers.HarvestAnswer:
    return harvest_shape(await garden.sessions.extract(asked.id, again=asked.again))


async def pending(garden: Garden, asked: sessions.SessionsPending, speaker: Speaker) -> answers.PendingAnswer:
    return {"ids": [session.id for session in await garden.sessions.pending()]}


async def allow(garden: Garden, asked: sessions.SessionsAllow, speaker: Speaker) -> answers.AllowedAnswer:
    for client in asked.clients:
        await garden.sessions.allow(client)
    for client in asked.forbid:
        await garden.sessions.forbid(client)
    return {"allowed": await garden.sessions.allowed()}


PERFORM: dict[str, Perform] = {
    "sessions_search": search,
    "sessions_list": list_sessions,
    "session": get,
    "session_extract": extract,
    "sessions_pending": pending,
    "sessions_allow": allow,
}
