"""The operations on missions, tiers, core memory, captures, digest and notebook, as data. Who performs them is said in
learning_perform.py."""

from __future__ import annotations

from nightgarden.surfaces.operations.spec import Operation, Parameter

OUTCOMES = ("success", "failure", "cancelled")  # as in domain/mission.py
_ID = Parameter(name="id", doc="id of a memory", required=True)
_LIMIT = Parameter(name="limit", doc="how many at most", kind="whole", least=1, most=1000)
_SCOPE = Parameter(
    name="scope", doc="global, project, agent:NAME, mission:NAME or all; default: global and this project"
)
_AGENT = Parameter(name="agent", doc="whose; the one that acts when left out")
_MISSION = Parameter(name="mission", doc="id of a mission; the one that goes on when there is only one")

LEARNING = (
    Operation(
        name="similar",
        overview="Memories that say something like a given one, nearest first.",
        parameters=(_ID, _LIMIT, _SCOPE),
        reads=True,
    ),
    Operation(
        name="candidates",
        overview="Memories that have not proved themselves yet, those nearest to it first.",
        parameters=(_SCOPE, _LIMIT),
        reads=True,
    ),
    Operation(name="promote", overview="Let a candidate count.", parameters=(_ID,)),
    Operation(name="pin", overview="Keep a memory in every briefing.", parameters=(_ID,)),
    Operation(name="unpin", overview="Take a memory out of every briefing again.", parameters=(_ID,)),
    Operation(
        name="describe_tag",
        overview="Say what a tag is for.",
        parameters=(
            Parameter(name="tag", doc="its name", required=True),
            Parameter(name="description", doc="in a sentence", required=True),
        ),
    ),
    Operation(
        name="missions",
        overview="Missions of this project, newest first.",
        parameters=(Parameter(name="active", doc="only those that go on", kind="flag"),),
        reads=True,
    ),
    Operation(
        name="mission",
        overview="One mission with its memories.",
        parameters=(Parameter(name="id", doc="id of a mission", required=True),),
        reads=True,
    ),
    Operation(
        name="mission_start",
        overview="Start a mission: a piece of work with memories of its own.",
        parameters=(
            Parameter(name="name", doc="what it is about, in a few words", required=True),
            Parameter(name="goal", doc="when it is done"),
            Parameter(name="agent", doc="only sessions of this agent work on it"),
            Parameter(name="session_id", doc="only this session works on it"),
        ),
    ),
    Operation(
        name="mission_note",
        overview="Remember something for a mission.",
        parameters=(Parameter(name="text", doc="one statement", required=True), _MISSION),
    ),
    Operation(
        name="mission_end",
        overview="End a mission, and hand over to the project what it taught.",
        parameters=(
            Parameter(name="outcome", doc="how it ended", choices=OUTCOMES, required=True),
            _MISSION,
            Parameter(name="reason", doc="why; of a failure, what went wrong"),
        ),
    ),
    Operation(name="mission_promote", overview="Copy one memory of a mission to its project.", parameters=(_ID,)),
    Operation(name="core", overview="The core memory of an agent in this project.", parameters=(_AGENT,), reads=True),
    Operation(
        name="core_update",
        overview="Change parts of a core memory; what is left out stays.",
        parameters=(
            Parameter(name="summary", doc="what the project is"),
            Parameter(name="conventions", doc="all of them", kind="texts"),
            Parameter(name="preferences", doc="all of them", kind="texts"),
            Parameter(name="focus", doc="what is being worked on"),
            Parameter(name="notes", doc="all of them", kind="texts"),
            Parameter(name="reason", doc="why; kept in its history"),
            _AGENT,
        ),
    ),
    Operation(
        name="core_history", overview="The versions of a core memory, newest first.", parameters=(_AGENT,), reads=True
    ),
    Operation(
        name="capture_pr",
        overview="Learn from the reviews of a pull request: what gh prints, or what a webhook sends.",
        parameters=(
            Parameter(name="payload", doc="the JSON as text"),
            Parameter(name="event", doc="or the JSON itself", kind="object"),
        ),
    ),
    Operation(
        name="capture_errors",
        overview="Learn from the errors of a log, or from those that recur in the sessions of this project.",
        parameters=(Parameter(name="log", doc="text of a log; the sessions when left out"),),
    ),
    Operation(name="captured", overview="How much was captured and left out.", reads=True),
    Operation(name="digest", overview="Commits made outside of known sessions since they were last told.", reads=True),
    Operation(name="notebook_sync", overview="Take in what was edited in the notebook, and write its pages."),
    Operation(name="notebook_status", overview="Whether the notebook is up to date.", reads=True),
)
