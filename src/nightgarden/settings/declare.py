"""How a setting is declared: its default, sentence in the reference, bounds, and what a project may do to it."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from nightgarden.domain.setting_values import Narrowing


def setting(default: Any, doc: str, *, project: Narrowing = "never", **bounds: float) -> Any:
    """A field of a section. `least` and `most` bound a number; `project` says which way a project's file may go."""
    return field(default=default, metadata={"doc": doc, "project": project, **bounds})
