"""What learning would change, as values that tending can make, count and undo. Pure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nightgarden.domain.journal import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a mind said. `asked` is False when nobody was asked; `value` is None when it failed or made no sense."""

    asked: bool = False
    value: Any = None


Ask = Callable[[str, Mapping[str, object]], Awaitable[Reply]]  # a prompt and the schema of the reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """Changes that belong together, with one word for the count of it and a reason."""

    what: str
    changes: tuple[Change, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """All that was learned now, and the state that says what was looked at."""

    lessons: tuple[Lesson, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)
    noted: Mapping[str, int] = field(default_factory=dict)
