"""The process that a client starts at each event: reads the event, asks the daemon, prints its answer.

    nightgarden hook [--home DIR] EVENT [CLIENT] < event.json

It always ends with 0, and prints nothing when anything is wrong. Clients call this file by its path, without the site
packages, because that starts 10 to 20 ms faster, and it asks the quick way first; what the light client needs is
imported only when that one is needed: 25 ms.
"""

from __future__ import annotations

import os
import sys

if __package__ in (None, ""):  # started by path: three folders up is where the package lies
    sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))

from nightgarden.errors import DaemonAway, DaemonSlow, NightgardenError
from nightgarden.machine.home import INSIDE, data_folder, working_directory
from nightgarden.machine.spooled import SPOOL, pointer
from nightgarden.surfaces.daemon import protocol
from nightgarden.surfaces.hooks.quick import ask_plainly

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs 4 ms
if TYPE_CHECKING:
    from typing import Any

    Event = dict[str, Any]

# How long a client may be held up, in ms. A prompt: the turn's own deadline and the way there and back. A tool: longer,
# because what memory forbids must not happen only since the machine was busy for a moment; an answer takes 10 ms.
DEADLINES = {"SessionStart": 600, "UserPromptSubmit": 250, "PreToolUse": 1000, "StatusLine": 60}
DEADLINE = 250
DEADLINE_MAX = 4000  # clients are told to end a hook after five seconds
PATIENCE = "NIGHTGARDEN_HOOK_PATIENCE"  # how many times longer to wait, set by the user of a slow machine
# What must not be lost when no daemon answers: it tells which session to read. The rest is of use only at once.
SPOOLED = ("SessionEnd", "Stop", "PreCompact")
SPOOL_FILES_MAX = 500  # taste: a day of work; beyond that the session watcher finds everything anyway
_STRUCTURES = ("tool_input", "tool_response")
FAILED = "hook-failed"  # in the daemon's folder: the last thing that went wrong here, for `doctor clients`
_ASLEEP = "❀ asleep"


def run(arguments: list[str]) -> int:
    """Always 0."""
    if os.environ.get(INSIDE):
        return 0  # the client is answering a question of ours; that is nobody's session
    if arguments[:1] == ["--home"]:  # the data folder that the client was connected to, whatever its own environment
        os.environ["NIGHTGARDEN_HOME"] = arguments[1]
        arguments = arguments[2:]
    try:
        _carry(arguments[0], arguments[1] if len(arguments) > 1 else "claude-code")
    except DaemonAway:
        pass  # one was started; that it was away is no fault
    except Exception as error:  # noqa: BLE001 - a top handler: a hook never breaks its client; shown by `doctor clients`
        _note_failure(error)
    return 0


def _carry(event: str, name: str) -> None:
    sent = sys.stdin.buffer.read()
    try:
        try:
            said = ask_plainly(event, name, sent, deadline_ms=_deadline_ms(event))
        except TimeoutError:
            _leave(event, name, _json_of(sent))
            raise DaemonSlow(f"the daemon gave no answer within {_deadline_ms(event):.0f} ms") from None
        if said is None:
            said = answer(event, name, _json_of(sent)).encode("utf-8", "replace")
    except (DaemonAway, DaemonSlow):
        if event == "StatusLine":
            print(_ASLEEP)
        raise
    if said:
        sys.stdout.buffer.write(said)
        sys.stdout.buffer.flush()


def _json_of(sent: bytes) -> Event:
    import json  # 14 ms

    found = json.loads(sent or b"{}")
    return found if isinstance(found, dict) else {}


def answer(event: str, name: str, data: Event) -> str:
    """What the client is to be told; empty: nothing. Raises DaemonAway or DaemonSlow, after leaving on disk what must
    not be lost and starting a daemon."""
    from nightgarden.surfaces import client  # 25 ms with what it imports

    arguments = {"client": name, "event": event, "data": data}
    try:
        found = client.ask("hook", arguments, directory=working_directory(), timeout_ms=_deadline_ms(event))
    except (DaemonAway, DaemonSlow):
        _leave(event, name, data)
        raise
    return str(found["stdout"])


def over_pipe(sent: Event) -> str:
    """The same for an event that came as the arguments of a tool: every field is a text there, structures are JSON."""
    try:
        data = {key: _structure(value) if key in _STRUCTURES else value for key, value in sent.items()}
        return answer(str(data.pop("event")), str(data.pop("client")), data)
    except DaemonAway:
        return ""
    except Exception as error:  # noqa: BLE001 - as in `run`
        _note_failure(error)
        return ""


def _structure(text: str) -> object:
    import json  # 14 ms; the process that lives has it

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _deadline_ms(event: str) -> float:
    usual = DEADLINES.get(event, DEADLINE)
    try:
        return min(DEADLINE_MAX, max(1.0, float(os.environ.get(PATIENCE) or 1)) * usual)
    except ValueError:
        return usual


def _leave(event: str, name: str, data: Event) -> None:
    """Spools what must not be lost, and starts a daemon. A status line does not: it comes again and again, and would
    undo `nightgarden stop` in a moment."""
    from nightgarden.surfaces import client  # as above

    home = data_folder(os.environ)
    try:
        if event in SPOOLED and _spool_has_room(home):
            arguments = {"client": name, "event": event, "data": pointer(data), "spooled": True}
            client.spool("hook", arguments, directory=working_directory(), home=home)
    finally:
        if event != "StatusLine":
            client.start_in_background(home)


def _spool_has_room(home: str) -> bool:
    try:
        return len(os.listdir(os.path.join(home, SPOOL))) < SPOOL_FILES_MAX
    except FileNotFoundError:
        return True


def _note_failure(error: Exception) -> None:
    words = str(error) if isinstance(error, NightgardenError) else f"{type(error).__name__}: {error}"
    try:
        folder = os.path.join(data_folder(os.environ), protocol.FOLDER)
        with open(os.path.join(folder, FAILED), "w", encoding="utf-8") as file:
            file.write(words + "\n")
    except OSError:
        pass  # a full disk: nothing can be written, and nobody may be disturbed


if __name__ == "__main__":
    code = run(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # taking Python down in order costs 5 ms
