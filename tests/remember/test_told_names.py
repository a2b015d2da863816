"""What somebody is called, and rules that are taken back in French and Spanish."""

from __future__ import annotations

import pytest

from nightgarden.domain.memory import Category
from nightgarden.remember.compare.news import tells_news
from nightgarden.remember.judge import Save, Supersede, judge
from nightgarden.remember.pair_reading import Neighbour
from nightgarden.remember.refuse import Passed, refuse
from tests.remember.scripted import Scripted, scores
from tests.remember.test_judge import memory

CHANGED = Scripted(relation=scores(changes=0.99))


@pytest.mark.parametrize("name", ["Je m'appelle Élodie", "Ich heiße Friedrich", "Me llamo Hugo", "My name is Bo"])
def test_what_the_user_is_called_ends_nothing_else(name: str) -> None:
    found = judge(memory(name), [Neighbour(memory=memory("Je suis daltonien"), cosine=0.8)], classifier=CHANGED)
    assert isinstance(found, Save)


@pytest.mark.parametrize("name", ["Ich heiße Friedrich.", "Je m'appelle Élodie."])
def test_what_the_user_is_called_is_no_chatter(name: str) -> None:
    assert isinstance(refuse(name, classifier=Scripted(junk=0.99)), Passed)


def test_another_name_ends_the_name_before() -> None:
    known = Neighbour(memory=memory("My name is Robert Hale"), cosine=0.9)
    assert isinstance(judge(memory("My name is Rob Hale"), [known], classifier=CHANGED), Supersede)


@pytest.mark.parametrize(
    ("rule", "lifted"),
    [
        ("Ne jamais redémarrer le serveur en journée", "On peut désormais redémarrer le serveur en journée"),
        ("Nunca borrar los backups", "Los backups ya se pueden borrar"),
    ],
)
def test_a_rule_falls_to_what_allows_it_again_in_french_and_spanish(rule: str, lifted: str) -> None:
    known = Neighbour(memory=memory(rule, category=Category.NEGATIVE), cosine=0.9)
    assert isinstance(judge(memory(lifted), [known], classifier=CHANGED), Supersede)
    assert tells_news(lifted)
