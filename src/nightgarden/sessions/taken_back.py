"""Which stored memories a message of the user takes back. Reads the store, changes nothing.

Of this session, the memories made of what was taken back; of earlier ones, the one memory that is clearly about the
topic of "forget what I said about …". Where several fit, none is meant clearly, and they are left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nightgarden.domain.memory import GLOBAL, Memory, Status
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.domain.session import Message, Session
from nightgarden.domain.taking_back import share_named
from nightgarden.domain.text import dedupe_key

if TYPE_CHECKING:
    from nightgarden.remember.extract.retraction import TakenBack

_ANY = (Status.CANDIDATE, Status.PROMOTED, Status.ARCHIVED)


async def memories_taken_back(store: Store, session: Session, message: Message, taken: TakenBack) -> Sequence[Memory]:
    """Live memories that were made before the message, and neither said again nor restored since."""
    scopes = tuple(dict.fromkeys((session.scope or GLOBAL, GLOBAL)))
    if taken.contents:
        gone = {dedupe_key(content) for content in taken.contents}
        # What is named falls also where it was said in an earlier session already, in the same words.
        which = MemoryFilter(scopes=scopes) if taken.topic else MemoryFilter(session_id=session.id)
        here = await store.list_memories(which)
        return [m for m in here if dedupe_key(m.content) in gone and _may_fall(m, message)]
    if not taken.topic:
        return []
    known = await store.list_memories(MemoryFilter(scopes=scopes, statuses=_ANY))
    about = [m for m in known if not m.learned and share_named(taken.topic, m.content) == 1.0]
    if any(m.archived_at is not None and m.archived_at >= message.at for m in about):
        return []  # it was carried out when it was said, or by an earlier reading; what is left was not meant
    fitting = [m for m in about if m.live and m.created_at <= message.at]
    return fitting if len(fitting) == 1 and _may_fall(fitting[0], message) else []


def _may_fall(memory: Memory, message: Message) -> bool:
    return memory.live and not memory.pinned and (memory.confirmed_at or memory.created_at) <= message.at
