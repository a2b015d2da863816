"""What a new statement says outright of its relation to a known one, with the shipped classifier and local model."""

from __future__ import annotations

import pytest

from nightgarden import Garden
from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.verdict import Flagged, Reinforced, Saved, Superseded
from tests.judgement.test_daily_statements import become, garden

__all__ = ["garden"]

TOOK_ITS_PLACE = (
    ("We write tests with Jest", "Vitest took Jest's place"),
    ("The queue is RabbitMQ", "RabbitMQ has been superseded by NATS"),
    ("Invoices are rendered with wkhtmltopdf", "wkhtmltopdf made room for WeasyPrint"),
    ("Die Tests laufen mit Jest", "Vitest hat Jest ersetzt"),
    ("Wir nutzen Trello", "Trello wurde durch Linear abgelöst"),
    ("Les tests tournent avec Karma", "Vitest a remplacé Karma"),
    ("Nous utilisons Slack", "Slack a cédé la place à Mattermost"),
    ("Los tests usan Mocha", "Vitest sustituyó a Mocha"),
    ("Usamos Jenkins", "Dejamos Jenkins por Woodpecker"),
)
ADDS = (
    ("We deploy on Tuesdays", "We deploy on Thursdays too"),
    ("We deploy on Tuesdays", "We now also deploy on Thursdays"),
    ("Die App läuft auf iOS 16", "Die App läuft auch auf iOS 15"),
    ("On déploie le mardi", "On déploie aussi le jeudi"),
    ("Desplegamos los martes", "También desplegamos los jueves"),
)
EXCEPTIONS = (
    ("Never commit generated files", "We commit the generated protobuf files"),
    ("Don't call the payment API in tests", "We call the payment API in the nightly tests"),
    ("Never push directly to main", "Pushing directly to main is fine for hotfixes"),
    ("Every pull request needs two approvals", "One approval is enough for docs-only changes"),
    ("The API listens on port 8080", "The admin API listens on port 8443"),
    ("Commit messages are in English", "Commit messages in the legacy repo are in German"),
    ("No deploys on Fridays", "No deploys on Mondays"),
    ("Nie print benutzen", "In der CLI benutzen wir print"),
    ("Niemals freitags deployen", "Freitags deployen wir nur Hotfixes"),
    ("Ne jamais committer les fichiers générés", "Les fichiers protobuf générés sont committés"),
    ("Nunca hagas force push", "El force push está bien en ramas personales"),
)
TAKEN_BACK = (
    ("Never commit generated files", "We do commit generated files now"),
    ("Never push directly to main", "From now on we may push directly to main"),
    ("Nie generierte Dateien committen", "Wir committen generierte Dateien jetzt doch"),
    ("Nunca usamos mocks en los tests", "A partir de hoy usamos mocks en los tests"),
)
NOT_MERGED = (
    ("The Jest config is in test/jest.config.js", "Vitest replaced Jest"),
    ("We use Jest and Cypress", "Vitest replaced Jest"),
    ("Jenkins läuft auf Port 8080", "Woodpecker hat Jenkins ersetzt"),
)


@pytest.mark.parametrize(("known", "said"), TOOK_ITS_PLACE)
async def test_what_took_the_place_of_a_thing_ends_that_it_is_used(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Superseded)


@pytest.mark.parametrize(("known", "said"), NOT_MERGED)
async def test_a_replacement_is_never_a_repetition(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Flagged)


@pytest.mark.parametrize(("known", "said"), [*ADDS, *EXCEPTIONS])
async def test_additions_and_exceptions_stand_beside_and_are_linked(garden: Garden, known: str, said: str) -> None:
    verdict = await become(garden, known, said)
    assert isinstance(verdict, Saved)
    assert verdict.rule is not None
    assert verdict.rule.id in ("exception", "narrower", "in-addition")
    ((other, edge),) = await garden.related(verdict.memory.id)
    assert (other.content, edge.kind) == (known, EdgeKind.RELATES_TO)
    told = await garden.history(verdict.memory.id)
    assert any(verdict.rule.sentence[1:].rstrip(".") in entry.reason for entry in told)


@pytest.mark.parametrize(("known", "said"), TAKEN_BACK)
async def test_a_rule_that_is_taken_back_is_replaced(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Superseded)


STEPS = (
    (
        "To cut a release:\n1. bump the version\n2. tag it\n3. push the tag",
        "To cut a release:\n1. push the tag\n2. tag it\n3. bump the version",
    ),
    (
        "Deploy: 1. run tests 2. build image 3. push image",
        "How we get to production: 1. build image 2. run tests 3. push image",
    ),
    (
        "Backup einspielen:\n1. App stoppen\n2. Dump laden\n3. App starten",
        "Backup einspielen:\n1. App starten\n2. Dump laden\n3. App stoppen",
    ),
    (
        "Pasos para el release: 1. subir la versión 2. crear el tag",
        "Pasos para el release: 1. crear el tag 2. subir la versión",
    ),
)


@pytest.mark.parametrize(("known", "said"), STEPS)
async def test_the_same_steps_in_another_order_are_asked_about(garden: Garden, known: str, said: str) -> None:
    verdict = await become(garden, known, said)
    assert isinstance(verdict, Flagged)
    assert verdict.memory.procedure is not None


async def test_another_order_told_as_a_change_replaces(garden: Garden) -> None:
    known, said = "Deploy: 1. run tests 2. build image", "From now on, to deploy: 1. build image 2. run tests"
    assert isinstance(await become(garden, known, said), Superseded)


async def test_the_same_steps_on_one_line_and_on_several_are_one_procedure(garden: Garden) -> None:
    known = "Étapes du déploiement :\n1. lancer les tests\n2. construire l'image"
    said = "Étapes pour déployer : 1. lancer les tests 2. construire l'image"
    assert isinstance(await become(garden, known, said), Reinforced)


@pytest.mark.parametrize(
    "text",
    [
        "1. create the account\n2. send the mail",
        "Onboarding: create the account, then send the mail",
        "Konto anlegen, dann Mail schicken",
    ],
)
async def test_what_is_filed_as_a_procedure_has_steps(garden: Garden, text: str) -> None:
    verdict = await garden.remember(text, category="procedure", allow=["not-lasting"])
    assert isinstance(verdict, Saved)
    assert verdict.memory.procedure is not None
    assert len(verdict.memory.procedure.steps) == 2


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("We use Sentry", "We have not replaced Sentry"),
        ("We use Sentry", "We haven't dropped Sentry"),
        ("Wir nutzen Sentry", "Wir haben Sentry nicht ersetzt"),
        ("Nous utilisons Sentry", "Nous n'avons pas remplacé Sentry"),
        ("Usamos Sentry", "No hemos dejado Sentry"),
    ],
)
async def test_what_denies_an_end_ends_nothing(garden: Garden, known: str, said: str) -> None:
    await become(garden, known, said)
    assert known in [memory.content for memory in await garden.list()]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("We use Polars, not pandas, in new code", "We use pandas, not Polars, in new code"),
        ("Use single quotes in the style sheet, never double", "Use double quotes in the style sheet, never single"),
    ],
)
async def test_what_is_told_the_other_way_round_does_not_stand_beside(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Superseded | Flagged)


async def test_what_denies_the_very_end_that_is_known_is_a_conflict(garden: Garden) -> None:
    verdict = await become(garden, "We dropped Sentry in May", "We have not dropped Sentry")
    assert isinstance(verdict, Superseded | Flagged)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Python is pinned on 3.11 in all our repos", "Python is pinned on 3.12 in all our repos"),
        ("Logs are kept for 14 days", "logs dropped to 3 days, disk's full"),
        (
            "The on-call handover takes place on Wednesday at 10:00",
            "The on-call handover takes place on Monday at 10:00",
        ),
    ],
)
async def test_another_day_or_amount_replaces_the_former_one(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Superseded)
