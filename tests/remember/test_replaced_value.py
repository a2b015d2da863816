"""Whether something said earlier still says what a newer statement replaced."""

from __future__ import annotations

import pytest

from nightgarden.remember.compare.replaced_value import still_says

CASES = [
    (
        "We use Terraform for the infrastructure, all modules are in infra/",
        "We replaced Terraform with Pulumi",
        [
            "Understood. We use Terraform for the infrastructure, all modules are in infra/.",
            "I will run terraform plan before each change.",
        ],
        ["Noted: Pulumi instead of Terraform.", "The infrastructure costs 300 euros a month."],
    ),
    (
        "Marta is responsible for the billing service",
        "Jonas took over the billing service from Marta",
        ["Understood, Marta is responsible for the billing service."],
        ["Marta is on holiday next week."],
    ),
    (
        "Marta owns the billing service",
        "Jonas took over from Marta",
        ["Ask Marta about billing."],
        [],
    ),
    (
        "Die Staging-Umgebung läuft auf dem Server heron",
        "Die Staging-Umgebung läuft jetzt auf pelikan",
        ["Verbinde dich mit heron und starte den Worker neu."],
        ["Der Server steht in Frankfurt."],
    ),
    (
        "Our staging server is called heron and it runs on port 8085.",
        "The staging server is now called otter, heron is gone",
        [
            "Connect to heron and restart the worker there.",
            "Good, I will use heron on port 8085 for staging.",
            "Done: the staging server heron runs the worker again.",
        ],
        ["The worker uses 2 GB of memory.", "Our tests take ten minutes."],
    ),
    (
        "Nuestra rama principal es develop",
        "La rama principal ahora es main",
        ["Entendido, la rama principal es develop.", "He hecho un rebase sobre develop."],
        ["La rama feature está lista."],
    ),
    (
        "Le cache est un Memcached sur le port 11211",
        "Redis a remplacé Memcached",
        ["J'ai redémarré Memcached."],
        ["Le cache est plein."],
    ),
    (
        "Die Tickets liegen in Jira",
        "Linear hat Jira ersetzt",
        ["Ich lege dafür ein Ticket in Jira an."],
        ["Die Tickets sind alle erledigt."],
    ),
    (
        "Los tests usan Mocha",
        "Vitest sustituyó a Mocha",
        ["Corro mocha en cada commit."],
        ["Los tests pasan."],
    ),
    (
        "The linter is flake8",
        "We ditched flake8 for ruff",
        ["I flake8 the whole tree first."],
        ["The linter found nothing."],
    ),
    (
        "The worker listens on port 9000",
        "The worker listens on port 9100",
        ["The worker port 9000 is blocked by the firewall"],
        ["The export took 9000 rows."],
    ),
    (
        "The cache TTL is 60 seconds",
        "The cache TTL is 90 seconds",
        ["OK, cache TTL 60 seconds it is."],
        ["Wait 60 seconds for the build."],
    ),
    (
        "The booking API listens on port 8080",
        "The booking API listens on port 9090 now, 8080 clashed with the proxy",
        ["Understood: the booking API listens on port 8080."],
        [],
    ),
    (
        "We deploy on Tuesdays",
        "We deploy on Thursdays",
        ["We deploy on Tuesdays, so I wait.", "I'll prepare it for Tuesday."],
        ["We deploy with Kamal."],
    ),
    (
        "Staging runs on heron",
        "Staging moved from heron to otter",
        ["Staging runs on heron, the db on kite"],
        ["The db runs on kite"],
    ),
]


@pytest.mark.parametrize(("older", "newer", "outdated", "fine"), CASES)
def test_only_what_names_or_repeats_what_was_replaced(
    older: str, newer: str, outdated: list[str], fine: list[str]
) -> None:
    assert [text for text in (*outdated, *fine) if still_says(text, older, newer)] == outdated
