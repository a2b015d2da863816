"""The daemon's files in the data folder, and the kernel lock that makes it one. Knows no socket protocol."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightgarden.errors import StoreUnavailable
from nightgarden.machine.spooled import SPOOL
from nightgarden.store import private
from nightgarden.surfaces.daemon import protocol

SOCKET_BYTES_MAX = 100  # macOS takes 104 with the closing zero, Linux 108


@dataclass(frozen=True, slots=True)
class DaemonFolder:
    """Where one data folder's daemon keeps what others need to find it."""

    home: Path

    @property
    def path(self) -> Path:
        return self.home / protocol.FOLDER

    @property
    def lock(self) -> Path:
        return self.path / protocol.LOCK

    @property
    def address(self) -> Path:
        return self.path / protocol.ADDRESS

    @property
    def log(self) -> Path:
        return self.path / protocol.LOG

    @property
    def spool(self) -> Path:
        return self.home / SPOOL

    @property
    def starting(self) -> Path:
        return self.path / "starting"

    def make(self) -> None:
        """Private to its owner, also when it was there already."""
        private.make_folder(self.path)
        private.tighten([self.path])

    def socket(self) -> Path:
        """In the folder itself; where its path is too long for the kernel, in a private folder of its own elsewhere."""
        inside = self.path / "socket"
        if len(os.fsencode(inside)) <= SOCKET_BYTES_MAX:
            return inside
        name = f"nightgarden-{os.getuid()}-{hashlib.sha256(os.fsencode(self.home)).hexdigest()[:16]}"
        bases = (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp")
        fits = [base for base in bases if base and len(os.fsencode(f"{base}/{name}/socket")) <= SOCKET_BYTES_MAX]
        outside = Path(fits[0] if fits else "/tmp", name)
        outside.mkdir(mode=0o700, exist_ok=True)
        found = outside.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise StoreUnavailable(f"{outside} is not a private folder of yours; remove it, or set XDG_RUNTIME_DIR")
        return outside / "socket"

    def write(self, name: str, text: str) -> None:
        """Whole or not at all, for its owner alone."""
        half = self.path / f".{name}.{os.getpid()}"
        descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        half.replace(self.path / name)

    def publish(self, address: dict[str, Any]) -> None:
        self.write(protocol.ADDRESS, json.dumps(address))

    def token(self) -> str:
        """The secret of the HTTP server, made at the first call."""
        path = self.path / protocol.TOKEN
        with suppress(OSError):
            if len(kept := path.read_text("ascii").strip()) >= 32:
                path.chmod(0o600)
                return kept
        self.write(protocol.TOKEN, secrets.token_urlsafe(32))
        return path.read_text("ascii").strip()

    def kept_port(self) -> int:
        """The port of last time; 0 when there is none."""
        with suppress(OSError, ValueError):
            return int((self.path / protocol.PORT).read_text("ascii"))
        return 0

    def keep_port(self, port: int) -> None:
        if port != self.kept_port():
            self.write(protocol.PORT, str(port))

    def holder(self) -> int | None:
        """The process that wrote its number into the lock. It holds the lock only if the lock cannot be taken."""
        with suppress(OSError, ValueError):
            return int(self.lock.read_text("ascii"))
        return None


class Lock:
    """Held while this process lives; the kernel lets go of it however the process ends."""

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor = descriptor
        self._path = path

    @property
    def in_place(self) -> bool:
        """Whether the lock file is still the one that is held: others may have removed it, or the whole folder."""
        try:
            there, held = self._path.stat(), os.fstat(self._descriptor)
        except OSError:
            return False
        return (there.st_dev, there.st_ino) == (held.st_dev, held.st_ino)

    def release(self) -> None:
        os.close(self._descriptor)


def take_lock(folder: DaemonFolder) -> Lock | None:
    """The lock, or None when a living process has it."""
    folder.make()
    while True:
        descriptor = os.open(folder.lock, os.O_RDWR | os.O_CREAT, 0o600)
        if not _lock_now(descriptor):
            os.close(descriptor)
            return None
        lock = Lock(descriptor, folder.lock)
        if lock.in_place:  # else somebody removed the file between opening and locking
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
            return lock
        lock.release()


if sys.platform == "win32":
    import msvcrt

    def _lock_now(descriptor: int) -> bool:
        try:
            os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # beyond the text, which others read
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock_now(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
