"""Which model an agent converses with, by the settings: those of [mind], and what a room asks for itself.

A room may name a provider and a model of its own; addresses and keys are those of [mind], so a provider by API key is
one that [mind] sets up. Where nothing is named the strongest model of each program is taken: the agent's mistakes cost
more than its tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from nightgarden.domain.mind_call import Caps
from nightgarden.domain.ports import Clock, Store
from nightgarden.errors import BadSetting
from nightgarden.minds.claude import ClaudeTalk
from nightgarden.minds.codex_exec import CodexTalk
from nightgarden.minds.converser import MeteredConverser
from nightgarden.minds.endpoint import EndpointMind
from nightgarden.minds.endpoint_stepper import EndpointStepper
from nightgarden.minds.metered import section_of
from nightgarden.minds.mind_of_settings import (
    KINDS,
    PAID_BY_TOKEN,
    PROGRAMS,
    busy_providers,
    find_backends,
    make_ledger,
)
from nightgarden.minds.program import ProgramMind
from nightgarden.minds.program_speaker import ProgramSpeaker
from nightgarden.minds.speaker import Speaker, Stepper
from nightgarden.minds.step_loop import SteppedSpeaker
from nightgarden.settings import MindSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a room wants of a converser. `budget` is the room's name, under which its calls and caps count."""

    budget: str
    daily_tokens: int
    daily_usd: float
    paid_daily_tokens: int | None = None  # a lower cap for what is paid by the token; None: the same as for the rest
    provider: str = ""  # a kind of [mind]; empty: as [mind] says
    model: str = ""  # empty: the strongest of a program, the one of [mind] elsewhere


def choose_converser(
    settings: MindSettings, wanted: Wanted, store: Store, clock: Clock, env: Mapping[str, str]
) -> MeteredConverser | None:
    """The converser of a room, or None when the settings name no mind. Raises BadSetting, saying which key is wrong."""
    speakers = find_speakers(settings, wanted, clock, env)
    if not speakers:
        return None
    caps = Caps(tokens=wanted.daily_tokens, usd=wanted.daily_usd)
    ledger = make_ledger(store, clock, caps, budget=wanted.budget)
    lower = {}
    if wanted.paid_daily_tokens is not None:
        paid = replace(caps, tokens=min(caps.tokens, wanted.paid_daily_tokens))
        lower = {speaker.provider: paid for speaker in speakers if speaker.provider in PAID_BY_TOKEN}
    return MeteredConverser(speakers=speakers, ledger=ledger, lower_caps=lower, busy=lambda: busy_providers(store))


def converser_over(stepper: Stepper, store: Store, clock: Clock) -> MeteredConverser:
    """A converser over what code passed in: in the ledger, and under no cap."""
    return MeteredConverser(speakers=[SteppedSpeaker(stepper=stepper)], ledger=make_ledger(store, clock, None))


def find_speakers(settings: MindSettings, wanted: Wanted, clock: Clock, env: Mapping[str, str]) -> list[Speaker]:
    """What the settings name, best first. Nothing is started or asked to find out."""
    found: list[Speaker] = []
    for backend in find_backends(_of_room(settings, wanted), clock, env):
        if isinstance(backend, EndpointMind):
            stepper = EndpointStepper(endpoint=backend.endpoint, env=env, clock=clock)
            found.append(SteppedSpeaker(stepper=stepper))
        elif isinstance(backend, ProgramMind):
            dialect = ClaudeTalk() if backend.provider == "claude" else CodexTalk(config=settings.codex_config)
            found.append(ProgramSpeaker(mind=backend, dialect=dialect, model=wanted.model or dialect.strongest))
    return found


def _of_room(settings: MindSettings, wanted: Wanted) -> MindSettings:
    """The settings of [mind] as this room has them."""
    named = wanted.provider or settings.kind
    kind, section = next((each for each in KINDS if each == named), None), section_of(wanted.budget)
    if kind is None:
        raise BadSetting(f"{section}.provider = {named!r} is not one of {', '.join(KINDS)}")
    if kind not in (settings.kind, settings.api_provider, "none", "auto", *PROGRAMS):
        raise BadSetting(
            f"{section}.provider = {kind!r} needs an address, a model and perhaps a key: "
            f"set mind.kind or mind.api_provider to it"
        )
    if wanted.model and kind == "auto":
        raise BadSetting(f"{section}.model is the model of one provider: set {section}.provider too")
    return replace(settings, kind=kind, model=wanted.model or settings.model)
