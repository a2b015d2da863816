"""Which mind the settings mean, if any, and how it is called in `stats`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from nightgarden.domain.mind import Mind
from nightgarden.domain.ports import Clock, Store
from nightgarden.errors import BadSetting
from nightgarden.models.minds.account import Account
from nightgarden.models.minds.over_http import Endpoint, HttpMind
from nightgarden.models.minds.wire import own_address
from nightgarden.settings import MindSettings

_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MindUse:
    """Which mind is on, and what it used today; None where nobody counts."""

    name: str
    tokens_today: int | None = None
    calls_today: int | None = None
    daily_tokens: int | None = None

    @property
    def line(self) -> str:
        if self.tokens_today is None or self.daily_tokens is None:
            return f"{self.name}, not counted"
        used_up = "; used up until tomorrow (UTC)" if self.tokens_today >= self.daily_tokens else ""
        return (
            f"{self.name}, {self.tokens_today:,} of {self.daily_tokens:,} tokens today "
            f"in {self.calls_today:,} calls{used_up}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenMind:
    """A mind, its name and the account it asks under."""

    mind: Mind
    name: str
    account: Account | None = None  # None: whoever passed the mind in looks after its cost

    async def use(self) -> MindUse:
        if self.account is None:
            return MindUse(name=self.name)
        used = await self.account.today()
        return MindUse(
            name=self.name,
            tokens_today=used.tokens,
            calls_today=used.calls,
            daily_tokens=self.account.daily_tokens,
        )


def choose_mind(settings: MindSettings, store: Store, clock: Clock, env: Mapping[str, str]) -> ChosenMind | None:
    """The mind of the settings, or None when they name none. Raises BadSetting, saying which key is wrong."""
    if settings.kind == "none":
        return None
    if not settings.model:
        raise BadSetting(f"mind.kind is {settings.kind}: set mind.model too, or mind.kind to none")
    base_url = settings.base_url or own_address(settings.kind)
    _check_address(base_url, sends_key=bool(settings.api_key_env or settings.api_key_file))
    endpoint = Endpoint(
        kind=settings.kind,
        base_url=base_url,
        model=settings.model,
        key_variable=settings.api_key_env,
        key_file=settings.api_key_file,
        timeout_seconds=settings.timeout_seconds,
    )
    account = Account(store, clock, daily_tokens=settings.daily_tokens)
    host = urlsplit(base_url).netloc.rpartition("@")[2]
    return ChosenMind(mind=HttpMind(endpoint, account, env), name=f"{settings.model} at {host}", account=account)


def _check_address(base_url: str, *, sends_key: bool) -> None:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadSetting("mind.base_url is not an http or https address")
    if parts.username or parts.password:
        raise BadSetting("mind.base_url holds a user or password; use mind.api_key_env or mind.api_key_file")
    if parts.scheme == "http" and sends_key and parts.hostname not in _THIS_MACHINE:
        raise BadSetting("mind.base_url would send the key in the open; use https, or leave the key out")
