"""One request to a model's endpoint, and what its failure means. Blocks.

A key goes into a header and into no message. Redirects are refused: they would lead it elsewhere. What is on this
machine is asked without the proxy that the environment may name: it would be told everything."""

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
from nightgarden.models.deadline import Deadline, WatchedHTTP, WatchedHTTPS, within

ANSWER_BYTES_MAX = 64 << 20
_REASON_BYTES_MAX = 4096
_TEXT_AT_FAULT = frozenset({400, 413, 422})  # the text was refused, not the service down


class Lost(ModelUnavailable):
    """It was sent and no usable answer came back, so it may have cost something. To others a ModelUnavailable."""


class TookTooLong(Lost):
    """No whole answer came in time."""


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
        with within(timeout_seconds) as deadline:
            status, headers, raw = _exchange(request, timeout_seconds, deadline)
    except TimeoutError:
        raise TookTooLong(f"{where} gave no whole answer within {timeout_seconds:g} s.") from None
    except urllib.error.URLError as error:  # before it was sent whole
        raise ModelUnavailable(f"{where} cannot be reached: {error.reason}.") from None
    except (OSError, HTTPException, ValueError) as error:
        # The cause is named by its type alone: a ValueError about a bad header quotes the header, key and all.
        raise Lost(f"{where} cannot be reached: {type(error).__name__}.") from None
    if status in _TEXT_AT_FAULT:
        raise BadInput(f"{where} refused the text (status {status}).") from None
    if not 200 <= status < 300:
        hint = "check its key" if status in (401, 403) else "try again later or check its address"
        said = f"{where} answered with status {status}; {hint}."
        raise Turned(said, status, headers, raw.decode("utf-8", "replace")) from None
    try:
        answer = json.loads(raw)
    except (ValueError, RecursionError):
        raise Lost(f"{where} answered with something that is not JSON.") from None
    if not isinstance(answer, dict):
        raise Lost(f"{where} answered with JSON that is not an object.")
    return Posted(body=answer, headers=headers)


def _exchange(
    request: urllib.request.Request, timeout_seconds: float, deadline: Deadline
) -> tuple[int, Mapping[str, str], bytes]:
    """Status, headers and body, of an error as well, whose body is its reason."""
    handlers: list[Any] = [_NoRedirect, WatchedHTTP(deadline), WatchedHTTPS(deadline)]
    if on_this_machine(request.full_url):
        handlers.append(urllib.request.ProxyHandler({}))
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=timeout_seconds) as response:
            return response.status, dict(response.headers.items()), response.read(ANSWER_BYTES_MAX)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers.items()), _reason(error)


def _reason(error: urllib.error.HTTPError) -> bytes:
    try:
        return error.read(_REASON_BYTES_MAX)
    except (OSError, HTTPException, ValueError):
        return b""


def on_this_machine(url: str) -> bool:
    """Whether an address is one of this machine, by its name alone."""
    return urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")


def shown(url: str) -> str:
    """An address without user and password, should someone have put them there."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
