"""How a command asks for operations: of the daemon when one is up, because its models and indexes are warm; else the
command opens the garden itself. Either way the same operations are performed, and the command prints the answers.

Imports what a hook may import and nothing more: with a daemon, a command is nearly as fast as Python starts.
"""

from __future__ import annotations

import os
import sys

from nightgarden.errors import DaemonAway, DaemonSlow, NightgardenError, NotFound, RunLocally
from nightgarden.machine.home import data_folder, working_directory
from nightgarden.surfaces import client
from nightgarden.surfaces.cli.numbered import replace_numbers

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping
    from typing import Any

    from nightgarden.domain.requests.declare import OperationRequest
    from nightgarden.surfaces.cli.near import NearGarden

    Answer = dict[str, Any]
    Work = Callable[["Asker", argparse.Namespace], int]

DIRECT = "NIGHTGARDEN_DIRECT"  # set to 1, commands open the garden themselves
LOOK_MS = 500.0  # one that is busy for longer is not waited for
ANSWER_MS = 3_600_000.0


class AskingCommand:
    """A command that asks for operations and prints what comes back."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, arguments: argparse.Namespace) -> int:
        with Asker(garden=arguments.garden, directory=arguments.directory) as ask:
            replace_numbers(arguments, ask.text_of)
            code = self._work(ask, arguments)
            ask.tell_of_damage()
            return code


class Asker:
    """Asks for operations on the garden of one place."""

    def __init__(self, *, garden: str | None = None, directory: str | None = None) -> None:
        self._garden = garden
        self._directory = directory
        self._near: NearGarden | None = None
        self._damaged = 0
        self._far = None if garden else self._connect()

    def __call__(self, request: type[OperationRequest], given: Mapping[str, Any] | None = None) -> Answer:
        """The answer of one operation. Raises what it raised."""
        if self._far is not None:
            try:
                return self._ask_daemon(self._far, request, given or {})
            except RunLocally:
                self._hang_up()
        answer, self._damaged = self._open().ask(request, given or {})
        return answer

    def text_of(self, kind: str, id: str) -> str:
        """What a memory says; of what is none, and of one that is gone, nothing."""
        # 2 ms, for a number in the place of an id
        from nightgarden.domain.requests.reading import Get

        if kind != "memory":
            return ""
        try:
            return str(self(Get, {"id": id})["content"])
        except NotFound:
            return ""

    def _ask_daemon(self, far: client.Connection, request: type[OperationRequest], given: Mapping[str, Any]) -> Answer:
        try:
            answer: Answer = far.ask(
                request.operation, given, directory=self._where(), timeout_ms=ANSWER_MS, for_user=True
            )
        except DaemonAway as error:
            if request.reads:
                raise RunLocally("the daemon ended; what only reads can be done again") from error
            words = "the daemon ended while it did this; look whether it was done before you try again"
            raise NightgardenError(words) from error
        self._damaged = far.damaged
        return answer

    def _connect(self) -> client.Connection | None:
        if os.environ.get(DIRECT) == "1" or not working_directory():
            return None  # without a directory, what needs none works here, and the rest says what is wrong
        home, connection = data_folder(os.environ), None
        try:
            connection = client.Connection(home, timeout_ms=LOOK_MS)
            connection.ask("ping", timeout_ms=LOOK_MS)
        except DaemonSlow:
            client.start_in_background(home)  # replaces it if it hangs: it may hold the database's lock
        except DaemonAway:
            pass
        else:
            return connection
        if connection is not None:
            connection.close()
        return None

    def _where(self) -> str:
        return os.path.join(working_directory(), self._directory or "")  # noqa: PTH118 - pathlib costs 6 ms

    def _open(self) -> NearGarden:
        if self._near is None:
            # 300 ms of the whole program, only where no daemon does it
            from nightgarden.surfaces.cli.near import NearGarden

            self._near = NearGarden(self._garden, self._directory)
        return self._near

    def tell_of_damage(self) -> None:
        """Says when records were left out that could not be read."""
        if number := self._damaged:
            print(
                f"nightgarden: {number} damaged record{'s were' if number > 1 else ' was'} left out; "
                "`nightgarden doctor` says which, `nightgarden doctor --repair` rebuilds what can be rebuilt",
                file=sys.stderr,
            )

    def _hang_up(self) -> None:
        if self._far is not None:
            self._far.close()
            self._far = None

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *_: object) -> None:
        self._hang_up()
        if self._near is not None:
            self._near.close()
