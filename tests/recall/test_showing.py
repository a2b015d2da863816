"""Which memories help with a turn, given what the occasion says of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from nightgarden.domain.memory import GLOBAL, Category
from nightgarden.domain.other_languages import in_other_language
from nightgarden.models.occasions import Occasion
from nightgarden.recall.result import ArmFound, Explanation, Result
from nightgarden.recall.showing import (
    BY_EVIDENCE,
    BY_OCCASION,
    MEMORIES_MAX,
    SHOWN_MIN,
    features,
    helping,
    likelihoods,
    looked_at,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WEIGHTS = (-2.0, -5.0, -0.3, 0.3, -0.3, 0.3, -0.1, 0.3, 0.2, -0.3, -0.2)
NOTHING = Explanation(arms={}, boosts={})


def result(id: str, *, evidence: float = 0.0, occasion: int = 0, kind: str = "memory", fired: bool = False) -> Result:
    arms = {"occasion": ArmFound(rank=occasion, score=0.5, evidence=0.0)} if occasion else {}
    boosts = {"trigger": 1.0} if fired else {}
    return Result(
        id=id,
        kind=kind,  # type: ignore[arg-type]
        content=id,
        score=0.5,
        reasons=(),
        category=Category.FACT,
        scope=GLOBAL,
        created_at=NOW,
        session_id=None,
        message_ids=(),
        speaker="",
        explanation=Explanation(arms=arms, boosts=boosts, evidence=evidence),
    )


def reading(*matches: float) -> Occasion:
    return Occasion(matches=matches, cosines=(0.3,) * len(matches), matters=-4.0, needs=0.0)


def test_the_best_by_evidence_and_the_best_by_occasion_are_looked_at():
    near = [result(f"near{n}", evidence=9.0 - n) for n in range(8)]
    far = [result(f"far{n}", evidence=-float(n), occasion=n + 1) for n in range(8)]
    other = [result("passage", evidence=10.0, kind="passage"), result("fired", evidence=10.0, fired=True)]
    chosen = {each.id for each in looked_at([*other, *near, *far])}
    assert chosen == {f"near{n}" for n in range(BY_EVIDENCE)} | {f"far{n}" for n in range(BY_OCCASION)}


def test_what_matches_the_occasion_best_is_likeliest_however_weak_its_words():
    two = [result("alike", evidence=6.0), result("matters", evidence=5.0)]
    likely = likelihoods("ship it", two, reading(1.0, 9.0), by_judge=True, weights=WEIGHTS, items=40)
    assert likely["matters"] > SHOWN_MIN > likely["alike"]
    assert [each.id for each in helping(two, likely)] == ["matters"]


def test_more_is_asked_for_in_a_larger_garden_and_in_another_language():
    one = [result("one", evidence=5.0)]
    small = likelihoods("ship it now", one, reading(6.0), by_judge=True, weights=WEIGHTS, items=40)["one"]
    large = likelihoods("ship it now", one, reading(6.0), by_judge=True, weights=WEIGHTS, items=4000)["one"]
    chinese, german = (
        likelihoods(text, one, reading(6.0), by_judge=True, weights=WEIGHTS, items=40)["one"]
        for text in ("把这个发到测试服务器上", "schick das bitte auf den Server")
    )
    assert large < small
    assert chinese < small
    assert german == small  # which is read in English words


def test_small_words_and_letters_tell_of_another_language():
    assert in_other_language("kannst du das bitte auf den Server schieben")
    assert in_other_language("部署到服务器")
    assert not in_other_language("deploy la-2 to the server")


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=12), st.integers(0, 10**7))
def test_any_reading_gives_shares_and_at_most_a_few(matches, items):
    results = [replace(result(f"m{n}"), explanation=NOTHING) for n in range(len(matches))]
    likely = likelihoods("do it", results, reading(*matches), by_judge=True, weights=WEIGHTS, items=items)
    assert all(0.0 <= share <= 1.0 for share in likely.values())
    assert len(helping(results, likely)) <= MEMORIES_MAX
    assert all(len(row) == len(WEIGHTS) for row in features(False, results, reading(*matches), by_judge=True))
