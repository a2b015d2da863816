"""Requests about what agents ask for and do, and what the user tells them."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg

REQUEST_DECISIONS = ("approve", "deny")


class PermissionsList(OperationRequest, name="permissions", reads=True):
    """What agents ask the user for, urgent first; or with `decided` every request, newest first."""

    decided: bool = arg("decided and expired ones too", default=False)
    limit: int = arg("how many at most", default=100, min=1, max=1000, short="n")


class PermissionGet(OperationRequest, name="permission", reads=True):
    """One request, whole."""

    id: str = arg("id of a request", ids=("request",))


class PermissionDecide(OperationRequest, name="permission_decide", users_only="permissions approve"):
    """Approve a request, so that exactly this happens once, or deny it."""

    id: str = arg("id of a request", ids=("request",))
    decision: str = arg("approve or deny", choices=REQUEST_DECISIONS)
    reason: str = arg("why; it is remembered", default="")
    once: bool = arg("deny only this one: its kind may be asked again", default=False)


class Actions(OperationRequest, reads=True):
    """Every action of agents: what was decided about it, by which rule, and what came of it."""

    cycle: str | None = arg("only of this cycle", default=None)
    limit: int = arg("how many at most", default=100, min=1, max=1000, short="n")


class Notifications(OperationRequest, reads=True):
    """Messages to the user: sent, waiting or given up."""

    dead: bool = arg("only what was given up", default=False)
    limit: int = arg("how many at most", default=100, min=1, max=1000, short="n")


class DirectivesList(OperationRequest, name="directives", reads=True):
    """What the user told the agent in the background."""

    consumed: bool = arg("those that are done with too", default=False)


class DirectiveAdd(OperationRequest, name="directive_add", users_only="directives add"):
    """Tell the agent in the background something; the next cycle begins with it."""

    text: str = arg("what it should do", words=True)
