"""What a function that performs an operation looks like."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nightgarden.garden import Garden
from nightgarden.surfaces.operations.who_speaks import Speaker

Perform = Callable[[Garden, Any, Speaker], Awaitable[Any]]  # a garden, a request, who asks
