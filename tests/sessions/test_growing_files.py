"""A transcript is read while its client writes it: cut anywhere, replaced, damaged, it gives each message once."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightgarden.domain.session import Message, SessionStatus
from nightgarden.sessions.readers import READERS, Reader
from nightgarden.sessions.readers.progress import read_progress
from tests.sessions.transcripts import (
    CLAUDE,
    CODEX,
    LATER,
    NOON,
    PLAIN,
    as_lines,
    claude_user,
    write_claude,
    write_codex,
    write_plain,
)

Writer = Callable[..., Path]
CLIENTS: dict[str, tuple[list[dict[str, Any]], Writer]] = {
    "claude-code": (CLAUDE, write_claude),
    "codex": (CODEX, write_codex),
    "jsonl": (PLAIN, write_plain),
}
clients = pytest.mark.parametrize("client", CLIENTS)


def only_ref(reader: Reader, home: Path):
    (ref,) = reader.discover(home, {})
    return ref


def read_in_steps(client: str, home: Path, path: Path, whole: bytes, cuts: list[int]) -> tuple[list[Message], str, int]:
    """As a scan would, each time with what was there by then."""
    reader, cursor, damaged = READERS[client](), "", 0
    messages: list[Message] = []
    for cut in [*cuts, len(whole)]:
        path.write_bytes(whole[:cut])
        read = reader.read(only_ref(reader, home), cursor, now=LATER)
        assert not read.restarted
        messages += read.new_messages
        cursor, damaged = read.cursor, damaged + read.damaged_lines
    assert read.session.damaged_lines == damaged
    return messages, cursor, damaged


@clients
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_cutting_the_file_anywhere_and_going_on_gives_what_reading_it_whole_gives(
    client: str, data: st.DataObject
) -> None:
    records, write = CLIENTS[client]
    lines = as_lines(records).splitlines(keepends=True)
    garbage = data.draw(st.lists(st.tuples(st.integers(0, len(lines)), st.binary(max_size=40)), max_size=3))
    for place, junk in garbage:
        lines.insert(place, junk.replace(b"\n", b"") + b"\n")
    whole = b"".join(lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), min_size=1, max_size=5)))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        path = write(home)
        path.write_bytes(whole)
        at_once = READERS[client]().read(only_ref(READERS[client](), home), "", now=LATER)
        messages, cursor, damaged = read_in_steps(client, home, path, whole, cuts)
        assert messages == list(at_once.new_messages)
        assert damaged == at_once.damaged_lines
        ours, theirs = read_progress(cursor), read_progress(at_once.cursor)
        ours.fingerprint = theirs.fingerprint = ""  # holds the file's time of change, which the steps moved
        assert ours == theirs


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@clients
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_no_line_breaks_a_reader_whatever_shape_its_fields_have(client: str, data: st.DataObject) -> None:
    records, write = CLIENTS[client]
    twisted = json.loads(json.dumps(records))
    for _ in range(data.draw(st.integers(1, 4))):
        place: Any = data.draw(st.sampled_from(twisted))
        while place and isinstance(place, dict):
            key = data.draw(st.sampled_from(sorted(place)))
            if isinstance(place[key], dict) and place[key] and data.draw(st.booleans()):
                place = place[key]
            else:
                place[key] = data.draw(_json)
                break
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        write(home, twisted)
        read = READERS[client]().read(only_ref(READERS[client](), home), "", now=LATER)
        for message in read.new_messages:
            message.text.encode()
            assert message.id
            assert message.at.utcoffset() is not None
        read.cursor.encode()


@clients
def test_a_last_line_without_newline_is_left_for_the_next_time(client: str, home: Path) -> None:
    records, write = CLIENTS[client]
    path = write(home)
    whole = path.read_bytes()
    last = as_lines(records[-1:])
    before_last = len(whole) - len(last)
    path.write_bytes(whole[:-1])
    reader = READERS[client]()
    read = reader.read(only_ref(reader, home), "", now=LATER)
    assert read_progress(read.cursor).offset == before_last
    assert read.damaged_lines == 0


@clients
def test_a_replaced_file_is_read_again_under_the_same_message_ids(client: str, home: Path) -> None:
    records, write = CLIENTS[client]
    path = write(home)
    reader = READERS[client]()
    first = reader.read(only_ref(reader, home), "", now=LATER)
    path.unlink()
    write(home, [records[0], *records])  # longer than before, and other bytes before the cursor
    again = reader.read(only_ref(reader, home), first.cursor, now=LATER)
    assert again.restarted
    if client != "jsonl":  # without ids of their own, plain lines are known by their place
        assert [m.id for m in again.new_messages] == [m.id for m in first.new_messages]


@clients
def test_a_truncated_file_is_read_again_from_the_start(client: str, home: Path) -> None:
    _, write = CLIENTS[client]
    path = write(home)
    reader = READERS[client]()
    first = reader.read(only_ref(reader, home), "", now=LATER)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    shorter = reader.read(only_ref(reader, home), first.cursor, now=LATER)
    assert shorter.restarted
    assert {m.id for m in shorter.new_messages} <= {m.id for m in first.new_messages}
    path.write_bytes(whole)
    longer = reader.read(only_ref(reader, home), shorter.cursor, now=LATER)
    assert not longer.restarted
    assert [*shorter.new_messages, *longer.new_messages] == list(first.new_messages)


@clients
def test_reading_never_writes_to_the_file_or_its_folder(client: str, home: Path) -> None:
    _, write = CLIENTS[client]
    path = write(home)
    path.chmod(0o400)
    before = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in home.rglob("*")}
    reader = READERS[client]()
    reader.read(only_ref(reader, home), "", now=LATER)
    assert {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in home.rglob("*")} == before


@pytest.mark.parametrize("cursor", ["x", "[]", '{"offset": "1"}', '{"offset": -5}', '{"tools": []}', "null", "{"])
def test_a_cursor_that_cannot_be_understood_means_reading_all(cursor: str, home: Path) -> None:
    write_claude(home)
    reader = READERS["claude-code"]()
    assert reader.read(only_ref(reader, home), cursor, now=LATER).new_messages


def test_garbage_of_every_kind_is_survived_and_counted(home: Path) -> None:
    path = write_claude(home, CLAUDE[:2])
    deep = b"[" * 100_000
    with path.open("ab") as file:
        file.write(b"\x00\xff\xfe\n{broken\n[]\n42\n\n   \n" + deep + b"\n")
        file.write(as_lines(CLAUDE[2:]))
    reader = READERS["claude-code"]()
    read = reader.read(only_ref(reader, home), "", now=LATER)
    assert read.damaged_lines == 5
    assert len(read.new_messages) == 8


def test_half_characters_and_nul_never_reach_a_message(home: Path) -> None:
    write_claude(home, [claude_user("u\ud800", "a\ud83c b\x00c")])
    reader = READERS["claude-code"]()
    (message,) = reader.read(only_ref(reader, home), "", now=LATER).new_messages
    assert (message.id, message.text) == ("u\ufffd", "a\ufffd b\ufffdc")


def test_a_quiet_session_that_owes_an_answer_crashed_and_comes_back_when_it_goes_on(home: Path) -> None:
    path = write_claude(home, CLAUDE[:5])
    os.utime(path, (NOON.timestamp(), NOON.timestamp()))
    reader = READERS["claude-code"]()
    ref = only_ref(reader, home)
    soon = ref.changed_at + timedelta(minutes=1)
    assert reader.read(ref, "", now=soon).status is SessionStatus.ACTIVE
    crashed = reader.read(ref, "", now=ref.changed_at + timedelta(hours=1))
    assert crashed.status is SessionStatus.CRASHED
    with path.open("ab") as file:
        file.write(as_lines(CLAUDE[5:7]))
    os.utime(path, (NOON.timestamp() + 60, NOON.timestamp() + 60))
    ref = only_ref(reader, home)
    again = reader.read(ref, crashed.cursor, now=ref.changed_at + timedelta(minutes=1))
    assert again.status is SessionStatus.ACTIVE
    assert again.new_messages[0].tool_name == "Bash"  # named in the part that was read before
