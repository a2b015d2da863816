"""One request to a model's endpoint, and what its failure means. Blocks.

A key goes into a header and into no message. Redirects are refused: they would lead it elsewhere."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from nightgarden.errors import BadInput, ModelUnavailable

ANSWER_BYTES_MAX = 64 << 20
_REASON_BYTES_MAX = 4096
_TEXT_AT_FAULT = frozenset({400, 413, 422})  # the text was refused, not the service down


class Lost(ModelUnavailable):
    """It was sent and no usable answer came back, so it may have cost something. To others a ModelUnavailable."""


class Turned(ModelUnavailable):
    """The service answered with an error. To others a ModelUnavailable."""

    def __init__(self, message: str, status: int, headers: Mapping[str, str], reason: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers
        self.reason = reason  # what the service itself says, unchecked: never shown as it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """An answer: its object and its headers."""

    body: dict[str, Any]
    headers: Mapping[str, str]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Answers a redirect with the error it came with: following it would hand the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


def post_json(
    url: str, body: Mapping[str, Any], *, headers: Mapping[str, str], timeout_seconds: float, where: str
) -> Posted:
    """The answer, an object. `where` begins each message. Raises BadInput when the request was refused for what it
    says, ModelUnavailable when the service failed."""
    sent = {"Content-Type": "application/json", "Accept": "application/json", **headers}
    request = urllib.request.Request(url, data=json.dumps(body).encode("utf-8"), headers=sent)
    return _answer(request, timeout_seconds, where)


def get_json(url: str, *, headers: Mapping[str, str], timeout_seconds: float, where: str) -> Posted:
    """The same for what is only looked up."""
    return _answer(
        urllib.request.Request(url, headers={"Accept": "application/json", **headers}), timeout_seconds, where
    )


def _answer(request: urllib.request.Request, timeout_seconds: float, where: str) -> Posted:
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=timeout_seconds) as response:
            raw, got = response.read(ANSWER_BYTES_MAX), dict(response.headers.items())
    except urllib.error.HTTPError as error:
        with error:
            if error.code in _TEXT_AT_FAULT:
                raise BadInput(f"{where} refused the text (status {error.code}).") from None
            hint = "check its key" if error.code in (401, 403) else "try again later or check its address"
            said = f"{where} answered with status {error.code}; {hint}."
            raise Turned(said, error.code, dict(error.headers.items()), _reason(error)) from None
    except urllib.error.URLError as error:  # before it was sent whole
        raise ModelUnavailable(f"{where} cannot be reached: {error.reason}.") from None
    except (OSError, HTTPException, ValueError) as error:
        # The cause is named by its type alone: a ValueError about a bad header quotes the header, key and all.
        raise Lost(f"{where} cannot be reached: {type(error).__name__}.") from None
    try:
        answer = json.loads(raw)
    except (ValueError, RecursionError):
        raise Lost(f"{where} answered with something that is not JSON.") from None
    if not isinstance(answer, dict):
        raise Lost(f"{where} answered with JSON that is not an object.")
    return Posted(body=answer, headers=got)


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        return error.read(_REASON_BYTES_MAX).decode("utf-8", "replace")
    except (OSError, HTTPException, ValueError):
        return ""


def shown(url: str) -> str:
    """An address without user and password, should someone have put them there."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
