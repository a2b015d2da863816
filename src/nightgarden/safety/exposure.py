"""Whose text a conversation has in it: what comes after derives from it. Only ever rises in one conversation.

The project's own files are written by whoever may push to the project, so memories made after reading them are not the
user's word. Text from outside (web, feeds, chat, unknown tools, files of nobody's project) is worse: whatever changes
something after it is asked about, whatever the user's rules allow otherwise. A text of any origin that reads like an
order to an agent counts as outside.
"""

from __future__ import annotations

from enum import IntEnum

from nightgarden.domain.taint import instruction_like
from nightgarden.safety.command_reading import CommandReading
from nightgarden.safety.secret_files import is_under

TEXT_CHARS_MAX = 200_000  # of one answer; what a model is shown is shorter


class Taint(IntEnum):
    """How far text of others is in it."""

    NONE = 0
    PROJECT = 1
    OUTSIDE = 2


class Exposure:
    """The taint of one conversation, shared by its gate and by tools that write memories."""

    def __init__(self, level: Taint = Taint.NONE) -> None:
        self.level = level

    @property
    def tainted(self) -> bool:
        """Whether text from outside is in it."""
        return self.level is Taint.OUTSIDE

    @property
    def shaped(self) -> bool:
        """Whether anybody's text but the user's and ours is in it: a memory saved now is not the user's word."""
        return self.level is not Taint.NONE

    def begin(self) -> None:
        """A new conversation: what was done before it was shown to nobody."""
        self.level = Taint.NONE

    def take(self, level: Taint) -> None:
        self.level = max(self.level, level)

    def take_text(self, text: str) -> None:
        """A text that is shown to the agent."""
        if instruction_like(text[:TEXT_CHARS_MAX]):
            self.level = Taint.OUTSIDE


def taint_of(reading: CommandReading, worktree: str) -> Taint:
    """What the answer of such a call brings in."""
    commands = reading.commands
    if reading.sends or reading.unknown or any(c.sends or c.downloads or c.unknown for c in commands):
        return Taint.OUTSIDE
    if any(not is_under(path, worktree) for path in reading.all_reads):
        return Taint.OUTSIDE
    return Taint.PROJECT if commands or reading.reads else Taint.NONE
