"""Before a client shortens a conversation: what it is asked to keep, and what its summary then lists as learned. Pure.

Nobody has to cooperate: what was said so far is read for memories anyway. The list in the summary adds what the agent
itself saw, if it kept to the request.
"""

from __future__ import annotations

import hashlib
import re

from nightgarden.domain.ledger import Source
from nightgarden.domain.session import Session, Signal
from nightgarden.domain.taint import FENCE_NAME, strip_injected
from nightgarden.domain.text import squash
from nightgarden.learn.capture.taking import CapturedItem

SECTION = "Learned in this session"
BOUNDARIES_MAX = 3  # of a session: what is learned after the third is in the session itself
LINES_MAX = 12
LINE_CHARS_MAX = 400
CONFIDENCE = 0.6  # an agent's word
REQUEST = (
    f"In the summary, keep a short section named '{SECTION}' with what would help a newcomer on the "
    "first day: decisions and their reasons, corrections by the user, how to build, test and run, traps met and how "
    "they were solved. One insight a line, as a list: the rule first and then why. Leave out what the code itself "
    "shows, the state of the work, one-off details, anything "
    f"between <{FENCE_NAME}> marks, and secrets. Often nothing will qualify: then leave the section out."
)
_HEADING = re.compile(r"^[ \t]*(?:#{1,6} +|\d{1,2}[.)] +)?\**" + SECTION + r"\b.{0,20}$", re.IGNORECASE)
_ITEM = re.compile(r"^[ \t]{0,8}(?:([-*•])|\d{1,2}[.)])[ \t]+(\S.*)$")


def learned_lines(summary: str) -> list[str]:
    """The items of the section, if the summary has it."""
    lines = strip_injected(summary).splitlines()
    start = next((place for place, line in enumerate(lines) if _HEADING.match(line)), None)
    if start is None:
        return []
    found: list[str] = []
    bullets = True
    for line in lines[start + 1 :]:
        if item := _ITEM.match(line):
            if found and bullets != bool(item[1]):
                break  # a numbered heading after a list of bullets
            bullets = bool(item[1])
            found.append(squash(item[2])[:LINE_CHARS_MAX])
        elif line.strip() and (found or not line[:1].isspace()):
            break  # the next section, or a sentence where a list was asked for
    return list(dict.fromkeys(line for line in found if line))[:LINES_MAX]


def learned_at_boundaries(session: Session) -> list[CapturedItem]:
    """What the summaries of a session list, each boundary once and the first few of them only."""
    boundaries = [message for message in session.messages if message.signal is Signal.COMPACTED]
    items = []
    for message in boundaries[:BOUNDARIES_MAX]:
        for line in learned_lines(message.text):
            digest = hashlib.sha256(line.encode("utf-8", "surrogatepass")).hexdigest()[:16]
            items.append(
                CapturedItem(
                    source=Source.COMPACTION,
                    key=f"{session.id}:{message.id}:{digest}",
                    text=line,
                    category=None,
                    confidence=CONFIDENCE,
                    at=message.at,
                    outside=False,
                    reason="listed as learned when the conversation was shortened",
                    session_id=session.id,
                    message_id=message.id,
                )
            )
    return items
