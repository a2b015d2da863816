"""How much a memory is believed, and how much a link counts, now. Computed when read and never stored back, because
stored decay compounds."""

from __future__ import annotations

import math
from datetime import datetime

from nightgarden.domain.graph import Edge
from nightgarden.domain.memory import Category, Memory, Provenance

# Days until half the confidence is gone. Correction to inferred: taken over, not measured; the others by kinship:
# what is decided or agreed lasts like a preference, what is found in code ages like a fact.
HALF_LIFE_DAYS: dict[Category, float] = {
    Category.CORRECTION: 365.0,
    Category.NEGATIVE: 365.0,
    Category.PREFERENCE: 90.0,
    Category.CONVENTION: 90.0,
    Category.DECISION: 90.0,
    Category.PROCEDURE: 60.0,
    Category.ENTITY: 60.0,
    Category.PATTERN: 60.0,
    Category.GOTCHA: 60.0,
    Category.EPISODE: 45.0,
    Category.FACT: 30.0,
    Category.HANDOFF: 14.0,
}
INFERRED_HALF_LIFE_DAYS = 7.0

# Trust by provenance (high, medium, low), as factors that never raise confidence above what was recorded.
TRUST: dict[Provenance, float] = {
    Provenance.USER_STATED: 1.0,
    Provenance.USER_CORRECTED: 1.0,
    Provenance.PROMOTED: 1.0,
    Provenance.CONSOLIDATED: 0.95,
    Provenance.OBSERVED: 0.9,
    Provenance.CAPTURED: 0.85,
    Provenance.EXTRACTED: 0.85,
    Provenance.IMPORTED: 0.8,
    Provenance.INFERRED: 0.7,
}
TAINTED_TRUST = 0.5  # outside text shaped it
# However often outside text repeats itself, it is believed no more than this: below what a candidate needs to be
# promoted, because whoever writes the text decides how often it is met.
OUTSIDE_CONFIDENCE_MAX = 0.55


def half_life_days(memory: Memory) -> float:
    """The half-life of a memory: by category, shorter when it was only inferred."""
    by_category = HALF_LIFE_DAYS[memory.category]
    return min(by_category, INFERRED_HALF_LIFE_DAYS) if memory.provenance is Provenance.INFERRED else by_category


def effective_confidence(memory: Memory, now: datetime) -> float:
    """Confidence, halved each half-life since it was last confirmed, raised a little by use, weighed by trust."""
    if memory.pinned:
        return min(1.0, memory.confidence * memory.trust)
    confirmed = memory.confirmed_at or memory.created_at
    days = max(0.0, (now - confirmed).total_seconds() / 86400.0)
    decay: float = 2.0 ** (-days / half_life_days(memory))
    use = 1.0 + 0.1 * math.log1p(memory.access_count)
    return min(1.0, memory.confidence * decay * use * memory.trust)


def recency_boost(hours_since_access: float) -> float:
    """1.5 for what was just used, 1 for what was not used for days."""
    return 1.0 + 0.5 * math.exp(-max(0.0, hours_since_access) / 24.0)


# A link between memories that were relevant together fades like an entity; it never fades below a quarter, so that a
# link a person made is not lost, while one seen once (0.15) then carries next to nothing. Taste.
LINK_HALF_LIFE_DAYS = 60.0
LINK_FADES_TO = 0.25


def link_strength(edge: Edge, now: datetime) -> float:
    """The weight of a relates_to link now: halved each half-life since it was last strengthened, with a floor."""
    days = max(0.0, (now - edge.updated_at).total_seconds() / 86400.0)
    kept: float = max(LINK_FADES_TO, 2.0 ** (-days / LINK_HALF_LIFE_DAYS))
    return min(max(edge.weight, 0.0), 1.0) * kept
