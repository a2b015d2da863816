"""Erasing a person: everything they said in channels, and everything that names them anywhere in the garden.

A name is looked for as whole words, in any case; other names and the ids that the same account was seen under count as
well. Days of channels in which they spoke or were named are kept without those messages. Not covered: nicknames that
nobody tied to the account, and what was sent to other people's machines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from nightgarden.domain.gate import strings_of
from nightgarden.domain.memory import Status
from nightgarden.domain.ports import MemoryFilter, View
from nightgarden.domain.session import Extraction, Message, Session
from nightgarden.domain.text import fold, query_terms
from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.initiative.channel_history import CLIENT

PASSAGES_MAX = 5_000


@dataclass(slots=True, kw_only=True)
class Traces:
    """Where a person was found."""

    names: set[str]  # folded, in lower case
    memories: list[str] = field(default_factory=list)
    passages: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    days: dict[str, Session] = field(default_factory=dict)  # of channels: what is left of each
    messages: int = 0

    @property
    def ids(self) -> list[str]:
        return [*self.memories, *self.passages, *self.tasks, *self.documents, *self.days]

    @property
    def sentence(self) -> str:
        return (
            f"{_count(self.messages, 'message')} in {_count(len(self.days), 'day')} of channels, "
            f"{_count(len(self.memories), 'memory', 'memories')}, {_count(len(self.passages), 'passage')}, "
            f"{_count(len(self.tasks), 'task')}, {_count(len(self.documents), 'record')}"
        )


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


async def find_person(garden: Garden, name: str) -> Traces:
    """Everything that goes when this person is erased."""
    wanted = _plain(name)
    if len(wanted) < 2:
        raise BadInput("a name needs at least two characters")
    days = [await garden.store.session(each.id) for each in await garden.store.list_sessions(client=CLIENT)]
    sessions = [session for session in days if session is not None]
    traces = Traces(names=_aliases(wanted, sessions))
    for session in sessions:
        left = tuple(message for message in session.messages if not _about(message, traces.names))
        if len(left) < len(session.messages):
            traces.messages += len(session.messages) - len(left)
            traces.days[session.id] = replace(session, messages=left)
    await _find_elsewhere(garden, traces)
    return traces


def _aliases(wanted: str, sessions: Iterable[Session]) -> set[str]:
    """The name, the accounts that go by it, and what else those go by."""
    names, accounts = {wanted}, set()
    messages = [message for session in sessions for message in session.messages if message.role != "assistant"]
    for message in messages:
        account = message.arguments.get("author", "")
        if _plain(message.role) == wanted or wanted in {_plain(account), _plain(account.partition(":")[2])}:
            accounts.add(account)
    for message in messages:
        if (account := message.arguments.get("author", "")) and account in accounts:
            names |= {_plain(message.role), _plain(account), _plain(account.partition(":")[2])}
    return {each for each in names if len(each) > 1}


def _about(message: Message, names: set[str]) -> bool:
    author = message.arguments.get("author", "")
    spoke = message.role != "assistant" and {_plain(message.role), _plain(author)} & names
    return bool(spoke) or mentions(message.text, names)


async def _find_elsewhere(garden: Garden, traces: Traces) -> None:
    everything = MemoryFilter(statuses=tuple(Status))
    for memory in await garden.store.list_memories(everything):
        if any(mentions(text, traces.names) for _, text in strings_of(memory)):
            traces.memories.append(memory.id)
    view = View(now=garden.now(), kinds=("passage",))
    for name in sorted(traces.names):
        hits = await garden.store.search_text(query_terms(name), view, limit=PASSAGES_MAX)
        for passage in await garden.store.passages([hit.id for hit in hits]):
            if passage.session_id not in traces.days and mentions(passage.content, traces.names):
                traces.passages.append(passage.id)
    traces.passages = list(dict.fromkeys(traces.passages))
    for task in await garden.schedule.list(scope="all", include_closed=True):
        if any(mentions(text, traces.names) for _, text in strings_of(task)):
            traces.tasks.append(task.id)
    for kind in (await garden.store.counts()).documents:
        for document in await garden.store.list_documents(kind):
            texts = [document.key, *(text for _, text in strings_of(document.value))]
            if any(mentions(text, traces.names) for text in texts):
                traces.documents.append(document.key)


async def purge_person(garden: Garden, traces: Traces) -> list[str]:
    """Erases what was found. Other people's messages of the same days are kept, in sessions of a new name that are
    written first, so that a crash loses none of them."""
    for session_id, left in traces.days.items():
        if left.messages:
            fresh = replace(left, id=await _successor(garden, session_id), extraction=Extraction.DONE)
            await garden.sessions.add(fresh)
    return await garden.purge(*traces.ids)


async def _successor(garden: Garden, session_id: str) -> str:
    """The next name of a channel's day, as `History` will look for it."""
    stem, _, number = session_id.rpartition("-")
    base, start = (stem, int(number)) if session_id.count("-") == 5 else (session_id, 0)
    while True:
        start += 1
        name = f"{base}-{start}"
        if not await garden.store.tombstones([name]) and await garden.store.session(name, messages=False) is None:
            return name


def mentions(text: str, names: Iterable[str]) -> bool:
    """Whether a text has one of these names as whole words. The names are plain already."""
    plain = _plain(text)
    for name in names:
        start = plain.find(name)
        while start >= 0:
            end = start + len(name)
            if not (plain[start - 1 : start].isalnum() or plain[end : end + 1].isalnum()):
                return True
            start = plain.find(name, start + 1)
    return False


def _plain(text: str) -> str:
    return " ".join(fold(text).casefold().split())
