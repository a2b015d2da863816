"""Which results are worth showing to an agent that did not ask. Pure. What was measured: docs/why/injection.md.

Stricter than the gate of an explicit recall: what is shown unasked and does not help costs attention at every turn. A
question of general knowledge, and work on what lies before the agent's eyes, share words with much that is remembered
and seldom need any of it, so they ask for more evidence. What a pattern fired is always shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from nightgarden.domain.other_languages import in_other_language
from nightgarden.domain.text import fold
from nightgarden.models.glossary import language_of
from nightgarden.recall.fuse import vector_evidence
from nightgarden.recall.result import Result
from nightgarden.recall.showing import fired
from nightgarden.recall.support import SESSION_WEIGHT

# Which results are relevant is one thing, whether the best of them deserves to be shown another: for that MiniLM's
# cosines part good from bad better than bge's or a cross-encoder's logits, so it judges the few near the floor
# whichever model ranked them.
JUDGE = "all-MiniLM-L6-v2"
# Reads other languages as well as English, so it judges what it ranked itself.
MULTILINGUAL_JUDGE = "universal-sentence-encoder-multilingual-3"
JUDGES = (JUDGE, MULTILINGUAL_JUDGE)
# Evidence that a result needs: by the judge, without it by the ranking model, or by words alone (None), whose evidence
# counts for both arms.
FLOORS: dict[str | None, float] = {JUDGE: 4.8, None: 8.6}
_FLOOR_WITHOUT_JUDGE = 6.0
BELOW_BEST_MAX = 1.5  # evidence; what is further behind the best is about something else
MORE_FOR_GENERAL = 2.0  # evidence asked for on top
MORE_FOR_AT_HAND = 2.0
# The embedding models read English: whatever is said in another language lies near to all else in that language.
MORE_FOR_OTHER_LANGUAGES = 1.0
JUDGED_MAX = 5  # results a turn, about 6 ms each when it has not seen them
_JUDGED_BELOW_FLOOR = 4.0  # what lies further below cannot be lifted over it
_CARRIED = 1.0 + SESSION_WEIGHT  # a memory is a session of one, so its evidence counts so often
# The floors were measured in a garden of 158 items. The words of strangers weigh more in a larger one, because each
# word is rarer; this follows the root of the inverse document frequency, as the text arm's evidence does.
_ITEMS_MEASURED = 158
_WORDS_OF_STRANGERS = 4.1
_WORDS_ALONE = 2.0  # times that, without vectors: the text arm stands for both (fuse.TEXT_ALONE_WEIGHT)

_GENERAL = re.compile(
    r"\b(?:what(?:'s| is| are) (?:an?\b|the (?:difference|plural|meaning|complexity|time complexity|weather))"
    r"|what (?:does|do) .{1,40} (?:mean|do)\b|difference between|explain|how (?:do i|can i|to|many) |by default|synonym"
    r"|is there a way|write (?:me )?an? (?:\w+ )?(?:regex|haiku|poem|function|one-liner)|generate \w+ random"
    r"|list (?:five|ten|some)"
    r"|was ist|unterschied zwischen|erklar\w*|wie kann (?:ich|man)|was bedeutet|comment (?:fonctionne|faire|on)"
    r"|explique\w*|qu'est-ce|difference entre|que veut dire|que es|diferencia entre|explica\w*"
    r"|como (?:puedo|se)|que significa)\b"
)
_ABOUT_US = re.compile(
    r"\b(?:my|mine|we|our|ours|us|again|still|last time|usual(?:ly)?|mein\w*|wir|unser\w*|uns|nochmal|mon|ma|mes|nous"
    r"|notre|nos|encore|mi|mis|nuestr\w*|nosotros)\b"
)
_AT_HAND = re.compile(
    r"\b(?:this|these|selected|below|above|following|line \d+|dies(?:e|er|es|en|em)?|folgende\w*|zeile \d+|cet(?:te)?"
    r"|ces|ci-dessous|ligne \d+|este|esta|estos|estas|linea \d+)\b"
)


def floor(text: str, *, model_name: str | None, items: int) -> float:
    """The evidence that a result needs to be shown at this turn."""
    plain = fold(text).lower().replace("’", "'")
    share = _WORDS_ALONE if model_name is None else 1.0
    needed = FLOORS.get(model_name, _FLOOR_WITHOUT_JUDGE) + share * _more_in_larger_gardens(items)
    if _GENERAL.search(plain) and not _ABOUT_US.search(plain):
        needed += MORE_FOR_GENERAL
    if _AT_HAND.search(plain):
        needed += MORE_FOR_AT_HAND
    if model_name not in (None, MULTILINGUAL_JUDGE) and in_other_language(text) and not language_of(text):
        needed += MORE_FOR_OTHER_LANGUAGES
    return needed


def _more_in_larger_gardens(items: int) -> float:
    ratio = _rarity(max(1, items)) / _rarity(_ITEMS_MEASURED)
    return _WORDS_OF_STRANGERS * (math.sqrt(ratio) - 1.0)


def _rarity(items: int) -> float:
    """The inverse document frequency of a word that one item has."""
    return math.log(1.0 + (items - 0.5) / 1.5)


def worth_judging(results: Sequence[Result], needed: float) -> list[Result]:
    """Those that the judge should look at: not fired, and not hopeless."""
    least = needed - _JUDGED_BELOW_FLOOR
    return [result for result in results if not fired(result) and result.explanation.evidence > least][:JUDGED_MAX]


def worth_showing(results: Sequence[Result], needed: float, cosines: Mapping[str, float] | None = None) -> list[Result]:
    """The results that deserve to be shown: those that fired first, then best first. With the judge's `cosines`, only
    what it looked at can pass."""
    first = [result for result in results if fired(result)]
    others = [result for result in results if not fired(result) and (cosines is None or result.id in cosines)]
    worth = {result.id: _worth(result, cosines) for result in others}
    order = sorted(others, key=lambda result: (-worth[result.id], result.id))
    best = worth[order[0].id] if order else 0.0
    return [*first, *(r for r in order if worth[r.id] >= needed and worth[r.id] >= best - BELOW_BEST_MAX)]


def _worth(result: Result, cosines: Mapping[str, float] | None) -> float:
    """Its evidence, with the judge's cosine in the place of the ranking model's."""
    evidence = result.explanation.evidence
    if cosines is None:
        return evidence
    ranked = result.explanation.arms["vector"].evidence if "vector" in result.explanation.arms else 0.0
    judged = vector_evidence({result.id: cosines[result.id]}, JUDGE)[result.id]
    return evidence + _CARRIED * (judged - ranked)
