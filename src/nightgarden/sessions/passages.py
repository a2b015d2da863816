"""Messages become passages: verbatim, turn-sized pieces that can be searched. Pure.

The same message of the same session always gives the same passages under the same ids, so adding it again changes
nothing. Left out: what tools printed, unless it was an error, and what programs say under the system's name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from nightgarden.domain.ids import encode_id
from nightgarden.domain.memory import GLOBAL
from nightgarden.domain.session import Message, Passage, Session

PASSAGE_CHARS_MAX = 1200  # about 300 tokens: what a small embedding model takes in without cutting the end off
ERROR_CHARS_MAX = 300  # the first lines of an error name it
_PIECE_CHARS_MIN = PASSAGE_CHARS_MAX // 3  # a cut nearer to the start would leave crumbs; taste
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？]|\n+")
_WORD_END = re.compile(r"\s+")


def cut_passages(
    session: Session, messages: Sequence[Message] | None = None, *, first_position: int = 0
) -> list[Passage]:
    """Of the messages given, or of all the session holds. `first_position` is how many it had before these."""
    passages = []
    chosen = session.messages if messages is None else messages
    for position, message in enumerate(chosen, start=first_position):
        for part, content in enumerate(_contents(message)):
            passages.append(
                Passage(
                    id=passage_id(session.id, message.id, part),
                    session_id=session.id,
                    message_ids=(message.id,),
                    position=position,
                    role=message.role,
                    content=content,
                    created_at=message.at,
                    scope=session.scope or GLOBAL,
                    part=part,
                )
            )
    return passages


def passage_id(session_id: str, message_id: str, part: int) -> str:
    """Looks like every other id, but is made of what it names instead of time and chance."""
    name = "\x1f".join((session_id, message_id, str(part)))
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:16])
    return encode_id(number >> 80, number)


def _contents(message: Message) -> list[str]:
    text = message.text.strip()
    if not text or message.role == "system":
        return []
    if message.role == "tool":
        return [text[:ERROR_CHARS_MAX].rstrip()] if message.is_error else []
    return cut_text(text, PASSAGE_CHARS_MAX)


def cut_text(text: str, chars_max: int) -> list[str]:
    """Pieces of at most `chars_max`, cut at the last end of a paragraph, sentence or word that fits."""
    pieces = []
    rest = text.strip()
    while len(rest) > chars_max:
        end = _cut_at(rest, chars_max)
        pieces.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*pieces, rest] if rest else pieces


def _cut_at(text: str, chars_max: int) -> int:
    least = min(_PIECE_CHARS_MIN, chars_max // 3)
    for ending in (_PARAGRAPH_END, _SENTENCE_END, _WORD_END):
        ends = [found.end() for found in ending.finditer(text, least, chars_max + 1) if found.start() <= chars_max]
        fitting = [end for end in ends if len(text[:end].rstrip()) <= chars_max]
        if fitting:
            return fitting[-1]
    return chars_max
