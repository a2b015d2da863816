"""What is taken from Codex's rollouts, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path

from nightgarden.domain.session import SessionStatus, SessionUsage, Signal
from nightgarden.sessions.readers.codex import CodexReader
from tests.sessions.transcripts import CODEX, LATER, THREAD, codex_item, codex_line, codex_says, write_codex


def read(home: Path):
    reader = CodexReader()
    return reader.read(reader.discover(home, {})[0], "", now=LATER)


def test_words_answers_and_tool_results_are_taken_once_and_the_rest_is_left_out(home: Path) -> None:
    write_codex(home)
    found = read(home)
    assert [(m.role, m.text, m.tool_name, m.is_error) for m in found.new_messages] == [
        ("user", "use spaces", "", False),
        ("tool", "ls: no such file", "exec_command", True),
        ("assistant", "No such file.", "", False),
        ("system", "summary", "", False),
    ]
    assert (found.session.id, found.session.directory, found.status) == (THREAD, "/garden", SessionStatus.CLOSED)


def test_a_turn_without_its_end_is_a_crash_once_it_is_quiet(home: Path) -> None:
    write_codex(home, CODEX[:-1])
    assert read(home).status is SessionStatus.CRASHED


def test_a_spawned_thread_is_linked_to_the_one_that_started_it(home: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "p-1"}}}
    header = codex_line("session_meta", {"id": THREAD, "cwd": "/garden", "source": source})
    write_codex(home, [header, codex_line("session_meta", {"id": "p-1", "cwd": "/"}), codex_says("user", "find it", 1)])
    found = read(home)
    assert (found.session.parent_id, found.session.directory) == ("p-1", "/garden")
    assert [m.role for m in found.new_messages] == ["assistant"]


def test_what_the_program_itself_adds_is_left_out_by_its_own_word(home: Path) -> None:
    about = {"content_item_metadata": [{"provenance": {"type": "harness", "hook": True}}]}
    write_codex(home, [codex_says("user", "remember x", 1, internal_chat_message_metadata_passthrough=about)])
    assert read(home).new_messages == ()


def test_tool_outputs_of_older_and_other_tools_are_understood(home: Path) -> None:
    older = json.dumps({"output": "boom", "metadata": {"exit_code": 1}})
    write_codex(
        home,
        [
            codex_item(1, type="function_call_output", call_id="a", output=older),
            codex_item(
                2, type="custom_tool_call_output", call_id="b", output={"content": "bad patch", "success": False}
            ),
            codex_item(3, type="function_call_output", call_id="c", output=[{"type": "input_image"}]),
            codex_item(4, type="function_call_output", call_id="d", output="Exit code: 0\nWall time: 1\nOutput:\nfine"),
        ],
    )
    found = [(m.text, m.is_error) for m in read(home).new_messages]
    assert found == [("boom", True), ("bad patch", True), ("[image]", False), ("fine", False)]


def test_calls_usage_and_interruptions_are_kept(home: Path) -> None:
    def spent(second: int, taken: int, given: int) -> dict:
        total = {"input_tokens": taken, "cached_input_tokens": 40, "output_tokens": given}
        return codex_line("event_msg", {"type": "token_count", "info": {"total_token_usage": total}}, second)

    write_codex(
        home,
        [
            codex_says("user", "go", 1),
            codex_item(2, type="function_call", name="exec_command", call_id="c", arguments='{"cmd": "make"}'),
            codex_item(
                4, type="function_call_output", call_id="c", output="Exit code: 3\nWall time: 1.5 seconds\nOutput:\n"
            ),
            spent(5, 100, 7),
            spent(5, 100, 7),
            codex_item(6, type="custom_tool_call", name="apply_patch", call_id="d", input="*** Begin Patch"),
            codex_item(9, type="custom_tool_call_output", call_id="d", output=""),
            codex_line("event_msg", {"type": "turn_aborted", "reason": "interrupted"}, 10),
        ],
    )
    found = read(home)
    make, patch, stopped = found.new_messages[1:]
    assert (make.arguments, make.exit_code, make.duration_ms, make.text) == ({"cmd": "make"}, 3, 1500, "")
    assert (patch.tool_name, patch.arguments, patch.duration_ms) == ("apply_patch", {"input": "*** Begin Patch"}, 3000)
    assert patch.usage == found.session.usage == SessionUsage(input_tokens=60, output_tokens=7, cached_tokens=40)
    assert (stopped.role, stopped.signal) == ("system", Signal.INTERRUPTED)


def test_the_summary_of_a_compaction_is_nobodys_words_though_it_is_written_like_an_answer(home: Path) -> None:
    def shown(item_type: str, item_id: str) -> dict:
        return codex_line("event_msg", {"type": "item_completed", "item": {"type": item_type, "id": item_id}})

    write_codex(
        home,
        [
            codex_says("user", "go on", 1, id="u1"),
            shown("UserMessage", "x"),
            shown("AgentMessage", "a1"),
            codex_says("assistant", "going", 2, id="a1"),
            codex_says("assistant", "Summary: the user wants to go on", 3, id="a2"),
            codex_line("compacted", {"message": "Summary: the user wants to go on"}, 4),
            shown("AgentMessage", "a3"),
            codex_says("assistant", "gone", 5, id="a3"),
        ],
    )
    assert [(m.role, m.text) for m in read(home).new_messages] == [
        ("user", "go on"),
        ("assistant", "going"),
        ("system", "Summary: the user wants to go on"),
        ("assistant", "gone"),
    ]
