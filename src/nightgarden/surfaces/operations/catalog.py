"""Every operation on a garden, as data. Who performs it is said in perform.py; a test holds that the two agree.

Erasing for good (`purge`) is not here: that takes the user's own word on the command line.
"""

from __future__ import annotations

from nightgarden.surfaces.operations.learning_catalog import LEARNING
from nightgarden.surfaces.operations.spec import Operation, Parameter

# As in domain/memory.py and domain/graph.py, and a test compares them; importing those costs 12 ms here.
CATEGORIES = (
    "fact",
    "preference",
    "correction",
    "negative",
    "procedure",
    "pattern",
    "decision",
    "gotcha",
    "convention",
    "episode",
    "handoff",
    "entity",
)
IMPORTANCES = ("low", "medium", "high")
MODES = ("session", "mission", "preview", "heartbeat", "wake")
CLIENTS = ("claude-code", "codex", "opencode")  # as in surfaces/hooks/event.py
EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact"),
    *("PostCompact", "Stop", "SessionEnd", "SubagentStart", "StatusLine"),
)
PRIORITIES = ("low", "normal", "high")  # as in domain/schedule.py
OUTCOMES = ("done", "cancelled")
ENDINGS = ("success", "partial", "failure")  # as in domain/memory.py
LINKS = ("relates_to", "supersedes", "contradicts", "derived_from")

_ID = Parameter(name="id", doc="id of a memory", required=True)
_LIMIT = Parameter(name="limit", doc="how many at most", kind="whole", least=1, most=1000)
_SCOPE = Parameter(
    name="scope", doc="global, project, agent:NAME, mission:NAME, session:ID or all; default: global and this project"
)
_WRITE_SCOPE = Parameter(
    name="scope", doc="where it holds: project (default), global, agent:NAME, mission:NAME or session:ID"
)
_CATEGORY = Parameter(name="category", doc="only of this category", choices=CATEGORIES)
_QUERY = Parameter(name="query", doc="what to look for, in plain words", required=True)

REMEMBER = Operation(
    name="remember",
    overview="Store a statement; the answer says whether it was saved, reinforced, superseded, flagged or refused.",
    parameters=(
        Parameter(name="text", doc="one self-contained statement", required=True),
        Parameter(name="category", doc="worked out from the text when left out", choices=CATEGORIES),
        _WRITE_SCOPE,
        Parameter(name="tags", doc="tags to find it by", kind="texts"),
        Parameter(name="importance", doc="medium when left out", choices=IMPORTANCES),
        Parameter(name="pinned", doc="always in briefings, never fading; the user's to decide", kind="flag"),
        Parameter(name="provenance", doc="how it is known; user_stated when left out, observed when an agent says it"),
        Parameter(name="outside", doc="the text comes from the web, a tool, a feed or a chat", kind="flag"),
        Parameter(name="confidence", doc="0 to 1; follows from the provenance when left out", kind="number"),
        Parameter(name="because", doc="why it is believed"),
        Parameter(name="session_id", doc="the session it was said in"),
        Parameter(name="context", doc="what was being discussed"),
        Parameter(name="files", doc="files it is about", kind="texts"),
        Parameter(name="triggers", doc="texts that call it up when they are seen", kind="texts"),
        Parameter(name="valid_until", doc="true until then", kind="moment"),
    ),
)
SCHEDULE = Operation(
    name="schedule",
    overview="Schedule a task for later; sessions of this project are told when it is due.",
    parameters=(
        Parameter(name="task", doc="what is to be done, understandable without this conversation", required=True),
        Parameter(name="wake_in_minutes", doc="due so many minutes from now; this or wake_at", kind="number"),
        Parameter(name="wake_at", doc="due then, ISO 8601 with a time zone: 2026-11-16T15:30:00Z", kind="moment"),
        Parameter(name="priority", doc="normal when left out", choices=PRIORITIES),
        Parameter(name="relevant_files", doc="files it is about", kind="texts"),
        Parameter(name="background", doc="why, and what is known already"),
        Parameter(name="success_criteria", doc="how to tell that it is done"),
        Parameter(name="scope", doc="which sessions are told: project (default), or global for any session"),
        Parameter(name="session_id", doc="the session that schedules it"),
        Parameter(name="outside", doc="the text comes from the web, a tool, a feed or a chat", kind="flag"),
    ),
)
_TASK_ID = Parameter(name="id", doc="id of a scheduled task", required=True)
_RECALL = (
    Parameter(name="query", doc="what to look for, in plain words; left out: what is being done here now"),
    _LIMIT,
    Parameter(name="kind", doc="only memories, or only passages of sessions", choices=("memory", "passage")),
    _SCOPE,
    Parameter(name="as_of", doc="answer from what was believed then", kind="moment"),
    Parameter(name="context", doc="what was said before, oldest first; supports the query", kind="texts"),
    Parameter(name="files", doc="files at hand; support the query", kind="texts"),
    Parameter(name="gated", doc="few or none when nothing is good", kind="flag"),
    Parameter(name="deep", doc="fading memories too", kind="flag"),
    Parameter(name="recency", doc="0 to 1: how much it counts that something is new", kind="number", least=0, most=1),
    Parameter(name="explain", doc="say how each result came to its place", kind="flag"),
)

OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        REMEMBER,
        Operation(
            name="recall",
            overview="Find memories and passages by meaning and words, each with its reasons.",
            parameters=_RECALL,
            reads=True,
        ),
        Operation(
            name="search",
            overview="Find memories by their exact words, names or error messages.",
            parameters=(_QUERY, _LIMIT, _SCOPE, _CATEGORY),
            reads=True,
        ),
        Operation(
            name="list",
            overview="List memories, newest first.",
            parameters=(
                _SCOPE,
                _CATEGORY,
                Parameter(name="tag", doc="only with this tag"),
                Parameter(name="archived", doc="archived ones instead of live ones", kind="flag"),
                Parameter(name="flagged", doc="only those that may contradict others", kind="flag"),
                _LIMIT,
                Parameter(name="after", doc="the page after this id"),
            ),
            reads=True,
        ),
        Operation(name="get", overview="One memory in full.", parameters=(_ID,), reads=True),
        Operation(
            name="update",
            overview="Change fields of a memory; new content meets the rules of remember.",
            parameters=(
                _ID,
                Parameter(name="content", doc="the new text"),
                Parameter(name="category", doc="the new category", choices=CATEGORIES),
                Parameter(name="importance", doc="the new importance", choices=IMPORTANCES),
                Parameter(name="pinned", doc="pin or unpin it; the user's to decide", kind="flag"),
                Parameter(name="confidence", doc="0 to 1", kind="number", least=0, most=1),
                Parameter(name="valid_until", doc="true until then", kind="moment"),
                Parameter(name="scope", doc="move it to another scope"),
            ),
        ),
        Operation(
            name="forget",
            overview="Archive a memory: recall no longer returns it; restore brings it back.",
            parameters=(
                _ID,
                Parameter(name="reason", doc="why; kept in the journal"),
                Parameter(name="session_id", doc="the session whose user asked for it"),
            ),
        ),
        Operation(name="restore", overview="Bring an archived memory back.", parameters=(_ID,)),
        Operation(
            name="feedback",
            overview="Say whether a memory helped; it becomes surer, or less sure.",
            parameters=(_ID, Parameter(name="helpful", doc="did it help?", kind="flag", required=True)),
        ),
        Operation(
            name="settle_flag",
            overview="Decide a contradiction: keep the memory, drop it, or keep both.",
            parameters=(
                _ID,
                Parameter(name="decision", doc="keep, drop or both", choices=("keep", "drop", "both"), required=True),
            ),
        ),
        Operation(
            name="tag",
            overview="Add tags to a memory, and take tags off it.",
            parameters=(
                _ID,
                Parameter(name="add", doc="tags to add", kind="texts"),
                Parameter(name="remove", doc="tags to take off", kind="texts"),
            ),
        ),
        Operation(name="tags", overview="All tags, with how many live memories carry each.", reads=True),
        Operation(
            name="link",
            overview="Link two memories.",
            parameters=(
                Parameter(name="source", doc="id of a memory", required=True),
                Parameter(name="target", doc="id of another memory", required=True),
                Parameter(name="kind", doc="relates_to when left out", choices=LINKS),
                Parameter(name="weight", doc="above 0, at most 1; 0.5 when left out", kind="number", least=0, most=1),
            ),
        ),
        Operation(
            name="related",
            overview="Memories related to one, through links, tags and clusters.",
            parameters=(
                _ID,
                Parameter(name="depth", doc="how many links away, 1 to 4", kind="whole", least=1, most=4),
            ),
            reads=True,
        ),
        Operation(
            name="history",
            overview="What happened, to one memory or to all, oldest first.",
            parameters=(Parameter(name="id", doc="of a memory; everything when left out"), _LIMIT),
            reads=True,
        ),
        Operation(
            name="undo",
            overview="Take back what was done: all that a journal entry belongs to, or a whole cycle.",
            parameters=(
                Parameter(name="entry", doc="id of a journal entry or of a cycle; the last thing done when left out"),
            ),
        ),
        Operation(name="stats", overview="How much is stored, and its condition.", reads=True),
        Operation(
            name="turn",
            overview="What to show an agent in this turn of its user, unasked; `text` is null when that is nothing.",
            parameters=(
                Parameter(name="text", doc="the user's words", required=True),
                Parameter(name="session_id", doc="the session the turn belongs to", required=True),
                Parameter(name="files", doc="files at hand", kind="texts"),
                Parameter(name="attachments", doc="how many pictures or files were attached", kind="whole", least=0),
                Parameter(name="deadline_ms", doc="silence after this; default: the settings'", kind="whole", least=1),
            ),
        ),
        Operation(
            name="briefing",
            overview="What an agent should know before it starts.",
            parameters=(
                Parameter(name="mode", doc="what it is for; session when left out", choices=MODES),
                Parameter(name="task", doc="what is about to be done; what fits it comes first"),
                Parameter(name="size", doc="lite, standard or deep", choices=("lite", "standard", "deep")),
                Parameter(name="scopes", doc="more scopes, such as mission:NAME", kind="texts"),
            ),
            reads=True,
        ),
        Operation(
            name="hook",
            overview="An event of a client, from its hook; `stdout` is what the hook prints.",
            parameters=(
                Parameter(name="client", doc="whose event it is", choices=CLIENTS, required=True),
                Parameter(name="event", doc="which event", choices=EVENTS, required=True),
                Parameter(name="data", doc="the event as the client gave it", kind="object", required=True),
                Parameter(name="spooled", doc="it happened a while ago; nobody waits", kind="flag"),
            ),
        ),
        Operation(
            name="surfaced",
            overview="What each session was given and whether it helped, the latest session first.",
            parameters=(Parameter(name="id", doc="only of this session"), _LIMIT),
            reads=True,
        ),
        Operation(
            name="gaps",
            overview="Questions that came up and that no memory answered; the most asked first.",
            parameters=(Parameter(name="closed", doc="closed ones too", kind="flag"), _LIMIT),
            reads=True,
        ),
        Operation(
            name="episodes",
            overview="What happened in earlier sessions, newest first: task, steps, outcome, what went wrong.",
            parameters=(Parameter(name="outcome", doc="only those that ended so", choices=ENDINGS), _SCOPE, _LIMIT),
            reads=True,
        ),
        Operation(
            name="procedures",
            overview="Ways of doing things here, the surest first, with all their steps and warnings.",
            parameters=(
                Parameter(name="archived", doc="archived and superseded ones too", kind="flag"),
                _SCOPE,
                _LIMIT,
            ),
            reads=True,
        ),
        Operation(
            name="procedure",
            overview="One procedure in full, with the episodes it was made of.",
            parameters=(Parameter(name="id", doc="id of a procedure", required=True),),
            reads=True,
        ),
        Operation(
            name="procedure_add",
            overview="Add a procedure: how something is done here, in steps.",
            parameters=(
                Parameter(name="name", doc="what it does, in a few words", required=True),
                Parameter(name="steps", doc="the steps, in order", kind="texts", required=True),
                Parameter(name="trigger", doc="words of a task that should bring it up"),
                Parameter(name="prerequisites", doc="what must be there first", kind="texts"),
                Parameter(name="warnings", doc="what can go wrong", kind="texts"),
                Parameter(name="tools", doc="programs it needs", kind="texts"),
                _WRITE_SCOPE,
                Parameter(name="supersedes", doc="id of the procedure it takes the place of"),
            ),
        ),
        Operation(
            name="procedure_outcome",
            overview="Say how following a procedure went; it becomes surer, or less sure.",
            parameters=(
                Parameter(name="id", doc="id of a procedure", required=True),
                Parameter(name="outcome", doc="how it went", choices=ENDINGS, required=True),
                Parameter(name="reason", doc="why; kept in its history"),
            ),
        ),
        SCHEDULE,
        Operation(
            name="scheduled",
            overview="Scheduled tasks, by priority and time, with their state: waiting, due, said, done or cancelled.",
            parameters=(Parameter(name="closed", doc="done and cancelled ones too", kind="flag"), _SCOPE),
            reads=True,
        ),
        Operation(
            name="schedule_close",
            overview="Close a scheduled task: it was done, or it is not wanted any more.",
            parameters=(
                _TASK_ID,
                Parameter(name="outcome", doc="done or cancelled", choices=OUTCOMES, required=True),
            ),
        ),
        Operation(
            name="sessions_search",
            overview="Search what was said in earlier sessions, word for word.",
            parameters=(_QUERY, _LIMIT, _SCOPE),
            reads=True,
        ),
        Operation(
            name="sessions_list",
            overview="List sessions, newest first.",
            parameters=(
                Parameter(name="client", doc="only of this client"),
                Parameter(name="status", doc="only with this status", choices=("active", "closed", "crashed")),
                _LIMIT,
            ),
            reads=True,
        ),
        Operation(
            name="session",
            overview="One session with its messages.",
            parameters=(Parameter(name="id", doc="id of a session", required=True),),
            reads=True,
        ),
        Operation(
            name="session_extract",
            overview="Read a session for memories.",
            parameters=(
                Parameter(name="id", doc="id of a session", required=True),
                Parameter(name="again", doc="from the start, not only what is new", kind="flag"),
            ),
        ),
        *LEARNING,
    )
}
