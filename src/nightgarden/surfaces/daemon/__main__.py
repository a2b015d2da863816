"""`python -m nightgarden.surfaces.daemon`: becomes the daemon, or goes away when one is there.

With `--detached` the first process ends at once and its child, in a session of its own, goes on: nobody has to wait for
it, and no terminal that closes takes it along.
"""

from __future__ import annotations

import os
import sys


def detach() -> None:
    """Goes on in a child that belongs to nobody. Before any other import: the caller may be waiting."""
    if os.name == "nt":
        return
    if os.fork() > 0:
        os._exit(0)
    os.setsid()
    if os.fork() > 0:  # not the leader of its session, so that it can never get a terminal
        os._exit(0)
    os.chdir("/")


def main(argv: list[str]) -> int:
    """0: served and ended, or one is there already. Otherwise what the command line returns for the error."""
    detached = "--detached" in argv
    if detached:
        detach()
    # After the fork: 20 ms of imports
    from contextlib import suppress
    from pathlib import Path

    from nightgarden.errors import BadInput, NightgardenError
    from nightgarden.machine.home import data_folder
    from nightgarden.settings import load_settings
    from nightgarden.surfaces.cli.failures import lacking
    from nightgarden.surfaces.daemon.folder import DaemonFolder
    from nightgarden.surfaces.daemon.holder import become_holder

    os.umask(0o077)  # whatever it writes is for its owner's eyes
    home = Path(data_folder(os.environ)).absolute()
    folder = DaemonFolder(home)
    try:
        settings = load_settings(home, {**os.environ, "NIGHTGARDEN_HOME": str(home)}, project=False).daemon
        lock = become_holder(folder, hung_seconds=settings.hung_seconds)
        if lock is None:
            print(f"a daemon is there already: process {folder.holder()}", file=sys.stderr)
            return 0
        # 300 ms of the whole program, only once it is certain that this process is the one
        import asyncio

        from nightgarden.surfaces.daemon.serve import serve, set_up_logs

        set_up_logs(folder, log_bytes=settings.log_bytes, foreground=not detached)
        asyncio.run(serve(folder, lock, settings))
    except Exception as error:  # noqa: BLE001 - also a lack of memory: `nightgarden start` tells what is noted here
        print(f"nightgarden: {error}", file=sys.stderr)
        if detached:
            with suppress(OSError):  # a full disk, which `nightgarden start` finds out by itself
                words = str(error) if isinstance(error, NightgardenError | OSError) else lacking(error) or repr(error)
                (folder.path / "failed").write_text(f"{words}\n", "utf-8")
        return 2 if isinstance(error, BadInput) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
