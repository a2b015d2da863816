"""Which files beside a garden are copies of it: backups, and what was kept before a migration, a repair or a restore.
Knows names alone."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

UNFINISHED = ".part"  # of a backup that is being written; never counted, listed or put back


def backups_folder(garden: Path) -> Path:
    return garden.parent / "backups"


def backup_name(garden: Path, at: datetime) -> str:
    return f"{garden.stem}-{at:%Y%m%dT%H%M%S%f}.db"


def list_backups(garden: Path) -> list[Path]:
    """Whole ones, newest first."""
    name = re.compile(re.escape(garden.stem) + r"-\d{8}T\d{12}\.db")
    return sorted((path for path in _files(backups_folder(garden)) if name.fullmatch(path.name)), reverse=True)


def unfinished_backups(garden: Path) -> list[Path]:
    """What backups that were broken off left, with the logs beside them."""
    start = f"{garden.stem}-"
    return [p for p in _files(backups_folder(garden)) if p.name.startswith(start) and f".db{UNFINISHED}" in p.name]


def side_copies(garden: Path) -> list[Path]:
    """Copies of the garden that the program put beside it."""
    name = re.compile(re.escape(garden.name) + r"\.(before-\d{4}|damaged|replaced|incoming|rescued)(-\d+)?")
    return sorted(path for path in _files(garden.parent) if name.fullmatch(path.name))


def all_files(garden: Path) -> list[Path]:
    """The garden, its copies, and everything else that stands beside it under its name."""
    beside = [path for path in _files(garden.parent) if path.name == garden.name or _ours(path, garden)]
    return [*beside, *(path for path in _files(backups_folder(garden)) if path.name.startswith(f"{garden.stem}-"))]


def _ours(path: Path, garden: Path) -> bool:
    return path.name.startswith((f"{garden.name}.", f"{garden.name}-"))


def _files(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []
