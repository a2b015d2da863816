"""Performs an operation of the catalogue on a garden, and gives its result as JSON-ready values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

from nightgarden.domain.memory import Category
from nightgarden.domain.record import to_record
from nightgarden.domain.time import read_moment
from nightgarden.errors import BadInput, NotAllowed
from nightgarden.garden import Garden
from nightgarden.recall.options import RecallOptions, Request
from nightgarden.recall.related import through
from nightgarden.recall.switch import is_off
from nightgarden.sessions.surfaced import surfaced
from nightgarden.surfaces.cli.shapes import (
    briefing_shape,
    edge_shape,
    entry_shape,
    injection_shape,
    memory_shape,
    procedure_shape,
    recalled_shape,
    session_shape,
    stats_shape,
    task_shape,
    verdict_shape,
)
from nightgarden.surfaces.hooks.event import read_event
from nightgarden.surfaces.hooks.reply import write_reply
from nightgarden.surfaces.hooks.serve import serve
from nightgarden.surfaces.hooks.states import HookSessions
from nightgarden.surfaces.operations.catalog import OPERATIONS
from nightgarden.surfaces.operations.learning_perform import LEARNING
from nightgarden.surfaces.operations.speaker import Speaker, arguments_of, need_own
from nightgarden.surfaces.operations.spec import read_arguments

Arguments = dict[str, Any]
Result = dict[str, Any]
Perform = Callable[[Garden, Arguments], Awaitable[Result]]
# Words alone: nothing is found by likeness or through the graph.
_BY_WORDS = RecallOptions(vector=False, cascade=False, when=False, neighbours=False, sessions=False, shape=False)

_WHILE_OFF = ("stats",)  # says nothing of what is remembered
_HOOK_SESSIONS = HookSessions()  # of this process: ids of sessions are unique over all gardens


async def perform(garden: Garden, name: str, given: Mapping[str, Any], speaker: Speaker = "agent") -> Result:
    """Runs one operation for whoever speaks through the channel it came by. Raises the errors of the garden, BadInput
    for arguments that do not fit, and NotAllowed for what only the user decides."""
    operation = OPERATIONS.get(name)
    if operation is None:
        raise BadInput(f"there is no operation {name!r}; known are {', '.join(OPERATIONS)}")
    arguments = arguments_of(speaker, name, read_arguments(operation, given))
    if speaker == "agent" and name not in _WHILE_OFF and await is_off(garden.store, (garden.place.scope,)):
        return _off(name, arguments)
    if speaker == "agent" and name != "hook":  # which says itself who acts
        garden = await garden.acting(session_id=arguments.get("session_id", ""))
    return await PERFORM[name](garden, arguments)


def _off(name: str, arguments: Arguments) -> Result:
    """What an agent is told while the user has switched memory off: its hooks nothing, its tools that it is so."""
    if name == "hook":
        return {"stdout": "❀ off" if arguments["event"] == "StatusLine" else ""}
    raise NotAllowed("the user has switched memory off here; go on without it (`nightgarden on` switches it on)")


def _moment(arguments: Arguments, name: str) -> datetime | None:
    if name not in arguments:
        return None
    try:
        return read_moment(arguments[name])
    except ValueError:
        raise BadInput(f"{name} must be a date, such as 2026-11-15, not {arguments[name]!r}") from None


def _named(arguments: Arguments, *names: str, **renamed: str) -> Arguments:
    """Those of the arguments that were given, some under the name that the garden has for them."""
    chosen = {name: arguments[name] for name in names if name in arguments}
    return chosen | {ours: arguments[theirs] for ours, theirs in renamed.items() if theirs in arguments}


async def _remember(garden: Garden, a: Arguments) -> Result:
    verdict = await garden.remember(
        a["text"],
        valid_until=_moment(a, "valid_until"),
        **_named(
            a,
            *("category", "scope", "tags", "importance", "pinned", "provenance", "outside", "confidence"),
            *("session_id", "actor"),
            confidence_reason="because",
            context_snippet="context",
            file_paths="files",
            trigger_patterns="triggers",
        ),
        strict=a["actor"] == "agent" and garden.settings.agent.strict,
    )
    return verdict_shape(verdict)


async def _recall(garden: Garden, a: Arguments) -> Result:
    found = await garden.recall(
        a.get("query", ""),
        kinds=(a["kind"],) if "kind" in a else ("memory", "passage"),
        as_of=_moment(a, "as_of"),
        **_named(a, "limit", "scope", "context", "files", "gated", "deep", "recency"),
    )
    return recalled_shape(found, explain=a.get("explain", False))


async def _search(garden: Garden, a: Arguments) -> Result:
    request = Request(
        query=a["query"],
        limit=a.get("limit", garden.settings.recall.limit),
        scopes=garden.scopes(a.get("scope")),
        kinds=("memory",),
        categories=(Category(a["category"]),) if "category" in a else None,
        options=_BY_WORDS,
    )
    return recalled_shape(await garden.recall_request(request))


async def _sessions_search(garden: Garden, a: Arguments) -> Result:
    found = await garden.recall(a["query"], kinds=("passage",), **_named(a, "limit", "scope"))
    return recalled_shape(found)


async def _list(garden: Garden, a: Arguments) -> Result:
    memories = await garden.list(**_named(a, "scope", "category", "tag", "archived", "flagged", "limit", "after"))
    return {"memories": [memory_shape(memory) for memory in memories]}


async def _get(garden: Garden, a: Arguments) -> Result:
    return memory_shape(await garden.get(a["id"]))


async def _update(garden: Garden, a: Arguments) -> Result:
    need_own(a["actor"], await garden.get(a["id"]))
    changes = _named(a, "content", "category", "importance", "pinned", "confidence", "scope", "actor")
    return memory_shape(await garden.update(a["id"], valid_until=_moment(a, "valid_until"), **changes))


async def _forget(garden: Garden, a: Arguments) -> Result:
    asked = a["actor"] == "agent" and _HOOK_SESSIONS.get(a.get("session_id", "")).forgetting > 0
    actor = "user" if asked else a["actor"]  # who said so in the session, in words that its hook brought us
    return memory_shape(await garden.forget(a["id"], actor=actor, **_named(a, "reason")))


async def _restore(garden: Garden, a: Arguments) -> Result:
    return memory_shape(await garden.restore(a["id"], **_named(a, "actor")))


async def _feedback(garden: Garden, a: Arguments) -> Result:
    return memory_shape(await garden.feedback(a["id"], helpful=a["helpful"], **_named(a, "actor")))


async def _settle_flag(garden: Garden, a: Arguments) -> Result:
    return memory_shape(await garden.settle_flag(a["id"], a["decision"], **_named(a, "actor")))


async def _tag(garden: Garden, a: Arguments) -> Result:
    return memory_shape(await garden.tag(a["id"], **_named(a, "add", "remove", "actor")))


async def _tags(garden: Garden, a: Arguments) -> Result:
    return {"tags": [to_record(tag) for tag in await garden.tags()]}


async def _link(garden: Garden, a: Arguments) -> Result:
    return edge_shape(await garden.link(a["source"], a["target"], **_named(a, "kind", "weight", "actor")))


async def _related(garden: Garden, a: Arguments) -> Result:
    found = await garden.related(a["id"], **_named(a, "depth"))
    names = await through(garden.store, found)
    return {
        "related": [
            {"memory": memory_shape(memory), "edge": edge_shape(edge), "through": names[memory.id]}
            for memory, edge in found
        ]
    }


async def _history(garden: Garden, a: Arguments) -> Result:
    entries = await garden.history(a.get("id"))
    return {"entries": [entry_shape(entry) for entry in entries[-a.get("limit", len(entries)) :]]}


async def _undo(garden: Garden, a: Arguments) -> Result:
    entries = await garden.undo(a.get("entry"), **_named(a, "actor"))
    undone = entries[0].undoes if entries else a.get("entry")
    return {"undone": undone, "entries": [entry_shape(entry) for entry in entries]}


async def _stats(garden: Garden, a: Arguments) -> Result:
    return stats_shape(await garden.stats())


async def _sessions_list(garden: Garden, a: Arguments) -> Result:
    sessions = await garden.sessions.list(**_named(a, "client", "status", "limit"))
    return {"sessions": [session_shape(session) for session in sessions]}


async def _session(garden: Garden, a: Arguments) -> Result:
    return session_shape(await garden.sessions.get(a["id"]), messages=True)


async def _session_extract(garden: Garden, a: Arguments) -> Result:
    harvest = await garden.sessions.extract(a["id"], **_named(a, "again"))
    return {
        "session_id": harvest.session_id,
        "messages": harvest.messages,
        "verdicts": [verdict_shape(verdict) | {"content": draft.content} for draft, verdict in harvest.verdicts],
    }


async def _turn(garden: Garden, a: Arguments) -> Result:
    shown = await garden.turn(a["text"], **_named(a, "session_id", "files", "attachments", "deadline_ms"))
    return injection_shape(shown)


async def _briefing(garden: Garden, a: Arguments) -> Result:
    return briefing_shape(await garden.briefing(**_named(a, "mode", "task", "size", "scopes")))


async def _hook(garden: Garden, a: Arguments) -> Result:
    event = read_event(a["client"], a["event"], a["data"], spooled=a.get("spooled", False))
    reply = await serve(garden, event, _HOOK_SESSIONS)
    return {"stdout": write_reply(event.client, event.name, reply)}


async def _surfaced(garden: Garden, a: Arguments) -> Result:
    found = await surfaced(garden.turns.live, garden.store, session_id=a.get("id"), limit=a.get("limit", 10))
    return {"sessions": [to_record(each) for each in found]}


async def _gaps(garden: Garden, a: Arguments) -> Result:
    found = await garden.gaps(include_closed=a.get("closed", False))
    return {"gaps": [to_record(gap) for gap in found[: a.get("limit", 50)]]}


async def _schedule(garden: Garden, a: Arguments) -> Result:
    given = _named(
        a,
        *("wake_in_minutes", "wake_at", "priority", "relevant_files", "background", "success_criteria"),
        *("scope", "session_id", "outside", "actor"),
    )
    return task_shape(await garden.schedule.add(a["task"], **given), garden.now())


async def _scheduled(garden: Garden, a: Arguments) -> Result:
    found = await garden.schedule.list(include_closed=a.get("closed", False), **_named(a, "scope"))
    return {"tasks": [task_shape(task, garden.now()) for task in found]}


async def _schedule_close(garden: Garden, a: Arguments) -> Result:
    close = garden.schedule.done if a["outcome"] == "done" else garden.schedule.cancel
    return task_shape(await close(a["id"]), garden.now())


async def _episodes(garden: Garden, a: Arguments) -> Result:
    found = await garden.learn.episodes(**_named(a, "outcome", "scope", "limit"))
    return {"episodes": [memory_shape(memory) for memory in found]}


async def _procedures(garden: Garden, a: Arguments) -> Result:
    found = await garden.learn.procedures(**_named(a, "archived", "scope", "limit"))
    return {"procedures": [memory_shape(memory) for memory in found]}


async def _procedure(garden: Garden, a: Arguments) -> Result:
    return procedure_shape(await garden.learn.procedure(a["id"]))


async def _procedure_add(garden: Garden, a: Arguments) -> Result:
    if (old := a.get("supersedes")) is not None:
        need_own(a["actor"], (await garden.learn.procedure(old)).memory)
    given = _named(a, "trigger", "prerequisites", "warnings", "tools", "scope", "supersedes", "actor")
    return memory_shape(await garden.learn.add_procedure(a["name"], a["steps"], **given))


async def _procedure_outcome(garden: Garden, a: Arguments) -> Result:
    return memory_shape(await garden.learn.outcome(a["id"], a["outcome"], **_named(a, "reason", "actor")))


PERFORM: dict[str, Perform] = {
    "remember": _remember,
    "recall": _recall,
    "search": _search,
    "list": _list,
    "get": _get,
    "update": _update,
    "forget": _forget,
    "restore": _restore,
    "feedback": _feedback,
    "settle_flag": _settle_flag,
    "tag": _tag,
    "tags": _tags,
    "link": _link,
    "related": _related,
    "history": _history,
    "undo": _undo,
    "stats": _stats,
    "turn": _turn,
    "briefing": _briefing,
    "hook": _hook,
    "surfaced": _surfaced,
    "gaps": _gaps,
    "episodes": _episodes,
    "procedures": _procedures,
    "procedure": _procedure,
    "procedure_add": _procedure_add,
    "procedure_outcome": _procedure_outcome,
    "schedule": _schedule,
    "scheduled": _scheduled,
    "schedule_close": _schedule_close,
    "sessions_search": _sessions_search,
    "sessions_list": _sessions_list,
    "session": _session,
    "session_extract": _session_extract,
    **LEARNING,
}
