"""The write path through the garden: verdicts, and that no input crashes it or slips past a rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nightgarden import (
    Flagged,
    Garden,
    Provenance,
    Refused,
    Reinforced,
    Saved,
    Settings,
    Status,
    Superseded,
)
from nightgarden.domain.belief import OUTSIDE_CONFIDENCE_MAX
from nightgarden.domain.doubt import Doubt, DoubtKind
from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.journal import Change, Origin
from nightgarden.remember.refuse import refuse
from nightgarden.settings import EmbeddingSettings, RememberSettings

WORDS_ONLY = Settings(embedding=EmbeddingSettings(model="off"))


@pytest.fixture
async def garden(tmp_path):
    async with Garden.open(tmp_path / "g.db", directory=tmp_path, settings=WORDS_ONLY) as opened:
        yield opened


async def test_the_same_statement_lands_once_and_leaves_breadcrumbs(garden):
    first = await garden.remember("The API listens on port 8080")
    again = await garden.remember("the API listens on port 8080", session_id="s", message_range=("m", "m"))
    assert isinstance(first, Saved)
    assert isinstance(again, Reinforced)
    assert again.id == first.id
    assert (again.memory.strength, again.memory.observation_count) == (2, 2)
    assert again.memory.reinforcements[0].session_id == "s"


async def test_a_changed_value_supersedes_and_keeps_the_history(garden):
    old = await garden.remember("The API listens on port 8080")
    new = await garden.remember("The API port was changed from 8080 to 9090")
    assert isinstance(new, Superseded)
    assert new.replaced_ids == (old.id,)
    past = await garden.get(old.id)
    assert past.superseded_by == new.id
    assert past.valid_until is not None
    assert past.status is Status.ARCHIVED
    edges = await garden.store.edges([new.id], kinds=[EdgeKind.SUPERSEDES])
    assert [(edge.source, edge.target) for edge in edges] == [(new.id, old.id)]
    assert "has changed" in (await garden.history(old.id))[-1].reason


async def test_an_old_session_read_late_does_not_replace_what_is_newer(garden):
    now = datetime.now(UTC)
    new = await garden.remember("The API port is 9090", at=now)
    old = await garden.remember("The API port was changed from 9090 to 8080", at=now - timedelta(days=30))
    assert isinstance(old, Superseded)
    assert old.id == new.id
    assert (await garden.get(new.id)).live
    assert not (await garden.get(old.replaced_ids[0])).live


async def test_an_unsure_contradiction_keeps_both_and_can_be_settled(garden):
    known = await garden.remember("The API listens on port 8080")
    doubt = await garden.remember("The API listens on port 9090", tainted=True, provenance=Provenance.OBSERVED)
    assert isinstance(doubt, Flagged)
    assert doubt.conflicting_ids == (known.id,)
    assert [memory.id for memory in await garden.list(flagged=True)] == [doubt.id]
    await garden.settle_flag(doubt.id, "keep")
    assert not (await garden.get(known.id)).live
    assert await garden.list(flagged=True) == []


async def test_a_doubt_ends_with_the_memory_that_it_was_about(garden):
    known = await garden.remember("The API listens on port 8080")
    other = await garden.remember("The API for partners listens on a socket")
    doubt = Doubt(kind=DoubtKind.CONTRADICTS, against=(known.id,), rule="outdated")
    doubted = replace(other.memory, doubts=(doubt,))
    await garden.store.apply([Change(other.memory, doubted)], Origin(actor="test"), at=datetime.now(UTC))
    told = await garden.remember("The API port was changed from 8080 to 7070")
    assert isinstance(told, Superseded)
    assert told.replaced_ids == (known.id,)
    assert await garden.list(flagged=True) == []


async def test_a_candidate_is_promoted_when_it_is_seen_again(garden):
    first = await garden.remember("The linter runs before every commit", provenance=Provenance.OBSERVED)
    assert first.memory.status is Status.CANDIDATE
    again = await garden.remember("The linter runs before every commit", provenance=Provenance.OBSERVED)
    assert again.memory.status is Status.PROMOTED


async def test_a_rule_can_be_lifted_by_a_person_for_one_text(garden):
    text = "Mail Anna at anna.berger@gmail.com about the keys to the boathouse"
    refused = await garden.remember(text)
    assert isinstance(refused, Refused)
    assert refused.rule.id == "personal-data"
    assert isinstance(await garden.remember(text, allow=["personal-data"]), Saved)


async def test_strict_mode_takes_only_weighty_kinds(garden):
    assert isinstance(await garden.remember("Tea is nice", strict=True), Refused)
    taken = await garden.remember(
        "Migrations always get a down script", strict=True, category="convention", importance="high"
    )
    assert isinstance(taken, Saved)
    assert taken.memory.confidence == 1.0


async def test_a_secret_in_a_long_memory_is_redacted_when_the_user_set_that(tmp_path):
    chosen = Settings(embedding=EmbeddingSettings(model="off"), remember=RememberSettings(redact_secrets=True))
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    async with Garden.open(tmp_path / "g.db", directory=tmp_path, settings=chosen) as garden:
        verdict = await garden.remember(
            f"The deploy bot of the booking service logs in with the token {token} and runs every night at two"
        )
        assert isinstance(verdict, Saved)
        assert token not in verdict.memory.content
        assert "redacted" in verdict.memory.content
    assert token.encode() not in (tmp_path / "g.db").read_bytes()


async def test_tags_and_paths_are_read_from_the_text(garden):
    verdict = await garden.remember("src/billing/invoice.py talks to PostgreSQL")
    assert "src/billing/invoice.py" in verdict.memory.file_paths
    assert {"python", "postgresql"} <= set(verdict.memory.tags)


async def test_a_global_memory_is_known_in_every_project(garden):
    known = await garden.remember("User prefers short answers", scope="global")
    again = await garden.remember("User prefers short answers")
    assert isinstance(again, Reinforced)
    assert again.id == known.id


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=400), outside=st.booleans())
async def test_no_input_crashes_it_and_nothing_stored_is_what_a_rule_refuses(garden, text, outside):
    before = {memory.id for memory in await garden.list(limit=None)}
    verdict = await garden.remember(text, outside=outside)
    after = {memory.id for memory in await garden.list(limit=None)}
    if isinstance(verdict, Refused):
        assert after == before
    else:
        assert not isinstance(refuse(verdict.memory.content, tainted=outside), Refused)


async def test_a_tag_takes_the_spelling_the_garden_uses_already(garden):
    await garden.remember("The schema lives beside the code", tags=["databases"])
    again = await garden.remember("Backups are checked every Monday", tags=["database"])
    assert again.memory.tags == ("databases",)


async def test_outside_text_repeated_is_still_outside_text(garden: Garden) -> None:
    text = "The mirror of the registry moved to packages.example"
    for _ in range(30):
        verdict = await garden.remember(text, provenance="observed", tainted=True)
    (memory,) = await garden.list()
    assert verdict.id == memory.id
    assert (memory.tainted, memory.status, memory.strength) == (True, Status.CANDIDATE, 1)
    assert memory.confidence <= max(0.6, OUTSIDE_CONFIDENCE_MAX)
    for _ in range(30):  # an agent that repeats what it read makes it no truer
        await garden.remember(text, provenance="observed", actor="agent")
    (memory,) = await garden.list()
    assert (memory.tainted, memory.status, memory.confidence) == (True, Status.CANDIDATE, 0.6)


async def test_outside_text_raises_no_belief_in_what_others_said(garden: Garden) -> None:
    await garden.remember("Bo reviews the calendar", provenance="inferred", importance="low")
    for _ in range(30):
        await garden.remember("Bo reviews the calendar", tainted=True, importance="high", tags=["planted"])
    (memory,) = await garden.list()
    assert (memory.tainted, memory.status, memory.importance) == (False, Status.CANDIDATE, "low")
    assert memory.confidence <= OUTSIDE_CONFIDENCE_MAX
    assert "planted" not in memory.tags


async def test_what_an_agent_said_first_and_the_user_says_now_is_the_users_word(garden: Garden) -> None:
    await garden.remember("Bo reviews the calendar", provenance="observed", actor="agent")
    await garden.remember("Bo reviews the calendar")
    (memory,) = await garden.list()
    assert (memory.provenance, memory.trust, memory.status) == ("user_stated", 1.0, Status.PROMOTED)


async def test_an_agent_never_replaces_what_the_user_said_however_sure_it_is(garden: Garden) -> None:
    kept = await garden.remember("The staging database runs on port 5433")
    said: dict[str, Any] = {"provenance": "observed", "confidence": 1.0, "actor": "agent"}
    for _ in range(3):
        verdict = await garden.remember("The staging database runs on port 6000", **said)
    assert (await garden.get(str(kept.id))).live
    assert not isinstance(verdict, Superseded)
