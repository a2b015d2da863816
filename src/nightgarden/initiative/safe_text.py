"""What we send, made safe to send: calls on everybody neutralised, hidden characters out, links counted, long text cut.

Pure. It does not judge what a text says."""

from __future__ import annotations

import re

from nightgarden.domain.gate import scrubbed
from nightgarden.domain.personal import find_personal
from nightgarden.domain.redact import redact
from nightgarden.initiative.feeds.addresses import RefusedAddress, canonical
from nightgarden.sessions.passages import cut_text

_GAP = "\u200b"  # shows nothing, and keeps a network from reading the word before it as a call
_EVERYBODY = re.compile(r"[@＠](?=(?:everyone|here|room|channel|all|online)\b)", re.IGNORECASE)
_ROLE_CALL = re.compile(r"<@&(\d{1,25})>")  # Discord: everybody with a role
_HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_LINK = re.compile(r"https?://[^\s<>()\[\]{}\"']{1,2000}")
_PARTS_MAX = 5


def safe_text(text: str, *, links_max: int, personal_allowed: frozenset[str] = frozenset()) -> str:
    """The text as it may be sent: without secrets, personal data, calls on everybody, and links beyond a number."""
    text = _HIDDEN.sub("", scrubbed(text)).replace("\x00", "").strip()
    if found := find_personal(text, personal_allowed):
        text = redact(text, found)
    text = _EVERYBODY.sub(lambda match: match[0] + _GAP, text)
    text = _ROLE_CALL.sub(r"@role", text)
    return limit_links(text, links_max)


def links_of(text: str) -> list[str]:
    """The links in a text, canonical, in order, each once."""
    found = []
    for match in _LINK.finditer(text):
        try:
            found.append(canonical(match[0].rstrip(".,;:!?")))
        except RefusedAddress:
            continue
    return list(dict.fromkeys(found))


def limit_links(text: str, links_max: int) -> str:
    """The text with its first links, clean of tracking parameters; further ones are taken out."""
    seen: list[str] = []

    def keep(match: re.Match[str]) -> str:
        raw = match[0].rstrip(".,;:!?")
        tail = match[0][len(raw) :]
        try:
            link = canonical(raw)
        except RefusedAddress:
            return tail
        if link not in seen and len(seen) >= links_max:
            return tail
        seen.append(link)
        return link + tail

    return _LINK.sub(keep, text).strip()


def split_text(text: str, chars_max: int) -> list[str]:
    """Parts that each fit one message, cut between paragraphs, sentences or words; a fence that is cut is closed and
    opened again. Of a text that needs too many, the rest is left out and marked so."""
    parts = _closed_fences(cut_text(text, chars_max - 10))
    if len(parts) > _PARTS_MAX:
        parts = [*parts[: _PARTS_MAX - 1], parts[_PARTS_MAX - 1][: chars_max - 2].rstrip() + " …"]
    return parts


def _closed_fences(parts: list[str]) -> list[str]:
    whole, is_open = [], False
    for part in parts:
        part = f"```\n{part}" if is_open else part
        is_open = part.count("```") % 2 == 1
        whole.append(f"{part}\n```" if is_open else part)
    return whole
