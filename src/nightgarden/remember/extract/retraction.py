"""A user who takes back what was said before in the same conversation: "scratch that", "forget what I said about …".

Only plain words for taking back count ("never mind, found it" ends a search, not a statement). What is taken back is
the last message that gave something, or what was said about the topic that is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nightgarden.domain.text import query_terms
from nightgarden.remember.draft import Draft

_TAKES_BACK = re.compile(
    r"(?:^|[.!?,;:–—-]\s*|\b(?:actually|no|wait|sorry|ok|okay|nein|doch|stopp|halt|perdón|espera|non|attends)[,.!]?\s+)"
    r"(?:please\s+|bitte\s+|por favor\s+)?"
    r"(?:(?:scratch|strike|disregard) (?:that|this|it|what i (?:just )?said|my last \w+)"
    r"|(?:forget|ignore) (?:that last bit|what i (?:just )?(?:said|told you|wrote)|my last \w+)"
    r"|i take (?:that|it|this) back|i was wrong about|i misspoke"
    r"|(?:vergiss|ignorier(?:e)?|streich(?:e)?) (?:das (?:wieder|bitte|von eben)|das[.!,]"
    r"|was ich (?:eben |gerade |vorhin )?(?:gesagt|geschrieben|zu|über))"
    r"|ich nehme das zurück|das nehme ich zurück"
    r"|olvida (?:eso|lo que (?:te )?(?:he dicho|dije))|retiro lo (?:dicho|que (?:he dicho|dije))"
    r"|me equivoqué (?:con|en)"
    r"|oublie (?:ça|ce que (?:je t'ai|j'ai) dit)|je retire ce que)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:about|regarding|with|über|zu|von|sobre|acerca de|con|sur|à propos de)\s+([^.!?;\n]{2,80})", re.IGNORECASE
)
REACH_MESSAGES = 8  # what was said longer ago is taken back only by naming it


def taken_back(text: str, said: Sequence[tuple[int, Draft]], *, position: int) -> set[int]:
    """Which drafts (each with the position of its message) the message at `position` takes back: their places."""
    found = _TAKES_BACK.search(text)
    if found is None:
        return set()
    topic = _ABOUT.search(text, found.start())
    if topic is not None and (terms := set(query_terms(topic[1]))):
        return {n for n, (_, draft) in enumerate(said) if terms & set(query_terms(draft.content))}
    near = [place for place, _ in said if position - place <= REACH_MESSAGES]
    return {n for n, (place, _) in enumerate(said) if near and place == max(near)}
