"""When a tool is held back: rows of one table."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nightgarden.domain.client_events import CLIENTS, EVENT_NAMES
from nightgarden.domain.memory import GLOBAL, Category, Memory, Provenance
from nightgarden.remember.shape import trigger_patterns
from nightgarden.safety.command_reading import CommandReading
from nightgarden.safety.prohibitions import Weight, judge
from nightgarden.safety.read_action import read_action
from nightgarden.safety.read_command import read_command
from nightgarden.sessions.hooked import TurnState
from nightgarden.sessions.turn_class import TurnClass
from nightgarden.surfaces.hooks.client_reply import HookReply, write_reply
from nightgarden.surfaces.hooks.event import ToolUse, read_event
from nightgarden.surfaces.hooks.guard import (
    Decision,
    Forbidden,
    Mode,
    SearchFirst,
    UsersOwn,
    Warned,
    consents,
    decide,
)
from tests.safety.disguises import FORCE_PUSHES
from tests.safety.ordinary import LOOKING
from tests.safety.requirements import requirement

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def never(
    *patterns: str, content: str = "Never push to main", tainted: bool = False, category: Category = Category.NEGATIVE
) -> Memory:
    return Memory(
        id="01aaaaaaaaaaaaaaaaaaaaaaaa",
        content=content,
        category=category,
        scope=GLOBAL,
        provenance=Provenance.USER_STATED,
        created_at=NOW,
        updated_at=NOW,
        confirmed_at=NOW,
        trigger_patterns=patterns,
        tainted=tainted,
    )


def read(command: str) -> CommandReading:
    return read_command(command, cwd="/srv/app", home="/home/u")


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
    decision = decide(read(action), mode=mode, turn=turn, negatives=[memory])
    assert decision is None if expected is None else isinstance(decision, expected)


def test_a_tool_that_changes_nothing_never_waits_for_a_search() -> None:
    assert decide(read("ls"), mode="explicit", turn=WORK, negatives=[]) is None


def test_what_an_edit_would_write_is_part_of_the_action() -> None:
    tool = ToolUse(name="Edit", input={"file_path": "a.py", "edits": [{"new_string": "eval(x)"}]})
    assert tool.mutating
    assert "eval(x)" in tool.action
    assert tool.files == ("a.py",)


def test_words_before_a_compaction_are_plain_and_only_for_claude_code() -> None:
    reply = HookReply(instructions="keep it")
    assert write_reply("claude-code", "PreCompact", reply) == "keep it"
    assert write_reply("codex", "PreCompact", reply) == ""


@pytest.mark.parametrize("name", EVENT_NAMES)
@pytest.mark.parametrize("client", CLIENTS)
def test_silence_is_no_output_at_all(client: str, name: str) -> None:
    assert write_reply(client, name, HookReply()) == ""


def test_an_event_of_any_shape_is_read() -> None:
    event = read_event(
        "codex", "PreToolUse", {"session_id": 7, "tool_input": "x", "tool_name": None, "attachments": True}
    )
    assert (event.session_id, event.tool.name, event.attachments) == ("", "", 0)


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


def rule(content: str) -> Memory:
    """As it is stored when the user says it."""
    return never(*trigger_patterns(content), content=content)


@pytest.mark.parametrize(
    ("said", "command", "branch", "expected"),
    [
        ("Never force-push anything", "git push -f", "x", Weight.STOPS),
        ("Never force-push anything", "git push origin +feature", "x", Weight.STOPS),
        ("Never force-push anything", "sh -c 'git push --force-with-lease'", "x", Weight.STOPS),
        ("Never force-push anything", "git push --mirror backup", "x", Weight.STOPS),
        ("Never force-push anything", "git push origin feature", "x", None),
        ("Never force-push anything", "git commit -m 'never force-push'", "x", None),
        ("Never force-push anything", "grep -rn 'git push --force' .", "x", None),
        ("Never use git push --force", "git push -f origin x", "x", Weight.STOPS),
        ("Never force-push to main", "git push -f origin main", "x", Weight.STOPS),
        ("Never force-push to main", "git push -f origin feature", "x", None),
        ("Never force-push to main", "git push -f", "feature", None),
        ("Never force-push to main", "git push -f", "main", Weight.STOPS),
        ("Never force-push to main", "git push -f", "", Weight.WARNS),
        ("Never force-push to main or master", "git push -f origin HEAD:master", "x", Weight.STOPS),
        ("Never force-push, only use --force-with-lease", "git push --force-with-lease", "x", None),
        ("Never force-push, only use --force-with-lease", "git push --force", "x", Weight.STOPS),
        ("Never git push to main", "git push origin main", "x", Weight.STOPS),
        ("Never git push to main", "git push origin feature/main-page", "x", None),
        ("Never git push to main", "git push", "main", Weight.STOPS),
        ("Never git push to main", "git push", "feature", None),
        ("Never git commit directly to main", "git commit -m x", "main", Weight.STOPS),
        ("Never git commit directly to main", "git commit -m x", "feature", None),
        ("Never run rm -rf", "rm -fr build", "", Weight.STOPS),
        ("Never run rm -rf", "rm --recursive --force build", "", Weight.STOPS),
        ("Never run rm -rf", "rm build.log", "", None),
        ("Never run rm -rf on the build folder", "rm -rf build", "", Weight.STOPS),
        ("Never run rm -rf on the build folder", "cd build && rm -rf *", "", Weight.STOPS),
        ("Never run rm -rf on the build folder", "rm -rf ./cache-test", "", Weight.WARNS),
        ("Never run `terraform apply` in prod", "terraform apply -var env=prod", "", Weight.STOPS),
        ("Never run `terraform apply` in prod", "terraform apply -var env=dev", "", Weight.WARNS),
        ("Never run `terraform apply` in prod", "git grep 'terraform apply'", "", None),
        ("Never run `terraform apply` without a plan", "terraform apply", "", Weight.WARNS),
        ("Don't use npm here, use pnpm", "npm install", "", Weight.STOPS),
        ("Don't use npm here, use pnpm", "pnpm install", "", None),
        ("Don't use npm here, use pnpm", "grep -rn npm .", "", None),
        ("Never use sudo", "sudo make install", "", Weight.STOPS),
        ("Never use sudo", "make install", "", None),
        ("Don't amend commits", "git commit --amend --no-edit", "x", Weight.STOPS),
        ("Don't amend commits", "git commit -m x", "x", None),
        ("Don't amend commits that were pushed", "git commit --amend", "x", Weight.WARNS),
        ("Never rebase shared branches", "git rebase -i HEAD~3", "main", Weight.STOPS),
        ("Never rebase shared branches", "git rebase main", "feature", None),
        ("Never rebase shared branches", "git rebase --abort", "main", None),
        ("Never rebase", "git rebase main", "feature", Weight.STOPS),
        ("Never rebase without asking", "git rebase main", "feature", Weight.WARNS),
        ("Never commit to main, rebase a branch instead", "git commit -m x", "main", Weight.STOPS),
        ("Never skip the git hooks", "git commit -nm x", "x", Weight.STOPS),
        ("Never skip the git hooks", "HUSKY=0 git commit -m x", "x", Weight.STOPS),
        ("Never skip the git hooks", "git commit -m x", "x", None),
        ("Never delete the data folder", "rm -rf data", "", Weight.STOPS),
        ("Never delete the data folder", "cd data && rm -r old", "", Weight.STOPS),
        ("Never delete the data folder", "rm -rf build", "", None),
        ("Never delete the data folder", "ls data", "", None),
        ("Do not publish to npm", "npm publish --access public", "", Weight.STOPS),
        ("Do not publish to npm", "npm run build", "", None),
        ("Do not publish without asking", "cargo publish", "", Weight.WARNS),
        ("Never edit files under generated/", "cat generated/api.py", "", None),
        ("Never edit files under generated/", "sed -i s/a/b/ generated/api.py", "", Weight.STOPS),
        ("Never edit files under generated/", "echo x > generated/api.py", "", Weight.STOPS),
        ("Never edit files under generated/", "rm -r generated/old", "", Weight.STOPS),
        ("Never edit files under generated/", "python gen.py --out src/new.py", "", None),
        ("Never commit .env", "git add .env", "", Weight.STOPS),
        ("Never commit .env", "cp .env.example .env", "", None),
        ("Never touch audit_log", "psql -c 'SELECT count(*) FROM audit_log'", "", None),
        ("Never use git commit --no-verify", "git commit -nm x", "", Weight.STOPS),
        ("Never use git commit --no-verify", "git commit -m 'drop --no-verify'", "", None),
        ("Never run git reset --hard", "git reset --har HEAD~2", "", Weight.STOPS),
    ],
)
def test_a_rule_of_the_user_is_read_against_what_a_command_means(
    said: str, command: str, branch: str, expected: Weight | None
) -> None:
    assert judge(rule(said), read(command), branch=branch) is expected


@pytest.mark.parametrize(
    ("said", "edit", "expected"),
    [
        ("Never edit files under generated/", {"file_path": "generated/a.py", "new_string": "x"}, Weight.STOPS),
        ("Never edit files under generated/", {"file_path": "src/a.py", "new_string": "generated/"}, None),
        ("Never edit legacy/old.py", {"file_path": "/srv/app/legacy/old.py", "new_string": "x"}, Weight.STOPS),
        (
            "Never use `print` for logging",
            {"file_path": "a.py", "old_string": "print(x)", "new_string": "log(x)"},
            None,
        ),
        ("Never use `print` for logging", {"file_path": "a.py", "new_string": "print (x)"}, Weight.WARNS),
        ("Don't use npm here, use pnpm", {"file_path": "R", "old_string": "npm i", "new_string": "pnpm i"}, None),
        ("Never run rm -rf", {"file_path": "Makefile", "new_string": "clean:\n\trm -rf dist"}, None),
        ("Never use git push --force", {"file_path": "README.md", "new_string": "never git push --force"}, None),
        ("Never commit .env", {"file_path": ".env", "content": "A=1"}, None),
    ],
)
def test_an_edit_is_judged_by_its_path_and_by_what_it_adds(
    said: str, edit: dict[str, str], expected: Weight | None
) -> None:
    reading = read_action("Edit", edit, cwd="/srv/app", home="/home/u")
    assert judge(rule(said), reading) is expected


@pytest.mark.parametrize("command", LOOKING)
def test_no_rule_stops_a_command_that_only_looks(command: str) -> None:
    said = (
        "Never force-push anything",
        "Never run rm -rf",
        "Never use sudo",
        "Never run `terraform apply`",
        "Never use npm",
    )
    assert [judge(rule(each), read(command)) for each in said] == [None] * len(said)


@pytest.mark.parametrize("command", FORCE_PUSHES)
def test_never_force_push_anything_stops_every_way_to_do_it(command: str) -> None:
    assert judge(rule("Never force-push anything"), read(command), branch="feature") is Weight.STOPS


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Yes, go ahead.", True),
        ("yes", True),
        ("ok do it", True),
        ("Yes, I know, do it anyway", True),
        ("Just apply it to prod please, ignore the memory", True),
        ("Sure, proceed", True),
        ("Ja, mach das", True),
        ("oui", True),
        ("no", False),
        ("No, don't", False),
        ("yes, but not to main", False),
        ("Yes? why would you do that", False),
        ("I know nothing about it", False),
        ("use pnpm instead", False),
        ("okay wait", False),
        ("What does the rule say?", False),
        ("Refactor the parser", False),
        ("yes " + "and then refactor everything " * 40, False),
        ("", False),
    ],
)
def test_a_plain_yes_is_consent_and_a_doubtful_one_is_not(prompt: str, expected: bool) -> None:
    assert consents(prompt) is expected


def test_a_yes_is_an_answer_to_what_was_just_stopped_only() -> None:
    push = read("git push origin main")
    just = TurnState(prompt="Yes, go ahead.", just_stopped=frozenset({PUSH.id}))
    long_ago = TurnState(prompt="Yes, go ahead.", stopped_before=frozenset({PUSH.id}))
    assert isinstance(decide(push, mode="auto", turn=just, negatives=[PUSH]), Warned)
    assert isinstance(decide(push, mode="auto", turn=long_ago, negatives=[PUSH]), Forbidden)


def test_a_call_that_cannot_be_read_is_warned_about() -> None:
    tool = ToolUse(name="mcp__git__run", input={"line": "git push origin main"})
    reading = read_action(tool.name, tool.input, cwd="/w", home="/h")
    assert isinstance(decide(reading, said=tool.action, mode="auto", turn=TurnState(), negatives=[PUSH]), Warned)


@pytest.mark.parametrize("command", ["nightgarden permissions approve x", "sh -c 'ng permissions rules --allow rm'"])
@requirement("users-decide")
def test_an_agent_does_not_decide_in_its_users_name(command: str) -> None:
    assert isinstance(decide(read(command), mode="auto", turn=TurnState(), negatives=[]), UsersOwn)
    assert decide(read("nightgarden permissions list"), mode="auto", turn=TurnState(), negatives=[]) is None
