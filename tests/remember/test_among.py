"""A new statement is held against all its neighbours: it ends the likeliest, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nightgarden.domain.classify import RelationScores
from nightgarden.remember.among import KnownStatement, judge_among
from nightgarden.remember.judge import Flag, Reinforce, Save, Supersede, judge
from nightgarden.remember.likelihood import Likelihood
from nightgarden.remember.pair_reading import Neighbour
from tests.remember.scripted import Scripted, scores
from tests.remember.test_judge import memory

NEW = "Fieldfox finds the participants"
HEALTHY = {
    "Sanne recruits people from the Circle": 0.72,
    "Interviews take 45 minutes": 0.55,
    "Reports are written in Markdown": 0.52,
    "The budget is approved in March": 0.5,
    "Standup is at nine": 0.48,
}


class Reader(Scripted):
    """Says of each known statement what the test gives."""

    def __init__(self, given: Mapping[str, RelationScores], *, change: float) -> None:
        super().__init__(change=change, deep=True)
        self._given = given

    def relate_to(self, newer: str, older: Sequence[str]) -> list[RelationScores]:
        return [replace(self._given.get(each, scores(unrelated=0.95)), deep=True) for each in older]


def neighbours(cosines: Mapping[str, float]) -> list[Neighbour]:
    return [Neighbour(memory=memory(text), cosine=cosine) for text, cosine in cosines.items()]


def judged(given: Mapping[str, RelationScores], *, change: float, cosines: Mapping[str, float] = HEALTHY) -> object:
    return judge(memory(NEW), neighbours(cosines), classifier=Reader(given, change=change))


FIRST = next(iter(HEALTHY))


def test_news_ends_the_nearest_neighbour_though_the_words_share_nothing() -> None:
    found = judged({FIRST: scores(changes=0.9)}, change=0.95)
    assert isinstance(found, Supersede)
    assert [known.content for known in found.memories] == [FIRST]


def test_the_same_statement_told_without_news_ends_nothing() -> None:
    assert isinstance(judged({FIRST: scores(changes=0.75)}, change=0.01), Save | Flag)


def test_what_is_as_likely_of_every_neighbour_ends_none() -> None:
    alike = dict.fromkeys(HEALTHY, scores(changes=0.6))
    even = dict.fromkeys(HEALTHY, 0.55)
    assert isinstance(judged(alike, change=0.8, cosines=even), Save | Flag)


def test_what_says_the_same_as_the_nearest_is_known() -> None:
    near = {**HEALTHY, FIRST: 0.86}
    assert isinstance(judged({FIRST: scores(same=0.9)}, change=0.1, cosines=near), Reinforce)


def test_what_shares_no_word_and_lies_apart_is_not_known_whatever_the_company() -> None:
    far = {**dict.fromkeys(HEALTHY, 0.2), FIRST: 0.5}
    assert not isinstance(judged({FIRST: scores(same=0.9)}, change=0.1, cosines=far), Reinforce)


def test_two_statements_alone_are_judged_as_before() -> None:
    few = dict(list(HEALTHY.items())[:2])
    assert isinstance(judged({FIRST: scores(changes=0.6)}, change=0.95, cosines=few), Save)


def test_each_rival_lowers_the_likelihood() -> None:
    def known(cosine: float, changes: float) -> KnownStatement:
        return KnownStatement(
            cosine=cosine, likelihood=Likelihood(same=0.01, changes=changes), scores=scores(unrelated=0.5)
        )

    alone = [known(0.7, 0.6), *(known(0.5, 0.01) for _ in range(4))]
    rivalled = [known(0.7, 0.6), known(0.5, 0.6), *(known(0.5, 0.01) for _ in range(3))]
    assert judge_among(rivalled, 0.9)[0].changes < judge_among(alone, 0.9)[0].changes
    assert judge_among(alone, 0.9)[0].changes > judge_among(alone, 0.1)[0].changes
