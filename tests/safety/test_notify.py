"""The outbox: batched, quiet at night, tried again, given up visibly; and what each channel may read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.errors import BadSetting, Unreachable
from nightgarden.safety.channels import AppriseChannel, MailChannel, NotificationMessage, open_channels
from nightgarden.safety.messages import DeliveryStatus, EventName, SafetyEvent
from nightgarden.safety.notify import Notifier, quiet_end
from nightgarden.safety.requests import Urgency
from nightgarden.settings import NotifySettings
from nightgarden.surfaces.daemon.user_messages import send_and_read
from tests.conftest import BY_WORDS, Open
from tests.safety.requirements import requirement
from tests.safety.test_permissions import Stopped

SUMMARY = SafetyEvent(name=EventName.CYCLE_SUMMARY, counts={"actions": 2}, detail="Merged three memories of the vault")
URGENT = SafetyEvent(name=EventName.REQUEST, urgency=Urgency.HIGH, counts={"requests_waiting": 1}, detail="push x")


@dataclass
class Recording:
    """A channel that keeps what it is sent, and fails while told to."""

    name: str = "private"
    private: bool = True
    replies: bool = False
    failing: bool = False
    got: list[NotificationMessage] = field(default_factory=list)

    async def send(self, message: NotificationMessage) -> None:
        if self.failing:
            raise Unreachable("the server is away")
        self.got.append(message)


@pytest.fixture
def clock() -> Stopped:
    return Stopped()


@pytest.fixture
async def garden(open_garden: Open, clock: Stopped) -> AsyncIterator[Garden]:
    async with open_garden(settings=BY_WORDS, clock=clock) as opened:
        yield opened


def notifier(garden: Garden, *channels: Recording, **settings: Any) -> Notifier:
    return Notifier(garden, settings=NotifySettings(**settings), channels=channels, local=lambda moment: moment)


@requirement("public-counts")
async def test_a_public_channel_gets_counts_only(garden: Garden, clock: Stopped) -> None:
    public, private = Recording(name="public", private=False), Recording()
    box = notifier(garden, public, private)
    await box.send(SUMMARY)
    clock.moment += timedelta(seconds=61)
    await box.deliver()
    assert [message.body for message in public.got] == ["a cycle has ended: 2 actions"]
    assert "vault" in private.got[0].body
    stored = await garden.store.list_documents("notification", owner="public")
    assert "vault" not in str(stored)


async def test_what_happens_within_a_minute_goes_into_one_message(garden: Garden, clock: Stopped) -> None:
    channel = Recording()
    box = notifier(garden, channel)
    await box.send(SUMMARY)
    clock.moment += timedelta(seconds=40)
    await box.send(SUMMARY)
    assert (await box.deliver()).sent == 0
    clock.moment += timedelta(seconds=20)
    assert (await box.deliver()).sent == 2
    assert len(channel.got) == 1


async def test_what_is_urgent_goes_at_once_and_through_the_night(garden: Garden, clock: Stopped) -> None:
    clock.moment = clock.moment.replace(hour=23, minute=30)
    channel = Recording()
    box = notifier(garden, channel)
    await box.send(SUMMARY)
    await box.send(URGENT)
    await box.deliver()
    assert [message.urgent for message in channel.got] == [True, False] or len(channel.got) == 1
    urgent = channel.got[0]
    assert urgent.urgent


async def test_in_quiet_hours_the_rest_waits_for_the_morning(garden: Garden, clock: Stopped) -> None:
    clock.moment = clock.moment.replace(hour=23, minute=30)
    channel = Recording()
    box = notifier(garden, channel)
    await box.send(SUMMARY)
    clock.moment += timedelta(hours=7)
    assert (await box.deliver()).sent == 0
    clock.moment += timedelta(hours=1)
    assert (await box.deliver()).sent == 1


async def test_what_is_not_wanted_is_not_queued(garden: Garden) -> None:
    box = notifier(garden, Recording(), min_urgency="high", events=("request",))
    assert await box.send(SUMMARY) == []
    assert await box.send(SafetyEvent(name=EventName.REQUEST)) == []
    assert len(await box.send(URGENT)) == 1


@requirement("failure-visible")
async def test_a_failed_message_is_tried_again_later_and_given_up_visibly(garden: Garden, clock: Stopped) -> None:
    channel = Recording(failing=True)
    box = notifier(garden, channel, attempts_max=3)
    await box.send(URGENT)
    waits = []
    while (await box.list())[0].status is DeliveryStatus.WAITING:
        assert (await box.deliver()).failed == 1
        one = (await box.list())[0]
        waits.append((one.due_at - clock.moment).total_seconds())
        assert (await box.deliver()).failed == 0  # not before its time
        clock.moment = max(clock.moment, one.due_at)
    assert waits == [30.0, 60.0, 120.0]
    (dead,) = await box.list(dead=True)
    assert (dead.error, dead.attempts) == ("the server is away", 3)
    assert (await box.deliver()).sentence == "1 given up: nightgarden notifications list"
    channel.failing = False
    await box.retry(dead.id)
    assert (await box.deliver()).sent == 1


async def test_a_channel_that_fails_holds_up_no_other(garden: Garden) -> None:
    broken, fine = Recording(name="broken", failing=True), Recording(name="fine")
    box = notifier(garden, broken, fine)
    await box.send(URGENT)
    delivered = await box.deliver()
    assert (delivered.sent, delivered.failed, len(fine.got)) == (1, 1, 1)


@requirement("secrets-kept-out")
async def test_secrets_are_not_sent(garden: Garden) -> None:
    channel = Recording()
    box = notifier(garden, channel)
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    await box.send(SafetyEvent(name=EventName.FAILURE, urgency=Urgency.HIGH, detail=f"failed with {secret}"))
    await box.deliver()
    assert secret not in channel.got[0].body
    assert "redacted" in channel.got[0].body


async def test_the_daemons_step_says_what_waits(garden: Garden) -> None:
    assert (await send_and_read(garden)).line == "no channel is set up"


@pytest.mark.parametrize(
    ("at", "ends"),
    [("22:59", None), ("23:00", "07:00"), ("03:00", "07:00"), ("06:59", "07:00"), ("07:00", None), ("12:00", None)],
)
def test_quiet_hours_reach_over_midnight(at: str, ends: str | None) -> None:
    hour, minute = map(int, at.split(":"))
    moment = datetime(2026, 11, 16, hour, minute).astimezone()
    end = quiet_end(moment, NotifySettings())
    assert (end.strftime("%H:%M") if end else None) == ends
    assert end is None or moment < end <= moment + timedelta(hours=8)
    assert quiet_end(moment, NotifySettings(quiet_from="")) is None
    with pytest.raises(BadSetting, match="not a time of day"):
        quiet_end(moment, NotifySettings(quiet_from="late"))


def test_channels_come_from_the_settings_and_do_not_show_their_address() -> None:
    assert open_channels(NotifySettings(), {}) == ()
    settings = NotifySettings(
        mail_to="a@example.org",
        smtp_host="h",
        private_channels=("tgram://123:secret/456",),
        public_channels=("ntfy://t",),
    )
    mail, telegram, ntfy = open_channels(settings, {})
    assert isinstance(mail, MailChannel)
    assert (telegram.private, ntfy.private) == (True, False)
    assert "secret" not in telegram.name


@pytest.mark.filterwarnings("ignore:'imghdr':DeprecationWarning")  # in the library
async def test_apprise_sends_to_a_real_endpoint() -> None:
    got: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(next(line.split(b":")[1] for line in head.lower().splitlines() if line.startswith(b"content-l")))
        got.append(await reader.readexactly(length))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        await AppriseChannel(f"json://127.0.0.1:{port}/", private=True).send(
            NotificationMessage(title="t", body="hello")
        )
    assert b"hello" in got[0]
    with pytest.raises(Unreachable, match="not one that Apprise knows"):
        await AppriseChannel("nonsense", private=True).send(NotificationMessage(title="t", body="b"))
