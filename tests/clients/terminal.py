"""A terminal with a program in it, for what clients do only when someone sits before them."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Self

_WAIT_SECONDS = 120


class Terminal:
    """Starts the program in a pseudo-terminal; whatever is left of it is killed at the end of the `with` block."""

    def __init__(self, command: list[str], *, cwd: Path, env: Mapping[str, str]) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 150, 0, 0))
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**env, "TERM": "xterm"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self._shown = b""
        self._changed = threading.Condition()
        self._drain = threading.Thread(target=self._read, daemon=True)
        self._drain.start()

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def paste(self, text: str) -> None:
        """As terminals do it: between the marks of a bracketed paste, line ends as carriage returns."""
        self.type("\x1b[200~" + text.replace("\n", "\r") + "\x1b[201~")

    def wait_for(self, text: str) -> None:
        with self._changed:
            shown = self._changed.wait_for(lambda: text.encode() in self._shown, _WAIT_SECONDS)
        assert shown, f"{text!r} was never shown; last: {self._shown[-500:]!r}"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._drain.join(_WAIT_SECONDS)
        os.close(self._master)

    def _read(self) -> None:
        while True:
            try:
                chunk = os.read(self._master, 65536)
            except OSError:  # Linux reports the other side's end as an error
                return
            if not chunk:
                return
            with self._changed:
                self._shown += chunk
                self._changed.notify_all()
