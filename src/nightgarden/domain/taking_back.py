"""Words by which somebody takes back what was said: "scratch that", "forget what I said about …". Pure.

Only plain words for taking back count ("never mind, found it" ends a search, not a statement).
"""

from __future__ import annotations

import re

from nightgarden.domain.text import query_terms

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
# Weaker than taking back: the user speaks of forgetting, so an agent that forgets something now does as it was told.
_FORGETTING = re.compile(
    r"\b(?:forget|vergiss|vergesst|olvida|olvide|oublie|oubliez)\b|\b(?:from|out of|aus dem|aus der) (?:your |deinem )?"
    r"(?:memory|memories|gedächtnis|erinnerung)",
    re.IGNORECASE,
)


def takes_back(text: str) -> bool:
    """Whether something said before is taken back."""
    return _TAKES_BACK.search(text) is not None


def topic_taken_back(text: str) -> frozenset[str]:
    """The terms of the topic that is taken back; none when nothing is, or when no topic is named."""
    found = _TAKES_BACK.search(text)
    topic = _ABOUT.search(text, found.start()) if found is not None else None
    return frozenset(query_terms(topic[1])) if topic is not None else frozenset()


def speaks_of_forgetting(text: str) -> bool:
    """Whether the speaker wants something forgotten, in whatever words."""
    return _FORGETTING.search(text) is not None
