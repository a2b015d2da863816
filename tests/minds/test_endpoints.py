"""Minds over HTTP against a scripted server that speaks both formats; and the day's tokens that none goes beyond."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.ports import Store
from nightgarden.errors import BadSetting, ModelUnavailable
from nightgarden.minds.backend import ANSWER_TOKENS_MAX
from nightgarden.minds.mind_of_settings import ChosenMind, choose_mind
from nightgarden.minds.wire_formats import body_of, read_answer
from nightgarden.settings import MindSettings
from nightgarden.store import sqlite
from tests.clients.model_server import ModelServer, Reply
from tests.clients.raw_server import DRIPS, raw_server

SCHEMA: Mapping[str, object] = {"type": "object", "required": ["word"]}
KEY = "a-key-nobody-may-see"
PATHS = dict.fromkeys(("openai", "local", "openrouter"), "/v1/chat/completions") | {"anthropic": "/v1/messages"}


class Clock:
    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 16, 23, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await sqlite.open_store(tmp_path / "garden.db")
    yield opened
    await opened.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(default=Reply(text='{"word": "rose"}')) as running:
        yield running


def chosen(
    store: Store, server_url: str, *, env: Mapping[str, str] | None = None, clock: Clock | None = None, **fields: Any
) -> ChosenMind:
    given = {"kind": "openai", "base_url": f"{server_url}/v1", "model": "scripted-model"} | fields
    found = choose_mind(MindSettings(**given), store, clock or Clock(), env or {})
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["openai", "anthropic", "local", "openrouter"])
async def test_a_question_is_asked_in_the_format_of_its_kind(store: Store, server: ModelServer, kind: str) -> None:
    mind = chosen(store, server.url, kind=kind, api_key_env="MIND_KEY", env={"MIND_KEY": KEY})
    assert await mind.mind.complete("Which \ud800 flower?", SCHEMA) == '{"word": "rose"}'
    (asked,) = server.asked
    assert (asked.path, asked.model, asked.user_text) == (PATHS[kind], "scripted-model", "Which ? flower?")
    assert '"required": ["word"]' in asked.system
    assert asked.body["max_tokens"] == ANSWER_TOKENS_MAX
    headers = {name.lower(): value for name, value in asked.headers.items()}
    if kind == "anthropic":
        assert headers["x-api-key"] == KEY
        assert "anthropic-version" in headers
    else:
        assert headers["authorization"] == f"Bearer {KEY}"
    use = await mind.use()
    assert (use.tokens_today, use.calls_today) == (120, 1)
    assert use.line.endswith(", 120 of 200,000 tokens today in 1 calls")
    assert KEY not in str([record async for record in store.dump()])


async def test_without_a_key_in_the_settings_none_is_sent(store: Store, server: ModelServer) -> None:
    await chosen(store, server.url, env={"OPENAI_API_KEY": KEY}).mind.complete("hello", SCHEMA)
    assert "authorization" not in {name.lower() for name in server.asked[0].headers}
    assert KEY not in str(server.asked[0])


async def test_a_key_may_stand_in_a_file_that_only_the_user_can_read(
    store: Store, server: ModelServer, tmp_path: Path
) -> None:
    file = tmp_path / "key"
    file.write_text(f"{KEY}\nand more\n", encoding="utf-8")
    file.chmod(0o644)
    mind = chosen(store, server.url, api_key_file=str(file))
    with pytest.raises(ModelUnavailable, match="others may read"):
        await mind.mind.complete("hello", SCHEMA)
    file.chmod(0o600)
    await mind.mind.complete("hello", SCHEMA)
    assert [asked.headers["Authorization"] for asked in server.asked] == [f"Bearer {KEY}"]
    file.write_text("\n", encoding="utf-8")
    with pytest.raises(ModelUnavailable, match="is empty"):
        await mind.mind.complete("hello", SCHEMA)
    file.unlink()
    with pytest.raises(ModelUnavailable, match="FileNotFoundError"):
        await mind.mind.complete("hello", SCHEMA)


async def test_a_key_that_is_not_there_is_named_and_nothing_is_sent(store: Store, server: ModelServer) -> None:
    mind = chosen(store, server.url, api_key_env="MIND_KEY", env={"MIND_KEY": " "})
    with pytest.raises(ModelUnavailable, match="MIND_KEY is not set"):
        await mind.mind.complete("hello", SCHEMA)
    assert not server.asked
    assert (await mind.use()).tokens_today == 0


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"model": ""}, "set mind.model too"),
        ({"base_url": "ftp://here/v1"}, "mind.base_url is not an http or https address"),
        ({"base_url": "localhost:11434/v1"}, "mind.base_url is not an http or https address"),
        ({"base_url": "https://me:secret@there/v1"}, "holds a user or password"),
        ({"base_url": "http://there/v1", "api_key_env": "K"}, "send the key in the open"),
    ],
)
async def test_settings_that_cannot_work_are_said_precisely(store: Store, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetting, match=said) as raised:
        chosen(store, "http://127.0.0.1:1", **fields)
    assert "secret" not in str(raised.value)


async def test_no_kind_is_no_mind(store: Store) -> None:
    assert choose_mind(MindSettings(), store, Clock(), {}) is None


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
async def test_an_answer_that_is_an_error_costs_nothing_and_names_no_key(store: Store, status: int) -> None:
    with ModelServer(default=Reply(status=status, text=f"you sent {KEY}")) as server:
        mind = chosen(store, server.url, api_key_env="K", env={"K": KEY})
        with pytest.raises(ModelUnavailable) as raised:
            await mind.mind.complete("hello", SCHEMA)
    assert str(status) in str(raised.value)
    assert KEY not in str(raised.value)
    assert (await mind.use()).tokens_today == 0


async def test_a_server_that_is_not_there_costs_nothing(store: Store) -> None:
    with ModelServer() as server:
        gone = server.url
    mind = chosen(store, gone)
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await mind.mind.complete("hello", SCHEMA)
    assert (await mind.use()).tokens_today == 0


@pytest.mark.parametrize("where", DRIPS)
async def test_the_timeout_is_for_the_whole_answer_however_it_drips(store: Store, where: str) -> None:
    with raw_server(*DRIPS[where]) as slow:
        mind = chosen(store, slow.url, kind="local", timeout_seconds=0.3)
        with pytest.raises(ModelUnavailable, match=r"no whole answer within 0\.3 s"):
            await asyncio.wait_for(mind.mind.complete("Which flower?", SCHEMA), 60)
    (call,) = await store.mind_calls(since=datetime(2020, 1, 1, tzinfo=UTC))
    assert call.outcome is CallOutcome.TIMED_OUT


@pytest.mark.parametrize("kind", ["local", "anthropic"])
async def test_a_proxy_of_the_environment_is_not_told_what_is_asked_on_this_machine(
    store: Store, server: ModelServer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with raw_server(b"HTTP/1.1 502 Bad\r\nContent-Length: 0\r\n\r\n", b"") as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        mind = chosen(store, server.url, kind=kind)
        assert await mind.mind.complete("Which flower?", SCHEMA) == '{"word": "rose"}'
    assert proxy.requests == []


async def test_a_day_has_so_many_tokens_and_no_call_goes_beyond(store: Store, server: ModelServer) -> None:
    clock = Clock()
    mind = chosen(store, server.url, clock=clock, daily_tokens=ANSWER_TOKENS_MAX + 300)
    await mind.mind.complete("hello", SCHEMA)
    await mind.mind.complete("hello", SCHEMA)
    with pytest.raises(ModelUnavailable, match="240 are used"):
        await mind.mind.complete("hello", SCHEMA)
    assert len(server.asked) == 2
    clock.moment += timedelta(hours=1)  # the next day of UTC
    await mind.mind.complete("hello", SCHEMA)
    assert (await mind.use()).tokens_today == 120
    assert len(await store.mind_calls(since=clock.moment - timedelta(days=2))) == 3  # what was used stays written down


async def test_what_is_asked_at_once_is_put_down_before_it_is_sent(store: Store, server: ModelServer) -> None:
    mind = chosen(store, server.url, daily_tokens=2 * ANSWER_TOKENS_MAX)  # room for one call at its highest cost
    asked = await asyncio.gather(*(mind.mind.complete("hello", SCHEMA) for _ in range(5)), return_exceptions=True)
    refused = [each for each in asked if isinstance(each, ModelUnavailable)]
    assert len(server.asked) + len(refused) == 5
    assert refused
    assert (await mind.use()).tokens_today == 120 * len(server.asked)


async def test_an_answer_without_its_cost_counts_at_the_highest(store: Store, monkeypatch: Any) -> None:
    monkeypatch.setattr("tests.clients.wire_chat._usage", lambda reply: None)
    with ModelServer(default=Reply(text="{}")) as server:
        mind = chosen(store, server.url)
        await mind.mind.complete("hello", SCHEMA)
    assert (await mind.use()).tokens_today > ANSWER_TOKENS_MAX


async def test_an_answer_in_another_format_is_unusable_and_says_so(store: Store, monkeypatch: Any) -> None:
    monkeypatch.setattr("tests.clients.wire_chat.whole", lambda asked, reply: {"content": []})
    with ModelServer() as server, pytest.raises(ModelUnavailable, match=r"mind\.kind = 'openai'"):
        await chosen(store, server.url).mind.complete("hello", SCHEMA)


def test_the_provider_itself_gets_the_newer_name_for_the_limit() -> None:
    assert "max_completion_tokens" in body_of("chat", "https://api.openai.com/v1", "m", "hi", SCHEMA)
    assert "max_tokens" in body_of("chat", "http://127.0.0.1:1/v1", "m", "hi", SCHEMA)


@pytest.mark.parametrize("bad", [{}, {"choices": []}, {"choices": [{"message": {"content": [1]}}]}, {"choices": 3}])
def test_an_answer_without_words_is_none(bad: dict[str, Any]) -> None:
    assert read_answer("chat", bad) is None
