"""The running whole: wires gardens, background, desk and servers, and sees that the daemon ends when it should.

It ends on a signal, when asked, when idle for as long as the settings say, when a newer program has migrated the
garden, and when its lock, its socket or the data folder is gone: then nobody could reach it any more.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from nightgarden._version import __version__
from nightgarden.domain.time import write_moment
from nightgarden.machine.clock import SystemClock
from nightgarden.settings import DaemonSettings
from nightgarden.surfaces.daemon.background import BackgroundRunner
from nightgarden.surfaces.daemon.desk import Desk
from nightgarden.surfaces.daemon.folder import DaemonFolder, Lock
from nightgarden.surfaces.daemon.gardens import Gardens, daemon_env
from nightgarden.surfaces.daemon.holder import STOP_SECONDS_MAX
from nightgarden.surfaces.daemon.initiative_step import InitiativeStep
from nightgarden.surfaces.daemon.local_api import LocalApi
from nightgarden.surfaces.daemon.steps import make_steps
from nightgarden.surfaces.http.server import HttpServer
from nightgarden.surfaces.operations.perform import load_everything

GUARD_SECONDS = 2.0  # how long one outlives its folder; looking costs two calls of the kernel
FINISH_SECONDS_MAX = 1.5  # for requests that are being answered when the daemon is asked to end
THREADS = 16  # short work of many clients; asyncio's own limit is six on a small machine, and lists would wait
LOGS_KEPT = 3
_log = logging.getLogger("nightgarden.daemon")


def set_up_logs(folder: DaemonFolder, *, log_bytes: int, foreground: bool) -> None:
    """Files that rotate by size, and in the foreground standard error too."""
    handler = RotatingFileHandler(folder.log, maxBytes=log_bytes, backupCount=LOGS_KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handlers: list[logging.Handler] = [handler, *([logging.StreamHandler()] if foreground else [])]
    logger = logging.getLogger("nightgarden")
    logger.handlers = handlers
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logging.raiseExceptions = False  # a full disk must not end the daemon


async def serve(folder: DaemonFolder, lock: Lock, settings: DaemonSettings) -> None:
    """Runs until it should end; then everything that was accepted is on disk and the lock is free."""
    load_everything()
    clock = SystemClock()
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(THREADS, thread_name_prefix="nightgarden-work"))
    for each in (signal.SIGTERM, signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGTERM)):
        with suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(each, stopping.set)
    env = daemon_env(folder.home)
    gardens = Gardens(env)
    speaking = InitiativeStep(env)
    steps = make_steps(folder, gardens, settings, lambda event: desk.take(event), speaking)
    background = BackgroundRunner(steps, clock)
    desk = Desk(gardens, background, started_at=clock.now(), stop=stopping.set)
    loop.set_exception_handler(lambda _, context: desk.note_stray(context))
    token = folder.token()
    local, http = LocalApi(desk, token), HttpServer(desk, token)
    socket = folder.socket()
    address = await local.listen(socket)
    try:
        if settings.http:
            desk.http_url = await http.listen(settings.port, kept=folder.kept_port())
            if not settings.port:
                folder.keep_port(http.port)
        folder.publish(
            {**address, "pid": os.getpid(), "http": desk.http_url, "version": __version__}
            | {"started_at": write_moment(clock.now())}
        )
        folder.starting.unlink(missing_ok=True)
        background.start()
        _log.info("serving %s (process %s)", folder.home, os.getpid())
        await _until_it_should_end(stopping, desk, lock, socket, settings)
    finally:
        await _stop(folder, lock, socket, local, http, background, speaking, desk)


async def _until_it_should_end(
    stopping: asyncio.Event, desk: Desk, lock: Lock, socket: Path, settings: DaemonSettings
) -> None:
    while not stopping.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), GUARD_SECONDS)
        if not lock.in_place or (os.name != "nt" and not socket.exists()):
            _log.warning("the lock or the socket is gone: ending")
            return
        if newer := desk.gardens.outdated():  # background work met it; requests say so themselves
            _log.error("ending, because this daemon (%s) is older than the garden %s", __version__, ", ".join(newer))
            return
        if is_idle(settings, running=desk.running, idle_seconds=time.monotonic() - desk.used_at):
            _log.info("nobody asked anything for long: ending")
            return


def is_idle(settings: DaemonSettings, *, running: int, idle_seconds: float) -> bool:
    """Whether it should end because nobody needs it."""
    return settings.idle_exit_minutes > 0 and running == 0 and idle_seconds > settings.idle_exit_minutes * 60


async def _stop(
    folder: DaemonFolder,
    lock: Lock,
    socket: Path,
    local: LocalApi,
    http: HttpServer,
    background: BackgroundRunner,
    speaking: InitiativeStep,
    desk: Desk,
) -> None:
    end_anyway = threading.Timer(STOP_SECONDS_MAX - 0.3, os._exit, (1,))  # whatever hangs, nobody waits longer
    end_anyway.daemon = True
    end_anyway.start()
    local.stop_listening()
    http.stop_listening()
    if lock.in_place:  # else the files are another's by now
        folder.address.unlink(missing_ok=True)
        socket.unlink(missing_ok=True)
    await background.close()
    await speaking.close()
    await desk.finish(FINISH_SECONDS_MAX)
    await local.close()
    await http.close()
    await desk.gardens.close()
    _log.info("ended")
    end_anyway.cancel()
