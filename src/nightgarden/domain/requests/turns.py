"""Requests about what agents are shown."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg
from nightgarden.domain.vocabulary import Mode, Size

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence


class Turn(OperationRequest):
    """What to show an agent in this turn of its user, unasked; `text` is null when that is nothing."""

    text: str = arg("the user's words", words=True)
    session_id: str = arg("the session the turn belongs to", aliases=("session",), metavar="ID")
    files: Sequence[str] = arg("files at hand", default=(), short="f", metavar="PATH")
    attachments: int = arg("how many pictures or files were attached", default=0, min=0)
    deadline_ms: int | None = arg(
        "show nothing after this many milliseconds (default: from the settings)",
        default=None,
        min=1,
        aliases=("deadline",),
        metavar="MS",
    )
    explain: bool = arg("wait for the models, and say why when there is nothing to show", default=False)
    preview: bool = arg(
        "say what would be shown and what was passed over; no deadline, and nothing counts as shown", default=False
    )


class BriefingRequest(OperationRequest, reads=True):
    """What an agent should know before it starts."""

    mode: str = arg("what it is for", default=Mode.SESSION, choices=Mode, short="m")
    task: str = arg("what is about to be done; what fits it comes first", default="")
    size: str | None = arg("of every section (default: depends on the mode)", default=None, choices=Size)
    scopes: Sequence[str] = arg("more scopes, such as mission:NAME", default=(), short="s")


class Surfaced(OperationRequest, reads=True):
    """What each session was given and whether it helped, the latest session first."""

    id: str | None = arg("only of this session", default=None, positional=True, metavar="SESSION")
    limit: int = arg("how many sessions", default=10, min=1, max=1000, short="n")


class Gaps(OperationRequest, reads=True):
    """Questions that came up and that no memory answered; the most asked first."""

    closed: bool = arg("closed ones too", default=False, aliases=("all",))
    limit: int = arg("how many at most", default=50, min=1, max=1000, short="n")


class CloseGap(OperationRequest, name="close_gap", users_only="gaps --close ID"):
    """Close a gap by hand."""

    id: str = arg("id of a gap", ids=("gap",))
