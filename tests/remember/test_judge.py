"""What becomes of a new statement, given its neighbours."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from nightgarden.domain.memory import Memory, Provenance, Tier
from nightgarden.remember.judge import Flag, Reinforce, Save, Supersede, judge
from nightgarden.remember.pair_reading import Neighbour
from tests.remember.scripted import Scripted, scores

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def memory(text: str, **fields: object) -> Memory:
    return Memory(id=text[:8], content=text, created_at=NOW, updated_at=NOW, **fields)  # type: ignore[arg-type]


CHANGED = Scripted(relation=scores(changes=0.99))


def judged(known: str, new: str, classifier: Scripted | None = None, **fields: object) -> object:
    return judge(memory(new, **fields), [Neighbour(memory=memory(known), cosine=0.9)], classifier=classifier)


@pytest.mark.parametrize(
    ("known", "new", "outcome"),
    [
        ("The API listens on port 8080", "The API listens on port 8080.", Reinforce),
        ("The API listens on port 8080", "The API listens on port 9090", Flag),
        ("User prefers short answers, in plain words", "User prefers short answers", Reinforce),
        ("We use Jest for tests", "Vitest replaced Jest", Supersede),
        ("We use pytest", "We use hypothesis", Save),
        ("Anna likes tea", "Anna likes coffee", Save),
        ("We deploy on Fridays", "Never deploy on Fridays", Flag),
    ],
)
def test_without_a_classifier_exact_signs_ask_and_what_is_told_outright_replaces(known, new, outcome):
    assert isinstance(judged(known, new), outcome)


def test_the_same_to_the_letter_is_known_whatever_else_it_would_replace():
    """Two live statements that contradict each other: one was flagged, or came before a rule that sees it."""
    text = "The service was moved to PostgreSQL 16"
    neighbours = [Neighbour(memory=memory("The service uses PostgreSQL 15"), cosine=0.95)]
    assert isinstance(judge(memory(text), neighbours, classifier=CHANGED), Supersede)
    known = Neighbour(memory=memory(text), cosine=1.0)
    assert judge(memory(text), [*neighbours, known], classifier=CHANGED).memory is known.memory  # type: ignore[union-attr]


def test_what_one_message_says_together_ends_nothing_of_itself():
    said = {"session_id": "s1", "message_range": ("m3", "m3")}
    for elsewhere, outcome in (({}, Save), ({"message_range": ("m9", "m9")}, Supersede)):
        known = Neighbour(memory=memory("The API listens on port 8080", **(said | elsewhere)), cosine=0.9)
        assert isinstance(judge(memory("The API listens on port 9090", **said), [known], classifier=CHANGED), outcome)


def test_what_outside_text_says_never_replaces_what_the_user_said():
    found = judged("The API listens on port 8080", "The API listens on port 9090", CHANGED, tainted=True)
    assert isinstance(found, Flag)


def test_an_inference_does_not_replace_what_the_user_said():
    weak: dict[str, Any] = {"provenance": Provenance.INFERRED, "confidence": 0.5, "trust": 0.7}
    assert isinstance(judged("The API listens on port 8080", "The API listens on port 9090", CHANGED, **weak), Flag)


def test_only_the_user_replaces_what_is_pinned():
    known = memory("The API listens on port 8080", tier=Tier.PINNED)
    new = memory("The API listens on port 9090", provenance=Provenance.OBSERVED, confidence=1.0)
    near = [Neighbour(memory=known, cosine=0.9)]
    assert isinstance(judge(new, near, classifier=CHANGED), Flag)
    assert isinstance(judge(memory("The API listens on port 9090"), near, classifier=CHANGED), Supersede)
