"""A mind behind an HTTP endpoint. What is asked leaves the machine, if the endpoint is elsewhere.

The key is read at each call from where the settings say, so that it is held nowhere, and goes into one header and into
no message. Knows nothing of prompts; who asks has blacked out what may not be sent.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.ports import Clock
from nightgarden.errors import BadInput, ModelUnavailable
from nightgarden.minds.backend import CallFailed, Completion
from nightgarden.minds.limits import read_headers
from nightgarden.minds.wire_formats import Wire, body_of, headers_of, read_answer, tokens_at_most, url_of
from nightgarden.models.post import Lost, TookTooLong, Turned, get_json, post_json, shown

_LIST_SECONDS_MAX = 10.0
OPENROUTER = "openrouter"  # says what an answer cost, when asked to


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a mind is and how it is asked."""

    provider: str
    wire: Wire
    base_url: str
    model: str
    key_variable: str = ""
    key_file: str = ""
    timeout_seconds: float = 60.0


class EndpointMind:
    """A backend over HTTP."""

    def __init__(self, endpoint: Endpoint, env: Mapping[str, str], clock: Clock) -> None:
        self._endpoint = endpoint
        self._env = env
        self._clock = clock
        self._where = f"The mind at {shown(endpoint.base_url)}"

    @property
    def endpoint(self) -> Endpoint:
        return self._endpoint

    @property
    def provider(self) -> str:
        return self._endpoint.provider

    @property
    def model(self) -> str:
        return self._endpoint.model

    @property
    def name(self) -> str:
        return f"{self.model} at {urlsplit(self._endpoint.base_url).netloc.rpartition('@')[2]}"

    @property
    def reports_cost(self) -> bool:
        return self.provider == OPENROUTER

    def check(self) -> None:
        self._key()

    def tokens_at_most(self, prompt: str, schema: Mapping[str, object]) -> int:
        return tokens_at_most(self._body(prompt, schema))

    async def ask(self, prompt: str, schema: Mapping[str, object]) -> Completion:
        endpoint = self._endpoint
        headers = headers_of(endpoint.wire, self._key())
        try:
            posted = await asyncio.to_thread(
                post_json,
                url_of(endpoint.wire, endpoint.base_url),
                self._body(prompt, schema),
                headers=headers,
                timeout_seconds=endpoint.timeout_seconds,
                where=self._where,
            )
        except TookTooLong as error:
            raise CallFailed(str(error), CallOutcome.TIMED_OUT) from None
        except Lost as error:
            raise CallFailed(str(error), CallOutcome.LOST) from None
        except Turned as error:
            raise self._turned(error) from None
        except ModelUnavailable as error:
            raise CallFailed(str(error), CallOutcome.UNREACHABLE) from None
        except BadInput as error:
            raise CallFailed(f"{error} Is mind.model right?", CallOutcome.REFUSED) from None
        answer = read_answer(endpoint.wire, posted.body)
        limits = read_headers(posted.headers, self._clock.now())
        if answer is None:
            raise CallFailed(
                f"{self._where} answered in another shape than mind.kind = {endpoint.provider!r} has.",
                CallOutcome.LOST,
                limits=limits,
            )
        return replace(answer, limits=limits)

    def _key(self) -> str | None:
        return read_key(self._endpoint, self._env, self._where)

    async def models(self) -> list[str]:
        """The names of the models that the endpoint lists; none when it does not list any. Raises ModelUnavailable."""
        endpoint = self._endpoint
        try:
            listed = await asyncio.to_thread(
                get_json,
                endpoint.base_url.rstrip("/") + "/models",
                headers=headers_of(endpoint.wire, self._key()),
                timeout_seconds=min(_LIST_SECONDS_MAX, endpoint.timeout_seconds),
                where=self._where,
            )
        except Turned as error:
            if error.status in (404, 405):
                return []
            raise self._turned(error) from None
        except (ModelUnavailable, BadInput) as error:
            raise CallFailed(str(error), CallOutcome.UNREACHABLE) from None
        found = listed.body.get("data")
        names = [item.get("id") for item in found if isinstance(item, dict)] if isinstance(found, list) else []
        return [name for name in names if isinstance(name, str)]

    def _body(self, prompt: str, schema: Mapping[str, object]) -> dict[str, object]:
        body = body_of(self._endpoint.wire, self._endpoint.base_url, self._endpoint.model, prompt, schema)
        return body | {"usage": {"include": True}} if self.reports_cost else body

    def _turned(self, error: Turned) -> CallFailed:
        outcome = outcome_of(error.status)
        message = str(error)
        if outcome is CallOutcome.UNKNOWN_MODEL:
            message = f"{self._where} does not know {self.model!r} (status 404); check mind.model and mind.base_url."
        return CallFailed(message, outcome, limits=read_headers(error.headers, self._clock.now()))


def outcome_of(status: int) -> CallOutcome:
    """What an HTTP status means for a call."""
    match status:
        case 429:
            return CallOutcome.RATE_LIMITED
        case 401 | 402 | 403:
            return CallOutcome.NOT_ALLOWED
        case 404:
            return CallOutcome.UNKNOWN_MODEL
        case _:
            return CallOutcome.SERVER_ERROR


def read_key(endpoint: Endpoint, env: Mapping[str, str], where: str) -> str | None:
    """The key, or None when none is asked for. Raises ModelUnavailable, naming where it was looked for."""
    if endpoint.key_variable:
        if key := env.get(endpoint.key_variable, "").strip():
            return key
        if not endpoint.key_file:
            raise ModelUnavailable(f"{where} needs a key, and the variable {endpoint.key_variable} is not set.")
    if not endpoint.key_file:
        return None
    path = Path(endpoint.key_file).expanduser()
    try:
        if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ModelUnavailable(f"{where}: others may read {path}; run `chmod 600` on it first.")
        first = path.read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelUnavailable(f"{where} needs a key, and {path} cannot be read ({type(error).__name__}).") from None
    if not first:
        raise ModelUnavailable(f"{where} needs a key, and the first line of {path} is empty.")
    return first
