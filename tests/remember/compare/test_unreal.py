"""What is asked, wished, weighed, planned, announced or nearly done has not happened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.remember.compare.unreal import is_unreal

UNREAL = (
    "I wish we used NATS instead of RabbitMQ",
    "Ojalá usáramos NATS en vez de RabbitMQ",
    "J'aimerais qu'on utilise NATS au lieu de RabbitMQ",
    "Ich wünschte, wir würden NATS statt RabbitMQ nutzen",
    "Vorrei usare NATS invece di RabbitMQ",
    "Quem dera usássemos NATS",
    "Ik wou dat we NATS gebruikten",
    "Хотелось бы перейти на NATS",
    "希望我们用 NATS",
    "We should use NATS instead of RabbitMQ",
    "We're thinking of moving to GitLab",
    "Wir sollten auf NATS umsteigen",
    "We will replace Jenkins with GitLab",
    "On va passer à GitLab",
    "Vamos a pasar a GitLab",
    "From next year the API lives at /v2",
    "Ab nächstem Jahr liegt die API unter /v2",
    "À partir de l'année prochaine l'API sera sous /v2",
    "A partir del año que viene la API estará en /v2",
    "来年から API は /v2 です",
    "Have we replaced Jenkins with GitLab?",
    "We almost replaced Jenkins with GitLab",
    "Wir hätten Jenkins beinahe durch GitLab ersetzt",
    "On a failli remplacer Jenkins par GitLab",
    "Casi reemplazamos Jenkins por GitLab",
)
REAL = (
    "We replaced Jenkins with GitLab",
    "We will use GitLab from now on",
    "Ab sofort deployen wir donnerstags",
    "Commit messages should be in German now",
    "The timeout should be 60 seconds",
    "I'd like answers in German",
    "J'aimerais des réponses courtes",
    "We nearly always deploy on Tuesdays",
    "Fast alle Tests laufen mit Vitest",
    "Casi siempre desplegamos los jueves",
    "Wir werden von Hetzner gehostet",
    "Logs werden 30 Tage aufbewahrt",
    "The next release is tagged by Ana",
    "Tickets go to the next sprint",
    "We moved the queue to NATS in June, could you update the docs?",
    "Las reuniones son por la mañana",
)


@pytest.mark.parametrize("said", UNREAL)
def test_what_has_not_happened_is_unreal(said: str) -> None:
    assert is_unreal(said)


@pytest.mark.parametrize("said", REAL)
def test_what_holds_is_not(said: str) -> None:
    assert not is_unreal(said)


@given(st.text(max_size=300))
def test_any_text_gets_an_answer(said: str) -> None:
    assert is_unreal(said) in (True, False)
