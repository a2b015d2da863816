"""Tools on memories: search, list what is in doubt, remember, change, archive, link, settle, close a gap, tend, read a
session. Every change carries the cycle, and at most so many are made in one cycle.

What belongs to a project that closed itself to the agent is neither shown nor changed by them; tending goes over all.
What the agent looks at does not count as used."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any

from nightgarden.ambient.projects import AmbientProjects
from nightgarden.ambient.running import Running
from nightgarden.ambient.tools.toolbox import AmbientTool, Answer, spec, text, texts, whole
from nightgarden.domain.memory import Memory, Provenance, Scope
from nightgarden.domain.taint import fence
from nightgarden.domain.verdict import Refused
from nightgarden.errors import BadInput, NotAllowed
from nightgarden.garden import Garden
from nightgarden.recall.options import Request
from nightgarden.tend.wish import OPERATIONS

FOUND_MAX = 20
CHANGES_MAX = 50  # in one cycle, by these tools; taste: a night's work that a person can still look through
ACTOR = "ambient"


class _Count:
    """How many changes this cycle has made."""

    def __init__(self) -> None:
        self.made = 0

    def change(self, answer: Callable[[Mapping[str, Any]], Awaitable[str]]) -> Answer:
        @wraps(answer)
        async def counted(given: Mapping[str, Any]) -> str:
            if self.made >= CHANGES_MAX:
                raise BadInput(f"{CHANGES_MAX} changes were made in this cycle already; leave the rest for the next")
            told = await answer(given)
            self.made += 1
            return told

        return counted


class _Open:
    """What is open to the agent."""

    def __init__(self, garden: Garden, projects: AmbientProjects) -> None:
        self._garden = garden
        self._projects = projects

    def check(self, *scopes: Scope | None) -> None:
        """Raises NotAllowed for what belongs to a project that closed itself."""
        if not all(self._projects.may_see(scope) for scope in scopes):
            raise NotAllowed("that belongs to a project that is closed to you")

    async def check_memories(self, *ids: str) -> None:
        self.check(*[(await self._garden.get(id)).scope for id in ids])


def memory_tools(garden: Garden, running: Running, projects: AmbientProjects) -> list[AmbientTool]:
    """All of them. `running` says which cycle."""
    open_, cycle = _Open(garden, projects), running.cycle.id
    return [
        *_reading_tools(garden, projects),
        *_changing_tools(garden, cycle, open_),
        *_upkeep_tools(garden, cycle, open_),
    ]


def _reading_tools(garden: Garden, projects: AmbientProjects) -> list[AmbientTool]:
    async def search(given: Mapping[str, Any]) -> str:
        limit = max(1, min(FOUND_MAX, given.get("limit", 8)))
        found = await garden.recall_request(
            Request(query=given["query"], limit=2 * limit if projects.closed else limit)
        )
        seen = [result for result in found.results if projects.may_see(result.scope)][:limit]
        return _data([f"{r.id} ({r.kind}) {r.content[:300]}" for r in seen] or ["nothing was found"])

    async def in_doubt(given: Mapping[str, Any]) -> str:  # noqa: ARG001 - tools are called alike
        flagged = await garden.list(scope="all", flagged=True, limit=None)
        seen = [memory for memory in flagged if projects.may_see(memory.scope)][:FOUND_MAX]
        return _data([_line(memory) for memory in seen] or ["nothing is flagged"])

    return [
        _tool("memory_search", "Find memories and passages by meaning and words, in all projects.", search, "query")(
            query=text("what to look for"), limit=whole("how many at most")
        ),
        _tool("memory_in_doubt", "Memories that may contradict others and wait for a decision.", in_doubt)(),
    ]


def _changing_tools(garden: Garden, cycle: str, open_: _Open) -> list[AmbientTool]:
    count = _Count()

    async def remember(given: Mapping[str, Any]) -> str:
        open_.check(*(garden.scopes(given.get("scope", "global")) or ()))
        verdict = await garden.remember(
            given["text"],
            category=given.get("category"),
            scope=given.get("scope", "global"),
            tags=given.get("tags", ()),
            provenance=Provenance.INFERRED,
            tainted=True,  # what a model concluded from sessions and code is not the user's word
            actor=ACTOR,
            cycle=cycle,
        )
        if isinstance(verdict, Refused):
            raise BadInput(f"not stored ({verdict.rule.id}): {verdict.rule.sentence}")
        return f"{type(verdict).__name__.lower()}: {verdict.memory.id}"

    async def forget(given: Mapping[str, Any]) -> str:
        await open_.check_memories(given["id"])
        memory = await garden.forget(given["id"], reason=given["reason"], actor=ACTOR, cycle=cycle)
        return f"{memory.id} is {memory.status.value}" + (", flagged for the user" if memory.flagged else "")

    async def link(given: Mapping[str, Any]) -> str:
        await open_.check_memories(given["source"], given["target"])
        edge = await garden.link(given["source"], given["target"], actor=ACTOR, cycle=cycle)
        return f"linked {edge.source} and {edge.target}"

    async def settle(given: Mapping[str, Any]) -> str:
        await open_.check_memories(given["id"])
        memory = await garden.settle_flag(given["id"], given["decision"], actor=ACTOR, cycle=cycle)
        return f"{memory.id}: {given['decision']}"

    async def close_gap(given: Mapping[str, Any]) -> str:
        open_.check(*[gap.scope for gap in await garden.gaps() if gap.id == given["id"]])
        gap = await garden.close_gap(given["id"], actor=ACTOR, cycle=cycle)
        return f"closed {gap.id}"

    id_ = text("id of a memory")
    return [
        _tool("memory_remember", "Store a finding.", count.change(remember), "text")(
            text=text("one self-contained statement"),
            category=text("worked out when left out"),
            scope=text("global when left out, or project:ID"),
            tags=texts("tags"),
        ),
        _tool("memory_forget", "Archive a memory that no longer holds.", count.change(forget), "id", "reason")(
            id=id_, reason=text("why")
        ),
        _tool("memory_link", "Link two memories that belong together.", count.change(link), "source", "target")(
            source=id_, target=id_
        ),
        _tool("memory_settle", "Decide a contradiction.", count.change(settle), "id", "decision")(
            id=id_, decision=text("keep it, drop it, or let both stand", enum=["keep", "drop", "both"])
        ),
        _tool("gap_close", "Close a gap that was answered.", count.change(close_gap), "id")(id=text("id of a gap")),
    ]


def _upkeep_tools(garden: Garden, cycle: str, open_: _Open) -> list[AmbientTool]:
    async def tend(given: Mapping[str, Any]) -> str:
        report = await garden.tend(*given.get("operations", ()), cycle=cycle)
        told = [f"{name}: {outcome.words()}" for name, outcome in report.operations.items()]
        return "\n".join([*told, report.sentence()])

    async def read_session(given: Mapping[str, Any]) -> str:
        open_.check((await garden.sessions.get(given["id"])).scope)
        harvest = await garden.sessions.extract(given["id"], cycle=cycle)
        return f"{len(harvest.verdicts) - harvest.count('refused')} memories taken"

    return [
        _tool("tend", "Run garden operations; all when none are named.", tend)(
            operations=texts(f"of {', '.join(OPERATIONS)}")
        ),
        _tool("read_session", "Read a session for memories that were missed.", read_session, "id")(
            id=text("id of a session")
        ),
    ]


def _tool(name: str, doc: str, answer: Answer, *required: str) -> Callable[..., AmbientTool]:
    def made(**properties: Mapping[str, Any]) -> AmbientTool:
        return AmbientTool(spec=spec(name, doc, required=required, **properties), answer=answer)

    return made


def _line(memory: Memory) -> str:
    return f"{memory.id} [{memory.category.value}, {memory.scope}] {memory.content[:300]}"


def _data(lines: list[str]) -> str:
    """What was read is data, whatever it says."""
    return fence("\n".join(lines), note='kind="data"')
