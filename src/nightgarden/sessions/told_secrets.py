"""The values that were blacked out in sessions, so that they are in what follows too. In memory alone: after a restart,
what a session said before is known only as far as its messages come in again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

SESSIONS_MAX, VALUES_MAX = 64, 64  # the latest; taste


class ToldSecrets:
    """Values by session."""

    def __init__(self) -> None:
        self._values: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def of(self, session_id: str) -> tuple[str, ...]:
        return self._values.get(session_id, ())

    def add(self, session_id: str, values: Iterable[str]) -> None:
        told = tuple(dict.fromkeys((*self.of(session_id), *values)))
        if not told:
            return
        self._values[session_id] = told[-VALUES_MAX:]
        self._values.move_to_end(session_id)
        while len(self._values) > SESSIONS_MAX:
            self._values.popitem(last=False)
