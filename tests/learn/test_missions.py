"""A mission has memories of its own; its end hands over what it taught, once, and an undo takes that back."""

from __future__ import annotations

import asyncio

import pytest

from nightgarden import Garden
from nightgarden.domain.memory import Status
from nightgarden.domain.verdict import Saved
from nightgarden.errors import BadInput, NotFound
from tests.learn.conftest import Read
from tests.learn.corpus import scripts


async def contents(garden: Garden, scope: str = "project") -> set[str]:
    return {memory.content for memory in await garden.list(scope=scope) if memory.episode is None}


async def noted(garden: Garden) -> None:
    await garden.learn.missions.note("We decided to sign the packages with the new key")
    await garden.learn.missions.note("The upload to staging fails without the VPN", category="gotcha")
    await garden.remember("Maybe the mirror is slow", scope="mission:release-2-1", provenance="inferred")


async def test_success_copies_what_qualifies_and_keeps_the_originals(garden: Garden) -> None:
    mission = await garden.learn.missions.start("Release 2.1", goal="packages are out")
    assert mission.id == "release-2-1"
    await noted(garden)
    before = await contents(garden, "mission:release-2-1")
    assert await contents(garden) == set()
    ended = await garden.learn.missions.end("success")
    assert await contents(garden) == before - {"Maybe the mirror is slow"}
    assert await contents(garden, "mission:release-2-1") == before
    copied = [memory for memory in await garden.list(scope="project") if memory.episode is None]
    assert all(memory.status is Status.PROMOTED and memory.provenance == "promoted" for memory in copied)
    again = await garden.learn.missions.end("success", mission_id=mission.id)
    assert again.report.stored == []
    await garden.undo(ended.report.cycle)
    assert await contents(garden) == set()
    assert (await garden.learn.missions.end("success", mission_id=mission.id)).report.stored == []


async def test_failure_extracts_what_went_wrong(garden: Garden) -> None:
    await garden.learn.missions.start("Release 2.1")
    await noted(garden)
    await garden.learn.missions.end("failure", reason="the signing server was down all night")
    found = [memory for memory in await garden.list(scope="project") if memory.episode is None]
    assert {memory.category for memory in found} == {"gotcha"}
    assert {memory.content for memory in found} == {
        "The upload to staging fails without the VPN",
        "Release 2.1 failed: the signing server was down all night",
    }


async def test_a_mission_that_ended_is_an_episode_made_of_its_notes_and_sessions(garden: Garden, read: Read) -> None:
    missions = garden.learn.missions
    await read(garden, [script for script in scripts() if script.name == "mig2"])
    await garden.tend("learn")
    (session,) = await garden.learn.episodes()
    await missions.start("Index the customers", goal="search is fast", session_id=session.session_id)
    await missions.note("We decided to index by address and name", category="decision")
    ended = await missions.end("failure", reason="the index took the whole night to build")
    (mission,) = await garden.learn.episodes(outcome="failure")
    assert mission.episode is not None
    assert session.episode is not None
    assert mission.episode.task == "Index the customers: search is fast"
    assert mission.episode.approach == session.episode.task
    assert mission.episode.gotchas == ("the index took the whole night to build", *session.episode.gotchas)
    assert mission.episode.decisions == ("We decided to index by address and name",)
    assert mission.episode.files == session.episode.files
    await missions.end("failure", mission_id=ended.mission.id)
    assert len(await garden.learn.episodes()) == 2
    await garden.undo(ended.report.cycle)
    await missions.end("failure", mission_id=ended.mission.id)
    assert [memory.id for memory in await garden.learn.episodes()] == [session.id]
    await missions.start("Nothing came of it")
    await missions.end("success")
    assert len(await garden.learn.episodes()) == 1


async def test_cancelling_leaves_everything_where_it_is_and_one_entry_can_be_promoted(garden: Garden) -> None:
    await garden.learn.missions.start("Release 2.1")
    await noted(garden)
    await garden.learn.missions.end("cancelled")
    assert await contents(garden) == set()
    gotcha = next(m for m in await garden.learn.missions.memories("release-2-1") if m.category == "gotcha")
    verdict = await garden.learn.missions.promote(gotcha.id)
    assert isinstance(verdict, Saved)
    assert await contents(garden) == {gotcha.content}
    with pytest.raises(BadInput, match="ended already: cancelled"):
        await garden.learn.missions.end("success", mission_id="release-2-1")
    with pytest.raises(BadInput, match="ended"):
        await garden.learn.missions.note("Something else was found here", mission_id="release-2-1")


async def test_two_who_end_a_mission_at_once_hand_over_once(garden: Garden) -> None:
    await garden.learn.missions.start("Release 2.1")
    await noted(garden)
    ends = await asyncio.gather(*(garden.learn.missions.end("success") for _ in range(4)), return_exceptions=True)
    stored = [id for end in ends if not isinstance(end, BaseException) for id in end.report.stored]
    assert len(stored) == len(set(stored)) == 2


async def test_names_are_unique_and_starting_again_goes_on(garden: Garden) -> None:
    first = await garden.learn.missions.start("Release")
    assert (await garden.learn.missions.start("release")).id == first.id
    await garden.learn.missions.end("success")
    second = await garden.learn.missions.start("Release")
    assert second.id == "release-2"
    assert [mission.id for mission in await garden.learn.missions.list()] == ["release-2", "release"]
    with pytest.raises(NotFound):
        await garden.learn.missions.get("nothing")
    with pytest.raises(BadInput):
        await garden.learn.missions.start("…")
