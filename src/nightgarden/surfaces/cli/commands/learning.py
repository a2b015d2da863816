"""The commands on what sessions taught: episodes and procedures."""

from __future__ import annotations

import argparse

from nightgarden.domain.memory import Ending, Episode, Memory
from nightgarden.domain.record import to_record
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.ids import add_id, short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common, values
from nightgarden.surfaces.cli.screen import count, day, paint, print_json, print_table, print_text
from nightgarden.surfaces.cli.shapes import memory_shape, procedure_shape

_SCOPE_HELP = "global, project or all; default: this project and global"


def add_episodes(parser: argparse.ArgumentParser) -> None:
    actions = (
        ("list", "list what happened in earlier sessions, newest first", _add_list_episodes),
        ("show", "show one episode in full", _add_show_episode),
    )
    parser.epilog = "Episodes are made when a session ends and when the garden is tended."
    add_actions(parser, actions)


def _add_list_episodes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--outcome", choices=values(Ending), help="only those that ended so")
    parser.add_argument("--scope", "-s", help=_SCOPE_HELP)
    parser.add_argument("--limit", "-n", type=int, default=20, help="how many at most (default 20)")
    add_common(parser)
    parser.set_defaults(call=on_garden(_list_episodes, reads=True))


async def _list_episodes(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await garden.learn.episodes(scope=arguments.scope, outcome=arguments.outcome, limit=arguments.limit)
    if arguments.json:
        print_json({"episodes": [memory_shape(memory) for memory in found]})
        return 0
    rows = [
        (
            short(memory.id),
            day(memory.created_at),
            str(episode.outcome),
            _took(episode),
            episode.task,
        )
        for memory in found
        if (episode := memory.episode) is not None
    ]
    print_table(("id", "day", "outcome", "took", "task"), rows)
    print(paint(count(len(found), "episode"), "dim"))
    return 0


def _took(episode: Episode) -> str:
    return f"{episode.duration_seconds // 60} min"


def _add_show_episode(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", help="of an episode")
    add_common(parser)
    parser.set_defaults(call=on_garden(_show_episode, reads=True))


async def _show_episode(garden: Garden, arguments: argparse.Namespace) -> int:
    memory = await garden.learn.episode(arguments.id)
    if arguments.json:
        print_json(memory_shape(memory))
        return 0
    episode = memory.episode
    assert episode is not None
    print_text(episode.task, "bold")
    print(f"{episode.outcome}, {day(memory.created_at)}, {_took(episode)}, session {memory.session_id}")
    print_text(episode.approach)
    steps = [f"{step.detail or step.action}{' (failed)' if step.failed else ''}" for step in episode.steps]
    for title, lines in (
        ("steps", steps),
        ("decisions", episode.decisions),
        ("gotchas", episode.gotchas),
        ("patterns", episode.patterns),
        ("left undone", episode.undone),
        ("files", episode.files),
        ("commits", episode.commits),
        ("tools", episode.tools),
    ):
        _section(title, lines)
    print(paint(f"id {memory.id}; in the words of {episode.worded_by}", "dim"))
    return 0


def add_procedures(parser: argparse.ArgumentParser) -> None:
    actions = (
        ("list", "list procedures, the surest first", _add_list_procedures),
        ("show", "show one procedure in full", _add_show_procedure),
        ("add", "add a procedure in your own words", _add_add),
        ("outcome", "say how following a procedure went", _add_outcome),
        ("history", "show how following a procedure went each time", _add_history),
    )
    add_actions(parser, actions)


def _add_list_procedures(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--archived", "-a", action="store_true", help="archived and superseded ones too")
    parser.add_argument("--scope", "-s", help=_SCOPE_HELP)
    parser.add_argument("--limit", "-n", type=int, default=50, help="how many at most (default 50)")
    add_common(parser)
    parser.set_defaults(call=on_garden(_list_procedures, reads=True))


async def _list_procedures(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await garden.learn.procedures(scope=arguments.scope, archived=arguments.archived, limit=arguments.limit)
    if arguments.json:
        print_json({"procedures": [memory_shape(memory) for memory in found]})
        return 0
    rows = [
        (short(memory.id), _standing(memory), f"{memory.confidence:.2f}", str(len(procedure.uses)), procedure.name)
        for memory in found
        if (procedure := memory.procedure) is not None
    ]
    print_table(("id", "status", "sure", "uses", "name"), rows)
    print(paint(count(len(found), "procedure"), "dim"))
    return 0


def _standing(memory: Memory) -> str:
    return "superseded" if memory.superseded_by else str(memory.status)


def _add_show_procedure(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", help="of a procedure")
    add_common(parser)
    parser.set_defaults(call=on_garden(_show_procedure, reads=True))


async def _show_procedure(garden: Garden, arguments: argparse.Namespace) -> int:
    shown = await garden.learn.procedure(arguments.id)
    if arguments.json:
        print_json(procedure_shape(shown))
        return 0
    memory, procedure = shown.memory, shown.memory.procedure
    assert procedure is not None
    print_text(procedure.name, "bold")
    print(f"{_standing(memory)}, confidence {memory.confidence:.2f}, {count(len(procedure.uses), 'use')}")
    if procedure.trigger:
        print_text(f"when: {procedure.trigger}")
    _section("prerequisites", procedure.prerequisites)
    _section("steps", procedure.steps, numbered=True)
    _section("warnings", procedure.warnings)
    _section("tools", procedure.tools)
    _section("derived from", shown.sources)
    print(paint(f"id {memory.id}", "dim"))
    return 0


def _section(title: str, lines: tuple[str, ...] | list[str], *, numbered: bool = False) -> None:
    if lines:
        print(paint(title, "bold"))
    for number, line in enumerate(lines, start=1):
        print_text(f"{number}. {line}" if numbered else f"- {line}", indent=2)


def _add_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="what it does, in a few words")
    parser.add_argument("--step", action="append", required=True, metavar="TEXT", help="a step; repeat it, in order")
    parser.add_argument("--trigger", default="", help="words of a task that should bring it up")
    parser.add_argument("--needs", action="append", default=[], metavar="TEXT", help="what must be there first")
    parser.add_argument("--warning", action="append", default=[], metavar="TEXT", help="what can go wrong")
    parser.add_argument("--tool", action="append", default=[], help="a program it needs")
    parser.add_argument("--scope", "-s", help="where it holds: project (default) or global")
    add_id(parser, "--supersedes", "memory", help="the procedure it takes the place of", metavar="ID")
    add_common(parser)
    parser.set_defaults(call=on_garden(_add))


async def _add(garden: Garden, arguments: argparse.Namespace) -> int:
    memory = await garden.learn.add_procedure(
        arguments.name,
        arguments.step,
        trigger=arguments.trigger,
        prerequisites=arguments.needs,
        warnings=arguments.warning,
        tools=arguments.tool,
        scope=arguments.scope,
        supersedes=arguments.supersedes,
    )
    if arguments.json:
        print_json(memory_shape(memory))
    else:
        print(f"{paint('added', 'green')} {short(memory.id)}: {arguments.name}")
    return 0


def _add_outcome(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", help="of a procedure")
    parser.add_argument("outcome", choices=values(Ending), help="how it went")
    parser.add_argument("--reason", default="", help="why; kept in its history")
    add_common(parser)
    parser.set_defaults(call=on_garden(_outcome))


async def _outcome(garden: Garden, arguments: argparse.Namespace) -> int:
    memory = await garden.learn.outcome(arguments.id, arguments.outcome, reason=arguments.reason)
    if arguments.json:
        print_json(memory_shape(memory))
    else:
        print(f"{_standing(memory)}, confidence {memory.confidence:.2f}")
    return 0


def _add_history(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", help="of a procedure")
    add_common(parser)
    parser.set_defaults(call=on_garden(_history, reads=True))


async def _history(garden: Garden, arguments: argparse.Namespace) -> int:
    uses = await garden.learn.procedure_history(arguments.id)
    if arguments.json:
        print_json({"uses": [to_record(use) for use in uses]})
        return 0
    rows = [
        (day(use.at), str(use.outcome), f"{use.confidence:.2f}", short(use.episode_id or ""), use.reason)
        for use in uses
    ]
    print_table(("day", "outcome", "sure", "episode", "reason"), rows)
    print(paint(count(len(uses), "use"), "dim"))
    return 0
