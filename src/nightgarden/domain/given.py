"""What callers give as words, as the type it stands for, or a clear refusal. Pure."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from nightgarden.domain.time import as_utc
from nightgarden.errors import BadInput

Kind = TypeVar("Kind", bound=StrEnum)


def one_of(kind: type[Kind], value: str, what: str) -> Kind:
    """A member by its value. Raises BadInput with the values there are."""
    try:
        return kind(value)
    except ValueError:
        raise BadInput(f"unknown {what} {value!r}; use one of {', '.join(kind)}") from None


def moment(value: datetime) -> datetime:
    """In UTC. Raises BadInput for one without a zone."""
    try:
        return as_utc(value)
    except ValueError as error:
        raise BadInput(str(error)) from error
