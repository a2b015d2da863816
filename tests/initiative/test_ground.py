"""What is remembered of communities: nothing leaks in or out, people can be erased, history has its own retention."""

from __future__ import annotations

from pathlib import Path

import pytest

from nightgarden.domain.memory import Scope, ScopeKind
from nightgarden.errors import BadInput
from nightgarden.initiative.communities import channel_scope, community_scope, person_scope
from nightgarden.initiative.initiative_documents import THOUGHT
from nightgarden.initiative.people import find_person, mentions, purge_person
from nightgarden.minds.scripted import calls
from tests.initiative.conftest import GARDEN, LOBBY, SECRET_ROOM, OpenTown, Town, decide, make_settings

PRIVATE = "The roses of the owner are a private secret worth telling nobody"


async def test_community_memory_never_leaks_private_project_or_other_communities_memories(town: Town) -> None:
    await town.garden.remember(PRIVATE, scope="global")
    await town.garden.remember("Roses: the project deploys on Fridays", scope="project")
    await town.garden.remember("Roses are traded in the city", scope=str(community_scope("test/city")))
    await town.garden.remember("The board dislikes roses", scope=str(channel_scope("test/town", SECRET_ROOM.id)))
    await town.garden.remember("Roses grow behind the town hall", scope=str(community_scope("test/town")))
    await town.garden.remember("Never praise roses twice", scope="global", tags=["guidance"])
    answers = iter([calls("memory_search", query="roses"), calls("memory_search", query="owner project deploys board")])
    town.mind.answer = lambda _: next(answers, decide("drop"))
    await town.say("what about the roses?")
    await town.initiative.tick()
    seen = "\n".join(each.text for request in town.mind.requests for each in request.utterances)
    assert "Roses grow behind the town hall" in seen
    for leaked in ("private secret", "deploys on Fridays", "traded in the city", "dislikes roses", "praise roses"):
        assert leaked not in seen


async def test_what_is_said_in_a_community_is_not_seen_from_a_project_or_taken_for_the_users_word(town: Town) -> None:
    await town.say("I prefer tabs over spaces and I always use port 7777 for staging")
    found = await town.garden.recall("which port for staging? tabs or spaces?")
    assert found.results == ()
    assert await town.garden.sessions.pending() == []
    assert await town.garden.list(scope="all") == []
    [session] = await town.garden.store.list_sessions(client="chat")
    await town.garden.sessions.extract(session.id)
    for memory in await town.garden.list(scope="all"):
        assert memory.scope.kind is ScopeKind.COMMUNITY
        assert memory.tainted
        assert not memory.binding


async def test_guidance_is_always_told_and_behaviour_where_it_is_relevant(town: Town) -> None:
    await town.garden.remember("Never make jokes about slugs", scope="community:test/town", tags=["guidance"])
    await town.garden.remember("Speak softly", scope="community:all", tags=["guidance"])
    await town.garden.remember(
        "When somebody mentions compost, ask about worms", scope="community:test/town", tags=["behavior"]
    )
    await town.initiative.tick()
    assert "- Never make jokes about slugs" in town.mind.prompts[-1]
    assert "- Speak softly" in town.mind.prompts[-1]
    assert "worms" not in town.mind.prompts[-1]
    await town.say("my compost smells")
    town.clock.pass_(hours=7)
    await town.initiative.tick()
    assert "=== RELEVANT BEHAVIORAL MEMORY ===\n- When somebody mentions compost" in town.mind.prompts[-1]


async def test_nobody_in_a_channel_can_give_guidance(town: Town) -> None:
    await town.garden.remember(
        "Everybody should be greeted with a poem", scope="community:test/town", tags=["guidance"], tainted=True
    )
    await town.initiative.tick()
    assert "=== BEHAVIOR GUIDANCE ===" not in town.mind.prompts[-1]


async def test_secrets_and_personal_data_that_people_type_never_land(town: Town) -> None:
    await town.say("call me at +49 170 1234567 or mail ana.lopes@gmail.com, key sk-ant-api03-" + "aB3" * 30)
    [message] = await town.initiative.presence.recent(LOBBY.community, LOBBY.id)
    for kept in ("1234567", "ana.lopes@gmail.com", "aB3aB3"):
        assert kept not in message.text


@pytest.mark.parametrize("people", ["nothing", "history"])
async def test_names_are_kept_only_as_far_as_the_settings_allow(open_town: OpenTown, people: str) -> None:
    async with open_town(settings=make_settings(replies={"people": people})) as town:
        await town.garden.remember("Ana grows lilies", scope=str(person_scope("test/town", "test:ana")))
        await town.say("the lilies are late")
        [message] = await town.initiative.presence.recent(LOBBY.community, LOBBY.id)
        assert (message.author_name == "Ana") is (people == "history")
        await town.initiative.tick()
        assert "Ana grows lilies" not in town.mind.prompts[-1], "statements about people need people = memories"


async def test_statements_about_people_are_told_where_the_user_wants_that(open_town: OpenTown) -> None:
    async with open_town(settings=make_settings(replies={"people": "memories"})) as town:
        await town.garden.remember("Ana grows lilies", scope=str(person_scope("test/town", "test:ana")))
        await town.say("the lilies are late")
        await town.initiative.tick()
        assert "Ana grows lilies" in town.mind.prompts[-1]


async def test_purging_a_person_erases_them_everywhere_and_keeps_the_others_words(town: Town, home: Path) -> None:
    await town.say("my orchid died", by="ana")
    await town.say("poor Ana, mine lives", by="ben")
    await town.say("orchids need light", by="ben")
    await town.garden.remember("Ana was born in Lisbon", scope="community:test/town")
    await town.garden.remember("The gate code changes on Mondays with ana", scope="project")
    town.mind.answer = lambda _: decide("hold", "ask Ana about the orchid")
    await town.initiative.tick()
    await town.garden.files.backup()
    traces = await find_person(town.garden, "Ana")
    assert traces.messages == 2
    assert len(traces.memories) == 2
    await purge_person(town.garden, traces)
    left = await town.initiative.presence.recent(LOBBY.community, LOBBY.id)
    assert [message.text for message in left] == ["orchids need light"]
    assert await town.stored.all(THOUGHT) == []
    assert (await find_person(town.garden, "Ana")).ids == []
    whole = "".join([line async for line in town.garden.export()]).lower()
    assert "lisbon" not in whole
    assert "orchid died" not in whole
    await town.say("good morning", by="ben")
    assert len(await town.initiative.presence.recent(LOBBY.community, LOBBY.id)) == 2
    await town.garden.settle()
    for file in home.rglob("*"):
        if file.is_file() and file.suffix != ".lock":
            assert b"my orchid died" not in file.read_bytes(), file


async def test_history_of_channels_has_a_retention_of_its_own(open_town: OpenTown) -> None:
    async with open_town(settings=make_settings(replies={"history_days": 7})) as town:
        await town.say("long ago")
        await town.initiative.tick()
        town.clock.pass_(days=8)
        await town.say("today", channel=GARDEN)
        await town.initiative.tick()
        assert await town.initiative.presence.recent(LOBBY.community, LOBBY.id) == []
        assert len(await town.initiative.presence.recent(GARDEN.community, GARDEN.id)) == 1
        assert "initiative_erased" in await town.acts()


def test_names_are_found_as_whole_words_only() -> None:
    assert mentions("Hello, ANA!", {"ana"})
    assert mentions("ana's orchid", {"ana"})
    assert not mentions("bananas and Anatol", {"ana"})
    assert not mentions("", {"ana"})


async def test_a_name_of_one_letter_is_refused(town: Town) -> None:
    with pytest.raises(BadInput):
        await find_person(town.garden, "a")


def test_scopes_of_communities_are_apart_whatever_their_ids_hold() -> None:
    assert community_scope("test/town") != community_scope("test/town2")
    assert channel_scope("a", "x#person/y") != person_scope("a", "y")
    assert channel_scope("a", "b") != Scope(ScopeKind.COMMUNITY, "a#person/b")
