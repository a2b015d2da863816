"""Which comments of a review are worth reading: not a bot's, not markup, not a word of thanks. Pure.

The patterns of bots are a file that users can add to. They are plain pieces of text, so that a long comment never takes
long to look at. A bot that writes like a person, under a person's name, is not recognised.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from nightgarden.domain.text import squash
from nightgarden.learn.capture.lessons import has_cue

COMMENT_CHARS_MAX = 20_000  # a longer one is a log or a dump
TEXT_CHARS_MIN = 20
WORDS_MIN = 7  # fewer, without a rule or a warning in them, teach nothing
TAGS_MAX = 3
CHARS_PER_TAG = 15
PATTERNS_FILE = "capture-patterns.txt"  # the user's own, in the data folder
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,400}>")
_COMMENT = re.compile(r"<!--[^-]{0,2000}-->")
_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)")
_LINK = re.compile(r"https?://\S{1,2000}")
_IMAGE = re.compile(r"!\[[^\[\]]{0,200}\]\([^()]{0,2000}\)")
_NAMED_LINK = re.compile(r"\[([^\[\]]{1,200})\]\([^()]{0,2000}\)")
_DONE = re.compile(r"(?:fixed|done|addressed|resolved|updated) (?:in|by) [0-9a-f]{6,40}\W{0,3}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """What marks a bot, in lower case."""

    authors: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    def __add__(self, other: Patterns) -> Patterns:
        return Patterns(authors=(*self.authors, *other.authors), texts=(*self.texts, *other.texts))


def read_patterns(text: str) -> Patterns:
    """The patterns of a file; lines that are neither of the two are comments."""
    pairs = [line.partition(":") for line in text.splitlines() if not line.lstrip().startswith("#")]
    named = [(kind.strip().lower(), value.strip().lower()) for kind, mark, value in pairs if mark]
    return Patterns(
        authors=tuple(value for kind, value in named if kind == "author" and value),
        texts=tuple(value for kind, value in named if kind == "text" and value),
    )


@cache
def shipped_patterns() -> Patterns:
    """Those that come with the program."""
    return read_patterns((files("nightgarden.learn.capture") / "bots.txt").read_text("utf-8"))


def why_not(author: str, body: str, patterns: Patterns, *, bot: bool = False) -> str:
    """Why a comment is not read, or nothing."""
    name, low = author.lower(), body[:COMMENT_CHARS_MAX].lower()
    if bot or any(mark in name for mark in patterns.authors):
        return "written by a bot"
    if len(body) > COMMENT_CHARS_MAX:
        return f"longer than {COMMENT_CHARS_MAX:,} characters"
    if any(mark in low for mark in patterns.texts):
        return "reads like a bot"
    if is_markup(body):
        return "mostly HTML"
    plain = plain_text(body)
    if _DONE.fullmatch(plain):
        return "says only that it was done"
    if len(re.sub(r"\W", "", _LINK.sub("", plain))) < TEXT_CHARS_MIN:
        return "too short"
    if len(plain.split()) < WORDS_MIN and not has_cue(plain):
        return "too short"
    return ""


def is_markup(body: str) -> bool:
    """Structure rather than words."""
    tags = len(_TAG.findall(body))
    return tags > TAGS_MAX and len(squash(_TAG.sub(" ", body))) < CHARS_PER_TAG * tags


def plain_text(body: str) -> str:
    """The words of a comment: no markup, no code blocks, no quoted lines, no pictures."""
    lines, fenced = [], False
    for line in _COMMENT.sub(" ", body).splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not line.lstrip().startswith(">"):
            lines.append(line)
    text = _NAMED_LINK.sub(r"\1", _IMAGE.sub(" ", "\n".join(lines)))
    return html.unescape(_TAG.sub(" ", text)).replace("**", "").strip()
