"""A marked block of lines in a file that people write themselves: config.toml, AGENTS.md. Pure."""

from __future__ import annotations

import re
from typing import Literal

Style = Literal["toml", "markdown"]
_MARKS: dict[Style, tuple[str, str]] = {
    "toml": ("# >>> nightgarden (`nightgarden disconnect` takes this out) >>>", "# <<< nightgarden <<<"),
    "markdown": (
        "<!-- >>> nightgarden (`nightgarden disconnect` takes this out) >>> -->",
        "<!-- <<< nightgarden <<< -->",
    ),
}


def put_block(text: str, lines: str, style: Style) -> str:
    """The text with the block at its end, or in the place of the one that is there."""
    opening, closing = _MARKS[style]
    block = f"{opening}\n{lines.strip()}\n{closing}\n"
    if found := _pattern(style).search(text):
        return text[: found.start("block")] + block + text[found.end() :]
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{block}"


def drop_block(text: str, style: Style) -> str:
    """The text without the block and the empty line before it."""
    return _pattern(style).sub("", text)


def _pattern(style: Style) -> re.Pattern[str]:
    opening, closing = map(re.escape, _MARKS[style])
    return re.compile(rf"(?:(?<=\n)\n)?(?P<block>{opening}\n.*?{closing}\n?)", re.DOTALL)
