"""Undo restores exactly what was, or refuses and says why."""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nightgarden import Flagged, Garden, Saved, Superseded, Tier
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.errors import Conflict, NotAllowed, NotFound, UndoConflict
from nightgarden.surfaces.operations.perform import perform
from tests.conftest import BY_WORDS, Ticking

# What the journal is about; the journal itself grows with each undo, and counts of use are not part of it.
SENTENCES = (
    "The staging database runs on port 5433",
    "The staging database runs on port 5434",
    "Ada prefers tea in the morning",
    "Never force-push to the release branch",
    "The night build takes forty minutes",
)


async def state(garden: Garden) -> str:
    lines = []
    async for line in garden.export():
        record: dict[str, Any] = json.loads(line)
        if record["type"] != "journal":
            lines.append(json.dumps(record | {"access_count": 0, "last_accessed_at": None}))
    return "\n".join(lines)


async def remember(garden: Garden, text: str, **more: Any) -> str:
    verdict = await garden.remember(text, **more)
    assert isinstance(verdict, Saved)
    return verdict.id


operation = st.one_of(
    st.tuples(st.just("remember"), st.integers(0, 4), st.sampled_from(["", "one", "two", "one two"])),
    st.tuples(st.just("forget"), st.integers(0, 6)),
    st.tuples(st.just("restore"), st.integers(0, 6)),
    st.tuples(st.just("edit"), st.integers(0, 6), st.integers(0, 4)),
    st.tuples(st.just("tag"), st.integers(0, 6), st.sampled_from(["one", "two", "three"])),
    st.tuples(st.just("untag"), st.integers(0, 6), st.sampled_from(["one", "two", "three"])),
    st.tuples(st.just("link"), st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.2, 0.9])),
    st.tuples(st.just("feedback"), st.integers(0, 6), st.booleans()),
    st.tuples(st.just("pin"), st.integers(0, 6), st.booleans()),
)


async def take(garden: Garden, step: tuple[Any, ...]) -> None:
    known = sorted(memory.id for memory in [*await garden.list(), *await garden.list(archived=True)])
    if step[0] == "remember":
        await garden.remember(SENTENCES[step[1]], tags=step[2].split())
    elif known:
        each = known[step[1] % len(known)]
        try:
            match step:
                case ("forget", _):
                    await garden.forget(each)
                case ("restore", _):
                    await garden.restore(each)
                case ("edit", _, text):
                    await garden.update(each, content=SENTENCES[text] + " now")
                case ("tag", _, tag):
                    await garden.tag(each, add=[tag])
                case ("untag", _, tag):
                    await garden.tag(each, remove=[tag])
                case ("link", _, other, weight) if known[other % len(known)] != each:
                    await garden.link(each, known[other % len(known)], weight=weight)
                case ("feedback", _, helpful):
                    await garden.feedback(each, helpful=helpful)
                case ("pin", _, pinned):
                    await garden.update(each, pinned=pinned)
        except Conflict:
            pass  # another memory says the same: nothing was changed


async def check_sequence(folder: Path, steps: list[tuple[Any, ...]]) -> None:
    async with Garden.open(folder / "g.db", directory=folder, settings=BY_WORDS, clock=Ticking()) as garden:
        seen = [(await state(garden), 0)]
        for step in steps:
            await take(garden, step)
            seen.append((await state(garden), len(await garden.history())))
        entries = await garden.history()
        for (before, start), (_, end) in reversed(list(pairwise(seen))):
            for _ in {entry.action for entry in entries[start:end]}:
                await garden.undo()
            assert await state(garden) == before
        assert all(check.ok for check in await garden.doctor())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(operation, min_size=1, max_size=9))
def test_any_sequence_of_operations_undone_in_reverse_gives_back_every_state_to_the_byte(
    steps: list[tuple[Any, ...]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(check_sequence(Path(folder), steps))


async def test_undoing_what_later_changes_stand_on_is_refused_with_the_reason(garden: Garden) -> None:
    memory_id = await remember(garden, SENTENCES[0])
    await garden.update(memory_id, importance="high")
    await garden.update(memory_id, importance="low")
    created, first, second = await garden.history(memory_id)
    before = await state(garden)
    with pytest.raises(UndoConflict, match="importance is no longer what this change made it"):
        await garden.undo(first.id)
    with pytest.raises(UndoConflict, match="was changed again since"):
        await garden.undo(created.id)
    assert await state(garden) == before
    await garden.undo(second.id)
    await garden.undo(first.id)
    await garden.undo(created.id)
    with pytest.raises(NotFound):
        await garden.get(memory_id)


async def test_a_change_of_another_field_does_not_stand_in_the_way(garden: Garden) -> None:
    memory_id = await remember(garden, SENTENCES[0])
    other_id = await remember(garden, SENTENCES[2])
    await garden.link(memory_id, other_id)
    await garden.tag(memory_id, add=["one"])
    await garden.update(memory_id, importance="high")
    tagged = [entry for entry in await garden.history(memory_id) if entry.reason == "tagged"]
    edge = [entry for entry in await garden.history() if entry.subject_kind == "edge"]
    await garden.undo(edge[0].id)
    assert await garden.related(memory_id) == []
    assert (await garden.get(memory_id)).tags == ("one",)
    await garden.undo(tagged[0].id)
    after = await garden.get(memory_id)
    assert (after.tags, after.importance) == ((), "high")


async def test_an_undo_can_be_undone_and_not_done_twice(garden: Garden) -> None:
    memory_id = await remember(garden, SENTENCES[0], tags=["one"])
    await garden.update(memory_id, importance="high")
    last = (await garden.history(memory_id))[-1]
    after = await state(garden)
    (undone,) = await garden.undo(last.id)
    with pytest.raises(UndoConflict):
        await garden.undo(last.id)
    await garden.undo(undone.id)
    assert await state(garden) == after


async def test_a_removed_memory_comes_back_with_its_links_findable(garden: Garden) -> None:
    memory_id = await remember(garden, SENTENCES[0])
    created = (await garden.history(memory_id))[0]
    (removed,) = await garden.undo(created.id)
    assert (await garden.recall("staging port")).results == ()
    await garden.undo(removed.id)
    assert [result.id for result in (await garden.recall("staging port")).results] == [memory_id]


async def test_a_whole_cycle_is_taken_back_at_once_or_not_at_all(garden: Garden) -> None:
    one, two = [await remember(garden, text) for text in (SENTENCES[0], SENTENCES[2])]
    clock = Ticking()
    memory = await garden.get(one)
    cluster = Cluster(
        id="c1", name="both", scope=memory.scope, member_ids=(one, two), created_at=clock.now(), updated_at=clock.now()
    )
    origin = Origin(actor="tend", reason="night", cycle="night-1")
    await garden.store.apply([Change(None, cluster)], origin, at=clock.now())
    after = replace(memory, tier=Tier.PINNED)
    await garden.store.apply([Change(memory, after)], origin, at=clock.now())
    await garden.forget(two)
    await garden.store.apply([Change(after, memory)], origin, at=clock.now())
    entries = await garden.history(cycle="night-1")
    assert len(entries) == 3
    undone = await garden.undo("night-1")
    assert {entry.cycle for entry in undone} == {"undo-night-1"}
    await garden.restore(two)
    assert await garden.store.clusters() == []
    assert (await garden.get(one)) == memory
    with pytest.raises(UndoConflict, match="undone already"):
        await garden.undo("night-1")


async def test_what_was_purged_cannot_be_undone(garden: Garden) -> None:
    memory_id = await remember(garden, SENTENCES[0])
    await garden.update(memory_id, importance="high")
    entries = await garden.history(memory_id)
    await garden.purge(memory_id)
    for entry in entries:
        with pytest.raises(UndoConflict, match="purged"):
            await garden.undo(entry.id)


async def test_a_verdict_is_taken_back_whole_by_any_of_its_entries(garden: Garden) -> None:
    old = await remember(garden, "The API listens on port 8080", tags=["api"])
    before = await state(garden)
    for place in range(4):  # the new memory, its tag, the archived one, the edge
        new = await garden.remember("The API was moved from port 8080 to 9090", tags=["ports"])
        assert isinstance(new, Superseded)
        made = [entry for entry in await garden.history() if entry.action == (await garden.history(new.id))[0].action]
        assert {entry.operation for entry in made} == {Operation.REMEMBER}
        assert len(made) == 4
        await garden.undo(made[place].id)
        assert await state(garden) == before
        assert (await garden.get(old)).live


async def test_a_decision_is_taken_back_whole(garden: Garden) -> None:
    await remember(garden, "The import job takes about two hours")
    doubt = await garden.remember("The import job takes about five hours", provenance="observed")
    assert isinstance(doubt, Flagged)
    before = await state(garden)
    for decision in ("keep", "drop", "both"):
        await garden.settle_flag(doubt.id, decision)
        await garden.undo()
        assert await state(garden) == before


async def test_undo_without_an_id_goes_back_step_by_step(garden: Garden) -> None:
    states = [await state(garden)]
    memory_id = await remember(garden, "The API listens on port 8080")
    states.append(await state(garden))
    await garden.remember("The API was moved from port 8080 to 9090")
    states.append(await state(garden))
    await garden.restore(memory_id)
    states.append(await state(garden))
    for cycle in ("night", "night"):
        await garden.tag(memory_id, add=[f"in-{len(states)}"], cycle=cycle)
        states.append(await state(garden))
    await garden.undo()  # both of the cycle
    assert await state(garden) == states[3]
    await garden.undo()
    assert await state(garden) == states[2]
    (redo, *_) = await garden.undo()
    assert await state(garden) == states[1]
    await garden.undo(redo.id)  # an undo that was itself taken back: what it took back stands again
    assert await state(garden) == states[2]
    for expected in (states[1], states[0]):
        await garden.undo()
        assert await state(garden) == expected
    with pytest.raises(NotFound, match="nothing to undo"):
        await garden.undo()


async def test_what_was_learned_by_itself_is_not_the_last_thing_that_was_done(garden: Garden) -> None:
    memory_id = await remember(garden, SENTENCES[0])
    gap = Gap(
        id="g", snippet="which port do we use?", session_id=None, scope=garden.place.scope, seen_count=1,
        created_at=garden.now(), last_seen_at=garden.now(),
    )  # fmt: skip
    asked = Origin(actor="recall", operation=Operation.NOTE_GAP)
    await garden.store.apply([Change(None, gap)], asked, at=garden.now())
    await garden.close_gap("g")
    await garden.undo()
    assert (await garden.gaps())[0].closed_at is None
    await garden.undo()
    with pytest.raises(NotFound):
        await garden.get(memory_id)
    assert len(await garden.gaps()) == 1


async def test_a_tag_that_others_carry_by_now_stays(garden: Garden) -> None:
    first = await garden.remember(SENTENCES[0], tags=["one"])
    second = await remember(garden, SENTENCES[2], tags=["one"])
    await garden.undo((await garden.history(str(first.id)))[0].id)
    assert (await garden.get(second)).tags == ("one",)
    assert [(tag.name, tag.memory_count) for tag in await garden.tags()] == [("one", 1)]


async def test_a_name_that_was_undone_can_be_used_again(garden: Garden) -> None:
    await garden.remember(SENTENCES[0], cycle="night")
    await garden.undo("night")
    await garden.remember(SENTENCES[2], cycle="night")
    await garden.undo("night")
    assert await garden.list() == []
    with pytest.raises(UndoConflict, match="undone already"):
        await garden.undo("night")


async def test_one_action_of_a_cycle_and_then_the_rest_of_it_are_taken_back(garden: Garden) -> None:
    memory_id = await remember(garden, SENTENCES[0])
    await garden.update(memory_id, importance="high", cycle="night")
    await garden.tag(memory_id, add=["one"], cycle="night")
    first = (await garden.history(cycle="night"))[0]
    await garden.undo(first.id)
    await garden.undo("night")
    after = await garden.get(memory_id)
    assert (after.importance, after.tags, await garden.tags()) == ("medium", (), [])


async def test_the_operation_of_other_surfaces_takes_back_the_last_thing_too(garden: Garden) -> None:
    memory_id = await remember(garden, SENTENCES[0], tags=["one"])
    answer = await perform(garden, "undo", {}, "user")
    assert [entry["undoes"] for entry in answer["entries"]] == [answer["undone"]] * 2
    with pytest.raises(NotFound):
        await garden.get(memory_id)
    with pytest.raises(NotAllowed):
        await perform(garden, "undo", {}, "agent")
