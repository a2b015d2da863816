"""The documentation as the tests see it: pages, fenced blocks, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = (
    "README.md",
    "docs/tutorial.md",
    *sorted(f"docs/how-to/{p.name}" for p in (ROOT / "docs/how-to").glob("*.md")),
)
_BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file it is to be saved as, its text."""

    language: str
    file: str
    text: str


def pages() -> list[Path]:
    """Every page a reader may open."""
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for language, file, text in _BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        yield Block(language, file, text)


def links(page: Path) -> list[str]:
    """Where the links of a page lead, code left out."""
    return _LINK.findall(_FENCED.sub("", page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """The headings of a page as a browser names them."""
    heads = re.findall(r"^#+ (.+)$", _FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}
