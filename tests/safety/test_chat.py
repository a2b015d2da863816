"""Approvals in a private room of a real Matrix homeserver: the request comes there, and a reply there decides it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden, Settings
from nightgarden.initiative.channels.matrix import Matrix
from nightgarden.initiative.initiative_documents import DELIVERY
from nightgarden.initiative.open_initiative import console_network, make_setup
from nightgarden.initiative.service import Initiative
from nightgarden.safety.directing import Directives
from nightgarden.safety.messages import DeliveryStatus
from nightgarden.safety.notify import Notifier
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import ActionProposal, PermissionRequest, Queued, RequestStatus, Review
from nightgarden.settings import NotifySettings
from nightgarden.settings.initiative import (
    InitiativeMatrixSettings,
    InitiativeRepliesSettings,
    InitiativeSettings,
    InitiativeTextSettings,
)
from nightgarden.surfaces.daemon.user_messages import send_and_read
from nightgarden.surfaces.private_room import PrivateRoom
from tests.cli.command import run
from tests.conftest import BY_WORDS
from tests.initiative.conftest import Clock, Mind, decide
from tests.initiative.homeserver import Homeserver, Person, homeserver
from tests.runtime.running import Home, wait_for
from tests.safety.agent import Tools, bash, gate
from tests.safety.requirements import requirement

pytestmark = pytest.mark.xdist_group("matrix")

_OFFER = re.compile(r"reply with: approve ([\w-]{22})\n")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Homeserver]:
    with homeserver(tmp_path_factory.mktemp("synapse")) as started:
        yield started


class Desk:
    """A user with a private room, a stranger, a square where both talk, and an agent that asks."""

    def __init__(self, server: Homeserver, mark: str, home: Path, project: Path) -> None:
        self.us, self.anna, self.eve = (server.register(f"{name}{mark}") for name in ("garden", "anna", "eve"))
        self.room = self.anna.create_private_room(self.us)
        self.square = self.anna.create_room("square")
        for person in (self.us, self.eve):
            person.join(self.square)
        self.home, self.project = home, project
        self.tools = Tools()
        self.mind = Mind(lambda _: decide("post_now", "what a day", channel=f"matrix:{self.room}"))

    def settings(self, *, chat_room: str = "", listed: tuple[str, ...] = ()) -> Settings:
        room = f"matrix:{chat_room or self.room}"
        notify = NotifySettings(
            chat_room=room, chat_senders=(self.anna.user_id,), batch_seconds=0, quiet_from="", events=("request",)
        )
        initiative = InitiativeSettings(
            text=InitiativeTextSettings(eagerness=100),
            replies=InitiativeRepliesSettings(discovery_channel_ids=tuple(f"matrix:{each}" for each in listed)),
            matrix=InitiativeMatrixSettings(
                homeserver=self.us.server.url, user_id=self.us.user_id, token_env="MATRIX_TOKEN"
            ),
        )
        return replace(BY_WORDS, notify=notify, initiative=initiative)

    @asynccontextmanager
    async def open(self, settings: Settings | None = None, **more: Any) -> AsyncIterator[Open]:
        settings = settings or self.settings(listed=(self.square,))
        given: dict[str, Any] = {
            "path_or_url": self.home / "garden.db",
            "directory": self.project,
            "settings": settings,
        }
        async with Garden.open(**(given | more)) as garden:
            network = Matrix(make_setup(garden, {"NIGHTGARDEN_HOME": str(self.home), "MATRIX_TOKEN": self.us.token}))
            try:
                one = Open(self, garden, network)
                await one.listen()  # takes the invitation
                await one.listen()
                yield one
            finally:
                await network.close()

    def ours(self, room: str) -> list[str]:
        """What we said there."""
        return [e["content"]["body"] for e in self.anna.messages(room) if e["sender"] == self.us.user_id]


class Open:
    """The garden of the desk, connected to the homeserver."""

    def __init__(self, desk: Desk, garden: Garden, network: Matrix) -> None:
        self.desk, self.garden, self.network = desk, garden, network
        self.permissions = Permissions(garden)
        self.room = PrivateRoom(garden, [network])
        converser = garden.minds.converser_over(desk.mind.stepper)
        self.initiative = Initiative(garden, networks=[network], converser=converser)

    async def listen(self) -> None:
        await self.network.catch_up(self.room.before(self.initiative.hear))

    async def ask(self, command: str = "git push origin x") -> str:
        """The line that the daemon shows after it sent the request."""
        asked: list[PermissionRequest] = []
        await gate(self.garden, self.desk.tools, self.desk.project, self.desk.home, asked=asked.append).call(
            bash(command)
        )
        await Notifier(self.garden).send_request(asked[-1])
        return (await send_and_read(self.garden, self.room)).line

    async def token(self, command: str = "git push origin x") -> str:
        """What a reply to a new request must carry, read by the user in the room."""
        await self.ask(command)
        return token_in(self.desk.ours(self.desk.room)[-1])

    async def hear(self, person: Person, text: str, *, room: str = "") -> str:
        """What we answer in the private room to something that somebody says; empty: nothing."""
        before = self.desk.ours(self.desk.room)
        person.say(room or self.desk.room, text)
        await self.listen()
        return "\n".join(self.desk.ours(self.desk.room)[len(before) :])

    async def status(self) -> RequestStatus:
        return (await self.permissions.list())[0].status


def token_in(text: str) -> str:
    found = _OFFER.search(text)
    assert found is not None, text
    return found[1]


@pytest.fixture
def desk(server: Homeserver, request: pytest.FixtureRequest, home: Path, project: Path) -> Desk:
    return Desk(server, f"{abs(hash(request.node.name)) % 10**8}", home, project)


async def test_a_reply_in_the_room_approves_and_the_agent_goes_on(desk: Desk) -> None:
    async with desk.open() as here:
        token = await here.token()
        assert "sends: origin" in desk.ours(desk.room)[-1]
        assert (await here.hear(desk.anna, f"yes {token}")).startswith("Approved: ")
        assert await here.status() is RequestStatus.APPROVED
        answer = (await here.permissions.list())[0].answer
        assert answer is not None
        assert (answer.via, answer.by) == ("matrix", desk.anna.user_id)
        resumed = await gate(here.garden, desk.tools, desk.project, desk.home, cycle="cycle-2").resume_approved()
        assert [each.ran for each in resumed] == [True]
        assert desk.tools.commands == ["git push origin x"]


@pytest.mark.parametrize("text", ["no {}", "yes {} but only if CI is green", "approve {}? no idea"])
async def test_a_no_and_what_is_not_clear_deny(desk: Desk, text: str) -> None:
    async with desk.open() as here:
        token = await here.token()
        assert (await here.hear(desk.anna, text.format(token))).startswith("Denied: ")
        assert await here.status() is RequestStatus.DENIED


@requirement("reply-once")
async def test_a_replayed_reply_decides_nothing(desk: Desk) -> None:
    async with desk.open() as here:
        token = await here.token()
        await here.hear(desk.anna, f"yes {token}")
        other = await here.token("git push origin y")
        assert "already" in await here.hear(desk.anna, f"no {token}")
        assert "already" in await here.hear(desk.anna, f"yes {token}")
        assert [each.status.value for each in await here.permissions.list()] == ["pending", "approved"]
        assert other != token
    (desk.home / "initiative" / "matrix.json").unlink()  # everything that was said is heard again
    before = desk.ours(desk.room)
    async with desk.open() as here:
        assert [each.status.value for each in await here.permissions.list()] == ["pending", "approved"]
        assert desk.ours(desk.room) == before


@requirement("reply-token")
async def test_a_guessed_or_missing_token_decides_nothing(desk: Desk) -> None:
    async with desk.open() as here:
        await here.ask()
        assert "belongs to no request" in await here.hear(desk.anna, f"yes {'A' * 22}")
        assert "which request" in await here.hear(desk.anna, "yes")
        assert await here.status() is RequestStatus.PENDING
        assert await Directives(here.garden).list() == []


@requirement("reply-sender")
async def test_a_stranger_decides_nothing_and_silences_the_room_while_there(desk: Desk) -> None:
    async with desk.open() as here:
        token = await here.token()
        desk.anna.invite(desk.room, desk.eve)
        desk.eve.join(desk.room)
        assert await here.hear(desk.eve, f"yes {token}") == ""
        assert await here.hear(desk.anna, f"yes {token}") == ""
        assert await here.status() is RequestStatus.PENDING
        sent = desk.ours(desk.room)
        assert "1 from strangers" in await here.ask("git push origin y")
        assert desk.ours(desk.room) == sent
        error = (await Notifier(here.garden).list())[0].error
        assert error == f"{desk.eve.user_id} is in the chat room and not in notify.chat_senders"
        desk.eve.leave(desk.room)
        assert (await here.hear(desk.anna, f"yes {token}")).startswith("Approved: ")


@requirement("reply-room")
async def test_words_in_a_community_channel_decide_nothing(desk: Desk) -> None:
    async with desk.open() as here:
        token = await here.token()
        assert await here.hear(desk.anna, f"yes {token}", room=desk.square) == ""
        assert await here.status() is RequestStatus.PENDING


@requirement("reply-room")
async def test_a_room_that_anybody_may_join_is_not_used(desk: Desk) -> None:
    desk.eve.leave(desk.square)
    async with desk.open(desk.settings(chat_room=desk.square)) as here:
        await here.ask()
        assert desk.ours(desk.square) == []
        assert "open to others" in (await Notifier(here.garden).list())[0].error
        await here.hear(desk.anna, "look at the flaky tests next", room=desk.square)
        assert await Directives(here.garden).list() == []


async def test_an_encrypted_room_is_not_used(desk: Desk) -> None:
    path = f"/_matrix/client/v3/rooms/{desk.room}/state/m.room.encryption"
    desk.anna.server.call("PUT", path, {"algorithm": "m.megolm.v1.aes-sha2"}, desk.anna.token)
    async with desk.open() as here:
        await here.ask()
        assert "is encrypted" in (await Notifier(here.garden).list())[0].error


async def test_what_is_for_the_room_waits_until_the_network_is_there(desk: Desk) -> None:
    async with desk.open(desk.settings(chat_room="!elsewhere:garden.test")) as here:
        assert "is not in the room matrix:!elsewhere:garden.test yet; invite it" in await here.ask()
        (one,) = await Notifier(here.garden).list()
        assert (one.status, one.attempts) == (DeliveryStatus.WAITING, 0)
        assert "the network is not opened" in (await send_and_read(here.garden)).line


@pytest.mark.parametrize(("network", "why"), [("discord", "not set up"), ("console", "who is in a room")])
async def test_a_network_that_cannot_have_the_room_is_named(desk: Desk, network: str, why: str) -> None:
    settings = desk.settings()
    settings = replace(settings, notify=replace(settings.notify, chat_room=f"{network}:lobby"))
    async with desk.open(settings) as here:
        here.room = PrivateRoom(
            here.garden, [console_network(here.garden, {"NIGHTGARDEN_HOME": str(desk.home)}, print)]
        )
        await here.ask()
        assert why in (await Notifier(here.garden).list())[0].error


async def test_what_a_program_says_and_what_is_older_than_any_request_does_nothing(desk: Desk) -> None:
    async with desk.open() as here:
        desk.anna.say(desk.room, "I am out of office", msgtype="m.notice")
        assert await here.hear(desk.anna, "look at the flaky tests next") == "Noted for the next cycle."
    (desk.home / "initiative" / "matrix.json").unlink()
    settings = desk.settings()
    later = Clock(datetime.now(UTC) + timedelta(hours=settings.safety.request_hours + 1))
    async with desk.open(settings, path_or_url=desk.home / "later.db", clock=later) as here:
        assert await Directives(here.garden).list() == []
        assert desk.ours(desk.room) == ["Noted for the next cycle."]


async def test_any_other_text_is_a_directive_once(desk: Desk) -> None:
    async with desk.open() as here:
        assert await here.hear(desk.anna, "look at the flaky tests next") == "Noted for the next cycle."
        (directive,) = await Directives(here.garden).list()
        assert (directive.text, directive.via) == ("look at the flaky tests next", "matrix")
    (desk.home / "initiative" / "matrix.json").unlink()
    async with desk.open() as here:
        assert len(await Directives(here.garden).list()) == 1


async def test_a_long_request_comes_in_parts_and_its_token_last(desk: Desk) -> None:
    async with desk.open() as here:
        diff = "\n".join(f"+ line {number} of a long change, which somebody should read" for number in range(150))
        asked = await here.permissions.ask(
            ActionProposal(action="bash", description="run git merge", review=Review(diff=diff))
        )
        assert isinstance(asked, Queued)
        await Notifier(here.garden).send_request(asked.request)
        await send_and_read(here.garden, here.room)
        first, *_, last = desk.ours(desk.room)
        assert "permission wanted" in first
        assert last.endswith(f"or: deny {token_in(last)}")
        assert all(f"+ line {number} " in "\n".join(desk.ours(desk.room)) for number in range(150))
        assert all(len(each) <= here.network.chars_max for each in desk.ours(desk.room))


@pytest.mark.parametrize("routed", [True, False], ids=["as the daemon hears", "by itself"])
@requirement("reply-room")
async def test_initiative_takes_no_part_in_the_room_even_when_it_is_listed(desk: Desk, routed: bool) -> None:
    async with desk.open(desk.settings(listed=(desk.room,))) as here:
        presence = here.initiative.presence
        desk.anna.say(desk.room, "garden, what do you think?", **{"m.mentions": {"user_ids": [desk.us.user_id]}})
        await here.network.catch_up(here.room.before(here.initiative.hear) if routed else here.initiative.hear)
        await here.initiative.tick()
        assert desk.mind.prompts == []
        assert await presence.eligible() == []
        assert await presence.stored.all(DELIVERY) == []
        assert await presence.recent("matrix/garden.test", f"matrix:{desk.room}") == []


def configured(desk: Desk) -> Home:
    """The same settings in the user's own file, for real processes."""
    token_file = desk.home / "matrix-token"
    token_file.write_text(desk.us.token)
    token_file.chmod(0o600)
    return Home(
        desk.home,
        f'[notify]\nchat_room = "matrix:{desk.room}"\nchat_senders = ["{desk.anna.user_id}"]\n'
        f'batch_seconds = 0\nquiet_from = ""\npoll_seconds = 1\n'
        f'[initiative.matrix]\nhomeserver = "{desk.us.server.url}"\nuser_id = "{desk.us.user_id}"\n'
        f'token_file = "{token_file}"\n',
    )


def statuses(home: Path) -> list[str]:
    found = run(home, "permissions", "list", "--all", "--json").json["requests"]
    return [each["status"] for each in found]


@pytest.mark.parametrize("words", [("tick",), ("preview", "--no-fetch")], ids=" ".join)
async def test_a_command_that_reads_the_network_does_not_lose_a_reply(desk: Desk, words: tuple[str, ...]) -> None:
    async with desk.open(desk.settings()) as here:
        token = await here.token()
    configured(desk)
    desk.anna.say(desk.room, f"yes {token}")
    assert run(desk.home, "initiative", *words).code == 0
    assert statuses(desk.home) == ["approved"]


async def test_the_running_daemon_sends_the_request_and_takes_the_reply(desk: Desk, home: Path) -> None:
    running = configured(desk)
    try:
        running.start()
        tested = run(home, "notifications", "test")
        assert tested.out == "chat: left to the daemon, which is connected to the chat network\n"
        async with Garden.open(home / "garden.db", directory=desk.project, settings=desk.settings()) as garden:
            asked: list[PermissionRequest] = []
            await gate(garden, desk.tools, desk.project, home, asked=asked.append).call(bash("git push origin x"))
            await Notifier(garden).send_request(asked[-1])
        # The message of `notifications test` may come before it or after it.
        wait_for(lambda: [text for text in desk.ours(desk.room) if _OFFER.search(text)], "the request in the room")
        token = token_in(next(text for text in desk.ours(desk.room) if _OFFER.search(text)))
        desk.anna.say(desk.room, f"yes {token}")
        wait_for(lambda: desk.ours(desk.room)[-1].startswith("Approved: "), "the acknowledgement")
        assert statuses(home) == ["approved"]
        desk.anna.say(desk.room, f"no {token}")
        wait_for(lambda: "already" in desk.ours(desk.room)[-1], "the refusal of the replay")
        assert statuses(home) == ["approved"]
        running.stop()
        running.wait_until_gone()
    finally:
        running.kill_all()
