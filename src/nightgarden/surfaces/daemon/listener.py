"""What every server of the daemon does alike: it listens, counts who is connected, and ends with all of them."""

from __future__ import annotations

import asyncio


class Listener:
    """Listens until it is closed. Whoever serves a connection keeps its task among the open ones while it does."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    def stop_listening(self) -> None:
        """Those who are connected stay so."""
        if self._server is not None:
            self._server.close()

    async def close(self) -> None:
        self.stop_listening()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
