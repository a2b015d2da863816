"""Commands on the daemon: serve, start, stop, restart, status, logs, mcp."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

from nightgarden._version import __version__
from nightgarden.errors import BadInput, DaemonAway, DaemonSlow, Unreachable
from nightgarden.machine.home import data_folder
from nightgarden.settings import load_settings, settings_problems
from nightgarden.surfaces import client
from nightgarden.surfaces.cli.screen import count, paint, print_json
from nightgarden.surfaces.daemon.folder import DaemonFolder
from nightgarden.surfaces.daemon.holder import stop_holder
from nightgarden.surfaces.daemon.protocol import TOKEN

START_SECONDS_MAX = 30.0  # a loaded machine with a cold disk; half a second is usual
NOT_RUNNING = 3  # as other service programs say it
_LOOK_SECONDS = 0.05
_ROOM_BYTES = 65_536  # socket, lock, address, token and the first lines of the log
_FOLLOW_SECONDS = 0.5


def folder() -> DaemonFolder:
    return DaemonFolder(Path(data_folder(os.environ)).absolute())


def add_serve(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Runs until Ctrl-C or `nightgarden stop`. A daemon that does not answer is replaced."
    parser.set_defaults(call=_serve)


def _serve(arguments: argparse.Namespace) -> int:
    from nightgarden.surfaces.daemon.__main__ import main  # 2 ms, and a module that is a program

    return main([])


def add_start(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)
    parser.set_defaults(call=_start)


def _start(arguments: argparse.Namespace) -> int:
    return _print_started(start(), arguments)


def start() -> dict[str, Any]:
    """Starts the daemon, or joins the one there is; waits until it answers. Raises Unreachable, saying why not."""
    where = folder()
    failed = where.path / "failed"
    failed.unlink(missing_ok=True)
    if found := _running(where):
        return {**found, "started": False}
    _need_room(where)
    before = where.holder()
    client.start_in_background(str(where.home), even_if_disabled=True)  # which replaces a hung one, or another version
    until = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < until:
        client.reap()
        if found := _running(where):
            return {**found, "started": True}
        if failed.exists():
            raise Unreachable(f"the daemon did not start: {failed.read_text('utf-8').strip()}")
        if (holder := where.holder()) not in (None, before) and not _lives(holder):
            raise Unreachable("the daemon ended while starting and gave no reason; `nightgarden serve` shows why")
        time.sleep(_LOOK_SECONDS)
    raise Unreachable(f"the daemon did not answer within {START_SECONDS_MAX:.0f} s; see `nightgarden logs`")


def _lives(process: int | None) -> bool:
    """Whether there is such a process. Where that cannot be asked without ending it, there is."""
    if os.name == "nt" or process is None:
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # somebody else's
    return True


def _need_room(where: DaemonFolder) -> None:
    """Raises Unreachable when nothing can be written there: a daemon could not even say why it ended."""
    try:
        where.make()
        where.write("room", "x" * _ROOM_BYTES)
        (where.path / "room").unlink()
    except OSError as error:
        words = f"the daemon cannot write to {where.path}: {error.strerror}; free some space or check its permissions"
        raise Unreachable(words) from error


def _running(where: DaemonFolder) -> dict[str, Any] | None:
    """The daemon of this very version that answers; None when there is none."""
    try:
        found: dict[str, Any] = client.ask("ping", home=str(where.home), timeout_ms=1000)
    except (DaemonAway, DaemonSlow):
        return None
    return found if found.get("version") == __version__ else None


def _print_started(found: dict[str, Any], arguments: argparse.Namespace) -> int:
    if arguments.json:
        print_json(found)
    else:
        done = paint("started", "green") if found["started"] else "running already"
        print(f"{done}: process {found['pid']}")
    return 0


def add_stop(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)
    parser.set_defaults(call=_stop)


def _stop(arguments: argparse.Namespace) -> int:
    stopped = stop_holder(folder())
    if arguments.json:
        print_json({"stopped": stopped})
    else:
        print(paint("stopped", "green") if stopped else "not running")
    return 0


def add_restart(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)
    parser.set_defaults(call=_restart)


def _restart(arguments: argparse.Namespace) -> int:
    stop_holder(folder())
    return _print_started(start(), arguments)


def add_status(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Exit code 0 when all is well, 1 when something fails, 3 when no daemon runs."
    _add_json(parser)
    parser.set_defaults(call=_status)


def _status(arguments: argparse.Namespace) -> int:
    where = folder()
    for problem in settings_problems():
        print(f"nightgarden: {problem}", file=sys.stderr)
    waiting = len(list(where.spool.glob("*.json"))) if where.spool.is_dir() else 0
    try:
        found = client.ask("status", home=str(where.home), timeout_ms=load_settings().daemon.hung_seconds * 1000)
    except (DaemonAway, DaemonSlow) as error:
        if arguments.json:
            print_json({"running": False, "home": str(where.home), "spooled": waiting, "why": str(error)})
        else:
            print(f"{paint('not running', 'yellow')}: {error}")
            if waiting:
                print(f"{count(waiting, 'event')} waiting to be processed")
        return NOT_RUNNING
    if arguments.json:
        print_json({**found, "home": str(where.home), "spooled": waiting})
    else:
        _print_status(found, waiting)
    return 0 if found["ok"] else 1


def _print_status(found: dict[str, Any], waiting: int) -> None:
    state = paint("running", "green") if found["ok"] else paint("running, with failures", "red")
    print(f"{state}: process {found['pid']}, version {found['version']}, since {found['started_at']}")
    print(f"  dashboard  {found['http'] or 'off'}")
    if found["http"]:
        print(f"             `nightgarden open` opens it; its token is in {folder().path / TOKEN}")
    print(f"  requests   {sum(found['requests'].values()):,}, {count(found['faults'], 'fault')}")
    if found["last_fault"]:
        print(paint(f"             {found['last_fault']}", "red"))
    print(f"  spooled    {count(waiting, 'event')}")
    if found["due"]:
        print(f"  schedule   {paint(str(found['due']) + ' due', 'yellow')}; `nightgarden schedule list` shows what")
    for step in found["steps"]:
        mark = paint("ok", "green") if step["ok"] else paint("!!", "red")
        failures = f" ({count(step['failures'], 'failure')} so far)" if step["failures"] else ""
        print(f"  {step['name']:<10} {mark} {step['line']}{failures}")


def add_open(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Starts the daemon if it is not running. Anyone who has the link is logged in as you, so do not share it. The "
        "token after the # never leaves the browser."
    )
    parser.add_argument("--print", action="store_true", dest="print_only", help="print the link, open nothing")
    _add_json(parser)
    parser.set_defaults(call=_open)


def _open(arguments: argparse.Namespace) -> int:
    start()
    where = folder()
    address = client.ask("status", home=str(where.home), timeout_ms=10_000)["http"]
    if not address:
        raise BadInput("the dashboard is switched off; set `http = true` in the section [daemon] of the settings")
    link = f"{address.rstrip('/')}/#token={(where.path / TOKEN).read_text('utf-8').strip()}"
    opened = not arguments.print_only and not arguments.json and _browse(link)
    if arguments.json:
        print_json({"link": link})
    elif opened:
        print(f"opened {address} in your browser")
    else:
        print(link)
    return 0


def _browse(link: str) -> bool:
    """Whether a browser took it. Without a display there is none: the link is printed instead."""
    import webbrowser  # 10 ms, for this command alone

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        return webbrowser.open(link)
    except webbrowser.Error:
        return False


def add_logs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lines", "-n", type=int, default=50, help="how many of the last lines")
    parser.add_argument("--follow", "-f", action="store_true", help="keep printing new lines")
    parser.set_defaults(call=_logs)


def _logs(arguments: argparse.Namespace) -> int:
    log = folder().log
    if not log.exists():
        print(f"no log yet in {log}", file=sys.stderr)
        return 0
    with log.open(encoding="utf-8", errors="replace") as file:
        for line in file.readlines()[-arguments.lines :]:
            print(line, end="")
        while arguments.follow:
            if line := file.readline():
                print(line, end="", flush=True)
            else:
                time.sleep(_FOLLOW_SECONDS)
    return 0


def add_mcp(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Speaks MCP on standard input and output; clients start it themselves."
    parser.set_defaults(call=_mcp)


def _mcp(arguments: argparse.Namespace) -> int:
    from nightgarden.surfaces.mcp.stdio import main  # 40 ms of asyncio, for this command alone

    return main()


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON in the documented shape")
