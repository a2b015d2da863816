"""The session watcher: reads what is new of allowed clients, then reads sessions that are over for memories."""

from __future__ import annotations

import logging
from collections import Counter

from nightgarden.garden import Garden
from nightgarden.sessions.harvest import SessionCue
from nightgarden.surfaces.daemon.background import Done

SCAN_AT_ONCE = 20  # sessions of a client in one run, so that a first scan of years does not hold up the rest
EXTRACT_AT_ONCE = 5
TRIES_MAX = 3  # a session that cannot be read is left alone after this until the daemon starts anew
_log = logging.getLogger("nightgarden.watch")


class SessionWatch:
    """Remembers which sessions could not be read, and nothing else: how far each was read is in the store."""

    def __init__(self) -> None:
        self._tries: Counter[str] = Counter()

    async def run(self, garden: Garden, *, again_seconds: float) -> Done:
        report = await garden.sessions.scan(sessions_max=SCAN_AT_ONCE)
        waiting = [session for session in await garden.sessions.pending() if self._tries[session.id] < TRIES_MAX]
        memories = 0
        for session in waiting[:EXTRACT_AT_ONCE]:
            self._tries[session.id] += 1
            try:
                harvest = await garden.sessions.extract(session.id, cue=SessionCue())
            except Exception as error:  # noqa: BLE001 - a transcript may hold anything; counted, and the next one is read
                _log.warning("session %s could not be read for memories: %s", session.id, error, exc_info=True)
                continue
            memories += len(harvest.verdicts) - harvest.count("refused")
            del self._tries[session.id]
        more = report.more or len(waiting) > EXTRACT_AT_ONCE
        return Done(
            line=self._line(report.messages, len(report.failures), memories),
            again_seconds=0.1 if more else again_seconds,
        )

    def _line(self, messages: int, failures: int, memories: int) -> str:
        parts = [f"{messages} new messages, {memories} memories taken at the last look"]
        if failures:
            parts.append(f"{failures} transcripts could not be read")
        if left := sum(tries >= TRIES_MAX for tries in self._tries.values()):
            parts.append(f"{left} sessions given up until the next start")
        return "; ".join(parts)
