"""What is shown when somebody asked and nothing fits: what has something to do with the question, or nothing."""

from __future__ import annotations

from nightgarden.recall.fuse import strength
from nightgarden.recall.show_gate import FITTING_EVIDENCE
from nightgarden.surfaces.fitting import NEAREST_SHOWN, nearest


def test_nonsense_gets_nothing_and_what_is_near_a_few() -> None:
    found = [
        {"id": number, "score": strength(evidence)} for number, evidence in enumerate((1.9, 1.4, 1.2, 1.1, 0.5, -2))
    ]
    assert [each["id"] for each in nearest(found)] == [0, 1, 2][:NEAREST_SHOWN]
    assert nearest([each for each in found if each["score"] < strength(1.0)]) == []
    assert nearest([{"score": strength(FITTING_EVIDENCE)}]) != []
    assert nearest([{"score": 0.0, "explanation": {"arms": {"text": {}}}}]) != []  # it has a word of the question
