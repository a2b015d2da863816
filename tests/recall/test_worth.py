"""What is worth showing unasked, as tables."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nightgarden.domain.memory import GLOBAL, Category
from nightgarden.recall.result import ArmFound, Explanation, Result
from nightgarden.recall.worth import FLOORS, JUDGE, JUDGED_MAX, floor, worth_judging, worth_showing

BASE = FLOORS[JUDGE]


def result(id: str, evidence: float, *, ranked: float = 0.0, fired: bool = False) -> Result:
    boosts = {"trigger": 12.0} if fired else {}
    return Result(
        id=id,
        kind="memory",
        content=id,
        score=0.5,
        reasons=(),
        category=Category.FACT,
        scope=GLOBAL,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        session_id=None,
        message_ids=(),
        speaker="",
        explanation=Explanation(
            arms={"vector": ArmFound(rank=1, score=0.5, evidence=ranked)}, boosts=boosts, evidence=evidence
        ),
    )


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("deploy ledger to staging", 0.0),
        ("explain the difference between a list and a tuple", 2.0),
        ("explain our release process", 0.0),
        ("Was ist der Unterschied zwischen TCP und UDP?", 2.0),
        ("comment fonctionne useEffect ?", 2.0),
        ("qué significa este error", 4.0),
        ("spiel das bitte noch auf den Testserver", 0.0),
        ("把这个发到测试服务器上", 1.0),  # in a language that the models do not read
        ("convert this loop into a comprehension", 2.0),
    ],
)
def test_general_questions_and_what_lies_at_hand_need_more(text, more):
    assert floor(text, model_name=JUDGE, items=158) == pytest.approx(BASE + more)


def test_a_larger_garden_asks_for_more_and_a_small_one_for_less():
    floors = [floor("deploy ledger", model_name=JUDGE, items=items) for items in (0, 5, 158, 10_000, 1_000_000)]
    assert floors == sorted(floors)
    assert 0 < floors[0] < BASE < floors[-1] < BASE + 5


@pytest.mark.parametrize(
    ("evidence", "shown"),
    [([9, 8, 4], "ab"), ([9, 7.4, 7.3], "a"), ([5, 4.9], "ab"), ([4.7, 4.6], ""), ([], "")],
)
def test_the_floor_and_the_best_decide_how_many(evidence, shown):
    results = [result(id, each) for id, each in zip("abc", evidence, strict=False)]
    assert "".join(each.id for each in worth_showing(results, BASE)) == shown


def test_what_fired_is_always_shown_and_does_not_push_others_out():
    results = [result("never", 12.0, fired=True), result("good", 6.0), result("weak", 1.0)]
    assert [each.id for each in worth_showing(results, BASE)] == ["never", "good"]


def test_the_judge_takes_the_place_of_the_ranking_models_cosine():
    results = [result("strange", 9.0, ranked=4.0), result("near", 3.0, ranked=0.0), result("unseen", 9.0)]
    cosines = {"strange": 0.10, "near": 0.75}  # below and far above what strangers have
    assert [each.id for each in worth_showing(results, BASE, cosines)] == ["near"]


def test_only_what_may_come_over_the_floor_is_judged():
    results = [result("fired", 14.0, fired=True), *(result(f"r{n}", 6.0 - n) for n in range(9))]
    judged = [each.id for each in worth_judging(results, BASE)]
    assert judged == [f"r{n}" for n in range(6)][:JUDGED_MAX]
    assert worth_judging(results[-3:], BASE) == []
