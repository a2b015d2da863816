"""What somebody gave as a procedure: tidied, and refused when it is too long to be followed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nightgarden.domain.memory import Procedure
from nightgarden.domain.text import squash
from nightgarden.errors import BadInput

NAME_CHARS_MAX = 120
TEXT_CHARS_MAX = 600  # of a step, a prerequisite or a warning
STEPS_MAX = 40


def lines_of(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(line for line in map(squash, texts) if line)


def checked(procedure: Procedure) -> Procedure:
    if not procedure.name or len(procedure.name) > NAME_CHARS_MAX:
        raise BadInput(f"a procedure needs a name of at most {NAME_CHARS_MAX} characters")
    if not 1 <= len(procedure.steps) <= STEPS_MAX:
        raise BadInput(f"a procedure needs 1 to {STEPS_MAX} steps, not {len(procedure.steps)}")
    longest = _longest((procedure.trigger, *procedure.steps, *procedure.prerequisites, *procedure.warnings))
    if longest > TEXT_CHARS_MAX:
        raise BadInput(f"a step has at most {TEXT_CHARS_MAX} characters, not {longest:,}; cut it into several")
    return procedure


def _longest(texts: Sequence[str]) -> int:
    return max(map(len, texts), default=0)
