"""What users type: permissions, notifications and directives on the command line, and the same over HTTP operations."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.errors import NotAllowed
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import ActionCall, ActionProposal, Queued, RequestStatus, Review, Urgency
from nightgarden.surfaces.cli.main import main
from nightgarden.surfaces.json_shapes import SHAPES
from nightgarden.surfaces.operations.perform import perform
from tests.docs.test_json_shapes import names
from tests.safety.agent import Tools, bash, gate
from tests.safety.requirements import requirement


def proposal(command: str = "git push origin x", **more: Any) -> ActionProposal:
    return ActionProposal(
        action="bash",
        description=f"run {command}",
        kind="git push origin",
        urgency=Urgency.HIGH,
        call=ActionCall(tool="bash", arguments={"command": command}, directory="/srv/app"),
        review=Review(why="to share it", steps=("push",), rollback="delete the branch", diff="+x"),
        facts=(f"runs: {command}", "sends: origin"),
        rules=("sends",),
        **more,
    )


@pytest.fixture
def folder(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project)
    monkeypatch.setenv("NIGHTGARDEN_DIRECT", "1")
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", "off")
    return project


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str, code: int = 0) -> str:
        assert main(list(words)) == code, capsys.readouterr().err
        captured = capsys.readouterr()
        return captured.out if code == 0 else captured.err

    return call


def ask(*proposals: ActionProposal) -> list[str]:
    async def make() -> list[str]:
        async with Garden.open() as garden:
            asked = [await Permissions(garden).ask(each) for each in proposals]
            return [each.request.id for each in asked if isinstance(each, Queued)]

    return asyncio.run(make())


def status_of(request_id: str) -> RequestStatus:
    async def look() -> RequestStatus:
        async with Garden.open() as garden:
            return (await Permissions(garden).get(request_id)).status

    return asyncio.run(look())


def test_a_request_is_listed_shown_and_approved(run: Any) -> None:
    (request_id,) = ask(proposal())
    assert "git push origin" in run("permissions", "list")
    shown = run("permissions", "show", request_id[-8:])
    for part in ("sends: origin", "What the agent says", "delete the branch", "+x"):
        assert part in shown
    assert "approved" in run("permissions", "approve", request_id[-8:], "--reason", "go on")
    assert status_of(request_id) is RequestStatus.APPROVED
    assert "approved already" in run("permissions", "approve", request_id, code=1)
    assert "0 requests" in run("permissions", "list")
    assert "go on" in run("permissions", "show", request_id)
    assert "The user approved it" in run("recall", "git push origin")


def test_a_denied_kind_is_listed_among_the_rules_and_can_be_proposed_again(run: Any) -> None:
    (request_id,) = ask(proposal())
    run("permissions", "deny", request_id, "--reason", "I push myself")
    assert ask(proposal("git push origin y")) == []
    assert "git push origin  (I push myself)" in run("permissions", "rules")
    run("permissions", "rules", "--propose-again", "git push origin")
    assert len(ask(proposal("git push origin y"))) == 1
    assert "is not rejected" in run("permissions", "rules", "--propose-again", "nothing", code=2)


def test_alike_requests_are_decided_together(run: Any) -> None:
    first, second = ask(proposal("git push origin a"), proposal("git push origin b"))
    run("permissions", "approve", first, "--alike")
    assert (status_of(first), status_of(second)) == (RequestStatus.APPROVED, RequestStatus.APPROVED)


def test_rules_are_written_to_the_users_own_settings_and_hold_in_this_project(run: Any, folder: Path) -> None:
    run("permissions", "rules", "--allow", "make test")
    run("permissions", "rules", "--ask", "ls -la", "--everywhere")
    run("permissions", "rules", "--remote", "origin")
    shape = json.loads(run("permissions", "rules", "--json"))
    assert shape["always_allow"] == [f"{folder}: make test"]
    assert shape["always_ask"] == ["ls -la"]
    assert shape["allowed_remotes"] == ["origin"]
    run("permissions", "rules", "--remove", "make test")
    assert json.loads(run("permissions", "rules", "--json"))["always_allow"] == []
    assert "there is no rule" in run("permissions", "rules", "--remove", "make test", code=2)
    assert "at least one word" in run("permissions", "rules", "--allow", " ", code=2)


def test_wrong_ids_are_said_without_a_traceback(run: Any) -> None:
    for action in ("show", "approve", "deny", "withdraw"):
        assert "there is no request" in run("permissions", action, "nothing", code=2)
    assert "there is no notification" in run("notifications", "retry", "nothing", code=2)
    assert "no channel is set up" in run("notifications", "test", code=2)
    assert "the directive is empty" in run("directives", "add", " ", code=2)
    assert "at least 1" in run("permissions", "log", "-n", "0", code=2)


def test_a_directive_is_noted_and_listed(run: Any) -> None:
    run("directives", "add", "look", "at", "the", "flaky", "tests")
    assert "look at the flaky tests" in run("directives", "list")


def test_json_of_decisions_is_as_written_down(run: Any) -> None:
    first, second, third = ask(*(proposal(f"git push origin {name}") for name in "abc"))
    assert set(json.loads(run("permissions", "show", first, "--json"))) == names(SHAPES["permissions show"])
    for action, request_id in (("approve", first), ("deny", second), ("withdraw", third)):
        shape = json.loads(run("permissions", action, request_id, "--json"))
        assert set(shape) == names(SHAPES[f"permissions {action}"])


async def test_the_log_shows_every_action(garden: Garden, home: Path, project: Path) -> None:
    box = gate(garden, Tools(), project, home)
    for command in ("ls", "git push --force", "git push origin x"):
        await box.call(bash(command))
    shape = await perform(garden, "actions", {"cycle": "cycle-1"})
    assert [(entry["tier"], entry["status"]) for entry in shape["actions"]] == [
        ("allow", "done"),
        ("deny", "denied"),
        ("ask", "asked"),
    ]


@requirement("users-decide")
async def test_only_the_user_decides_over_http(garden: Garden) -> None:
    asked = await Permissions(garden).ask(proposal())
    assert isinstance(asked, Queued)
    given = {"id": asked.request.id, "decision": "approve"}
    with pytest.raises(NotAllowed, match="the user's decision"):
        await perform(garden, "permission_decide", given, "agent")
    with pytest.raises(NotAllowed):
        await perform(garden, "directive_add", {"text": "x"}, "agent")
    assert (await perform(garden, "permissions", {}, "agent"))["requests"][0]["status"] == "pending"
    assert (await perform(garden, "permission_decide", given, "user"))["decision"]["via"] == "web"
    assert (await perform(garden, "directive_add", {"text": "x"}, "user"))["status"] == "open"
    assert len((await perform(garden, "directives", {}))["directives"]) == 1
    assert (await perform(garden, "notifications", {}))["notifications"] == []
    assert (await perform(garden, "permission", {"id": asked.request.id}))["status"] == "approved"
