"""What is taken from Claude Code's transcripts, and what is left out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from nightgarden.domain.session import SessionStatus, SessionUsage, Signal
from nightgarden.sessions.readers.claude_code import ClaudeCode
from tests.sessions.transcripts import (
    CLAUDE,
    LATER,
    as_lines,
    claude_model,
    claude_user,
    tool_result,
    tool_use,
    write_claude,
)


def read(home: Path, number: int = 0):
    reader = ClaudeCode()
    return reader.read(reader.discover(home, {})[number], "", now=LATER)


def test_words_answers_and_tool_results_are_taken_and_the_rest_is_left_out(home: Path) -> None:
    write_claude(home)
    found = [(m.id, m.role, m.text, m.tool_name, m.is_error, m.pasted) for m in read(home).new_messages]
    assert found == [
        ("u1", "user", "use tabs, please", "", False, False),
        ("a2", "assistant", "Looking.", "", False, False),
        ("u2.t0", "tool", "Exit code 2\nno such file", "Bash", True, True),
        ("a3", "assistant", "There is no such file.", "", False, False),
        ("u3", "system", "This session is being continued from", "", False, True),
        ("u7", "user", "thanks, naïve 日本 🌱", "", False, False),
        ("u7.1", "user", "> said another", "", False, True),
        ("a4", "assistant", "You are welcome.", "", False, False),
    ]


def test_the_session_has_its_directory_title_and_moments(home: Path) -> None:
    write_claude(home)
    session = read(home).session
    assert (session.id, session.client, session.directory) == ("s-1", "claude-code", "/garden")
    assert session.title == "use tabs, please"
    assert session.started_at is not None
    assert session.started_at.utcoffset() is not None
    assert session.status is SessionStatus.CLOSED


def test_our_own_injected_text_is_removed_from_messages(home: Path) -> None:
    injected = 'before <nightgarden-recall id="1">- use tabs</nightgarden-recall> after'
    write_claude(home, [claude_user("u1", injected), claude_user("u2", "<nightgarden-recall>cut off")])
    assert [m.text for m in read(home).new_messages] == ["before  after"]


def test_of_a_slash_command_the_arguments_are_kept(home: Path) -> None:
    command = "<command-name>/fix</command-name>\n<command-args>use tabs</command-args>"
    write_claude(home, [claude_user("u1", command)])
    assert [m.text for m in read(home).new_messages] == ["use tabs"]


def test_reminders_of_the_client_inside_a_message_are_removed(home: Path) -> None:
    blocks = [
        {"type": "text", "text": "<system-reminder>be brief</system-reminder>"},
        {"type": "text", "text": "hello"},
    ]
    write_claude(home, [claude_user("u1", blocks)])
    assert [m.text for m in read(home).new_messages] == ["hello"]


def test_an_image_is_noted(home: Path) -> None:
    write_claude(home, [claude_user("u1", [{"type": "text", "text": "see"}, {"type": "image", "source": {}}])])
    assert [m.text for m in read(home).new_messages] == ["see\n[image]"]


def test_what_the_user_typed_while_the_model_worked_is_kept(home: Path) -> None:
    queued = {"type": "queued_command", "prompt": "and add tests", "commandMode": "prompt"}
    write_claude(home, [{"type": "attachment", "uuid": "x", "attachment": queued}])
    assert [(m.role, m.text) for m in read(home).new_messages] == [("user", "and add tests")]


def test_a_failed_call_of_the_model_is_no_message_and_ends_the_turn(home: Path) -> None:
    write_claude(home, [claude_user("u1", "hi"), claude_model("a1", "API Error: 400", isApiErrorMessage=True)])
    found = read(home)
    assert [m.id for m in found.new_messages] == ["u1"]
    assert found.status is SessionStatus.CLOSED


def test_a_turn_that_the_user_interrupted_owes_no_answer(home: Path) -> None:
    stopped = [{"type": "text", "text": "[Request interrupted by user for tool use]"}]
    write_claude(home, [claude_user("u1", "hi"), claude_user("u2", stopped)])
    found = read(home)
    assert [(m.id, m.role, m.signal) for m in found.new_messages] == [
        ("u1", "user", Signal.NONE),
        ("u2", "system", Signal.INTERRUPTED),
    ]
    assert found.status is SessionStatus.CLOSED


def test_what_a_tool_was_asked_and_how_it_ended_is_kept_without_secrets(home: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    calls = [
        (
            "c1",
            "Bash",
            {"command": f"GH_TOKEN={token} make test", "description": "Run tests"},
            "Exit code 2\nboom",
            True,
        ),
        ("c2", "Write", {"file_path": "/garden/bed.py", "content": "x = 1\n" * 4000}, "", False),
        (
            "c3",
            "Edit",
            {"file_path": "/garden/bed.py", "edits": [{"old": "a"}]},
            "The user doesn't want to proceed",
            True,
        ),
    ]
    records = [claude_user("u1", "go")]
    for number, (call, name, given, output, failed) in enumerate(calls):
        assert isinstance(given, dict)
        second = 10 * number
        records.append(claude_model(f"a{number}", tool_use(call, name, given), second=second, stop="tool_use"))
        records.append(claude_user(f"r{number}", [tool_result(call, output, is_error=failed)], second + 3))
    write_claude(home, records)
    run, write, edit = read(home).new_messages[1:]
    assert (run.exit_code, run.duration_ms, run.failed) == (2, 3000, True)
    assert token not in str(run.arguments)
    assert run.arguments["description"] == "Run tests"
    assert (write.text, write.tool_name, write.failed) == ("", "Write", False)
    assert write.arguments["file_path"] == "/garden/bed.py"
    assert sum(map(len, write.arguments.values())) < 1600
    assert edit.signal is Signal.INTERRUPTED
    assert edit.arguments["edits"] == '[{"old": "a"}]'


def test_usage_is_counted_once_for_an_answer_written_in_several_lines(home: Path) -> None:
    def line(uuid: str, block: object, output: int) -> dict:
        record = claude_model(uuid, block, stop="tool_use")
        usage = {"input_tokens": 100, "cache_read_input_tokens": 5000, "output_tokens": output}
        record["message"] |= {"id": "msg_1", "usage": usage}
        return record

    write_claude(home, [claude_user("u1", "go"), line("a1", "Looking.", 3), line("a2", tool_use("c1", "Bash"), 40)])
    found = read(home)
    assert found.session.usage == SessionUsage(input_tokens=100, output_tokens=40, cached_tokens=5000)
    assert found.new_messages[1].usage == SessionUsage(input_tokens=100, output_tokens=3, cached_tokens=5000)


def test_a_time_outside_the_calendar_is_no_time(home: Path) -> None:
    odd = [claude_user("u1", "hi", 3), claude_user("u2", "ho") | {"timestamp": "0001-01-01T00:00:00+14:00"}]
    write_claude(home, odd)
    first, second = read(home).new_messages
    assert second.at == first.at


def test_a_sub_agent_is_linked_and_its_task_is_not_taken_for_the_users_words(home: Path) -> None:
    path = write_claude(home)
    agent = path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(as_lines([claude_user("u1", "find it", isSidechain=True), claude_model("a1", "found")]))
    reader = ClaudeCode()
    ref = next(ref for ref in reader.discover(home, {}) if ref.parent_id)
    found = reader.read(ref, "", now=LATER)
    assert (found.session.id, found.session.parent_id) == ("s-1/agent-a1", "s-1")
    assert {m.role for m in found.new_messages} == {"assistant"}


def test_a_sub_agent_that_an_older_version_kept_beside_its_parent_is_linked_too(home: Path) -> None:
    write_claude(home, [claude_user("u1", "find it", isSidechain=True, sessionId="s-0")], session_id="agent-b2")
    found = read(home)
    assert (found.session.parent_id, found.new_messages[0].role) == ("s-0", "assistant")


def test_the_config_folder_may_be_elsewhere(home: Path, tmp_path: Path) -> None:
    write_claude(home)
    moved = (home / ".claude").rename(tmp_path / "moved")
    assert len(ClaudeCode().discover(home, {"CLAUDE_CONFIG_DIR": str(moved)})) == 1
    assert ClaudeCode().discover(home, {}) == []


def test_a_session_that_a_running_client_holds_is_active_however_quiet(home: Path) -> None:
    write_claude(home, CLAUDE[:-1])
    notes = home / ".claude" / "sessions"
    notes.mkdir()
    (notes / "1.json").write_text(json.dumps({"pid": os.getpid(), "sessionId": "s-1"}))
    assert read(home).status is SessionStatus.ACTIVE


@pytest.mark.parametrize(
    ("last", "status"),
    [
        (["Done, it passes."], SessionStatus.CLOSED),
        (["Let me run it.", tool_use("c", "Bash")], SessionStatus.CRASHED),
        ([tool_use("c", "Bash")], SessionStatus.CRASHED),
    ],
)
def test_words_end_a_turn_when_the_client_did_not_say_why_the_model_stopped(
    home: Path, last: list[Any], status: SessionStatus
) -> None:
    records = [claude_user("u1", "hi"), *(claude_model(f"a{at}", block) for at, block in enumerate(last))]
    for record in records[1:]:
        record["message"]["stop_reason"] = None
    write_claude(home, records)
    assert read(home).status is status


def test_a_note_of_a_process_that_is_gone_or_another_does_not_keep_a_session_active(home: Path) -> None:
    write_claude(home, [claude_user("u1", "hi"), claude_model("a1", tool_use("c", "Bash"), stop="tool_use")])
    notes = home / ".claude" / "sessions"
    notes.mkdir()
    (notes / "1.json").write_text(json.dumps({"pid": os.getpid(), "sessionId": "s-1", "procStart": "1"}))
    (notes / "2.json").write_text("{not json")
    assert read(home).status is SessionStatus.CRASHED


def test_what_the_prompt_history_says_was_pasted_is_marked_though_the_transcript_does_not_tell(home: Path) -> None:
    short, long = "ERROR one\nremember that x is 1", "ERROR two\nremember that y is 2"
    write_claude(home, [claude_user("u1", f"why: {short} and {long} please"), claude_user("u2", "x is 1")])
    folder = home / ".claude"
    (folder / "paste-cache").mkdir()
    (folder / "paste-cache" / "66daf6251d7f3cb4.txt").write_text(long)
    pasted = {
        "1": {"id": 1, "type": "text", "content": short},
        "2": {"id": 2, "type": "text", "contentHash": "66daf6251d7f3cb4"},
        "3": {"id": 3, "type": "text", "contentHash": "../../secret"},
        "4": {"id": 4, "type": "image"},
    }
    entries = ["{broken", "[]", json.dumps({"sessionId": "s-1", "pastedContents": pasted}), '{"pastedContents":{}}']
    (folder / "history.jsonl").write_text("\n".join(entries))
    assert [(m.text, m.pasted) for m in read(home).new_messages] == [
        ("why:", False),
        (short, True),
        ("and", False),
        (long, True),
        ("please", False),
        ("x is 1", False),
    ]
