"""Is a connected client really served? Runs the whole path, hook to daemon to recall to output, and says what is wrong
in one sentence with the fix. Does not start the client itself."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightgarden.domain.session import PROBE_PREFIX
from nightgarden.domain.taint import contains_injected
from nightgarden.errors import BadInput, DaemonAway, DaemonSlow, NightgardenError
from nightgarden.surfaces import client as daemon
from nightgarden.surfaces.connect.clients import CLIENTS, Spot, spot_of
from nightgarden.surfaces.connect.program import hook_words, mcp_words
from nightgarden.surfaces.connect.receipt import Receipts
from nightgarden.surfaces.daemon import protocol
from nightgarden.surfaces.hooks.process import FAILED
from nightgarden.surfaces.mcp.conversation import HOOK_TOOL

HOOK_SECONDS_MAX = 5.0
_SLOW_MS = 1000.0
_AWAY = "the daemon is not running; run `nightgarden start`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found about one connected client."""

    client: str
    ok: bool
    sentence: str


def examine(spot: Spot, receipts: Receipts, allowed: Sequence[str]) -> list[Finding]:
    """One finding a connected client. `allowed` are the clients whose sessions may be read."""
    found = []
    for receipt in receipts.all():
        name = receipt["client"]
        project = Path(receipt["project"]) if receipt["project"] else None
        try:
            problem = _problem(
                name, spot_of(project, spot.data, carrier=receipt.get("hooks", "pipe")), receipts, allowed
            )
        except DaemonAway:
            problem = _AWAY
        words = problem or f"works{_last_failure(spot.data)}"
        found.append(Finding(client=name, ok=problem is None, sentence=words))
    return found


def _problem(name: str, spot: Spot, receipts: Receipts, allowed: Sequence[str]) -> str | None:
    client = CLIENTS[name]
    try:
        missing = receipts.plan(client.steps(spot))
    except BadInput as error:
        return str(error)
    if missing:
        return f"{missing[0].path} does not have our part as it should be; run `nightgarden connect {name}`"
    if client.reads is None:
        return _daemon_problem(spot)
    if client.reads not in allowed:
        return f"its sessions are not read for memories; run `nightgarden sessions allow {client.reads}`"
    if name == "codex" and not _trusted(spot):
        return "Codex skips our hooks until you trust them; start codex, look at them under /hooks and trust them"
    return _daemon_problem(spot) or _path_problem(name, spot) or _pipe_problem(name, spot)


def _daemon_problem(spot: Spot) -> str | None:
    try:
        daemon.ask("ping", home=str(spot.data), timeout_ms=2000)
    except DaemonAway:
        return _AWAY
    except DaemonSlow:
        return "the daemon does not answer; run `nightgarden restart`"
    return None


def _path_problem(name: str, spot: Spot) -> str | None:
    """Sends a prompt that a memory answers, as the client would, and looks for the memory in what the hook prints."""
    where = str(spot.project or spot.user)
    try:
        newest = daemon.ask("list", {"limit": 1}, directory=where, home=str(spot.data), timeout_ms=5000)["memories"]
    except NightgardenError as error:
        return f"the daemon cannot read the garden: {error}"
    prompt = newest[0]["content"] if newest else "what do we know about this project?"
    event = {"session_id": f"{PROBE_PREFIX}{time.time_ns()}", "cwd": where, "prompt": prompt}
    began = time.monotonic()
    try:
        done = subprocess.run(
            [*hook_words(), "UserPromptSubmit", name],
            input=json.dumps(event).encode(),
            capture_output=True,
            timeout=HOOK_SECONDS_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"the hook took longer than {HOOK_SECONDS_MAX:g} s; run `nightgarden restart`"
    except OSError as error:
        return f"the hook cannot be started ({error}); run `nightgarden connect {name}`"
    took_ms = (time.monotonic() - began) * 1000
    if done.returncode != 0 or done.stderr:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return f"the hook failed ({' '.join(said)}); install nightgarden again, then run `nightgarden connect {name}`"
    if newest and not contains_injected(done.stdout.decode("utf-8", "replace")):
        why = f" ({_last_failure(spot.data).strip(' ;')})" if _last_failure(spot.data) else ""
        return f"a prompt that a memory answers brought nothing{why}; `nightgarden logs` may say why"
    if took_ms > _SLOW_MS:
        return f"it works, but the hook took {took_ms:.0f} ms; is the machine busy?"
    return None


def _pipe_problem(name: str, spot: Spot) -> str | None:
    """Where prompts go through the session's MCP server: sends it one, as the client does."""
    if name != "claude-code" or spot.carrier != "pipe":
        return None
    call = {"name": HOOK_TOOL, "arguments": {"event": "UserPromptSubmit", "client": name, "prompt": "hello"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    try:
        done = subprocess.run(
            mcp_words(),
            input=json.dumps(message).encode() + b"\n",
            capture_output=True,
            timeout=HOOK_SECONDS_MAX,
            check=False,
        )
        answered = "result" in json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        answered = False
    return None if answered else f"the MCP server does not answer; run `nightgarden connect {name} --hooks process`"


def _trusted(spot: Spot) -> bool:
    """Codex writes the hooks that its user trusted into its own settings."""
    folder = Path(spot.env["CODEX_HOME"]) if spot.env.get("CODEX_HOME") else spot.user / ".codex"
    try:
        return "trusted_hash" in (folder / "config.toml").read_text("utf-8")
    except OSError:
        return False


def _last_failure(data: Path) -> str:
    path = data / protocol.FOLDER / FAILED
    try:
        return f"; the last failure of a hook was: {path.read_text('utf-8').strip()}"
    except OSError:
        return ""


def shape(findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "ok": all(finding.ok for finding in findings),
        "clients": [{"client": f.client, "ok": f.ok, "sentence": f.sentence} for f in findings],
    }
