"""Which text is our own: what we put into an agent's context is fenced, and must never be read back as news."""

from __future__ import annotations

import re

_FENCED = re.compile(r"<nightgarden-recall\b[^>]*>.*?(?:</nightgarden-recall\s*>|\Z)", re.DOTALL | re.IGNORECASE)


def strip_injected(text: str) -> str:
    """The text without what nightgarden injected. A fence that was cut off reaches to the end."""
    return _FENCED.sub("", text)
