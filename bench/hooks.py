"""What our hooks cost: time added to each prompt and each tool call of the real Claude Code, against the same client
without us, and the hook's process alone.

    python -m bench.hooks [--prompts 30]

One client process gets prompt after prompt. A prompt's time runs from writing it to the model's being asked; a tool's
from the model's wish to the model's being asked again. A hook that does nothing, answered at once over HTTP, shows what
the client itself spends on having one. Prints percentiles and writes docs/bench/hooks.md.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO

from tests.clients.connected import Connected, connect
from tests.clients.drive import ClaudeCodeClient, Desk
from tests.clients.install import CLAUDE_CODE, install
from tests.clients.model_server import Asked, ModelServer, Reply, Rule, ToolCall

from bench.machine import describe_machine
from nightgarden.surfaces.connect.plugin import CARRIERS
from nightgarden.surfaces.connect.start_command import hook_words, mcp_words

PAGE = Path(__file__).resolve().parents[1] / "docs" / "bench" / "hooks.md"
PAUSE_SECONDS = 0.7  # a person reads an answer before asking again; what follows a turn is over by then
_WARM = 3  # first prompts that do not count: caches of the client and of the daemon
_SHOWN = ("nothing", *CARRIERS)
_NAMES = {
    "nothing": "HTTP hook that does nothing",
    "pipe": "through the MCP server",
    "http": "HTTP hook",
    "process": "process hook",
}
_TOOL = ToolCall(name="Bash", arguments={"command": "true", "description": "nothing"})


@dataclass(slots=True)
class Times:
    """In milliseconds."""

    prompts: list[float] = field(default_factory=list)
    tools: list[float] = field(default_factory=list)


def talk(desk: Desk, client: ClaudeCodeClient, model: ModelServer, prompts: int) -> Times:
    """One process of the client, prompt after prompt, each with one tool call."""
    times, asked_at, done = Times(), 0.0, threading.Event()
    wrote_at = 0.0

    def wish(_: Asked) -> Reply:
        nonlocal asked_at
        times.prompts.append((time.perf_counter() - wrote_at) * 1000)
        asked_at = time.perf_counter()
        return Reply(tool_calls=(_TOOL,))

    def end(_: Asked) -> Reply:
        times.tools.append((time.perf_counter() - asked_at) * 1000)
        return Reply(text="done")

    model.rules = [Rule(says="question", reply=wish), Rule(says="question", after_tool="", reply=end)]
    streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
    process = subprocess.Popen(
        [str(install(CLAUDE_CODE)), "-p", *streams, "--allowedTools", "Bash"],
        env=desk.clean_env(client.env),
        cwd=desk.project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    reader = threading.Thread(target=_watch, args=(process.stdout, done.set), daemon=True)
    reader.start()
    try:
        for number in range(prompts + _WARM):
            done.clear()
            time.sleep(PAUSE_SECONDS)
            words = f"question {number}: how do we fix port {5000 + number} of the staging database?"
            message = {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": words}]}}
            wrote_at = time.perf_counter()
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
            if not done.wait(60):
                raise RuntimeError("the client gave no answer within a minute")
    finally:
        process.stdin.close()
        process.wait(30)
    return Times(times.prompts[_WARM:], times.tools[_WARM:])


class _Nothing(BaseHTTPRequestHandler):
    """Answers every hook at once."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two packets; the second would wait 40 ms

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def hook_that_does_nothing(desk: Desk) -> Iterator[None]:
    """In the client's own settings, for a prompt and before and after a tool."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Nothing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hook = {"type": "http", "url": f"http://127.0.0.1:{server.server_port}/", "timeout": 5}
    settings = desk.home / ".claude" / "settings.json"
    before = settings.read_text("utf-8") if settings.exists() else "{}"
    events = ("UserPromptSubmit", "PreToolUse", "PostToolUse")
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps(json.loads(before) | {"hooks": {event: [{"hooks": [hook]}] for event in events}}))
    try:
        yield
    finally:
        settings.write_text(before)
        server.shutdown()
        server.server_close()


def _watch(stream: IO[str], done: Callable[[], None]) -> None:
    for line in stream:
        if '"type":"result"' in line.replace(" ", ""):
            done()


def hook_alone(connected: Connected, runs: int) -> list[float]:
    """The process that a client starts at a prompt, from start to end."""
    where = str(connected.desk.project)
    words = [*hook_words(_data(connected)), "UserPromptSubmit", "claude-code"]
    events = [
        {"session_id": f"alone{number}", "cwd": where, "prompt": "which port is staging?"}
        for number in range(runs + _WARM)
    ]
    return _time_processes(connected, words, events)


def status_line(connected: Connected, runs: int) -> list[float]:
    event = {"session_id": "line", "workspace": {"current_dir": str(connected.desk.project)}}
    words = [*hook_words(_data(connected)), "StatusLine", "claude-code"]
    return _time_processes(connected, words, [event] * (runs + _WARM))


def _data(connected: Connected) -> Path:
    return connected.desk.home / ".local" / "share" / "nightgarden"


def _time_processes(connected: Connected, words: Sequence[str], events: Sequence[object]) -> list[float]:
    times = []
    for event in events:
        began = time.perf_counter()
        subprocess.run(
            words,
            input=json.dumps(event).encode(),
            env=connected.desk.clean_env({}),
            stdout=subprocess.DEVNULL,
            check=True,
        )
        times.append((time.perf_counter() - began) * 1000)
    return times[_WARM:]


def mcp_start(connected: Connected, runs: int) -> list[float]:
    """From starting the server to its answer to the handshake."""
    times = []
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode() + b"\n"
    for _ in range(runs + _WARM):
        began = time.perf_counter()
        with subprocess.Popen(
            mcp_words(),
            env=connected.desk.clean_env({}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(hello)
            process.stdin.flush()
            process.stdout.readline()
            times.append((time.perf_counter() - began) * 1000)
            process.stdin.close()
    return times[_WARM:]


def python_alone(runs: int) -> list[float]:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
        times.append((time.perf_counter() - began) * 1000)
    return times


def row(name: str, times: Sequence[float], base: Sequence[float] | None = None) -> str:
    cuts = statistics.quantiles(times, n=20)
    cells = [f"{cuts[9]:.0f}", f"{cuts[17]:.0f}", f"{cuts[18]:.0f}"]
    if base is not None:
        without = statistics.quantiles(base, n=20)
        cells += [f"{cuts[9] - without[9]:+.0f}", f"{cuts[18] - without[18]:+.0f}"]
    else:
        cells += ["", ""]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", type=int, default=25)
    parser.add_argument("--rounds", type=int, default=3)
    prompts, rounds = (asked := parser.parse_args()).prompts, asked.rounds
    machine = describe_machine()
    with ModelServer() as model, connect("claude-code", model, patient=False) as ours:
        assert isinstance(ours.client, ClaudeCodeClient)
        ours.nightgarden("remember", "The staging database runs on port 5433")
        ways: dict[str, Times] = {way: Times() for way in (*CARRIERS, "nothing", "without")}
        for _ in range(rounds):  # in turn, so that a busy minute of the machine meets all of them
            for way, times in ways.items():
                if way in CARRIERS:
                    ours.nightgarden("connect", "claude-code", "--hooks", way, "--yes")
                elif way == "nothing":
                    ours.nightgarden("disconnect", "claude-code", "--yes")
                with hook_that_does_nothing(ours.desk) if way == "nothing" else nullcontext():
                    round_times = talk(ours.desk, ours.client, model, prompts)
                times.prompts += round_times.prompts
                times.tools += round_times.tools
        ours.nightgarden("connect", "claude-code", "--yes")
        alone, python, line = hook_alone(ours, prompts), python_alone(prompts), status_line(ours, prompts)
        handshake = mcp_start(ours, prompts)
        without = ways["without"]
    lines = [
        "# What hooks cost",
        "",
        f"Measured with `make bench-hooks` ({rounds} × {prompts} prompts each, in turn, one tool call a prompt):",
        f"{machine}. {PAUSE_SECONDS} s between an answer and the next prompt.",
        "Claude Code 2.1.325 against a scripted model on this machine. Milliseconds; the last two columns are the",
        "difference to the same client without us.",
        "",
        "| | p50 | p90 | p95 | added p50 | added p95 |",
        "|---|---|---|---|---|---|",
        row("prompt, without us", without.prompts),
        *(row(f"prompt, {_NAMES[way]}", ways[way].prompts, without.prompts) for way in _SHOWN),
        row("tool call, without us", without.tools),
        *(row(f"tool call, {_NAMES[way]} before and after", ways[way].tools, without.tools) for way in _SHOWN),
        row("hook's process alone, start to end", alone),
        row("status line's process alone, start to end", line),
        row("`nightgarden mcp`, start to answered initialize", handshake),
        row("Python alone, start to end", python),
    ]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
