"""Runs a command line inside the daemon, for a caller whose terminal is elsewhere.

The same code prints in both cases, so the answers are the same. A command that needs the caller's own terminal, files
or settings of models says RunLocally before it did anything, and the caller runs it itself.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, TextIO

from nightgarden.errors import NeedsRepair, NewerGarden, NightgardenError, RunLocally, Unreachable
from nightgarden.surfaces.cli.failures import report
from nightgarden.surfaces.cli.open import GardenCommand, say_damage
from nightgarden.surfaces.cli.parser import parse
from nightgarden.surfaces.cli.screen import FarTerminal, far_terminal
from nightgarden.surfaces.daemon.gardens import Gardens

Say = Callable[[str, str], None]
_say: ContextVar[Say | None] = ContextVar("say", default=None)


class _Routed(io.TextIOBase):
    """A standard stream that writes to the caller of the running command, or to the daemon's own when there is none."""

    def __init__(self, name: str, own: TextIO) -> None:
        self._name = name
        self._own = own

    def write(self, text: str) -> int:
        say = _say.get()
        if say is None:
            return self._own.write(text)
        say(self._name, text)
        return len(text)

    def flush(self) -> None:
        if _say.get() is None:
            self._own.flush()

    def isatty(self) -> bool:
        far = far_terminal.get()
        if far is None:
            return self._own.isatty()
        return far.stdout_tty if self._name == "stdout" else far.stderr_tty

    def fileno(self) -> int:
        return self._own.fileno()


class _NoInput(io.TextIOBase):
    """Standard input stays with the caller."""

    def __init__(self, own: TextIO) -> None:
        self._own = own

    @property
    def buffer(self) -> Any:
        self._refuse()
        return self._own.buffer

    def isatty(self) -> bool:
        self._refuse()
        return self._own.isatty()

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # text, as standard input is
        self._refuse()
        return self._own.readline()

    def _refuse(self) -> None:
        if _say.get() is not None:
            raise RunLocally("this command reads its caller's standard input")


def route_streams() -> None:
    """Once, when the daemon starts."""
    sys.stdout, sys.stderr = _Routed("stdout", sys.stdout), _Routed("stderr", sys.stderr)
    sys.stdin = _NoInput(sys.stdin)


async def run_command(
    gardens: Gardens, arguments: dict[str, Any], directory: str | None, env: Mapping[str, str], say: Say
) -> dict[str, int]:
    """The exit code; what is printed goes through `say`. Raises RunLocally."""
    if arguments.get("tz") != os.environ.get("TZ"):
        raise RunLocally("the caller is in another time zone")
    far = FarTerminal(
        stdout_tty=bool(arguments.get("stdout_tty")),
        stderr_tty=bool(arguments.get("stderr_tty")),
        colours=bool(arguments.get("colours")),
        columns=int(arguments.get("columns") or 100),
    )
    said, seen = _say.set(say), far_terminal.set(far)
    try:
        return {"code": await _run(gardens, list(arguments.get("argv") or []), directory, env)}
    except SystemExit as error:  # argparse prints help and leaves
        return {"code": error.code if isinstance(error.code, int) else 0}
    except (RunLocally, NewerGarden):
        raise
    except NightgardenError as error:
        return {"code": report(error, as_json="--json" in (arguments.get("argv") or []))}
    finally:
        _say.reset(said)
        far_terminal.reset(seen)


async def _run(gardens: Gardens, argv: list[str], directory: str | None, env: Mapping[str, str]) -> int:
    call, arguments = parse(argv)
    if not isinstance(call, GardenCommand) or call.local or arguments.garden:
        raise RunLocally("this command works on its caller's own files")
    wanted = arguments.directory
    if wanted and not os.path.isabs(wanted):  # noqa: PTH117 - a text from elsewhere, joined as such
        wanted = os.path.join(directory or os.sep, wanted)  # noqa: PTH118
    where = wanted or directory
    spot = await gardens.spot(where, env)
    try:
        garden = await gardens.at(where, env)
    except NewerGarden:
        raise
    except (NeedsRepair, Unreachable) as error:
        raise RunLocally("the daemon cannot open this garden") from error
    opened, wanted = garden.opened_with, spot.settings
    if (opened.embedding, opened.mind) != (wanted.embedding, wanted.mind):
        raise RunLocally("the caller wants other models than the daemon has")
    return say_damage(garden, await call.work(garden, arguments))
