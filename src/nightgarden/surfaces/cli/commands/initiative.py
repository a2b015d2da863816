"""Commands on what is said in chat channels: initiative status, tick, thoughts, feeds, log, preview, try."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from typing import Any

from nightgarden.domain.record import to_record
from nightgarden.garden import Garden
from nightgarden.initiative.channels.channel import Incoming, NetworkDown
from nightgarden.initiative.channels.console import LOBBY
from nightgarden.initiative.chat_prompt import build_prompt, system_prompt
from nightgarden.initiative.initiative_documents import ACTION, FEED, THOUGHT, Act
from nightgarden.initiative.initiative_status import InitiativeStatus, status_of
from nightgarden.initiative.open_initiative import OpenedInitiative, console_network, open_initiative, with_console
from nightgarden.initiative.service import Initiative, Outlook
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, print_text, when
from nightgarden.surfaces.private_room import PrivateRoom

HELP = "Type what somebody says, or NAME: text. /tick thinks now, /preview shows the prompt, /log, /quit."


def add_initiative(parser: argparse.ArgumentParser) -> None:
    actions = (
        ("status", "show where it may speak, what is pending and what it did lately", _add_status),
        ("tick", "look once whether there is something to say, as the daemon does every minute", _add_tick),
        ("thoughts", "list thoughts that are held for later", _add_thoughts),
        ("feeds", "list the sources it reads, and how each is doing", _add_feeds),
        ("log", "show what it did and why it was quiet", _add_log),
        (
            "preview",
            "show the gates, the finds and the whole prompt; nothing is sent and no model is asked",
            _add_preview,
        ),
        ("try", "talk with it in this terminal, without any account", _add_try),
    )
    add_actions(parser, actions)


def _add_status(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_status))


async def _status(garden: Garden, arguments: argparse.Namespace) -> int:
    async with open_initiative(garden, os.environ) as opened:
        status = await status_of(opened)
    if arguments.json:
        print_json(status.shape())
        return 0
    print_table(("", ""), _status_rows(status), whole=True)
    for problem in status.problems:
        print(paint(problem, "yellow"))
    return 0


def _status_rows(status: InitiativeStatus) -> list[tuple[str, str]]:
    return [
        ("thoughts", "on" if status.enabled else "off (initiative.text.enabled)"),
        ("mind", "there is one to ask" if status.has_mind else "none: nothing is posted (setting mind.kind)"),
        ("networks", ", ".join(status.networks) or "none is set up"),
        ("channels", "; ".join(f"{c.id} ({c.name})" for c in status.channels) or "none is eligible"),
        ("pending", count(status.pending, "thought")),
        ("posts", f"{status.posts_last_day} of {status.posts_max} in 24 hours"),
        ("messages", f"{status.sends_last_hour} of {status.sends_max} in an hour; {status.waiting} waiting to be sent"),
        ("feeds", f"{count(status.feeds, 'source')}, {status.feeds_failing} failing"),
        ("last tick", when(status.last_tick_at)),
    ]


def _add_tick(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_tick))


async def _tick(garden: Garden, arguments: argparse.Namespace) -> int:
    async with open_initiative(garden, os.environ) as opened:
        problems = [*opened.problems, *await _catch_up(garden, opened)]
        ticked = await opened.initiative.tick()
    gates = [to_record(each) for each in ticked.plan.asked]
    if arguments.json:
        shape = {"sentence": ticked.sentence, "outcomes": list(ticked.outcomes), "sent": ticked.sent, "gates": gates}
        print_json(shape | {"problems": problems})
        return 0
    for problem in problems:
        print(f"nightgarden: {problem}", file=sys.stderr)
    print(ticked.sentence)
    return 0


async def _catch_up(garden: Garden, opened: OpenedInitiative) -> list[str]:
    """Takes in what was said since the last time. A network that is down is named, and the others go on."""
    problems = []
    hear = PrivateRoom(garden, opened.networks).before(opened.initiative.hear)
    for network in opened.networks:
        try:
            await network.catch_up(hear)
        except NetworkDown as error:
            problems.append(f"{network.name}: {error}")
    return problems


def _add_thoughts(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_thoughts, reads=True))


async def _thoughts(garden: Garden, arguments: argparse.Namespace) -> int:
    thoughts = await Initiative(garden).presence.stored.all(THOUGHT)
    if arguments.json:
        print_json({"thoughts": [to_record(thought) for thought in thoughts]})
        return 0
    rows = [
        (t.community, t.channel, t.status, str(t.revision), when(t.not_before_at), when(t.expires_at), t.text)
        for t in thoughts
    ]
    print_table(("community", "channel", "status", "revision", "next look", "forgotten", "text"), rows)
    print(paint(count(len(thoughts), "thought"), "dim"))
    return 0


def _add_feeds(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fetch", action="store_true", help="ask the sources now")
    add_common(parser)
    parser.set_defaults(call=on_garden(_feeds))


async def _feeds(garden: Garden, arguments: argparse.Namespace) -> int:
    presence = Initiative(garden).presence
    if arguments.fetch:
        await presence.collector.collect(at_once=True)
    known = {state.source: state for state in await presence.stored.all(FEED)}
    feeds: list[dict[str, Any]] = []
    listed, problems = await presence.collector.feeds_and_problems()
    for feed in listed:
        state = known.get(feed.source)
        feeds.append(
            {
                "source": feed.source,
                "url": feed.url,
                "items": len(state.items) if state else 0,
                "fetched": state.fetched if state else 0,
                "unchanged": state.unchanged if state else 0,
                "failures": dict(state.failures) if state else {},
                "last_error": state.last_error if state else "",
                "asked_at": state.fetched_at.isoformat() if state and state.fetched_at else None,
            }
        )
    if arguments.json:
        print_json({"feeds": feeds, "problems": problems})
        return 0
    rows = [(f["source"], str(f["items"]), _failures(f["failures"]), _feed_now(f)) for f in feeds]
    print_table(("source", "items", "failures", "now"), rows)
    for problem in problems:
        print(paint(problem, "yellow"))
    print(paint(count(len(feeds), "source"), "dim"))
    return 0


def _feed_now(feed: dict[str, Any]) -> str:
    return feed["last_error"] or ("ok" if feed["asked_at"] else "not asked yet")


def _failures(counted: dict[str, int]) -> str:
    return ", ".join(f"{kind} {number}" for kind, number in sorted(counted.items())) or "–"


def _add_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", "-n", type=int, default=30, help="how many lines")
    add_common(parser)
    parser.set_defaults(call=on_garden(_log, reads=True))


async def _log(garden: Garden, arguments: argparse.Namespace) -> int:
    actions = await Initiative(garden).presence.stored.all(ACTION, limit=max(1, arguments.limit))
    if arguments.json:
        print_json({"actions": [to_record(action) for action in actions]})
        return 0
    for action in actions:
        times = f" ×{action.count}" if action.count > 1 else ""
        where = f" {action.channel or action.community}" if action.channel or action.community else ""
        print(f"{when(action.last_at or action.at)}  {paint(str(action.act), 'cyan')}{times}{where}: {action.reason}")
    return 0


def _add_preview(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-fetch", action="store_true", help="use what is known of the feeds, and ask none")
    parser.add_argument("--console", action="store_true", help="as it would be in the console channel")
    add_common(parser)
    parser.set_defaults(call=on_garden(_preview))


async def _preview(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.console:
        garden = garden.at(garden.place, with_console(garden.settings))
    async with open_initiative(garden, os.environ) as opened:
        problems = [*opened.problems, *await _catch_up_quietly(garden, opened)]
        outlook = await opened.initiative.look(fetch=not arguments.no_fetch)
    if arguments.json:
        print_json(_preview_shape(outlook) | {"problems": problems})
        return 0
    for problem in problems:
        print(f"nightgarden: {problem}", file=sys.stderr)
    _print_preview(outlook)
    return 0


async def _catch_up_quietly(garden: Garden, opened: OpenedInitiative) -> list[str]:
    """As `_catch_up`, but what is heard is only kept: a preview answers nobody."""
    quiet = opened.initiative.presence.history
    problems = []

    async def keep(event: object) -> None:
        if isinstance(event, Incoming) and opened.initiative.presence.listens(event.channel):
            await quiet.keep(event)

    hear = PrivateRoom(garden, opened.networks).before(keep)
    for network in opened.networks:
        try:
            await network.catch_up(hear)
        except NetworkDown as error:
            problems.append(f"{network.name}: {error}")
    return problems


def _preview_shape(outlook: Outlook) -> dict[str, Any]:
    assembled = outlook.assembled
    return {
        "gates": [to_record(each) for each in outlook.plan.asked],
        "would": _would(outlook),
        "community": outlook.community,
        "candidates": [
            {"title": c.item.title, "url": c.item.url, "source": c.item.source, "score": round(c.score, 3)}
            for c in (assembled.context.candidates if assembled else ())
        ],
        "left_out": dict(assembled.sieved.dropped) if assembled else {},
        "feed_failures": dict(assembled.collected.failures) if assembled else {},
        "system": system_prompt() if assembled else "",
        "prompt": build_prompt(assembled.context) if assembled else "",
    }


def _would(outlook: Outlook) -> str:
    if outlook.plan.revisit is not None:
        return f"revisit the thought pending in {outlook.plan.revisit.community}"
    if outlook.plan.fresh is not None:
        return f"consider something new in {outlook.plan.fresh}"
    return f"stay quiet ({outlook.plan.reason})"


def _print_preview(outlook: Outlook) -> None:
    shape = _preview_shape(outlook)
    for asked in outlook.plan.asked:
        mark = paint("passed", "green") if asked.passed else paint("stopped", "yellow")
        print(f"{mark}  {asked.gate}: {asked.reason}")
    print(f"\na tick now would {shape['would']}; chance may decide otherwise next time\n")
    for number, candidate in enumerate(shape["candidates"], start=1):
        print(f"{number}. {candidate['score']:.2f}  {candidate['title']}\n   {candidate['url']}")
    if shape["left_out"]:
        print(paint("left out: " + _failures(shape["left_out"]), "dim"))
    if shape["prompt"]:
        print(paint("\nsystem", "bold"))
        print_text(shape["system"])
        print(paint("\nprompt", "bold"))
        print(shape["prompt"])


def _add_try(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"{HELP} Without a mind it says what it would look at, and posts nothing."
    add_common(parser, json=False)
    parser.set_defaults(call=on_garden(_try))


async def _try(garden: Garden, arguments: argparse.Namespace) -> int:
    garden = garden.at(garden.place, with_console(garden.settings))
    console = console_network(garden, os.environ, lambda text: print(f"{paint('it', 'green')}: {text}"))
    async with open_initiative(garden, os.environ, networks=[console]) as opened:
        initiative = opened.initiative
        await initiative.presence.learn_channels()
        print(paint(HELP, "dim"))
        if initiative.presence.converser is None:
            print(paint("no language model is set up: nothing will be posted (setting mind.kind)", "yellow"))
        number = 0
        while (line := await asyncio.to_thread(sys.stdin.readline)) and line.strip() != "/quit":
            number += 1
            await _one_line(initiative, line.strip(), number)
    return 0


async def _one_line(initiative: Initiative, line: str, number: int) -> None:
    if line == "/tick":
        print(paint((await initiative.tick()).sentence, "dim"))
    elif line == "/preview":
        _print_preview(await initiative.look())
    elif line == "/log":
        for action in await initiative.presence.stored.all(ACTION, limit=10):
            print(paint(f"{action.act}: {action.reason}", "dim"))
    elif line:
        await _say(initiative, _typed(initiative, line, number))


async def _say(initiative: Initiative, message: Incoming) -> None:
    """Lets it hear a message, and says why it stays silent if it does."""
    stored = initiative.presence.stored
    before = {(action.id, action.count) for action in await stored.all(ACTION, limit=1)}
    await initiative.hear(message)
    for action in await stored.all(ACTION, limit=1):
        if (action.id, action.count) not in before and action.act in (Act.LEAVE, Act.FAILED):
            print(paint(f"it stays silent: {action.reason}", "dim"))


def _typed(initiative: Initiative, line: str, number: int) -> Incoming:
    """What somebody says in the console, or whoever is named. `@it` is said to us."""
    name, separator, text = line.partition(": ")
    if not separator or " " in name or not name.isidentifier():
        name, text = "somebody", line
    now = initiative.presence.now()
    return Incoming(
        id=f"console-{now:%Y%m%d%H%M%S}-{number}-{os.getpid()}",
        channel=LOBBY.id,
        community=LOBBY.community,
        author_id=f"console:{name}",
        author_name=name,
        text=text,
        at=now,
        mentions_me="@it" in text.split(),
    )
