"""Takes in what hooks left on disk while no daemon answered: in the order of the names, each once.

An event is marked as done in the store before its file goes, so a crash between the two does not repeat it. A crash in
the instant before the mark does; so only those operations are taken whose repetition changes nothing (REPEATABLE). What
an event has done after its answer may break off with the daemon: the session watcher finds that when it starts.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from nightgarden.domain.gate import scrubbed
from nightgarden.domain.state_keys import SPOOL_DONE as _STATE
from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.machine.plain_files import NotPlain, open_plain, read_plain
from nightgarden.machine.spooled import REJECTED
from nightgarden.surfaces.daemon.background import Done
from nightgarden.surfaces.daemon.protocol import LINE_BYTES_MAX, decode

AT_ONCE = 200  # events in one run of the step
LOOK_SECONDS = 30.0  # a hook that spooled because the daemon was slow wakes nobody
REJECTED_KEPT = 100
REJECTED_BYTES_MAX = 1 << 16  # of each, enough to see what it was
# Events of clients: they have a session read from where reading had come to, and what it gave before is known.
REPEATABLE = ("hook",)
# What an event of the wrong shape runs into; no later try would do better.
_NOT_FORESEEN = (TypeError, AttributeError, KeyError, RecursionError)
Take = Callable[[dict[str, Any]], Awaitable[object]]


async def ingest(folder: Path, garden: Garden, take: Take) -> Done:
    """One run of the step. An error that may pass stops it, so that order holds; an event that can never be taken in is
    put aside."""
    names = await asyncio.to_thread(_waiting, folder)
    if not names:
        line = "no events waiting" + await asyncio.to_thread(_aside_line, folder)
        return Done(line=line, again_seconds=LOOK_SECONDS)
    done_last = await garden.own_state(_STATE)
    taken = 0
    for name in names[:AT_ONCE]:
        path = folder / name
        if name != done_last:
            try:
                await take(await asyncio.to_thread(_read, path))
                taken += 1
            except (BadInput, ValueError, NotPlain, *_NOT_FORESEEN) as error:
                await asyncio.to_thread(_put_aside, path, f"{type(error).__name__}: {error}")
                continue
            await garden.keep_own_state(_STATE, name)
        await asyncio.to_thread(path.unlink, missing_ok=True)
    line = f"{taken} taken in" + await asyncio.to_thread(_aside_line, folder)
    return Done(line=line, again_seconds=0 if len(names) > AT_ONCE else LOOK_SECONDS)


def _waiting(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.glob("*.json") if not path.name.startswith("."))


def _read(path: Path) -> dict[str, Any]:
    event = decode(read_plain(path, bytes_max=LINE_BYTES_MAX))
    if not isinstance(event.get("op"), str):
        raise ValueError("not an event: a JSON object with an op is wanted")
    if not all(isinstance(event.get(name) or {}, dict) for name in ("arguments", "env")):
        raise ValueError("not an event: arguments and env must be objects")
    if event["op"] not in REPEATABLE:
        raise ValueError(f"{event['op']} cannot wait here, because it might be done twice; ask the daemon for it")
    return event


def _put_aside(path: Path, reason: str) -> None:
    aside = path.parent / REJECTED
    aside.mkdir(mode=0o700, exist_ok=True)
    _black_out_secrets(path)
    path.replace(aside / path.name)
    (aside / f"{path.stem}.why").write_text(scrubbed(reason) + "\n", "utf-8")
    for old in sorted(aside.glob("*.json"))[:-REJECTED_KEPT]:
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.unlink(missing_ok=True)
        old.with_suffix(".why").unlink(missing_ok=True)


def _black_out_secrets(path: Path) -> None:
    """Of a file, in its beginning, which is all that is kept. A pipe or a folder of that name is left as it is."""
    try:
        with open_plain(path, follow=False) as file:
            text = file.read(REJECTED_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return
    path.write_text(scrubbed(text), "utf-8")


def _aside_line(folder: Path) -> str:
    """For `status`, as long as something lies there."""
    number = sum(1 for _ in (folder / REJECTED).glob("*.json"))
    return f", {number} put aside in {folder / REJECTED}" if number else ""
