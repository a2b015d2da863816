"""The read path, in order: understand, gather, rank, cascade, spread out, read again, gate. The only I/O is the
store's, the embedder's and the reranker's; the clock is passed in, so the same garden gives the same answer."""

from __future__ import annotations

import heapq
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Embedder, ItemKind, Reranker, Store, View
from nightgarden.domain.session import Passage
from nightgarden.recall import cascade as graph
from nightgarden.recall import fuse, rank, rerank
from nightgarden.recall.diverse import spread_out
from nightgarden.recall.gather import RecallCandidates, gather
from nightgarden.recall.many import session_losses
from nightgarden.recall.options import Request
from nightgarden.recall.query import Query, understand
from nightgarden.recall.reasons import explain
from nightgarden.recall.result import ArmFound, Cause, Cut, Explanation, MissingPart, Part, Recalled, Result
from nightgarden.recall.show_gate import FITTING_EVIDENCE, count_worth_showing
from nightgarden.recall.support import speaker
from nightgarden.recall.surfacing import is_fading

READ_MEMORIES = 40  # the best memories that are read in full and ranked by all they say of themselves
SPREAD_OVER = 40  # candidates compared with each other
CUT_SHOWN = 20
STRANGER_STRENGTH = 0.01  # of an item that no arm found, before the cascade


@dataclass(slots=True, kw_only=True)
class _Ranking:
    """The state of one request between its steps."""

    found: RecallCandidates
    boosts: rank.Boosts = field(default_factory=dict)
    evidence: dict[str, float] = field(default_factory=dict)  # of every candidate: its base and its boosts
    paths: dict[str, graph.Reached] = field(default_factory=dict)
    cut: dict[str, str] = field(default_factory=dict)
    reranked_from: dict[str, int] = field(default_factory=dict)
    fading: bool = False  # a memory was left out because it fades

    def enter(self, boosts: rank.Boosts) -> None:
        """Takes in candidates that are new, or of which more is known now."""
        for id, gained in boosts.items():
            known = self.boosts.setdefault(id, {})
            known.update(gained)
            self.evidence[id] = self.found.base[id] + sum(known.values())

    def add(self, name: str, gained: Mapping[str, float]) -> None:
        self.enter({id: {name: boost} for id, boost in gained.items()})

    def drop(self, ids: set[str]) -> None:
        self.found.drop(ids)
        for id in ids:
            self.evidence.pop(id, None)

    def keep_best_pieces(self) -> None:
        """The others still support their neighbours."""
        for id in rank.worse_pieces(self.order(), self.found.passages):
            del self.evidence[id]

    def order(self) -> list[str]:
        """Best first."""
        return rank.in_order(self.evidence)

    def item(self, id: str) -> Memory | Passage | None:
        return self.found.memories.get(id) or self.found.passages.get(id)


async def recall(
    request: Request, *, store: Store, embedder: Embedder | None = None, reranker: Reranker | None = None, now: datetime
) -> Recalled:
    """The best memories and passages for a request, best first, each with its reasons."""
    started = time.perf_counter()
    query = understand(request.query, now=now, context=request.context, files=request.files)
    if query.empty or request.limit <= 0 or not request.kinds:
        return Recalled(query=request.query, results=())
    view = View(now=now, scopes=request.scopes, kinds=request.kinds, as_of=request.as_of, categories=request.categories)
    found = await gather(
        query,
        store,
        view,
        request.options,
        embedder=embedder,
        now=now,
        turned=request.turned,
        by_past=request.by_past,
    )
    _leave_out(found, request)
    state = _Ranking(found=found)
    state.enter(rank.passage_boosts(found, query, request, now) | rank.first_memory_boosts(found, request.options))
    await _read_memories(state, query, request, store, now)
    if request.options.cascade:
        await _cascade(state, query, request, store, view, now)
    state.keep_best_pieces()
    if request.options.beliefs_first:
        state.add("supported", rank.put_beliefs_first(state.evidence, found))
    if request.options.diverse:
        await _spread(state, query, store)
    missing = [found.meaning.missing] if found.meaning.missing else []
    if request.rerank:
        missing += await _read_again(state, query, reranker)
    results = _results(state, query, request)
    if state.fading and request.deep is None and not any(result.kind == "memory" for result in results):
        return await recall(replace(request, deep=True), store=store, embedder=embedder, reranker=reranker, now=now)
    cut = tuple(Cut(id=id, why=why) for id, why in sorted(state.cut.items())[:CUT_SHOWN])
    took = (time.perf_counter() - started) * 1000.0
    return Recalled(query=request.query, results=results, cut=cut, took_ms=took, missing=tuple(missing))


def _leave_out(found: RecallCandidates, request: Request) -> None:
    """What the caller does not want back. Passages of its own session still support nobody: they are gone."""
    unwanted = set(request.exclude_ids)
    if request.exclude_session is not None:
        unwanted |= {p.id for p in found.passages.values() if p.session_id == request.exclude_session}
    found.drop(unwanted)


async def _read_memories(state: _Ranking, query: Query, request: Request, store: Store, now: datetime) -> None:
    """Reads the best memories and ranks them by what they say of themselves; those unread are out of the running."""
    found = state.found
    ids = sorted(
        (id for id, kind in found.kinds.items() if kind == "memory" and id not in found.memories),
        key=lambda id: (-state.evidence[id], id),
    )
    best = _with_occasion(ids, max(READ_MEMORIES, 2 * request.limit), found)
    for memory in await store.memories(best) if best else ():
        if request.exclude_session is not None and memory.session_id == request.exclude_session:
            state.cut[memory.id] = "written by this session"
            continue
        if not request.deep and request.as_of is None and is_fading(memory):
            state.cut[memory.id] = "fading; a deep search finds it"
            state.fading = True
            continue
        found.memories[memory.id] = memory
        state.enter({memory.id: rank.memory_boosts(memory, query, request, now)})
    state.drop({id for id in ids if id not in found.memories})


def _with_occasion(order: Sequence[str], count: int, found: RecallCandidates) -> list[str]:
    """The first of an order, and what was found for the occasion wherever it stands."""
    also = {hit.id for hit in found.hits["occasion"]}
    return [*order[:count], *(id for id in order[count:] if id in also)]


async def _cascade(state: _Ranking, query: Query, request: Request, store: Store, view: View, now: datetime) -> None:
    """Walks the graph from the best hits; what it reaches gains strength, or comes in."""
    evidence = state.evidence
    best = heapq.nsmallest(graph.SEEDS_MAX, evidence, key=lambda id: (-evidence[id], id))
    strengths = {id: fuse.strength(evidence[id]) for id in best if id in state.found.memories}
    if not strengths:  # nothing hangs on a passage
        return
    reached = await graph.cascade(strengths, store, view)
    fresh = [id for id in reached if id not in evidence and id not in request.exclude_ids]
    if fresh:
        state.found.passages |= {passage.id: passage for passage in await store.passages(fresh)}
        for id in fresh:
            state.found.kinds[id], state.found.base[id] = _kind(id, state.found), fuse.evidence_of(STRANGER_STRENGTH)
        state.enter({id: {} for id in fresh})
        await _read_memories(state, query, request, store, now)
    for id, way in reached.items():
        if id in evidence:
            own = fuse.strength(evidence[id])
            joined = fuse.evidence_of(1.0 - (1.0 - own) * (1.0 - way.strength))
            state.add("cascade", {id: max(0.0, joined - evidence[id])})
            state.paths[id] = way


def _kind(id: str, found: RecallCandidates) -> ItemKind:
    return "passage" if id in found.passages else "memory"


async def _spread(state: _Ranking, query: Query, store: Store) -> None:
    """Copies of a better result lose their place; of a question that asks for many things, sessions take turns."""
    if query.many:
        lost = session_losses(state.order(), state.found.passages)
        state.add("sessions", {id: -loss for id, loss in lost.items()})
    order = [id for id in state.order() if state.item(id) is not None][:SPREAD_OVER]
    model_id = state.found.meaning.model_id
    vectors = await store.vectors(model_id, order) if model_id and order else {}
    texts = {id: item.content for id in order if (item := state.item(id)) is not None}
    state.add("alike", {id: -lost for id, lost in spread_out(order, vectors, texts).items()})


async def _read_again(state: _Ranking, query: Query, reranker: Reranker | None) -> list[MissingPart]:
    """Lets the cross-encoder judge the best; returns what is to be said when it cannot."""
    if reranker is None:
        return [MissingPart(part=Part.RERANK, cause=Cause.NO_MODEL)]
    evidence = state.evidence
    order = [id for id in state.order() if state.item(id) is not None]
    best = [item for id in order[: rerank.READ_MAX] if (item := state.item(id)) is not None]
    texts = rerank.readings(best, state.found.passages, state.found.replaced)
    judged = await rerank.read_again(query.text, order, evidence, texts, reranker)
    if judged is None:
        return [MissingPart(part=Part.RERANK, cause=Cause.FAILED)]
    state.add("rerank", {id: judgement - evidence[id] for id, judgement in judged.items()})
    state.reranked_from = {id: place for place, id in enumerate(order, start=1) if id in judged}
    return []


def _results(state: _Ranking, query: Query, request: Request) -> tuple[Result, ...]:
    """The first ones of the order, as many as wanted or, when gated, as are worth showing."""
    evidence = state.evidence
    order = [id for id in state.order() if state.item(id) is not None]
    wanted = _with_occasion(order, request.limit, state.found)
    if request.gated:
        strengths = [fuse.strength(evidence[id]) for id in wanted]
        count = count_worth_showing(strengths, [id in state.found.fired for id in wanted])
        state.cut |= dict.fromkeys(wanted[count:], "too weak next to the best")
        wanted = wanted[:count]
    if request.fitting:
        weak = [id for id in wanted if evidence[id] < FITTING_EVIDENCE]
        state.cut |= dict.fromkeys(weak, "does not fit well")
        wanted = [id for id in wanted if id not in weak]
    for id in [each for each in order[request.limit :] if each not in wanted][:CUT_SHOWN]:
        alike = state.boosts.get(id, {}).get("alike", 0.0) < 0.0
        state.cut.setdefault(id, "says the same as a better result" if alike else "beyond the limit")
    said = state.found.said_of(wanted)
    return tuple(_result(id, said[id], state, query) for id in wanted)


def _result(id: str, arms: Mapping[str, ArmFound], state: _Ranking, query: Query) -> Result:
    item = state.item(id)
    assert item is not None
    evidence = state.evidence[id]
    boosts = {name: round(boost, 6) for name, boost in state.boosts.get(id, {}).items() if boost}
    path = state.paths[id].path if id in state.paths else ()
    fired = state.found.fired.get(id)
    return Result(
        id=id,
        kind="memory" if isinstance(item, Memory) else "passage",
        content=item.content,
        score=round(fuse.strength(evidence), 6),
        reasons=explain(item, query, arms, boosts, path, fired, replaced=state.found.replaced.get(id)),
        category=item.category if isinstance(item, Memory) else None,
        scope=item.scope,
        created_at=item.created_at,
        session_id=item.session_id,
        message_ids=(item.message_range or ()) if isinstance(item, Memory) else item.message_ids,
        speaker="" if isinstance(item, Memory) else speaker(item),
        tainted=isinstance(item, Memory) and item.tainted,
        explanation=Explanation(
            arms=arms, boosts=boosts, path=path, evidence=round(evidence, 6), reranked_from=state.reranked_from.get(id)
        ),
    )
