"""Performs the operations that write, read and correct memories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nightgarden.domain.ids import ids_in
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Category
from nightgarden.domain.record import to_record
from nightgarden.domain.requests import reading, writing
from nightgarden.domain.verdict import Flagged, Superseded
from nightgarden.errors import BadInput, NotFound
from nightgarden.garden import Garden
from nightgarden.surfaces.operations.answers import (
    edge_shape,
    entry_shape,
    memory_shape,
    recalled_shape,
    session_shape,
    stats_shape,
    verdict_shape,
)
from nightgarden.surfaces.operations.performer import Perform
from nightgarden.surfaces.operations.who_speaks import Speaker, need_own, said_by

if TYPE_CHECKING:
    from nightgarden.recall.result import Recalled
    from nightgarden.surfaces.operations import answer_types as answers


async def remember(garden: Garden, asked: writing.Remember, speaker: Speaker) -> answers.VerdictAnswer:
    strict = asked.strict or (speaker == "agent" and garden.settings.agent.strict)
    # what an agent writes after it read text from outside is of outside, whether it says so or not
    read_outside = speaker == "agent" and garden.turns.live.has_read_outside(asked.session_id or "", garden.place.scope)
    said = asked.but(actor=speaker, strict=strict, tainted=asked.tainted or read_outside)
    verdict = await garden.remember(**vars(said))
    match verdict:
        case Superseded(replaced_ids=ids) | Flagged(conflicting_ids=ids):
            return verdict_shape(verdict, await texts_of(garden, ids))
        case _:
            return verdict_shape(verdict)


async def texts_of(garden: Garden, ids: Iterable[str]) -> dict[str, str]:
    """What memories say, by their ids; those that are gone are left out."""
    return {memory.id: memory.content for memory in await garden.lookup.memories(list(ids))}


async def recall(garden: Garden, asked: reading.RecallShown, speaker: Speaker) -> answers.RecalledAnswer:
    given = {name: value for name, value in vars(asked).items() if name != "explain"}
    return await shown_of(garden, await garden.recall(**given), explain=asked.explain)


async def shown_of(garden: Garden, found: Recalled, *, explain: bool = False) -> answers.RecalledAnswer:
    """The answer, with the doubts of what was found and the texts of what its reasons name."""
    named = [id for result in found.results for id in (result.id, *(i for why in result.reasons for i in ids_in(why)))]
    memories = {memory.id: memory for memory in await garden.lookup.memories(named)}
    against = {id for result in found.results if result.id in memories for id in memories[result.id].contradicted}
    memories |= {memory.id: memory for memory in await garden.lookup.memories(sorted(against - memories.keys()))}
    return recalled_shape(found, explain=explain, memories=memories)


async def search(garden: Garden, asked: reading.SearchRequest, speaker: Speaker) -> answers.RecalledAnswer:
    from nightgarden.recall.options import RecallOptions, Request  # 5 ms

    # Words alone: nothing is found by likeness or through the graph.
    by_words = RecallOptions(vector=False, cascade=False, when=False, neighbours=False, sessions=False, shape=False)
    request = Request(
        query=asked.query,
        limit=asked.limit or garden.settings.recall.limit,
        scopes=garden.scopes(asked.scope),
        kinds=("memory",),
        categories=(Category(asked.category),) if asked.category else None,
        options=by_words,
    )
    return await shown_of(garden, await garden.recall_request(request))


async def list_memories(garden: Garden, asked: reading.ListMemories, speaker: Speaker) -> answers.MemoriesAnswer:
    return {"memories": [memory_shape(memory) for memory in await garden.list(**vars(asked))]}


async def get(garden: Garden, asked: reading.Get, speaker: Speaker) -> answers.MemoryRecord:
    return memory_shape(await garden.get(asked.id))


async def show(garden: Garden, asked: reading.Show, speaker: Speaker) -> answers.ShownAnswer:
    if found := await garden.lookup.memories([asked.id]):
        return {"kind": "memory", "record": memory_shape(found[0]), "said_by": said_by(found[0])}
    if passages := await garden.lookup.passages([asked.id]):
        return {"kind": "passage", "record": to_record(passages[0])}
    if session := await garden.lookup.session(asked.id):
        return {"kind": "session", "record": session_shape(session, messages=True)}
    raise NotFound(f"there is no memory, passage or session {asked.id!r}; `nightgarden list` shows what there is")


async def update(garden: Garden, asked: writing.Update, speaker: Speaker) -> answers.MemoryRecord:
    changes = {name: value for name, value in asked.given().items() if name != "id"}
    if not changes.keys() - {"allow"}:
        raise BadInput("nothing to change: give at least one of content, category, importance, pinned, …")
    need_own(speaker, await garden.get(asked.id))
    return memory_shape(await garden.update(asked.id, actor=speaker, **changes))


async def forget(garden: Garden, asked: writing.Forget, speaker: Speaker) -> answers.MemoryRecord:
    # the user may have said so in the session, in words that its hook brought us
    asked_to = bool(asked.session_id) and garden.turns.live.hooked(asked.session_id).notes.forgetting > 0
    actor = "user" if asked_to else speaker
    return memory_shape(await garden.forget(asked.id, actor=actor, reason=asked.reason))


async def restore(garden: Garden, asked: writing.Restore, speaker: Speaker) -> answers.MemoryRecord:
    return memory_shape(await garden.restore(asked.id, actor=speaker))


async def purge(garden: Garden, asked: writing.Purge, speaker: Speaker) -> answers.PurgedAnswer:
    gone = await garden.purge(*asked.id)
    return {"purged": gone, "missing": [each for each in asked.id if each not in gone]}


async def feedback(garden: Garden, asked: writing.Feedback, speaker: Speaker) -> answers.MemoryRecord:
    return memory_shape(await garden.feedback(asked.id, helpful=asked.helpful, actor=speaker))


async def flagged(garden: Garden, asked: reading.FlaggedRequest, speaker: Speaker) -> answers.FlaggedAnswer:
    found = await garden.list(scope=asked.scope, flagged=True, limit=None, newest_first=False)
    pairs: list[answers.FlaggedPair] = []
    for memory in found:
        against = await garden.lookup.contradicting(memory.id)
        newer = {other.id for other in against if other.flagged and other.id > memory.id}  # asked about with that one
        left = [other for other in against if other.id not in newer]
        if left or not newer or any(not doubt.against for doubt in memory.doubts):
            pairs.append({"memory": memory_shape(memory), "against": [memory_shape(other) for other in left]})
    return {"flagged": pairs}


async def settle_flag(garden: Garden, asked: writing.SettleFlag, speaker: Speaker) -> answers.MemoryRecord:
    return memory_shape(await garden.settle_flag(asked.id, asked.decision, actor=speaker))


async def tag(garden: Garden, asked: writing.TagRequest, speaker: Speaker) -> answers.MemoryRecord:
    return memory_shape(await garden.tag(asked.id, add=asked.add, remove=asked.remove, actor=speaker))


async def tags(garden: Garden, asked: reading.Tags, speaker: Speaker) -> answers.TagsAnswer:
    return {"tags": [to_record(tag) for tag in await garden.tags()]}


async def link(garden: Garden, asked: writing.Link, speaker: Speaker) -> answers.EdgeRecord:
    edge = await garden.link(asked.source, asked.target, asked.kind, weight=asked.weight, actor=speaker)
    return edge_shape(edge)


async def related(garden: Garden, asked: reading.Related, speaker: Speaker) -> answers.RelatedAnswer:
    found = await garden.related(asked.id, depth=asked.depth)
    names = await garden.lookup.led_to(found)
    return {
        "related": [
            {"memory": memory_shape(memory), "edge": edge_shape(edge), "through": names[memory.id]}
            for memory, edge in found
        ]
    }


async def history(garden: Garden, asked: reading.HistoryRequest, speaker: Speaker) -> answers.HistoryAnswer:
    if asked.id is not None and not await garden.history(asked.id):
        await garden.get(asked.id)  # raises with the right sentence
    entries = await garden.history(asked.id, cycle=asked.cycle)
    if asked.scope not in (None, "all"):
        entries = await _of_scope(garden, entries, asked.scope)
    entries = entries[-asked.limit :] if asked.limit else entries
    edges = [] if asked.id is None else await garden.lookup.successions(asked.id)
    ends = [id for edge in edges for id in (edge.source, edge.target)]
    return {
        "entries": [entry_shape(entry) for entry in entries],
        "texts": texts_in(entries) | await texts_of(garden, [*named_in(entries), *ends]),
        "successions": [edge_shape(edge) for edge in edges],
    }


async def _of_scope(garden: Garden, entries: Sequence[JournalEntry], scope: str | None) -> list[JournalEntry]:
    """The entries on memories of a scope, and on links between them."""
    wanted = {str(each) for each in garden.scopes(scope) or ()}
    held = {memory.id: str(memory.scope) for memory in await garden.lookup.memories(named_in(entries))}
    held |= {
        entry.subject_id: record["scope"]
        for entry in entries
        for record in (entry.before, entry.after)
        if record and record.get("scope")  # of one that is no more
    }
    return [entry for entry in entries if any(held.get(id) in wanted for id in named_in([entry]))]


def named_in(entries: Sequence[JournalEntry]) -> list[str]:
    """The ids of the memories that entries speak of."""
    named: list[Any] = []
    for entry in entries:
        named.append(entry.subject_id)
        for record in (entry.before or {}, entry.after or {}):
            named += [record.get("superseded_by"), record.get("source"), record.get("target")]
            named += [id for doubt in record.get("doubts") or () for id in doubt.get("against", ())]
    return [id for id in named if id]


def texts_in(entries: Sequence[JournalEntry]) -> dict[str, str]:
    """What entries themselves quote: an undo removes memories that are spoken of afterwards."""
    return {
        entry.subject_id: record["content"]
        for entry in entries
        if entry.subject_kind == "memory"
        for record in (entry.before, entry.after)
        if record and record.get("content")
    }


async def undo(garden: Garden, asked: writing.Undo, speaker: Speaker) -> answers.UndoneAnswer:
    entries = await garden.undo(asked.entry, actor=speaker)
    return {
        "undone": entries[0].undoes if entries else asked.entry,
        "entries": [entry_shape(entry) for entry in entries],
        "texts": texts_in(entries) | await texts_of(garden, named_in(entries)),
    }


async def projects(garden: Garden, asked: reading.ProjectsRequest, speaker: Speaker) -> answers.ProjectsAnswer:
    found: list[answers.ProjectAnswer] = [
        {"scope": scope, "name": Path(root).name or scope.partition(":")[2], "root": root, "memories": memories}
        for scope, root, memories in await garden.lookup.projects()
    ]
    return {"projects": sorted(found, key=lambda each: (each["name"].casefold(), each["scope"]))}


async def stats(garden: Garden, asked: reading.StatsRequest, speaker: Speaker) -> answers.Record:
    shape = stats_shape(await garden.stats()) | {"health": (await garden.health()).shape()}
    shape["embedding"]["switched_off"] = garden.settings.embedding.model == "off"
    return shape


PERFORM: dict[str, Perform] = {
    "remember": remember,
    "recall": recall,
    "search": search,
    "list": list_memories,
    "get": get,
    "show": show,
    "update": update,
    "forget": forget,
    "restore": restore,
    "purge": purge,
    "feedback": feedback,
    "flagged": flagged,
    "settle_flag": settle_flag,
    "tag": tag,
    "tags": tags,
    "link": link,
    "related": related,
    "history": history,
    "undo": undo,
    "projects": projects,
    "stats": stats,
}
