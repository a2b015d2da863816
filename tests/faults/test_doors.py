"""One bad input, brought in as a user or a stranger would: its sender is told, and everybody else goes on."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import pty
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nightgarden import Garden, Message, Session
from nightgarden.store.sqlite.connection import Writer, connect
from nightgarden.store.sqlite.migrate import refuse_newer, schema_version
from nightgarden.surfaces import client
from nightgarden.surfaces.connect.start_command import hook_words
from tests.cli.command import environment, run
from tests.mcp.test_stdio import INITIALIZE, Server
from tests.runtime.running import Home, wait_for

HOSTILE = "\x1b]0;owned\x07\x1b[2J"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    yield home
    home.kill_all()


def test_a_table_is_remembered_or_refused_at_once(tmp_path: Path) -> None:
    table = "Ports\n|" + "-" * 400 + "|" + "-" * 400 + "|\n| billing | 5433 |"
    assert run(tmp_path, "remember", table).code in (0, 1)
    assert run(tmp_path, "remember", "Ports" + "\n" * 4000 + "billing is on 5433").code in (0, 1)


@pytest.mark.parametrize("trigger", ["/(a)\\1/", "/(?=x)y/", "/(/"])
def test_a_trigger_that_cannot_be_run_is_refused_with_a_reason(tmp_path: Path, trigger: str) -> None:
    ran = run(tmp_path, "remember", "Never deploy on Fridays", "--category", "negative", "--trigger", trigger)
    assert (ran.code, "Traceback" in ran.err) == (2, False)
    assert "cannot be used" in ran.err


def test_a_trigger_made_to_explode_holds_nobody_up(tmp_path: Path) -> None:
    for trigger in ("/(.|..)+\\x00/", "/(a|a)*b/", "/.*.*.*.*x/"):
        words = ("--category", "negative", "--trigger", trigger)
        assert (
            run(tmp_path, "remember", f"Never say {trigger[1:4]} here", *words, "--allow", "code-derivable").code == 0
        )
    assert run(tmp_path, "recall", "a" * 3000).code == 0
    assert "every trigger can be read" in run(tmp_path, "doctor").out


def test_the_mcp_server_answers_every_malformed_message_and_goes_on(home: Home) -> None:
    home.start()
    bad = [
        b"[" * 100_000,
        {**INITIALIZE, "id": {"a": 1}},
        {**INITIALIZE, "id": [1]},
        {**INITIALIZE, "params": [1]},
        {**INITIALIZE, "params": {"capabilities": 7}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": "text"}},
        {"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": {"name": ["brief"]}},
        [[INITIALIZE]],
    ]
    with Server(home) as server:
        assert server.process.stdin is not None
        for wrong in ([1], {"a": 1}):
            told = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": wrong}}
            server.process.stdin.write(json.dumps(told).encode() + b"\n")
        told = {"jsonrpc": "2.0", "id": "nightgarden-roots", "result": {"roots": [{"uri": "file://["}]}}
        server.process.stdin.write(json.dumps(told).encode() + b"\n")
        for message in bad:
            assert server.ask(message), message
        for directory in ("~nosuch", "/tmp/\0x"):
            assert server.call("memory_recall", {"query": "x", "directory": directory})["isError"] is True
        assert server.ask(INITIALIZE)["result"]


def test_an_mcp_call_does_not_wait_for_a_hung_daemon_and_has_it_replaced(home: Home) -> None:
    hung = home.start()
    with Server(home) as server:
        server.ask(INITIALIZE)
        assert server.call("memory_list", {})["isError"] is False
        os.kill(hung, signal.SIGSTOP)
        try:
            assert server.call("memory_list", {})["isError"] is True
            wait_for(lambda: (home.ping() or {"pid": hung})["pid"] != hung, "another daemon")
        finally:
            if Path(f"/proc/{hung}").exists():
                os.kill(hung, signal.SIGCONT)
        assert server.call("memory_list", {})["isError"] is False


def _http(home: Home) -> tuple[str, int, str]:
    host, port = client.read_address(str(home.path))["http"].removeprefix("http://").split(":")
    return host, int(port), client.read_token(str(home.path))


def test_malformed_http_is_answered_and_counted(home: Home) -> None:
    home.start()
    host, port, token = _http(home)
    own = f"Host: {host}:{port}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
    deep = "[" * 100_000
    for request in (
        f"GET //[ HTTP/1.1\r\n{own}\r\n",
        f"POST /api/v1/list HTTP/1.1\r\n{own}Content-Length: ²\r\n\r\n",
        f"POST /api/v1/list HTTP/1.1\r\n{own}Content-Length: {len(deep)}\r\n\r\n{deep}",
        f"POST /login HTTP/1.1\r\n{own}Content-Length: {len(deep)}\r\n\r\n{deep}",
    ):
        with socket.create_connection((host, port), timeout=30) as connection:
            connection.sendall(request.encode("latin-1"))
            assert connection.recv(100).startswith(b"HTTP/1.1 400 ")
    assert home.ask("status")["malformed"] == 4


def test_idle_strangers_do_not_fill_the_listener(home: Home) -> None:
    home.start()
    host, port, token = _http(home)
    idle = [socket.create_connection((host, port), timeout=30) for _ in range(256)]
    try:
        asking = http.client.HTTPConnection(host, port, timeout=30)
        asking.request("GET", "/api/v1/status", headers={"Authorization": f"Bearer {token}"})
        assert asking.getresponse().status == 200
        asking.close()
    finally:
        for each in idle:
            each.close()


def test_the_cookie_is_not_the_token_and_names_its_port(home: Home) -> None:
    home.start()
    host, port, token = _http(home)
    asking = http.client.HTTPConnection(host, port, timeout=30)
    asking.request("POST", "/login", json.dumps({"token": token}), {"Content-Type": "application/json"})
    answer = asking.getresponse()
    answer.read()
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    assert token not in cookie
    assert cookie.startswith(f"nightgarden_{port}=")
    asking.request("GET", "/api/v1/status", headers={"Authorization": f"Bearer {cookie.partition('=')[2]}"})
    assert asking.getresponse().status == 401
    asking.close()


def test_what_a_hook_is_sent_cannot_become_another_request(home: Home) -> None:
    pid = home.start()
    done = subprocess.run(
        [*hook_words(home.path), "Stop", "claude-code"],
        input=b'{"session_id":"s1"}},"op":"stop","x":{"y":1',
        env={"NIGHTGARDEN_HOME": str(home.path), "PATH": os.environ["PATH"]},
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert home.ask("status")["requests"].get("stop") is None
    assert (home.ping() or {})["pid"] == pid


def test_a_spooled_event_that_is_no_file_or_too_deep_is_put_aside(home: Home) -> None:
    spool = home.path / "spool"
    (spool / "00000000000000000001-1.json").mkdir(parents=True)
    (spool / "00000000000000000002-1.json").write_text("[" * 100_000)
    (spool / "00000000000000000003-1.json").write_text('{"op":"hook","arguments":[1]}')
    os.mkfifo(spool / "00000000000000000004-1.json")
    event = {"client": "claude-code", "event": "Stop", "data": {"session_id": "s1"}, "spooled": True}
    (spool / "00000000000000000005-1.json").write_text(json.dumps({"op": "hook", "arguments": event}))
    home.start()
    wait_for(lambda: not list(spool.glob("*.json")), "an empty spool")

    def line() -> str:
        return next(step["line"] for step in home.ask("status")["steps"] if step["name"] == "spool")

    wait_for(lambda: "4 put aside" in line(), "the number of events put aside")


def test_codes_of_a_project_name_do_not_reach_the_terminal(tmp_path: Path) -> None:
    project = tmp_path / f"shop{HOSTILE}"
    project.mkdir()
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "nightgarden", "stats"]
    process = subprocess.Popen(words, stdout=theirs, stderr=theirs, cwd=project, env=environment(tmp_path / "home"))
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
    os.close(ours)
    assert process.wait(60) == 0
    assert b"shop" in shown
    assert b"\x1b]0;" not in shown
    assert b"\x1b[2J" not in shown


async def test_codes_of_a_transcript_reach_neither_terminal_nor_pipe_nor_markdown(tmp_path: Path) -> None:
    home, text = tmp_path / "home", f"The kiosk{HOSTILE}\x9b31m stone lies by the old well"
    async with Garden.open(home / "garden.db", directory=tmp_path) as garden:
        said = Message(id="m1", role="user", text=text, at=garden.now())
        await garden.sessions.add(Session(id="s1", title=f"Kiosk{HOSTILE}", messages=(said,), directory=str(tmp_path)))
        await garden.store._write(  # type: ignore[attr-defined]  # as an earlier version kept it
            lambda db: db.execute("UPDATE message SET record = json_set(record, '$.text', ?)", (text,))
        )
    for words in (
        ("recall", "kiosk", "stone"),
        ("sessions", "list"),
        ("sessions", "list", "--json"),
        ("sessions", "show", "s1"),
        ("sessions", "show", "s1", "--json"),
        ("sessions", "search", "kiosk"),
        ("show", "s1"),
        ("export",),
        ("export", "--format", "markdown"),
        ("export", "--format", "markdown", "-o", str(home / "out.md")),
    ):
        ran = run(home, *words, cwd=tmp_path)
        shown = ran.out + ((home / "out.md").read_text() if "-o" in words else "")
        assert "iosk" in shown, (words, ran.err)
        assert [code for code in ("\x1b", "\x07", "\x9b") if code in shown] == [], words


def test_a_closed_standard_output_is_no_traceback(tmp_path: Path) -> None:
    for words in ("stats", "list", "--help"):
        done = subprocess.run(
            ["sh", "-c", f'"{sys.executable}" -m nightgarden {words} >&-'],
            env=environment(tmp_path),
            capture_output=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")


async def test_a_writer_whose_file_was_read_only_writes_again_when_it_may(tmp_path: Path) -> None:
    path = tmp_path / "garden.db"
    connect(path, read_only=False).close()
    # What SQLite gives for a file without permission to write; root, who may run this, is never refused it.
    writer = Writer(connect(path, read_only=True), path, lambda db: refuse_newer(schema_version(db), path))
    try:
        await writer.run(lambda db: db.execute("CREATE TABLE t (x)"))
        await writer.run(lambda db: db.execute("INSERT INTO t VALUES (1)"))
    finally:
        writer.close()
    assert path.stat().st_size > 0


@pytest.mark.parametrize("failure", [MemoryError(), RuntimeError("can't start new thread"), KeyError("x")])
async def test_a_writer_outlives_whatever_one_unit_of_work_meets(tmp_path: Path, failure: Exception) -> None:
    path = tmp_path / "garden.db"
    failing = [failure]

    def check(db: sqlite3.Connection) -> None:
        if failing:
            raise failing.pop()

    def work(db: sqlite3.Connection) -> None:
        raise failure

    writer = Writer(connect(path, read_only=False), path, check)
    try:
        for run_it in (writer.run(lambda db: None), writer.run_alone(work), writer.run(work)):
            with pytest.raises(type(failure)):
                await asyncio.wait_for(run_it, 60)
        await asyncio.wait_for(writer.run(lambda db: db.execute("CREATE TABLE t (x)")), 60)
    finally:
        writer.close()


@pytest.mark.parametrize("kilobytes", [60_000, 100_000, 150_000, 200_000, 300_000, 400_000])
def test_too_little_memory_is_said_in_words_and_loses_nothing(tmp_path: Path, kilobytes: int) -> None:
    run(tmp_path, "remember", "The staging database listens on port 5433")
    for words in ("list", "recall staging", 'remember "The billing service listens on port 9944"'):
        limited = f'ulimit -v {kilobytes}; exec "{sys.executable}" -m nightgarden {words}'
        env = environment(tmp_path)
        done = subprocess.run(["sh", "-c", limited], env=env, capture_output=True, text=True, timeout=120)
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode in (0, 1, 130)  # 130: the library for numbers interrupts when it gets no thread
    assert "5433" in run(tmp_path, "list").out


def test_a_daemon_that_gets_too_little_memory_is_not_waited_for(tmp_path: Path) -> None:
    words = f'ulimit -v 40000; exec "{sys.executable}" -m nightgarden start'
    done = subprocess.run(["sh", "-c", words], env=environment(tmp_path), capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "did not answer within" not in done.stderr
    assert "Traceback" not in done.stderr


def test_half_characters_that_an_import_brought_are_exported(tmp_path: Path) -> None:
    run(tmp_path / "a", "remember", "The staging database listens on port 5433", cwd=tmp_path)
    lines = run(tmp_path / "a", "export", cwd=tmp_path).out.replace("staging", "sta\\ud800ging")
    (tmp_path / "lines.jsonl").write_text(lines)
    assert run(tmp_path / "b", "import", str(tmp_path / "lines.jsonl"), "--trust", cwd=tmp_path).code == 0
    for form in ("jsonl", "markdown"):
        file = tmp_path / f"out.{form}"
        assert run(tmp_path / "b", "export", "--format", form, "-o", str(file), cwd=tmp_path).code == 0
        assert "listens on port 5433" in file.read_text("utf-8")
        assert run(tmp_path / "b", "export", "--format", form, cwd=tmp_path).code == 0
    assert "listens on port 5433" in run(tmp_path / "b", "list", "--json", cwd=tmp_path).out


@pytest.mark.parametrize("kind", ["fifo", "endless", "deep"])
def test_settings_files_of_a_project_hold_up_nobody_who_connects_there(tmp_path: Path, kind: str) -> None:
    project = tmp_path / "shop"
    (project / ".claude").mkdir(parents=True)
    for file in (project / ".mcp.json", project / ".claude" / "settings.json", project / ".claude/settings.local.json"):
        match kind:
            case "fifo":
                os.mkfifo(file)
            case "endless":
                file.symlink_to("/dev/zero")
            case _:
                file.write_text("[" * 100_000)
    ran = run(tmp_path / "home", "connect", "claude-code", "--project", "--yes", cwd=project)
    assert ran.code in (1, 2)
    assert "nothing was changed" in ran.err or "left alone" in ran.err or "leads out" in ran.err, ran.err


def test_an_import_nested_without_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "folder" / "MEMORY.md")
    for words in (("deep.json",), ("deep.json", "--format", "mem0"), ("folder", "--format", "claude-memory")):
        assert run(tmp_path, "import", *words, cwd=tmp_path).code in (0, 1, 2)


def test_starting_where_nothing_can_be_written_says_so(tmp_path: Path) -> None:
    words = ["sh", "-c", f'ulimit -f 0; "{sys.executable}" -m nightgarden start']
    done = subprocess.run(words, env=environment(tmp_path), capture_output=True, text=True, timeout=60)
    assert (done.returncode, "cannot write" in done.stderr) == (1, True)


@pytest.mark.parametrize("kind", ["fifo", "endless", "deep"])
def test_files_of_a_repository_hold_nobody_up(tmp_path: Path, kind: str) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    match kind:
        case "fifo":
            os.mkfifo(project / ".gitignore")
            os.mkfifo(project / "config.toml")
        case "endless":
            (project / ".gitignore").symlink_to("/dev/zero")
            (project / "Cargo.lock").symlink_to("/dev/zero")
        case _:
            (project / "package.json").write_text("[" * 5000)
    run(tmp_path / "home", "remember", "shop.max_retries is 3", "--file", "a.py", cwd=project)
    ran = run(tmp_path / "home", "tend", "--only", "verify", "--full", cwd=project)
    assert (ran.code, "Traceback" in ran.err) == (0, False)


def _project(folder: Path, *commands: str) -> Path:
    """A repository with something in it that tending looks up."""
    folder.mkdir()
    for words in ("git init -q .", *commands):
        subprocess.run(["sh", "-c", words], cwd=folder, check=True, capture_output=True)
    return folder


def test_a_settings_file_with_one_endless_key_costs_nobody_time_or_memory(tmp_path: Path) -> None:
    project = _project(tmp_path / "shop", "mkdir .nightgarden")
    for key in ("a." * 30_000 + "b = 1\n", f"[{'a . ' * 15_000}b]\n", "x = {" + '"a".' * 12_000 + "b = 1}\n"):
        (project / ".nightgarden" / "config.toml").write_text(key)
        words = f'ulimit -v 1500000; exec "{sys.executable}" -m nightgarden list'
        env = environment(tmp_path / "home")
        done = subprocess.run(
            ["sh", "-c", words], env=env, cwd=project, capture_output=True, text=True, timeout=120, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
    assert "the whole file was left out" in run(tmp_path / "home", "doctor", cwd=project).err


def _endless_key(project: Path) -> None:
    (project / "config.toml").write_text("a." * 200_000 + "b = 1\n")
    (project / "pyproject.toml").write_text("[" + "a." * 200_000 + "b]\n")


def _long_names(project: Path) -> None:
    tables, leaves = 300, ", ".join(f'"k{n}": 1' for n in range(40_000))
    (project / "a.json").write_text(f'{{"{"x" * 1000}":' * tables + "{" + leaves + "}" + "}" * tables)
    nested = "".join(f"{' ' * n}{'y' * 900}:\n" for n in range(500))
    (project / "b.yaml").write_text(nested + "".join(f"{' ' * 500}k{n}: 1\n" for n in range(900)))


def _deep_folders(project: Path) -> None:
    os.makedirs(project / "/".join("d" * 900))  # noqa: PTH103 - too deep for Path, which makes parents by calling itself


def _refs_elsewhere(project: Path) -> None:
    (project / ".git" / "refs" / "heads").rmdir()
    (project / ".git" / "refs" / "heads").symlink_to("/")


@pytest.mark.parametrize("trap", [_endless_key, _long_names, _deep_folders, _refs_elsewhere])
def test_files_of_one_project_hold_up_no_tending(tmp_path: Path, trap: Callable[[Path], None]) -> None:
    project, home = _project(tmp_path / "shop"), tmp_path / "home"
    home.mkdir()
    for text in ("The retry limit is set in src/retry.py by MAX_RETRIES", "The payments work goes on in branch main"):
        assert run(home, "remember", text, cwd=project).code == 0
    trap(project)
    words = f'ulimit -v 2500000; exec "{sys.executable}" -m nightgarden tend --only verify --full'
    env = environment(home)
    done = subprocess.run(
        ["sh", "-c", words], env=env, cwd=project, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "could not be read" not in done.stdout
