"""Is a connected client really served? Runs the whole path, hook to daemon to recall to output, and says what is wrong
in one sentence with the fix. The client itself is asked too, where its program is on the PATH (asking.py)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightgarden.domain.session import PROBE_PREFIX
from nightgarden.domain.taint import contains_injected
from nightgarden.errors import BadInput, DaemonAway, DaemonSlow, NightgardenError
from nightgarden.machine import programs
from nightgarden.surfaces import client as daemon
from nightgarden.surfaces.connect.client_answers import ask_client
from nightgarden.surfaces.connect.clients import CLIENTS, ConfigSpot, spot_of
from nightgarden.surfaces.connect.receipt import FileChange, Receipts
from nightgarden.surfaces.connect.start_command import hook_words, mcp_env, mcp_words
from nightgarden.surfaces.daemon import protocol
from nightgarden.surfaces.hooks.process import FAILED
from nightgarden.surfaces.mcp.conversation import HOOK_TOOL

HOOK_SECONDS_MAX = 5.0
_SLOW_MS = 1000.0
_EVENT = "UserPromptSubmit"
_AWAY = "the daemon is not running; run `nightgarden start`"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientFinding:
    """What was found about one connected client."""

    client: str
    ok: bool
    sentence: str


class _Slow(str):
    """What is said of a client that is served, only late: nothing to mend there."""


def examine(spot: ConfigSpot, receipts: Receipts, allowed: Sequence[str]) -> list[ClientFinding]:
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
        found.append(ClientFinding(client=name, ok=problem is None or isinstance(problem, _Slow), sentence=words))
    return found


def _problem(name: str, spot: ConfigSpot, receipts: Receipts, allowed: Sequence[str]) -> str | None:
    client = CLIENTS[name]
    try:
        missing = receipts.plan(client.steps(spot), spot.project)
    except BadInput as error:
        return str(error)
    if missing:
        return f"{missing[0].path} does not have our part as it should be; {_cure(name)}"
    if client.reads is None:
        return ask_client(name, spot) or _daemon_problem(spot)
    if client.reads not in allowed:
        return f"its sessions are not read for memories; run `nightgarden sessions allow {client.reads}`"
    return ask_client(name, spot) or _daemon_problem(spot) or _path_problem(name, spot)


def _cure(name: str) -> str:
    return (
        f"an earlier version or somebody else wrote it: run `nightgarden connect {name}` or `doctor clients --repair`"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """A connected client whose files do not have our part as this version writes it."""

    client: str
    spot: ConfigSpot
    changes: Sequence[FileChange]

    @property
    def sentence(self) -> str:
        return f"{self.changes[0].path} does not have our part as it should be; {_cure(self.client)}"


def find_outdated(data: Path, receipts: Receipts) -> list[Outdated]:
    """Looks at files alone. A file that cannot be read, and a project that is gone, are left to `examine`."""
    found = []
    for receipt in receipts.all():
        project = Path(receipt["project"]) if receipt["project"] else None
        if receipt["client"] not in CLIENTS or (project is not None and not project.is_dir()):
            continue
        with suppress(BadInput, DaemonAway):
            spot = spot_of(project, data, carrier=receipt.get("hooks", "pipe"))
            changes = receipts.plan(CLIENTS[receipt["client"]].steps(spot), project)
            if changes:
                found.append(Outdated(client=receipt["client"], spot=spot, changes=changes))
    return found


def renew(outdated: Sequence[Outdated], receipts: Receipts) -> None:
    """Writes our part as this version does."""
    for each in outdated:
        receipts.connect(each.client, each.spot.project, each.changes, carrier=each.spot.carrier)


def _daemon_problem(spot: ConfigSpot) -> str | None:
    try:
        daemon.ask("ping", home=str(spot.data), timeout_ms=2000)
    except DaemonAway:
        return _AWAY
    except DaemonSlow:
        return "the daemon does not answer; run `nightgarden restart`"
    return None


def _path_problem(name: str, spot: ConfigSpot) -> str | None:
    """Sends a prompt that a memory answers, each way that the client would, and looks for the memory in the answer."""
    where = str(spot.project or spot.user)
    try:
        newest = daemon.ask("list", {"limit": 1}, directory=where, home=str(spot.data), timeout_ms=5000)["memories"]
    except NightgardenError as error:
        return f"the daemon cannot read the garden: {error}"
    prompt = newest[0]["content"] if newest else "what do we know about this project?"
    for way in _ways(name, spot):
        problem = _way_problem(way, name, {"cwd": where, "prompt": prompt}, spot.data, expected=bool(newest))
        if problem is not None:
            return problem
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """A program of ours that a client sends events to."""

    called: str
    words: Sequence[str]
    write: Callable[[dict[str, str]], bytes]
    instead: str
    """What to do when it cannot be started or fails."""
    in_server: bool = False


def _ways(name: str, spot: ConfigSpot) -> list[_Way]:
    def write_call(event: dict[str, str]) -> bytes:
        call = {"name": HOOK_TOOL, "arguments": {"event": _EVENT, "client": name, **event}}
        return _write({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}) + b"\n"

    again = f"install nightgarden again, then run `nightgarden connect {name}`"
    ways = [_Way(called="the hook", words=[*hook_words(spot.data), _EVENT, name], write=_write, instead=again)]
    if name == "claude-code" and spot.carrier == "pipe":
        other = f"run `nightgarden connect {name} --hooks process`"
        ways.append(
            _Way(
                called="the hook in the MCP server", words=mcp_words(), write=write_call, instead=other, in_server=True
            )
        )
    return ways


def _way_problem(way: _Way, name: str, asked: dict[str, str], data: Path, *, expected: bool) -> str | None:
    event = {"session_id": f"{PROBE_PREFIX}{time.time_ns()}", **asked}
    began = time.monotonic()
    try:
        env = {name: value for name, value in os.environ.items() if name != "NIGHTGARDEN_HOME"}  # a client has none
        if way.in_server:
            env |= mcp_env(data)
        done = programs.run(way.words, cwd=asked["cwd"], env=env, given=way.write(event), seconds=HOOK_SECONDS_MAX)
    except TimeoutError:
        return f"{way.called} took longer than {HOOK_SECONDS_MAX:g} s; run `nightgarden restart`"
    except OSError as error:
        return f"{way.called} cannot be started ({error}); run `nightgarden connect {name}`"
    took_ms = (time.monotonic() - began) * 1000
    if done.returncode != 0 or done.stderr:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return f"{way.called} failed ({' '.join(said)}); {way.instead}"
    if expected and not contains_injected(done.stdout.decode("utf-8", "replace")):
        why = f" ({_last_failure(data).strip(' ;')})" if _last_failure(data) else ""
        return f"a prompt that a memory answers brought nothing by {way.called}{why}; `nightgarden logs` may say why"
    if took_ms > _SLOW_MS:
        return _Slow(f"works, but {way.called} took {took_ms:.0f} ms; is the machine busy?")
    return None


def _write(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode()


def _last_failure(data: Path) -> str:
    path = data / protocol.FOLDER / FAILED
    try:
        return f"; the last failure of a hook was: {path.read_text('utf-8').strip()}"
    except OSError:
        return ""


def shape(findings: Sequence[ClientFinding]) -> dict[str, Any]:
    return {
        "ok": all(finding.ok for finding in findings),
        "clients": [{"client": f.client, "ok": f.ok, "sentence": f.sentence} for f in findings],
    }
