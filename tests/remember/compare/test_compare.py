"""How two statements relate, as tables of rows."""

from __future__ import annotations

import pytest

from nightgarden.remember.compare import RULES, Relation, compare

SAME = [
    ("User prefers dark mode", "user prefers  dark mode."),
    ("The project uses PostgreSQL 15", "The project is using Postgres 15"),
    ("Never commit directly to main", "Don't commit directly to main"),
    ("Feature flags are not enabled by default", "Feature flags are disabled by default"),
    ("Run migrations before deploying", "Deploy after running migrations"),
    ("The billing service is owned by Ben", "Ben owns the billing service"),
    ("User has two kids", "User has 2 children"),
    ("Request timeout is 30 seconds", "The request timeout is 30s"),
    ("The default branch is main", "main is the default branch"),
    ("User speaks German and English", "The user speaks English and German"),
    ("Wir deployen am Freitag", "Am Freitag deployen wir"),
]
SURE = [
    ("The project uses PostgreSQL 15", "The project moved to PostgreSQL 16", "changed"),
    ("The team deploys on Friday", "The team deploys on Tuesday", "other-value"),
    ("API port is 8080", "API port is 9090", "other-number"),
    ("Standup is at 9:30", "Standup is at 10:00", "other-number"),
    ("The cache TTL is 5 minutes", "The cache TTL is one hour", "other-number"),
    ("Grafana runs on localhost:3000", "Grafana runs on localhost:3001", "other-number"),
    ("User likes cilantro", "User does not like cilantro", "negation"),
    ("Use pnpm, not npm", "Use npm, not pnpm", "negation"),
    ("The project uses npm", "The project switched from npm to pnpm", "changed"),
    ("The API is built with Flask", "We replaced Flask with FastAPI", "changed"),
    ("Use yarn for this repo", "Use pnpm instead of yarn for this repo", "changed"),
    ("User lives in Berlin", "User moved to Hamburg", "changed"),
    ("The billing service listens on port 4100", "We moved the billing service from port 4100 to 4137", "changed"),
    ("We moved billing from port 4100 to 4137", "We moved billing from port 4137 to 4200", "changed"),
    ("We moved the billing service from port 4100 to 4137", "The billing service listens on port 4300", "changed"),
    ("The API timeout is 30 seconds", "The API timeout went from 30 to 45 seconds", "changed"),
    ("The on-call rotation is weekly", "The on-call rotation went from weekly to daily", "changed"),
    ("Anna owns the payments module", "Marek took over the payments module from Anna", "changed"),
    ("We test with unittest", "We no longer use unittest, we use pytest now", "changed"),
    ("The docs live in Confluence", "The docs are in Notion now, not in Confluence any more", "changed"),
    ("We use npm for the frontend", "The team switched from npm to pnpm last week", "changed"),
    ("Search logs are kept for 7 days", "Search logs are kept for 20 days now, it was 7", "other-number"),
    (
        "The search service is hosted in Frankfurt",
        "Our search servers are in Dublin now, Frankfurt was closed",
        "changed",
    ),
    ("Priya owns the parser code", "Marek is responsible for the parser now, Priya changed teams", "changed"),
    ("We use RabbitMQ as the queue of search", "We use Kafka as the queue of search now", "other-value"),
    ("Der Port der Abrechnung ist 4100", "Wir haben den Port der Abrechnung von 4100 auf 4137 geändert", "changed"),
    ("Nous utilisons Jenkins", "Nous sommes passés de Jenkins à GitHub Actions", "changed"),
    ("Usamos Jenkins", "Hemos migrado de Jenkins a GitHub Actions", "changed"),
    ("Use the v1 API", "The v1 API is deprecated", "negation"),
    ("The repository is public", "The repository is private", "opposite"),
    ("The endpoint is safe to retry", "The endpoint is unsafe to retry", "opposite"),
    ("Telemetry is on", "Telemetry is off", "opposite"),
    ("Config lives in src/config.py", "Config lives in app/settings.py", "other-name"),
    ("The default branch is main", "The default branch is develop", "other-name"),
    ("Ben leads the platform team", "Carla leads the platform team", "other-name"),
    ("Lint runs before the tests", "The tests run before lint", "swapped"),
    ("User prefers tea over coffee", "User prefers coffee over tea", "swapped"),
    ("Das Projekt benutzt MySQL", "Das Projekt benutzt kein MySQL mehr", "negation"),
    ("Le projet utilise npm", "Le projet n'utilise plus npm", "negation"),
    ("El usuario come carne", "El usuario no come carne", "negation"),
]
BOTH_HOLD = [
    ("The library supports Python 3.11", "The library supports Python 3.12 now"),
    ("Backups are in Frankfurt", "Our search servers are in Dublin now, Frankfurt was closed"),
    ("The search service listens on port 4100", "We moved the billing service from port 4100 to 4137"),
    ("We moved billing from port 4100 to 4137", "We moved search from port 4100 to 4150"),
    ("We upgraded Postgres from 14 to 16", "We upgraded Redis from 6 to 7"),
    ("The admin panel uses React 17", "We upgraded the frontend from React 17 to React 19"),
    ("We use Redis for queues", "We replaced Redis with Memcached for sessions"),
    ("A man is dipping into a swamp", "A man is rising from a swamp"),
    ("User likes tea", "User likes coffee"),
    ("Anna works on auth", "Ben works on auth"),
    ("The project uses pytest", "The project uses hypothesis"),
    ("The library supports Python 3.11", "The library supports Python 3.12"),
    ("The staging database is PostgreSQL 15", "The production database is PostgreSQL 16"),
    ("In summer the office opens at 8", "In winter the office opens at 9"),
    ("Anna's deadline is March 5", "Ben's deadline is March 12"),
    ("We deploy on Fridays", "We deploy on Fridays at 5 pm"),
    ("User likes coffee", "User likes coffee but not after 4 pm"),
    ("A man is playing the drums", "A woman is playing the drums"),
]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_thing_in_other_words_is_the_same(old: str, new: str) -> None:
    assert compare(old, new, cosine=0.9).relation is Relation.SAME


@pytest.mark.parametrize(("old", "new", "rule"), SURE)
def test_what_cannot_both_hold_contradicts_and_the_rule_says_why(old: str, new: str, rule: str) -> None:
    answer = compare(old, new, cosine=0.95)
    assert (answer.relation, answer.rule.id) == (Relation.CONTRADICTS_SURE, rule)
    assert answer.newer_wins


@pytest.mark.parametrize(("old", "new"), BOTH_HOLD)
@pytest.mark.parametrize("cosine", [None, 0.97])
def test_what_can_both_hold_is_neither_merged_nor_a_contradiction(old: str, new: str, cosine: float | None) -> None:
    assert compare(old, new, cosine=cosine).relation in (Relation.ADDS, Relation.UNRELATED)


def test_statements_without_a_common_word_are_unrelated() -> None:
    assert compare("User prefers dark mode", "Logs are kept in S3", cosine=0.4).relation is Relation.UNRELATED


def test_the_detail_names_both_values() -> None:
    assert compare("API port is 8080", "API port is 9090", cosine=None).detail == "8080 → 9090"


def test_a_high_cosine_does_not_merge_one_unknown_word_for_another() -> None:
    answer = compare("The blorp is grumious today", "The blorp is frabjous today", cosine=0.99)
    assert answer.relation is not Relation.SAME


def test_a_return_to_what_was_left_behind_is_unsure_because_it_may_be_an_old_echo() -> None:
    answer = compare("We switched from npm to pnpm", "We use npm", cosine=0.8)
    assert answer.relation is Relation.CONTRADICTS_MAYBE
    assert not answer.newer_wins


def test_quantities_that_differ_widely_are_not_merged() -> None:
    assert compare("All tests are slow", "Some tests are slow", cosine=0.97).relation is Relation.CONTRADICTS_MAYBE


def test_denying_something_narrower_is_not_sure() -> None:
    answer = compare("User drinks coffee", "User does not drink coffee in the evening", cosine=0.8)
    assert answer.relation is not Relation.CONTRADICTS_SURE


def test_rule_ids_are_unique_and_every_rule_has_a_sentence() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert all(rule.sentence.endswith(".") for rule in RULES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The sync service is hosted in Dublin", "We deploy the sync service with Terraform"),
        ("The mail service is written in Go", "The mail service runs in Frankfurt"),
        ("Our widget service runs on port 8281", "We run widget with 20 workers"),
        ("We use a timeout of 27 seconds for alerting calls", "We use a timeout of 11 seconds for map calls"),
        ("Parser logs are kept for 293 days", "We keep sync logs for 202 days"),
        ("I prefer pytest for the audit tests", "I prefer Jest for the checkout tests"),
    ],
)
def test_values_of_two_things_do_not_replace_each_other(old: str, new: str) -> None:
    assert compare(old, new, cosine=0.8).relation is Relation.ADDS
    assert compare(new, old, cosine=0.8).relation is Relation.ADDS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The sync service is hosted in Dublin", "The sync service is hosted in Oslo now"),
        ("Parser logs are kept for 293 days", "We keep parser logs for 202 days"),
        ("The search timeout is 27 seconds", "The search timeout is 11 seconds since the incident"),
    ],
)
def test_another_value_of_one_thing_replaces_the_old_one(old: str, new: str) -> None:
    assert compare(old, new, cosine=0.8).relation is Relation.CONTRADICTS_SURE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We moved the billing service from port 4100 to 4137", "The billing service listens on port 4137"),
        ("Anna owns the search module", "Marek took over the payments module from Anna"),
        ("The runbook lives in Confluence", "The docs are in Notion now, not in Confluence any more"),
        ("CI runs on GitHub Actions", "We are not using Docker in CI, but the dev setup uses Docker now"),
    ],
)
@pytest.mark.parametrize("cosine", [None, 0.7])
def test_a_change_contradicts_neither_where_it_led_nor_what_it_did_not_touch(
    old: str, new: str, cosine: float | None
) -> None:
    assert compare(old, new, cosine=cosine).relation not in (Relation.CONTRADICTS_SURE, Relation.CONTRADICTS_MAYBE)


@pytest.mark.parametrize("old", ["The Jenkins logs are archived in S3", "Jenkins runs on port 8080"])
def test_what_else_is_known_of_something_left_behind_is_for_the_user_to_decide(old: str) -> None:
    assert (
        compare(old, "We migrated from Jenkins to GitHub Actions", cosine=0.75).relation is Relation.CONTRADICTS_MAYBE
    )
