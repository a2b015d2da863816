"""The command on tasks for later: schedule add, list, done, cancel."""

from __future__ import annotations

import argparse
import re
from datetime import datetime
from functools import partial

from nightgarden.domain.requests.schedule import ScheduleClose, Scheduled, ScheduleRequest
from nightgarden.errors import BadInput
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, short, when

_MINUTES = {"": 1, "m": 1, "h": 60, "d": 1440}


def add_schedule(parser: argparse.ArgumentParser) -> None:
    actions = (
        ("add", "schedule a task; sessions of this project are told when it is due", _add_add),
        ("list", "list tasks, by priority and time", _add_list),
        ("done", "mark a task as done", partial(_add_close, "done")),
        ("cancel", "cancel a task", partial(_add_close, "cancelled")),
    )
    add_actions(parser, actions)


def _add_add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A due task is said at the start of each session until it is closed, unless another target takes it."
    )
    add_fields(parser, ScheduleRequest, leave_out=("wake_in_minutes", "wake_at"))
    when_due = parser.add_mutually_exclusive_group(required=True)
    when_due.add_argument("--in", dest="in_", metavar="TIME", help="due in so many minutes: 30, 90m, 2h or 3d")
    when_due.add_argument(
        "--wake-at", "--at", dest="at", metavar="WHEN", help="due then, ISO 8601; without a time zone it is yours"
    )
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_add))


def _add(ask: Asker, arguments: argparse.Namespace) -> int:
    given = given_by(ScheduleRequest, arguments)
    given |= {"wake_at": _local(arguments.at)} if arguments.at else {"wake_in_minutes": _minutes(arguments.in_)}
    task = ask(ScheduleRequest, given)
    if arguments.json:
        print_json(task)
    else:
        print(f"{paint('scheduled', 'green')} {short(task['id'])} for {when(task['wake_at'])}: {task['task']}")
    return 0


def _minutes(text: str) -> float:
    if match := re.fullmatch(r"(\d+(?:\.\d+)?)\s*([mhd]?)", text.strip()):
        return float(match[1]) * _MINUTES[match[2]]
    raise BadInput(f"--in {text!r} is not a valid duration; try 30, 90m, 2h or 3d")


def _local(text: str) -> str:
    """A person means their own time zone; what cannot be read is left to the rule that says so."""
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment.astimezone() if moment.tzinfo is None else moment).isoformat()
    except (ValueError, OverflowError):
        return text


def _add_list(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Scheduled)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_list))


def _list(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(Scheduled, given_by(Scheduled, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        (
            short(task["id"]),
            when(task["wake_at"]),
            f"{task['state']}, {task['late']}" if task["late"] else task["state"],
            task["priority"],
            task["task"],
        )
        for task in answer["tasks"]
    ]
    print_table(("id", "due", "state", "priority", "task"), rows)
    print(paint(count(len(rows), "task"), "dim"))
    return 0


def _add_close(outcome: str, parser: argparse.ArgumentParser) -> None:
    add_fields(parser, ScheduleClose, leave_out=("outcome",))
    add_common(parser)
    parser.set_defaults(call=AskingCommand(partial(_close, outcome)))


def _close(outcome: str, ask: Asker, arguments: argparse.Namespace) -> int:
    task = ask(ScheduleClose, {"id": arguments.id, "outcome": outcome})
    if arguments.json:
        print_json(task)
    else:
        print(f"{paint(task['outcome'], 'green')}: {task['task']}")
    return 0
