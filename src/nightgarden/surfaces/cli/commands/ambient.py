"""The command on the ambient agent: status, run, pause, resume, stop, log, show, queue, trust, explain."""

from __future__ import annotations

import argparse
import asyncio
import sys
from datetime import datetime

from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.ambient_status import cycle_line, cycle_shape, setting_needed, status_of
from nightgarden.ambient.cycles import Cycle, StepState, lasted
from nightgarden.ambient.run_gate import Delay
from nightgarden.domain.schedule import ScheduledTask, Target, late
from nightgarden.errors import GardenBusy, NotFound
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, print_text, when
from nightgarden.surfaces.cli.shapes import task_shape
from nightgarden.surfaces.cli.short_ids import short

FOLLOW_SECONDS = 0.5
_COLOURS = {"complete": "green", "running": "yellow"}


def add_ambient(parser: argparse.ArgumentParser) -> None:
    actions = (
        ("status", "show what it is doing, what is waiting, what it did last and when it wakes", _add_status),
        ("run", "run one cycle now", _add_run),
        ("pause", "run no cycle until `ambient resume`", _add_pause),
        ("resume", "let it run again", _add_resume),
        ("stop", "end the cycle that is running, at its next safe point", _add_stop),
        ("log", "list cycles, newest first", _add_log),
        ("show", "show one cycle: what it planned and what it did", _add_show),
        ("queue", "list the tasks it will take up", _add_queue),
        ("trust", "let it work on code at once, or approve one cycle", _add_trust),
        ("explain", "explain why it is or is not running now", _add_explain),
    )
    add_actions(parser, actions)


def _add_status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--follow", "-f", action="store_true", help="show it again and again, until Ctrl-C")
    add_common(parser)
    parser.set_defaults(call=on_garden(_status, reads=True))


async def _status(garden: Garden, arguments: argparse.Namespace) -> int:
    ambient = Ambient(garden)
    shown: list[str] = []
    while True:
        status = await status_of(ambient)
        if arguments.json:
            print_json(status.shape())
        elif (lines := status.lines()) != shown:
            print("\n".join([*([""] if shown else []), *lines]), flush=True)
            shown = lines
        if not arguments.follow:
            return 0
        await asyncio.sleep(FOLLOW_SECONDS)


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Works even while the agent is off or paused. Ctrl-C ends the cycle; the next one continues where it stopped."
    )
    parser.add_argument("--follow", "-f", action="store_true", help="print each step as it is done")
    add_common(parser)
    parser.set_defaults(call=on_garden(_run))


async def _run(garden: Garden, arguments: argparse.Namespace) -> int:
    ambient = Ambient(garden)
    decision = await ambient.look(command=True)
    if isinstance(decision, Delay):
        raise GardenBusy(f"no cycle was run: {decision.words}")
    follow = _Follow() if arguments.follow and not arguments.json else None
    cycle = await ambient.run(decision, follow.tell if follow is not None else None)
    if arguments.json:
        print_json(cycle_shape(cycle))
    else:
        _print_cycle(cycle)
    return 0


class _Follow:
    """Prints the steps of a cycle as they are done."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def tell(self, cycle: Cycle) -> None:
        for step in cycle.steps:
            if step.state is StepState.PLANNED or (step.key, step.state.value) in self._told:
                continue
            self._told.add((step.key, step.state.value))
            print(f"{paint(step.state.value, 'dim')} {step.key} {step.line}".rstrip(), flush=True)


def _add_pause(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reason", default="", help="kept, and shown in its status")
    add_common(parser)
    parser.set_defaults(call=on_garden(_pause))


async def _pause(garden: Garden, arguments: argparse.Namespace) -> int:
    state = await Ambient(garden).control.pause(arguments.reason)
    return _said(arguments, {"paused": True, "reason": state.paused}, f"paused: {state.paused}")


def _add_resume(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_resume))


async def _resume(garden: Garden, arguments: argparse.Namespace) -> int:
    await Ambient(garden).control.resume()
    return _said(arguments, {"paused": False}, "it may run again")


def _add_stop(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_stop))


async def _stop(garden: Garden, arguments: argparse.Namespace) -> int:
    ambient = Ambient(garden)
    going, stopping = await ambient.going(), await ambient.control.stop()
    words = "no cycle is running"
    if stopping:
        words = "the cycle ends at its next safe point" if going else "the cycle broke off; it will not be gone on with"
    return _said(arguments, {"stopping": stopping}, words)


def _add_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", "-n", type=int, default=20, help="how many at most (default 20)")
    add_common(parser)
    parser.set_defaults(call=on_garden(_log, reads=True))


async def _log(garden: Garden, arguments: argparse.Namespace) -> int:
    cycles = await Ambient(garden).records.cycles(limit=max(1, arguments.limit))
    if arguments.json:
        print_json({"cycles": [cycle_line(cycle) for cycle in cycles]})
        return 0
    rows = [
        (cycle.id, when(cycle.started_at), lasted(cycle), cycle.status.value, cycle.because.words, cycle.line)
        for cycle in cycles
    ]
    print_table(("id", "started", "lasted", "status", "because", "summary"), rows)
    print(paint(count(len(cycles), "cycle"), "dim"))
    return 0


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="of a cycle (default: the last one)")
    add_common(parser)
    parser.set_defaults(call=on_garden(_show, reads=True))


async def _show(garden: Garden, arguments: argparse.Namespace) -> int:
    cycle = await _find(Ambient(garden), arguments.id)
    if arguments.json:
        print_json(cycle_shape(cycle))
    else:
        _print_cycle(cycle, whole=True)
    return 0


def _add_queue(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", "-a", action="store_true", help="done and cancelled ones too")
    add_common(parser)
    parser.set_defaults(call=on_garden(_queue, reads=True))


async def _queue(garden: Garden, arguments: argparse.Namespace) -> int:
    now = garden.now()
    found = await garden.schedule.list(scope="all", include_closed=arguments.all)
    tasks = [task for task in found if task.target is not Target.TELL]
    if arguments.json:
        print_json({"tasks": [task_shape(task, now) for task in tasks]})
        return 0
    rows = [(short(t.id), when(t.wake_at), _state_of(t, now), str(t.target), str(t.priority), t.task) for t in tasks]
    print_table(("id", "due", "state", "target", "priority", "task"), rows)
    print(paint(count(len(tasks), "task"), "dim"))
    return 0


def _state_of(task: ScheduledTask, now: datetime) -> str:
    words = late(task, now) if task.is_due(now) else ""
    return f"{task.state(now)}, {words}" if words else str(task.state(now))


def _add_trust(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Without an id it skips the cold start; with one it approves that cycle. --no takes it back."
    parser.add_argument("id", nargs="?", help="of a cycle")
    parser.add_argument("--no", action="store_true", help="do not trust it")
    add_common(parser)
    parser.set_defaults(call=on_garden(_trust))


async def _trust(garden: Garden, arguments: argparse.Namespace) -> int:
    ambient = Ambient(garden)
    cycle = await _find(ambient, arguments.id) if arguments.id else None
    trust = await ambient.control.trust(cycle.id if cycle is not None else None, approved=not arguments.no)
    words = f"work on code: {trust.words}"
    if trust.earned and (needed := setting_needed(garden.settings)):
        words += f"; it also needs {needed} in your settings"
    return _said(arguments, {"earned": trust.earned, "line": trust.words}, words)


def _add_explain(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_explain, reads=True))


async def _explain(garden: Garden, arguments: argparse.Namespace) -> int:
    ambient = Ambient(garden)
    decision, state = await ambient.look(), await ambient.records.state()
    if isinstance(decision, Delay):
        until = f"; the next look is at {when(decision.until)}" if decision.until else ""
        words = f"it does not run now: {decision.words}{until}"
    else:
        words = f"it runs at the next look: {decision.because.words}"
    lines = [words, *(f"waiting: {event.words}, since {when(event.at)}" for event in state.events)]
    if state.decided_at is not None:
        lines.append(f"the daemon last decided at {when(state.decided_at)}: {state.decided}")
    shape = {"runs": not isinstance(decision, Delay), "reason": words, "waiting": [e.words for e in state.events]}
    return _said(arguments, shape, "\n".join(lines))


async def _find(ambient: Ambient, given: str | None) -> Cycle:
    """By its id, whole or the end of it; the last one when there is none."""
    cycles = await ambient.records.cycles()
    if given is None:
        if not cycles:
            raise NotFound("there was no cycle yet; `nightgarden ambient run` runs one")
        return cycles[0]
    found = [cycle for cycle in cycles if given and cycle.id.endswith(given)]
    return found[0] if len(found) == 1 else (await ambient.records.cycle(given)).value


def _print_cycle(cycle: Cycle, *, whole: bool = False) -> None:
    status = paint(cycle.status.value, _COLOURS.get(cycle.status.value, "red"))
    print(f"{cycle.id}  {status}  {when(cycle.started_at)}, {lasted(cycle)}, because of {cycle.because.words}")
    if cycle.warning:
        print(paint(f"  {cycle.warning}", "yellow"))
    for step in cycle.steps if whole else ():
        print(paint(f"  {step.state.value:<8} {step.key} {step.line}".rstrip(), "dim"))
    for todo in cycle.todos if whole else ():
        print(paint(f"  {todo.state.value:<8} todo: {todo.text}", "dim"))
    print_text(cycle.summary, indent=2)
    if cycle.next_wake_at is not None:
        print(f"  next wake: {when(cycle.next_wake_at)} ({cycle.next_reason})")
    if cycle.memories_modified:
        print(f"  take it all back with: nightgarden undo {cycle.id}")


def _said(arguments: argparse.Namespace, shape: dict[str, object], words: str) -> int:
    if arguments.json:
        print_json(shape)
    else:
        sys.stdout.write(words + "\n")
    return 0
