"""Every key of the program's own state: what is kept under it, and which module alone reads and writes it.

The state holds small facts of the program itself (cursors, consents, checkpoints), as JSON. What a room keeps for its
users is a document instead (domain/documents.py). A key that ends with a colon is kept once for each of something,
whose name follows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class StateKey:
    """One key, or the beginning of many."""

    name: str
    owner: str  # module or room, dotted
    type: type  # of the JSON value
    holds: str


KEYS: dict[str, StateKey] = {}


def _key(name: str, *, owner: str, type: type, holds: str) -> str:
    KEYS[name] = StateKey(name=name, owner=owner, type=type, holds=holds)
    return name


PURGE_UNFINISHED = _key(
    "purge.unfinished",
    owner="facade.files",
    type=list,
    holds="ids that were erased, but whose text may still stand in free pages and logs",
)
PURGE_COPIES = _key(
    "purge.copies",
    owner="facade.files",
    type=list,
    holds="ids that were erased here, but perhaps not in every copy",
)
MOVED_FROM = _key(
    "moved_from",
    owner="store.exchange.move",
    type=str,
    holds="address of the garden that is being copied here, while it is",
)
CONSENT = _key("consent:", owner="sessions.consent", type=dict, holds="by client: since when its sessions may be read")
LIVE_SESSION = _key("live-session:", owner="sessions.live", type=dict, holds="by session: a LiveSession")
TURN_COUNTS = _key("turn-counts", owner="sessions.turn_counts", type=dict, holds="turns by what came of them")
MEMORY_SWITCH = _key("memory-switch", owner="recall.switch", type=dict, holds="where memory is off, and since when")
MIND_PROVIDER = _key("mind:provider:", owner="minds", type=dict, holds="by provider: its pauses and limits")
SKILLS = _key(
    "skills:",
    owner="learn.skills",
    type=dict,
    holds="by project: file to the procedure it was made of, and its digest as it was written or read",
)
LEARN_SESSIONS = _key(
    "learn:sessions",
    owner="learn",
    type=dict,
    holds="which sessions were looked at, and how they were then",
)
PROJECT_ROOT = _key("project-root:", owner="scope", type=dict, holds="by project: where it is, by machine")
TEND_RUN = _key("tend:run", owner="tend", type=dict, holds="the run that goes on, or broke off")
TEND_LAST = _key(
    "tend:last:",
    owner="tend",
    type=dict,
    holds="by operation: when it was last done, and when it last went over everything",
)
TEND_NOTICED = _key(
    "tend:noticed",
    owner="ambient.signs",
    type=dict,
    holds="when a daemon first saw that the garden was due to be tended, and after which time",
)
TEND_LOG = _key("tend:log:", owner="tend", type=dict, holds="by cycle: one row")
TEND_BEFORE = _key("tend:before:", owner="tend", type=dict, holds="by cycle: the state as it was, for an undo")
TEND_HEALTH = _key("tend:health", owner="tend.health", type=dict, holds="figures that are dear to count")
TEND_OPINIONS = _key(
    "tend:opinions",
    owner="tend.contradictions",
    type=dict,
    holds="what a mind said of pairs that evidence does not decide",
)
TEND_CONFLICTS = _key(
    "tend:conflicts",
    owner="tend.near_conflicts",
    type=dict,
    holds="the near pairs of which a run finds that one ends the other, or may",
)
TEND_NEAR = _key(
    "tend:near",
    owner="tend.near_pairs",
    type=dict,
    holds="the near pairs that a run asks a mind about",
)
TEND_VERIFIED = _key(
    "tend:verified:",
    owner="tend.verify",
    type=dict,
    holds="by scope: the last check of each memory against the code",
)
SPOOL_DONE = _key("spool:done", owner="surfaces.daemon.spool", type=str, holds="the last spooled event that was served")


def key_of(key: str) -> StateKey | None:
    """The declared key that a stored one belongs to."""
    if key in KEYS and not key.endswith(":"):
        return KEYS[key]
    fitting = [each for name, each in KEYS.items() if name.endswith(":") and key.startswith(name)]
    return max(fitting, key=lambda each: len(each.name), default=None)


def fits(key: str, value: Any) -> bool:
    """Whether a stored entry is one that is declared."""
    declared = key_of(key)
    return declared is not None and isinstance(value, declared.type)
