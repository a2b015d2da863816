"""Passages that tell an agent nothing, or what no longer holds: they are left out of what is shown unasked.

The user's own prompt from an earlier day is the best hit for the same prompt and answers nothing, nor does any other
bare question; a request to forget something says what was to be forgotten; a passage from which a memory was taken says
the same once more, also when that memory was shown earlier in the session; one whose memory was replaced would bring
the old value back as a quote, and so would the agent's echo of it and whatever else in that session names what was
replaced. An explicit recall still finds them all, for there the user asks for what was said; but what was replaced
since comes last, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nightgarden.domain.memory import Memory, Status
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.domain.taking_back import takes_back
from nightgarden.domain.text import jaccard, words
from nightgarden.recall.result import Recalled, Result
from nightgarden.recall.succession import live_ends
from nightgarden.recall.support import question_share

StillSays = Callable[[str, str, str], bool]  # whether a text says what a newer statement replaced of an older one
REPLACED = "what it says has been replaced since"
ECHO = 0.6  # shared words; the same request is seldom typed letter for letter


async def without_echoes(
    prompt: str, results: Sequence[Result], store: Store, still_says: StillSays, *, shown: Sequence[str] = ()
) -> list[Result]:
    """The results that can still be shown, in their order. `shown` are items that the session has seen already."""
    asked = words(prompt)
    told = {(r.session_id, id) for r in results if r.kind == "memory" for id in r.message_ids}
    if shown and any(r.kind == "passage" for r in results):
        told |= {(m.session_id, id) for m in await store.memories(shown) for id in m.message_range or ()}
    passages = [
        r
        for r in results
        if r.kind == "passage"
        and not any((r.session_id, id) in told for id in r.message_ids)
        and jaccard(asked, words(r.content)) < ECHO
        and not takes_back(r.content)
        and question_share(r.content) < 1
    ]
    replaced = await _replaced_in(passages, store)
    good = {r.id for r in passages if not _replaced_by(r, replaced, still_says)}
    return [r for r in results if r.kind == "memory" or r.id in good]


async def outdated_last(found: Recalled, store: Store, still_says: StillSays) -> Recalled:
    """The same, with passages behind all else that say what was replaced since. What replaced it stands where the first
    of them stood, if it is among the results."""
    passages = [r for r in found.results if r.kind == "passage"]
    replaced = await _replaced_in(passages, store)
    by = {r.id: ends for r in passages if (ends := _replaced_by(r, replaced, still_says))}
    if not by:
        return found
    results: dict[str, Result] = {}
    known = {r.id: r for r in found.results}
    for result in found.results:
        ahead = sorted(by.get(result.id, ())) if result.id in by else [result.id]
        results |= {id: known[id] for id in ahead if id in known and id not in results}
    last = [replace(known[id], reasons=(REPLACED, *known[id].reasons)) for id in by]
    return replace(found, results=(*results.values(), *last))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Replacement:
    past: Memory
    by: Memory | None  # what holds now; None when that was forgotten or erased since
    by_id: str


async def _replaced_in(passages: Sequence[Result], store: Store) -> list[_Replacement]:
    """The memories taken from these sessions that something else has replaced since."""
    past: dict[str, Memory] = {}
    for session_id in sorted({r.session_id for r in passages if r.session_id}):
        which = MemoryFilter(session_id=session_id, statuses=(Status.ARCHIVED,))
        past |= {memory.id: memory for memory in await store.list_memories(which) if memory.superseded_by}
    if not past:
        return []
    ends = await live_ends(past, store)
    known = {memory.id: memory for memory in await store.memories(sorted(set(ends.values()))) if memory.live}
    return [_Replacement(past=memory, by=known.get(ends[id]), by_id=ends[id]) for id, memory in past.items()]


def _replaced_by(passage: Result, replaced: Sequence[_Replacement], still_says: StillSays) -> set[str]:
    """The ids of what replaced something that the passage says: a memory was taken from it, or it says in the same
    session what was replaced later."""
    found: set[str] = set()
    for each in replaced:
        past = each.past
        if past.session_id != passage.session_id:
            continue
        taken = any(id in (past.message_range or ()) for id in passage.message_ids)
        told_before = each.by is not None and passage.created_at < each.by.created_at
        if taken or (each.by and told_before and still_says(passage.content, past.content, each.by.content)):
            found.add(each.by_id)
    return found
