"""Sessions grow by their new messages; passages are found, have neighbours, and age out."""

from __future__ import annotations

from dataclasses import replace

from nightgarden.domain.gap import Gap
from nightgarden.domain.memory import GLOBAL, Status
from nightgarden.domain.session import Extraction, HookSignals, Message, Passage, SessionStatus, SessionUsage, Signal
from tests.store.given import (
    DAY,
    HOUR,
    NOW,
    OTHER,
    PROJECT,
    USER,
    add,
    add_session,
    change,
    found,
    memory,
    passages_of,
    session,
)


async def test_a_session_comes_back_as_it_was_put(store):
    one = session(
        "s", "hello", "world\x00 \ud800", client="codex", scope=PROJECT, title="t", directory="/d", cursor="9"
    )
    told = replace(one.messages[0], role="tool", tool_name="sh", is_error=True, pasted=True)
    one = replace(one, messages=(told, one.messages[1]), parent_id="p", damaged_lines=2, ended_at=NOW)
    assert await add_session(store, one) == 2
    assert await store.session("s") == one
    assert await store.session("s", messages=False) == replace(one, messages=())
    assert await store.session("nobody") is None


async def test_what_a_tool_was_asked_what_it_cost_and_what_hooks_told_come_back(store):
    one = session("s", "hello", "tidy")
    told = replace(
        one.messages[1],
        role="tool",
        arguments={"command": "make tidy", "odd": "\x00 \ud800"},
        exit_code=2,
        duration_ms=1500,
        signal=Signal.INTERRUPTED,
        usage=SessionUsage(input_tokens=3, output_tokens=4, cached_tokens=5),
    )
    hooks = HookSignals(tools=3, failures=1, stopped=("m1",), end_reason="clear")
    one = replace(one, messages=(one.messages[0], told), usage=SessionUsage(input_tokens=3), hooks=hooks)
    await add_session(store, one)
    assert await store.session("s") == one


async def test_messages_given_again_are_replaced_where_they_stand(store):
    one = session("s", "one", "two", "three")
    await add_session(store, one)
    full = replace(one.messages[1], arguments={"command": "make"}, exit_code=0)
    assert await store.put_session(replace(one, messages=()), (), again=(full, replace(full, id="nobody"))) == 0
    read = await store.session("s")
    assert read.messages == (one.messages[0], full, one.messages[2])


async def test_a_purged_memory_leaves_the_arguments_of_tools_too(store):
    await add(store, memory("m", "the vault code is kept under the blue flowerpot", session_id="s"))
    one = session("s", "run it")
    arguments = {"command": "note the vault code is kept under the blue flowerpot"}
    called = replace(one.messages[0], role="tool", arguments=arguments)
    await add_session(store, replace(one, messages=(called,)))
    await store.purge(["m"], at=NOW)
    read = await store.session("s")
    assert "flowerpot" not in str(read)


async def test_a_session_put_again_only_gains_its_new_messages(store):
    first = session("s", "one", "two")
    await add_session(store, first)
    changed = replace(first.messages[0], text="rewritten")
    grown = replace(
        first,
        messages=(changed, Message(id="s-9", role="user", text="three", at=NOW)),
        status=SessionStatus.ACTIVE,
        extraction=Extraction.PARTIAL,
        extracted_through="s-1",
        title="later",
    )
    assert await add_session(store, grown) == 1
    assert await add_session(store, grown) == 0
    read = await store.session("s")
    assert [message.text for message in read.messages] == ["one", "two", "three"]
    assert replace(read, messages=()) == replace(grown, messages=())
    assert await found(store, "rewritten") == []
    (last,) = await store.passages(["p:s-9"])
    assert last.position == 2


async def test_sessions_are_listed_newest_first_without_messages(store):
    await add_session(store, session("a", "x", started_at=NOW - 3 * DAY, client="codex", scope=PROJECT))
    await add_session(store, session("b", "x", started_at=NOW - DAY, status=SessionStatus.CRASHED))
    await add_session(store, session("c", "x", started_at=None, extraction=Extraction.DONE, scope=OTHER))
    await add_session(store, session("d", "x", started_at=NOW - DAY, scope=PROJECT))

    async def ids(**which) -> str:
        return "".join(each.id for each in await store.list_sessions(**which))

    assert await ids() == "dbac"
    assert await ids(limit=2) == "db"
    assert await ids(client="codex") == "a"
    assert await ids(status=SessionStatus.CRASHED) == "b"
    assert await ids(extraction=Extraction.DONE) == "c"
    assert await ids(scopes=[PROJECT, GLOBAL]) == "da"
    assert all(each.messages == () for each in await store.list_sessions())


async def test_passages_come_in_the_order_asked_for(store):
    one = session("s", "one", "two")
    await add_session(store, one)
    second, first = passages_of(one)[::-1]
    assert await store.passages(["p:s-1", "nobody", "p:s-0"]) == [second, first]


async def test_a_passage_of_a_message_nobody_has_is_left_out(store):
    one = session("s", "one")
    stray = Passage(
        id="p:x", session_id="s", message_ids=("x",), position=0, role="user", content="stray", created_at=NOW
    )
    await store.put_session(one, [*passages_of(one), stray])
    assert await store.passages(["p:x"]) == []


async def test_neighbours_are_those_said_just_before_and_after(store):
    one = session("s", *"abcde")
    cut = [replace(passage, id=passage.id + "+", part=1) for passage in passages_of(one)[2:3]]
    await store.put_session(one, [*passages_of(one), *cut])
    await add_session(store, session("t", "other"))
    near = await store.neighbours(["p:s-1", "p:s-4", "p:t-0", "nobody"], reach=1)
    assert {each: [passage.id for passage in passages] for each, passages in near.items()} == {
        "p:s-1": ["p:s-0", "p:s-2", "p:s-2+"],
        "p:s-4": ["p:s-3"],
        "p:t-0": [],
        "nobody": [],
    }


async def test_old_and_surplus_passages_are_no_longer_found_and_come_back_with_their_cycle(store):
    await add_session(store, session("s", "rose one", "rose two", "rose three", "rose four"))

    async def archive(cycle, older_than=None, keep_at_most=None):
        return await store.archive_passages(older_than=older_than, keep_at_most=keep_at_most, at=NOW, cycle=cycle)

    assert await archive("c1", older_than=NOW - DAY + HOUR) == 1
    assert await archive("c2", keep_at_most=2) == 1
    assert await archive("c3") == 0
    assert sorted(await found(store, "rose")) == ["p:s-2", "p:s-3"]
    assert (await store.neighbours(["p:s-2"], reach=3))["p:s-2"][0].id == "p:s-3"
    assert len((await store.session("s")).messages) == 4
    assert all(check.ok for check in await store.check(repair=False))
    assert await archive("c4", older_than=NOW + DAY, keep_at_most=0) == 2
    assert await store.count_archived_passages("c4") == 2
    await store.apply([], USER, at=NOW, restore="c4")
    assert await store.count_archived_passages("c4") == 0
    await store.apply([], USER, at=NOW, restore="c1")
    assert sorted(await found(store, "rose")) == ["p:s-0", "p:s-2", "p:s-3"]


async def test_passages_that_a_forgotten_memory_hides_come_back_with_it(store):
    await add_session(store, session("s", "rose one", "rose two"))
    plain, other = memory("m1", "The lily is red"), memory("m2", "The lily is blue")
    await add(store, plain, other)
    hidden = [replace(each, status=Status.ARCHIVED, archived_at=NOW, hides=("p:s-0",)) for each in (plain, other)]
    await change(store, (plain, hidden[0]), (other, hidden[1]))
    assert await found(store, "rose") == ["p:s-1"]
    assert all(check.ok for check in await store.check(repair=False))
    await change(store, (hidden[0], plain))
    assert "p:s-0" not in await found(store, "rose")  # the other still hides it
    await store.purge([other.id], at=NOW)
    assert "p:s-0" in await found(store, "rose")


async def test_a_speaker_and_a_day_find_a_passage(store):
    one = session("s", "prune in spring")
    await store.put_session(one, [replace(passages_of(one)[0], role="Vita")])
    assert await found(store, "Vita") == ["p:s-0"]
    assert await found(store, "November 14 2026") == ["p:s-0"]


async def test_a_purged_session_takes_the_gaps_that_quote_it_along(store):
    await store.put_session(session("s1"), ())
    for each, said_in in (("g1", "s1"), ("g2", None)):
        await add(
            store,
            Gap(
                id=each,
                snippet="how do roses winter?",
                session_id=said_in,
                scope=GLOBAL,
                seen_count=1,
                created_at=NOW,
                last_seen_at=NOW,
            ),
        )
    await store.purge(["s1"], at=NOW)
    assert [gap.id for gap in await store.gaps()] == ["g2"]
    assert [entry.subject_id for entry in await store.history()] == ["g2"]


async def test_what_another_clock_made_in_the_future_is_found_already(store):
    await add(store, memory("a", "tulips bloom early", created_at=NOW + 3 * HOUR))
    assert await found(store, "tulips") == ["a"]
