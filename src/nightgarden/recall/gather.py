"""Asks every arm at once and puts what they found together: candidates with the evidence of each arm."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Embedder, Hit, ItemKind, Store, View
from nightgarden.domain.session import Passage
from nightgarden.recall import fuse
from nightgarden.recall.file_arm import file_terms
from nightgarden.recall.lexical import SUPPORT_POOL, search_words
from nightgarden.recall.options import RecallOptions, Turned
from nightgarden.recall.query import Query
from nightgarden.recall.result import ArmFound, Cause, MissingPart, Part
from nightgarden.recall.succession import Successions, find_successions
from nightgarden.recall.triggers import Fired, fire
from nightgarden.recall.vector import VectorSearch, look_up_cosines, search_meaning, search_occasion

WHEN_POOL = 100
READ_PASSAGES = 160  # the best of those found; reading all 300 found no more (docs/why/fusion.md)
NEIGHBOURS_OF = 40  # the best turns whose neighbours become candidates too
YEARS_BACK = 8  # "in May" is looked for in so many years


@dataclass(slots=True, kw_only=True)
class RecallCandidates:
    """What the arms found. Filled by `gather` and read by what follows; not shared between requests."""

    kinds: dict[str, ItemKind] = field(default_factory=dict)
    hits: dict[str, Sequence[Hit]] = field(default_factory=dict)  # by arm, best first
    evidence: dict[str, dict[str, float]] = field(default_factory=dict)  # by arm
    cosines: dict[str, float] = field(default_factory=dict)  # of all candidates that have a vector
    base: dict[str, float] = field(default_factory=dict)  # fused evidence of the arms
    fired: dict[str, Fired] = field(default_factory=dict)
    passages: dict[str, Passage] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    meaning: VectorSearch = field(default_factory=VectorSearch)
    replaced: Mapping[str, Memory] = field(default_factory=dict)  # by what holds now: what it was found by

    def drop(self, ids: set[str]) -> None:
        for id in ids:
            self.kinds.pop(id, None)
            self.base.pop(id, None)
            self.passages.pop(id, None)

    def said_of(self, ids: Collection[str]) -> dict[str, dict[str, ArmFound]]:
        """What each arm said of these items: the few that are shown, not all that were found."""
        said: dict[str, dict[str, ArmFound]] = {id: {} for id in ids}
        for arm, hits in self.hits.items():
            evidence = self.evidence.get(arm, {})
            for rank, hit in enumerate(hits, start=1):
                if hit.id in said:
                    said[hit.id][arm] = ArmFound(rank=rank, score=hit.score, evidence=evidence.get(hit.id, 0.0))
        for id, arms in said.items():
            if id in self.cosines and "vector" not in arms:  # looked up, because another arm found it
                arms["vector"] = ArmFound(rank=0, score=self.cosines[id], evidence=self.evidence["vector"][id])
        return said


async def gather(
    query: Query,
    store: Store,
    view: View,
    options: RecallOptions,
    *,
    embedder: Embedder | None,
    now: datetime,
    turned: Turned | None = None,
    by_past: bool = False,
) -> RecallCandidates:
    """Runs the arms side by side, fuses what they found, and adds the neighbours of the best turns. `by_past`: what was
    replaced is searched too, and found for it is what holds now."""
    asked = replace(view, replaced=by_past and "memory" in view.kinds)
    about_files = file_terms(query.files) if options.files else ()
    text, context, files, meaning, dated, fired = await asyncio.gather(
        search_words(query.terms if options.text else (), store, asked),
        search_words(query.support_terms if options.text else (), store, view, limit=SUPPORT_POOL),
        search_words(about_files, store, view, limit=SUPPORT_POOL),
        search_meaning(query.text, embedder, store, asked) if options.vector else _nothing(),
        _dated(query, store, view, now) if options.when else _no_hits(),
        _fired(query, store, view) if options.triggers else _none_fired(),
    )
    occasion = await search_occasion(meaning, turned, store, view)
    past = await find_successions((text, meaning.hits), store, view) if asked.replaced else Successions()
    text, near = past.follow(text), past.follow(meaning.hits)
    found = RecallCandidates(meaning=meaning, fired={each.memory.id: each for each in fired}, replaced=past.replaced)
    for hit in (*text, *context, *files, *near, *dated, *occasion):
        found.kinds[hit.id] = hit.kind
    for each in fired:
        found.kinds[each.memory.id] = "memory"
    cosines = {hit.id: hit.score for hit in meaning.hits}
    cosines |= await look_up_cosines((found.kinds.keys() | past.ends.keys()) - cosines.keys(), meaning, store)
    found.cosines = past.carry(cosines)
    support = fuse.SUPPORT_TEXT_WEIGHT
    found.evidence = {
        "text": fuse.text_evidence(text, weight=fuse.TEXT_WEIGHT if found.cosines else fuse.TEXT_ALONE_WEIGHT),
        "context": fuse.text_evidence(context, weight=support),
        "files": fuse.text_evidence(files, weight=support),
        "vector": fuse.vector_evidence(found.cosines, meaning.model_name),
    }
    found.base = dict.fromkeys(found.kinds, 0.0) | fuse.fuse(found.evidence, options.fusion)
    found.hits = {"text": text, "context": context, "files": files, "vector": near, "when": dated}
    found.hits["occasion"] = occasion
    await _load_passages(found, store, view, options)
    return found


async def _load_passages(found: RecallCandidates, store: Store, view: View, options: RecallOptions) -> None:
    """Reads the passages found and, for the best of them, the turns before and after."""
    ids = [id for id, kind in found.kinds.items() if kind == "passage"]
    if not ids:
        return
    ids.sort(key=lambda id: (-found.base[id], id))
    dated = {hit.id for hit in found.hits["when"]}  # what they say may be weak; the day speaks for them
    weaker = {id: found.base[id] for id in ids[READ_PASSAGES:] if id not in dated}
    found.drop(set(weaker))
    read = [id for id in ids if id in found.kinds]
    reach = store.neighbours(ids[:NEIGHBOURS_OF], reach=1) if options.neighbours else _no_neighbours()
    passages, near = await asyncio.gather(store.passages(read), reach)
    found.passages = {passage.id: passage for passage in passages}
    fresh = {p.id: p for ps in near.values() for p in ps if p.id not in found.passages}
    if not fresh:
        return
    allowed, cosines = await asyncio.gather(
        store.visible(sorted(fresh), view), look_up_cosines(fresh.keys(), found.meaning, store)
    )
    evidence = fuse.vector_evidence(cosines, found.meaning.model_name)
    for id in sorted(allowed):
        found.passages[id], found.kinds[id] = fresh[id], "passage"
        found.base[id] = weaker.get(id, evidence.get(id, 0.0))
        if id in cosines:
            found.cosines[id], found.evidence["vector"][id] = cosines[id], evidence[id]


async def _dated(query: Query, store: Store, view: View, now: datetime) -> list[Hit]:
    """Items from the days the query speaks of, whatever they say."""
    spans = []
    for span in query.spans:
        years = range(now.year - YEARS_BACK + 1, now.year + 1) if span.yearly else (span.start.year,)
        shifted = (span.shifted(year - span.start.year) for year in years)
        spans += [(each.start, each.end) for each in shifted]
    return await store.said_between(spans, view, limit=WHEN_POOL) if spans else []


async def _fired(query: Query, store: Store, view: View) -> list[Fired]:
    if "memory" not in view.kinds:
        return []
    return await asyncio.to_thread(fire, await store.triggered(view), query.text)


# What an arm that is switched off answers, so that the gathering above has one shape.
async def _nothing() -> VectorSearch:
    return VectorSearch(missing=MissingPart(part=Part.VECTOR, cause=Cause.OFF))


async def _no_hits() -> list[Hit]:
    return []


async def _none_fired() -> list[Fired]:
    return []


async def _no_neighbours() -> dict[str, list[Passage]]:
    return {}
