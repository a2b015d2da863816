"""What is taken from OpenCode's database and exports, without ever touching the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from nightgarden.domain.session import SessionStatus, SessionUsage, Signal
from nightgarden.sessions.readers.opencode import OpenCode
from nightgarden.sessions.readers.transcript import Read
from tests.sessions.transcripts import LATER, NOON, OpenCodeDatabase


@pytest.fixture
def database(home: Path) -> Iterator[OpenCodeDatabase]:
    opened = OpenCodeDatabase(home)
    yield opened
    opened.close()


@pytest.fixture
def reader() -> Iterator[OpenCode]:
    made = OpenCode()
    yield made
    made.close()


def read(reader: OpenCode, home: Path, cursor: str = "", *, now=LATER, number: int = 0) -> Read:
    return reader.read(reader.discover(home, {})[number], cursor, now=now)


def test_what_is_still_in_the_write_ahead_log_is_read(database: OpenCodeDatabase, home: Path, reader: OpenCode) -> None:
    database.add_session("ses_1")
    database.say("ses_1", 1, '"use tabs"', "Tabs it is.")
    found = read(reader, home)
    assert [(m.id, m.role, m.text) for m in found.new_messages] == [
        ("prt_1a", "user", "use tabs"),
        ("prt_1b", "assistant", "Tabs it is."),
    ]
    assert (found.session.id, found.session.directory, found.session.title) == ("ses_1", "/garden", "A talk")
    assert found.status is SessionStatus.CLOSED


def test_only_what_is_new_is_read_again(database: OpenCodeDatabase, home: Path, reader: OpenCode) -> None:
    database.add_session("ses_1")
    database.say("ses_1", 1, "one", "two")
    first = read(reader, home)
    database.say("ses_1", 2, "three", "four")
    second = read(reader, home, first.cursor)
    assert [m.text for m in second.new_messages] == ["three", "four"]
    assert read(reader, home, second.cursor).new_messages == ()


def test_a_message_is_taken_when_it_is_finished_and_never_before_an_earlier_one(
    database: OpenCodeDatabase, home: Path, reader: OpenCode
) -> None:
    database.add_session("ses_1")
    database.add_message("ses_1", "msg_1", {"role": "user"})
    soon = NOON + timedelta(minutes=1)
    assert read(reader, home, now=soon).new_messages == ()
    database.add_part("ses_1", "msg_1", "prt_1", {"type": "text", "text": "hello"})
    database.add_message("ses_1", "msg_2", {"role": "assistant"})
    database.add_part("ses_1", "msg_2", "prt_2", {"type": "text", "text": "hel"})
    database.add_message("ses_1", "msg_3", {"role": "user"})
    database.add_part("ses_1", "msg_3", "prt_3", {"type": "text", "text": "queued"})
    half = read(reader, home, now=soon)
    assert [m.text for m in half.new_messages] == ["hello"]
    assert half.status is SessionStatus.ACTIVE
    database.finish("msg_2")
    assert [m.id for m in read(reader, home, half.cursor, now=soon).new_messages] == ["prt_2", "prt_3"]


def test_a_quiet_session_with_an_unfinished_answer_crashed_and_gives_what_there_is(
    database: OpenCodeDatabase, home: Path, reader: OpenCode
) -> None:
    database.add_session("ses_1")
    database.add_message("ses_1", "msg_1", {"role": "assistant"})
    database.add_part("ses_1", "msg_1", "prt_1", {"type": "text", "text": "I was about to"})
    found = read(reader, home)
    assert [m.text for m in found.new_messages] == ["I was about to"]
    assert found.status is SessionStatus.CRASHED
    database.add_part("ses_1", "msg_1", "prt_2", {"type": "text", "text": "go on"})
    database.finish("msg_1")
    assert [m.id for m in read(reader, home, found.cursor).new_messages] == ["prt_1", "prt_2"]


def test_tools_speak_and_reasoning_and_synthetic_parts_do_not(
    database: OpenCodeDatabase, home: Path, reader: OpenCode
) -> None:
    parts: list[dict[str, Any] | str] = [
        {"type": "step-start"},
        {"type": "reasoning", "text": "hm"},
        {"type": "text", "text": "file contents", "synthetic": True},
        {"type": "tool", "tool": "read", "state": {"status": "completed", "output": "fine"}},
        {"type": "tool", "tool": "bash", "state": {"status": "error", "error": "exit 1"}},
        {"type": "tool", "tool": "bash", "state": {"status": "running"}},
        "{broken",
    ]
    database.add_session("ses_1")
    database.add_message("ses_1", "msg_1", {"role": "assistant"})
    for number, part in enumerate(parts):
        database.add_part("ses_1", "msg_1", f"prt_{number}", part)
    database.finish("msg_1")
    database.add_message("ses_1", "msg_2", {"role": "assistant", "summary": True, "time": {"completed": 1}})
    database.add_part("ses_1", "msg_2", "prt_s", {"type": "text", "text": "summary so far"})
    database.add_message("ses_1", "msg_3", "[broken")
    database.add_message("ses_1", "msg_4", {"role": "user"})
    database.add_part("ses_1", "msg_4", "prt_i", {"type": "file", "mime": "image/png", "filename": "a.png"})
    found = read(reader, home)
    assert [(m.role, m.text, m.tool_name, m.is_error) for m in found.new_messages] == [
        ("tool", "fine", "read", False),
        ("tool", "exit 1", "bash", True),
        ("system", "summary so far", "", False),
        ("user", "[image]", "", False),
    ]
    assert found.damaged_lines == 2
    assert read(reader, home, found.cursor).damaged_lines == 0


def test_calls_usage_and_aborted_turns_are_kept(database: OpenCodeDatabase, home: Path, reader: OpenCode) -> None:
    state = {
        "status": "completed",
        "input": {"command": "make", "timeout": 5},
        "output": "",
        "metadata": {"exit": 2},
        "time": {"start": 1000, "end": 3500},
    }
    info = {
        "role": "assistant",
        "error": {"name": "MessageAbortedError"},
        "tokens": {"input": 10, "output": 2, "reasoning": 1, "cache": {"read": 5, "write": 3}},
    }
    database.add_session("ses_1")
    database.add_message("ses_1", "msg_1", info)
    database.add_part("ses_1", "msg_1", "prt_1", {"type": "tool", "tool": "bash", "state": state})
    found = read(reader, home)
    make, stopped = found.new_messages
    assert (make.arguments, make.exit_code, make.duration_ms) == ({"command": "make", "timeout": "5"}, 2, 2500)
    assert (make.text, make.is_error, make.failed) == ("", False, True)
    assert make.usage == found.session.usage == SessionUsage(input_tokens=13, output_tokens=3, cached_tokens=5)
    assert (stopped.role, stopped.signal) == ("system", Signal.INTERRUPTED)


def test_a_session_started_by_another_is_linked(database: OpenCodeDatabase, home: Path, reader: OpenCode) -> None:
    database.add_session("ses_1")
    database.add_session("ses_2", "ses_1")
    database.say("ses_2", 1, "find it", "found")
    found = read(reader, home, number=1)
    assert found.session.parent_id == "ses_1"
    assert {m.role for m in found.new_messages} == {"assistant"}


def test_messages_deleted_by_the_client_make_it_read_again(
    database: OpenCodeDatabase, home: Path, reader: OpenCode
) -> None:
    database.add_session("ses_1")
    database.say("ses_1", 1, "one", "two")
    database.say("ses_1", 2, "three", "four")
    first = read(reader, home)
    database.connection.execute("DELETE FROM message WHERE id LIKE 'msg_2%'")
    again = read(reader, home, first.cursor)
    assert again.restarted
    assert [m.id for m in again.new_messages] == ["prt_1a", "prt_1b"]


def test_reading_takes_no_lock_and_leaves_every_file_as_it_was(
    database: OpenCodeDatabase, home: Path, reader: OpenCode
) -> None:
    database.add_session("ses_1")
    database.say("ses_1", 1, "one", "two")
    database.connection.execute("BEGIN EXCLUSIVE")  # a client in the middle of a write
    before = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in database.path.parent.iterdir()}
    assert read(reader, home).new_messages
    assert {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in database.path.parent.iterdir()} == before
    database.connection.execute("COMMIT")
    busy, *_ = database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert busy == 0  # nobody stands in the way of the client's own housekeeping


def test_many_readings_share_one_copy_until_the_database_changes(
    database: OpenCodeDatabase, home: Path, reader: OpenCode
) -> None:
    database.add_session("ses_1")
    database.say("ses_1", 1, "one", "two")
    read(reader, home)
    kept = reader._copy
    read(reader, home)
    assert reader._copy is kept
    database.say("ses_1", 2, "three", "four")
    assert len(read(reader, home).new_messages) == 4


def test_no_database_means_no_sessions_and_a_broken_one_is_an_error(home: Path, reader: OpenCode) -> None:
    assert reader.discover(home, {}) == []
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        reader.discover(home, {})
