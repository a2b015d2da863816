"""The command that says how much is stored: stats."""

from __future__ import annotations

import argparse

from nightgarden.domain.requests.reading import StatsRequest
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, when
from nightgarden.surfaces.cli.values import NOTHING

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Iterator

    from nightgarden.surfaces.cli.asking import Answer

_HASH_CHARS = 8
_VERIFY = "verify "  # what became of asking the language model about a turn
_MODEL_FAILED = ("breaker_open", "judge_unparseable", "judge_transport_error")


def add_stats(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_stats))


def _stats(ask: Asker, arguments: argparse.Namespace) -> int:
    stats = ask(StatsRequest)
    if arguments.json:
        print_json(stats)
        return 0
    print_table(("", ""), list(_rows(stats)), whole=True)
    if stats["health"]["asks"]:
        print(paint(f"tending {stats['health']['asks']}", "yellow"))
    if stats["embedding"]["model"] is None:
        off = stats["embedding"]["switched_off"]
        why = "switched off by embedding.model" if off else "no embedding model: run `nightgarden models fetch`"
        print(paint(f"search goes by words only: {why}", "yellow"))
    return 0


def _rows(stats: Answer) -> Iterator[tuple[str, str]]:
    memories, project = stats["memories"], stats["project"]
    live = memories.get("promoted", 0) + memories.get("candidate", 0)
    yield "database", stats["garden"]
    yield "project", f"{project['name']} ({project['id']})"
    yield "memories", f"{live:,} live, {memories.get('archived', 0):,} archived"
    yield "by category", _listed(stats["memories_by_category"])
    yield "passages", f"{stats['passages']:,} of {count(stats['sessions'], 'session')}"
    yield (
        "graph",
        f"{count(stats['tags'], 'tag')}, {count(stats['clusters'], 'cluster')}, {count(stats['edges'], 'edge')}",
    )
    yield "journal", count(stats["journal_entries"], "entry")
    yield "search", _search(stats["embedding"])
    yield "language model", stats["mind"]["line"] if stats["mind"] else "none (setting mind.kind)"
    yield "turns", _turns(stats["turns"])
    yield "on disk", f"{stats['bytes_on_disk']:,} bytes"
    yield from _health(stats["health"], project["id"])


def _health(health: Answer, project: str) -> Iterator[tuple[str, str]]:
    yield (
        "in use",
        f"{health['active']:,} of {health['total']:,}; {health['confidence_below_0.1']:,} doubtful, "
        f"{health['stale_facts']:,} stale",
    )
    yield (
        "to decide",
        f"{count(health['contradictions'], 'contradiction')}, "
        f"{count(health['duplicate_candidates'], 'possible duplicate')}",
    )
    yield "tended", f"last sweep {when(health['last_sweep'])}, last merge {when(health['last_consolidation'])}"
    used = {scope: use for scope, use in health["scopes"].items() if use["limit"]}
    room = (f"{_scope(scope, project)} {use['memories']:,} of {use['limit']:,}" for scope, use in used.items())
    yield "room", ", ".join(room) or NOTHING


def _scope(scope: str, project: str) -> str:
    """A scope as people know it."""
    kind, _, name = scope.partition(":")
    return "this project" if name == project else f"project {name[:_HASH_CHARS]}" if kind == "project" else scope


def _turns(counts: Answer) -> str:
    """How turns ended. What a language model was asked after them is of no interest without one."""
    ended = {name: number for name, number in counts.items() if not name.startswith(_VERIFY)}
    checked = {name.removeprefix(_VERIFY): number for name, number in counts.items() if name.startswith(_VERIFY)}
    failed = sum(number for name, number in checked.items() if name in _MODEL_FAILED)
    asked = checked.get("judge_ran", 0) + failed
    model = f"; a language model checked {asked - failed} of {asked}" if asked else ""
    return f"{sum(ended.values()):,} ({_listed(ended)}){model}" if ended else NOTHING + model


def _listed(numbers: Answer) -> str:
    return ", ".join(f"{name} {number}" for name, number in numbers.items()) or NOTHING


def _search(embedding: Answer) -> str:
    if embedding["model"] is None:
        return "by words only"
    waiting = f", {count(embedding['pending'], 'text')} not indexed yet" if embedding["pending"] else ""
    return f"by words and meaning ({embedding['name']}){waiting}"
