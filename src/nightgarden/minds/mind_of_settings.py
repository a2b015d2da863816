"""Which mind the settings mean, if any, why, and how it is called in `stats`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args, get_type_hints
from urllib.parse import urlsplit

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.mind import Mind
from nightgarden.domain.mind_call import Caps
from nightgarden.domain.ports import Clock, Store
from nightgarden.domain.session import SessionStatus
from nightgarden.errors import BadSetting
from nightgarden.minds.backend import ANSWER_TOKENS_MAX, CHARACTERS_PER_TOKEN, Backend, Completion
from nightgarden.minds.claude import DEFAULT_MODEL, Claude
from nightgarden.minds.codex_exec import CodexMind
from nightgarden.minds.endpoint import Endpoint, EndpointMind
from nightgarden.minds.metered import BUDGET, Ledger, MeteredMind
from nightgarden.minds.program import ProgramMind, find_program
from nightgarden.minds.wire_formats import Wire
from nightgarden.models.post import on_this_machine
from nightgarden.settings import MindSettings

Program = Literal["codex", "claude"]
Kind = Literal["none", "auto", "codex", "claude", "local", "openai", "anthropic", "openrouter"]
KINDS: tuple[Kind, ...] = get_args(get_type_hints(MindSettings)["kind"])
PROGRAMS: tuple[Program, ...] = ("codex", "claude")
PAID_BY_TOKEN = ("openai", "anthropic", "openrouter")
_ADDRESSES = {
    "local": "http://127.0.0.1:11434/v1",
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
}
_CLIENTS = {"codex": "codex", "claude-code": "claude"}  # a client of the user's, and whose tokens it uses


@dataclass(frozen=True, slots=True, kw_only=True)
class MindUse:
    """Which mind is on, and what it used today."""

    name: str
    tokens_today: int = 0
    calls_today: int = 0
    usd_today: float = 0.0
    daily_tokens: int | None = None  # None: no cap, whoever passed the mind in looks after its cost
    daily_usd: float | None = None

    @property
    def line(self) -> str:
        if self.daily_tokens is None or self.daily_usd is None:
            return f"{self.name}, {self.calls_today:,} calls today, no cap"
        cost = f", ${self.usd_today:.2f} of ${self.daily_usd:.2f}" if self.usd_today else ""
        used_up = self.tokens_today >= self.daily_tokens or self.usd_today >= self.daily_usd > 0
        return (
            f"{self.name}, {self.tokens_today:,} of {self.daily_tokens:,} tokens today "
            f"in {self.calls_today:,} calls{cost}{'; used up until tomorrow (UTC)' if used_up else ''}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedIn:
    """A mind that code passed in, as a backend: what it took is known only if it can say so (`ask`)."""

    mind: Mind
    provider: str = "code"
    reports_cost: bool = False

    @property
    def model(self) -> str:
        return type(self.mind).__name__

    @property
    def name(self) -> str:
        return self.model

    def check(self) -> None:
        """Whatever it lacks, it says itself when it is asked."""

    def tokens_at_most(self, prompt: str, schema: Mapping[str, object]) -> int:
        return len(prompt) // CHARACTERS_PER_TOKEN + ANSWER_TOKENS_MAX

    async def ask(self, prompt: str, schema: Mapping[str, object]) -> Completion:
        tells = getattr(self.mind, "ask", None)
        if tells is not None and isinstance(found := await tells(prompt, schema), Completion):
            return found
        return Completion(text=await self.mind.complete(prompt, schema))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenMind:
    """A mind, and its name."""

    mind: MeteredMind
    name: str

    async def use(self) -> MindUse:
        caps, spent = self.mind.ledger.caps, await self.mind.ledger.spent_today()
        return MindUse(
            name=self.name,
            tokens_today=spent.tokens if caps else 0,
            calls_today=spent.calls,
            usd_today=spent.usd,
            daily_tokens=caps.tokens if caps else None,
            daily_usd=caps.usd if caps else None,
        )

    def asked_for(self, purpose: str, cycle: str | None = None) -> Mind | None:
        """The mind for one purpose. None on a garden that is only read: what a call costs could not be written down."""
        return None if self.mind.ledger.store.read_only else self.mind.for_purpose(purpose, cycle)


def passed_in(mind: Mind, store: Store, clock: Clock) -> ChosenMind:
    """A mind that code passed in: in the ledger, and under no cap."""
    backend = PassedIn(mind=mind)
    return ChosenMind(mind=MeteredMind(backends=(backend,), ledger=make_ledger(store, clock, None)), name=backend.name)


def choose_mind(settings: MindSettings, store: Store, clock: Clock, env: Mapping[str, str]) -> ChosenMind | None:
    """The mind of the settings, or None when they name none. Raises BadSetting, saying which key is wrong."""
    if settings.kind == "none":
        return None
    backends = find_backends(settings, clock, env)
    if not backends:
        return None
    caps = Caps(tokens=settings.daily_tokens, usd=settings.daily_usd)
    mind = MeteredMind(backends=backends, ledger=make_ledger(store, clock, caps), busy=lambda: busy_providers(store))
    return ChosenMind(mind=mind, name=backends[0].name)


def find_backends(settings: MindSettings, clock: Clock, env: Mapping[str, str]) -> list[Backend]:
    """What the settings name, best first; for auto what is there of it: the user's own programs, the endpoint that was
    set, the provider that was allowed. Nothing is started or asked to find out."""
    match settings.kind:
        case "none":
            return []
        case "auto":
            return _all_there(settings, clock, env)
        case "codex" | "claude" as name:
            return [_program(name, settings, clock, env, settings.model)]
        case provider:
            return [_endpoint(provider, settings, clock, env)]


def _all_there(settings: MindSettings, clock: Clock, env: Mapping[str, str]) -> list[Backend]:
    found: list[Backend] = [
        _program(name, settings, clock, env, "") for name in PROGRAMS if find_program(name, "", env) is not None
    ]
    if settings.base_url and settings.api_provider == "none":
        found.append(_endpoint("local", settings, clock, env))
    if settings.api_provider != "none":
        found.append(_endpoint(settings.api_provider, settings, clock, env))
    return found


def _program(name: Program, settings: MindSettings, clock: Clock, env: Mapping[str, str], model: str) -> ProgramMind:
    configured = settings.program if settings.kind == name else ""
    path = find_program(name, configured, env)
    if path is None:
        if configured:
            raise BadSetting(f"mind.program = {configured!r} is not the absolute path of a program")
        raise BadSetting(f"mind.kind is {name}, and {name} is not on the PATH: install it, or set mind.program")
    return ProgramMind(
        dialect=Claude() if name == "claude" else CodexMind(config=settings.codex_config),
        program=path,
        model=model or (DEFAULT_MODEL if name == "claude" else ""),
        env=env,
        passed_on=settings.program_env,
        timeout_seconds=settings.timeout_seconds,
        clock=clock,
    )


def _endpoint(provider: str, settings: MindSettings, clock: Clock, env: Mapping[str, str]) -> EndpointMind:
    if not settings.model:
        raise BadSetting(f"mind.kind is {settings.kind}: set mind.model too, or mind.kind to none")
    base_url = settings.base_url or _ADDRESSES[provider]
    _check_address(base_url, sends_key=bool(settings.api_key_env or settings.api_key_file))
    wire: Wire = "messages" if provider == "anthropic" else "chat"
    endpoint = Endpoint(
        provider=provider,
        wire=wire,
        base_url=base_url,
        model=settings.model,
        key_variable=settings.api_key_env,
        key_file=settings.api_key_file,
        timeout_seconds=settings.timeout_seconds,
    )
    return EndpointMind(endpoint, env, clock)


async def busy_providers(store: Store) -> frozenset[str]:
    """Whose tokens the user is using right now: those of clients with an active session."""
    active = await store.list_sessions(status=SessionStatus.ACTIVE, limit=20)
    return frozenset(_CLIENTS[session.client] for session in active if session.client in _CLIENTS)


def make_ledger(store: Store, clock: Clock, caps: Caps | None, budget: str = BUDGET) -> Ledger:
    """The ledger of one budget in this garden."""
    return Ledger(store=store, clock=clock, ids=IdMaker(lambda: secrets.randbits(64)), caps=caps, budget=budget)


def _check_address(base_url: str, *, sends_key: bool) -> None:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadSetting("mind.base_url is not an http or https address")
    if parts.username or parts.password:
        raise BadSetting("mind.base_url holds a user or password; use mind.api_key_env or mind.api_key_file")
    if parts.scheme == "http" and sends_key and not on_this_machine(base_url):
        raise BadSetting("mind.base_url would send the key in the open; use https, or leave the key out")
