"""The mind that everybody gets: the first backend that may be asked, each call in the ledger, none beyond the caps.

A call is put down with the most it may cost before it is made, and set right after it. Caps are checked in the store,
in the same transaction, so that processes together cannot go beyond them. A call that fails for a reason that passes is
made once more; then the next backend, if there is one, is asked.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Protocol

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.mind_call import MAY_HAVE_COST, CallOutcome, Caps, MindCall, Spent, day_of
from nightgarden.domain.ports import Clock, Store
from nightgarden.domain.record import from_record, to_record
from nightgarden.errors import ModelUnavailable
from nightgarden.minds.backend import Backend, CallFailed, Completion, Usage
from nightgarden.minds.limits import Limits
from nightgarden.minds.pausing import STATE, ProviderState, after, retry_seconds, why_not

BUDGET = "mind"  # of all calls that settings pay for
ATTEMPTS_MAX = 2
# What a token is charged, where cost is reported, before it is known what this model's tokens cost: a long question and
# a short answer cost less per token with nearly every model.
USD_PER_TOKEN = 30e-6
PRICE_CALLS = 500  # of which the highest price counts as known; most are the user's own, which tell none
PRICE_DAYS = 30

Busy = Callable[[], Awaitable[frozenset[str]]]


async def nobody_busy() -> frozenset[str]:
    """Where no choice is to be made."""
    return frozenset()


class Payer(Protocol):
    """Whose tokens a call takes."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def reports_cost(self) -> bool: ...


class CapReached(ModelUnavailable):
    """A cap leaves no room for a call."""


@dataclass(slots=True, kw_only=True)
class Ledger:
    """Where calls are written down, and the caps they are under."""

    store: Store
    clock: Clock
    ids: IdMaker
    caps: Caps | None  # None: whoever passed the mind in looks after its cost
    budget: str = BUDGET  # whose caps these are
    prices: dict[tuple[str, str], float] = field(default_factory=dict)  # dollars a token, the highest seen

    async def spent_today(self) -> Spent:
        since, until = day_of(self.clock.now())
        return await self.store.spent(self.budget if self.caps else "", since=since, until=until)

    async def state_of(self, provider: str) -> ProviderState:
        kept = await self.store.get_state(STATE + provider)
        try:
            return from_record(ProviderState, kept) if kept else ProviderState()
        except (KeyError, TypeError, ValueError):
            return ProviderState()  # written by another version; it is learned anew

    async def why_not(self, backend: Payer, tokens: int) -> str:
        """Why a backend is not asked now; empty when it may be."""
        if self.caps is None:
            return ""
        state = await self.state_of(backend.provider)
        return why_not(state, model=backend.model, tokens=tokens, now=self.clock.now())

    async def room(self, backend: Payer) -> int | None:
        """How many tokens the caps leave today; None: there are none."""
        if self.caps is None:
            return None
        spent = await self.spent_today()
        tokens = self.caps.tokens - spent.tokens
        if backend.reports_cost:
            tokens = min(tokens, int((self.caps.usd - spent.usd) / await self._price(backend)))
        return max(0, tokens)

    async def open(self, backend: Payer, tokens: int, *, purpose: str, cycle: str | None) -> MindCall:
        """Puts a call down. Raises CapReached when a cap leaves no room for it."""
        now = self.clock.now()
        call = MindCall(
            id=self.ids.make(now),
            at=now,
            budget=self.budget if self.caps else "",
            provider=backend.provider,
            model=backend.model,
            purpose=purpose,
            outcome=CallOutcome.OPEN,
            charged_tokens=tokens,
            charged_usd=tokens * await self._price(backend) if self.caps and backend.reports_cost else 0.0,
            cycle=cycle,
        )
        spent = await self.store.open_call(call, self.caps)
        if spent is not None:
            assert self.caps is not None
            raise CapReached(_cap_reached(spent, call, self.caps, self.budget))
        return call

    async def close(self, call: MindCall, outcome: CallOutcome, usage: Usage, limits: Limits, reason: str) -> None:
        """Sets a call right, and keeps what was learned about its provider."""
        now = self.clock.now()
        keep = outcome in MAY_HAVE_COST or (outcome is CallOutcome.ANSWERED and usage.tokens is None)
        done = replace(
            call,
            outcome=outcome,
            charged_tokens=usage.tokens if usage.tokens is not None else call.charged_tokens if keep else 0,
            charged_usd=usage.cost_usd if usage.cost_usd is not None else call.charged_usd if keep else 0.0,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            tokens_cached=usage.tokens_cached,
            cost_usd=usage.cost_usd,
            duration_ms=max(0, round((now - call.at).total_seconds() * 1000)),
        )
        await self.store.close_call(done)
        if self.caps is None:
            return  # when to leave it alone is for whoever passed it in
        if done.cost_usd and usage.tokens:
            key = (done.provider, done.model)
            self.prices[key] = max(self.prices.get(key, 0.0), done.cost_usd / usage.tokens)
        state = after(await self.state_of(call.provider), outcome, limits, reason=reason, now=now)
        await self.store.put_state(STATE + call.provider, to_record(replace(state, model=call.model)))

    async def _price(self, backend: Payer) -> float:
        key = (backend.provider, backend.model)
        if key not in self.prices:
            since = self.clock.now() - timedelta(days=PRICE_DAYS)
            calls = await self.store.mind_calls(since=since, limit=PRICE_CALLS)
            paid = [_price_of(call) for call in calls if (call.provider, call.model) == key]
            if not any(paid):
                return USD_PER_TOKEN
            self.prices[key] = max(paid)
        return self.prices[key]


def _price_of(call: MindCall) -> float:
    tokens = (call.tokens_in or 0) + (call.tokens_out or 0)
    return call.cost_usd / tokens if call.cost_usd and tokens else 0.0


_WHO = {BUDGET: "The mind", "ambient": "The ambient agent", "initiative": "Initiative"}
_SECTIONS = {"initiative": "initiative.text"}  # of the settings, where it is not the budget's own name


def section_of(budget: str) -> str:
    """The section of the settings that has a budget's caps, provider and model."""
    return _SECTIONS.get(budget, budget)


def _cap_reached(spent: Spent, call: MindCall, caps: Caps, budget: str) -> str:
    who, section = _WHO.get(budget, budget), section_of(budget)
    if spent.tokens + call.charged_tokens > caps.tokens:
        return (
            f"{who} may use {caps.tokens:,} tokens a day; {spent.tokens:,} are used and this needs up to "
            f"{call.charged_tokens:,}. It is asked again tomorrow (UTC); {section}.daily_tokens sets the limit."
        )
    return (
        f"{who} may cost ${caps.usd:.2f} a day; ${spent.usd:.2f} are used and this needs up to "
        f"${call.charged_usd:.2f}. It is asked again tomorrow (UTC); {section}.daily_usd sets the limit."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteredMind:
    """The Mind port over one or more backends, for one purpose."""

    backends: Sequence[Backend]
    ledger: Ledger
    purpose: str = "other"
    cycle: str | None = None
    busy: Busy = nobody_busy  # providers whose tokens the user is using right now

    def for_purpose(self, purpose: str, cycle: str | None = None) -> MeteredMind:
        """The same mind, whose calls are written down under another purpose."""
        return replace(self, purpose=purpose, cycle=cycle)

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        """The reply as text. Raises ModelUnavailable when it cannot be had, or a cap leaves no room for it."""
        return (await self.ask(prompt, schema)).text

    async def ask(self, prompt: str, schema: Mapping[str, object]) -> Completion:
        """The same with what it took."""
        failures: list[str] = []
        for backend in await self.in_order():
            tokens = backend.tokens_at_most(prompt, schema)
            if reason := await self.ledger.why_not(backend, tokens):
                failures.append(f"{backend.name} is not asked now, {reason}")
                continue
            try:
                backend.check()
            except ModelUnavailable as error:
                failures.append(str(error))
                continue
            try:
                return await self._attempts(backend, prompt, schema)
            except CallFailed as failed:
                failures.append(str(failed))
        raise ModelUnavailable(" ".join(failures))

    async def in_order(self) -> list[Backend]:
        """The backends, those last whose tokens the user is using right now."""
        if len(self.backends) < 2:
            return list(self.backends)
        busy = await self.busy()
        return sorted(self.backends, key=lambda backend: backend.provider in busy)

    async def _attempts(self, backend: Backend, prompt: str, schema: Mapping[str, object]) -> Completion:
        for attempt in range(1, ATTEMPTS_MAX + 1):
            try:
                return await self._once(backend, prompt, schema)
            except CallFailed as failed:
                now = self.ledger.clock.now()
                wait = retry_seconds(failed.outcome, failed.limits, chance=random.random(), now=now)
                if attempt == ATTEMPTS_MAX or wait is None:
                    raise
                await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, backend: Backend, prompt: str, schema: Mapping[str, object]) -> Completion:
        tokens = backend.tokens_at_most(prompt, schema)
        call = await self.ledger.open(backend, tokens, purpose=self.purpose, cycle=self.cycle)
        try:
            found = await backend.ask(prompt, schema)
        except CallFailed as failed:
            await self.ledger.close(call, failed.outcome, failed.usage, failed.limits, str(failed))
            raise
        except (ModelUnavailable, TimeoutError):  # of a mind passed in
            await self.ledger.close(call, CallOutcome.UNREACHABLE, Usage(), Limits(), "")
            raise
        except Exception:
            await self.ledger.close(call, CallOutcome.LOST, Usage(), Limits(), "")
            raise
        except BaseException:
            await self.ledger.close(call, CallOutcome.CANCELLED, Usage(), Limits(), "")
            raise
        outcome = CallOutcome.ANSWERED if found.text.strip() else CallOutcome.EMPTY
        await self.ledger.close(call, outcome, found.usage, found.limits, "")
        return found
