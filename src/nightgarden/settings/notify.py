"""[notify]: how the user is told of what happens in the background."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifySettings:
    """[notify] How you are told of what happens in the background."""
