"""What our hooks cost: time added to each prompt and each tool call of the real Claude Code, against the same client
without us, and the hook's process alone.

    python -m bench.hooks [--prompts 30]

One client process gets prompt after prompt. A prompt's time runs from writing it to the model's being asked; a tool's
from the model's wish to the model's being asked again. Prints percentiles and writes docs/bench/hooks.md.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.clients.connected import Connected, connect
from tests.clients.drive import ClaudeCodeClient, Desk
from tests.clients.install import CLAUDE_CODE, install
from tests.clients.model_server import Asked, ModelServer, Reply, Rule, ToolCall

from bench.machine import describe_machine
from nightgarden.surfaces.connect.program import hook_words

PAGE = Path(__file__).resolve().parents[1] / "docs" / "bench" / "hooks.md"
_WARM = 3  # first prompts that do not count: caches of the client and of the daemon
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


def _watch(stream: IO[str], done: Callable[[], None]) -> None:
    for line in stream:
        if '"type":"result"' in line.replace(" ", ""):
            done()


def hook_alone(connected: Connected, runs: int) -> list[float]:
    """The process that a client starts at a prompt, from start to end."""
    times = []
    for number in range(runs + _WARM):
        event = {"session_id": f"alone{number}", "cwd": str(connected.desk.project), "prompt": "which port is staging?"}
        began = time.perf_counter()
        subprocess.run(
            [*hook_words(), "UserPromptSubmit", "claude-code"],
            input=json.dumps(event).encode(),
            env=connected.desk.clean_env({}),
            stdout=subprocess.DEVNULL,
            check=True,
        )
        times.append((time.perf_counter() - began) * 1000)
    return times[_WARM:]


def python_alone(runs: int) -> list[float]:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run([hook_words()[0], "-I", "-S", "-c", "pass"], check=True)
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
    parser.add_argument("--prompts", type=int, default=30)
    prompts = parser.parse_args().prompts
    machine = describe_machine()
    with ModelServer() as model, connect("claude-code", model, patient=False) as ours:
        assert isinstance(ours.client, ClaudeCodeClient)
        ours.nightgarden("remember", "The staging database runs on port 5433")
        with_process = talk(ours.desk, ours.client, model, prompts)
        alone, python = hook_alone(ours, prompts), python_alone(prompts)
        ours.nightgarden("connect", "claude-code", "--http", "--yes")
        with_http = talk(ours.desk, ours.client, model, prompts)
        ours.nightgarden("disconnect", "claude-code", "--yes")
        without = talk(ours.desk, ours.client, model, prompts)
    lines = [
        "# What hooks cost",
        "",
        f"Measured with `make bench-hooks` ({prompts} prompts each, one tool call a prompt): {machine}.",
        "Claude Code 2.1.325 against a scripted model on this machine. Milliseconds; the last two columns are the",
        "difference to the same client without us.",
        "",
        "| | p50 | p90 | p95 | added p50 | added p95 |",
        "|---|---|---|---|---|---|",
        row("prompt, without us", without.prompts),
        row("prompt, process hook", with_process.prompts, without.prompts),
        row("prompt, HTTP hook", with_http.prompts, without.prompts),
        row("tool call, without us", without.tools),
        row("tool call, process hooks before and after", with_process.tools, without.tools),
        row("tool call, HTTP hooks before and after", with_http.tools, without.tools),
        row("hook's process alone, start to end", alone),
        row("Python alone, start to end", python),
    ]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
