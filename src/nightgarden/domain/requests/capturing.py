"""Requests about what is learned outside of conversations, and what people read of it: captures, digest, notebook."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class CapturePr(OperationRequest, name="capture_pr"):
    """Learn from the reviews of a pull request: what gh prints, or what a webhook sends."""

    payload: str | None = arg("the JSON as text; this or event", default=None)
    event: Mapping[str, Any] | None = arg("the JSON itself", default=None)


class CaptureErrors(OperationRequest, name="capture_errors"):
    """Learn from the errors of a log, or from those that recur in the sessions of this project."""

    log: str | None = arg("text of a log (default: the sessions)", default=None)


class CaptureStatusRequest(OperationRequest, name="captured", reads=True):
    """How much was captured and left out."""


class DigestRequest(OperationRequest, reads=True):
    """Commits made outside of known sessions since they were last told."""


class NotebookSync(OperationRequest, name="notebook_sync"):
    """Take in what was edited in the notebook, and write its pages."""


class NotebookStatusRequest(OperationRequest, name="notebook_status", reads=True):
    """Whether the notebook is up to date."""
