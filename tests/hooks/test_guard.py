"""When a tool is held back: rows of one table."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nightgarden.domain.memory import GLOBAL, Category, Memory, Provenance
from nightgarden.sessions.turn_class import TurnClass
from nightgarden.surfaces.hooks.event import NAMES, ToolUse, read_event
from nightgarden.surfaces.hooks.guard import Decision, Forbidden, Mode, SearchFirst, TurnState, Warned, decide
from nightgarden.surfaces.hooks.reply import Reply, write_reply
from nightgarden.surfaces.operations import catalog

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def never(*patterns: str, tainted: bool = False, category: Category = Category.NEGATIVE) -> Memory:
    return Memory(
        id="01aaaaaaaaaaaaaaaaaaaaaaaa",
        content="Never push to main",
        category=category,
        scope=GLOBAL,
        provenance=Provenance.USER_STATED,
        created_at=NOW,
        updated_at=NOW,
        confirmed_at=NOW,
        trigger_patterns=patterns,
        tainted=tainted,
    )


PUSH = never("git push main")
WORK = TurnState(turn_class=TurnClass.REQUIRED)
LOOKED = TurnState(turn_class=TurnClass.REQUIRED, looked=True)
ASKED = TurnState(turn_class=TurnClass.REQUIRED, asked=True)
SEARCHED = TurnState(turn_class=TurnClass.REQUIRED, searched=True)
INSISTS = TurnState(prompt="yes, git push to main", stopped_before=frozenset({PUSH.id}))
FIRST_TIME = TurnState(prompt="git push to main")


@pytest.mark.parametrize(
    ("action", "memory", "mode", "turn", "expected"),
    [
        ("git push origin main", PUSH, "auto", TurnState(), Forbidden),
        ("git push origin main", PUSH, "explicit", SEARCHED, Forbidden),
        ("git push origin main", PUSH, "off", WORK, None),
        ("git push origin main", PUSH, "auto", FIRST_TIME, Forbidden),
        ("git push origin main", PUSH, "auto", INSISTS, Warned),
        ("git status", PUSH, "auto", TurnState(), None),
        ("git push origin main", never("git push main", tainted=True), "auto", TurnState(), None),
        ("git push origin main", never("git push main", category=Category.PROCEDURE), "auto", TurnState(), None),
        ("make", PUSH, "auto", WORK, SearchFirst),
        ("make", PUSH, "auto", LOOKED, None),
        ("make", PUSH, "auto", ASKED, None),
        ("make", PUSH, "explicit", LOOKED, SearchFirst),
        ("make", PUSH, "explicit", ASKED, None),
        ("make", PUSH, "explicit", SEARCHED, None),
        ("make", PUSH, "explicit", TurnState(turn_class=TurnClass.SOFT), None),
    ],
)
def test_a_tool_is_held_back_only_when_memory_speaks_against_it_or_was_not_asked(
    action: str, memory: Memory, mode: Mode, turn: TurnState, expected: type[Decision] | None
) -> None:
    decision = decide(action, mutating=True, mode=mode, turn=turn, negatives=[memory])
    assert decision is None if expected is None else isinstance(decision, expected)


def test_a_tool_that_changes_nothing_never_waits_for_a_search() -> None:
    assert decide("ls", mutating=False, mode="explicit", turn=WORK, negatives=[]) is None


def test_what_an_edit_would_write_is_part_of_the_action() -> None:
    tool = ToolUse(name="Edit", input={"file_path": "a.py", "edits": [{"new_string": "eval(x)"}]})
    assert tool.mutating
    assert "eval(x)" in tool.action
    assert tool.files == ("a.py",)


def test_words_before_a_compaction_are_plain_and_only_for_claude_code() -> None:
    reply = Reply(instructions="keep it")
    assert write_reply("claude-code", "PreCompact", reply) == "keep it"
    assert write_reply("codex", "PreCompact", reply) == ""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("client", catalog.CLIENTS)
def test_silence_is_no_output_at_all(client: str, name: str) -> None:
    assert write_reply(client, name, Reply()) == ""


def test_an_event_of_any_shape_is_read() -> None:
    event = read_event(
        "codex", "PreToolUse", {"session_id": 7, "tool_input": "x", "tool_name": None, "attachments": True}
    )
    assert (event.session_id, event.tool.name, event.attachments) == ("", "", 0)


def test_the_catalogue_names_the_same_events() -> None:
    assert catalog.EVENTS == NAMES


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ("ls: cannot access '/x': No such file or directory\n", True),
        ("Traceback (most recent call last):\n  File\nValueError: no", True),
        ("error: pathspec 'x' did not match", True),
        ("3 passed in 0.1s", False),
        ("the word error_count is 0\nall fine", False),
        ("", False),
    ],
)
def test_an_output_that_ends_in_an_error_counts_as_failed(output: str, failed: bool) -> None:
    assert ToolUse(name="Bash", input={}, output=output).looks_failed is failed
