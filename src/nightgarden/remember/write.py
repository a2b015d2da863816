"""The write path: normalise, refuse, look for the same or the opposite, store. The caller always learns what happened.

Each attempt reads, decides and writes; when another writer was faster, the store says so and the attempt is made again,
so two writers that say the same thing at once end with one memory that was reinforced.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from nightgarden.domain.classify import Classifier, VectorScores
from nightgarden.domain.derivable import STATUS_LINE
from nightgarden.domain.doubt import Doubt, DoubtKind, without_memory
from nightgarden.domain.gate import Gate, strings_of
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.memory import Memory, ScopeKind
from nightgarden.domain.ports import Embedder, MemoryFilter, Store, Vector, View
from nightgarden.domain.text import dedupe_key, query_terms
from nightgarden.domain.verdict import Flagged, Refused, Reinforced, Rule, Saved, Superseded, Verdict
from nightgarden.errors import Conflict, ModelUnavailable, RuleRefused
from nightgarden.remember.build import OUTSIDE_RANK, build, lowered, reinforced
from nightgarden.remember.category import category_of
from nightgarden.remember.compare.news import tells_a_rename, tells_news
from nightgarden.remember.edit import superseded
from nightgarden.remember.ignored import is_ignored
from nightgarden.remember.judge import Flag, Reinforce, Save, Supersede, judge
from nightgarden.remember.normalise import normalise
from nightgarden.remember.note import Note
from nightgarden.remember.nothing_left import says_nothing
from nightgarden.remember.pair_reading import Neighbour
from nightgarden.remember.refuse import (
    ALLOWABLE,
    LENGTH_MAX,
    NOT_LASTING,
    TOO_LONG,
    after_limit,
    refuse,
    refuse_chatter,
)
from nightgarden.remember.tagging import settle_tags, spellings
from nightgarden.settings import RememberSettings

NEIGHBOURS = 8  # by words and by meaning each; paraphrases of a statement are almost always among the first five
_TERMS_MAX = 16
# What a session keeps for itself may say how work stands: it is forgotten with the session.
_SESSION_TAKES = frozenset({STATUS_LINE.id, NOT_LASTING.id})
BESIDE_WEIGHT = 0.05  # seen from either side, but recall does not follow it: what narrows what is a guess
_ATTEMPTS = 8
NO_NEWS = Rule(
    id="no-news",
    sentence="it is not clear that this matters later, and it changes nothing that is known",
    overridable=False,
)
PURGED = Rule(id="purged", sentence="this was purged earlier, and is not brought back by an import", overridable=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """With what, by whom and when a note is written."""

    store: Store
    embedder: Embedder | None
    classifier: Classifier | None = None  # without one, exact rules decide
    settings: RememberSettings
    ids: IdMaker
    now: datetime
    actor: str
    machine_id: str
    keep_purged: bool = False  # an import does not revive what was purged
    cycle: str | None = None  # of the background run that writes it, so that it can be undone with the rest

    def origin(self, verdict: Verdict) -> Origin:
        return Origin(actor=self.actor, operation=Operation.REMEMBER, reason=_reason(verdict), cycle=self.cycle)


async def remember(note: Note, writing: Writing) -> Verdict:
    """Stores the note or says why not. "Slack is gone" says little by itself, and ends what is known: so what says that
    something is over is refused only if nothing is known of it."""
    verdict = await _remember(note, writing)
    if not isinstance(verdict, Refused) or not _may_be_news(note.content, verdict.rule):
        return verdict
    news = await _remember(replace(note, tentative=True, allow=note.allow | _SESSION_TAKES), writing)
    return verdict if isinstance(news, Refused) else news


def _may_be_news(said: str, refused: Rule) -> bool:
    """Whether what was refused for itself may change something known: "we renamed the main package to coinbook"."""
    if refused is STATUS_LINE:
        return tells_a_rename(said)
    return refused is NOT_LASTING and tells_news(said)


async def _remember(note: Note, writing: Writing) -> Verdict:
    # In a thread: the rules read the whole text many times over, and a daemon has others to answer meanwhile.
    passed = await asyncio.to_thread(check, note, writing.settings, writing.classifier)
    if isinstance(passed, Refused):
        return passed
    memory_id = writing.ids.make(note.created_at)
    new = await asyncio.to_thread(_build, note, passed, memory_id, writing)
    if isinstance(new, Refused):
        return new
    if writing.keep_purged and await writing.store.tombstones([dedupe_key(new.content)]):
        return Refused(rule=PURGED)
    new = await _with_known_tags(new, writing.store)
    vector = await _embed(writing.embedder, new.content)
    if vector is not None and writing.embedder is not None:
        name, allowed = writing.embedder.model.name, _allowed(note)
        if refused := refuse_chatter(new.content, vector, name, allowed=allowed, classifier=writing.classifier):
            return refused
    for attempt in range(_ATTEMPTS):
        neighbours = await find_neighbours(new, note, vector, writing)
        changes, verdict = await asyncio.to_thread(_plan, new, neighbours, note, writing)
        origin = writing.origin(verdict)
        if not changes:
            return verdict
        stored = any(isinstance(change.after, Memory) and change.after.id == new.id for change in changes)
        vectors = []
        if vector is not None and writing.embedder is not None and stored:
            vectors.append((writing.embedder.model, new.id, vector))
        try:
            await writing.store.apply(changes, origin, at=writing.now, vectors=vectors)
        except Conflict:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        return verdict
    raise AssertionError("unreachable")


def _build(note: Note, content: str, memory_id: str, writing: Writing) -> Memory | Refused:
    category = note.category or category_of(content, writing.classifier)
    return build(note, content, category=category, memory_id=memory_id, now=writing.now, machine_id=writing.machine_id)


async def _with_known_tags(new: Memory, store: Store) -> Memory:
    """The memory with its tags in the spelling the garden uses already."""
    if not new.tags:
        return new
    forms = {f"tag:{form}" for name in new.tags for form in spellings(name)}
    uses = {tag.removeprefix("tag:"): number for tag, number in (await store.degrees(sorted(forms))).items()}
    return replace(new, tags=settle_tags(new.tags, uses))


def check(note: Note, settings: RememberSettings, classifier: Classifier | None = None) -> str | Refused:
    """The text that may be stored, or the rule that keeps the note out, for its text or for what stands beside it, with
    the other rules that would stand against it once that one was lifted."""
    found = _check(note, settings, classifier)
    further: list[Rule] = []
    again = found
    # Bounded by the rules there are: each round lifts one more.
    while isinstance(found, Refused) and isinstance(again, Refused) and again.rule.overridable:
        note = replace(note, allow=note.allow | {again.rule.id})
        again = _check(note, settings, classifier)
        if isinstance(again, Refused):
            if again.rule.id in note.allow:
                break
            further.append(again.rule)
    return replace(found, further=tuple(further)) if isinstance(found, Refused) else found


def _check(note: Note, settings: RememberSettings, classifier: Classifier | None) -> str | Refused:
    root = note.root
    personal_allowed = frozenset(settings.personal_allowed)
    # before normalising: what is far too long is not worth the work
    text = normalise(note.content) if len(note.content) <= 4 * LENGTH_MAX else note.content
    passed = refuse(
        text,
        tainted=note.tainted,
        sources=note.file_paths,
        allowed=_allowed(note),
        personal_allowed=personal_allowed,
        redact_secrets=settings.redact_secrets,
        ignored=(lambda path: is_ignored(root, path)) if root is not None else (lambda path: False),
        classifier=classifier,
    )
    if isinstance(passed, Refused):
        return passed
    beside = replace(note, content="", allow=frozenset())
    if long := next((text for _, text in strings_of(beside) if len(text) > LENGTH_MAX), None):
        return Refused(rule=TOO_LONG, findings=(after_limit(long, LENGTH_MAX),))
    gate = Gate(tainted=note.tainted, allowed=note.allow & ALLOWABLE, personal_allowed=personal_allowed)
    return gate.refuse(beside) or passed.text


def _allowed(note: Note) -> frozenset[str]:
    return note.allow | _SESSION_TAKES if note.scope.kind is ScopeKind.SESSION else note.allow


def pass_gate(settings: RememberSettings, **given: object) -> None:
    """What is written without a text of its own (a reason, a tag, a scope) meets the same rules. Raises RuleRefused."""
    if refused := Gate(personal_allowed=frozenset(settings.personal_allowed)).refuse(given):
        what = ", ".join(dict.fromkeys(finding.what for finding in refused.findings))
        raise RuleRefused(f"not changed ({refused.rule.id}): {refused.rule.sentence} – {what}")


async def find_neighbours(new: Memory, note: Note, vector: Vector | None, writing: Writing) -> list[Neighbour]:
    """All live memories of the scope and the wider ones that may say the same or the opposite; nearest first."""
    scopes = tuple(dict.fromkeys((new.scope, note.scope, *note.wider_scopes)))
    store = writing.store
    view = View(now=writing.now, scopes=scopes, kinds=("memory",))
    exact = await store.list_memories(MemoryFilter(scopes=scopes, dedupe_key=dedupe_key(new.content)))
    by_words = asyncio.create_task(store.search_text(query_terms(new.content)[:_TERMS_MAX], view, limit=NEIGHBOURS))
    near: list[str] = []
    if vector is not None and writing.embedder is not None:
        hits = await store.search_vectors(vector, writing.embedder.model.id, view, limit=NEIGHBOURS)
        near = [hit.id for hit in hits]
    ids = list(dict.fromkeys((*(memory.id for memory in exact), *near, *(hit.id for hit in await by_words))))
    cosines: dict[str, float] = {}
    said: dict[str, VectorScores] = {}
    if vector is not None and writing.embedder is not None:
        known = await store.vectors(writing.embedder.model.id, ids)
        cosines = {each: writing.embedder.model.nearness(float(other @ vector)) for each, other in known.items()}
        said = _compare_vectors(known, vector, writing.embedder.model.name, writing.classifier)
    found = [
        Neighbour(memory=memory, cosine=cosines.get(memory.id), by_vectors=said.get(memory.id))
        for memory in await store.memories(ids)
        if memory.live and not says_nothing(memory.content)  # nothing is lost in a memory that is only a redaction
    ]
    return sorted(found, key=lambda n: (-(n.cosine if n.cosine is not None else 0.0), n.memory.id))


def _compare_vectors(
    known: Mapping[str, Vector], vector: Vector, model_name: str, classifier: Classifier | None
) -> dict[str, VectorScores]:
    said = classifier.compare_vectors(model_name, vector, list(known.values())) if classifier and known else None
    return {} if said is None else dict(zip(known, said, strict=True))


async def _embed(embedder: Embedder | None, text: str) -> Vector | None:
    if embedder is None:
        return None
    try:
        rows = await asyncio.to_thread(embedder.embed, [text])
    except ModelUnavailable:
        return None  # the queue will make the vector when the model is back
    vector: Vector = rows[0]
    return vector


def _plan(new: Memory, neighbours: Sequence[Neighbour], note: Note, writing: Writing) -> tuple[list[Change], Verdict]:
    """The changes to make, and the verdict if they go through."""
    now = writing.now
    judgement = judge(new, neighbours, classifier=writing.classifier, news=note.news)
    if note.tentative and isinstance(judgement, Save | Flag):
        return [], Refused(rule=NO_NEWS)
    match judgement:
        case Save(beside=beside, rule=how):
            edges = [_edge(new, known, EdgeKind.RELATES_TO, now, weight=BESIDE_WEIGHT) for known in beside]
            return [Change(None, new), *edges], Saved(memory=new, rule=OUTSIDE_RANK if lowered(note) else how)
        case Reinforce(memory=known, rule=rule):
            stronger = reinforced(known, new, now=now)
            return [Change(known, stronger)], Reinforced(memory=stronger, rule=rule)
        case Supersede(memories=memories, rule=rule):
            newer = [known for known in memories if known.created_at > new.created_at]
            if newer:  # an old session read late: what it says has been replaced already
                current = max(newer, key=lambda known: (known.created_at, known.id))
                past = superseded(new, by=current.id, at=current.created_at, now=now)
                changes = [Change(None, past), _edge(current, past, EdgeKind.SUPERSEDES, now)]
                return changes, Superseded(memory=current, replaced_ids=(past.id,), rule=rule)
            # No reason quotes either text: a purge of the one must not leave its words with the other.
            changes = [Change(None, new)]
            for known in memories:
                changes.append(Change(known, superseded(known, by=new.id, at=new.created_at, now=now)))
                changes.append(_edge(new, known, EdgeKind.SUPERSEDES, now))
            replaced_ids = tuple(known.id for known in memories)
            changes += _without_doubts(neighbours, replaced_ids, now)
            return changes, Superseded(memory=new, replaced_ids=replaced_ids, rule=rule)
        case Flag(memories=memories, rule=rule):
            ids = tuple(known.id for known in memories)
            doubted = replace(new, doubts=(Doubt(kind=DoubtKind.CONTRADICTS, against=ids, rule=rule.id),))
            edges = [_edge(doubted, known, EdgeKind.CONTRADICTS, now) for known in memories]
            return [Change(None, doubted), *edges], Flagged(memory=doubted, conflicting_ids=ids, rule=rule)
        case _:
            assert_never(judgement)


def _without_doubts(neighbours: Sequence[Neighbour], replaced_ids: Sequence[str], now: datetime) -> list[Change]:
    """Of what was in doubt because of memories that are now replaced, the doubt."""
    changes = []
    for neighbour in neighbours:
        known = neighbour.memory
        doubts = known.doubts
        for each in replaced_ids:
            doubts = without_memory(doubts, each)
        if doubts != known.doubts and known.id not in replaced_ids:
            changes.append(Change(known, replace(known, doubts=doubts, updated_at=now)))
    return changes


def _edge(source: Memory, target: Memory, kind: EdgeKind, now: datetime, *, weight: float = 1.0) -> Change:
    edge = Edge(source=source.id, target=target.id, kind=kind, weight=weight, created_at=now, updated_at=now)
    return Change(None, edge)


def _reason(verdict: Verdict) -> str:
    done = type(verdict).__name__.lower()
    if verdict.rule is None:
        return done
    why = verdict.rule.sentence.rstrip(".")
    return f"{done}: {why[:1].lower()}{why[1:]}"
