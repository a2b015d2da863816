"""Conversations that the user's own `claude` and `codex` have with our tools: the real programs, a scripted model."""

from __future__ import annotations

import asyncio
import json
import os
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
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
    Utterance,
)
from nightgarden.domain.mind_call import CallOutcome, MindCall
from nightgarden.domain.ports import Store
from nightgarden.errors import BadSetting
from nightgarden.machine.clock import SystemClock
from nightgarden.minds.choose_converser import Wanted, choose_converser
from nightgarden.minds.converser import MeteredConverser
from nightgarden.minds.tool_server import served
from nightgarden.settings import MindSettings
from nightgarden.store import sqlite
from tests.clients import wire
from tests.clients.model_server import ModelServer, Reply, Rule
from tests.minds.test_converser import NOTE, Tools, Watching
from tests.minds.test_programs import environment, settings_for

BOTH = pytest.mark.parametrize("kind", ["claude", "codex"])
LIMITS = ConversationLimits(tokens=100_000, steps=10, seconds=120.0)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await sqlite.open_store(tmp_path / "garden.db")
    yield opened
    await opened.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose owner has set up what must not take part."""
    folder = tmp_path / "user"
    hook = {"hooks": [{"type": "command", "command": f"touch {tmp_path / 'hook-ran'}"}]}
    (folder / ".claude").mkdir(parents=True)
    (folder / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"PreToolUse": [hook], "Stop": [hook]}}))
    (folder / ".codex").mkdir()
    (folder / ".codex" / "config.toml").write_text(f'notify = ["touch", "{tmp_path / "hook-ran"}"]\n')
    return folder


def converser(kind: str, store: Store, server: ModelServer, home: Path, **caps: Any) -> MeteredConverser:
    given: dict[str, Any] = {"budget": "ambient", "daily_tokens": 10**6, "daily_usd": 100.0, "model": "claude-scripted"}
    wanted = Wanted(**(given | caps))
    env = environment(home, server)
    found = choose_converser(settings_for(kind, server), wanted, store, SystemClock(), env)
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


def call(kind: str, name: str, **arguments: Any) -> Reply:
    spelled = wire.ToolCall(name=f"mcp__garden__{name}", arguments=arguments)
    if kind == "codex":
        spelled = wire.ToolCall(name=name, namespace="mcp__garden", arguments=arguments)
    return Reply(text="Working.", tool_calls=(spelled,))


async def calls(store: Store) -> list[MindCall]:
    return await store.mind_calls(since=LONG_AGO)


@BOTH
async def test_a_program_calls_our_tools_and_no_others_and_is_counted(
    kind: str, store: Store, server: ModelServer, home: Path, tmp_path: Path
) -> None:
    server.rules = [
        Rule(reply=call(kind, "note", text="a rose"), offers_tools=None),
        Rule(after_tool="noted", reply=Reply(text="All done."), offers_tools=None),
    ]
    tools = Tools()
    found = await talk(converser(kind, store, server, home), tools)
    assert (found.ending, found.provider) == (ConversationEnding.STOPPED, kind)
    assert [(each.name, dict(each.arguments)) for each in tools.called] == [("note", {"text": "a rose"})]
    assert [each.role.value for each in found.utterances] == ["user", "assistant", "tool", "assistant"]
    assert found.utterances[-1].text == "All done."
    offered = {name.removeprefix("mcp__garden__") for name in server.asked[0].tool_names}
    assert offered <= {"note", "finish", "mcp__garden", "DeferredToolPlaceholder"} | {
        "list_mcp_resources",
        "list_mcp_resource_templates",
        "read_mcp_resource",
    }
    assert "You tend the garden." in server.asked[0].everything
    (only,) = await calls(store)
    assert (only.outcome, only.budget, only.cycle) == (CallOutcome.ANSWERED, "ambient", "cycle-1")
    assert (only.tokens_in, only.tokens_out, found.tokens) == (200, 40, 240)
    assert (only.cost_usd is not None) == (kind == "claude")
    assert not (tmp_path / "hook-ran").exists()
    assert [*home.rglob("projects/*/*.jsonl"), *home.rglob("rollout-*.jsonl")] == []
    assert list((home / "garden" / "minds").glob("talk-*")) == []


@BOTH
async def test_a_tool_that_ends_it_ends_the_program_too(
    kind: str, store: Store, server: ModelServer, home: Path
) -> None:
    server.rules = [
        Rule(reply=call(kind, "finish"), offers_tools=None),
        Rule(after_tool="over", reply=Reply(text="done"), offers_tools=None),
    ]
    found = await talk(converser(kind, store, server, home), Tools())
    assert found.ending is ConversationEnding.ENDED
    assert [each.role.value for each in found.utterances] == ["user", "assistant", "tool"]
    assert len(server.asked) == 2
    assert [each.tokens_in for each in await calls(store)] == [200]


@BOTH
async def test_an_endless_loop_of_tools_is_ended_with_all_the_program_started(
    kind: str, store: Store, server: ModelServer, home: Path
) -> None:
    server.rules = [
        Rule(reply=call(kind, "note", text="x"), offers_tools=None),
        Rule(after_tool="", reply=call(kind, "note", text="x"), offers_tools=None),
    ]
    tools = Tools()
    found = await talk(
        converser(kind, store, server, home), tools, limits=ConversationLimits(tokens=10**6, steps=3, seconds=120.0)
    )
    assert (found.ending, len(tools.called)) == (ConversationEnding.STEPS, 3)
    assert _of_folder(home) == []


async def test_time_ends_a_program_with_all_it_started_and_the_charge_stays(
    store: Store, server: ModelServer, home: Path
) -> None:
    server.rules = [Rule(reply=call("codex", "note", text="x"), offers_tools=None)]

    class Stuck(Tools):
        async def call(self, call: ToolCall) -> ToolAnswer:
            await asyncio.Event().wait()
            raise AssertionError("nobody sets it")

    found = await talk(
        converser("codex", store, server, home), Stuck(), limits=ConversationLimits(tokens=9000, steps=3, seconds=15.0)
    )
    assert found.ending is ConversationEnding.SECONDS
    assert "cut off" in found.utterances[-1].text
    assert [(each.outcome, each.charged_tokens) for each in await calls(store)] == [(CallOutcome.CANCELLED, 9000)]
    assert _of_folder(home) == []


def _of_folder(home: Path) -> list[str]:
    """Processes that were started in this home."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and int(process.name) != os.getpid():
            try:
                found += (
                    [process.name] if f"HOME={home}".encode() in (process / "environ").read_bytes().split(b"\0") else []
                )
            except OSError:
                continue
    return found


@BOTH
async def test_a_watcher_speaks_with_the_answer_of_a_tool_and_can_end_it(
    kind: str, store: Store, server: ModelServer, home: Path
) -> None:
    server.rules = [
        Rule(reply=call(kind, "note", text="1"), offers_tools=None),
        Rule(after_tool="over", reply=Reply(text="done"), offers_tools=None),
        Rule(after_tool="", reply=call(kind, "note", text="2"), offers_tools=None),
    ]
    watcher = Watching(notes=["The user says: be brief.", Interrupted()])
    tools = Tools()
    found = await talk(converser(kind, store, server, home), tools, watcher=watcher)
    assert (found.ending, len(tools.called)) == (ConversationEnding.INTERRUPTED, 2)
    assert any("be brief" in result for asked in server.asked for result in asked.tool_results)
    assert [each.text for each in found.utterances if each.role is Role.USER][1:] == ["The user says: be brief."]


@BOTH
@pytest.mark.parametrize(("status", "outcome"), [(401, CallOutcome.NOT_ALLOWED), (404, CallOutcome.UNKNOWN_MODEL)])
async def test_a_program_that_cannot_ask_fails_before_anything_was_done(
    kind: str, status: int, outcome: CallOutcome, store: Store, home: Path
) -> None:
    with ModelServer(default=Reply(status=status, text="scripted failure", error_type="error")) as server:
        found = await talk(converser(kind, store, server, home), Tools())
    assert (found.ending, found.steps) == (ConversationEnding.FAILED, 0)
    assert f"{kind} could not answer" in found.detail
    assert [each.outcome for each in await calls(store)] == [outcome]


async def test_a_tool_that_breaks_is_raised_where_the_conversation_was_asked_for(
    store: Store, server: ModelServer, home: Path
) -> None:
    server.rules = [Rule(reply=call("claude", "note", text="x"), offers_tools=None)]

    def broken(call: ToolCall) -> ToolAnswer:
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="the disk is full"):
        await talk(converser("claude", store, server, home), Tools(answer=broken))
    assert len(await calls(store)) == 1


async def test_a_cap_that_leaves_no_room_starts_no_program(store: Store, server: ModelServer, home: Path) -> None:
    found = await talk(converser("claude", store, server, home, daily_tokens=500), Tools())
    assert (found.ending, server.asked, await calls(store)) == (ConversationEnding.TOKENS, [], [])
    assert "leave no room today" in found.detail


async def test_what_was_said_before_is_told_to_the_program(store: Store, server: ModelServer, home: Path) -> None:
    before = [
        Utterance(role=Role.USER, text="Begin."),
        Utterance(role=Role.ASSISTANT, text="", calls=(ToolCall(id="1", name="note", arguments={"text": "a"}),)),
        Utterance(role=Role.TOOL, text="noted it", answers="1"),
        Utterance(role=Role.USER, text="Go on."),
    ]
    await converser("claude", store, server, home).converse(
        system="s", utterances=before, toolbox=Tools(), limits=LIMITS, purpose="ambient"
    )
    for words in ("Assistant called note", "noted it", "Go on."):
        assert words in server.asked[0].user_text


async def test_a_model_named_for_nobody_is_a_bad_setting(store: Store) -> None:
    wanted = Wanted(budget="ambient", daily_tokens=1, daily_usd=1.0, model="opus")
    with pytest.raises(BadSetting, match=r"set ambient\.provider too"):
        choose_converser(MindSettings(kind="auto"), wanted, store, SystemClock(), {})


# -- the server of the tools ------------------------------------------------------------------------------------------


def _post(url: str, body: Any, **headers: str) -> tuple[int, Any]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data=raw, headers={"content-type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            text = response.read()
            return response.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        with error:
            return error.code, None


async def test_only_the_holder_of_the_token_gets_at_the_tools_and_only_at_these() -> None:
    tools = Tools()
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "note", "arguments": {"text": "x"}}}
    async with served([NOTE], tools.call) as serving:
        bearer = {"authorization": f"Bearer {serving.token}"}
        assert (await asyncio.to_thread(_post, serving.url, ask))[0] == 401
        assert (await asyncio.to_thread(_post, serving.url, ask, authorization="Bearer guess"))[0] == 401
        assert (await asyncio.to_thread(_post, serving.url + "x", ask, **bearer))[0] == 404
        assert tools.called == []
        status, answer = await asyncio.to_thread(_post, serving.url, ask, **bearer)
        assert (status, answer["result"]["content"][0]["text"]) == (200, "noted")
        assert (await asyncio.to_thread(_post, serving.url, b"{", **bearer))[0] == 400
        for method in ("resources/list", "prompts/list", "nonsense"):
            answer = (await asyncio.to_thread(_post, serving.url, {**ask, "method": method}, **bearer))[1]
            assert answer["error"]["code"] == -32601
        quiet = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert await asyncio.to_thread(_post, serving.url, quiet, **bearer) == (202, None)
        assert serving.url.startswith("http://127.0.0.1:")
    with pytest.raises(urllib.error.URLError):
        await asyncio.to_thread(_post, serving.url, ask, **bearer)
