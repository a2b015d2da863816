"""Requests about what counts: similar memories, candidates, promoting, pinning, what a tag is for."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg
from nightgarden.domain.requests.reading import READ_SCOPE


class Similar(OperationRequest, reads=True):
    """Memories that say something like a given one, nearest first."""

    id: str = arg("id of a memory", ids=("memory",))
    limit: int | None = arg("how many at most", default=None, min=1, max=1000, short="n")
    scope: str | None = arg(READ_SCOPE, default=None, short="s")


class Candidates(OperationRequest, reads=True):
    """Memories that have not proved themselves yet, those nearest to it first."""

    scope: str | None = arg(READ_SCOPE, default=None, short="s")
    limit: int = arg("how many at most", default=20, min=1, max=1000, short="n")


class Promote(OperationRequest):
    """Let a candidate count."""

    id: str = arg("id of a memory", ids=("memory",))


class Pin(OperationRequest, users_only="pin"):
    """Keep a memory in every briefing."""

    id: str = arg("id of a memory", ids=("memory",))


class Unpin(OperationRequest, users_only="unpin"):
    """Take a memory out of every briefing again."""

    id: str = arg("id of a memory", ids=("memory",))


class DescribeTag(OperationRequest, name="describe_tag"):
    """Say what a tag is for."""

    tag: str = arg("its name", positional=True)
    description: str = arg("in a sentence", positional=True)
