"""Questions whose answer is many things: a list, an order, a summary. Pure.

They want more results, and from more than one session: the best few of one session say much the same of the whole. Read
by their words, in English, German, French, Spanish, Italian and Portuguese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from nightgarden.domain.session import Passage
from nightgarden.domain.text import fold

TIMES = 2  # as many results as usual, when the caller names no limit; taste
SESSION_LOSS = 1.0  # evidence, for each better result of the same session; .5 to 2 are alike (docs/why/fusion.md)

_MANY = re.compile(
    r"\b(?:list (?:\w+ ){0,2}(?:all|every|the|of)|summar\w+|overview|recap|(?:what|which) order|order in which"
    r"|chronolog\w+|(?:throughout|across) (?:my|our|all|the)|how many (?:different|distinct)"
    r"|zusammenfass\w*|fass\w* .{1,60} zusammen|uberblick|reihenfolge|liste \w+ alle|welche verschiedenen"
    r"|resumen|resumo|resumir|riassu\w+|apercu|recapitul\w+|riepilog\w+|(?:quel|que|qual|che) ord(?:re|en|em|ine)"
    r"|(?:liste|lista|enumere|elenca)\w* (?:tou(?:s|tes)|todos|todas|tutt[ie]))\b"
)


def asks_for_many(text: str) -> bool:
    """Whether a question asks for a list, an order or a summary."""
    return _MANY.search(fold(text).lower()) is not None


def session_losses(order: Iterable[str], passages: Mapping[str, Passage]) -> dict[str, float]:
    """What each passage loses for the better ones of its session. `order` is best first."""
    better: dict[str, int] = {}
    lost: dict[str, float] = {}
    for id in order:
        passage = passages.get(id)
        if passage is not None:
            count = better.get(passage.session_id, 0)
            lost[id] = SESSION_LOSS * count
            better[passage.session_id] = count + 1
    return lost
