"""How a text is kept without what was found in it: each span becomes a note of what stood there.

Pure. Removes what the findings point at and nothing else; what a rule did not find stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nightgarden.domain.verdict import Finding


def note_of(what: str) -> str:
    """What stands in place of something removed. No rule finds anything in it, so redacting twice changes nothing."""
    return f"[redacted: {what}]"


def redact(text: str, findings: Iterable[Finding]) -> str:
    """The text with every finding replaced by its note; findings that overlap or touch become one."""
    parts: list[str] = []
    reached = 0
    for finding in sorted(findings, key=lambda finding: (finding.start, -finding.end)):
        if finding.start < reached or finding.end <= finding.start:
            reached = max(reached, finding.end) if parts else reached
            continue
        parts += (text[reached : finding.start], note_of(finding.what or finding.rule.id))
        reached = finding.end
    return "".join((*parts, text[reached:]))


_ROUNDS_MAX = 8  # each takes out something; a text that still holds findings after this is all findings


def scrub(text: str, find: Callable[[str], tuple[Finding, ...]]) -> str:
    """The text redacted until nothing more is found in it: taking one thing out can lay another bare."""
    for _ in range(_ROUNDS_MAX):
        found = find(text)
        if not found:
            return text
        text = redact(text, found)
    return text if not find(text) else note_of("all of it")
