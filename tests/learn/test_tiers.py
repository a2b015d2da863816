"""What counts: candidates behind promoted ones, pinned ones in every briefing, fading ones only in deep searches, and
nothing unasked that nobody believes, that never helped, or that is out of season."""

from __future__ import annotations

from datetime import timedelta

from nightgarden import Garden
from nightgarden.domain.memory import Status, Tier
from nightgarden.recall.options import Request
from tests.conftest import Open, Ticking

PROMPT = "which port does the staging database use?"


async def test_a_candidate_is_listed_promoted_pinned_and_unpinned(garden: Garden) -> None:
    saved = await garden.remember("The staging database listens on port 5433", provenance="observed")
    assert saved.id is not None
    (candidate,) = await garden.learn.tiers.candidates()
    assert candidate.status is Status.CANDIDATE
    promoted = await garden.learn.tiers.promote(saved.id)
    assert (promoted.status, promoted.tier) == (Status.PROMOTED, Tier.ACTIVE)
    assert await garden.learn.tiers.candidates() == []
    assert (await garden.learn.tiers.pin(saved.id)).pinned
    assert (await garden.learn.tiers.unpin(saved.id)).tier is Tier.ACTIVE
    await garden.undo()
    assert (await garden.get(saved.id)).pinned


async def test_of_two_that_fit_alike_the_candidate_comes_second(garden: Garden) -> None:
    await garden.remember("The staging database port is 5433 for services", provenance="observed")
    await garden.remember("The staging database port is 5433 for people")
    found = await garden.recall("staging database port")
    assert [result.content[-6:] for result in found.results] == ["people", "rvices"]


async def test_all_pinned_memories_are_briefed_as_long_as_there_is_room(garden: Garden) -> None:
    words = "apple brick cedar dune ember fjord grain heron ivory jetty kelp lotus".split()
    for word in words:
        await garden.remember(f"The {word} service is deployed from its own {word} repository", pinned=True)
    (section,) = [s for s in (await garden.briefing()).sections if s.title == "Pinned"]
    assert len(section.lines) == len(words)


async def test_what_fades_is_found_in_deep_searches_or_when_nothing_else_is(open_garden: Open) -> None:
    clock = Ticking()
    async with open_garden(clock=clock) as garden:
        await garden.remember("The staging database listens on port 5433")
        clock.moment += timedelta(days=100)
        await garden.tend("sweep")
        (faded,) = await garden.list()
        assert faded.tier is Tier.FADING
        assert [r.id for r in (await garden.recall(PROMPT)).results] == [faded.id]  # nothing else is there
        fresh = await garden.remember("The staging database runs PostgreSQL 16")
        assert [r.id for r in (await garden.recall("staging database")).results] == [fresh.id]
        deep = await garden.recall_request(Request(query="staging database", deep=True))
        assert {r.id for r in deep.results} == {faded.id, fresh.id}
        assert await garden.turn("on which port does staging listen?", session_id="s1") is None


async def test_what_never_helped_is_not_shown_unasked(garden: Garden) -> None:
    saved = await garden.remember("The staging database listens on port 5433")
    assert saved.id is not None
    assert await garden.turn(PROMPT, session_id="s1") is not None
    for _ in range(8):
        await garden.feedback(saved.id, helpful=False)
    assert await garden.turn(PROMPT, session_id="s2") is None
    assert "5433" not in (await garden.briefing()).text
    assert (await garden.recall(PROMPT)).results


async def test_what_is_no_longer_believed_is_not_shown_unasked(open_garden: Open) -> None:
    clock = Ticking()
    async with open_garden(clock=clock) as garden:
        await garden.remember("The staging database listens on port 5433")
        clock.moment += timedelta(days=29)
        assert await garden.turn(PROMPT, session_id="s1") is not None
        await garden.settle()
        clock.moment += timedelta(days=160)
        assert await garden.turn(PROMPT, session_id="s2") is None
        assert (await garden.recall(PROMPT)).results


async def test_a_seasonal_memory_is_shown_in_its_season(open_garden: Open) -> None:
    async with open_garden() as garden:  # November
        await garden.remember("The staging database listens on port 5433", seasonal="july")
        assert await garden.turn(PROMPT, session_id="s1") is None
        assert "5433" not in (await garden.briefing()).text
        await garden.remember("The release branch is called freeze", seasonal="november")
        assert await garden.turn("what is the release branch called?", session_id="s2") is not None
        await garden.remember("Deploys of the shop need two reviewers", seasonal="release-week")
        assert "two reviewers" not in (await garden.briefing()).text
        assert "two reviewers" in (await garden.briefing(task="prepare the release week of the shop")).text
        asked = await garden.turn("it is release week: do deploys of the shop need reviewers?", session_id="s3")
        assert asked is not None
