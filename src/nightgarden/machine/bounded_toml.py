"""TOML of files that a stranger may have written, read in time and memory that grow with the text and no faster.

For a dotted key (`a.b.c = 1`) `tomllib` keeps a record of each of its beginnings: one key of 30,000 parts, 60 KB of
text, takes it 3 GB. So the parts of keys are counted before it reads. The one place that uses it.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

KEY_PARTS_MAX = 50  # people write five
_SIGN = re.compile(r"\"{3}|'{3}|[\"'#.=,{}\[\]\n]")
# The rest of a string, up to the mark that closes it; a search never comes back to what it has passed.
_REST = {
    '"': re.compile(r'(?:[^"\\\n]++|\\.)*+"?'),
    '"""': re.compile(r'(?:[^"\\]++|\\.|"(?!""))*+(?:""")?', re.DOTALL),
    "'": re.compile(r"[^'\n]*+'?"),
    "'''": re.compile(r"(?:[^']++|'(?!''))*+(?:''')?"),
    "#": re.compile(r"[^\n]*+"),
}


def read_toml(text: str) -> dict[str, Any]:
    """The values of a TOML text. Raises tomllib.TOMLDecodeError, and RecursionError where it is nested too deep."""
    if _key_parts(text) > KEY_PARTS_MAX:
        raise tomllib.TOMLDecodeError(f"A key has more than {KEY_PARTS_MAX} parts")
    return tomllib.loads(text)


def _key_parts(text: str) -> int:
    """How many parts the longest key has, or a little more: no key has a sign of another kind between two dots."""
    most = dots = at = 0
    while (found := _SIGN.search(text, at)) is not None:
        sign, at = found[0], found.end()
        if (rest := _REST.get(sign)) is not None:
            inside = rest.match(text, at)
            at = inside.end() if inside is not None else at
        elif sign == ".":
            dots += 1
            most = max(most, dots)
        else:
            dots = 0
    return most + 1
