"""What is learned from one turn after it was served: links, confidence, tags, and which memories were accessed.

A few rows in one transaction, journaled under the actor "recall". Being shown counts as an access and makes nothing
surer; use does, and makes it stronger, and so does a mind that found it relevant. What the cascade alone brought along
is left out of the links, or links would breed links.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import combinations

from nightgarden.domain.belief import link_strength
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.memory import Category, Memory
from nightgarden.domain.ports import Store
from nightgarden.domain.text import fold, query_terms, tag_name
from nightgarden.errors import Conflict
from nightgarden.recall.result import Result

READ_MAX = 3  # results that count as read when somebody asked; taste
LINK_STEP = 0.15  # of what is missing to 1: five times together makes .56, ten times .80. Taste
LINKED_MAX = 4  # the best four of a turn: six links at most
LINK_PAUSE = timedelta(minutes=30)  # one piece of work counts once, however many turns it takes
USED_STEP = 0.05  # of what is missing to 1 (added flat, everything would end at 1)
RELEVANT_STEP = 0.02  # of what is missing to 1, as much as a rejection takes from one half. Taste
REJECTED_STEP = 0.02  # taken over from an earlier system of this kind; not measured here
CONFIDENCE_FLOOR = 0.15  # rejections never bring a memory below this; they are about a turn, not about truth
CHANGED_MAX = 24  # memories whose confidence one turn may touch
TAGGED_MIN = 3  # memories that must hang together before they get a tag of their own
_ATTEMPTS = 3
_EXEMPT = frozenset({Category.CORRECTION, Category.NEGATIVE})
_ORIGIN = Origin(actor="recall", operation=Operation.SERVE, reason="after serving")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One turn as it was served. All ids are of memories; passages are not learned about."""

    prompt: str
    shown: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()  # shown or verified, each found by itself; best first
    verified: tuple[str, ...] = ()  # a mind read them and found them relevant
    used: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()  # a mind read them and found them of no use for the turn


def read_first(results: Sequence[Result]) -> list[str]:
    """Ids of the memories that somebody who asked will read: whatever comes far down answers another question."""
    return [result.id for result in results[:READ_MAX] if result.kind == "memory"]


async def learn(served: Served, *, store: Store, now: datetime) -> int:
    """Writes what one turn taught. Returns how many nodes changed; 0 when other writers were faster each time."""
    if served.shown:
        await store.touch(list(dict.fromkeys(served.shown)), at=now)
    touched = dict.fromkeys((*served.relevant[:LINKED_MAX], *served.used, *served.verified, *served.rejected))
    if not touched:
        return 0
    for _ in range(_ATTEMPTS):
        known = {memory.id: memory for memory in await store.memories(list(touched)[:CHANGED_MAX]) if memory.live}
        together = [known[id] for id in served.relevant[:LINKED_MAX] if id in known]
        edges = await store.edges([memory.id for memory in together], kinds=[EdgeKind.RELATES_TO]) if together else []
        tags = await store.tags() if len(together) >= TAGGED_MIN else []
        tag = infer_tag(served.prompt, together, frozenset(each.name for each in tags))
        changes = [*_confidences(known, served, tag, together, now), *strengthened(together, edges, now)]
        if not changes:
            return 0
        try:
            await store.apply(changes, _ORIGIN, at=now)
        except Conflict:
            continue
        return len(changes)
    return 0


def strengthened(together: Sequence[Memory], edges: Iterable[Edge], now: datetime) -> list[Change]:
    """A link between each pair, new or stronger than what is left of it; the direction a link has is kept."""
    known = {frozenset((edge.source, edge.target)): edge for edge in edges}
    changes: list[Change] = []
    for one, other in combinations(sorted({memory.id for memory in together}), 2):
        edge = known.get(frozenset((one, other)))
        if edge is None:
            fresh = Edge(
                source=one, target=other, kind=EdgeKind.RELATES_TO, weight=LINK_STEP, created_at=now, updated_at=now
            )
            changes.append(Change(None, fresh, "relevant together"))
        elif now - edge.updated_at >= LINK_PAUSE:
            left = link_strength(edge, now)
            weight = left + LINK_STEP * (1.0 - left)
            changes.append(Change(edge, replace(edge, weight=weight, updated_at=now), "relevant together again"))
    return changes


def _confidences(
    known: Mapping[str, Memory], served: Served, tag: str | None, together: Sequence[Memory], now: datetime
) -> list[Change]:
    """Each memory at most once: its confidence, and the tag when there is one."""
    tagged = {memory.id for memory in together} if tag else set()
    changes: list[Change] = []
    for id, memory in known.items():
        confidence = memory.confidence
        if id in served.used:
            confidence = after_use(memory)
        elif id in served.verified:
            confidence = after_relevance(memory)
        elif id in served.rejected:
            confidence = after_rejection(memory)
        tags = tuple(sorted({*memory.tags, tag})) if tag and id in tagged else memory.tags
        strength = memory.strength + (id in served.used)
        after = replace(memory, confidence=confidence, tags=tags, strength=strength)
        if after != memory:
            changes.append(Change(memory, replace(after, updated_at=now), _why(id, served, tag)))
    return changes


def _why(id: str, served: Served, tag: str | None) -> str:
    named = (("used", served.used), ("relevant", served.verified), ("not relevant", served.rejected))
    return next((why for why, ids in named if id in ids), f"tag {tag}")


def after_use(memory: Memory) -> float:
    """A little surer."""
    return round(memory.confidence + USED_STEP * (1.0 - memory.confidence), 6)


def after_relevance(memory: Memory) -> float:
    """Slightly surer: relevance is less than use."""
    return round(memory.confidence + RELEVANT_STEP * (1.0 - memory.confidence), 6)


def after_rejection(memory: Memory) -> float:
    """Slightly less sure; corrections, what must never be done, and what is pinned stay as they are."""
    if memory.pinned or memory.category in _EXEMPT or memory.confidence <= CONFIDENCE_FLOOR:
        return memory.confidence
    return round(max(CONFIDENCE_FLOOR, memory.confidence - REJECTED_STEP), 6)


def infer_tag(prompt: str, together: Sequence[Memory], known_tags: frozenset[str]) -> str | None:
    """A tag for memories that hang together and share none: a word that the prompt and all of them have.

    Only a tag that exists already, or a name (written with a capital or a digit inside a sentence): the most frequent
    word of a prompt, taken as it comes, makes junk tags.
    """
    if len(together) < TAGGED_MIN or set.intersection(*(set(memory.tags) for memory in together)):
        return None
    shared = set(query_terms(prompt)).intersection(*(query_terms(memory.content) for memory in together))
    names = {name for name in map(tag_name, _names(together)) if set(query_terms(name)) <= shared and query_terms(name)}
    candidates = sorted(
        name for name in names | (known_tags & _plain_words(prompt)) if set(query_terms(name)) <= shared
    )
    return next((name for name in candidates if 3 <= len(name) <= 32 and any(c.isalpha() for c in name)), None)


def _plain_words(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,;:!?()\"'") for word in fold(text).lower().split())


def _names(memories: Sequence[Memory]) -> set[str]:
    """Words written with a capital in the middle of a sentence."""
    found: set[str] = set()
    for memory in memories:
        before = "."
        for word in memory.content.split():
            plain = word.strip(".,;:!?()\"'`")
            if plain[:1].isupper() and not before.endswith((".", "!", "?", ":")):
                found.add(plain)
            before = word
    return found
