"""Scanning reads only what the user allowed, once, and goes on past what is broken."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from nightgarden.domain.memory import Scope, ScopeKind
from nightgarden.domain.ports import Store
from nightgarden.domain.session import Extraction, SessionStatus
from nightgarden.errors import NotAllowed, NotFound
from nightgarden.recall.switch import switch_off, switch_on
from nightgarden.sessions.consent import allow_client, allowed_clients, forbid_client
from nightgarden.sessions.passages import passage_id
from nightgarden.sessions.scan import ClientScan, scan
from tests.sessions.transcripts import (
    CLAUDE,
    LATER,
    NOON,
    OpenCodeDatabase,
    as_lines,
    claude_model,
    claude_user,
    tool_result,
    tool_use,
    write_claude,
    write_codex,
    write_plain,
)


def scope_of(directory: str) -> Scope:
    return Scope(ScopeKind.PROJECT, directory)


async def scan_claude(store: Store, home: Path, **more) -> ClientScan:
    await allow_client(store, "claude-code", at=NOON)
    report = await scan(store, ["claude-code"], home, LATER, env={}, scope_of=scope_of, **more)
    return report.clients[0]


async def test_a_client_is_read_only_after_the_user_allowed_it(store: Store, home: Path) -> None:
    write_claude(home)
    with pytest.raises(NotAllowed, match="nightgarden sessions allow claude-code"):
        await scan(store, ["claude-code"], home, LATER, env={}, scope_of=scope_of)
    assert await store.list_sessions() == []
    await allow_client(store, "claude-code", at=NOON)
    assert "claude-code" in await allowed_clients(store)
    assert (await scan(store, None, home, LATER, env={}, scope_of=scope_of)).messages == 8
    await forbid_client(store, "claude-code")
    assert await allowed_clients(store) == ["jsonl"]
    with pytest.raises(NotAllowed):
        await scan(store, ["claude-code"], home, LATER, env={}, scope_of=scope_of)


async def test_an_unknown_client_is_refused_with_those_that_are_known(store: Store, home: Path) -> None:
    with pytest.raises(NotFound, match="claude-code, codex, jsonl, opencode"):
        await allow_client(store, "emacs", at=NOON)


async def test_all_clients_are_read_in_one_scan(store: Store, home: Path) -> None:
    write_claude(home)
    write_codex(home)
    write_plain(home)
    database = OpenCodeDatabase(home)
    database.add_session("ses_1")
    database.say("ses_1", 1, "one", "two")
    for client in ("claude-code", "codex", "opencode"):
        await allow_client(store, client, at=NOON)
    report = await scan(store, None, home, LATER, env={}, scope_of=scope_of)
    database.close()
    assert {c.client: (c.added, c.messages) for c in report.clients} == {
        "claude-code": (1, 8),
        "codex": (1, 4),
        "jsonl": (1, 5),
        "opencode": (1, 2),
    }
    assert report.failures == ()
    sessions = await store.list_sessions()
    assert {session.scope for session in sessions} == {scope_of("/garden")}


async def test_scanning_again_adds_nothing_and_growth_adds_what_is_new(store: Store, home: Path) -> None:
    path = write_claude(home)
    first = await scan_claude(store, home)
    assert (first.added, first.messages, first.passages) == (1, 8, 7)
    again = await scan_claude(store, home)
    assert (again.unchanged, again.added, again.messages) == (1, 0, 0)
    with path.open("ab") as file:
        file.write(as_lines([claude_user("u9", "one more thing", 20)]))
    grown = await scan_claude(store, home)
    assert (grown.extended, grown.messages, grown.passages) == (1, 1, 1)
    session = await store.session("s-1")
    assert session is not None
    assert [m.id for m in session.messages][-1] == "u9"


async def test_a_replaced_transcript_brings_nothing_twice_and_new_messages_stand_at_the_end(
    store: Store, home: Path
) -> None:
    write_claude(home)
    await scan_claude(store, home)
    before = (await store.counts()).passages
    write_claude(home, [*CLAUDE[3:], claude_user("u9", "after the rewrite", 30)])
    report = await scan_claude(store, home)
    assert (report.restarted, report.messages) == (1, 1)
    assert (await store.counts()).passages == before + 1
    session = await store.session("s-1")
    assert session is not None
    assert [m.id for m in session.messages] == ["u1", "a2", "u2.t0", "a3", "u3", "u7", "u7.1", "a4", "u9"]


async def test_one_bad_file_never_stops_the_rest(store: Store, home: Path) -> None:
    write_claude(home, session_id="good-1")
    broken = write_claude(home, session_id="bad")
    broken.unlink()
    broken.mkdir()
    write_claude(home, session_id="good-2").write_bytes(b"\xff\xfe garbage\n" + as_lines(CLAUDE))
    report = await scan_claude(store, home)
    assert (report.found, report.added, report.damaged_lines) == (3, 2, 1)
    assert [failure.session_id for failure in report.failures] == ["bad"]
    assert "not a regular file" in report.failures[0].reason


async def test_what_is_no_file_is_never_waited_for(store: Store, home: Path) -> None:
    write_claude(home, session_id="good")
    for name, make in (("pipe", os.mkfifo), ("endless", lambda path: path.symlink_to("/dev/zero"))):
        path = write_claude(home, session_id=name)
        path.unlink()
        make(path)
    report = await scan_claude(store, home)
    assert report.added == 1
    assert {failure.session_id for failure in report.failures} <= {"pipe", "endless"}


@pytest.mark.parametrize("part", ["opencode.db", "opencode.db-wal"])
async def test_a_database_that_is_no_file_is_never_waited_for(store: Store, home: Path, part: str) -> None:
    folder = home / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.db").write_bytes(b"")
    (folder / part).unlink(missing_ok=True)
    os.mkfifo(folder / part)
    write_plain(home)
    await allow_client(store, "opencode", at=NOON)
    report = await scan(store, None, home, LATER, env={}, scope_of=scope_of)
    assert report.messages == 5


async def test_a_broken_database_is_one_failure_of_its_client(store: Store, home: Path) -> None:
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 100)
    write_plain(home)
    await allow_client(store, "opencode", at=NOON)
    report = await scan(store, None, home, LATER, env={}, scope_of=scope_of)
    assert [failure.client for failure in report.failures] == ["opencode"]
    assert report.messages == 5


async def test_what_the_user_purged_does_not_come_back(store: Store, home: Path) -> None:
    write_claude(home)
    await scan_claude(store, home)
    await store.purge(["s-1"], at=LATER)
    report = await scan_claude(store, home)
    assert (report.purged, report.added) == (1, 0)
    assert await store.session("s-1") is None


async def test_a_session_read_for_memories_is_due_again_when_it_goes_on(store: Store, home: Path) -> None:
    path = write_claude(home)
    await scan_claude(store, home)
    session = await store.session("s-1", messages=False)
    assert session is not None
    await store.put_session(replace(session, extraction=Extraction.DONE, extracted_through="a4"), ())
    with path.open("ab") as file:
        file.write(as_lines([claude_user("u9", "one more thing", 20)]))
    await scan_claude(store, home)
    after = await store.session("s-1", messages=False)
    assert after is not None
    assert (after.extraction, after.extracted_through) == (Extraction.PARTIAL, "a4")


async def test_an_active_session_is_closed_by_silence_alone(store: Store, home: Path) -> None:
    path = write_claude(home, CLAUDE[:-1])
    os.utime(path, (NOON.timestamp(), NOON.timestamp()))
    await allow_client(store, "claude-code", at=NOON)
    soon = NOON + timedelta(minutes=1)
    await scan(store, None, home, soon, env={}, scope_of=scope_of)
    active = await store.session("s-1", messages=False)
    await scan(store, None, home, soon + timedelta(hours=1), env={}, scope_of=scope_of)
    closed = await store.session("s-1", messages=False)
    assert active is not None
    assert closed is not None
    assert (active.status, closed.status) == (SessionStatus.ACTIVE, SessionStatus.CLOSED)


async def test_copied_transcripts_are_over_although_their_files_are_new(store: Store, home: Path) -> None:
    path = write_claude(home, CLAUDE[:-1])
    copied = NOON + timedelta(hours=3)
    os.utime(path, (copied.timestamp(), copied.timestamp()))
    await allow_client(store, "claude-code", at=NOON)
    await scan(store, None, home, copied + timedelta(minutes=1), env={}, scope_of=scope_of)
    session = await store.session("s-1", messages=False)
    assert session is not None
    assert session.status is SessionStatus.CLOSED


async def test_a_limit_leaves_the_rest_for_the_next_scan(store: Store, home: Path) -> None:
    for number in range(3):
        write_claude(home, session_id=f"s-{number}")
    first = await scan_claude(store, home, sessions_max=2)
    assert (first.added, first.more) == (2, True)
    second = await scan_claude(store, home, sessions_max=2)
    assert (second.added, second.unchanged, second.more) == (1, 2, False)


async def test_neighbours_of_a_passage_span_what_was_read_at_different_times(store: Store, home: Path) -> None:
    path = write_claude(home, CLAUDE[:7])
    await scan_claude(store, home)
    with path.open("ab") as file:
        file.write(as_lines(CLAUDE[7:]))
    await scan_claude(store, home)
    here = passage_id("s-1", "a3", 0)
    around = await store.neighbours([here], reach=2)
    assert [passage.message_ids[0] for passage in around[here]] == ["a2", "u2.t0", "u7"]


async def test_a_session_that_an_older_version_read_is_read_once_more_and_filled_in(store: Store, home: Path) -> None:
    write_claude(
        home,
        [
            claude_user("u1", "tidy up"),
            claude_model("a1", "On it.", tool_use("c1", "Bash", {"command": "make tidy"}), second=1, stop="tool_use"),
            claude_user("u2", [tool_result("c1", "all tidy")], 2),
            claude_model("a2", tool_use("c2", "Bash", {"command": "git add -A"}), second=3, stop="tool_use"),
            claude_user("u3", [tool_result("c2", "")], 4),
            claude_model("a3", "Done.", second=5),
        ],
    )
    await scan_claude(store, home)
    whole = await store.session("s-1")
    assert whole is not None
    # As the older version left it: without arguments, without silent tools, and one message struck by a purge.
    older = tuple(
        replace(m, arguments={}, duration_ms=None, text="[redacted: purged]" if m.id == "a1" else m.text)
        for m in whole.messages
        if m.text
    )
    await store.purge(["s-1"], at=LATER)
    await store.empty()
    cursor = json.dumps({k: v for k, v in json.loads(whole.cursor).items() if k != "version"})
    done = replace(whole, messages=older, cursor=cursor, extraction=Extraction.DONE, extracted_through="a3", usage=None)
    await store.put_session(done, ())
    report = await scan_claude(store, home)
    assert (report.added, report.messages) == (0, 1)
    after = await store.session("s-1")
    assert after is not None
    by_id = {message.id: message for message in after.messages}
    assert by_id["u2.t0"].arguments == {"command": "make tidy"}
    assert by_id["u3.t0"].arguments == {"command": "git add -A"}
    assert by_id["a1"].text == "[redacted: purged]"
    assert after.extraction is Extraction.DONE  # nothing new was said
    assert (await scan_claude(store, home)).unchanged == 1
    assert await store.session("s-1") == after


async def test_what_was_said_while_memory_was_off_is_not_read_later_either(store: Store, home: Path) -> None:
    write_claude(home)
    here = Scope(ScopeKind.PROJECT, "/garden")
    await switch_off(store, here, NOON - timedelta(hours=1))
    await switch_on(store, here, LATER)
    await scan_claude(store, home)
    assert [session.title for session in await store.list_sessions()] == [""] * len(await store.list_sessions())
    assert (await store.counts()).passages == 0
    again = await scan_claude(store, home)
    assert (again.messages, again.passages) == (0, 0)


async def test_what_was_said_before_and_after_is_read(store: Store, home: Path) -> None:
    write_claude(home)
    await switch_off(store, Scope(ScopeKind.PROJECT, "/elsewhere"), NOON - timedelta(hours=1))
    assert (await scan_claude(store, home)).messages == 8
