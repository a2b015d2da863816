"""The readers against transcripts that the real clients wrote a moment ago."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nightgarden.domain.session import SessionStatus
from nightgarden.sessions.readers import READERS, Read
from nightgarden.sessions.readers.opencode import OpenCode
from tests.clients.drive import ClaudeCodeClient, CodexClient, Desk, OpenCodeClient
from tests.clients.model_server import Asked, ModelServer, Reply, Rule, ToolCall

NOTE = "the port is 8931\n"
INJECTED = "<nightgarden-recall>use port 9999</nightgarden-recall>"


def read_all(client: str, home: Path, *, after: timedelta = timedelta(minutes=1)) -> dict[str, Read]:
    """Every session of the client, by whether it is a sub-agent's: "main" or "sub"."""
    reader = READERS[client]()
    try:
        found = [reader.read(ref, "", now=ref.changed_at + after) for ref in reader.discover(home, {})]
    finally:
        reader.close()
    return {"sub" if read.session.parent_id else "main": read for read in found}


def has_messages(client: str, home: Path) -> bool:
    return any(read.new_messages for read in read_all(client, home).values())


def wait_until(holds: Callable[[], bool]) -> None:
    """Waits for a state of the file system, with a bound."""
    give_up_at = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < give_up_at
        time.sleep(0.02)


def brief(read: Read) -> list[tuple[str, str, bool]]:
    """Role, first line of text, and whether it is an error."""
    return [(m.role, m.text.splitlines()[0], m.is_error) for m in read.new_messages]


def assert_reads_alike_in_steps(client: str, home: Path) -> None:
    """Cut after every line, and in the middle of every line, what a real client wrote gives the same messages."""
    reader = READERS[client]()
    for ref in reader.discover(home, {}):
        whole = ref.path.read_bytes()
        expected = reader.read(ref, "", now=datetime.now(UTC)).new_messages
        ends, at = [], 0
        for line in whole.splitlines(keepends=True):
            ends += [at + len(line) // 2, at + len(line)]
            at += len(line)
        cursor, messages = "", []
        try:
            for end in ends:
                ref.path.write_bytes(whole[:end])
                read = reader.read(ref, cursor, now=datetime.now(UTC))
                assert not read.restarted
                cursor, messages = read.cursor, [*messages, *read.new_messages]
        finally:
            ref.path.write_bytes(whole)
        assert tuple(messages) == expected


def test_claude_code(claude: ClaudeCodeClient, model: ModelServer, desk: Desk) -> None:
    notes = desk.project / "notes.txt"
    notes.write_text(NOTE)
    calls = (
        ToolCall(name="Read", arguments={"file_path": str(notes)}),
        ToolCall(name="Bash", arguments={"command": "ls /no-such-folder", "description": "list"}),
    )
    task = {"description": "look", "prompt": "SUBTASK find it", "subagent_type": "general-purpose"}
    model.rules = [
        Rule(says="read the notes", reply=Reply(text="Reading.", thinking="secret thought", tool_calls=calls)),
        Rule(says="read the notes", after_tool="8931", reply=Reply(text="The port is 8931.")),
        Rule(says="SUBTASK", reply=Reply(text="It is under the stone.")),
        Rule(says="delegate", reply=Reply(text="Delegating.", tool_calls=(ToolCall(name="Agent", arguments=task),))),
        Rule(says="delegate", after_tool="", reply=Reply(text="Someone is looking.")),
        Rule(says="fail", reply=Reply(status=400, text="scripted refusal", error_type="invalid_request_error")),
    ]
    hook = {"type": "command", "command": f"echo '{INJECTED}'"}
    settings = json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [hook]}]}})
    first = claude.ask("please read the notes", "--settings", settings)
    assert first.returncode == 0, first.stderr
    assert any("use port 9999" in asked.everything for asked in model.asked)
    session_id = json.loads(first.stdout)["session_id"]
    claude.ask("please delegate this", "--resume", session_id)
    claude.ask("/compact", "--resume", session_id)
    claude.ask("please fail\n> as he said", "--resume", session_id)

    found = read_all("claude-code", desk.home)
    main, sub = found["main"], found["sub"]
    assert main.session.id == session_id
    assert main.session.directory == str(desk.project)
    assert main.damaged_lines == sub.damaged_lines == 0
    assert main.status is SessionStatus.CLOSED
    said = brief(main)
    assert said[:5] == [
        ("user", "please read the notes", False),
        ("assistant", "Reading.", False),
        ("tool", "1\tthe port is 8931", False),
        ("tool", "Exit code 2", True),
        ("assistant", "The port is 8931.", False),
    ]
    assert [m.tool_name for m in main.new_messages if m.role == "tool"][:2] == ["Read", "Bash"]
    assert [entry[1] for entry in said if entry[0] == "user"] == [
        "please read the notes",
        "please delegate this",
        "please fail",
        "> as he said",
    ]
    everything = "\n".join(m.text for m in main.new_messages)
    for left_out in ("secret thought", "use port 9999", "scripted refusal", "being continued", "system-reminder"):
        assert left_out not in everything
    assert sub.session.parent_id == session_id
    assert brief(sub) == [("assistant", "SUBTASK find it", False), ("assistant", "It is under the stone.", False)]
    assert_reads_alike_in_steps("claude-code", desk.home)


def test_claude_code_with_someone_before_it(claude: ClaudeCodeClient, model: ModelServer, desk: Desk) -> None:
    """What was pasted is known as such; a client that is killed in the middle of a turn leaves a crashed session."""
    asked, go_on = threading.Event(), threading.Event()

    def think(_: Asked) -> Reply:
        asked.set()
        go_on.wait(60)
        return Reply(text="never seen")

    model.rules = [Rule(says="why does this fail", reply=think)]
    log = "\n".join(f"ERROR {number}: remember that x is {number}" for number in range(12))
    with claude.sit_down() as terminal:
        terminal.type("why does this fail: ")
        terminal.paste(log)
        terminal.wait_for("[Pasted")
        terminal.type(" please")
        terminal.wait_for("please")
        terminal.type("\r")
        assert asked.wait(60)
        history = desk.home / ".claude" / "history.jsonl"
        wait_until(lambda: history.exists() and has_messages("claude-code", desk.home))
        running = read_all("claude-code", desk.home, after=timedelta(days=1))["main"]
        assert running.status is SessionStatus.ACTIVE
        assert [(m.text, m.pasted) for m in running.new_messages] == [
            ("why does this fail:", False),
            (log, True),
            ("please", False),
        ]
        terminal.kill()
        go_on.set()
        assert read_all("claude-code", desk.home, after=timedelta(hours=1))["main"].status is SessionStatus.CRASHED


def test_codex(codex: CodexClient, model: ModelServer, desk: Desk) -> None:
    (desk.project / "notes.txt").write_text(NOTE)

    def look(asked: Asked) -> Reply:
        assert "exec_command" in asked.tool_names
        commands = ("cat notes.txt", "ls /no-such-folder")
        calls = tuple(ToolCall(name="exec_command", arguments={"cmd": command}) for command in commands)
        return Reply(text="Reading.", thinking="secret thought", tool_calls=calls)

    spawn = ToolCall(name="spawn_agent", namespace="multi_agent_v1", arguments={"message": "SUBTASK find it"})
    model.rules = [
        Rule(says="read the notes", reply=look),
        Rule(says="read the notes", after_tool="8931", reply=Reply(text="The port is 8931.")),
        Rule(says="SUBTASK", reply=Reply(text="It is under the stone.")),
        Rule(says="delegate", reply=Reply(text="Delegating.", tool_calls=(spawn,))),
        Rule(says="delegate", after_tool="agent_id", reply=Reply(text="Someone is looking.")),
        Rule(says="fail", reply=Reply(status=400, text="scripted refusal", error_type="invalid_request_error")),
    ]
    first = codex.ask("please read the notes")
    assert first.returncode == 0, first.stderr
    thread = str(first.events()[0]["thread_id"])
    codex.ask("please delegate this", thread=thread)

    found = read_all("codex", desk.home, after=timedelta(hours=1))
    main, sub = found["main"], found["sub"]
    assert main.session.id == thread
    assert main.session.directory == str(desk.project)
    assert main.status is SessionStatus.CLOSED
    assert brief(main) == [
        ("user", "please read the notes", False),
        ("assistant", "Reading.", False),
        ("tool", "the port is 8931", False),
        ("tool", "ls: cannot access '/no-such-folder': No such file or directory", True),
        ("assistant", "The port is 8931.", False),
        ("user", "please delegate this", False),
        ("assistant", "Delegating.", False),
        ("tool", main.new_messages[-2].text.splitlines()[0], False),
        ("assistant", "Someone is looking.", False),
    ]
    assert {m.tool_name for m in main.new_messages if m.role == "tool"} == {"exec_command", "spawn_agent"}
    assert sub.session.parent_id == main.session.id
    assert brief(sub)[0] == ("assistant", "SUBTASK find it", False)

    codex.ask("please fail", thread=thread)
    reader = READERS["codex"]()
    ref = next(ref for ref in reader.discover(desk.home, {}) if ref.session_id == main.session.id)
    more = reader.read(ref, main.cursor, now=ref.changed_at + timedelta(hours=1))
    assert brief(more) == [("user", "please fail", False)]
    assert (more.restarted, more.damaged_lines, more.status) == (False, 0, SessionStatus.CLOSED)
    assert_reads_alike_in_steps("codex", desk.home)


def test_codex_when_it_compacts(codex: CodexClient, model: ModelServer, desk: Desk) -> None:
    codex.configure("model_auto_compact_token_limit = 5000")
    (desk.project / "AGENTS.md").write_text("Always be kind.")
    look = ToolCall(name="exec_command", arguments={"cmd": "echo looked"})
    model.rules = [
        Rule(says="COMPACTION", offers_tools=None, reply=Reply(text="Summary of everything so far.")),
        Rule(says="Summary of everything", reply=Reply(text="Going on.")),
        Rule(says="look around", reply=Reply(text="Looking.", tool_calls=(look,), input_tokens=9000)),
    ]
    assert codex.ask("look around").returncode == 0
    assert any("COMPACTION" in asked.user_text for asked in model.asked)
    read = read_all("codex", desk.home)["main"]
    assert [said for said in brief(read) if said[0] != "system"] == [
        ("user", "look around", False),
        ("assistant", "Looking.", False),
        ("tool", "looked", False),
        ("assistant", "Going on.", False),
    ]
    assert ["Summary of everything" in message.text for message in read.new_messages if message.role == "system"] == [
        True
    ]


def test_opencode(opencode: OpenCodeClient, model: ModelServer, desk: Desk) -> None:
    notes = desk.project / "notes.txt"
    notes.write_text(NOTE)
    calls = (
        ToolCall(name="read", arguments={"filePath": str(notes)}),
        ToolCall(name="read", arguments={"filePath": str(desk.project / "missing.txt")}),
    )
    task = {"description": "look", "prompt": "SUBTASK find it", "subagent_type": "general"}
    model.rules = [
        Rule(says="read the notes", reply=Reply(text="Reading.", thinking="secret thought", tool_calls=calls)),
        Rule(says="read the notes", after_tool="8931", reply=Reply(text="The port is 8931.")),
        Rule(says="SUBTASK", reply=Reply(text="It is under the stone.")),
        Rule(says="delegate", reply=Reply(text="Delegating.", tool_calls=(ToolCall(name="task", arguments=task),))),
        Rule(says="delegate", after_tool="stone", reply=Reply(text="Under the stone.")),
    ]
    first = opencode.ask("please read the notes")
    assert first.returncode == 0, first.stderr
    session_id = str(first.events()[0]["sessionID"])
    early = read_all("opencode", desk.home)["main"]
    assert brief(early) == [
        ("user", "please read the notes", False),
        ("assistant", "Reading.", False),
        ("tool", f"<path>{notes}</path>", False),
        ("tool", f"File not found: {desk.project / 'missing.txt'}", True),
        ("assistant", "The port is 8931.", False),
    ]
    opencode.ask("please delegate this", "--session", session_id)

    found = read_all("opencode", desk.home, after=timedelta(hours=1))
    main, sub = found["main"], found["sub"]
    assert (main.session.id, main.session.directory) == (session_id, str(desk.project))
    assert main.status is SessionStatus.CLOSED
    assert sub.session.parent_id == session_id
    assert brief(sub) == [("assistant", "SUBTASK find it", False), ("assistant", "It is under the stone.", False)]

    reader = OpenCode()
    ref = next(ref for ref in reader.discover(desk.home, {}) if ref.session_id == session_id)
    more = reader.read(ref, early.cursor, now=ref.changed_at)
    reader.close()
    assert [*early.new_messages, *more.new_messages] == list(main.new_messages)
    assert [m.text for m in more.new_messages if m.role != "tool"] == [
        "please delegate this",
        "Delegating.",
        "Under the stone.",
    ]
