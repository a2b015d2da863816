"""What becomes of a new statement, given its neighbours."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from nightgarden.domain.memory import Memory, Provenance, Tier
from nightgarden.remember.judge import Flag, Neighbour, Reinforce, Save, Supersede, judge, main_clause

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def memory(text: str, **fields: object) -> Memory:
    return Memory(id=text[:8], content=text, created_at=NOW, updated_at=NOW, **fields)  # type: ignore[arg-type]


def judged(known: str, new: str, cosine: float = 0.9, **fields: object) -> object:
    return judge(memory(new, **fields), [Neighbour(memory=memory(known), cosine=cosine)])


@pytest.mark.parametrize(
    ("known", "new", "outcome"),
    [
        ("The API listens on port 8080", "The API listens on port 8080.", Reinforce),
        ("The API listens on port 8080", "The API listens on port 9090", Supersede),
        ("The API listens on port 8080", "The API listens on port 9090 now, 8080 clashed with the proxy", Supersede),
        ("User prefers short answers, no summaries", "User prefers short answers", Reinforce),
        ("The service uses PostgreSQL 15", "We moved to PostgreSQL 16 last night, Jonas did it", Supersede),
        ("We use pytest", "We use hypothesis", Save),
        ("Anna likes tea", "Anna likes coffee", Save),
        ("We deploy on Fridays", "Never deploy on Fridays", Supersede),
    ],
)
def test_a_statement_meets_its_nearest_neighbour(known, new, outcome):
    assert isinstance(judged(known, new), outcome)


def test_the_same_to_the_letter_is_known_whatever_else_it_would_replace():
    """Two live statements that contradict each other: one was flagged, or came before a rule that sees it."""
    text = "The service was moved to PostgreSQL 16"
    neighbours = [Neighbour(memory=memory("The service uses PostgreSQL 15"), cosine=0.95)]
    assert isinstance(judge(memory(text), neighbours), Supersede)
    known = Neighbour(memory=memory(text), cosine=1.0)
    assert judge(memory(text), [*neighbours, known]).memory is known.memory  # type: ignore[union-attr]


def test_what_one_message_says_together_ends_nothing_of_itself():
    said = {"session_id": "s1", "message_range": ("m3", "m3")}
    for elsewhere, outcome in (({}, Save), ({"message_range": ("m9", "m9")}, Supersede)):
        known = Neighbour(memory=memory("The API listens on port 8080", **(said | elsewhere)), cosine=0.9)
        assert isinstance(judge(memory("The API listens on port 9090", **said), [known]), outcome)


def test_what_outside_text_says_never_replaces_what_the_user_said():
    found = judged("The API listens on port 8080", "The API listens on port 9090", tainted=True)
    assert isinstance(found, Flag)


def test_an_inference_does_not_replace_what_the_user_said():
    weak: dict[str, Any] = {"provenance": Provenance.INFERRED, "confidence": 0.5, "trust": 0.7}
    assert isinstance(judged("The API listens on port 8080", "The API listens on port 9090", **weak), Flag)


def test_only_the_user_replaces_what_is_pinned():
    known = memory("The API listens on port 8080", tier=Tier.PINNED)
    new = memory("The API listens on port 9090", provenance=Provenance.OBSERVED, confidence=1.0)
    assert isinstance(judge(new, [Neighbour(memory=known, cosine=0.9)]), Flag)
    assert isinstance(judge(memory("The API listens on port 9090"), [Neighbour(memory=known, cosine=0.9)]), Supersede)


def test_a_clause_is_taken_only_when_something_follows_it():
    assert main_clause("The port is 9090 now, 8080 clashed") == "The port is 9090 now"
    assert main_clause("The port is 9090 now") == ""
    assert main_clause("Yes, it is") == ""
