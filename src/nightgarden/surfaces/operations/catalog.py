"""Every operation that can be asked of a garden by name and JSON. Who performs it is said in perform.py."""

from __future__ import annotations

from nightgarden.domain.requests import hooks, learning, reading, safety, schedule, sessions, turns, writing
from nightgarden.domain.requests.declare import OperationRequest

OPERATIONS: dict[str, type[OperationRequest]] = {
    request.operation: request
    for request in (
        writing.Remember,
        reading.RecallShown,
        reading.Search,
        reading.ListMemories,
        reading.Get,
        reading.Show,
        writing.Update,
        writing.Forget,
        writing.Restore,
        writing.Purge,
        writing.PersonTraces,
        writing.PurgePerson,
        writing.Feedback,
        reading.Flagged,
        writing.SettleFlag,
        writing.Tag,
        reading.Tags,
        writing.Link,
        reading.Related,
        reading.History,
        writing.Undo,
        reading.Stats,
        turns.Turn,
        turns.Briefing,
        hooks.Hook,
        turns.Surfaced,
        turns.Gaps,
        turns.CloseGap,
        learning.Episodes,
        learning.Episode,
        learning.Procedures,
        learning.Procedure,
        learning.ProcedureAdd,
        learning.ProcedureOutcome,
        learning.ProcedureHistory,
        schedule.Schedule,
        schedule.Scheduled,
        schedule.ScheduleClose,
        safety.PermissionsList,
        safety.PermissionGet,
        safety.PermissionDecide,
        safety.Actions,
        safety.Notifications,
        safety.DirectivesList,
        safety.DirectiveAdd,
        sessions.SessionsSearch,
        sessions.SessionsList,
        sessions.SessionGet,
        sessions.SessionExtract,
        sessions.SessionsPending,
        sessions.SessionsAllow,
    )
}
