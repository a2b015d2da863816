"""A mind behind an HTTP endpoint. What is asked leaves the machine, if the endpoint is elsewhere.

The key is read at each call from where the settings say, so that it is held nowhere, and goes into one header and into
no message. Knows nothing of prompts; who asks has blacked out what may not be sent.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nightgarden.errors import BadInput, ModelUnavailable
from nightgarden.models.minds.account import Account
from nightgarden.models.minds.wire import Kind, body_of, headers_of, read_answer, tokens_at_most, url_of
from nightgarden.models.post import Lost, post_json, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a mind is and how it is asked."""

    kind: Kind
    base_url: str
    model: str
    key_variable: str = ""
    key_file: str = ""
    timeout_seconds: float = 60.0


class HttpMind:
    """The Mind port over an endpoint, within its account."""

    def __init__(self, endpoint: Endpoint, account: Account, env: Mapping[str, str]) -> None:
        self._endpoint = endpoint
        self._account = account
        self._env = env
        self._where = f"The mind at {shown(endpoint.base_url)}"

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        """The reply as text. Raises ModelUnavailable when it cannot be had, or the day's tokens are used up."""
        endpoint = self._endpoint
        body = body_of(endpoint.kind, endpoint.base_url, endpoint.model, prompt, schema)
        headers = headers_of(endpoint.kind, read_key(endpoint, self._env, self._where))
        highest = tokens_at_most(body)
        await self._account.reserve(highest)
        try:
            raw = await asyncio.to_thread(
                post_json,
                url_of(endpoint.kind, endpoint.base_url),
                body,
                headers=headers,
                timeout_seconds=endpoint.timeout_seconds,
                where=self._where,
            )
        except Lost:
            raise  # it may have been read and answered, so what was put down stays
        except ModelUnavailable:
            await self._account.correct(-highest)
            raise
        except BadInput as error:
            await self._account.correct(-highest)
            raise ModelUnavailable(f"{error} Is mind.model right?") from None
        answer = read_answer(endpoint.kind, raw)
        if answer is None:
            raise ModelUnavailable(f"{self._where} answered in another shape than mind.kind = {endpoint.kind!r} has.")
        if answer.tokens is not None:
            await self._account.correct(answer.tokens - highest)
        return answer.text


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
