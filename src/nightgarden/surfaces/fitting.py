"""When somebody asked and nothing fits: which of the nearest are shown then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

NEAREST_SHOWN = 3  # when nothing fits; taste
NEAREST_SCORE_MIN = 0.0145  # evidence of 1: has something to do with the question; nonsense stays below
DOUBTED_BELOW = 0.55  # confidence of what is doubtful; what was only inferred starts above it


def nearest(results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of results that do not fit, the few that have something to do with the question; none for nonsense."""
    return [each for each in results if _is_near(each)][:NEAREST_SHOWN]


def _is_near(result: dict[str, Any]) -> bool:
    by_words = "text" in result.get("explanation", {}).get("arms", {})
    return by_words or result["score"] >= NEAREST_SCORE_MIN
