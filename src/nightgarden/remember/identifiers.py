"""Identifiers that look like keys and open nothing, by their published formats: commits, checksums, entity tags, ids
that services print in addresses and logs, places of files. Pure.

Only says where they stand; what else the text holds is for others to judge. A bare string of 40 digits is a commit only
behind a word for one, since tokens may look the same; so is a UUID an id.
"""

from __future__ import annotations

import re

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_BETWEEN = r"[^\n.;]{0,24}?"
_PATTERNS = (
    # Subresource integrity, image digests, checksums.
    re.compile(r"\bsha(?:1|224|256|384|512)[-:](?P<value>[A-Za-z0-9+/]{20,128}={0,2})"),
    re.compile(r"\bW/(?P<value>\"[^\"\s]{6,80}\")|\be-?tag\b\W{0,4}(?P<plain>\"[^\"\s]{6,80}\")", re.IGNORECASE),
    # Commits, where something says that they are.
    re.compile(
        r"(?:@|\b(?:commits?|rev|revision|sha|checkout|cherry-pick|revert(?:s|ed)?|pin(?:ned)?|tag|tree|merge(?:d)?|bisect)\b"
        rf"{_BETWEEN})(?<![0-9a-f])(?P<value>[0-9a-f]{{40}})(?![0-9a-f])",
        re.IGNORECASE,
    ),
    # A payment provider's ids are printed in its addresses; its client secrets have "_secret" in them.
    re.compile(
        r"(?<![\w-])(?P<value>(?:cus|req|evt|pi|ch|in|sub|prod|price|acct|re|txn|plan|si|po|tr|cs)_(?!live|test)"
        r"[A-Za-z0-9]{8,40})(?!\w)"
    ),
    re.compile(r"(?<![\w-])(?P<value>(?:G|GTM|UA|AW)-[A-Z0-9]{6,12}(?:-\d{1,3})?)(?![\w-])"),
    re.compile(
        r"(?<![\w-])(?P<value>(?:ami|i|vpc|subnet|sg|vol|snap|eni|rtb|igw)-[0-9a-f]{8,17}|arn:aws[\w-]*:[\w:/.*-]{6,200})"
    ),
    re.compile(
        r"\b(?:subscription|tenant|request|trace|correlation|order|device|object|directory|application|run|build|job|project"
        rf"|resource|record|ticket|account|customer|installation|invoice|dataset|workspace|organi[sz]ation)s?\b{_BETWEEN}"
        rf"(?P<value>{_UUID})",
        re.IGNORECASE,
    ),
    # Where files are.
    re.compile(r"(?<![\w@/])(?P<value>(?:s3a?|gs|abfss?|hdfs|file)://[\w./=%+~-]{3,300})(?![?@])"),
    re.compile(r"(?<![\w@:/.?=&-])(?P<value>(?:~|\.{1,2})?/(?:[\w.+=-]{1,80}/){2,14}[\w.+=-]{0,120})(?![?@\w])"),
)


def identifiers(text: str) -> list[tuple[int, int]]:
    """Where they stand."""
    found = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            name = match.lastgroup
            assert name is not None
            found.append(match.span(name))
    return found
