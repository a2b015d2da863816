"""The commands on what sessions taught: episodes and procedures."""

from __future__ import annotations

import argparse

from nightgarden.domain.requests.learning import (
    EpisodeRequest,
    Episodes,
    ProcedureAdd,
    ProcedureHistory,
    ProcedureOutcome,
    ProcedureRequest,
    Procedures,
)
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, day, paint, print_json, print_table, print_text, short

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nightgarden.domain.requests.declare import OperationRequest
    from nightgarden.surfaces.cli.asking import Answer, Work


def _add(parser: argparse.ArgumentParser, request: type[OperationRequest], work: Work) -> None:
    add_fields(parser, request)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(work))


def add_episodes(parser: argparse.ArgumentParser) -> None:
    actions = (
        (
            "list",
            "list what happened in earlier sessions, newest first",
            lambda parser: _add(parser, Episodes, _list_episodes),
        ),
        ("show", "show one episode in full", lambda parser: _add(parser, EpisodeRequest, _show_episode)),
    )
    parser.epilog = "Episodes are made when a session ends and when the garden is tended."
    add_actions(parser, actions)


def _list_episodes(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(Episodes, given_by(Episodes, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        (short(each["id"]), day(each["created_at"]), episode["outcome"], _took(episode), episode["task"])
        for each in answer["episodes"]
        if (episode := each["episode"]) is not None
    ]
    print_table(("id", "day", "outcome", "took", "task"), rows)
    print(paint(count(len(answer["episodes"]), "episode"), "dim"))
    if not answer["episodes"]:
        print("sessions that are over are recorded by `nightgarden tend`, once you allowed reading them:")
        print("  nightgarden sessions allow claude-code && nightgarden sessions scan && nightgarden tend")
    return 0


def _took(episode: Answer) -> str:
    return f"{episode['duration_seconds'] // 60} min"


def _show_episode(ask: Asker, arguments: argparse.Namespace) -> int:
    memory = ask(EpisodeRequest, given_by(EpisodeRequest, arguments))
    if arguments.json:
        print_json(memory)
        return 0
    episode = memory["episode"]
    print_text(episode["task"], "bold")
    session = f", session {memory['session_id']}" if memory["session_id"] else ""
    print(f"{episode['outcome']}, {day(memory['created_at'])}, {_took(episode)}{session}")
    print_text(episode["approach"])
    _section("steps", [_step(step) for step in episode["steps"]])
    for name in ("decisions", "gotchas", "patterns"):
        _section(name, episode[name])
    _section("left undone", episode["undone"])
    for name in ("files", "commits", "tools"):
        _section(name, episode[name])
    print(paint(f"id {memory['id']}; in the words of {episode['worded_by']}", "dim"))
    return 0


def _step(step: Answer) -> str:
    words = step["detail"] or step["action"]
    edited = "edit " if step["detail"] and step["action"].startswith("edit ") else ""
    return f"{edited}{words}{' (failed)' if step['failed'] else ''}"


def add_procedures(parser: argparse.ArgumentParser) -> None:
    actions = (
        ("list", "list procedures, the surest first", lambda parser: _add(parser, Procedures, _list_procedures)),
        ("show", "show one procedure in full", lambda parser: _add(parser, ProcedureRequest, _show_procedure)),
        ("add", "add a procedure in your own words", lambda parser: _add(parser, ProcedureAdd, _add_procedure)),
        ("outcome", "record how following a procedure went", lambda parser: _add(parser, ProcedureOutcome, _outcome)),
        (
            "history",
            "show how following a procedure went each time",
            lambda parser: _add(parser, ProcedureHistory, _history),
        ),
    )
    add_actions(parser, actions)


def _list_procedures(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(Procedures, given_by(Procedures, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        (short(each["id"]), _standing(each), f"{each['confidence']:.2f}", str(len(way["uses"])), way["name"])
        for each in answer["procedures"]
        if (way := each["procedure"]) is not None
    ]
    print_table(("id", "status", "sure", "uses", "name"), rows)
    print(paint(count(len(answer["procedures"]), "procedure"), "dim"))
    if not answer["procedures"]:
        print("three sessions that did the same kind of work give one; `nightgarden procedures add` adds your own")
    return 0


def _standing(memory: Answer) -> str:
    return "superseded" if memory["superseded_by"] else str(memory["status"])


def _show_procedure(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(ProcedureRequest, given_by(ProcedureRequest, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    memory, way = answer["procedure"], answer["procedure"]["procedure"]
    print_text(way["name"], "bold")
    print(f"{_standing(memory)}, confidence {memory['confidence']:.2f}, {count(len(way['uses']), 'use')}")
    if way["trigger"]:
        print_text(f"when: {way['trigger']}")
    _section("asked for as", way["asked_as"])
    _section("prerequisites", way["prerequisites"])
    _section("steps", way["steps"], numbered=True)
    _section("warnings", way["warnings"])
    _section("tools", way["tools"])
    _section("derived from", answer["derived_from"])
    print(paint(f"id {memory['id']}", "dim"))
    return 0


def _section(title: str, lines: Sequence[str], *, numbered: bool = False) -> None:
    if lines:
        print(paint(title, "bold"))
    for number, line in enumerate(lines, start=1):
        print_text(f"{number}. {line}" if numbered else f"- {line}", indent=2)


def _add_procedure(ask: Asker, arguments: argparse.Namespace) -> int:
    memory = ask(ProcedureAdd, given_by(ProcedureAdd, arguments))
    if arguments.json:
        print_json(memory)
    else:
        print(f"{paint('added', 'green')} {short(memory['id'])}: {arguments.name}")
    return 0


def _outcome(ask: Asker, arguments: argparse.Namespace) -> int:
    memory = ask(ProcedureOutcome, given_by(ProcedureOutcome, arguments))
    if arguments.json:
        print_json(memory)
    else:
        print(f"{_standing(memory)}, confidence {memory['confidence']:.2f}")
    return 0


def _history(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(ProcedureHistory, given_by(ProcedureHistory, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        (day(use["at"]), use["outcome"], f"{use['confidence']:.2f}", short(use["episode_id"] or ""), use["reason"])
        for use in answer["uses"]
    ]
    print_table(("day", "outcome", "sure", "episode", "reason"), rows)
    print(paint(count(len(rows), "use"), "dim"))
    return 0
