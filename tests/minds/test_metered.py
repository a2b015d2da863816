"""Every call in the ledger, whatever becomes of it; no storm of retries; the next backend when one cannot answer."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.mind_call import CallOutcome, Caps, MindCall
from nightgarden.domain.ports import Store
from nightgarden.domain.session import Session, SessionStatus
from nightgarden.errors import ModelUnavailable
from nightgarden.machine.clock import SystemClock
from nightgarden.minds.backend import CallFailed, Completion, Usage
from nightgarden.minds.endpoint import Endpoint, EndpointMind
from nightgarden.minds.metered import Ledger, MeteredMind
from nightgarden.minds.mind_of_settings import busy_providers
from nightgarden.store import sqlite
from tests.clients.model_server import ModelServer, Reply

SCHEMA: Mapping[str, object] = {}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await sqlite.open_store(tmp_path / "garden.db")
    yield opened
    await opened.close()


@dataclass(kw_only=True)
class Scripted:
    """A backend that does what it is told."""

    provider: str = "claude"
    model: str = "m"
    name: str = "scripted"
    reports_cost: bool = True
    tokens: int = 1_000
    does: list[Completion | BaseException] = field(default_factory=list)
    asked: int = 0

    def check(self) -> None:
        pass

    def tokens_at_most(self, prompt: str, schema: Mapping[str, object]) -> int:
        return self.tokens

    async def ask(self, prompt: str, schema: Mapping[str, object]) -> Completion:
        self.asked += 1
        done = self.does.pop(0) if self.does else answer()
        if isinstance(done, BaseException):
            raise done
        return done


def answer(text: str = "{}", cost: float | None = None) -> Completion:
    return Completion(text=text, usage=Usage(tokens_in=100, tokens_out=20, cost_usd=cost))


def mind_of(store: Store, *backends: Scripted, tokens: int = 100_000, usd: float = 1.0) -> MeteredMind:
    ids = IdMaker(lambda: secrets.randbits(64))
    ledger = Ledger(store=store, clock=SystemClock(), ids=ids, caps=Caps(tokens=tokens, usd=usd))
    return MeteredMind(backends=backends, ledger=ledger, busy=lambda: busy_providers(store))


async def calls(store: Store) -> list[MindCall]:
    return (await store.mind_calls(since=datetime(2020, 1, 1, tzinfo=UTC)))[::-1]


@pytest.mark.parametrize(
    ("done", "outcome", "charged"),
    [
        (answer(), "answered", 120),
        (answer(text=" "), "empty", 120),
        (Completion(text="{}"), "answered", 1_000),
        (CallFailed("no", CallOutcome.REFUSED), "refused", 0),
        (CallFailed("no", CallOutcome.LOST), "lost", 1_000),
        (CallFailed("no", CallOutcome.TIMED_OUT), "timed_out", 1_000),
        (RuntimeError("bad"), "lost", 1_000),
        (asyncio.CancelledError(), "cancelled", 1_000),
    ],
)
async def test_no_call_misses_the_ledger(
    store: Store, done: Completion | BaseException, outcome: str, charged: int
) -> None:
    backend = Scripted(does=[done])
    mind = mind_of(store, backend).for_purpose("extract", "tend-1")
    await asyncio.gather(mind.complete("hello", SCHEMA), return_exceptions=True)
    (call,) = await calls(store)
    assert (backend.asked, call.outcome, call.charged_tokens) == (1, outcome, charged)
    assert (call.purpose, call.cycle) == ("extract", "tend-1")


@pytest.mark.parametrize("status", [500, 503, 529])
async def test_a_server_that_fails_is_asked_once_more_then_rests_after_the_third_failure(
    store: Store, status: int
) -> None:
    with ModelServer(default=Reply(status=status)) as server:
        endpoint = Endpoint(provider="local", wire="chat", base_url=f"{server.url}/v1", model="m")
        mind = mind_of(store)
        mind = MeteredMind(backends=(EndpointMind(endpoint, {}, SystemClock()),), ledger=mind.ledger)
        for _ in range(4):
            with pytest.raises(ModelUnavailable):
                await mind.complete("hello", SCHEMA)
        assert len(server.asked) == 4  # two calls, each tried twice; then the breaker is open
    assert [call.outcome for call in await calls(store)] == ["server_error"] * 4


async def test_a_rate_limit_is_respected_by_everybody_on_the_garden(store: Store) -> None:
    with ModelServer(default=Reply(status=429, headers={"retry-after": "120"})) as server:
        endpoint = Endpoint(provider="openai", wire="chat", base_url=f"{server.url}/v1", model="m")
        for _ in range(2):  # each with a ledger of its own, as two processes have
            ledger = mind_of(store).ledger
            mind = MeteredMind(backends=(EndpointMind(endpoint, {}, SystemClock()),), ledger=ledger)
            with pytest.raises(ModelUnavailable):
                await mind.complete("hello", SCHEMA)
        assert len(server.asked) == 1


async def test_money_is_capped_by_what_tokens_were_seen_to_cost(store: Store) -> None:
    backend = Scripted(does=[answer(cost=0.06)])
    mind = mind_of(store, backend, usd=0.5)
    await mind.complete("hello", SCHEMA)
    with pytest.raises(ModelUnavailable, match=r"may cost \$0\.50 a day; \$0\.06 are used"):
        await mind.complete("hello", SCHEMA)  # 1,000 tokens at what 120 cost
    other = mind_of(store, backend, usd=0.5)  # another process reads the price in the ledger
    with pytest.raises(ModelUnavailable, match=r"mind\.daily_usd"):
        await other.complete("hello", SCHEMA)
    assert backend.asked == 1


async def test_the_next_backend_answers_when_one_cannot(store: Store) -> None:
    first = Scripted(provider="codex", does=[CallFailed("log in first", CallOutcome.NOT_ALLOWED)])
    second = Scripted(provider="claude", does=[answer("second"), answer("second again")])
    mind = mind_of(store, first, second)
    assert await mind.complete("hello", SCHEMA) == "second"
    assert await mind.complete("hello", SCHEMA) == "second again"
    assert (first.asked, second.asked) == (1, 2)


async def test_the_provider_that_the_user_is_busy_with_comes_last(store: Store) -> None:
    mind = mind_of(store, Scripted(provider="codex"), Scripted(provider="claude"))
    assert [each.provider for each in await mind.in_order()] == ["codex", "claude"]
    await store.put_session(Session(id="s", client="codex", status=SessionStatus.ACTIVE), ())
    assert [each.provider for each in await mind.in_order()] == ["claude", "codex"]
