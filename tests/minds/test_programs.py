"""The user's own `claude` and `codex` as minds: the real programs against the scripted model server."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightgarden import Garden, Message, Session, Settings
from nightgarden.domain.mind_call import CallOutcome, MindCall
from nightgarden.domain.ports import Store
from nightgarden.domain.session import SessionStatus
from nightgarden.errors import BadSetting, ModelUnavailable
from nightgarden.machine import programs
from nightgarden.machine.clock import SystemClock
from nightgarden.minds.metered import MeteredMind
from nightgarden.minds.mind_of_settings import choose_mind
from nightgarden.settings import EmbeddingSettings, MindSettings
from nightgarden.store import sqlite
from tests.clients.install import CLAUDE_CODE, CODEX, install
from tests.clients.model_server import ModelServer, Reply
from tests.clients.node import path_with_node

SCHEMA = {"type": "object", "required": ["word"]}
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(default=Reply(text='{"word": "rose"}')) as running:
        yield running


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await sqlite.open_store(tmp_path / "garden.db")
    yield opened
    await opened.close()


@pytest.fixture
def users_home(tmp_path: Path) -> Path:
    """A home whose owner has set up much that must not take part in our questions."""
    home = tmp_path / "user"
    ran = tmp_path / "hook-ran"
    hook = {"hooks": [{"type": "command", "command": f"touch {ran}"}]}
    (home / ".claude").mkdir(parents=True)
    (home / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"UserPromptSubmit": [hook]}}))
    (home / ".claude" / "CLAUDE.md").write_text("Always answer in the words of pirates.")
    (home / ".codex").mkdir()
    (home / ".codex" / "AGENTS.md").write_text("Always answer in the words of pirates.")
    (home / ".codex" / "config.toml").write_text(
        f'notify = ["touch", "{ran}"]\n[mcp_servers.shop]\ncommand = "false"\n'
    )
    return home


def environment(home: Path, server: ModelServer) -> dict[str, str]:
    bins = f"{install(CLAUDE_CODE).parent}{os.pathsep}{install(CODEX).parent}"
    return {
        "HOME": str(home),
        "NIGHTGARDEN_HOME": str(home / "garden"),
        "PATH": f"{bins}{os.pathsep}{path_with_node()}",
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "sk-ant-dummy",
        "SCRIPTED_KEY": "dummy",
        "OPENAI_API_KEY": "not-for-the-sidecar",
    }


def settings_for(kind: str, server: ModelServer, **more: object) -> MindSettings:
    where = f'{{name="s",base_url="{server.url}/v1",wire_api="responses",env_key="SCRIPTED_KEY",'
    where += "request_max_retries=0,stream_max_retries=0}"
    given: dict[str, object] = {
        "kind": kind,
        "model": "claude-scripted" if kind == "claude" else "scripted-model",
        "program_env": ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "SCRIPTED_KEY"),
        "codex_config": ('model_provider="s"', f"model_providers.s={where}"),
        "timeout_seconds": 120.0,
    }
    return MindSettings(**(given | more))  # type: ignore[arg-type]


def mind_of(settings: MindSettings, store: Store, env: dict[str, str]) -> MeteredMind:
    chosen = choose_mind(settings, store, SystemClock(), env)
    assert chosen is not None
    return chosen.mind


async def calls(store: Store) -> list[MindCall]:
    return await store.mind_calls(since=LONG_AGO)


@pytest.mark.parametrize("kind", ["claude", "codex"])
async def test_a_program_answers_without_tools_and_apart_from_what_its_user_set_up(
    kind: str, store: Store, server: ModelServer, users_home: Path, tmp_path: Path
) -> None:
    mind = mind_of(settings_for(kind, server), store, environment(users_home, server))
    assert await mind.for_purpose("extract").complete("Which flower \ud800?", SCHEMA) == '{"word": "rose"}'
    (asked,) = server.asked
    assert asked.tool_names == ()
    assert asked.user_text.startswith("Which flower ??")
    assert '"required": ["word"]' in asked.everything.replace("\\", "")
    if kind == "claude":  # codex always reads its user's own instructions; nothing switches that off
        assert "pirates" not in asked.everything
    assert not (tmp_path / "hook-ran").exists()
    (call,) = await calls(store)
    assert (call.provider, call.purpose, call.outcome) == (kind, "extract", CallOutcome.ANSWERED)
    assert (call.tokens_in, call.tokens_out, call.charged_tokens) == (100, 20, 120)
    assert (call.cost_usd is not None) == (kind == "claude")
    kept = [*users_home.rglob("projects/*/*.jsonl"), *users_home.rglob("rollout-*.jsonl")]
    assert kept == []
    assert list((users_home / "garden" / "minds" / "work").iterdir()) == []


@pytest.mark.parametrize("kind", ["claude", "codex"])
@pytest.mark.parametrize(
    ("status", "outcome"), [(401, CallOutcome.NOT_ALLOWED), (404, CallOutcome.UNKNOWN_MODEL), (429, "rate_limited")]
)
async def test_what_a_program_says_about_a_failure_is_understood(
    kind: str, status: int, outcome: str, store: Store, users_home: Path
) -> None:
    with ModelServer(default=Reply(status=status, text="scripted failure", error_type="error")) as server:
        mind = mind_of(settings_for(kind, server), store, environment(users_home, server))
        with pytest.raises(ModelUnavailable, match=f"{kind} could not answer"):
            await mind.complete("Which flower?", SCHEMA)
        asked = len(server.asked)
        assert asked == 1 or status == 404  # claude looks twice for a model; nothing else is tried behind our back
        with pytest.raises(ModelUnavailable, match="paused until"):
            await mind.complete("Which flower?", SCHEMA)
        assert len(server.asked) == asked
    assert [call.outcome for call in await calls(store)] == [outcome]


async def test_without_its_user_logged_in_a_program_says_so(
    store: Store, server: ModelServer, users_home: Path
) -> None:
    mind = mind_of(
        settings_for("claude", server, program_env=("ANTHROPIC_BASE_URL",)), store, environment(users_home, server)
    )
    with pytest.raises(ModelUnavailable, match="log in"):
        await mind.complete("Which flower?", SCHEMA)
    assert not server.asked  # a key in the environment is not taken unless it was named
    assert [call.outcome for call in await calls(store)] == [CallOutcome.NOT_ALLOWED]


@pytest.mark.parametrize("kind", ["claude", "codex"])
async def test_a_session_is_read_by_the_users_own_program(
    kind: str, users_home: Path, project: Path, home: Path
) -> None:
    said = "so, the Friday call was moved to nine because of Lisbon, just so you are aware"
    found = {"category": "fact", "content": "The Friday call was moved to nine because of Lisbon"}
    found |= {"message_id": "m1", "evidence": "the Friday call was moved to nine because of Lisbon"}
    with ModelServer(default=Reply(text=json.dumps({"memories": [found]}))) as server:
        settings = Settings(embedding=EmbeddingSettings(model="off"), mind=settings_for(kind, server))
        env = environment(users_home, server)
        async with Garden.open(home / "garden.db", directory=project, settings=settings, env=env) as garden:
            message = Message(id="m1", role="user", text=said, at=datetime(2026, 11, 15, 9, tzinfo=UTC))
            await garden.sessions.add(Session(id="s1", messages=(message,), status=SessionStatus.CLOSED))
            harvest = await garden.sessions.extract("s1")
            assert harvest.mind_failure == ""
            assert [memory.content for memory in await garden.list()] == [found["content"]]
            used = await garden.minds.usage()
            assert [(each.name, each.calls, each.tokens_in) for each in used.purposes] == [("extract", 1, 100)]
            health = await garden.minds.health()
            assert health is not None
            assert (health.ok, health.failures) == (True, 0)


def stubborn(folder: Path, children: Path) -> Path:
    """A program that starts another one, tells its number, and answers never."""
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {children}\nsleep 600\n")
    program.chmod(0o755)
    return program


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


async def until(holds: Callable[[], bool]) -> bool:
    """Waits for a state that another process brings about, with a bound."""
    for _ in range(1000):
        if holds():
            return True
        await asyncio.sleep(0.02)
    return False


async def gone(process: int) -> bool:
    return await until(lambda: not is_running(process))


async def test_a_program_that_takes_too_long_is_killed_with_all_it_started(
    store: Store, server: ModelServer, users_home: Path, tmp_path: Path
) -> None:
    children = tmp_path / "children"
    settings = settings_for("claude", server, program=str(stubborn(tmp_path, children)), timeout_seconds=1.0)
    mind = mind_of(settings, store, environment(users_home, server))
    with pytest.raises(ModelUnavailable, match="no answer within 1 s"):
        await mind.complete("Which flower?", SCHEMA)
    assert await gone(int(children.read_text()))
    (call,) = await calls(store)
    assert call.outcome is CallOutcome.TIMED_OUT
    assert call.charged_tokens > 0  # it may have cost something


async def test_a_program_whose_asker_goes_away_is_killed_with_all_it_started(
    store: Store, server: ModelServer, users_home: Path, tmp_path: Path
) -> None:
    children = tmp_path / "children"
    settings = settings_for("claude", server, program=str(stubborn(tmp_path, children)))
    mind = mind_of(settings, store, environment(users_home, server))
    task = asyncio.create_task(mind.complete("Which flower?", SCHEMA))
    assert await until(lambda: children.exists() and bool(children.read_text().strip()))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await gone(int(children.read_text()))
    assert [call.outcome for call in await calls(store)] == [CallOutcome.CANCELLED]


async def test_a_program_gets_only_what_it_needs_of_the_environment(
    store: Store, server: ModelServer, users_home: Path, tmp_path: Path
) -> None:
    program = tmp_path / "claude"
    program.write_text(f"#!/bin/sh\nenv > {tmp_path}/env\npwd > {tmp_path}/cwd\n")
    program.chmod(0o755)
    env = environment(users_home, server) | {"PGPASSWORD": "secret", "AWS_SECRET_ACCESS_KEY": "secret"}
    mind = mind_of(settings_for("claude", server, program=str(program), program_env=()), store, env)
    with pytest.raises(ModelUnavailable, match="ended with status 0"):
        await mind.complete("Which flower?", SCHEMA)
    seen = dict(line.partition("=")[::2] for line in (tmp_path / "env").read_text().splitlines())
    assert seen["HOME"] == str(users_home)
    assert seen["NIGHTGARDEN_INSIDE"] == "1"
    assert not {"PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"} & set(seen)
    assert (tmp_path / "cwd").read_text().strip() == str(users_home / "garden" / "minds" / "work")


async def test_a_program_that_is_not_there_is_a_wrong_setting(
    store: Store, server: ModelServer, tmp_path: Path
) -> None:
    env = {"PATH": "bin:.", "HOME": str(tmp_path)}
    with pytest.raises(BadSetting, match="codex is not on the PATH"):
        choose_mind(settings_for("codex", server), store, SystemClock(), env)
    with pytest.raises(BadSetting, match="not the absolute path"):
        choose_mind(settings_for("codex", server, program="bin/codex"), store, SystemClock(), env)


async def test_a_session_of_such_a_program_is_never_read_for_memories(
    home: Path, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Should a version of a program keep its session all the same."""
    work = home / "minds" / "work"
    work.mkdir(parents=True)
    for name, directory in (("ours", work), ("theirs", project)):
        folder = tmp_path / "user" / ".claude" / "projects" / name
        folder.mkdir(parents=True)
        line: dict[str, object] = {"type": "user", "uuid": name, "cwd": str(directory), "sessionId": name}
        line |= {
            "timestamp": "2026-11-15T09:00:00Z",
            "message": {"role": "user", "content": "We always deploy on Mondays"},
        }
        (folder / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    async with Garden.open(settings=Settings(embedding=EmbeddingSettings(model="off")), directory=project) as garden:
        await garden.sessions.allow("claude-code")
        report = await garden.sessions.scan(["claude-code"], home=tmp_path / "user")
        assert (report.clients[0].own, report.clients[0].added) == (1, 1)
        assert [session.id for session in await garden.sessions.list()] == ["theirs"]


def test_a_hook_inside_such_a_program_stays_silent(tmp_path: Path) -> None:
    env = {"NIGHTGARDEN_INSIDE": "1", "PATH": os.environ["PATH"]}
    done = programs.run(
        [*programs.hook_words(str(tmp_path / "home")), "UserPromptSubmit"], cwd=tmp_path, env=env, given=b"{}"
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert not (tmp_path / "home").exists()
