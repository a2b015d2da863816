"""The command on missions: pieces of work with memories of their own."""

from __future__ import annotations

import argparse

from nightgarden.domain.mission import Mission, MissionOutcome
from nightgarden.domain.record import to_record
from nightgarden.domain.verdict import Refused
from nightgarden.garden import Garden
from nightgarden.learn.capture.taking import CaptureReport
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common, values
from nightgarden.surfaces.cli.screen import count, day, paint, print_json, print_table
from nightgarden.surfaces.cli.shapes import memory_shape, verdict_shape
from nightgarden.surfaces.cli.short_ids import add_id, short
from nightgarden.surfaces.cli.verdicts import describe


def add_mission(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Sessions of the project see the memories of missions that go on, beside the project's own."
    actions = (
        ("start", "start a mission in this project", _add_start),
        ("note", "remember something for a mission", _add_note),
        ("end", "end a mission, and hand over to the project what it taught", _add_end),
        ("list", "list missions, newest first", _add_list),
        ("show", "show a mission and its memories", _add_show),
        ("promote", "copy one memory of a mission to the project", _add_promote),
    )
    add_actions(parser, actions)


def _add_start(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="what it is about, in a few words")
    parser.add_argument("--goal", default="", help="when it is done")
    parser.add_argument("--agent", default="", metavar="NAME", help="only sessions of this agent work on it")
    parser.add_argument("--session", metavar="ID", help="only this session works on it")
    add_common(parser)
    parser.set_defaults(call=on_garden(_start))


async def _start(garden: Garden, arguments: argparse.Namespace) -> int:
    mission = await garden.learn.missions.start(
        arguments.name, goal=arguments.goal, agent=arguments.agent, session_id=arguments.session
    )
    if arguments.json:
        print_json({"mission": to_record(mission)})
    else:
        print(f"{paint('started', 'green')} {mission.id}; its memories are those of scope mission:{mission.id}")
    return 0


def _add_note(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="one statement")
    parser.add_argument("--mission", metavar="ID", help="which one, if several go on")
    add_common(parser)
    parser.set_defaults(call=on_garden(_note))


async def _note(garden: Garden, arguments: argparse.Namespace) -> int:
    verdict = await garden.learn.missions.note(arguments.text, mission_id=arguments.mission)
    if arguments.json:
        print_json(verdict_shape(verdict))
    else:
        print(describe(verdict_shape(verdict)))
    return int(isinstance(verdict, Refused))


def _add_end(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mission", nargs="?", metavar="ID", help="which one, if several go on")
    parser.add_argument("--outcome", required=True, choices=values(MissionOutcome), help="how it ended")
    parser.add_argument("--reason", default="", help="why; of a failure, what went wrong")
    add_common(parser)
    parser.set_defaults(call=on_garden(_end))


async def _end(garden: Garden, arguments: argparse.Namespace) -> int:
    ended = await garden.learn.missions.end(arguments.outcome, mission_id=arguments.mission, reason=arguments.reason)
    if arguments.json:
        print_json({"mission": to_record(ended.mission), "report": report_shape(ended.report)})
    else:
        print(f"{ended.mission.id}: {ended.mission.outcome}")
        print_report(ended.report)
    return 0


def report_shape(report: CaptureReport) -> dict[str, object]:
    """`{"cycle", "stored", "known", "refused"}`."""
    return {"cycle": report.cycle, "stored": report.stored, "known": report.known, "refused": report.refused}


def print_report(report: CaptureReport) -> None:
    """What was captured, and how to take it back."""
    print(f"{count(len(report.stored), 'memory')} stored, {report.known} known from before")
    for reason, number in sorted(report.refused.items()):
        print(paint(f"  left out: {number} ({reason})", "dim"))
    if report.stored:
        print(paint(f"  take it back with `nightgarden undo {report.cycle}`", "dim"))


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--active", action="store_true", help="only those that go on")
    parser.add_argument("--all", action="store_true", help="of every project")
    add_common(parser)
    parser.set_defaults(call=on_garden(_list, reads=True))


async def _list(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await garden.learn.missions.list(ended=not arguments.active, everywhere=arguments.all)
    if arguments.json:
        print_json({"missions": [to_record(mission) for mission in found]})
        return 0
    print_table(("id", "started", "outcome", "name"), [_row(mission) for mission in found])
    print(paint(count(len(found), "mission"), "dim"))
    return 0


def _row(mission: Mission) -> tuple[str, str, str, str]:
    return mission.id, day(mission.started_at), str(mission.outcome or "active"), mission.name


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mission", metavar="ID", help="of a mission")
    add_common(parser)
    parser.set_defaults(call=on_garden(_show, reads=True))


async def _show(garden: Garden, arguments: argparse.Namespace) -> int:
    mission = await garden.learn.missions.get(arguments.mission)
    memories = await garden.learn.missions.memories(mission.id)
    if arguments.json:
        print_json({"mission": to_record(mission), "memories": [memory_shape(memory) for memory in memories]})
        return 0
    print(f"{mission.name} ({mission.id}), {mission.outcome or 'active'} since {day(mission.started_at)}")
    for label, text in (("goal", mission.goal), ("agent", mission.agent), ("reason", mission.reason)):
        if text:
            print(f"  {label}: {text}")
    rows = [(short(memory.id), str(memory.category), f"{memory.confidence:.2f}", memory.content) for memory in memories]
    print_table(("id", "category", "sure", "content"), rows)
    return 0


def _add_promote(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", help="of a memory of a mission")
    add_common(parser)
    parser.set_defaults(call=on_garden(_promote))


async def _promote(garden: Garden, arguments: argparse.Namespace) -> int:
    verdict = await garden.learn.missions.promote(arguments.id)
    if arguments.json:
        print_json(verdict_shape(verdict))
    else:
        print(describe(verdict_shape(verdict)))
    return int(isinstance(verdict, Refused))
