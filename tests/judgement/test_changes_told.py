"""What ends a known statement and what only seems to, with the shipped classifier and local model."""

from __future__ import annotations

import pytest

from nightgarden import Garden
from nightgarden.domain.verdict import Flagged, Refused, Reinforced, Saved, Superseded
from tests.judgement.test_daily_statements import become, garden

__all__ = ["garden"]

ENDS_NOTHING = (
    # the least and the most
    ("Passwords have at least 12 characters", "Passwords have at most 12 characters"),
    ("Mindestens 5 Zeichen pro Suchbegriff", "Höchstens 5 Zeichen pro Suchbegriff"),
    ("Cada PR necesita al menos 2 revisores", "Cada PR tiene como máximo 2 revisores"),
    ("Il faut au moins 5 tests par module", "Il faut au plus 5 tests par module"),
    # wished, planned, nearly done
    ("We use RabbitMQ", "I wish we used NATS instead of RabbitMQ"),
    ("Nous utilisons RabbitMQ", "J'aimerais qu'on utilise NATS au lieu de RabbitMQ"),
    ("Usamos RabbitMQ", "Ojalá usáramos NATS en vez de RabbitMQ"),
    ("We use Jenkins", "We almost replaced Jenkins with GitLab"),
    ("The API lives at /v1", "From next year the API lives at /v2"),
    # elsewhere, or somebody else
    ("We use Postgres", "On my laptop I use SQLite instead of Postgres"),
    ("Usamos Postgres", "En los tests unitarios usamos SQLite en vez de Postgres"),
    ("We use Jenkins", "Our customer replaced Jenkins with GitLab"),
    ("Usamos Jenkins", "Nuestro cliente reemplazó Jenkins por GitLab"),
    # the other half of what is known
    ("The API runs on port 8080 and logs go to /var/log/api", "the API is on port 9090 now"),
    ("Die API läuft auf Port 8080 und die Logs liegen in /var/log/api", "die API läuft jetzt auf Port 9090"),
)
PRACTICE_AGAINST_A_RULE = (
    ("Never use eval", "We use eval now"),
    ("Nunca uses eval", "Ahora usamos eval"),
    ("Nie eval benutzen", "wir nutzen jetzt eval"),
    ("Never commit directly to main", "we commit directly to main now"),
)
REPLACED = (
    ("Never use eval", "eval is allowed again"),
    ("Never use eval", "the ban on eval is lifted"),
    ("Ne jamais utiliser eval", "Finalement, eval est de nouveau autorisé"),
    ("Nunca uses eval", "eval vuelve a estar permitido"),
    ("No deploys on Fridays", "Friday deploys are fine again"),
    ("The stand-up is at 9:30", "the stand-up is at 10 now"),
    ("The main package is called moneta", "we renamed the main package to coinbook"),
    ("El límite de subida es 20 MB", "esta mañana subimos el límite de subida a 50 MB"),
    ("Das Upload-Limit ist 20 MB", "heute haben wir das Upload-Limit auf 50 MB erhöht"),
    ("We need at least 2 approvals", "We need at least 3 approvals now"),
    ("El frontend usa Vue", "El frontend ya no usa Vue sino Svelte"),
)
SAME_NUMBER = (
    ("Les logs sont gardés quatre-vingt-dix jours", "Les logs sont gardés 90 jours"),
    ("Logs werden 90 Tage aufbewahrt", "Logs werden neunzig Tage aufbewahrt"),
)
STATUS = ("today I fixed two tests", "deploy ran at 4", "we renamed the function parse to parse_all")
RULES = (
    "Los mensajes de commit van en inglés",
    "Desplegamos los martes",
    "La base de datos es PostgreSQL",
    "Los tests usan Vitest",
    "El frontend es React",
)


@pytest.mark.parametrize(("known", "said"), ENDS_NOTHING)
async def test_what_has_not_changed_stays(garden: Garden, known: str, said: str) -> None:
    assert not isinstance(await become(garden, known, said), Superseded | Reinforced)
    assert known in [memory.content for memory in await garden.list()]


@pytest.mark.parametrize(("known", "said"), PRACTICE_AGAINST_A_RULE)
async def test_practice_against_a_rule_is_asked_about(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Flagged)


@pytest.mark.parametrize(("known", "said"), REPLACED)
async def test_a_told_change_and_a_lifted_rule_replace_what_they_end(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Superseded)


@pytest.mark.parametrize(("known", "said"), SAME_NUMBER)
async def test_one_number_in_two_notations_is_known(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Reinforced)


@pytest.mark.parametrize("said", STATUS)
async def test_how_work_stands_is_refused_as_before(garden: Garden, said: str) -> None:
    assert isinstance(await become(garden, "Tests run with pytest", said), Refused)


async def test_a_rule_is_not_taken_for_another_in_whatever_company(garden: Garden) -> None:
    for rule in RULES:
        assert isinstance(await garden.remember(rule), Saved)
    await garden.settle()
    verdict = await garden.remember("En todas partes: nada de emojis en los mensajes de commit")
    assert isinstance(verdict, Saved | Flagged)
