"""Requests that look things up."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg
from nightgarden.domain.vocabulary import Category

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from nightgarden.domain.memory import Scope

ITEM_KINDS = ("memory", "passage")
READ_SCOPE = "global, project, agent:NAME, mission:NAME, session:ID or all; default: global and this project"


class Lookup(OperationRequest, reads=True):
    """A question to the garden."""

    query: str = arg("what to look for, in plain words", words=True, brief="in plain words", kw_only=False)
    limit: int | None = arg(
        "how many results at most (default: from the settings)", default=None, min=1, max=1000, short="n"
    )
    scope: Scope | str | Sequence[Scope] | None = arg(
        READ_SCOPE, default=None, short="s", brief="global, project or all; default: global and project"
    )
    as_of: datetime | None = arg(
        "answer from what was believed then; a day stands for its end",
        default=None,
        metavar="DATE",
        end_of_day=True,
        brief="a date: what was believed then",
    )
    context: Sequence[str] = arg("what was said before, oldest first; supports the query", default=(), metavar="TEXT")
    files: Sequence[str] = arg("files at hand; they support the query", default=(), metavar="PATH")
    rerank: bool | None = arg(
        "rerank the best results with a cross-encoder: slower, often better (default: from the settings)",
        default=None,
    )
    deep: bool = arg("fading memories too, not only when nothing else is found", default=False)
    recency: float | None = arg(
        "how much it counts that something is new, 0 to 1 (default: from the settings)",
        default=None,
        min=0,
        max=1,
    )
    gated: bool = arg("only results that fit well, none when nothing does", default=False)


class Recall(Lookup, name="recall"):
    """Find memories and passages by meaning and words, each with its reasons."""

    query: str = arg(
        "what to look for, in plain words (default: what fits the work being done here)",
        default="",
        words=True,
        brief="in plain words",
        kw_only=False,
    )
    kinds: Sequence[str] = arg(
        "only memories, or only passages of sessions", default=ITEM_KINDS, choices=ITEM_KINDS, aliases=("kind",)
    )


class RecallShown(Recall):
    """Find memories and passages by meaning and words, each with its reasons."""

    explain: bool = arg("show how each result was ranked, and what was left out", default=False)


class SearchRequest(OperationRequest, reads=True):
    """Find memories by their exact words, names or error messages."""

    query: str = arg("what to look for, in plain words", words=True)
    limit: int | None = arg("how many at most", default=None, min=1, max=1000, short="n")
    scope: str | None = arg(READ_SCOPE, default=None, short="s")
    category: str | None = arg("only of this category", default=None, choices=Category, short="c")


class ListMemories(OperationRequest, name="list", reads=True):
    """List memories, newest first."""

    scope: str | None = arg(READ_SCOPE, default=None, short="s")
    category: str | None = arg("only of this category", default=None, choices=Category, short="c")
    tag: str | None = arg("only with this tag", default=None, short="t")
    archived: bool = arg("archived ones instead of live ones", default=False)
    flagged: bool | None = arg("only those that may contradict others, or none of them", default=None)
    limit: int = arg("how many at most", default=50, min=1, max=1000, short="n")
    after: str | None = arg("the page after this id", default=None, ids=("memory",), metavar="ID")


class FlaggedRequest(OperationRequest, reads=True):
    """Memories that may contradict others, oldest first, each with those others."""

    scope: str | None = arg(READ_SCOPE, default=None, short="s")


class Get(OperationRequest, reads=True):
    """One memory in full."""

    id: str = arg("id of a memory", ids=("memory",))


class Show(OperationRequest, reads=True):
    """One memory, passage or session in full."""

    id: str = arg("id of a memory, passage or session", ids=("memory", "passage", "session"))


class Tags(OperationRequest, reads=True):
    """All tags, with how many live memories carry each."""


class Related(OperationRequest, reads=True):
    """Memories related to one, through links, tags and clusters."""

    id: str = arg("id of a memory", ids=("memory",))
    depth: int = arg("how many links away", default=1, min=1, max=4, short="d")


class HistoryRequest(OperationRequest, reads=True):
    """What happened, to one memory or to all, oldest first."""

    id: str | None = arg("of a memory (default: everything)", default=None, ids=("memory",), positional=True)
    cycle: str | None = arg("only what this cycle changed", default=None)
    scope: str | None = arg("only what changed memories of this scope: project, global or project:ID", default=None)
    limit: int | None = arg("the newest entries only", default=None, min=1, max=1000, short="n")


class ProjectsRequest(OperationRequest, reads=True):
    """Projects that something is remembered of, by name."""


class StatsRequest(OperationRequest, reads=True):
    """How much is stored, and its condition."""
