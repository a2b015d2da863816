"""The public API, seen as its users see it."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from nightgarden import (
    Category,
    EdgeKind,
    Flagged,
    Garden,
    Importance,
    Message,
    Refused,
    Reinforced,
    Saved,
    Scope,
    ScopeKind,
    Session,
    Settings,
    Status,
    Superseded,
    Tier,
)
from nightgarden.errors import BadInput, Conflict, NotFound, StoreUnavailable
from nightgarden.settings import EmbeddingSettings
from tests.cli.command import environment
from tests.conftest import Open

PORT = "The staging database runs on port 5433"


async def saved(garden: Garden, text: str, **more: object) -> str:
    verdict = await garden.remember(text, **more)  # type: ignore[arg-type]
    assert isinstance(verdict, Saved), verdict
    return verdict.id


async def found(garden: Garden, query: str, **more: object) -> list[str]:
    return [result.id for result in (await garden.recall(query, **more)).results]  # type: ignore[arg-type]


async def test_what_is_remembered_is_recalled_with_a_reason(garden: Garden) -> None:
    memory_id = await saved(garden, PORT)
    await saved(garden, "Ada prefers tea in the morning")
    recalled = await garden.recall("which port does staging use?")
    first = recalled.results[0]
    assert (first.id, first.kind, first.content) == (memory_id, "memory", PORT)
    assert first.score > 0
    assert first.reasons
    assert recalled.query == "which port does staging use?"


async def test_it_is_there_after_closing_and_opening(open_garden: Open) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, PORT, tags=["Infra"])
    async with open_garden() as garden:
        memory = await garden.get(memory_id)
        assert (memory.content, memory.tags, memory.status) == (PORT, ("infra",), Status.PROMOTED)
        assert await found(garden, "staging port") == [memory_id]


async def test_saying_it_again_makes_it_stronger_instead_of_two(garden: Garden) -> None:
    memory_id = await saved(garden, PORT)
    again = await garden.remember("the staging database runs on  PORT 5433.", tags=["db"])
    assert isinstance(again, Reinforced)
    assert (again.id, again.memory.strength, again.memory.observation_count) == (memory_id, 2, 2)
    assert again.rule.sentence
    assert "db" in again.memory.tags
    assert len(await garden.list()) == 1


async def test_fifty_who_say_the_same_at_once_make_one_memory_of_strength_fifty(garden: Garden) -> None:
    verdicts = await asyncio.gather(*(garden.remember(PORT) for _ in range(50)))
    assert sum(isinstance(verdict, Saved) for verdict in verdicts) == 1
    assert sum(isinstance(verdict, Reinforced) for verdict in verdicts) == 49
    (memory,) = await garden.list()
    assert memory.strength == 50
    assert len(await garden.history(memory.id)) == 50


async def test_a_changed_fact_replaces_the_old_one_and_the_past_can_still_be_asked(garden: Garden) -> None:
    old_id = await saved(garden, PORT)
    before = (await garden.get(old_id)).created_at
    verdict = await garden.remember("The staging database was moved from port 5433 to 5434")
    assert isinstance(verdict, Superseded)
    assert verdict.replaced_ids == (old_id,)
    old = await garden.get(old_id)
    assert (old.status, old.superseded_by, old.live) == (Status.ARCHIVED, verdict.id, False)
    assert await found(garden, "staging database port") == [verdict.id]
    assert old_id in await found(garden, "staging database port", as_of=before + timedelta(milliseconds=1))


async def test_a_doubtful_contradiction_is_flagged_and_settled_by_its_user(garden: Garden) -> None:
    old_id = await saved(garden, "We deploy on Fridays")
    verdict = await garden.remember("We deploy on Mondays", provenance="inferred", confidence=0.4)
    assert isinstance(verdict, Flagged)
    assert verdict.conflicting_ids == (old_id,)
    assert [memory.id for memory in await garden.list(flagged=True)] == [verdict.id]
    kept = await garden.settle_flag(verdict.id, "keep")
    assert kept.doubts == ()
    assert (await garden.get(old_id)).superseded_by == verdict.id
    with pytest.raises(BadInput, match="keep, drop or both"):
        await garden.settle_flag(verdict.id, "perhaps")


@pytest.mark.parametrize("text", ["", "   \n\t", "\x00\x00", "…!", "\u200b"])
async def test_nothing_to_remember_is_refused_with_the_rule(garden: Garden, text: str) -> None:
    verdict = await garden.remember(text)
    assert isinstance(verdict, Refused)
    assert (verdict.id, verdict.rule.id) == (None, "empty")
    assert (await garden.stats()).counts.journal_entries == 0


async def test_ten_megabytes_are_refused_quickly_and_can_be_allowed(garden: Garden) -> None:
    verdict = await garden.remember("long " * 2_000_000)
    assert isinstance(verdict, Refused)
    assert verdict.rule.id == "too-long"
    allowed = await garden.remember("a word and another " * 600, allow=["too-long"])
    assert isinstance(allowed, Saved)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The build\x00 server is called Rose", "The build server is called Rose"),
        ("The \udcff server is called Tulip", "The \ufffd server is called Tulip"),
        ("השרת של הבדיקות נקרא ורד", "השרת של הבדיקות נקרא ורד"),
        ("The release emoji is 👩🏽‍🚀🚀", "The release emoji is 👩🏽‍🚀🚀"),
        ("数据库服务器在端口上运行", "数据库服务器在端口上运行"),
    ],
)
async def test_text_of_every_kind_is_kept_and_found(garden: Garden, text: str, kept: str) -> None:
    memory_id = await saved(garden, text)
    assert (await garden.get(memory_id)).content == kept
    assert await found(garden, kept) == [memory_id]


async def test_too_many_or_too_long_tags_are_refused_in_words(garden: Garden) -> None:
    memory_id = await saved(garden, PORT)
    with pytest.raises(BadInput, match="100,000 tags are too many"):
        await garden.remember("Another thing entirely", tags=[f"t{n}" for n in range(100_000)])
    with pytest.raises(BadInput, match="too many"):
        await garden.tag(memory_id, add=[f"t{n}" for n in range(101)])
    with pytest.raises(BadInput, match="too long"):
        await garden.tag(memory_id, add=["t" * 101])
    assert (await garden.get(memory_id)).tags == ()


async def test_a_wrong_argument_is_named_with_what_is_allowed(garden: Garden) -> None:
    for call, said in (
        (garden.remember(PORT, category="rumour"), "unknown category 'rumour'; use one of fact, preference"),
        (garden.remember(PORT, importance="huge"), "low, medium, high"),
        (garden.remember(PORT, scope="galaxy"), "unknown scope"),
        (garden.remember(PORT, created_at=datetime(2026, 1, 1)), "without a time zone"),  # noqa: DTZ001 - the point
        (garden.recall("x", as_of=datetime(2026, 1, 1)), "without a time zone"),  # noqa: DTZ001 - the point
        (garden.get("nobody"), "there is no memory 'nobody'"),
        (garden.get("\udcff"), "there is no memory"),
        (garden.undo("nothing"), "no journal entry or cycle"),
        (garden.sessions.get("none"), "there is no session"),
        (garden.import_("/nonexistent/file"), "there is no file"),
    ):
        with pytest.raises(BadInput, match=said):
            await call


async def test_fields_are_updated_and_the_rest_is_left_alone(garden: Garden) -> None:
    memory_id = await saved(garden, PORT, tags=["db"])
    after = await garden.update(
        memory_id, content="The staging database listens on 5435", importance="high", pinned=True
    )
    assert (after.importance, after.tier, after.tags) == (Importance.HIGH, Tier.PINNED, ("db",))
    assert await found(garden, "listens") == [memory_id]
    assert await found(garden, "5433") == []
    assert await garden.update(memory_id) == after
    with pytest.raises(BadInput, match="between 0 and 1"):
        await garden.update(memory_id, confidence=3)
    with pytest.raises(BadInput, match="secret"):
        await garden.update(memory_id, content="The key is AKIAIOSFODNN7EXAMPLQ")
    assert await garden.get(memory_id) == after


async def test_an_update_that_says_what_another_says_is_a_conflict(garden: Garden) -> None:
    await saved(garden, PORT)
    other_id = await saved(garden, "Ada prefers tea in the morning")
    with pytest.raises(Conflict, match="says the same already"):
        await garden.update(other_id, content=PORT)


async def test_forgotten_is_out_of_recall_and_restored_is_back(garden: Garden) -> None:
    memory_id = await saved(garden, PORT)
    archived = await garden.forget(memory_id, reason="moved")
    assert (archived.status, await found(garden, "staging port"), await garden.list()) == (Status.ARCHIVED, [], [])
    assert [memory.id for memory in await garden.list(archived=True)] == [memory_id]
    assert (await garden.history(memory_id))[-1].reason == "moved"
    assert await garden.forget(memory_id) == archived
    restored = await garden.restore(memory_id)
    assert (restored.live, await found(garden, "staging port")) == (True, [memory_id])


async def test_what_was_forgotten_and_said_again_is_a_memory_of_its_own_and_restoring_the_old_one_conflicts(
    garden: Garden,
) -> None:
    old_id = await saved(garden, PORT)
    await garden.forget(old_id)
    new_id = await saved(garden, PORT)
    assert new_id != old_id
    with pytest.raises(Conflict, match="says the same already"):
        await garden.restore(old_id)


async def test_tags_and_links_make_a_graph_that_can_be_walked(garden: Garden) -> None:
    one = await saved(garden, PORT)
    two = await saved(garden, "Backups of staging run at night")
    three = await saved(garden, "Ada prefers tea in the morning")
    tagged = await garden.tag(one, add=["Infra", "#Data Base"], remove=["nothing"])
    assert tagged.tags == ("data-base", "infra")
    assert [(tag.name, tag.memory_count) for tag in await garden.tags()] == [("data-base", 1), ("infra", 1)]
    assert [memory.id for memory in await garden.list(tag="data base")] == [one]
    edge = await garden.link(one, two, weight=0.4)
    assert (await garden.link(one, two, weight=0.8)).weight == 0.8
    await garden.link(two, three, EdgeKind.DERIVED_FROM)
    assert edge.kind is EdgeKind.RELATES_TO
    assert [(memory.id, e.kind) for memory, e in await garden.related(one)] == [(two, EdgeKind.RELATES_TO)]
    assert {memory.id for memory, _ in await garden.related(one, depth=2)} == {two, three}
    await garden.forget(three)
    assert {memory.id for memory, _ in await garden.related(one, depth=2)} == {two}
    for wrong in (
        garden.link(one, one),
        garden.link(one, two, "has_tag"),
        garden.link(one, two, "loves"),
        garden.link(one, two, weight=0),
        garden.link(one, "nobody"),
    ):
        with pytest.raises(BadInput):
            await wrong


async def test_memories_stay_in_their_scope(open_garden: Open, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    async with open_garden() as garden:
        here = await saved(garden, PORT)
        everywhere = await saved(garden, "Ada prefers tea in the morning", scope="global")
        agent = await saved(garden, "The reviewer agent is strict about staging names", scope="agent:reviewer")
        assert await found(garden, "staging") == [here]
        assert await found(garden, "staging", scope="agent:reviewer") == [agent]
        assert set(await found(garden, "staging", scope="all")) == {here, agent}
        assert (await garden.get(agent)).scope == Scope(ScopeKind.AGENT, "reviewer")
    async with open_garden(directory=tmp_path / "other") as garden:
        assert await found(garden, "staging") == []
        assert [memory.id for memory in await garden.list()] == [everywhere]


async def test_feedback_moves_confidence_and_counts_as_use(garden: Garden) -> None:
    memory_id = await saved(garden, PORT, provenance="observed")
    start = (await garden.get(memory_id)).confidence
    up = await garden.feedback(memory_id, helpful=True)
    down = await garden.feedback(memory_id, helpful=False)
    assert start < up.confidence > down.confidence
    assert (up.strength, (await garden.get(memory_id)).access_count) == (2, 2)


async def test_sessions_are_searchable_as_passages_and_adding_again_adds_only_what_is_new(garden: Garden) -> None:
    at = datetime(2026, 11, 1, 9, tzinfo=UTC)
    said = [Message(id=f"m{n}", role="user", text=text, at=at + timedelta(minutes=n)) for n, text in enumerate(
        ["The invoices are exported every Tuesday", "Ok, thanks", "Where do the logs go?"])]  # fmt: skip
    added = await garden.sessions.add(Session(id="s1", messages=tuple(said[:2])))
    assert (added.new_messages, added.passages) == (2, 2)
    assert (await garden.sessions.add(Session(id="s1", messages=tuple(said)))).new_messages == 1
    first = (await garden.recall("when are invoices exported?", kinds=("passage",))).results[0]
    assert (first.kind, first.session_id, first.message_ids) == ("passage", "s1", ("m0",))
    assert [session.id for session in await garden.sessions.list()] == ["s1"]
    assert [message.id for message in (await garden.sessions.get("s1")).messages] == ["m0", "m1", "m2"]
    for wrong in (Session(id=" "), Session(id="s2", messages=(said[0], said[0]))):
        with pytest.raises(BadInput):
            await garden.sessions.add(wrong)


async def test_stats_count_everything_and_say_that_search_goes_by_words(garden: Garden) -> None:
    await saved(garden, PORT, tags=["db"])
    await garden.settle()
    stats = await garden.stats()
    assert (stats.counts.memories, stats.counts.tags, stats.counts.journal_entries) == ({"promoted": 1}, 1, 2)
    assert (stats.model, stats.pending_vectors) == (None, None)
    assert stats.counts.bytes_on_disk > 0


async def test_every_change_is_in_the_journal_with_its_author(garden: Garden) -> None:
    memory_id = await saved(garden, PORT)
    await garden.tag(memory_id, add=["db"], actor="agent:reviewer")
    entries = await garden.history(memory_id)
    assert [(entry.actor, entry.reason) for entry in entries] == [("user", "saved"), ("agent:reviewer", "tagged")]
    assert entries[1].before is not None
    assert entries[1].before["tags"] == []


async def test_a_garden_opened_read_only_reads_and_refuses_to_write(open_garden: Open) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, PORT)
    async with open_garden(read_only=True) as garden:
        assert await found(garden, "staging port") == [memory_id]
        await garden.settle()
        with pytest.raises(StoreUnavailable, match="read-only"):
            await garden.remember("Something else entirely")


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("mysql://host/db", "use a file path or postgresql"),
        ("postgresql://nobody:wrong@127.0.0.1:1/none", "127.0.0.1"),
    ],
)
async def test_a_wrong_address_is_a_clear_error(project: Path, home: Path, target: str, said: str) -> None:
    with pytest.raises((BadInput, StoreUnavailable), match=said):
        async with Garden.open(target, directory=project):
            pass


_WRITES = """
import asyncio, sys
from nightgarden import Garden
async def main():
    async with Garden.open() as garden:
        for n in range(25):
            await garden.remember(f"{sys.argv[1].title()}x{n} is the flower that {sys.argv[1]}y{n} planted")
            await garden.remember("Both processes say that the gate is green")
asyncio.run(main())
"""


async def test_two_processes_that_write_at_once_lose_nothing(open_garden: Open, home: Path) -> None:
    async with open_garden(clock=None) as garden:
        writers = [
            await asyncio.create_subprocess_exec(
                sys.executable, "-c", _WRITES, name, env=environment(home), cwd=home.parent / "project",
                stderr=asyncio.subprocess.PIPE,
            )
            for name in ("alpha", "beta")
        ]  # fmt: skip
        for _ in range(10):
            await garden.remember("Both processes say that the gate is green")
        for writer in writers:
            _, stderr = await writer.communicate()
            assert writer.returncode == 0, stderr.decode()
        memories = await garden.list(limit=None)
        gates = [memory for memory in memories if "gate" in memory.content]
        assert (len(memories), [memory.strength for memory in gates]) == (51, [60])
        assert all(check.ok for check in await garden.doctor())
        assert await found(garden, "betax24", limit=1)


async def test_categories_are_worked_out_or_taken_as_given(garden: Garden) -> None:
    memory_id = await saved(garden, "We always squash before merging", category=Category.CONVENTION)
    assert (await garden.get(memory_id)).category is Category.CONVENTION
    assert [m.id for m in await garden.list(category="convention")] == [memory_id]
    with pytest.raises(NotFound):
        await garden.related("nobody")


async def test_with_a_model_what_is_meant_is_found_without_a_shared_word(open_garden: Open) -> None:
    async with open_garden(settings=Settings(embedding=EmbeddingSettings(model="minilm"))) as garden:
        memory_id = await saved(garden, "Ada drinks green tea every morning")
        await saved(garden, "The backup of the billing database runs at night")
        await garden.settle()
        found_first = (await garden.recall("which beverage does she like?", rerank=False)).results[0]
        assert found_first.id == memory_id
        stats = await garden.stats()
        assert stats.model is not None
        assert (stats.counts.vectors, stats.pending_vectors) == ({stats.model.id: 2}, 0)


async def test_what_was_written_without_a_model_is_found_by_meaning_once_there_is_one(open_garden: Open) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, "Ada drinks green tea every morning")
    async with open_garden(settings=Settings(embedding=EmbeddingSettings(model="minilm"))) as garden:
        await garden.settle()
        assert await found(garden, "favourite beverage", rerank=False) == [memory_id]
    async with open_garden() as garden:
        assert await found(garden, "favourite beverage") == []  # by words alone again, and no error
        assert await found(garden, "green tea") == [memory_id]


async def test_a_session_is_read_once_by_whoever_asks_for_it_at_the_same_time(garden: Garden) -> None:
    """The end of a session, the watcher and tending ask side by side, each through a garden of its own place."""
    at = datetime(2026, 11, 1, tzinfo=UTC)
    said = Message(id="m1", role="user", text="Remember that the staging database runs on port 5433.", at=at)
    await garden.sessions.add(Session(id="s1", client="jsonl", directory="/p", messages=(said,), ended_at=at))
    here = [garden.at(garden.place, garden.settings) for _ in range(3)]
    read = [each.sessions.extract("s1") for each in here[:2]]
    await asyncio.gather(*read, here[2].tend("extract"))
    (memory,) = await garden.list(scope="all")
    assert memory.observation_count == 1


async def test_what_somebody_asked_for_counts_as_used_and_looking_back_does_not(garden: Garden) -> None:
    saved = await garden.remember("The staging database listens on port 6432")
    assert isinstance(saved, Saved)
    await garden.recall("which port does the staging database listen on?", as_of=garden.now())
    await garden.settle()
    assert (await garden.get(saved.memory.id)).access_count == 0
    await garden.recall("which port does the staging database listen on?")
    await garden.settle()
    used = await garden.get(saved.memory.id)
    assert used.access_count == 1
    assert used.last_accessed_at is not None
    assert used.confidence == saved.memory.confidence  # being read makes nothing surer
