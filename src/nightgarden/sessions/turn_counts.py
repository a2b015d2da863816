"""How turns ended, by label, over all time and all processes. Kept as one small record in the store.

Two processes that write in the same instant can lose a count of one another; nothing depends on the sums being exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from nightgarden.domain.ports import Store
from nightgarden.domain.state_keys import TURN_COUNTS as _KEY


class TurnCounts:
    """Counts in memory, and adds them to the store's when told to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fresh: Counter[str] = Counter()

    def add(self, label: str) -> None:
        self._fresh[label] += 1

    async def save(self) -> None:
        """Adds what was counted since the last time. Until it is written it stays fresh, so that a reader in between
        misses nothing. One at a time: the background's worker calls it."""
        if not self._fresh or self._store.read_only:
            return
        fresh = Counter(self._fresh)
        known = await self._store.get_state(_KEY) or {}
        await self._store.put_state(_KEY, dict(sorted((Counter(known) + fresh).items())))
        self._fresh -= fresh

    async def read(self) -> Mapping[str, int]:
        """All counts, by label."""
        return dict(sorted((Counter(await self._store.get_state(_KEY) or {}) + self._fresh).items()))
