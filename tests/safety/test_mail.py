"""Approvals by mail, with a real mail server on loopback: out by SMTP, back by IMAP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from nightgarden import Garden
from nightgarden.errors import Unreachable
from nightgarden.safety.directing import Directives
from nightgarden.safety.mailbox import poll_mail
from nightgarden.safety.messages import EventName, SafetyEvent
from nightgarden.safety.notify import Notifier
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import PermissionRequest, RequestStatus
from nightgarden.settings import NotifySettings
from tests.safety.agent import Tools, bash, gate
from tests.safety.mail import ADDRESS, PASSWORD, MailServer, mail_server
from tests.safety.requirements import requirement

ENV = {"MAIL_PASSWORD": PASSWORD}


@pytest.fixture(scope="module")
def running() -> Iterator[MailServer]:
    with mail_server() as server:
        yield server


@pytest.fixture
def server(running: MailServer) -> MailServer:
    running.sent.clear()
    return running


class Desk:
    """An agent that asks and a user who has mail."""

    def __init__(self, garden: Garden, server: MailServer, home: Path, project: Path) -> None:
        self.garden, self.server, self.home, self.project = garden, server, home, project
        self.tools = Tools()
        self.settings: NotifySettings = server.settings()
        self.permissions = Permissions(garden)

    async def ask(self, command: str = "git push origin x") -> EmailMessage:
        """The mail that the user gets."""
        notifier = Notifier(self.garden, settings=self.settings, env=ENV)
        asked: list[PermissionRequest] = []
        box = gate(self.garden, self.tools, self.project, self.home, asked=asked.append)
        await box.call(bash(command))
        await notifier.send_request(asked[-1])
        assert (await notifier.deliver()).sent == 1
        return self.server.sent[-1]

    async def poll(self) -> str:
        return (await poll_mail(self.garden, settings=self.settings, env=ENV)).sentence

    async def status(self) -> RequestStatus:
        return (await self.permissions.list())[0].status


@pytest.fixture
def desk(garden: Garden, server: MailServer, home: Path, project: Path) -> Desk:
    return Desk(garden, server, home, project)


async def test_a_reply_approves_and_the_agent_goes_on(desk: Desk) -> None:
    mail = await desk.ask()
    assert mail["To"] == ADDRESS
    assert "sends: origin" in mail.get_content()
    desk.server.deliver(desk.server.reply(mail, "Approve, looks good to me"))
    assert await desk.poll() == "1 decided, 0 directives, 0 ignored"
    assert await desk.status() is RequestStatus.APPROVED
    assert "Approved" in desk.server.sent[-1].get_content()
    resumed = await gate(desk.garden, desk.tools, desk.project, desk.home, cycle="cycle-2").resume_approved()
    assert [each.ran for each in resumed] == [True]
    assert desk.tools.commands == ["git push origin x"]
    answer = (await desk.permissions.list())[0].answer
    assert answer is not None
    assert (answer.via, answer.by) == ("mail", ADDRESS)


async def test_a_reply_denies_with_its_reason(desk: Desk) -> None:
    mail = await desk.ask()
    desk.server.deliver(desk.server.reply(mail, "No, I push those branches myself"))
    await desk.poll()
    assert await desk.status() is RequestStatus.DENIED
    assert [each.reason for each in await desk.permissions.rejected.list()] == ["No, I push those branches myself"]


@pytest.mark.parametrize("text", ["yes, but only if CI is green", "approve? no idea", "ok no", "yes, dоn't"])
async def test_what_is_not_clear_denies_this_one_request(desk: Desk, text: str) -> None:
    mail = await desk.ask()
    desk.server.deliver(desk.server.reply(mail, text))
    await desk.poll()
    assert await desk.status() is RequestStatus.DENIED
    assert await desk.permissions.rejected.list() == []


@requirement("reply-once")
async def test_a_replayed_reply_does_nothing(desk: Desk) -> None:
    mail = await desk.ask()
    reply = desk.server.reply(mail, "deny")
    desk.server.deliver(reply)
    await desk.poll()
    await desk.permissions.rejected.take_back("git push origin")
    again = await desk.ask()
    desk.server.deliver(reply)
    desk.server.deliver(desk.server.reply(mail, "approve"))
    assert await desk.poll() == "0 decided, 0 directives, 2 ignored"
    assert await desk.status() is RequestStatus.PENDING
    assert again["Subject"] != mail["Subject"]


@requirement("reply-sender")
async def test_a_stranger_decides_nothing_even_with_the_token(desk: Desk) -> None:
    mail = await desk.ask()
    for sender in (
        "eve@example.org",
        f"{ADDRESS}.evil.example",
        f'"{ADDRESS}" <eve@example.org>',
        f"{ADDRESS}, eve@x.example",
    ):
        desk.server.deliver(desk.server.reply(mail, "approve", From=sender))
    await desk.poll()
    assert await desk.status() is RequestStatus.PENDING


@requirement("reply-token")
async def test_a_guessed_or_missing_token_decides_nothing(desk: Desk) -> None:
    mail = await desk.ask()
    guess = "A" * 22
    forged = {"Subject": f"Re: nightgarden: permission wanted [ng:{guess}]", "In_Reply_To": ""}
    desk.server.deliver(desk.server.reply(mail, "approve", **forged))
    desk.server.deliver(desk.server.reply(mail, "approve", Subject="Re: hello", In_Reply_To=""))
    await desk.poll()
    assert await desk.status() is RequestStatus.PENDING
    assert await Directives(desk.garden).list() == []


async def test_an_automatic_reply_is_ignored_and_not_answered(desk: Desk) -> None:
    mail = await desk.ask()
    desk.server.deliver(desk.server.reply(mail, "Yes, I am out of office", Auto_Submitted="auto-replied"))
    await desk.poll()
    assert await desk.status() is RequestStatus.PENDING
    assert len(desk.server.sent) == 1


async def test_any_other_reply_is_a_directive_once(desk: Desk) -> None:
    notifier = Notifier(desk.garden, settings=desk.settings, env=ENV)
    await notifier.send(
        SafetyEvent(name=EventName.CYCLE_SUMMARY, counts={"actions": 3}, detail="Done: x", subject_id="cyc1")
    )
    await notifier.deliver()
    reply = desk.server.reply(desk.server.sent[-1], "Please look at the flaky tests next")
    desk.server.deliver(reply)
    desk.server.deliver(reply)
    assert await desk.poll() == "0 decided, 1 directives, 1 ignored"
    (directive,) = await Directives(desk.garden).list()
    assert (directive.text, directive.in_reply_to) == ("Please look at the flaky tests next", "cyc1")


async def test_a_server_that_is_away_is_said_without_the_password(desk: Desk) -> None:
    away = replace(desk.settings, imap_port=1, smtp_port=1)
    with pytest.raises(Unreachable, match="cannot be read"):
        await poll_mail(desk.garden, settings=away, env=ENV)
    notifier = Notifier(desk.garden, settings=away, env=ENV)
    await notifier.send(SafetyEvent(name=EventName.TEST))
    assert (await notifier.deliver()).failed == 1
    (one,) = await notifier.list()
    assert "did not take it" in one.error
    assert PASSWORD not in one.error
