"""Requests about tasks for later."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg
from nightgarden.domain.requests.reading import READ_SCOPE
from nightgarden.domain.vocabulary import Outcome, Priority, Target

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence


class ScheduleRequest(OperationRequest):
    """Schedule a task for later; sessions of this project are told when it is due."""

    task: str = arg("what is to be done, understandable without this conversation", words=True)
    wake_in_minutes: float | None = arg("due so many minutes from now; this or wake_at", default=None)
    wake_at: str | None = arg("due then, ISO 8601 with a time zone: 2026-11-16T15:30:00Z", default=None)
    priority: str = arg("how much it matters", default=Priority.NORMAL, choices=Priority, short="p")
    relevant_files: Sequence[str] = arg(
        "files it is about", default=(), aliases=("files", "file"), short="f", metavar="PATH"
    )
    background: str = arg("why, and what is known already", default="", short="b")
    success_criteria: str = arg("how to tell that it is done", default="", aliases=("success",))
    scope: str | None = arg(
        "which sessions are told: project (default), or global for any session", default=None, short="s"
    )
    session_id: str | None = arg("the session that schedules it", default=None, aliases=("session",), metavar="ID")
    target: str = arg(
        "who it is for: tell sessions, ambient, resume session_id, or spawn a session",
        default=Target.TELL,
        choices=Target,
        short="t",
    )
    tainted: bool = arg("the text comes from the web, a tool, a feed or a chat", default=False, aliases=("outside",))
    allow: Sequence[str] = arg(
        "rules to lift for this one text", default=(), metavar="RULE", users="nightgarden schedule add … --allow RULE"
    )


class Scheduled(OperationRequest, reads=True):
    """Scheduled tasks, by priority and time, with their state: waiting, due, said, done or cancelled."""

    closed: bool = arg("done and cancelled ones too", default=False, aliases=("all",), short="a")
    scope: str | None = arg(READ_SCOPE, default=None, short="s")


class ScheduleClose(OperationRequest, name="schedule_close"):
    """Close a scheduled task: it was done, or it is not wanted any more."""

    id: str = arg("id of a scheduled task", ids=("task",))
    outcome: str = arg("done or cancelled", choices=Outcome)
