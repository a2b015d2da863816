"""Briefings: what an agent is told before it starts, in sections, within a hard number of characters.

For the start of a session, a mission's worker, a heartbeat and a wake. What is pinned, what was left undone, who the
user is and what they wish have the first claim on the room, whatever the task, for no prompt asks for a style; the rest
is chosen by the task or, without one, by the branch and the latest sessions. What did not fit is said. The order within
a section does not follow the choice, so that the same memories give the same text. It does not read commits or
instruction files: the agent has them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from nightgarden.domain.belief import effective_confidence
from nightgarden.domain.memory import (
    HAPPENED,
    STATED,
    USER_SAID,
    Category,
    Importance,
    Memory,
    Scope,
    ScopeKind,
    Status,
    Tier,
)
from nightgarden.domain.ports import Embedder, MemoryFilter, Store
from nightgarden.domain.taint import fence
from nightgarden.domain.vocabulary import Mode as Mode
from nightgarden.domain.vocabulary import Size as Size
from nightgarden.recall.inject import HEAD, said_of_cut
from nightgarden.recall.line import Heading, Line, is_wish, memory_line
from nightgarden.recall.options import Request
from nightgarden.recall.recall import recall
from nightgarden.recall.surfacing import may_surface
from nightgarden.recall.switch import is_off
from nightgarden.recall.unasked import recall_unasked

_READ_MAX = 200  # newest memories of a scope that are looked through; a scope holds 2 000 at most
_WEIGHT = {
    Importance.HIGH: 1.0,
    Importance.MEDIUM: 0.6,
    Importance.LOW: 0.3,
}  # taken over from an earlier system of this kind; not measured here
_AVOID = (Category.NEGATIVE, Category.CORRECTION)
_WISHED = (*_AVOID, Category.PREFERENCE, Category.CONVENTION)
_PROFILE = (Category.PREFERENCE, Category.FACT, Category.ENTITY)
_WORK_SESSIONS = 3  # whose titles tell what is being worked on; taste
_WORK_ITEMS = 40  # memories that the work may lift
_NOTE = 'kind="briefing"'
_PINNED = "Pinned"
_CUT_ROOM = 40  # characters kept free in a section for saying what was cut


LIMITS = {
    Size.LITE: 3,
    Size.STANDARD: 8,
    Size.DEEP: 20,
}  # taken over from an earlier system of this kind; not measured here
CHARS = {Size.LITE: 1_600, Size.STANDARD: 4_000, Size.DEEP: 10_000}  # taste: about 400, 1 000 and 2 500 tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionSizes:
    """The size of each section, and of the whole."""

    profile: Size
    avoid: Size
    pinned: Size
    relevant: Size
    agent: Size
    mission: Size
    whole: Size


_L, _S, _D = Size.LITE, Size.STANDARD, Size.DEEP
# Mission, preview, heartbeat and wake: taken over, not measured; a session starts like a wake. Warnings: taste.
PLANS: dict[Mode, SectionSizes] = {
    Mode.SESSION: SectionSizes(profile=_S, avoid=_S, pinned=_S, relevant=_S, agent=_L, mission=_L, whole=_S),
    Mode.MISSION: SectionSizes(profile=_S, avoid=_S, pinned=_D, relevant=_S, agent=_L, mission=_S, whole=_D),
    Mode.PREVIEW: SectionSizes(profile=_S, avoid=_S, pinned=_D, relevant=_S, agent=_L, mission=_S, whole=_D),
    Mode.HEARTBEAT: SectionSizes(profile=_L, avoid=_L, pinned=_L, relevant=_L, agent=_L, mission=_L, whole=_L),
    Mode.WAKE: SectionSizes(profile=_S, avoid=_S, pinned=_S, relevant=_S, agent=_L, mission=_S, whole=_S),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One heading with its lines; `left_out` did not fit."""

    title: str
    lines: tuple[Line, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """The text to show, and what is in it. Empty text when there is nothing to tell."""

    text: str
    sections: tuple[Section, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for section in self.sections for line in section.lines)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(line.id for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """What is now, and what is being worked on: decides whether a seasonal memory is told."""

    named: tuple[str, ...]
    about: str

    def shows(self, memory: Memory, now: datetime) -> bool:
        return memory.category in HAPPENED or may_surface(memory, now, seasons=self.named, about=self.about)


def plan_for(mode: Mode, size: Size | None = None) -> SectionSizes:
    """The plan of a mode; a size asked for holds for every section."""
    if size is None:
        return PLANS[mode]
    return SectionSizes(profile=size, avoid=size, pinned=size, relevant=size, agent=size, mission=size, whole=size)


async def brief(  # noqa: PLR0913 - what a briefing is made of
    mode: Mode,
    *,
    scopes: Sequence[Scope],
    task: str = "",
    branch: str = "",
    files: Sequence[str] = (),
    known: Collection[str] = (),
    size: Size | None = None,
    seasons: Sequence[str] = (),
    store: Store,
    embedder: Embedder | None,
    now: datetime,
) -> Briefing:
    """Puts a briefing together. `scopes` is what its reader sees; `task` is what it is about to do, if known; `branch`
    and `files` are what is being worked on; `known` was told before and is left out; `seasons` are now."""
    if await is_off(store, scopes):
        return Briefing(text="", sections=())
    plan = plan_for(mode, size)
    shared = tuple(scope for scope in scopes if scope.kind in (ScopeKind.GLOBAL, ScopeKind.PROJECT))
    everywhere = tuple(scope for scope in shared if scope.kind is ScopeKind.GLOBAL)
    agents, missions, sessions = (
        tuple(scope for scope in scopes if scope.kind is kind)
        for kind in (ScopeKind.AGENT, ScopeKind.MISSION, ScopeKind.SESSION)
    )
    deep = plan.whole is Size.DEEP
    work = await _near_work(branch, files, store, shared, embedder, now)
    season = Season(named=tuple(seasons), about=" ".join((task, branch)))
    undone, profile, wished, avoid, pinned, relevant, agent, mission, session = await asyncio.gather(
        _undone(store, shared, now),
        _best(store, everywhere, now, categories=_PROFILE, deep=deep),
        _best(store, shared, now, categories=_WISHED, deep=deep, near=work),
        _best(store, shared, now, categories=_AVOID, deep=deep, near=work),
        _best(store, shared, now, tiers=(Tier.PINNED,), deep=deep),
        _relevant(task, store, shared, embedder, now, limit=LIMITS[plan.relevant], deep=deep, near=work),
        _best(store, agents, now, deep=deep),
        _best(store, missions, now, deep=deep),
        _best(store, sessions, now, deep=True),
    )
    wanted = (
        ("Left undone", undone, Size.LITE),
        ("About the user", [memory for memory in profile if memory.provenance in USER_SAID], plan.profile),
        (Heading.WISHES.value, _urgent_first([memory for memory in wished if is_wish(memory)]), plan.avoid),
        (Heading.AVOID.value, avoid, plan.avoid),
        (_PINNED, pinned, plan.pinned),
        ("Relevant to this project", relevant, plan.relevant),
        ("This agent's own", agent, plan.agent),
        ("This mission", mission, plan.mission),
        ("This session", session, Size.LITE),
    )
    sections: list[Section] = []
    told: set[str] = set()
    for title, memories, of_size in wanted:
        fresh = [memory for memory in memories if memory.id not in told and season.shows(memory, now)]
        kept = fresh if title == _PINNED else fresh[: LIMITS[of_size]]  # of pinned ones, all that there is room for
        told.update(memory.id for memory in kept)
        shown = kept if task.strip() else sorted(kept, key=lambda memory: memory.id)
        lines = tuple(memory_line(memory) for memory in shown if memory.id not in known)
        sections.append(Section(title=title, lines=lines, left_out=len(fresh) - len(kept)))
    return fit([section for section in sections if section.lines], chars_max=CHARS[plan.whole])


def _urgent_first(wishes: Sequence[Memory]) -> list[Memory]:
    """What must not be done before how things are liked."""
    return sorted(wishes, key=lambda memory: memory.category not in _AVOID)


async def _near_work(
    branch: str,
    files: Sequence[str],
    store: Store,
    scopes: tuple[Scope, ...],
    embedder: Embedder | None,
    now: datetime,
) -> Mapping[str, int]:
    """Places of memories by how near they are to the branch, the files at hand and the latest sessions."""
    projects = [scope for scope in scopes if scope.kind is ScopeKind.PROJECT]
    latest = await store.list_sessions(scopes=projects, limit=_WORK_SESSIONS) if projects else []
    words = [re.sub(r"[/_.-]+", " ", branch), *(session.title for session in latest)]
    query = " ".join(word for word in words if word.strip())
    if not query and not files:
        return {}
    request = Request(
        query=query,
        files=tuple(files),
        scopes=scopes,
        kinds=("memory",),
        categories=STATED,
        limit=_WORK_ITEMS,
        deep=False,
    )
    found = await recall(request, store=store, embedder=embedder, now=now)
    return {result.id: place for place, result in enumerate(found.results)}


def fit(sections: Sequence[Section], *, chars_max: int) -> Briefing:
    """The sections cut to the room there is, what is pinned served first and then in their order, and the text of them.
    Pure."""
    room = chars_max - len(_render([]))
    fitted: dict[int, Section] = {}
    for place in sorted(range(len(sections)), key=lambda place: (sections[place].title != _PINNED, place)):
        section = sections[place]
        room -= len(section.title) + 2 + _CUT_ROOM
        kept: list[Line] = []
        for line in section.lines:
            if len(line.text) + 1 > room:
                break
            kept.append(line)
            room -= len(line.text) + 1
        left_out = section.left_out + len(section.lines) - len(kept)
        if kept:
            fitted[place] = Section(title=section.title, lines=tuple(kept), left_out=left_out)
        else:
            room += len(section.title) + 2 + _CUT_ROOM
    shown = [fitted[place] for place in sorted(fitted)]
    return Briefing(text=_render(shown) if shown else "", sections=tuple(shown))


def _render(sections: Sequence[Section]) -> str:
    body = [HEAD]
    for section in sections:
        body += [f"{section.title}:", *(line.text for line in section.lines)]
        if section.left_out:
            body.append(said_of_cut(section.left_out))
    return fence("\n".join(body), note=_NOTE)


async def _undone(store: Store, scopes: tuple[Scope, ...], now: datetime) -> list[Memory]:
    """What earlier sessions left to do, the latest first."""
    which = MemoryFilter(scopes=scopes, categories=(Category.HANDOFF,), superseded=False)
    found = await store.list_memories(which, limit=_READ_MAX, newest_first=True)
    current = [memory for memory in found if _tellable(memory, now)]
    return sorted(current, key=lambda memory: (-memory.updated_at.timestamp(), memory.id))


async def _best(
    store: Store,
    scopes: tuple[Scope, ...],
    now: datetime,
    *,
    categories: tuple[Category, ...] | None = None,
    tiers: tuple[Tier, ...] | None = None,
    deep: bool,
    near: Mapping[str, int] | None = None,
) -> list[Memory]:
    """The weightiest current memories: pinned first, then by importance, nearness to the work, and belief."""
    if not scopes:
        return []
    which = MemoryFilter(
        scopes=scopes,
        categories=categories or STATED,
        tiers=tiers or ((Tier.PINNED, Tier.ACTIVE, Tier.FADING) if deep else (Tier.PINNED, Tier.ACTIVE)),
        statuses=(Status.CANDIDATE, Status.PROMOTED) if deep else (Status.PROMOTED,),
        superseded=False,
    )
    found = await store.list_memories(which, limit=_READ_MAX, newest_first=True)
    current = [memory for memory in found if _tellable(memory, now)]
    places = near or {}

    def rank(memory: Memory) -> tuple[bool, float, int, float, str]:
        place = places.get(memory.id, _WORK_ITEMS)
        return not memory.pinned, -_WEIGHT[memory.importance], place, -_weight(memory, now), memory.id

    return sorted(current, key=rank)


async def _relevant(
    task: str,
    store: Store,
    scopes: tuple[Scope, ...],
    embedder: Embedder | None,
    now: datetime,
    *,
    limit: int,
    deep: bool,
    near: Mapping[str, int],
) -> list[Memory]:
    """What fits the task; the weightiest when there is no task, or after what fits."""
    weighty = await _best(store, scopes, now, deep=deep, near=near)
    if not task.strip():
        return weighty
    request = Request(query=task, scopes=scopes, kinds=("memory",), categories=STATED, limit=limit)
    found = await recall_unasked(request, store=store, embedder=embedder, now=now)
    fitting = await store.memories([result.id for result in found])
    first = [memory for memory in fitting if _tellable(memory, now)]
    known = {memory.id for memory in first}
    return [*first, *(memory for memory in weighty if memory.id not in known)]


def _tellable(memory: Memory, now: datetime) -> bool:
    expired = memory.valid_until is not None and memory.valid_until <= now
    elsewhere = memory.temporal.session_only and memory.scope.kind is not ScopeKind.SESSION
    return memory.live and not expired and not elsewhere


def _weight(memory: Memory, now: datetime) -> float:
    return _WEIGHT[memory.importance] * effective_confidence(memory, now)
