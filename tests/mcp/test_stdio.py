"""`nightgarden mcp` as a process: quick to begin whatever the garden, and sound when the daemon is not there."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import environment, run
from tests.mcp.conftest import COMMAND
from tests.runtime.running import Home, wait_for

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


class Server:
    """One server process, spoken to line by line."""

    def __init__(self, home: Home) -> None:
        env = environment(home.path)
        del env["NIGHTGARDEN_EMBEDDING_MODEL"]
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=home.path)

    def ask(self, message: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        request = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        return self.ask(request)["result"]

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        assert self.process.wait(30) == 0
        self.process.stdout.close()


@pytest.fixture
def away(tmp_path: Path) -> Any:
    """A data folder without a daemon."""
    home = Home(tmp_path / "home")
    yield home
    home.kill_all()


def test_it_is_ready_within_300_ms_of_its_start(home: Home) -> None:
    """In processor time, which other programs do not change; on a quiet machine it is the time that passes."""
    spent = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with Server(home) as server:
            assert server.ask(INITIALIZE)["result"]["protocolVersion"] == "2025-06-18"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.3


def test_a_hung_daemon_does_not_hold_up_the_handshake(away: Home) -> None:
    process = away.start()
    os.kill(process, signal.SIGSTOP)
    with Server(away) as server:
        assert server.ask(INITIALIZE)["result"]
        assert server.ask({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})["result"]["tools"]
        os.kill(process, signal.SIGKILL)


def test_it_starts_the_daemon_when_there_is_none(away: Home) -> None:
    with Server(away) as server:
        server.ask(INITIALIZE)
        assert (
            server.call("memory_remember", {"text": "Ann reviews payments"})["structuredContent"]["verdict"] == "saved"
        )
    wait_for(away.ping, "the daemon, which a busy machine may start after the call was answered")


def test_it_opens_the_garden_itself_when_there_is_to_be_no_daemon(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "[daemon]\non_demand = false\n")
    with Server(home) as server:
        server.ask(INITIALIZE)
        assert (
            server.call("memory_remember", {"text": "Ann reviews payments"})["structuredContent"]["verdict"] == "saved"
        )
        assert server.call("memory_forget", {"id": "nothing"})["isError"] is True
    assert home.ping() is None
    assert home.processes() == []


def test_what_is_not_json_rpc_gets_an_error_and_the_next_message_an_answer(home: Home) -> None:
    with Server(home) as server:
        assert server.ask(b"{nonsense")["error"]["code"] == -32700
        assert server.ask({"id": 1})["error"]["code"] == -32600
        assert server.ask({"jsonrpc": "2.0", "id": 1, "method": "no/such"})["error"]["code"] == -32601
        assert server.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x"}})["error"]
        batch = [{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/x"}]
        assert server.ask(batch) == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
        wanted = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2030-01-01"}}
        error = server.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": wanted})["error"]
        assert (error["code"], error["data"]["requested"]) == (-32022, "2030-01-01")


def test_a_cancelled_request_is_dropped_and_the_server_goes_on(home: Home) -> None:
    with Server(home) as server:
        assert server.process.stdin is not None
        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}
        server.process.stdin.write(json.dumps(cancelled).encode() + b"\n")
        assert server.ask({"jsonrpc": "2.0", "id": 6, "method": "ping"})["result"] == {}


def test_when_the_client_goes_so_does_the_server(home: Home) -> None:
    with Server(home) as server:
        server.ask(INITIALIZE)
        process = server.process.pid
    wait_for(lambda: process not in home.processes(), "the end of the server")


PROMPT = {"event": "UserPromptSubmit", "client": "claude-code", "session_id": "s1", "prompt": "thanks"}


def test_a_clients_events_come_through_the_pipe_and_no_model_is_told(home: Home) -> None:
    assert run(home.path, "remember", "Never run `rm -rf build`; use `make clean` instead.").code == 0
    with Server(home) as server:
        tools = server.ask({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})["result"]["tools"]
        assert "hook" not in [tool["name"] for tool in tools]
        sent = PROMPT | {"cwd": str(home.path)}
        assert server.call("hook", sent)["content"][0]["text"] == ""
        command = {"event": "PreToolUse", "tool_name": "Bash", "tool_input": json.dumps({"command": "rm -rf build"})}
        told = json.loads(server.call("hook", sent | command)["content"][0]["text"])["hookSpecificOutput"]
        assert "make clean" in told["permissionDecisionReason"]


def test_an_event_through_the_pipe_starts_a_daemon_that_is_away_and_stays_silent(away: Home) -> None:
    with Server(away) as server:
        assert server.call("hook", PROMPT | {"cwd": str(away.path)})["content"][0]["text"] == ""
        wait_for(away.ping, "the daemon")


def test_an_event_through_the_pipe_does_not_wait_for_a_hung_daemon(away: Home) -> None:
    process = away.start()
    os.kill(process, signal.SIGSTOP)
    try:
        with Server(away) as server:
            assert server.call("hook", PROMPT | {"cwd": str(away.path)})["content"][0]["text"] == ""
            assert server.call("hook", {"event": 5, "tool_input": "{"})["content"][0]["text"] == ""
    finally:
        os.kill(process, signal.SIGCONT)
