"""A channel on this machine, for trying things out without any account: what is sent is shown, and is in the channel's
history like everything that was said there.

A file has the key of each message that was sent. It is looked at before sending, so that a message tried again after a
crash is not shown twice. It holds no words: what is erased from the garden must not live on in it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from nightgarden.initiative.channels.channel import Channel, Heard, Outgoing, Setup
from nightgarden.store import private

LOBBY = Channel(id="console:lobby", community="console/local", name="lobby")
FILE_BYTES_MAX = 5_000_000


class Console:
    """The console as a network with one channel."""

    name = "console"
    chars_max = 2_000

    def __init__(self, setup: Setup, show: Callable[[str], None] | None = None) -> None:
        self._file = Path(setup.folder) / "console.jsonl"
        self._show = show

    async def run(self, heard: Heard) -> None:
        """Nothing comes in by itself: whoever types is heard by who reads the terminal."""

    async def catch_up(self, heard: Heard) -> None:
        """Nothing was missed."""

    async def channels(self) -> Sequence[Channel]:
        return [LOBBY]

    async def send(self, message: Outgoing) -> str:
        name = f"console-{message.key}"
        if not self._was_sent(message.key):
            self._write({"key": message.key, "channel": message.channel})
            if self._show is not None:
                self._show(_shown(message))
        return name

    async def close(self) -> None:
        """Nothing is open."""

    def _was_sent(self, key: str) -> bool:
        if not self._file.is_file():
            return False
        with self._file.open(encoding="utf-8") as lines:
            return any(f'"key": "{key}"' in line for line in lines)

    def _write(self, record: dict[str, str]) -> None:
        private.make_folder(self._file.parent)
        if self._file.is_file() and self._file.stat().st_size > FILE_BYTES_MAX:
            self._file.replace(self._file.with_suffix(".old.jsonl"))
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())


def _shown(message: Outgoing) -> str:
    along = f"\n[{message.attachment.name}, {len(message.attachment.content):,} bytes]" if message.attachment else ""
    return f"{message.text}{along}"
