"""Sample sessions: three weeks of a small project, with repeated and changed facts, a correction, a secret, noise,
and a kind of work that recurs.

The one secret in them is assembled when they are read, so that no scanner stumbles over this package.
"""

from __future__ import annotations

import json
from importlib import resources

from nightgarden.domain.session import Message, Session, Signal
from nightgarden.domain.time import read_moment

# What somebody pasted by mistake. It looks real and never was.
PASTED_SECRET = "sk_live_" + "51Hq9wLzKx" + "T4vRb2NcYpGd7s"
_PLACE = "{PASTED_SECRET}"


def sample_sessions() -> list[Session]:
    """The bundled sessions, oldest first."""
    files = sorted(
        (entry for entry in resources.files(__name__).iterdir() if entry.name.endswith(".jsonl")),
        key=lambda entry: entry.name,
    )
    return [_read(entry.name.removesuffix(".jsonl"), entry.read_text(encoding="utf-8")) for entry in files]


def _read(name: str, text: str) -> Session:
    head, *lines = [json.loads(line.replace(_PLACE, PASTED_SECRET)) for line in text.splitlines()]
    messages = tuple(
        Message(
            id=f"{name}-{line['id']}",
            role=line["role"],
            text=line["text"],
            at=read_moment(line["at"]),
            tool_name=line.get("tool_name", ""),
            is_error=line.get("is_error", False),
            arguments=line.get("arguments", {}),
            exit_code=line.get("exit_code"),
            signal=Signal(line.get("signal", "")),
        )
        for line in lines
        if "role" in line
    )
    return Session(id=f"sample-{name}", title=head["title"], client="sample", messages=messages)
