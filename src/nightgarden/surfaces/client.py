"""Asking the daemon, for hooks, the command line and the MCP proxy. Blocking, and quick to import: no asyncio, no
dataclasses, no pathlib (each costs more than the question itself).

    answer = ask("recall", {"query": "which port?"}, directory=os.getcwd(), timeout_ms=80)

Raises DaemonAway when nobody is there, DaemonSlow when no answer came in time, and the daemon's own error, by its
class, when it said no. A hook that meets DaemonAway or DaemonSlow calls `spool` for what must not be lost, then
`start_in_background`, and stays silent.
"""

from __future__ import annotations

import json
import os
import socket
import time

from nightgarden import errors
from nightgarden.machine import programs
from nightgarden.machine.home import data_folder
from nightgarden.machine.spooled import SPOOL
from nightgarden.surfaces.daemon import protocol

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs hooks 4 ms
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Answer = dict[str, Any]

START_AGAIN_SECONDS = 20.0  # a storm of hooks starts one daemon, not hundreds; a start takes about a second
_STARTING = "starting"


class Connection:
    """A connection that stays open for several questions, one at a time."""

    def __init__(self, home: str | None = None, *, timeout_ms: float = 1000) -> None:
        self._home = home or data_folder(os.environ)
        self._address = read_address(self._home)
        self._socket = self._connect(timeout_ms)
        self._rest = b""
        self._last_id = 0
        self.damaged = 0  # records that the last answer leaves out because they could not be read

    def _connect(self, timeout_ms: float) -> socket.socket:
        address = self._address
        connection = None
        try:
            if "socket" in address:
                connection = socket.socket(socket.AF_UNIX)
                connection.settimeout(timeout_ms / 1000)
                connection.connect(address["socket"])
            else:
                connection = socket.create_connection(tuple(address["tcp"]), timeout=timeout_ms / 1000)
        except TimeoutError as error:
            _close(connection)
            raise errors.DaemonSlow(f"the daemon did not take the connection within {timeout_ms:.0f} ms") from error
        except OSError as error:
            _close(connection)
            raise _away(self._home) from error
        return connection

    def ask(
        self,
        op: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        directory: str | None = None,
        timeout_ms: float = 1000,
        for_user: bool = False,
    ) -> Any:
        """The result of one operation. `for_user`:
        this is the command line, which speaks for its user and can do without the daemon."""
        self._last_id += 1
        request: dict[str, Any] = {"id": self._last_id, "op": op, "deadline_ms": timeout_ms}
        if arguments:
            request["arguments"] = dict(arguments)
        if directory:
            request["directory"] = directory
        if for_user:
            request["for_user"] = True
        if env := own_variables(os.environ):
            request["env"] = env
        if "socket" not in self._address:
            request["token"] = read_token(self._home)
        until = time.monotonic() + timeout_ms / 1000
        try:
            self._socket.settimeout(timeout_ms / 1000)
            self._socket.sendall(protocol.encode(request, halves="surrogatepass"))
            while True:
                answer = protocol.decode(self._read_line(until))
                if answer.get("id") not in (self._last_id, None):
                    continue  # the late answer to a question that nobody waits for any more
                self.damaged = answer.get("damaged", 0)
                return _result(answer)
        except TimeoutError as error:
            raise errors.DaemonSlow(f"the daemon gave no answer within {timeout_ms:.0f} ms") from error
        except (OSError, ValueError) as error:
            raise _away(self._home) from error

    def _read_line(self, until: float) -> bytes:
        while b"\n" not in self._rest:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(left)
            piece = self._socket.recv(65536)
            if not piece:
                raise ConnectionResetError
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def ask(
    op: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    directory: str | None = None,
    timeout_ms: float = 1000,
    home: str | None = None,
) -> Any:
    """One question over a connection of its own."""
    with Connection(home, timeout_ms=timeout_ms) as connection:
        return connection.ask(op, arguments, directory=directory, timeout_ms=timeout_ms)


def read_address(home: str) -> Answer:
    """Where the daemon of a data folder listens. Raises DaemonAway."""
    try:
        with open(os.path.join(home, protocol.FOLDER, protocol.ADDRESS), "rb") as file:
            return protocol.decode(file.read())
    except (OSError, ValueError) as error:
        raise _away(home) from error


def read_token(home: str) -> str:
    """The secret of the HTTP server. Raises DaemonAway when none was ever started."""
    try:
        with open(os.path.join(home, protocol.FOLDER, protocol.TOKEN), encoding="ascii") as file:
            return file.read().strip()
    except OSError as error:
        raise _away(home) from error


def own_variables(env: Mapping[str, str]) -> dict[str, str]:
    """The caller's settings from the environment; the data folder itself is known by the connection."""
    return {
        name: value for name, value in env.items() if name.startswith("NIGHTGARDEN_") and name != "NIGHTGARDEN_HOME"
    }


def spool(op: str, arguments: Mapping[str, Any], *, directory: str, home: str | None = None) -> str:
    """Keeps an event on disk until a daemon takes it in: once, and in the order of these files' names.

    Returns the file's path. The operation must be one that may be repeated (surfaces/daemon/spool.py); its result goes
    nowhere.
    """
    folder = os.path.join(home or data_folder(os.environ), SPOOL)
    os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    name = f"{time.time_ns():020d}-{os.getpid()}.json"  # by time; the process tells two of the same instant apart
    event = {"op": op, "arguments": dict(arguments), "directory": directory, "env": own_variables(os.environ)}
    half = os.path.join(folder, f".{name}")
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        json.dump(event, file)
    whole = os.path.join(folder, name)
    os.rename(half, whole)  # a reader never sees half an event
    return whole


def start_in_background(home: str | None = None, *, even_if_disabled: bool = False) -> bool:
    """Starts a daemon that also replaces a hung one, and returns at once. False: not allowed, or just done by another.

    What is started takes the kernel lock or goes away again, so calling this too often does no harm.
    """
    home = os.path.abspath(home or data_folder(os.environ))
    if not even_if_disabled and not on_demand(home):
        return False
    folder = os.path.join(home, protocol.FOLDER)
    os.makedirs(home, mode=0o700, exist_ok=True)  # makedirs gives its mode to the last folder alone
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if not even_if_disabled and not _first_to_start(os.path.join(folder, _STARTING)):
        return False
    process = programs.start_detached(programs.own_words("serve", "--detached"), cwd=home, env=_daemon_env(home))
    if process is not None:
        # It forks as its first act and ends; nobody is left to be waited for when this caller lives on.
        _reaped_later.append(process)
    return True


def _variables_named(settings: Any) -> Iterator[str]:
    """Every variable that a setting names, in whatever section: by custom such a setting ends in `_env`."""
    for name in settings.__dataclass_fields__:
        value = getattr(settings, name)
        if hasattr(value, "__dataclass_fields__"):
            yield from _variables_named(value)
        elif name.endswith("_env"):
            yield from (value,) if isinstance(value, str) else value


def _daemon_env(home: str) -> dict[str, str]:
    """What the daemon is started with: it serves everybody, so nothing of this one caller's settings or surroundings.
    Requests bring their caller's settings; keys come from the variables that the user's own file names."""
    from nightgarden.settings import load_settings  # 15 ms, and only when a daemon is started

    own = {name: value for name, value in os.environ.items() if not name.startswith("NIGHTGARDEN_")}
    try:
        users = load_settings(None, {**own, "NIGHTGARDEN_HOME": home}, project=False)
        named = set(_variables_named(users))
        if users.safety.proactive:
            named.add("SSH_AUTH_SOCK")  # what the user approves is pushed as the user pushes
    except errors.BadSetting:
        named = set()  # the daemon itself says what is wrong
    return {**programs.lasting(own, named - {""}), "NIGHTGARDEN_HOME": home}


_reaped_later: list[int] = []  # first processes of daemons that were started here


def reap() -> None:
    """For callers that live long: takes leave of the short-lived first processes of daemons they started."""
    for process in list(_reaped_later):
        try:
            done, _ = os.waitpid(process, os.WNOHANG)
        except ChildProcessError:
            done = process
        if done:
            _reaped_later.remove(process)


def on_demand(home: str) -> bool:
    """Whether the settings let a client start the daemon."""
    from nightgarden.settings import load_settings  # 15 ms, and only when no daemon answers

    try:
        return load_settings(None, {**os.environ, "NIGHTGARDEN_HOME": home}, project=False).daemon.on_demand
    except errors.BadSetting:
        return False  # commands say what is wrong with the file; a hook stays silent


def _first_to_start(marker: str) -> bool:
    """Whether nobody else started one within the last seconds."""
    try:
        if time.time() - os.stat(marker).st_mtime < START_AGAIN_SECONDS:
            return False
        os.unlink(marker)
    except FileNotFoundError:
        pass
    try:
        os.close(os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def _result(answer: Answer) -> Any:
    if answer.get("ok"):
        return answer.get("result")
    error = answer.get("error") or {}
    kind = getattr(errors, str(error.get("kind")), errors.NightgardenError)
    raise kind(error.get("message") or "the daemon failed and did not say why; `nightgarden logs` may")


def _away(home: str) -> errors.DaemonAway:
    return errors.DaemonAway(f"no daemon answers for {home}; `nightgarden start` starts one")


def _close(connection: socket.socket | None) -> None:
    if connection is not None:
        connection.close()
