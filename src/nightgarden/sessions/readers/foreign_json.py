"""Foreign JSON, taken as it should be: whatever has another shape counts as empty, so no record can break a reader."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

_COUNT_MAX = 10**12
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # no database keeps NUL or half of a surrogate pair in text


def fields_of(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def items_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def count_of(value: Any) -> int | None:
    """A number of something, such as tokens or milliseconds; None for anything else. Bounded, so that sums stay so."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _COUNT_MAX:
        return None
    return round(value)


def text_of(value: Any) -> str:
    return _UNSTORABLE.sub("\ufffd", value) if isinstance(value, str) else ""


def digest_of(*parts: Any) -> str:
    """An id made of what is said, for records that bring none."""
    return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=12).hexdigest()
