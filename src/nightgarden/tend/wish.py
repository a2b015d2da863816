"""What somebody asks of a run: which operations, and how far it may go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nightgarden.errors import BadInput

# Facts first (read, verified), then duplicates, then ages, then contradictions and the graph over what is left: each
# sees what those before it did, and none undoes or asks for more of what came before, so a second run finds nothing.
OPERATIONS = (
    "extract",
    "backfill",
    "verify",
    "merge",
    "consolidate",
    "sweep",
    "prune",
    "resolve",
    "relate",
    "tags",
    "cluster",
    "gaps",
)

Progress = Callable[[str, int, int], None]  # operation, proposals made, of how many


def quiet(operation: str, made: int, of: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody asked for."""

    only: tuple[str, ...] = ()
    dry_run: bool = False
    allow_loss: bool = False
    full: bool = False
    cycle: str | None = None  # to work in; a new one when None

    @property
    def operations(self) -> tuple[str, ...]:
        """In the order they run in. Raises BadInput for one that there is not."""
        unknown = [name for name in self.only if name not in OPERATIONS]
        if unknown:
            raise BadInput(f"there is no operation {unknown[0]!r}; there are {', '.join(OPERATIONS)}")
        return tuple(name for name in OPERATIONS if not self.only or name in self.only)
