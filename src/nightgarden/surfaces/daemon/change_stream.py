"""Changes of a garden as server-sent events: text that browsers and programs read as a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from nightgarden.domain.journal import JournalEntry
from nightgarden.errors import NightgardenError
from nightgarden.garden import Garden
from nightgarden.surfaces.operations.answers import entry_shape
from nightgarden.surfaces.operations.who_speaks import Speaker

ALIVE_SECONDS = 15.0  # a comment this often tells both sides whether the other one is still there
OFF = "the user has switched memory off here"


async def stream_changes(garden: Garden, after: str | None, speaker: Speaker) -> AsyncIterator[bytes]:
    """Events named `change` with a journal entry each, and its id to go on from. Ends with an event `error` when the
    garden cannot be read or, for an agent, memory is switched off."""
    changes = garden.changes(after=after)
    waiting: asyncio.Future[JournalEntry] | None = None
    yield b": connected\n\n"
    try:
        while True:
            if speaker == "agent" and await garden.is_off():
                yield error_event("NotAllowed", OFF)
                return
            waiting = waiting or asyncio.ensure_future(anext(changes))
            done, _ = await asyncio.wait({waiting}, timeout=ALIVE_SECONDS)
            if not done:
                yield b": alive\n\n"
                continue
            entry = waiting.result()
            waiting = None
            data = json.dumps(entry_shape(entry), ensure_ascii=False)
            yield f"id: {entry.id}\nevent: change\ndata: {data}\n\n".encode("utf-8", "replace")
    except NightgardenError as error:
        yield error_event(type(error).__name__, str(error))
    finally:
        if waiting is not None:
            waiting.cancel()


def error_event(kind: str, message: str) -> bytes:
    """The last event of a stream that cannot go on."""
    data = json.dumps({"kind": kind, "message": message}, ensure_ascii=False)
    return f"event: error\ndata: {data}\n\n".encode("utf-8", "replace")
