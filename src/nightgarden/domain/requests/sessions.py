"""Requests about conversations."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg
from nightgarden.domain.requests.reading import Lookup
from nightgarden.domain.vocabulary import SessionStatus

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence


class SessionsSearch(Lookup, name="sessions_search"):
    """Search what was said in earlier sessions, word for word."""

    explain: bool = arg("show how each result was ranked, and what was left out", default=False)


class SessionsList(OperationRequest, name="sessions_list", reads=True):
    """List sessions, newest first."""

    client: str | None = arg("only of this client", default=None)
    status: str | None = arg("only with this status", default=None, choices=SessionStatus)
    limit: int = arg("how many at most", default=50, min=1, max=1000, short="n")


class SessionGet(OperationRequest, name="session", reads=True):
    """One session with its messages."""

    id: str = arg("id of a session", ids=("session",))


class SessionExtract(OperationRequest, name="session_extract"):
    """Read a session for memories."""

    id: str = arg("id of a session", ids=("session",))
    again: bool = arg("from the start, not only what is new", default=False)


class SessionsPending(OperationRequest, name="sessions_pending", reads=True):
    """Ids of finished sessions that were not read for memories yet."""


class SessionsAllow(OperationRequest, name="sessions_allow", users_only="sessions allow"):
    """Allow reading the sessions of a client, take that back, or say for which it is allowed."""

    clients: Sequence[str] = arg("clients to allow", default=())
    forbid: Sequence[str] = arg("clients to forbid", default=())
