"""The minds of a garden as its user sees them: what there is, which is chosen and why, a test, and what was used."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from nightgarden.domain.conversation import Converser
from nightgarden.domain.mind import read_reply
from nightgarden.domain.mind_call import CallOutcome, Caps
from nightgarden.domain.ports import Clock, Store
from nightgarden.errors import BadInput, BadSetting, ModelUnavailable
from nightgarden.minds import trial
from nightgarden.minds.backend import Backend, Completion, said
from nightgarden.minds.budget import Bounds, Budget
from nightgarden.minds.budget_figures import find_budget
from nightgarden.minds.choose_converser import Wanted, choose_converser, converser_over
from nightgarden.minds.endpoint import EndpointMind
from nightgarden.minds.limits import Window
from nightgarden.minds.mind_of_settings import KINDS, PROGRAMS, ChosenMind, busy_providers, choose_mind, find_backends
from nightgarden.minds.pausing import STATE
from nightgarden.minds.program import find_program
from nightgarden.minds.speaker import Stepper
from nightgarden.minds.usage import UsageReport, add_up, first_moment
from nightgarden.settings import MindSettings

_TEST_PROMPT = "Which number comes after 41?"
_TEST_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"number": {"type": "integer"}},
    "required": ["number"],
}
_NAMED_MAX = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class MindOffer:
    """One kind of mind: whether it could be used, whether it is, and why."""

    kind: str
    available: bool
    chosen: bool
    reason: str
    windows: tuple[Window, ...] = ()  # what its provider last said about its limits
    outcomes: Mapping[str, int] | None = None  # how calls ended, by label


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedMind:
    """How a live test call went."""

    name: str
    answer: str
    seconds: float
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MindHealth:
    """The mind's line in `nightgarden status`. A cap reached is no failure; a provider that cannot answer is."""

    ok: bool
    line: str
    failures: int  # calls without an answer, since the garden was made


class Minds:
    """The `garden.minds` part of the public API."""

    def __init__(
        self, store: Store, settings: MindSettings, chosen: ChosenMind | None, clock: Clock, env: Mapping[str, str]
    ) -> None:
        self._store = store
        self._settings = settings
        self._chosen = chosen
        self._clock = clock
        self._env = env

    async def list(self) -> list[MindOffer]:
        """Every kind of mind, with the reason why it is or is not asked. Starts and asks nothing."""
        first = (await self._chosen.mind.in_order())[0] if self._chosen else None
        return [await self._offer(kind, first) for kind in KINDS if kind not in ("none", "auto")]

    async def health(self) -> MindHealth | None:
        """How the chosen mind is doing; None when there is none."""
        if self._chosen is None or self._chosen.mind.ledger.caps is None:
            return None
        backends, ledger = self._chosen.mind.backends, self._chosen.mind.ledger
        states = [await ledger.state_of(backend.provider) for backend in backends]
        paused = [words for backend in backends if (words := await ledger.why_not(backend, 0))]
        failed = sum(n for s in states for label, n in s.outcomes.items() if label != CallOutcome.ANSWERED.value)
        line = "; ".join([(await self._chosen.use()).line, *paused])
        return MindHealth(ok=len(paused) < len(backends), line=line, failures=failed)

    def converser(self, wanted: Wanted) -> Converser | None:
        """Who converses for a room, with tools; None when no mind is set up, or on a garden that is only read: what a
        step costs could not be written down. Raises BadSetting."""
        if self._store.read_only:
            return None
        return choose_converser(self._settings, wanted, self._store, self._clock, self._env)

    async def budget(self, wanted: Wanted, bounds: Bounds) -> Budget:
        """What the next cycle of a room may take beside its user, and how long it waits for it, by the ledger and what
        is known of the limits of the provider that would be asked."""
        caps = Caps(tokens=wanted.daily_tokens, usd=wanted.daily_usd)
        chosen = choose_converser(self._settings, wanted, self._store, self._clock, self._env)
        provider = (await chosen.in_order())[0].provider if chosen else ""
        return await find_budget(self._store, self._clock.now(), provider, wanted.budget, caps, bounds)

    def converser_over(self, stepper: Stepper) -> Converser:
        """A converser over a way to a model that code brings, such as `ScriptedStepper`: in the ledger, under no
        cap."""
        return converser_over(stepper, self._store, self._clock)

    async def usage(self, *, days: int = 7) -> UsageReport:
        """What calls took in these days of UTC, today included."""
        if not 1 <= days <= 3660:
            raise BadInput("days must be from 1 to 3660")
        now = self._clock.now()
        calls = await self._store.mind_calls(since=first_moment(now, days))
        return add_up(calls, now=now, days=days)

    async def test(self, settings: MindSettings | None = None) -> TestedMind:
        """Asks one small question, also where a pause is on: whoever asks for a test has mended something. Counted like
        every call. Raises ModelUnavailable, also when the answer is not the JSON that was asked for, or BadSetting."""
        chosen = self._chosen if settings is None else choose_mind(settings, self._store, self._clock, self._env)
        if chosen is None:
            raise _nobody(settings or self._settings)
        for backend in chosen.mind.backends:
            await self._forget_pause(backend.provider)
        begun = self._clock.now()
        found: Completion = await chosen.mind.for_purpose("test").ask(_TEST_PROMPT, _TEST_SCHEMA)
        name = await self._who_answered(chosen, begun)
        if not isinstance(read_reply(found.text), dict):
            words = f"with {shown!r}" if (shown := said(found.text)[:120]) else "with nothing"
            raise ModelUnavailable(
                f"{name} was asked for JSON and answered {words}. A model that follows such instructions is needed."
            )
        return TestedMind(
            name=name,
            answer=found.text,
            seconds=(self._clock.now() - begun).total_seconds(),
            tokens_in=found.usage.tokens_in,
            tokens_out=found.usage.tokens_out,
            cost_usd=found.usage.cost_usd,
        )

    async def _who_answered(self, chosen: ChosenMind, since: datetime) -> str:
        """By the ledger: where there are several, the first may not have been the one."""
        calls = [call for call in await self._store.mind_calls(since=since) if call.purpose == "test"]
        last = max(calls, key=lambda call: call.id, default=None)
        return next((b.name for b in chosen.mind.backends if last and b.provider == last.provider), chosen.name)

    async def test_tools(self, wanted: Wanted, settings: MindSettings | None = None) -> TestedMind:
        """Has the smallest conversation with a tool, as background work has long ones. Raises ModelUnavailable, also
        when the model does not call the tool, or BadSetting."""
        own = settings or self._settings
        converser = choose_converser(own, wanted, self._store, self._clock, self._env)
        if converser is None:
            raise _nobody(own)
        for speaker in converser.speakers:
            await self._forget_pause(speaker.provider)
        begun, tools = self._clock.now(), trial.Trial()
        talked = await converser.converse(
            system=trial.SYSTEM, utterances=trial.OPENING, toolbox=tools, limits=trial.LIMITS, purpose="test"
        )
        answer = trial.answer_of(tools, talked)
        return TestedMind(
            name=" ".join(part for part in (talked.provider, talked.model) if part),
            answer=answer,
            seconds=(self._clock.now() - begun).total_seconds(),
            tokens_in=talked.tokens,
            tokens_out=None,
            cost_usd=talked.cost_usd,
        )

    async def check(self, settings: MindSettings) -> None:
        """Whether a mind could be set up like this: raises BadSetting for settings that cannot work, BadInput for a
        model that its server does not list, ModelUnavailable when it cannot be reached."""
        for backend in find_backends(settings, self._clock, self._env):
            backend.check()
            if not isinstance(backend, EndpointMind):
                continue
            names = await backend.models()
            if names and backend.model not in names:
                near = difflib.get_close_matches(backend.model, names, n=_NAMED_MAX, cutoff=0.3) or names[:_NAMED_MAX]
                raise BadInput(f"{backend.name}: there is no such model; there are {', '.join(near)}")

    async def _forget_pause(self, provider: str) -> None:
        kept = await self._store.get_state(STATE + provider) or {}
        if kept.get("paused_until"):
            await self._store.put_state(STATE + provider, kept | {"paused_until": None, "reason": ""})

    async def _offer(self, kind: str, first: Backend | None) -> MindOffer:
        chosen = first is not None and first.provider == kind
        available, reason = self._availability(kind)
        if self._chosen is None:
            return MindOffer(kind=kind, available=available, chosen=False, reason=reason)
        state = await self._chosen.mind.ledger.state_of(kind)
        mine = next((each for each in self._chosen.mind.backends if each.provider == kind), None)
        if mine is not None and (paused := await self._chosen.mind.ledger.why_not(mine, 0)):
            reason = paused
        elif chosen:
            reason = await self._why(kind)
        elif mine is not None:
            reason = "used when those before it cannot answer"
        return MindOffer(
            kind=kind,
            available=available,
            chosen=chosen,
            reason=reason,
            windows=state.limits.windows,
            outcomes=state.outcomes or None,
        )

    async def _why(self, kind: str) -> str:
        if self._settings.kind != "auto":
            return f"set by mind.kind = {kind}"
        busy = await busy_providers(self._store)
        spare = f", and you are using {', '.join(sorted(busy))} right now" if busy and kind not in busy else ""
        return f"first that is there for mind.kind = auto{spare}"

    def _availability(self, kind: str) -> tuple[bool, str]:
        if kind in PROGRAMS:
            path = find_program(kind, self._settings.program if self._settings.kind == kind else "", self._env)
            return (True, f"{path}, with your own login") if path else (False, f"{kind} is not on the PATH")
        if kind in (self._settings.kind, self._settings.api_provider):
            try:
                for backend in find_backends(replace(self._settings, kind=kind), self._clock, self._env):
                    backend.check()
            except (BadSetting, ModelUnavailable) as error:
                return False, str(error)
            return True, "set up"
        if kind == "local":
            return False, "a server such as Ollama; give its model, and its address if it is another"
        return False, "off; needs a model and an API key of yours"


def _nobody(settings: MindSettings) -> BadSetting:
    """Why there is nobody to ask."""
    if settings.kind == "auto":
        return BadSetting(
            f"mind.kind = auto found nothing to ask: install {' or '.join(PROGRAMS)}, or name a server or provider; "
            "`nightgarden minds list` shows the kinds"
        )
    return BadSetting("no mind is set up; `nightgarden minds list` shows the kinds, `minds use KIND` sets one up")
