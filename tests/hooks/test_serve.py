"""What the daemon does at each event, on a real garden."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nightgarden.domain.client_events import EventName
from nightgarden.domain.memory import Scope, ScopeKind
from nightgarden.domain.session import HookSignals, Message, Session
from nightgarden.domain.verdict import Saved
from nightgarden.errors import NotAllowed
from nightgarden.garden import Garden
from nightgarden.models.classifier_files import FOLDER_VARIABLE
from nightgarden.recall.inject import HEAD
from nightgarden.sessions.hooked import HookedSession
from nightgarden.sessions.live import HOOKED_MAX
from nightgarden.surfaces.hooks.client_reply import HookReply, write_reply
from nightgarden.surfaces.hooks.event import read_event
from nightgarden.surfaces.hooks.on_event import serve
from nightgarden.surfaces.operations.perform import perform
from tests.sessions.transcripts import write_claude

FACT = "The staging database runs on port 5433"
NEVER = "Never run rm -rf on the build folder; use make clean instead"


def again(tmp_path: Path) -> AbstractAsyncContextManager[Garden]:
    """The garden as a process opens it."""
    env = {"NIGHTGARDEN_HOME": str(tmp_path / "data"), "NIGHTGARDEN_TURN_DEADLINE_MS": "20000"}
    return Garden.open(directory=tmp_path, env=env)


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told without being asked for is found by the shipped networks."""
    monkeypatch.delenv(FOLDER_VARIABLE)


@pytest.fixture
async def garden(tmp_path: Path) -> AsyncIterator[Garden]:
    async with again(tmp_path) as garden:
        yield garden


class Client:
    """Sends events as a client would."""

    def __init__(self, garden: Garden) -> None:
        self.garden = garden

    async def send(self, name: EventName, *, session: str = "s1", spooled: bool = False, **data: Any) -> HookReply:
        event = read_event("claude-code", name, {"session_id": session, **data}, spooled=spooled)
        return await serve(self.garden, event)

    async def tell(self, text: str, directory: Path) -> None:
        """In a session of its own, which is read for memories."""
        said = Message(id="m1", role="user", text=text, at=self.garden.now())
        name = f"told {text}"
        session = Session(id=name, client="claude-code", directory=str(directory), messages=(said,))
        await self.garden.sessions.add(session)
        await self.garden.sessions.extract(name)

    async def run(self, command: str) -> HookReply:
        return await self.send("PreToolUse", tool_name="Bash", tool_input={"command": command})


@pytest.fixture
def client(garden: Garden) -> Client:
    return Client(garden)


async def test_a_session_starts_with_a_briefing(client: Client) -> None:
    await client.garden.remember(NEVER)
    assert NEVER in (await client.send("SessionStart", source="startup")).context


async def test_a_prompt_brings_what_answers_it_once(client: Client) -> None:
    await client.garden.remember(FACT)
    prompt = "which port does the staging database use?"
    assert FACT in (await client.send("UserPromptSubmit", prompt=prompt)).context
    assert (await client.send("UserPromptSubmit", prompt=prompt)).context == ""
    assert "1 recalled" in (await client.send("StatusLine")).line


@pytest.mark.parametrize(
    ("earlier", "shown"),
    [
        ("Which port does our staging Postgres listen on?", False),
        ("Our staging Postgres listens on whatever port the pool hands out that day.", True),
    ],
)
async def test_a_question_asked_on_another_day_is_no_answer(
    client: Client, tmp_path: Path, earlier: str, shown: bool
) -> None:
    said = Message(id="m1", role="user", text=earlier, at=client.garden.now())
    await client.garden.sessions.add(Session(id="old", client="codex", directory=str(tmp_path), messages=(said,)))
    reply = await client.send(
        "UserPromptSubmit", prompt="We moved things: the staging Postgres now listens on port 5440"
    )
    assert (earlier.rstrip(".") in reply.context) is shown


async def test_after_a_compaction_what_was_shown_and_learned_is_brought_back(client: Client) -> None:
    verdict = await client.garden.remember("Deploys need the blue flag", session_id="s1")
    assert isinstance(verdict, Saved)
    await client.garden.remember(FACT)
    await client.send("UserPromptSubmit", prompt="which port does the staging database use?")
    again = (await client.send("SessionStart", source="compact")).context
    assert FACT in again
    assert "Deploys need the blue flag" in again
    assert again.count(FACT) == 1


async def test_a_forbidden_command_is_stopped_until_the_user_insists(client: Client) -> None:
    await client.garden.remember(NEVER)
    await client.send("UserPromptSubmit", prompt="thanks")
    assert NEVER in (await client.run("rm -rf build")).deny
    assert NEVER in (await client.run("rm -rf build")).deny
    await client.send("UserPromptSubmit", prompt="yes I know, do rm -rf build")
    allowed = await client.run("rm -rf build")
    assert allowed.deny == ""
    assert NEVER in allowed.context
    assert (await client.run("make clean")).deny == ""


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("Never delete the data folder", "rm -rf data"),
        ("Never skip the git hooks", "git commit -nm x"),
        ("Never restart the database", "systemctl restart postgresql"),
    ],
)
async def test_a_rule_that_names_no_command_stops_the_deed_too(client: Client, said: str, command: str) -> None:
    await client.garden.remember(said)
    assert said in (await client.run(command)).deny
    assert (await client.run("ls data")).deny == ""


TOLD = (
    ("By the way, our staging Postgres listens on port 5433. Never edit files under generated/, they are built.", 2),
    ("We deploy on Fridays. Don't touch generated/api.py. The staging bucket is called foo-stage.", 3),
    ("Never edit files under generated/. The pipeline does that.", 1),
)


@pytest.mark.usefixtures("networks")
@pytest.mark.parametrize(("told", "memories"), TOLD)
async def test_a_rule_told_beside_facts_is_a_memory_of_its_own_and_stops(
    client: Client, tmp_path: Path, told: str, memories: int
) -> None:
    await client.tell(told, tmp_path)
    assert len(await client.garden.list()) == memories
    stopped = await client.run("sed -i s/a/b/ generated/api.py")
    assert "generated/" in stopped.deny
    assert "5433" not in stopped.deny
    assert (await client.run("cat generated/api.py")).deny == ""


@pytest.mark.usefixtures("networks")
async def test_what_is_said_in_passing_is_kept_as_a_person_would_write_it(client: Client, tmp_path: Path) -> None:
    for told in (
        "By the way, our staging database listens on port 5433. Never edit files under generated/.",
        "You keep forgetting: the config lives in conf/app.toml.",
        "We moved things: the staging database now listens on 5440.",
    ):
        await client.tell(told, tmp_path)
    kept = [memory.content for memory in await client.garden.list()]
    assert "The config lives in conf/app.toml" in kept
    assert "The staging database now listens on 5440" in kept
    assert "Never edit files under generated/" in kept  # the port that was replaced does not take it along
    assert not any("5433" in content for content in kept)


async def test_a_plain_yes_after_a_stop_is_enough(client: Client) -> None:
    await client.garden.remember(NEVER)
    await client.send("UserPromptSubmit", prompt="thanks")
    assert NEVER in (await client.run("rm -fr build")).deny
    await client.send("UserPromptSubmit", prompt="Yes, go ahead.")
    assert (await client.run("rm -rf build")).deny == ""
    await client.send("UserPromptSubmit", prompt="thanks")
    assert NEVER in (await client.run("rm -rf build")).deny


async def test_reading_is_never_stopped(client: Client) -> None:
    await client.garden.remember(NEVER)
    reply = await client.send("PreToolUse", tool_name="Grep", tool_input={"pattern": "rm -rf build"})
    assert reply == HookReply()


async def test_a_failing_tool_brings_what_is_known_of_the_error(client: Client) -> None:
    await client.garden.remember("The error 'lockfile is stale' goes away after running poetry lock --no-update")
    error = "Error: the lockfile is stale, cannot go on"
    sent: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "poetry install"}, "error": error}
    assert "poetry lock" in (await client.send("PostToolUseFailure", **sent)).context
    assert (await client.send("PostToolUseFailure", **sent)).context == ""


async def test_a_spooled_event_says_nothing(client: Client) -> None:
    await client.garden.remember(FACT)
    assert await client.send("SessionStart", source="startup", spooled=True) == HookReply()
    assert await client.send("UserPromptSubmit", prompt="which port does staging use?", spooled=True) == HookReply()


async def test_sessions_of_a_client_that_was_not_allowed_are_not_read(client: Client) -> None:
    await client.send("Stop", last_assistant_message="done")
    await client.garden.settle()
    assert "read a session: done" not in (await client.garden.stats()).background


async def test_what_is_known_of_sessions_is_bounded(garden: Garden) -> None:
    live = garden.turns.live
    for number in range(HOOKED_MAX + 5):
        live.keep_hooked(str(number), HookedSession().having_shown(1), at=garden.now())
    assert live.hooked("0").signals.shown == 0
    assert live.hooked(str(HOOKED_MAX + 4)).signals.shown == 1


async def test_what_hooks_told_is_kept_with_the_session(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    write_claude(tmp_path / "user", session_id="s1")
    garden = client.garden
    await garden.sessions.allow("claude-code")
    await client.send("PostToolUseFailure", tool_name="Bash", tool_input={"command": "make"}, error="boom")
    await client.send("PreCompact")
    await garden.settle()
    async with again(tmp_path) as garden:  # the daemon was started again
        client = Client(garden)
        await client.send("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={"stdout": "x"})
        await client.send("SessionEnd", reason="logout")
        await garden.settle()
        kept = (await garden.sessions.get("s1")).hooks
    assert kept == HookSignals(tools=2, failures=1, compactions=1, end_reason="logout")


async def test_a_session_goes_on_with_its_notes_after_the_daemon_was_started_again(
    client: Client, tmp_path: Path
) -> None:
    await client.garden.remember(NEVER)
    await client.send("UserPromptSubmit", prompt="please forget what I said about the roses")
    await client.run("rm -rf build")
    await client.send("PostToolUse", tool_name="Read", tool_input={"file_path": "/p/a.py"}, tool_response={})
    await client.send("UserPromptSubmit", prompt="which port does the staging database use?")
    before = client.garden.turns.live.hooked("s1").notes
    assert (len(before.signals.stopped), before.signals.tools, before.forgetting) == (1, 1, 1)
    await client.garden.settle()
    async with again(tmp_path) as garden:
        assert "1 stopped" in (await Client(garden).send("StatusLine")).line
        assert garden.turns.live.hooked("s1").notes == before
        live = await garden.turns.live.find("s1")
    assert live is not None
    assert (live.turns, live.notes) == (2, before)  # both parts are in one state
    assert "roses" not in str(live)  # never a word of what was said


async def test_the_briefing_counts_as_shown_is_not_repeated_at_a_resume_and_the_head_comes_once(client: Client) -> None:
    await client.garden.remember(FACT)
    await client.garden.remember("Never deploy on a Friday")
    prompt = "which port does the staging database use?"
    first = (await client.send("SessionStart", source="startup")).context
    assert FACT in first
    assert HEAD in first
    assert (await client.send("UserPromptSubmit", prompt=prompt)).context == ""
    assert (await client.send("SessionStart", source="resume")).context == ""
    await client.garden.remember("The office closes at six")
    again = (await client.send("SessionStart", source="resume")).context
    assert "The office closes at six" in again
    assert FACT not in again
    await client.garden.remember("The search cluster is called heron and has five nodes")
    later = (await client.send("UserPromptSubmit", prompt="what is the search cluster called?")).context
    assert "heron" in later
    assert HEAD not in later
    anew = (await client.send("SessionStart", source="compact")).context
    assert HEAD in anew
    assert anew.count(HEAD) == 1
    assert FACT in anew


async def test_opencode_is_briefed_anew_because_it_keeps_no_briefing(garden: Garden) -> None:
    await garden.remember(FACT)
    for source in ("startup", "resume"):
        event = read_event("opencode", "SessionStart", {"session_id": "s1", "source": source})
        assert FACT in (await serve(garden, event)).context


# -- what the user sees, takes back and switches off -------------------------------------------------------------------
async def test_the_user_is_told_in_a_line_what_was_recalled_and_stopped_and_can_switch_that_off(client: Client) -> None:
    await client.garden.remember(FACT)
    await client.garden.remember(NEVER)
    assert "briefed with 2 memories" in (await client.send("SessionStart", session="s0", source="startup")).note
    told = await client.send("UserPromptSubmit", prompt="which port does the staging database use?")
    assert told.note.startswith(f"❀ recalled: {FACT}")
    printed = json.loads(write_reply("claude-code", "UserPromptSubmit", told))
    assert printed["systemMessage"] == told.note
    assert told.note not in printed["hookSpecificOutput"]["additionalContext"]
    stopped = await client.run("rm -rf build")
    assert stopped.note.startswith(f"❀ stopped: {NEVER}")
    assert "nightgarden forget" in stopped.note
    quiet = client.garden.at(
        client.garden.place,
        replace(client.garden.settings, turn=replace(client.garden.settings.turn, notify=False)),
    )
    client.garden = quiet
    assert (await client.send("UserPromptSubmit", session="s2", prompt="which port does staging use?")).note == ""


async def test_what_was_learned_is_told_once_with_its_undo(client: Client) -> None:
    verdict = await client.garden.remember(FACT)
    assert isinstance(verdict, Saved)
    client.garden.turns.live.note_learned(client.garden.place.scope, [verdict.memory])
    first = await client.send("UserPromptSubmit", session="other", prompt="thanks")
    assert first.note == f"❀ learned: {FACT} (undo: `nightgarden forget {verdict.memory.id[-8:]}`)"
    assert (await client.send("UserPromptSubmit", session="other", prompt="thanks")).note == ""


async def test_forget_what_i_said_about_works_in_conversation(client: Client) -> None:
    cat = await client.garden.remember("The office cat is called Mori")
    await client.garden.remember(FACT)
    assert isinstance(cat, Saved)
    said = await client.send("UserPromptSubmit", prompt="Please forget what I said about the office cat.")
    assert "The office cat is called Mori" in said.context
    assert "out of long-term memory now" in said.context
    assert f"nightgarden restore {cat.memory.id[-8:]}" in said.note
    assert not (await client.garden.get(cat.memory.id)).live
    later = await client.send("UserPromptSubmit", session="s2", prompt="what is the office cat called?")
    assert "Mori" not in later.context
    assert [memory.content for memory in await client.garden.list()] == [FACT]


async def test_where_much_matches_the_agent_is_told_to_ask(client: Client) -> None:
    for word in ("invoices", "payslips", "contracts", "letters"):
        await client.garden.remember(f"The printer jams on {word}, so feed it by hand")
    said = await client.send("UserPromptSubmit", prompt="forget what I said about the printer")
    assert "ask which" in said.context
    assert len(await client.garden.list()) == 4


async def test_a_long_prompt_that_quotes_a_request_to_forget_forgets_nothing(client: Client) -> None:
    await client.garden.remember("The office cat is called Mori")
    mail = "Summarise this mail for me: " + "we met on Monday and talked about the roof. " * 12
    await client.send("UserPromptSubmit", prompt=f"{mail}Please forget what I said about the office cat.")
    assert len(await client.garden.list()) == 1


async def test_an_agent_forgets_the_users_word_only_while_the_user_asks_for_it(garden: Garden) -> None:
    verdict = await garden.remember("I prefer tabs over spaces")
    assert isinstance(verdict, Saved)
    wish = {"id": verdict.memory.id, "session_id": "forgetful"}
    assert (await perform(garden, "forget", wish))["flagged"]
    hook = {"client": "claude-code", "event": "UserPromptSubmit"}
    asked = {"session_id": "forgetful", "prompt": "could you forget my thing with the tabs?"}
    await perform(garden, "hook", {**hook, "data": asked})
    await perform(garden, "hook", {**hook, "data": {"session_id": "forgetful", "prompt": "yes, that one"}})
    assert (await perform(garden, "forget", wish))["status"] == "archived"


async def test_surfaced_lists_what_a_session_was_given_and_whether_it_helped(client: Client) -> None:
    await client.garden.remember(FACT)
    await client.send("UserPromptSubmit", prompt="which port does the db use?")
    await client.send("Stop", last_assistant_message="The staging database runs on port 5433.")
    await client.send("UserPromptSubmit", prompt="and where is the office?")
    await client.garden.settle()
    [session] = (await perform(client.garden, "surfaced", {}))["sessions"]
    assert session["session_id"] == "s1"
    assert [(given["content"], given["used"]) for given in session["given"]] == [(FACT, True)]


async def test_while_memory_is_off_hooks_tools_briefings_and_turns_are_silent_and_nothing_said_is_kept(
    client: Client, tmp_path: Path
) -> None:
    garden = client.garden
    await garden.remember(FACT)
    ask = {"client": "claude-code", "event": "UserPromptSubmit"}
    prompt = {"session_id": "s1", "prompt": "which port does the staging database use?"}
    for everywhere in (True, False):
        assert await garden.switch(on=False, everywhere=everywhere)
        assert not await garden.switch(on=False, everywhere=everywhere)
        assert await garden.is_off()
        assert (await perform(garden, "hook", {**ask, "data": prompt}))["stdout"] == ""
        line = await perform(garden, "hook", {"client": "claude-code", "event": "StatusLine", "data": prompt})
        assert line["stdout"] == "❀ off"
        with pytest.raises(NotAllowed, match="switched memory off"):
            await perform(garden, "recall", {"query": "staging"})
        with pytest.raises(NotAllowed, match="switched memory off"):
            await perform(garden, "remember", {"text": "Ann reviews payments"})
        assert await garden.turn("which port does the staging database use?", session_id="s3") is None
        assert (await garden.briefing()).text == ""
        assert (await perform(garden, "recall", {"query": "staging"}, "user"))["results"]
        assert await garden.switch(on=True, everywhere=everywhere)
        assert not await garden.is_off()
        assert (
            FACT
            in (await perform(garden, "hook", {**ask, "data": prompt | {"session_id": f"on again, {everywhere}"}}))[
                "stdout"
            ]
        )
    other = garden.at(replace(garden.place, scope=Scope(ScopeKind.PROJECT, "other")), garden.settings)
    await garden.switch(on=False)
    assert not await other.is_off()
    await other.remember(FACT)
    assert FACT in (await perform(other, "hook", {**ask, "data": prompt | {"session_id": "o"}}))["stdout"]
