"""A request for the user's permission: what an agent wants to do, what is known of it, and what became of it. Values.

Two kinds of words are kept apart. `facts` is what the reader of actions saw: these commands, files, hosts, rules. The
`review` is what the agent says about it: reasons, steps, risks. Only facts decide; the review helps a person to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from nightgarden.domain.memory import GLOBAL, Scope
from nightgarden.domain.time import write_moment


class Urgency(StrEnum):
    """How soon an answer is wanted."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


class RequestStatus(StrEnum):
    """Where a request stands. From `pending` the user decides; from `approved` the agent acts, at most once."""

    PENDING = "pending"
    APPROVED = "approved"
    CLAIMED = "claimed"  # a cycle has taken it up
    RUNNING = "running"  # it may have happened from here on
    DONE = "done"
    FAILED = "failed"
    DENIED = "denied"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    OUTDATED = "outdated"  # approved, but the world was another by then; asked again
    UNCERTAIN = "uncertain"  # the process ended while it ran; asked again

    @property
    def open(self) -> bool:
        return self in (RequestStatus.PENDING, RequestStatus.APPROVED, RequestStatus.CLAIMED, RequestStatus.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionCall:
    """The tool call that an approval allows: exactly this one."""

    tool: str
    arguments: Mapping[str, Any]
    directory: str


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What an approval was given for: the commit, the staged tree and the files as they were. Digests."""

    branch: str = ""
    commit: str = ""
    staged: str = ""
    files: Mapping[str, str] = field(default_factory=dict)

    def differences(self, now: World) -> tuple[str, ...]:
        """What is another by now, in words."""
        found = [
            f"{name} was {_short(before) or 'none'}, is {_short(after) or 'none'}"
            for name, before, after in (
                ("the branch", self.branch, now.branch),
                ("the commit", self.commit, now.commit),
            )
            if before != after
        ]
        found += ["what is staged has changed"] if self.staged != now.staged else []
        changed = sorted(p for p in {*self.files, *now.files} if self.files.get(p) != now.files.get(p))
        return (*found, *(f"{path} has changed" for path in changed[:20]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What the agent says about the action. Its own words: claims, not facts."""

    summary: str = ""
    why: str = ""
    current_activity: str = ""
    expected_outcome: str = ""
    impact: str = ""
    rollback: str = ""
    steps: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    notes: str = ""
    diff: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The user's decision."""

    approved: bool
    by: str  # who: a name or address
    via: str  # cli, web, mail, matrix…
    at: datetime
    reason: str = ""
    response_seconds: float = 0.0
    memory_id: str = ""  # the memory that it became


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequest:
    """One question to the user, kept until it is answered or expires."""

    id: str
    kind: str  # what sort of action it is, such as "git push origin"; decisions are remembered by it
    action: str
    description: str
    rationale: str = ""
    urgency: Urgency = Urgency.NORMAL
    wait: bool = True  # an approval resumes the action; without it the answer is only remembered
    created_at: datetime
    expires_at: datetime
    scope: Scope = GLOBAL
    cycle: str = ""
    session_id: str = ""
    call: ActionCall | None = None
    review: Review = Review()
    facts: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()  # ids of the rules that want the question
    tainted: bool = False  # text from outside led to it
    world: World | None = None
    status: RequestStatus = RequestStatus.PENDING
    answer: Answer | None = None
    claimed_by: str = ""  # a cycle
    ended_at: datetime | None = None
    outcome: str = ""  # what came of it
    replaces: str = ""  # the request that this one asks again
    tokens: tuple[str, ...] = ()  # digests of what replies must carry

    @property
    def summary(self) -> str:
        return self.review.summary or self.description

    @property
    def approved(self) -> bool:
        return self.answer is not None and self.answer.approved

    def with_status(self, status: RequestStatus, at: datetime, outcome: str = "") -> PermissionRequest:
        ended = None if status.open else at
        return replace(self, status=status, ended_at=ended, outcome=outcome or self.outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionProposal:
    """What is asked for, before it is a request."""

    action: str
    description: str
    kind: str = ""  # from the call, or else from the action
    rationale: str = ""
    urgency: Urgency = Urgency.NORMAL
    wait: bool = True
    cycle: str = ""
    session_id: str = ""
    call: ActionCall | None = None
    review: Review = Review()
    facts: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tainted: bool = False
    world: World | None = None
    replaces: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """The user will be asked."""

    request: PermissionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyAsked:
    """The same was asked before and is not settled yet, or was approved and is about to happen."""

    request: PermissionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The user has rejected this kind of action before, so it is not asked again."""

    rejection: Rejection


Asked = Queued | AlreadyAsked | Rejected


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A kind of action that the user does not want in a project."""

    kind: str
    scope: Scope
    reason: str
    by: str
    at: datetime
    request_id: str
    memory_id: str = ""


def request_shape(request: PermissionRequest) -> dict[str, Any]:
    """A request as commands and the API give it out: no digests of tokens."""
    answer, review = request.answer, request.review
    return {
        "id": request.id,
        "status": request.status.value,
        "kind": request.kind,
        "action": request.action,
        "description": request.description,
        "rationale": request.rationale,
        "urgency": request.urgency.value,
        "wait": request.wait,
        "created_at": write_moment(request.created_at),
        "expires_at": write_moment(request.expires_at),
        "scope": str(request.scope),
        "cycle": request.cycle or None,
        "session_id": request.session_id or None,
        "call": None
        if request.call is None
        else {
            "tool": request.call.tool,
            "arguments": dict(request.call.arguments),
            "directory": request.call.directory,
        },
        "facts": list(request.facts),
        "rules": list(request.rules),
        "tainted": request.tainted,
        "review": {
            "summary": request.summary,
            "why": review.why or request.rationale,
            "current_activity": review.current_activity,
            "expected_outcome": review.expected_outcome,
            "impact": review.impact,
            "rollback": review.rollback,
            "steps": list(review.steps),
            "files": list(review.files),
            "commands": list(review.commands),
            "risks": list(review.risks),
            "notes": review.notes,
            "diff": review.diff,
        },
        "decision": None
        if answer is None
        else {
            "approved": answer.approved,
            "by": answer.by,
            "via": answer.via,
            "at": write_moment(answer.at),
            "reason": answer.reason,
            "response_seconds": answer.response_seconds,
            "memory_id": answer.memory_id or None,
        },
        "outcome": request.outcome,
        "ended_at": write_moment(request.ended_at) if request.ended_at else None,
        "replaces": request.replaces or None,
    }


def _short(digest: str) -> str:
    return digest[:12]
