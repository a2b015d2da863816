"""Connecting and disconnecting: files are backed up and changed, and a receipt tells how to change them back.

A file that nobody touched since is put back byte for byte; in one that was changed, only our part is taken out.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightgarden.errors import BadInput
from nightgarden.machine.plain_files import read_plain
from nightgarden.surfaces.connect.plugin import Carrier
from nightgarden.surfaces.connect.step import SETTINGS_BYTES_MAX, ConfigStep


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file before and after; None: it does not exist."""

    path: Path
    what: str
    before: bytes | None
    after: bytes | None
    private: bool = False

    @property
    def diff(self) -> str:
        old, new = (
            (text or b"").decode("utf-8", "replace").splitlines(keepends=True) for text in (self.before, self.after)
        )
        names = (
            str(self.path) if self.before is not None else "/dev/null",
            str(self.path) if self.after is not None else "/dev/null",
        )
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in difflib.unified_diff(old, new, *names))


class Receipts:
    """What was connected, in `connected/` in the data folder."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "connected"

    def name(self, client: str, project: Path | None) -> str:
        return client if project is None else f"{client}-{hashlib.sha256(str(project).encode()).hexdigest()[:12]}"

    def all(self) -> list[dict[str, Any]]:
        found = [json.loads(path.read_text("utf-8")) for path in sorted(self._folder.glob("*.json"))]
        return [receipt for receipt in found if isinstance(receipt, dict)]

    def load(self, client: str, project: Path | None) -> dict[str, Any] | None:
        path = self._folder / f"{self.name(client, project)}.json"
        return json.loads(path.read_text("utf-8")) if path.exists() else None

    def plan(self, steps: Sequence[ConfigStep], project: Path | None = None) -> list[FileChange]:
        """What connecting would change; files that stay as they are left out. Raises BadInput, also when a link would
        lead a change out of the project."""
        changes = []
        for step in steps:
            _check_inside(step.path, project)
            before = _content(step.path)
            try:
                after = step.put((before or b"").decode("utf-8")).encode("utf-8")
            except UnicodeDecodeError:
                raise BadInput(f"{step.path} is not UTF-8 text; it was left alone") from None
            except RecursionError:
                raise BadInput(f"{step.path} is nested too deeply to be read; it was left alone") from None
            except BadInput as error:
                raise BadInput(f"{step.path}: {error}; nothing was changed, correct the file first") from error
            if after != before or (step.private and _seen_by_others(step.path)):
                changes.append(
                    FileChange(path=step.path, what=step.what, before=before, after=after, private=step.private)
                )
        return changes

    def connect(
        self, client: str, project: Path | None, changes: Sequence[FileChange], *, carrier: Carrier = "pipe"
    ) -> None:
        """Backs up, writes down how to go back, then changes: in this order, so that a crash loses nothing."""
        receipt = self.load(client, project) or {
            "client": client,
            "project": str(project) if project else None,
            "files": [],
        }
        files = {entry["path"]: entry for entry in receipt["files"]}
        for number, change in enumerate(changes):
            assert change.after is not None
            entry = files.setdefault(str(change.path), {"path": str(change.path)})
            if "existed" not in entry:  # the first time: this is what it was before us
                entry["existed"] = change.before is not None
                entry["folders"] = [str(p) for p in change.path.parents if not p.exists()]
                if change.before is not None:
                    entry["backup"] = str(self._back_up(client, project, number, change))
                untouched = True
            else:  # what others wrote since must not go when ours goes: then it is never put back as a whole
                untouched = change.before is not None and _digest(change.before) == entry["after"]
            entry["after"] = _digest(change.after) if untouched else ""
        receipt |= {"files": list(files.values()), "hooks": carrier}
        _write(
            self._folder / f"{self.name(client, project)}.json", json.dumps(receipt, indent=2).encode(), private=True
        )
        for change in changes:
            assert change.after is not None
            _write(change.path, change.after, private=change.private)

    def plan_back(self, client: str, project: Path | None, steps: Sequence[ConfigStep]) -> list[FileChange]:
        """What disconnecting would change."""
        receipt = self.load(client, project)
        if receipt is None:
            raise BadInput(f"{client} is not connected{' in this project' if project else ''}; nothing was changed")
        by_path = {str(step.path): step for step in steps}
        changes = []
        for entry in receipt["files"]:
            path = Path(entry["path"])
            _check_inside(path, project)
            now = _content(path)
            was = Path(entry["backup"]).read_bytes() if entry.get("backup") else None
            if now is None:
                continue  # somebody removed it: that is respected
            if _digest(now) == entry["after"]:
                after = was
            else:
                step = by_path.get(entry["path"])
                text = step.take_out(now.decode("utf-8"), (was or b"").decode("utf-8")) if step else now.decode("utf-8")
                after = text.encode("utf-8") if text is not None and (text.strip() or entry["existed"]) else None
            if after != now:
                changes.append(FileChange(path=path, what="put back", before=now, after=after))
        return changes

    def plan_leavings(self, client: str, steps: Sequence[ConfigStep]) -> list[FileChange]:
        """What of the client's own notes about us goes with its last connection. A file that cannot be read is the
        client's business and left alone."""
        others = [each for each in self.all() if each["client"] == client]
        if len(others) > 1:
            return []
        changes = []
        for step in steps:
            before = _content(step.path)
            try:
                after = (step.take_out(before.decode("utf-8"), "") or "").encode() if before is not None else None
            except (UnicodeDecodeError, RecursionError, BadInput):
                continue
            if before is not None and after != before:
                changes.append(FileChange(path=step.path, what=step.what, before=before, after=after))
        return changes

    def disconnect(self, client: str, project: Path | None, changes: Sequence[FileChange]) -> None:
        receipt = self.load(client, project) or {"files": []}
        for change in changes:
            if change.after is None:
                change.path.unlink(missing_ok=True)
            else:
                _write(change.path, change.after)
        for entry in receipt["files"]:
            for folder in map(Path, entry.get("folders", ())):
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()
        (self._folder / f"{self.name(client, project)}.json").unlink(missing_ok=True)

    def _back_up(self, client: str, project: Path | None, number: int, change: FileChange) -> Path:
        assert change.before is not None
        place = (
            self._folder
            / "before"
            / f"{self.name(client, project)}-{number}-{_digest(change.before)[:8]}-{change.path.name}"
        )
        _write(place, change.before, private=True)
        return place


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _content(path: Path) -> bytes | None:
    """What is in a client's settings file; None when there is none. Raises BadInput for what is no file."""
    try:
        return read_plain(path, bytes_max=SETTINGS_BYTES_MAX)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"{error}; nothing was changed, correct that first") from None


def _check_inside(path: Path, project: Path | None) -> None:
    """Raises BadInput when a file that looks like one of the project's is a link to something outside."""
    if project is None or not path.is_relative_to(project):
        return
    real = path.resolve()
    if not real.is_relative_to(project.resolve()):
        raise BadInput(f"{path} leads out of the project, to {real}; nothing was changed, remove that link first")


def _seen_by_others(path: Path) -> bool:
    return os.name != "nt" and path.exists() and bool(path.stat().st_mode & 0o077)


def _write(path: Path, content: bytes, *, private: bool = False) -> None:
    """Whole or not at all; keeps the mode of a file that is there, and writes through a link to what it points at. One
    that is private, and folders made for it, are for their owner's eyes from the first byte on."""
    path = path.resolve() if path.is_symlink() else path
    if private:
        _make_private(path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = 0o600 if private else path.stat().st_mode & 0o777 if path.exists() else 0o644
    half = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        half.chmod(mode)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def _make_private(folder: Path) -> None:
    for each in reversed([folder, *folder.parents]):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)
