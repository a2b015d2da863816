"""A conversation with tools, over real HTTP through the library: what is said, called, counted, and where it ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from nightgarden.domain.conversation import (
    Conversation,
    ConversationEnding,
    ConversationLimits,
    Interrupted,
    Role,
    ToolAnswer,
    ToolCall,
    ToolSpec,
    Utterance,
)
from nightgarden.domain.mind_call import CallOutcome, MindCall
from nightgarden.domain.ports import Store
from nightgarden.errors import BadSetting
from nightgarden.machine.clock import SystemClock
from nightgarden.minds import library
from nightgarden.minds.choose_converser import Wanted, choose_converser
from nightgarden.minds.converser import MeteredConverser
from nightgarden.settings import MindSettings
from nightgarden.store import sqlite
from tests.clients import wire
from tests.clients.model_server import ModelServer, Reply, Rule
from tests.clients.raw_server import DRIPS, HEADERS, Raw, raw_server

KEY = "a-key-nobody-may-see"
WANTED = Wanted(budget="ambient", daily_tokens=1_000_000, daily_usd=5.0)
LIMITS = ConversationLimits(tokens=200_000, steps=12, seconds=60.0)
NOTE = ToolSpec(
    name="note",
    description="Writes a note down.",
    parameters={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)
FINISH = ToolSpec(name="finish", description="Ends the work.", parameters={"type": "object", "properties": {}})


@dataclass(slots=True, kw_only=True)
class Tools:
    """A toolbox that keeps what it was called with."""

    specs: Sequence[ToolSpec] = (NOTE, FINISH)
    called: list[ToolCall] = field(default_factory=list)
    answer: Callable[[ToolCall], ToolAnswer] = lambda call: ToolAnswer(text="noted", ends=call.name == "finish")

    async def call(self, call: ToolCall) -> ToolAnswer:
        self.called.append(call)
        return self.answer(call)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await sqlite.open_store(tmp_path / "garden.db")
    yield opened
    await opened.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def converser(store: Store, server: ModelServer | Raw, wanted: Wanted = WANTED, **fields: Any) -> MeteredConverser:
    given = {"kind": "local", "base_url": f"{server.url}/v1", "model": "scripted-model"} | fields
    found = choose_converser(MindSettings(**given), wanted, store, SystemClock(), {"MIND_KEY": KEY})
    assert found is not None
    return found


async def talk(
    with_whom: MeteredConverser, tools: Tools, *, limits: ConversationLimits = LIMITS, **more: Any
) -> Conversation:
    return await with_whom.converse(
        system="You tend the garden.",
        utterances=[Utterance(role=Role.USER, text="Begin.")],
        toolbox=tools,
        limits=limits,
        purpose="ambient",
        cycle="cycle-1",
        **more,
    )


def call(name: str, **arguments: Any) -> Reply:
    return Reply(tool_calls=(wire.ToolCall(name=name, arguments=arguments),))


async def calls(store: Store) -> list[MindCall]:
    found = await store.mind_calls(since=datetime.now(UTC) - timedelta(days=1))
    return sorted(found, key=lambda each: each.id)


@pytest.mark.parametrize("kind", ["local", "openai", "anthropic", "openrouter"])
async def test_each_provider_speaks_calls_tools_and_is_counted_step_by_step(
    kind: str, store: Store, server: ModelServer
) -> None:
    server.rules = [
        Rule(
            says="Begin",
            reply=Reply(text="First a note.", tool_calls=(wire.ToolCall(name="note", arguments={"text": "a \u00fc"}),)),
        ),
        Rule(says="Begin", after_tool="noted", reply=call("finish")),
    ]
    tools = Tools()
    found = await talk(converser(store, server, kind=kind, api_key_env="MIND_KEY"), tools)
    assert (found.ending, found.steps, found.tokens) == (ConversationEnding.ENDED, 2, 240)
    assert (found.provider, found.model) == (kind, "scripted-model")
    assert [(each.name, dict(each.arguments)) for each in tools.called] == [("note", {"text": "a ü"}), ("finish", {})]
    assert [each.role.value for each in found.utterances] == ["user", "assistant", "tool", "assistant", "tool"]
    assert found.utterances[1].text == "First a note."
    first, second = server.asked
    assert first.path == ("/v1/messages" if kind == "anthropic" else "/v1/chat/completions")
    assert first.tool_names == ("note", "finish")
    assert "You tend the garden." in first.system
    assert second.tool_results == ("noted",)
    ledger = await calls(store)
    assert [(each.outcome, each.purpose, each.cycle, each.budget) for each in ledger] == [
        (CallOutcome.ANSWERED, "ambient", "cycle-1", "ambient")
    ] * 2
    assert [(each.tokens_in, each.tokens_out) for each in ledger] == [(100, 20)] * 2


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
async def test_only_the_key_of_the_settings_goes_out_and_nothing_from_the_environment(
    kind: str, store: Store, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "from-the-environment")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-mine: from-the-environment")
    await talk(converser(store, server, kind=kind, api_key_env="MIND_KEY"), Tools())
    headers = {name.lower(): value for name, value in server.asked[0].headers.items()}
    assert headers["x-api-key" if kind == "anthropic" else "authorization"].endswith(KEY)
    assert "from-the-environment" not in str(headers)
    assert not [name for name in headers if name.startswith("x-stainless")]


async def test_a_malformed_call_and_an_unknown_tool_are_answered_and_reach_no_tool(
    store: Store, server: ModelServer
) -> None:
    server.rules = [
        Rule(reply=Reply(tool_calls=(wire.ToolCall(name="note", arguments={}, raw='{"text": "half'),))),
        Rule(after_tool="not JSON", reply=Reply(tool_calls=(wire.ToolCall(name="note", arguments={}, raw="[1]"),))),
        Rule(after_tool="not one JSON object", reply=call("rm_everything", path="/")),
        Rule(after_tool="no tool 'rm_everything'", reply=call("finish")),
    ]
    tools = Tools()
    found = await talk(converser(store, server), tools)
    assert found.ending is ConversationEnding.ENDED
    assert [each.name for each in tools.called] == ["finish"]
    assert [each.failed for each in found.utterances if each.role is Role.TOOL] == [True, True, True, False]


async def test_calls_without_ids_of_their_own_are_told_apart(store: Store, server: ModelServer) -> None:
    twice = tuple(wire.ToolCall(name="note", arguments={"text": str(n)}, id="same") for n in range(2))
    server.rules = [Rule(reply=Reply(tool_calls=twice)), Rule(after_tool="noted", reply=call("finish"))]
    found = await talk(converser(store, server), Tools())
    ids = [each.answers for each in found.utterances if each.role is Role.TOOL]
    assert len(set(ids)) == 3
    assert found.ending is ConversationEnding.ENDED


async def test_an_endless_loop_of_tools_ends_at_the_steps(store: Store, server: ModelServer) -> None:
    server.rules = [Rule(reply=call("note", text="again")), Rule(after_tool="", reply=call("note", text="again"))]
    tools = Tools()
    found = await talk(converser(store, server), tools, limits=ConversationLimits(tokens=10**6, steps=5, seconds=60.0))
    assert (found.ending, found.steps, len(tools.called), len(await calls(store))) == (
        ConversationEnding.STEPS,
        5,
        5,
        5,
    )


async def test_the_limit_on_tokens_is_kept_before_a_step_is_made(store: Store, server: ModelServer) -> None:
    again = Reply(tool_calls=(wire.ToolCall(name="note", arguments={"text": "x"}),), input_tokens=3000)
    server.rules = [Rule(reply=again), Rule(after_tool="", reply=again)]
    found = await talk(
        converser(store, server), Tools(), limits=ConversationLimits(tokens=7000, steps=50, seconds=60.0)
    )
    assert found.ending is ConversationEnding.TOKENS
    assert found.tokens <= 7000
    assert found.steps == len(server.asked) == 1  # the estimate learned from the first step what the second would read


async def test_the_days_cap_ends_a_conversation_and_says_so(store: Store, server: ModelServer) -> None:
    again = Reply(tool_calls=(wire.ToolCall(name="note", arguments={"text": "x"}),), input_tokens=5000)
    server.rules = [Rule(reply=again), Rule(after_tool="", reply=again)]
    wanted = Wanted(budget="ambient", daily_tokens=12_000, daily_usd=1.0)
    found = await talk(converser(store, server, wanted), Tools())
    assert found.ending is ConversationEnding.TOKENS
    assert "ambient.daily_tokens sets the limit" in found.detail
    assert sum(each.charged_tokens for each in await calls(store)) <= 12_000


async def test_a_cap_names_the_setting_that_sets_it(store: Store, server: ModelServer) -> None:
    wanted = Wanted(budget="initiative", daily_tokens=1_000, daily_usd=1.0)
    found = await talk(converser(store, server, wanted), Tools())
    assert "initiative.text.daily_tokens sets the limit" in found.detail
    with pytest.raises(BadSetting, match=r"initiative\.text\.provider = 'nobody'"):
        converser(store, server, replace(wanted, provider="nobody"))


async def test_the_sidecars_cap_and_the_agents_are_two(store: Store, server: ModelServer) -> None:
    await talk(converser(store, server, daily_tokens=0), Tools())
    day = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    assert (await store.spent("mind", since=day, until=day + timedelta(days=1))).calls == 0
    assert (await store.spent("ambient", since=day, until=day + timedelta(days=1))).calls == 1


async def test_time_ends_a_step_under_way_and_its_charge_stays(store: Store) -> None:
    never = threading.Event()
    with ModelServer(default=Reply(delay=never)) as server:
        found = await talk(
            converser(store, server), Tools(), limits=ConversationLimits(tokens=50_000, steps=5, seconds=0.5)
        )
        never.set()
    assert (found.ending, found.steps) == (ConversationEnding.SECONDS, 0)
    (only,) = await calls(store)
    assert only.outcome is CallOutcome.CANCELLED
    assert only.charged_tokens > 0


async def test_time_ends_a_tool_under_way_and_every_call_has_an_answer(store: Store, server: ModelServer) -> None:
    server.default = Reply(tool_calls=tuple(wire.ToolCall(name="note", arguments={"text": t}) for t in "ab"))

    class Slow(Tools):
        async def call(self, call: ToolCall) -> ToolAnswer:
            await asyncio.Event().wait()
            raise AssertionError("nobody sets it")

    found = await talk(converser(store, server), Slow(), limits=ConversationLimits(tokens=50_000, steps=5, seconds=2.0))
    assert found.ending is ConversationEnding.SECONDS
    assert ["cut off" in each.text for each in found.utterances if each.role is Role.TOOL] == [True, True]


@dataclass
class Watching:
    """A watcher that says these in turn; an exception is raised."""

    notes: list[str | Exception | None]
    seen: list[int] = field(default_factory=list)

    async def step(self, utterances: Sequence[Utterance], tokens: int) -> str | None:
        self.seen.append(tokens)
        note = self.notes.pop(0)
        if isinstance(note, Exception):
            raise note
        return note


async def test_a_watcher_puts_words_in_between_steps_and_ends_it(store: Store, server: ModelServer) -> None:
    server.rules = [
        Rule(says="Begin", reply=call("note", text="one")),
        Rule(says="Begin", after_tool="noted", reply=call("note", text="two")),
        Rule(says="Stop soon", reply=call("note", text="three")),
        Rule(says="Stop soon", after_tool="noted", reply=call("note", text="three")),
    ]
    watcher = Watching(notes=[None, "Stop soon.", Interrupted()])
    found = await talk(converser(store, server), Tools(), watcher=watcher)
    assert (found.ending, found.steps) == (ConversationEnding.INTERRUPTED, 3)
    assert watcher.seen == [120, 240, 360]
    assert [each.text for each in found.utterances if each.role is Role.USER] == ["Begin.", "Stop soon."]


@pytest.mark.parametrize(
    ("reply", "outcome", "tries"),
    [
        (Reply(status=500), CallOutcome.SERVER_ERROR, 2),
        (Reply(status=529), CallOutcome.SERVER_ERROR, 2),
        (Reply(status=429), CallOutcome.RATE_LIMITED, 1),
        (Reply(status=429, headers={"retry-after": "0"}), CallOutcome.RATE_LIMITED, 2),
        (Reply(status=401), CallOutcome.NOT_ALLOWED, 1),
        (Reply(status=404), CallOutcome.UNKNOWN_MODEL, 1),
        (Reply(status=400), CallOutcome.REFUSED, 1),
        (Reply(status=302, headers={"location": "http://127.0.0.1:1/"}), CallOutcome.SERVER_ERROR, 2),
        (Reply(raw=b"{not json"), CallOutcome.LOST, 1),
        (Reply(raw=b"[]"), CallOutcome.LOST, 1),
        (Reply(raw=b"{}"), CallOutcome.LOST, 1),
        (Reply(text="x" * 400, cut=True), CallOutcome.LOST, 1),
    ],
)
@pytest.mark.parametrize("kind", ["local", "anthropic"])
async def test_every_fault_is_an_ending_with_its_own_counter_and_no_tool_runs(
    kind: str, reply: Reply, outcome: CallOutcome, tries: int, store: Store, server: ModelServer
) -> None:
    server.default = reply
    tools = Tools()
    found = await talk(converser(store, server, kind=kind, api_key_env="MIND_KEY"), tools)
    assert (found.ending, found.steps, tools.called) == (ConversationEnding.FAILED, 0, [])
    assert "The mind at http://127.0.0.1" in found.detail
    assert KEY not in found.detail
    assert [each.outcome for each in await calls(store)] == [outcome] * tries
    assert len(server.asked) == tries


@pytest.mark.parametrize("where", DRIPS)
async def test_the_timeout_is_for_the_whole_answer_however_it_drips(store: Store, where: str) -> None:
    with raw_server(*DRIPS[where]) as slow:
        found = await asyncio.wait_for(talk(converser(store, slow, timeout_seconds=0.3), Tools()), 60)
    assert found.ending is ConversationEnding.FAILED
    assert [each.outcome for each in await calls(store)] == [CallOutcome.TIMED_OUT]


async def test_an_answer_without_end_is_not_read_to_its_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "ANSWER_BYTES_MAX", 100_000)
    endless = HEADERS + b"Transfer-Encoding: chunked\r\n\r\n"
    with raw_server(endless, b"1000\r\n" + b" " * 4096 + b"\r\n", pace=0.001) as server:
        found = await talk(converser(store, server), Tools())
    assert (found.ending, found.steps) == (ConversationEnding.FAILED, 0)
    assert [each.outcome for each in await calls(store)] == [CallOutcome.LOST]


async def test_a_proxy_of_the_environment_is_not_told_what_is_said_on_this_machine(
    store: Store, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.default = call("finish")
    with raw_server(b"HTTP/1.1 502 Bad\r\nContent-Length: 0\r\n\r\n", b"") as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert (await talk(converser(store, server), Tools())).ending is ConversationEnding.ENDED
    assert proxy.requests == []


async def test_a_failure_in_the_middle_repeats_no_tool_call(store: Store, server: ModelServer) -> None:
    broken = iter([Reply(status=500), call("finish")])
    server.rules = [
        Rule(reply=call("note", text="once")),
        Rule(after_tool="noted", reply=lambda asked: next(broken)),
    ]
    tools = Tools()
    found = await talk(converser(store, server), tools)
    assert (found.ending, found.steps) == (ConversationEnding.ENDED, 2)
    assert [each.name for each in tools.called] == ["note", "finish"]
    assert [each.outcome for each in await calls(store)] == ["answered", "server_error", "answered"]


async def test_a_server_that_is_not_there_costs_nothing(store: Store) -> None:
    with ModelServer() as server:
        with_whom = converser(store, server)
    found = await talk(with_whom, Tools())
    assert found.ending is ConversationEnding.FAILED
    assert [(each.outcome, each.charged_tokens) for each in await calls(store)] == [(CallOutcome.UNREACHABLE, 0)]


async def test_an_empty_reply_stops_and_is_counted_as_empty(store: Store, server: ModelServer) -> None:
    server.default = Reply(text="")
    assert (await talk(converser(store, server), Tools())).ending is ConversationEnding.STOPPED
    assert [each.outcome for each in await calls(store)] == [CallOutcome.EMPTY]


async def test_a_conversation_goes_on_from_its_utterances(store: Store, server: ModelServer) -> None:
    server.rules = [
        Rule(says="Begin", reply=call("note", text="one")),
        Rule(after_tool="noted", reply=Reply(text="Done.")),
    ]
    with_whom = converser(store, server)
    first = await talk(with_whom, Tools())
    assert first.ending is ConversationEnding.STOPPED
    server.rules = [Rule(says="finish properly", reply=call("finish"))]
    went_on = [*first.utterances, Utterance(role=Role.USER, text="Now finish properly.")]
    second = await with_whom.converse(
        system="You tend the garden.", utterances=went_on, toolbox=Tools(), limits=LIMITS, purpose="ambient"
    )
    assert second.ending is ConversationEnding.ENDED
    assert len({each.answers for each in second.utterances if each.answers}) == 2


async def test_what_a_tool_answers_is_bounded_and_without_secrets(store: Store, server: ModelServer) -> None:
    secret = "AKIA" + "Q7ZK3WVB5T2NHXPD"
    server.rules = [Rule(reply=call("note", text="x")), Rule(after_tool="", reply=call("finish"))]
    tools = Tools(
        answer=lambda call: ToolAnswer(text=f"aws_access_key_id = {secret}\n" + "z" * 10**6, ends=call.name == "finish")
    )
    await talk(converser(store, server), tools)
    told = server.asked[1].tool_results[0]
    assert secret not in told
    assert "cut off here" in told
    assert len(told) < 50_000


async def test_a_room_can_name_only_a_provider_that_is_set_up(store: Store, server: ModelServer) -> None:
    with pytest.raises(BadSetting, match=r"ambient\.provider = 'anthropic' needs"):
        converser(store, server, Wanted(budget="ambient", daily_tokens=1, daily_usd=1.0, provider="anthropic"))
    with pytest.raises(BadSetting, match=r"ambient\.provider = 'gpt' is not one of"):
        converser(store, server, Wanted(budget="ambient", daily_tokens=1, daily_usd=1.0, provider="gpt"))
    other = Wanted(budget="ambient", daily_tokens=10**6, daily_usd=1.0, model="a-larger-one")
    await talk(converser(store, server, other), Tools())
    assert server.asked[0].model == "a-larger-one"
