"""News that says little without what is known of it."""

from __future__ import annotations

import pytest

from nightgarden.domain.classify import MessageScores
from nightgarden.remember.compare.news import tells_news
from nightgarden.remember.extract.learned import find_news


@pytest.mark.parametrize(
    "said",
    [
        "the stand-up is at 10 now",
        "this morning we raised the upload limit to 50 MB",
        "heute haben wir das Upload-Limit auf 50 MB erhöht",
        "esta mañana subimos el límite de subida a 50 MB",
        "stamattina abbiamo alzato il limite di upload a 50 MB",
        "eval is allowed again",
        "Finalement, eval est de nouveau autorisé",
        "Friday deploys are fine again",
        "Slack is gone",
    ],
)
def test_another_number_or_what_is_allowed_again_is_news(said: str) -> None:
    assert tells_news(said)


@pytest.mark.parametrize(
    "said",
    [
        "today I fixed two tests",
        "deploy ran at 4",
        "the tests are green now",
        "deploy is done now",
        "heute habe ich zwei Tests repariert",
        "hoy arreglé dos tests",
    ],
)
def test_how_work_stands_is_none(said: str) -> None:
    assert not tells_news(said)


@pytest.mark.parametrize("said", ["The stand-up is at 10 now", "Seit heute läuft die Staging-DB auf 5433"])
def test_a_session_offers_such_news_though_the_classifier_sees_nothing_in_it(said: str) -> None:
    (piece,) = find_news(said, MessageScores(keeps=0.0, words=()), previous="")
    assert piece.text == said


@pytest.mark.parametrize(
    "said", ["Is the stand-up at 10 now?", "Maybe the stand-up is at 10 now", "Tests are green now"]
)
def test_a_session_offers_no_question_and_no_guess(said: str) -> None:
    assert find_news(said, MessageScores(keeps=0.0, words=()), previous="") == []
