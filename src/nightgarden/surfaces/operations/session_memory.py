"""What hooks of this process know of their sessions between two events."""

from __future__ import annotations

from nightgarden.surfaces.hooks.states import HookSessions

HOOK_SESSIONS = HookSessions()  # of this process: ids of sessions are unique over all gardens


def asked_to_forget(session_id: str) -> bool:
    """Whether the user of a session has just said, in words that its hook brought us, to forget something."""
    return bool(session_id) and HOOK_SESSIONS.get(session_id).forgetting > 0
