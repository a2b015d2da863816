"""The commands on messages between the user and the agent in the background: notifications and directives."""

from __future__ import annotations

import argparse

from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.safety.directing import Directives
from nightgarden.safety.directives import directive_shape
from nightgarden.safety.mailbox import poll_mail
from nightgarden.safety.messages import EventName, Notification, SafetyEvent, notification_shape
from nightgarden.safety.notify import Notifier
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, when
from nightgarden.surfaces.cli.short_ids import add_id, short


def add_notifications(parser: argparse.ArgumentParser) -> None:
    add_actions(
        parser,
        (
            ("list", "list messages that were sent, are waiting or were given up", _add_list),
            ("test", "send a test to every channel of the settings, now", _add_test),
            ("send", "send what is due and read replies, as the daemon does by itself", _add_send),
            ("retry", "try a message again that was given up", _add_retry),
        ),
    )


def add_directives(parser: argparse.ArgumentParser) -> None:
    add_actions(
        parser,
        (
            ("list", "list what you told the background agent", _add_directives_list),
            ("add", "tell it something; the next cycle begins with it", _add_directives_add),
        ),
    )


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dead", action="store_true", help="only what was given up")
    parser.add_argument("--limit", "-n", type=int, default=50, help="how many at most (50)")
    add_common(parser)
    parser.set_defaults(call=on_garden(_list, reads=True))


async def _list(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.limit < 1:
        raise BadInput("--limit must be at least 1")
    notifier = Notifier(garden)
    found = await notifier.list(dead=arguments.dead, limit=arguments.limit)
    if arguments.json:
        names = [channel.name for channel in notifier.channels]
        print_json({"channels": names, "notifications": [notification_shape(one) for one in found]})
        return 0
    print("channels: " + (", ".join(channel.name for channel in notifier.channels) or "none; see [notify]"))
    rows = [
        (short(n.id), when(n.created_at), n.channel, n.status.value, str(n.attempts), n.error or n.safe) for n in found
    ]
    print_table(("id", "when", "channel", "status", "tries", "what"), rows)
    print(paint(count(len(found), "notification"), "dim"))
    return 0


def _add_test(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_test))


async def _test(garden: Garden, arguments: argparse.Namespace) -> int:
    notifier = Notifier(garden)
    if not notifier.channels:
        raise BadInput(
            "no channel is set up; name one in [notify] of your settings, such as mail_to or public_channels"
        )
    made = await notifier.send(SafetyEvent(name=EventName.TEST, detail="If you read this, details reach you here."))
    await notifier.deliver()
    ids = {one.id for one in made}
    found = [one for one in await notifier.list() if one.id in ids]
    if arguments.json:
        print_json({"notifications": [notification_shape(one) for one in found]})
    else:
        for one in found:
            print(f"{one.channel}: {_how_it_went(one)}")
    return 0 if all(one.sent_at or not one.error for one in found) else 1


def _how_it_went(one: Notification) -> str:
    if one.sent_at:
        return paint("sent", "green")
    return paint(one.error, "red") if one.error else "left to the daemon, which is connected to the chat network"


def _add_send(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_send))


async def _send(garden: Garden, arguments: argparse.Namespace) -> int:
    delivered = await Notifier(garden).deliver()
    polled = await poll_mail(garden) if garden.settings.notify.imap_host else None
    if arguments.json:
        shape = {"sent": delivered.sent, "failed": delivered.failed, "waiting": delivered.waiting}
        shape |= {"dead": delivered.dead, "decided": polled.decided if polled else 0}
        print_json(shape | {"directives": polled.directed if polled else 0})
    else:
        print(delivered.sentence)
        if polled:
            print(f"replies: {polled.sentence}")
    return 0


def _add_retry(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "notification", help="of a notification")
    add_common(parser)
    parser.set_defaults(call=on_garden(_retry))


async def _retry(garden: Garden, arguments: argparse.Namespace) -> int:
    one = await Notifier(garden).retry(arguments.id)
    if arguments.json:
        print_json(notification_shape(one))
    else:
        print(f"{short(one.id)} for {one.channel} is sent again soon")
    return 0


def _add_directives_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", "-a", action="store_true", help="those that are done with too")
    add_common(parser)
    parser.set_defaults(call=on_garden(_directives_list, reads=True))


async def _directives_list(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await Directives(garden).list(include_consumed=arguments.all)
    if arguments.json:
        print_json({"directives": [directive_shape(each) for each in found]})
        return 0
    rows = [(short(d.id), when(d.received_at), d.status, d.via, d.text) for d in found]
    print_table(("id", "when", "status", "via", "what"), rows)
    print(paint(count(len(found), "directive"), "dim"))
    return 0


def _add_directives_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="+", help="what it should do")
    add_common(parser)
    parser.set_defaults(call=on_garden(_directives_add))


async def _directives_add(garden: Garden, arguments: argparse.Namespace) -> int:
    directive = await Directives(garden).add(" ".join(arguments.text))
    assert directive is not None  # only a message that came in twice is refused
    if arguments.json:
        print_json(directive_shape(directive))
    else:
        print(f"{paint('noted', 'green')} for the next cycle: {directive.text}")
    return 0
