"""The pure decisions of tending, as tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from nightgarden.domain.gap import Gap
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import GLOBAL, Category, Memory, Provenance, Scope, ScopeKind, Status, Temporal, Tier
from nightgarden.domain.session import Session
from nightgarden.remember.tagging import key_of
from nightgarden.settings import RememberSettings, TendSettings
from nightgarden.tend import contradictions, gap_closing, prune, sweep
from nightgarden.tend.fold import choose, enriched
from nightgarden.tend.idle import AGED_BY_WORK, RESTING, Idleness, last_used
from nightgarden.tend.loss_gate import find_losses
from nightgarden.tend.proposal import propose
from nightgarden.tend.tags import is_slip, same_tags
from tests.tend.given import DAY, NOW, PROJECT, memory

FADING = {"tier": Tier.FADING}
CANDIDATE = {"status": Status.CANDIDATE, "tier": Tier.FADING}


@pytest.mark.parametrize(
    ("age", "fields", "becomes"),
    [
        (89, {}, None),
        (90, {}, "faded"),
        (400, {"category": Category.PREFERENCE}, None),
        (400, {"category": Category.CONVENTION, **FADING}, None),
        (400, {"tier": Tier.PINNED}, None),
        (400, {"last_accessed_at": NOW - 10 * DAY, "access_count": 3}, None),
        (100, {**FADING, "last_accessed_at": NOW - DAY, "access_count": 1}, "brought forward"),
        (179, FADING, None),
        (180, FADING, "archived"),
        (180, {**FADING, "category": Category.CORRECTION}, None),
        (5, {**CANDIDATE, "confidence": 0.7, "observation_count": 2}, "promoted"),
        (5, {**CANDIDATE, "confidence": 0.69, "observation_count": 2}, None),
        (5, {**CANDIDATE, "confidence": 0.6, "access_count": 1}, "promoted"),
        (5, {**CANDIDATE, "confidence": 0.59, "access_count": 1}, None),
        (30, {**CANDIDATE, "confidence": 0.29}, "archived"),
        (29, {**CANDIDATE, "confidence": 0.29}, None),
        (30, {**CANDIDATE, "confidence": 0.3}, None),
        (5, {"valid_until": NOW - DAY}, "expired"),
        (5, {"valid_until": NOW + DAY}, None),
        (6, {"scope": Scope(ScopeKind.SESSION, "s1")}, None),
        (7, {"scope": Scope(ScopeKind.SESSION, "s1")}, "expired"),
        (2, {"scope": Scope(ScopeKind.SESSION, "over")}, "expired"),
        (2, {"temporal": Temporal(session_only=True), "session_id": "over"}, "expired"),
        (29, {"temporal": Temporal(seasonal="release-week")}, None),
        (30, {"temporal": Temporal(seasonal="release-week")}, "expired"),
    ],
)
def test_sweep_judges_by_age_and_use(age: float, fields: dict[str, Any], becomes: str | None) -> None:
    one = memory(1, age_days=age, **fields)
    idle = (NOW - last_used(one)).days
    found = sweep.judge(one, now=NOW, idle_days=idle, settings=TendSettings(), ended_sessions={"over"})
    assert (found.what if found else None) == becomes


def test_a_full_scope_gives_up_what_is_worth_least_and_never_what_is_pinned() -> None:
    members = [memory(n, confidence=0.1 * n, tier=Tier.PINNED if n < 3 else Tier.ACTIVE) for n in range(1, 13)]
    found = sweep.over_limit(members, now=NOW, limits=RememberSettings(project_limit=10))
    assert [m.id for p in found for m in p.archived] == [members[2].id, members[3].id]


@pytest.mark.parametrize(
    ("fields", "goes"),
    [
        ({"age_days": 200, "confidence": 0.9}, True),
        ({"age_days": 100, "confidence": 0.9}, False),
        ({"age_days": 200, "confidence": 0.9, "strength": 2}, False),
        ({"age_days": 900, "category": Category.CORRECTION, "confidence": 0.1}, False),
        ({"age_days": 900, "tier": Tier.PINNED}, False),
        ({"age_days": 200, "confidence": 0.9, "access_count": 1, "last_accessed_at": NOW - 89 * DAY}, False),
        ({"age_days": 200, "confidence": 0.9, "access_count": 9, "last_accessed_at": NOW - 90 * DAY}, True),
    ],
)
def test_prune_takes_what_is_as_good_as_forgotten(fields: dict[str, Any], goes: bool) -> None:
    one = memory(1, **fields)
    idle = (NOW - last_used(one)).days
    assert (prune.judge(one, now=NOW, idle_days=idle, settings=TendSettings()) is not None) == goes


def test_a_project_that_rests_or_is_seldom_visited_forgets_slowly() -> None:
    other = Scope(ScopeKind.PROJECT, "elsewhere")
    old = memory(1, age_days=400)
    visits = [session(n, age_days=n * 10, scope=PROJECT) for n in range(40)]
    assert Idleness(visits, [old]).days(old, NOW) == 40 * AGED_BY_WORK
    daily = [session(n, age_days=n, scope=PROJECT) for n in range(400)]
    assert Idleness(daily, [old]).days(old, NOW) == 400
    once = [session(1, age_days=400, scope=PROJECT), *(session(n + 2, age_days=n, scope=other) for n in range(400))]
    assert Idleness(once, [old]).days(old, NOW) == 400 // RESTING
    assert Idleness(once, [old]).days(replace(old, scope=GLOBAL), NOW) == 400  # it ages with any work
    used = [memory(n + 10, age_days=n) for n in range(400)]
    assert Idleness(once, [old, *used]).days(old, NOW) == 400  # worked in without sessions
    assert prune.judge(old, now=NOW, idle_days=89, settings=TendSettings()) is None
    assert sweep.judge(old, now=NOW, idle_days=89, settings=TendSettings()) is None


def test_where_no_session_is_known_the_calendar_counts() -> None:
    old = memory(1, age_days=400)
    assert Idleness([], [old]).days(old, NOW) == 400
    elsewhere = [session(1, age_days=3, scope=Scope(ScopeKind.PROJECT, "elsewhere"))]
    assert Idleness(elsewhere, [old]).days(old, NOW) == 400


def session(number: int, *, age_days: float, scope: Scope) -> Session:
    return Session(id=f"s{number}", scope=scope, started_at=NOW - age_days * DAY)


def test_the_gate_counts_a_scope_over_the_whole_run() -> None:
    gone = [propose("archived", [Change(memory(n), None)], "") for n in range(10)]
    assert not find_losses(gone, live_at_start={PROJECT: 100}, archived_before={}, percent_max=15)
    (loss,) = find_losses(gone, live_at_start={PROJECT: 100}, archived_before={PROJECT: 6}, percent_max=15)
    assert (loss.archived, loss.of) == (16, 100)
    assert not find_losses(gone[:2], live_at_start={PROJECT: 4}, archived_before={}, percent_max=15)


OLD = memory(1, "The API listens on port 8080", age_days=50, provenance=Provenance.OBSERVED)
NEW = memory(2, "The API listens on port 9090", age_days=5, provenance=Provenance.OBSERVED)


@pytest.mark.parametrize(
    ("old", "new", "verdicts", "winner"),
    [
        ({}, {}, {OLD.id: "confirmed"}, OLD),
        ({}, {}, {NEW.id: "confirmed"}, NEW),
        ({}, {}, {OLD.id: "confirmed", NEW.id: "confirmed"}, None),
        ({}, {"provenance": Provenance.USER_STATED}, {}, NEW),
        ({}, {"provenance": Provenance.USER_STATED, "tainted": True}, {}, None),
        ({"strength": 9, "confirmed_at": NOW}, {"confidence": 0.2}, {}, OLD),
        ({"strength": 9, "confirmed_at": NOW}, {"confidence": 0.2, "tier": Tier.PINNED}, {}, None),
        ({}, {}, {}, None),
    ],
)
def test_contradictions_are_decided_by_evidence_or_not_at_all(
    old: dict[str, Any], new: dict[str, Any], verdicts: dict[str, str], winner: Memory | None
) -> None:
    one, other = replace(OLD, **old), replace(NEW, **new)
    for pair in ((one, other), (other, one)):
        found = contradictions.decide(*pair, verdicts, now=NOW)
        assert (found.winner.id if found else None) == (winner.id if winner else None)


def test_the_text_that_stays_is_pinned_or_of_best_origin_or_says_most() -> None:
    short = memory(1, "Deploys run on Friday")
    long = memory(2, "Deploys of the shop run on Friday afternoon")
    heard = memory(3, "Deploys of the shop always run on Friday afternoons at four", provenance=Provenance.INFERRED)
    assert choose([short, long, heard]) is long
    assert choose([replace(short, tier=Tier.PINNED), long]).id == short.id


def test_what_stays_takes_the_highest_confidence_and_all_strength() -> None:
    kept = memory(1, confidence=0.5, strength=2, observation_count=2, tags=("a",))
    other = memory(2, confidence=0.8, strength=3, observation_count=1, tags=("b",), age_days=1)
    after = enriched(kept, [other], now=NOW)
    assert (after.confidence, after.strength, after.observation_count, after.tags) == (0.8, 5, 3, ("a", "b"))
    assert after.confirmed_at == other.confirmed_at


@pytest.mark.parametrize(
    ("one", "other"),
    [("unit-tests", "unit_test"), ("postgres", "postgresql"), ("deployment", "deployments"), ("k8s", "kubernetes")],
)
def test_tags_of_one_meaning_have_one_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


def test_a_rare_slip_of_the_pen_joins_the_tag_that_was_meant() -> None:
    assert same_tags({"inventory": 20, "inventroy": 1, "inventories": 2, "invention": 9}) == {
        "inventroy": "inventory",
        "inventories": "inventory",
    }
    assert not is_slip("python", "pythons")
    assert same_tags({"staging": 3, "staring": 2}) == {}


def test_a_gap_closes_when_a_memory_answers_it_and_is_dropped_when_nobody_asks() -> None:
    gap = Gap(
        id="g", snippet="which port does staging use", session_id=None, scope=PROJECT, seen_count=1,
        created_at=NOW - 10 * DAY, last_seen_at=NOW - 10 * DAY,
    )  # fmt: skip
    answer, old = memory(1, "The staging port is 5433"), memory(2, "The staging port is 5432", age_days=20)
    month = timedelta(days=30)
    assert gap_closing.judge(gap, [old, answer], now=NOW, drop_after=month).closed_by == answer.id
    assert gap_closing.judge(gap, [old], now=NOW, drop_after=month) == gap
    assert gap_closing.judge(gap, [], now=NOW, drop_after=timedelta(days=9)).closed_at == NOW
