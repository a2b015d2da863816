"""What a purge leaves to be done, as notes in the store: they hold ids alone."""

from __future__ import annotations

from nightgarden.domain.state_keys import PURGE_COPIES as COPIES
from nightgarden.domain.state_keys import PURGE_UNFINISHED as UNFINISHED

__all__ = ["COPIES", "LOCK", "UNFINISHED"]

LOCK = "copies"  # held while copies of the garden are made, changed or let go
