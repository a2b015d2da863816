"""Requests about what sessions taught: episodes and procedures."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg
from nightgarden.domain.requests.reading import READ_SCOPE
from nightgarden.domain.requests.writing import WRITE_SCOPE
from nightgarden.domain.vocabulary import Ending

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence


class Episodes(OperationRequest, reads=True):
    """What happened in earlier sessions, newest first: task, steps, outcome, what went wrong."""

    outcome: str | None = arg("only those that ended so", default=None, choices=Ending)
    scope: str | None = arg(READ_SCOPE, default=None, short="s")
    limit: int = arg("how many at most", default=20, min=1, max=1000, short="n")


class EpisodeRequest(OperationRequest, reads=True):
    """One episode in full."""

    id: str = arg("id of an episode", ids=("memory",))


class Procedures(OperationRequest, reads=True):
    """Ways of doing things here, the surest first, with all their steps and warnings."""

    archived: bool = arg("archived and superseded ones too", default=False, short="a")
    scope: str | None = arg(READ_SCOPE, default=None, short="s")
    limit: int = arg("how many at most", default=50, min=1, max=1000, short="n")


class ProcedureRequest(OperationRequest, reads=True):
    """One procedure in full, with the episodes it was made of."""

    id: str = arg("id of a procedure", ids=("memory",))


class ProcedureAdd(OperationRequest, name="procedure_add"):
    """Add a procedure: how something is done here, in steps."""

    name: str = arg("what it does, in a few words", positional=True)
    steps: Sequence[str] = arg("the steps, in order", metavar="TEXT")
    trigger: str = arg("words of a task that should bring it up", default="")
    prerequisites: Sequence[str] = arg("what must be there first", default=(), aliases=("needs",), metavar="TEXT")
    warnings: Sequence[str] = arg("what can go wrong", default=(), metavar="TEXT")
    tools: Sequence[str] = arg("programs it needs", default=())
    scope: str | None = arg(WRITE_SCOPE, default=None, short="s")
    supersedes: str | None = arg("the procedure it takes the place of", default=None, ids=("memory",), metavar="ID")


class ProcedureOutcome(OperationRequest, name="procedure_outcome"):
    """Say how following a procedure went; it becomes surer, or less sure."""

    id: str = arg("id of a procedure", ids=("memory",))
    outcome: str = arg("how it went", choices=Ending, positional=True)
    reason: str = arg("why; kept in its history", default="")


class ProcedureHistory(OperationRequest, name="procedure_history", reads=True):
    """How following a procedure went each time."""

    id: str = arg("id of a procedure", ids=("memory",))
