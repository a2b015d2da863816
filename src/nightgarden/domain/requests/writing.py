"""Requests that write memories."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg
from nightgarden.domain.vocabulary import Category, Importance, Provenance

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from nightgarden.domain.memory import Scope

LINKS = ("relates_to", "supersedes", "contradicts", "derived_from")  # kinds of edges that people and agents make
DECISIONS = ("keep", "drop", "both")
ERASABLE = ("memory", "passage", "session", "task")
WRITE_SCOPE = (
    "where it holds: project (default; global for what is about you as a person), global, agent:NAME, mission:NAME or "
    "session:ID"
)


class Remember(OperationRequest):
    """Store a statement; the answer says whether it was saved, reinforced, superseded, flagged or refused."""

    content: str = arg(
        "one self-contained statement",
        aliases=("text",),
        words=True,
        brief="one self-contained sentence",
        kw_only=False,
    )
    category: Category | str | None = arg(
        "what kind of statement it is (default: worked out from the text)",
        default=None,
        choices=Category,
        short="c",
        brief="",
    )
    scope: Scope | str | None = arg(
        WRITE_SCOPE,
        default=None,
        short="s",
        brief="project, or global for what is about the user; default: by the text",
    )
    tags: Iterable[str] = arg("tags to find it by", default=(), short="t", brief="")
    importance: Importance | str = arg("how much it matters", default=Importance.MEDIUM, choices=Importance)
    pinned: bool = arg(
        "always in briefings, never fading",
        default=False,
        aliases=("pin",),
        users="nightgarden edit ID --pinned",
    )
    strict: bool = arg(
        "refuse it unless it is a convention, pattern, gotcha or decision of high importance", default=False
    )
    provenance: Provenance | str = arg(
        "how it is known (default: user_stated, or observed when an agent says it)",
        default=Provenance.USER_STATED,
        choices=Provenance,
        brief="observed: seen or told (default); inferred: concluded",
    )
    tainted: bool = arg("the text comes from the web, a tool, a feed or a chat", default=False, aliases=("outside",))
    confidence: float | None = arg("0 to 1 (default: follows from the provenance)", default=None, min=0, max=1)
    confidence_reason: str = arg("why it is believed", default="", aliases=("because",), metavar="REASON", brief="")
    session_id: str | None = arg("the session it was said in", default=None, aliases=("session",), metavar="ID")
    message_range: Sequence[str] | None = arg(
        "the message it was said in, or the first and the last", default=None, aliases=("message",), metavar="ID"
    )
    context_snippet: str = arg("what was being discussed", default="", aliases=("context",), metavar="TEXT")
    file_paths: Iterable[str] = arg(
        "files it is about", default=(), aliases=("files", "file"), metavar="PATH", brief="it is about"
    )
    trigger_patterns: Iterable[str] = arg(
        "texts that call it up when they are seen",
        default=(),
        aliases=("triggers", "trigger"),
        metavar="PATTERN",
        brief="texts that call it up",
    )
    seasonal: str | None = arg("holds only then, such as release-week", default=None, metavar="WHEN")
    session_only: bool = arg("holds only in this session", default=False)
    valid_from: datetime | None = arg("true from then on", default=None, aliases=("from",), metavar="DATE")
    valid_until: datetime | None = arg("true until then", default=None, aliases=("until",), metavar="DATE", brief="")
    allow: Iterable[str] = arg(
        "rules to lift for this one text", default=(), metavar="RULE", users="nightgarden remember … --allow RULE"
    )
    created_at: datetime | None = arg("when it was said (default: now)", default=None, aliases=("at",), inside=True)
    actor: str = arg("who writes it", default="user", inside=True)
    cycle: str | None = arg(
        "what writes with the same cycle, `undo(cycle)` takes back as one", default=None, inside=True
    )


class Update(OperationRequest):
    """Change fields of a memory; new content meets the rules of remember."""

    id: str = arg("id of a memory", ids=("memory",))
    content: str | None = arg("the new text", default=None)
    category: str | None = arg("the new category", default=None, choices=Category, short="c")
    importance: str | None = arg("the new importance", default=None, choices=Importance)
    pinned: bool | None = arg("pin or unpin it", default=None, aliases=("pin",), users="nightgarden edit ID --pinned")
    confidence: float | None = arg("0 to 1", default=None, min=0, max=1)
    valid_until: datetime | None = arg("true until then", default=None, aliases=("until",), metavar="DATE")
    scope: str | None = arg("move it to another scope", default=None, short="s")
    allow: Iterable[str] = arg(
        "rules to lift for this one text", default=(), metavar="RULE", users="nightgarden edit ID … --allow RULE"
    )


class Forget(OperationRequest):
    """Archive a memory: recall no longer returns it; restore brings it back."""

    id: str = arg("id of a memory", ids=("memory",), brief="of the memory")
    reason: str = arg("why; kept in the journal", default="", brief="")
    session_id: str = arg("the session whose user asked for it", default="", metavar="ID")


class Restore(OperationRequest, users_only="restore"):
    """Bring an archived memory back."""

    id: str = arg("id of a memory", ids=("memory",))


class Purge(OperationRequest, users_only="purge", own_process_only=True):
    """Erase memories, passages, sessions or tasks for good, from backups too."""

    id: Sequence[str] = arg("id of a memory, passage, session or task", ids=ERASABLE)


class Feedback(OperationRequest):
    """Say whether a memory helped; it becomes surer, or less sure."""

    id: str = arg("id of a memory", ids=("memory",))
    helpful: bool = arg("did it help?")


class SettleFlag(OperationRequest, name="settle_flag", users_only="flagged"):
    """Decide a contradiction: keep the memory, drop it, or keep both."""

    id: str = arg("id of a memory", ids=("memory",))
    decision: str = arg("keep, drop or both", choices=DECISIONS)


class TagRequest(OperationRequest):
    """Add tags to a memory, and take tags off it."""

    id: str = arg("id of a memory", ids=("memory",))
    add: Sequence[str] = arg("tags to add", default=(), metavar="TAG")
    remove: Sequence[str] = arg("tags to take off", default=(), short="r", metavar="TAG")


class Link(OperationRequest):
    """Link two memories."""

    source: str = arg("id of a memory", ids=("memory",))
    target: str = arg("id of another memory", ids=("memory",))
    kind: str = arg("how they belong together", default="relates_to", choices=LINKS, short="k")
    weight: float = arg("above 0, at most 1", default=0.5, min=0, max=1, short="w")


class Undo(OperationRequest, users_only="undo"):
    """Take back what was done: all that a journal entry belongs to, or a whole cycle."""

    entry: str | None = arg(
        "id of a journal entry or of a cycle (default: the last thing done)",
        default=None,
        ids=("entry",),
        metavar="ENTRY|CYCLE",
        positional=True,
    )
