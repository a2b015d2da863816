"""Real clients with our plugin in them, connected by our own installer, against a scripted model."""

from __future__ import annotations

import json
import os
import resource
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.clients.connected import WAIT_SECONDS, Connected, Transcripts, connect, wait_until
from tests.clients.model_server import Asked, ModelServer, Reply, Rule

FACT = "Remember that the staging database runs on port 5433."
QUESTION = "Which port does the staging database use?"
FORBIDDEN = "Never run rm -rf on the build folder; use make clean instead"
FENCE = "nightgarden-recall"


def one_worker_each(*names: str) -> list[object]:
    """Each client's tests one after another: a client takes a whole core while it starts."""
    return [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in names]


@pytest.fixture(params=one_worker_each("claude-code", "codex", "opencode"))
def connected(request: pytest.FixtureRequest, model: ModelServer) -> Iterator[Connected]:
    with connect(request.param, model) as client:
        yield client


def test_a_fact_told_in_one_session_reaches_the_model_in_the_next_and_is_not_memorised_again(
    connected: Connected, model: ModelServer
) -> None:
    connected.ask(FACT)
    assert "5433" in model.asked[0].everything
    connected.wait_until_read(1)
    assert ["5433" in memory["content"] for memory in connected.memories()] == [True]

    before = len(model.asked)
    connected.ask(QUESTION)
    asked = [request for request in model.asked[before:] if QUESTION in request.everything and request.tool_names]
    assert "5433" in asked[0].everything
    assert FENCE in asked[0].everything
    assert "memory_recall" in str(asked[0].body["tools"])

    connected.wait_until_read(2)
    assert len(connected.memories()) == 1
    if connected.name != "codex":  # whose hooks no person trusted here
        assert "works" in connected.nightgarden("doctor", "clients").stdout
    assert FENCE not in connected.nightgarden("export").stdout


def test_a_negative_memory_stops_a_tool_before_it_runs(connected: Connected, model: ModelServer) -> None:
    connected.nightgarden("remember", FORBIDDEN)
    build = connected.desk.project / "build"
    build.mkdir()
    model.rules = [
        Rule(says="tidy", reply=Reply(text="Tidying.", tool_calls=(connected.shell("rm -rf build"),))),
        Rule(says="tidy", after_tool="make clean", reply=Reply(text="I will not.")),
    ]
    ran = connected.ask("please tidy this folder")
    assert build.exists()
    assert "I will not." in ran.stdout
    told = next(asked.tool_results for asked in model.asked if asked.tool_results)
    assert FORBIDDEN in "\n".join(told)


def test_with_the_daemon_killed_hung_or_its_disk_full_the_client_works_as_if_we_were_not_there(
    connected: Connected, model: ModelServer
) -> None:
    connected.nightgarden("remember", "The staging database runs on port 5433")

    def still_works(prompt: str) -> None:
        model.rules = [Rule(says=prompt, reply=Reply(text=f"answer to {prompt}"))]
        assert f"answer to {prompt}" in connected.ask(prompt).stdout

    os.kill(connected.daemon_pid(), signal.SIGKILL)
    still_works("first question about staging")
    connected.nightgarden("start")  # joins the one that a hook started

    hung = connected.daemon_pid()
    os.kill(hung, signal.SIGSTOP)
    try:
        still_works("second question about staging")
    finally:
        with suppress(ProcessLookupError):  # a hook had it replaced
            os.kill(hung, signal.SIGCONT)
    connected.nightgarden("start")

    full = connected.daemon_pid()
    resource.prlimit(full, resource.RLIMIT_FSIZE, (0, 0))  # no file can grow any more, as on a full disk
    still_works("third question about staging")


@pytest.mark.xdist_group("opencode")
def test_opencode_is_told_each_thing_once_its_title_model_nothing_and_a_warning_comes_with_the_output(
    model: ModelServer,
) -> None:
    with connect("opencode", model) as connected:
        connected.nightgarden("remember", "The staging database runs on port 5433")
        connected.nightgarden("remember", "Never rm -rf the build folder, use make clean")
        cache = connected.desk.project / "cache"
        cache.mkdir()
        model.rules = [
            Rule(says="staging", reply=Reply(text="Tidying.", tool_calls=(connected.shell("rm -rf cache"),))),
            Rule(says="staging", after_tool="use make clean", reply=Reply(text="Noted.")),
        ]
        ran = connected.ask("Which port does the staging database use? Then tidy the cache.")
        assert not cache.exists()  # another folder than the one of the rule
        assert "Noted." in ran.stdout
        first = next(asked for asked in model.asked if asked.tool_names)
        assert first.everything.count("runs on port 5433") == 1
        assert [FENCE in asked.everything for asked in model.asked if not asked.tool_names] == [False]


@pytest.mark.xdist_group("claude-code")
@pytest.mark.parametrize("carrier", ["http", "process"])
def test_another_carrier_brings_the_same_and_a_hung_daemon_does_not_stop_it(model: ModelServer, carrier: str) -> None:
    with connect("claude-code", model) as connected:
        connected.nightgarden("connect", "claude-code", "--hooks", carrier, "--yes")
        connected.nightgarden("remember", FORBIDDEN)
        (connected.desk.project / "build").mkdir()
        model.rules = [
            Rule(says="tidy", reply=Reply(text="Tidying.", tool_calls=(connected.shell("rm -rf build"),))),
            Rule(says="tidy", after_tool="make clean", reply=Reply(text="I will not.")),
        ]
        assert "I will not." in connected.ask("please tidy the build folder with rm -rf").stdout
        prompt = next(asked for asked in model.asked if asked.tool_names)
        assert FORBIDDEN in prompt.everything
        model.rules = []
        os.kill(connected.daemon_pid(), signal.SIGSTOP)
        assert "ok" in connected.ask("and now a question").stdout


@pytest.mark.xdist_group("claude-code")
def test_compaction_carries_what_was_learned(model: ModelServer) -> None:
    with connect("claude-code", model) as connected:
        first = connected.ask(FACT)
        session_id = json.loads(first.stdout)["session_id"]
        connected.wait_until_read(1)
        before = len(model.asked)
        connected.ask("/compact", "--resume", session_id)
        assert any("Learned in this session" in asked.everything for asked in model.asked[before:])
        model.rules = []
        before = len(model.asked)
        connected.ask("please go on", "--resume", session_id)
        going_on = next(asked for asked in model.asked[before:] if asked.tool_names)
        assert FACT not in going_on.everything  # the talk itself was compacted away
        assert "5433" in going_on.everything


@pytest.mark.parametrize("name", one_worker_each("claude-code", "codex", "opencode"))
def test_a_compaction_in_the_middle_of_work_carries_what_was_learned(name: str, model: ModelServer) -> None:
    with connect(name, model) as connected:
        if name == "codex":
            config = connected.desk.home / ".codex" / "config.toml"
            config.write_text("model_auto_compact_token_limit = 5000\n" + config.read_text())
        first = connected.ask(FACT)
        connected.wait_until_read(1)
        filled = 990_000 if name == "claude-code" else 99_000  # of a window of a million, and of a hundred thousand
        full = Reply(text="Looking.", tool_calls=(connected.shell("echo looked"),), input_tokens=filled)
        model.rules = [Rule(says="look around", reply=full)]
        before = len(model.asked)
        connected.go_on(first, "look around")
        after = model.asked[before:]
        if name == "codex":  # lets nobody add to what it asks for
            compactions = [n for n, asked in enumerate(after) if "look around" in asked.everything]
            compactions = [n for n in compactions if not after[n].tool_names]
        else:
            compactions = [n for n, asked in enumerate(after) if "Learned in this session" in asked.everything]
            assert FACT not in after[-1].everything  # the talk itself was compacted away
        told = [asked for asked in after[compactions[-1] + 1 :] if asked.tool_names][-1].everything
        assert "5433" in told[told.index(f"<{FENCE}") : told.rindex(f"</{FENCE}")]


@pytest.mark.parametrize("name", one_worker_each("claude-code", "codex", "opencode"))
def test_a_session_whose_client_was_killed_is_read_later(name: str, model: ModelServer) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def think(_: Asked) -> Reply:
        asked.set()
        go_on.wait(2 * WAIT_SECONDS)
        return Reply(text="never seen")

    model.rules = [Rule(says="staging database", reply=think)]
    with connect(name, model) as connected:
        written = Transcripts(name=name, home=connected.desk.home)
        process = connected.client.start(FACT)
        try:
            assert asked.wait(WAIT_SECONDS)
            wait_until(lambda: written.hold("5433"), "it was written down")
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            go_on.set()
        assert connected.memories() == []
        written.put_back_in_time(hours=1)
        wait_until(lambda: ["5433" in memory["content"] for memory in connected.memories()] == [True], "it was read")
        assert [session["status"] for session in connected.sessions()] == ["crashed"]
