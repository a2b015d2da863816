"""Links a test to the requirement it holds, see docs/safety-requirements.toml."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., object])


def requirement(*ids: str) -> Callable[[Test], Test]:
    """This test holds these requirements."""

    def mark(test: Test) -> Test:
        assert ids
        return test

    return mark
