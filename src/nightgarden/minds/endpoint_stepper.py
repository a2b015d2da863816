"""An endpoint of the settings as a stepper: what it is called, what it needs, and the library once it is talked to."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from urllib.parse import urlsplit

from nightgarden.domain.ports import Clock
from nightgarden.errors import ModelUnavailable
from nightgarden.minds.endpoint import OPENROUTER, Endpoint, read_key
from nightgarden.minds.speaker import Step
from nightgarden.models.post import shown


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointStepper:
    """A stepper over HTTP."""

    endpoint: Endpoint
    env: Mapping[str, str]
    clock: Clock

    @property
    def provider(self) -> str:
        return self.endpoint.provider

    @property
    def model(self) -> str:
        return self.endpoint.model

    @property
    def name(self) -> str:
        return f"{self.model} at {urlsplit(self.endpoint.base_url).netloc.rpartition('@')[2]}"

    @property
    def reports_cost(self) -> bool:
        return self.provider == OPENROUTER

    def check(self) -> None:
        self._key()
        if find_spec("pydantic_ai") is None:
            raise ModelUnavailable(
                f"A conversation with {self.name} needs one package more: pip install 'nightgarden[minds]'."
            )

    def opened(self) -> AbstractAsyncContextManager[Step]:
        from nightgarden.minds import library  # 0.9 s, and packages of the extra

        return library.opened(self.endpoint, self._key(), self.clock)

    def _key(self) -> str | None:
        return read_key(self.endpoint, self.env, f"The mind at {shown(self.endpoint.base_url)}")
