"""How a text is kept without what was found in it: each span becomes a note of what stood there.

Pure. Removes what the findings point at and nothing else; what a rule did not find stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from nightgarden.domain.verdict import Finding

_NOTE_BEGINS = "[redacted: "
NOTE = re.compile(r"\[redacted: [^\]\n]{1,80}\]")


def note_of(what: str) -> str:
    """What stands in place of something removed. No rule finds anything in it, so redacting twice changes nothing."""
    return f"[redacted: {what}]"


def redact(text: str, findings: Iterable[Finding]) -> str:
    """The text with every finding replaced by its note; findings that overlap become one. A note that stands in the
    text already stays whole, whatever a finding reaches into."""
    parts: list[str] = []
    reached = 0
    for start, end, what in _outside_notes(text, _merged(findings)):
        parts += (text[reached:start], note_of(what))
        reached = end
    return "".join((*parts, text[reached:]))


def _merged(findings: Iterable[Finding]) -> list[tuple[int, int, str]]:
    """In order; of two that overlap one, named by the first."""
    merged: list[tuple[int, int, str]] = []
    for finding in sorted(findings, key=lambda finding: (finding.start, -finding.end)):
        if merged and finding.start < merged[-1][1]:
            start, end, what = merged.pop()
            merged.append((start, max(end, finding.end), what))
        elif finding.end > finding.start:
            merged.append((finding.start, finding.end, finding.what or finding.rule.id))
    return merged


def _outside_notes(text: str, spans: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    notes = [match.span() for match in NOTE.finditer(text)] if spans and _NOTE_BEGINS in text else []
    for start, end, what in spans:
        for first, last in notes:
            if first < end and start < last:
                if any(map(str.isalnum, text[start:first])):
                    yield start, first, what
                start = max(start, last)
        if start < end and (not notes or any(map(str.isalnum, text[start:end]))):
            yield start, end, what


_ROUNDS_MAX = 8  # each takes out something; a text that still holds findings after this is all findings


def scrub(text: str, find: Callable[[str], tuple[Finding, ...]]) -> str:
    """The text redacted until nothing more is found in it: taking one thing out can lay another bare."""
    for _ in range(_ROUNDS_MAX):
        found = find(text)
        if not found:
            return text
        text = redact(text, found)
    return text if not find(text) else note_of("all of it")
