"""Initiative in the daemon: listens to the networks of the settings, and ticks once a minute. No catch-up.

Nothing is opened as long as no channel and no network is set up. When the settings change, everything is opened anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from nightgarden.garden import Garden
from nightgarden.settings import Settings
from nightgarden.surfaces.daemon.background import Done

if TYPE_CHECKING:
    from nightgarden.initiative.channels.channel import Heard, Incoming, Network, Reaction
    from nightgarden.initiative.open_initiative import OpenedInitiative
    from nightgarden.surfaces.private_room import PrivateRoom

IDLE_SECONDS = 60.0
_log = logging.getLogger("nightgarden.initiative")


class InitiativeStep:
    """Owns the connections between two ticks."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._settings: Settings | None = None
        self._opened: OpenedInitiative | None = None
        self._room: PrivateRoom | None = None
        self._stack = AsyncExitStack()
        self._listeners: dict[str, asyncio.Task[None]] = {}
        self._failures: Counter[str] = Counter()

    async def run(self, garden: Garden) -> Done:
        """One tick; opens what is needed before it."""
        if not is_set_up(garden.settings):
            await self.close()
            return Done(line="no channel is set up", again_seconds=IDLE_SECONDS)
        from nightgarden.initiative.open_initiative import open_initiative  # 60 ms, only where a channel is set up
        from nightgarden.initiative.service import TICK_SECONDS
        from nightgarden.surfaces.private_room import PrivateRoom

        if garden.settings != self._settings or self._opened is None:
            await self.close()
            self._opened = await self._stack.enter_async_context(open_initiative(garden, self._env))
            self._room = PrivateRoom(garden, self._opened.networks)
            self._settings = garden.settings
        for network in self._opened.networks:
            self._listen(network, self._opened)
        ticked = await self._opened.initiative.tick()
        return Done(line=self._line(ticked.sentence), again_seconds=TICK_SECONDS)

    def private_room(self, garden: Garden) -> PrivateRoom | None:
        """The room in which the user decides requests; None when its network is not opened."""
        return self._room if garden.settings == self._settings else None

    def _listen(self, network: Network, opened: OpenedInitiative) -> None:
        """Listens to a network, and again when that ended."""
        task = self._listeners.get(network.name)
        if task is not None and not task.done():
            return
        if task is not None and not task.cancelled() and (error := task.exception()) is not None:
            self._failures[network.name] += 1
            _log.warning("listening to %s failed: %s", network.name, error)
        if task is None or (not task.cancelled() and task.exception() is not None):
            self._listeners[network.name] = asyncio.create_task(
                network.run(self._heard(opened)), name=f"nightgarden {network.name}"
            )

    def _heard(self, opened: OpenedInitiative) -> Heard:
        assert self._room is not None
        hear = self._room.before(opened.initiative.hear)

        async def heard(event: Incoming | Reaction) -> None:
            try:
                await hear(event)
            except Exception as error:  # noqa: BLE001 - a message may hold anything; counted, shown in status
                self._failures["messages"] += 1
                _log.warning("a message could not be taken in: %s", error, exc_info=True)

        return heard

    def _line(self, sentence: str) -> str:
        assert self._opened is not None
        parts = [sentence, *self._opened.problems]
        parts += [f"{name} failed {number} times" for name, number in sorted(self._failures.items())]
        return "; ".join(parts)

    async def close(self) -> None:
        for task in self._listeners.values():
            task.cancel()
        await asyncio.gather(*self._listeners.values(), return_exceptions=True)
        self._listeners.clear()
        await self._stack.aclose()
        self._stack = AsyncExitStack()
        self._opened = self._settings = self._room = None


def is_set_up(settings: Settings) -> bool:
    """Whether there is anything to listen to."""
    initiative = settings.initiative
    replies = initiative.replies
    listed = replies.discovery_channel_ids or replies.reply_channel_ids or replies.allowed_channel_ids
    connected = initiative.matrix.homeserver or initiative.discord.enabled
    return bool(listed or connected or settings.notify.chat_room)
