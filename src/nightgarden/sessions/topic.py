"""When a session has come to another topic. Pure.

A topic is the running mean of what the turns mean. A follow-up of a few words ("and the other one?") says nothing
about its topic, and does not change it.
"""

from __future__ import annotations

from nightgarden.domain.ports import Vector
from nightgarden.domain.text import query_terms
from nightgarden.recall.fuse import VECTOR_WEIGHT, vector_evidence

# A common bound is a cosine of 0.3, made for a model whose strangers lie around .24 with a spread of .12: half a
# spread above strangers. Other models have other strangers, so the bound is kept in spreads.
CHANGED_BELOW_SPREADS = 0.5
_TERMS_MIN = 4
_KEEP = 0.5  # share of the old topic in the new one; taste


def topic_changed(old: Vector | None, new: Vector, text: str, model_name: str) -> bool:
    """Whether a turn is about something else than the turns before it."""
    if old is None or len(query_terms(text)) < _TERMS_MIN:
        return False
    cosine = float(old @ new)
    return vector_evidence({"": cosine}, model_name)[""] / VECTOR_WEIGHT < CHANGED_BELOW_SPREADS


def follow_topic(old: Vector | None, new: Vector, *, changed: bool) -> Vector:
    """The topic after a turn, of length 1."""
    if old is None or changed:
        return new
    mean: Vector = _KEEP * old + (1.0 - _KEEP) * new
    length = float((mean @ mean) ** 0.5)
    return mean / length if length else new
