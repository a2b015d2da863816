"""The daemon's messages to and from the user: what is due is sent, replies are read, what nobody answered expires."""

from __future__ import annotations

from nightgarden.garden import Garden
from nightgarden.safety.mailbox import poll_mail
from nightgarden.safety.messages import EventName, SafetyEvent
from nightgarden.safety.notify import Notifier
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import Urgency
from nightgarden.surfaces.daemon.background import Done
from nightgarden.surfaces.private_room import PrivateRoom
from nightgarden.tend.report import Report

SEND_SECONDS = 15.0


async def send_and_read(garden: Garden, room: PrivateRoom | None = None) -> Done:
    """One round. What waits and what was given up is said in the step's line, until somebody sees to it. `room` is the
    private chat room, once its network is opened; what is said there is heard at once and only counted here."""
    expired = await Permissions(garden).expire()
    away = "the network is not opened" if room is None else await room.away()
    notifier = Notifier(garden, post=None if room is None or away else room.post)
    if not notifier.channels:
        return Done(line="no channel is set up", again_seconds=max(SEND_SECONDS, garden.settings.notify.poll_seconds))
    delivered = await notifier.deliver()
    line = delivered.sentence + (f"; {len(expired)} requests expired" if expired else "")
    if garden.settings.notify.imap_host:
        line += f"; replies: {(await poll_mail(garden)).sentence}"
    if garden.settings.notify.chat_room:
        line += f"; chat: {room.sentence if room is not None and not away else away}"
    return Done(line=line, again_seconds=min(SEND_SECONDS, garden.settings.notify.poll_seconds))


async def tell_of_tending(garden: Garden, report: Report) -> None:
    """Tells the user when tending stopped before it archived too much."""
    if report.stopped_at is None:
        return
    lost = sum(loss.archived for loss in report.losses)
    await Notifier(garden).send(
        SafetyEvent(
            name=EventName.LOSS_GATE,
            urgency=Urgency.HIGH,
            counts={"memories_at_stake": lost},
            detail=f"{report.sentence()} Look with `nightgarden tend --dry-run`; nothing was archived.",
            subject_id=report.cycle,
        )
    )
