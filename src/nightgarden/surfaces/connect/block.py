"""A marked block of lines in a text that people write themselves: AGENTS.md. Pure."""

from __future__ import annotations

import re

_OPENING = "<!-- >>> nightgarden (`nightgarden disconnect` takes this out) >>> -->"
_CLOSING = "<!-- <<< nightgarden <<< -->"
_BLOCK = re.compile(rf"(?:(?<=\n)\n)?(?P<block>{re.escape(_OPENING)}\n.*?{re.escape(_CLOSING)}\n?)", re.DOTALL)


def put_block(text: str, lines: str) -> str:
    """The text with the block at its end, or in the place of the one that is there."""
    block = f"{_OPENING}\n{lines.strip()}\n{_CLOSING}\n"
    if found := _BLOCK.search(text):
        return text[: found.start("block")] + block + text[found.end() :]
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{block}"


def drop_block(text: str) -> str:
    """The text without the block and the empty line before it."""
    return _BLOCK.sub("", text)
