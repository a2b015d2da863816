"""What is kept of an agent's words: without secrets and our own marks, and no longer than a person reads. Pure."""

from __future__ import annotations

from nightgarden.domain.gate import scrubbed
from nightgarden.safety.requests import Review

TEXT_CHARS_MAX = 2_000
DIFF_CHARS_MAX = 200_000
LIST_MAX = 50


def clean(text: str) -> str:
    """A text as it may be stored and shown."""
    return scrubbed(text)[:TEXT_CHARS_MAX]


def clean_review(review: Review) -> Review:
    """The same for all of a review."""

    def several(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(clean(text) for text in texts[:LIST_MAX])

    return Review(
        summary=clean(review.summary),
        why=clean(review.why),
        current_activity=clean(review.current_activity),
        expected_outcome=clean(review.expected_outcome),
        impact=clean(review.impact),
        rollback=clean(review.rollback),
        steps=several(review.steps),
        files=several(review.files),
        commands=several(review.commands),
        risks=several(review.risks),
        notes=clean(review.notes),
        diff=scrubbed(review.diff)[:DIFF_CHARS_MAX],
    )


def text_of(value: object) -> str:
    """All texts inside a value, one a line."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(f"{key}={text_of(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return "\n".join(text_of(each) for each in value)
    return str(value)
