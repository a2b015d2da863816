"""Passages that tell an agent nothing, or what no longer holds: they are left out of what is shown unasked.

The user's own prompt from an earlier day is the best hit for the same prompt and answers nothing, nor does any other
bare question; a request to forget something says what was to be forgotten; a passage from which a memory was taken says
the same once more, also when that memory was shown earlier in the session; one whose memory was replaced would bring
the old value back as a quote. An explicit recall still finds them all, for there the user asks for what was said; but
what was replaced since comes last, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nightgarden.domain.memory import Memory, Status
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.domain.taking_back import takes_back
from nightgarden.domain.text import jaccard, words
from nightgarden.recall.result import Recalled, Result
from nightgarden.recall.support import question_share

REPLACED = "what it says has been replaced since"
ECHO = 0.6  # shared words; the same request is seldom typed letter for letter


async def without_echoes(
    prompt: str, results: Sequence[Result], store: Store, *, shown: Sequence[str] = ()
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
    outdated = await _outdated({r.session_id for r in passages if r.session_id}, store)
    good = {r.id for r in passages if not any((r.session_id, id) in outdated for id in r.message_ids)}
    return [r for r in results if r.kind == "memory" or r.id in good]


async def outdated_last(found: Recalled, store: Store) -> Recalled:
    """The same, with passages behind all else whose memory was replaced since."""
    sessions = {r.session_id for r in found.results if r.kind == "passage" and r.session_id}
    outdated = await _outdated(sessions, store) if sessions else set()
    if not outdated:
        return found
    last = {
        r.id: replace(r, reasons=(REPLACED, *r.reasons))
        for r in found.results
        if r.kind == "passage" and any((r.session_id, id) in outdated for id in r.message_ids)
    }
    return replace(found, results=(*(r for r in found.results if r.id not in last), *last.values()))


async def _outdated(session_ids: set[str], store: Store) -> set[tuple[str | None, str]]:
    """Messages from which a memory was taken that something else has replaced since."""
    found: set[tuple[str | None, str]] = set()
    for session_id in sorted(session_ids):
        which = MemoryFilter(session_id=session_id, statuses=(Status.ARCHIVED,))
        replaced: list[Memory] = [m for m in await store.list_memories(which) if m.superseded_by]
        found |= {(session_id, id) for memory in replaced for id in memory.message_range or ()}
    return found
