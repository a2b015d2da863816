"""The command on tasks for later: schedule add, list, done, cancel."""

from __future__ import annotations

import argparse
import re
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from nightgarden.domain.schedule import Priority, ScheduledTask, Target, late
from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.scheduling import Schedule
from nightgarden.surfaces.cli.ids import add_id, short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common, values
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, when
from nightgarden.surfaces.cli.shapes import task_shape

Close = Callable[[Schedule, str], Awaitable[ScheduledTask]]
_MINUTES = {"": 1, "m": 1, "h": 60, "d": 1440}


def add_schedule(parser: argparse.ArgumentParser) -> None:
    actions = (
        ("add", "schedule a task; sessions of this project are told when it is due", _add_add),
        ("list", "list tasks, by priority and time", _add_list),
        ("done", "say that a task was carried out", partial(_add_close, Schedule.done)),
        ("cancel", "say that a task is not wanted any more", partial(_add_close, Schedule.cancel)),
    )
    add_actions(parser, actions)


def _add_add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A due task is said at the start of each session until it is closed, unless another target takes it."
    )
    parser.add_argument("task", nargs="+", help="what is to be done")
    when_due = parser.add_mutually_exclusive_group(required=True)
    when_due.add_argument("--in", dest="in_", metavar="TIME", help="due in so many minutes: 30, 90m, 2h or 3d")
    when_due.add_argument("--at", metavar="WHEN", help="due then, ISO 8601; without a time zone it is yours")
    parser.add_argument("--priority", "-p", choices=values(Priority), default=Priority.NORMAL)
    parser.add_argument(
        "--target",
        "-t",
        choices=values(Target),
        default=Target.TELL,
        help="who it is for: tell sessions (default), ambient, resume or spawn a session",
    )
    parser.add_argument("--file", "-f", action="append", default=[], help="a file it is about")
    parser.add_argument("--background", "-b", default="", help="why, and what is known already")
    parser.add_argument("--success", default="", help="how to tell that it is done")
    parser.add_argument("--scope", "-s", help="which sessions are told: project (default), or global for any")
    parser.add_argument("--session", metavar="ID", help="the session that schedules it")
    parser.add_argument(
        "--allow", action="append", default=[], metavar="RULE", help="schedule it in spite of this rule"
    )
    add_common(parser)
    parser.set_defaults(call=on_garden(_add))


async def _add(garden: Garden, arguments: argparse.Namespace) -> int:
    task = await garden.schedule.add(
        " ".join(arguments.task),
        wake_in_minutes=_minutes(arguments.in_) if arguments.in_ is not None else None,
        wake_at=_local(arguments.at) if arguments.at is not None else None,
        priority=arguments.priority,
        relevant_files=arguments.file,
        background=arguments.background,
        success_criteria=arguments.success,
        scope=arguments.scope,
        session_id=arguments.session,
        target=arguments.target,
        allow=arguments.allow,
    )
    if arguments.json:
        print_json(task_shape(task, garden.now()))
    else:
        print(f"{paint('scheduled', 'green')} {short(task.id)} for {when(task.wake_at)}: {task.task}")
    return 0


def _minutes(text: str) -> float:
    if match := re.fullmatch(r"(\d+(?:\.\d+)?)\s*([mhd]?)", text.strip()):
        return float(match[1]) * _MINUTES[match[2]]
    raise BadInput(f"--in {text!r} is not a valid duration; try 30, 90m, 2h or 3d")


def _local(text: str) -> datetime | str:
    """A person means their own time zone; what cannot be read is left to the rule that says so."""
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.astimezone() if moment.tzinfo is None else moment
    except (ValueError, OverflowError):
        return text


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", "-a", action="store_true", help="done and cancelled ones too")
    parser.add_argument("--scope", "-s", help="global, project or all; default: this project and the global ones")
    add_common(parser)
    parser.set_defaults(call=on_garden(_list, reads=True))


async def _list(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await garden.schedule.list(scope=arguments.scope, include_closed=arguments.all)
    now = garden.now()
    if arguments.json:
        print_json({"tasks": [task_shape(task, now) for task in found]})
        return 0
    rows = [(short(task.id), when(task.wake_at), _state(task, now), str(task.priority), task.task) for task in found]
    print_table(("id", "due", "state", "priority", "task"), rows)
    print(paint(count(len(found), "task"), "dim"))
    return 0


def _state(task: ScheduledTask, now: datetime) -> str:
    words = late(task, now) if task.is_due(now) else ""
    return f"{task.state(now)}, {words}" if words else str(task.state(now))


def _add_close(close: Close, parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "task", help="of a task")
    add_common(parser)
    parser.set_defaults(call=on_garden(partial(_close, close)))


async def _close(close: Close, garden: Garden, arguments: argparse.Namespace) -> int:
    task = await close(garden.schedule, arguments.id)
    if arguments.json:
        print_json(task_shape(task, garden.now()))
    else:
        print(f"{paint(str(task.outcome), 'green')}: {task.task}")
    return 0
