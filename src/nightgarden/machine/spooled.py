"""Events that hooks leave on disk until a daemon takes them in: where they lie, and what of an event is kept there.
Imports nothing, for hooks load it at every event."""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs hooks 4 ms
if TYPE_CHECKING:
    from collections.abc import Mapping

SPOOL = "spool"  # in the data folder
REJECTED = "rejected"  # in the spool: events that can never be taken in, kept for the user to look at
# Why a session ended, as clients put it. Anything else might be a sentence.
_REASONS = ("clear", "resume", "logout", "prompt_input_exit", "bypass_permissions_disabled", "other")
_SESSION_ID_CHARS_MAX = 200  # the clients' own have 26 to 40


def pointer(data: Mapping[str, object]) -> dict[str, str]:
    """Which session an event is about, where that was, and why it ended: all that is needed to read the session later.
    Never what was said, which is in the client's own transcript. An id that is a secret is not recognised here."""
    kept = {name: value for name in ("session_id", "cwd", "reason") if isinstance(value := data.get(name), str)}
    if kept.get("reason") not in _REASONS:
        kept.pop("reason", None)
    id = kept.get("session_id", "")
    if len(id) > _SESSION_ID_CHARS_MAX or any(char.isspace() for char in id):
        kept.pop("session_id", None)
    return kept
