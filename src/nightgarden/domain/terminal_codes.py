"""Codes that steer a terminal (colours, the window's title, the clipboard), as programs print them into transcripts and
names. They carry no words, and do harm when they are printed again."""

from __future__ import annotations

import json
import re
from typing import Any

# Sequences with parameters, strings up to their end, and single controls. Tabs and line ends stay.
_CODE = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)?"
    "|\x1b[ -/]*[0-~]"
    "|\r(?!\n)"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)
_UNESCAPED = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # what JSON allows as it is


def without_codes(text: str) -> str:
    """The text as it reads on a terminal that knows no codes. A line that was written over begins anew."""
    return _CODE.sub(lambda match: "\n" if match[0] == "\r" else "", text)


def write_safe_json(value: Any, *, indent: int | None = None) -> str:
    """JSON that can be shown on any terminal and reads back as it was."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
