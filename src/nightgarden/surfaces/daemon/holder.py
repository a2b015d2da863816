"""Becoming the one daemon of a data folder: takes the lock, joins a living holder, or replaces a dead or hung one."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from nightgarden._version import __version__
from nightgarden.errors import DaemonAway, DaemonSlow, GardenBusy, NightgardenError
from nightgarden.surfaces import client
from nightgarden.surfaces.daemon.folder import DaemonFolder, Lock, take_lock

STOP_SECONDS_MAX = 5.0  # what a clean stop may take
HUNG_KIND_SECONDS = 1.0  # one that answers nobody will hardly act on a signal either
_LOOK_SECONDS = 0.05


def become_holder(folder: DaemonFolder, *, hung_seconds: float) -> Lock | None:
    """The lock; None when a daemon of this version is there and answers. Raises GardenBusy when neither comes true."""
    until = time.monotonic() + hung_seconds
    while (lock := take_lock(folder)) is None:
        try:
            there = client.ask("ping", home=str(folder.home), timeout_ms=max(100.0, (until - time.monotonic()) * 1000))
            if there.get("version") == __version__:
                return None
            with suppress(NightgardenError):  # of before an upgrade: it is asked to go, and made to if it will not
                client.ask("stop", home=str(folder.home), timeout_ms=1000)
            return replace_holder(folder)
        except DaemonAway:  # starting, ending, or without its socket
            if time.monotonic() >= until:
                return replace_holder(folder, kind_seconds=HUNG_KIND_SECONDS)
            time.sleep(_LOOK_SECONDS)
        except DaemonSlow:
            return replace_holder(folder, kind_seconds=HUNG_KIND_SECONDS)
    return lock


def replace_holder(folder: DaemonFolder, *, kind_seconds: float = STOP_SECONDS_MAX) -> Lock:
    """Ends the holder, kindly and then not, and takes its place."""
    for sent, seconds in (
        (signal.SIGTERM, kind_seconds),
        (getattr(signal, "SIGKILL", signal.SIGTERM), STOP_SECONDS_MAX),
    ):
        holder = folder.holder()
        if holder is not None and holder != os.getpid():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(holder, sent)
        if lock := _until(lambda: take_lock(folder), seconds):
            return lock
    raise GardenBusy(f"process {folder.holder()} holds {folder.lock} and cannot be ended; end it yourself")


def stop_holder(folder: DaemonFolder) -> bool:
    """Ends the daemon if there is one. False: there was none."""
    if lock := take_lock(folder):
        lock.release()
        return False
    with suppress(NightgardenError):
        client.ask("stop", home=str(folder.home), timeout_ms=2000)
    lock = _until(lambda: take_lock(folder), STOP_SECONDS_MAX) or replace_holder(folder)
    lock.release()
    return True


def _until(take: Callable[[], Lock | None], seconds: float) -> Lock | None:
    until = time.monotonic() + seconds
    while (lock := take()) is None and time.monotonic() < until:
        time.sleep(_LOOK_SECONDS)
    return lock
