"""What a purge makes of the events that hooks left on disk."""

from __future__ import annotations

import json
import shutil
from collections.abc import Container
from pathlib import Path
from typing import Any

from nightgarden.domain.client_events import CLIENTS, EVENT_NAMES
from nightgarden.machine.plain_files import read_plain
from nightgarden.machine.spooled import REJECTED, SPOOL, pointer

_EVENT_BYTES_MAX = 1 << 16  # an event that only points at a session is far shorter


def purge_in_spool(home: Path, ids: Container[str]) -> list[Path]:
    """Leaves only waiting events that say nothing but which session to read, of sessions that were not erased. All
    others go, as does everything that was put aside: a purge is finished by ids alone, perhaps after a crash, when
    nothing is left to compare their text with. Returns what could not be removed. Paths and settings stay."""
    folder = home / SPOOL
    if not folder.is_dir():
        return []
    left = []
    for path in sorted(folder.iterdir()):
        if path.name == REJECTED or not _is_bare(path, ids):
            try:
                _remove(path)
            except OSError:
                left.append(path)
    return left


def _is_bare(path: Path, ids: Container[str]) -> bool:
    if path.name.startswith(".") or path.suffix != ".json":
        return False  # a hook was killed while it wrote this
    try:
        event: Any = json.loads(read_plain(path, bytes_max=_EVENT_BYTES_MAX))
        told = event["arguments"]
        return (
            event.keys() <= {"op", "arguments", "directory", "env"}
            and told.keys() <= {"client", "event", "data", "spooled"}
            and (event["op"], told["spooled"]) == ("hook", True)
            and told["client"] in CLIENTS
            and told["event"] in EVENT_NAMES
            and told["data"] == pointer(told["data"])
            and told["data"].get("session_id") not in ids
        )
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return False


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
