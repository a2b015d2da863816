"""The few lines in CLAUDE.md or AGENTS.md that name the notebook: put in and taken out as one marked block. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from nightgarden.learn.notebook_values import FOLDER, INDEX

LINKED = ("CLAUDE.md", "AGENTS.md")
_OPENING = "<!-- >>> nightgarden notebook (`nightgarden notebook unlink` takes this out) >>> -->"
_CLOSING = "<!-- <<< nightgarden notebook <<< -->"
_PATH = f"{FOLDER}/{INDEX}"
_LINES = {  # Claude Code loads a file that is named with an @
    "CLAUDE.md": f"What is remembered of this project, for reference: @{_PATH}",
    "AGENTS.md": f"What is remembered of this project is in `{_PATH}`: read it for reference before you start.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChange:
    """A file, the lines it gets, and its whole text with them."""

    file: str
    lines: str
    text: str


def with_link(file: str, text: str) -> LinkChange | None:
    """The text with the block at its end; None when it is there already."""
    if _OPENING in text:
        return None
    lines = f"{_OPENING}\n{_LINES[file]}\n{_CLOSING}"
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return LinkChange(file=file, lines=lines, text=f"{text}{gap}{lines}\n")


def without_link(text: str) -> str:
    """The text without the block and the empty line before it."""
    start = text.find(_OPENING)
    end = text.find(_CLOSING, start)
    if start < 0 or end < 0:
        return text
    before, after = text[:start], text[end + len(_CLOSING) :].removeprefix("\n")
    return (before[:-1] if before.endswith("\n\n") else before) + after


def is_linked(text: str) -> bool:
    return _OPENING in text and _CLOSING in text
