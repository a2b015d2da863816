"""Commands that look things up: recall, list, show."""

from __future__ import annotations

import argparse

from nightgarden.domain.requests.counting import Similar
from nightgarden.domain.requests.reading import ListMemories, RecallShown, Show
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.numbered import keep, print_numbered
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, day, paint, print_json, print_table, print_text, short, when
from nightgarden.surfaces.cli.values import NOTHING, in_words, is_empty, label, with_texts
from nightgarden.surfaces.fitting import DOUBTED_BELOW, nearest

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from nightgarden.surfaces.cli.asking import Answer


_NOT_SHOWN = ("messages", "doubts")  # printed below, and said by `flagged`


def add_recall(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, RecallShown)
    parser.add_argument("--all", "-a", action="store_true", help="print weak results too")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_recall))


def _recall(ask: Asker, arguments: argparse.Namespace) -> int:
    found = ask(RecallShown, explained(given_by(RecallShown, arguments), arguments))
    if not arguments.query and not arguments.json:
        print(paint(f"for what is being done here: {found['query'] or 'nothing is known of that'}", "dim"))
    print_recalled(found, arguments)
    return 0


def add_similar(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Similar)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_similar))


def _similar(ask: Asker, arguments: argparse.Namespace) -> int:
    found = ask(Similar, given_by(Similar, arguments))
    if arguments.json:
        print_json(found)
        return 0
    rows = [(short(each["id"]), f"{each['score']:.2f}", each["content"]) for each in found["results"]]
    print_numbered(arguments, ("id", "score", "content"), rows, [each["id"] for each in found["results"]])
    return 0


def explained(given: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """What people see is chosen by the evidence for it, which is part of the explanation."""
    return given if arguments.json else given | {"explain": True}


def print_recalled(found: Answer, arguments: argparse.Namespace) -> None:
    """What was found, as JSON or for people."""
    if arguments.json:
        print_json(found)
        return
    results = found["results"]
    fitting = [result for result in results if result["fits"]]
    everything = arguments.all or arguments.limit is not None
    shown = results if everything else fitting or nearest(results)
    if not results:
        print("nothing found")
    elif not fitting:
        print(paint("nothing fits well; the nearest:" if shown else "nothing fits", "yellow"))
    keep(arguments, [("memory" if result["category"] else "passage", result["id"]) for result in shown])
    for place, result in enumerate(shown, start=1):
        _print_result(place, result, found["texts"], explain=arguments.explain)
    if arguments.explain:
        for each in found["cut"]:
            print(paint(f"left out {short(each['id'])}: {each['why']}", "dim"))
    for missing in found["missing"]:
        if arguments.explain or missing["cause"] == "failed":
            print(paint(missing["sentence"], "yellow"))
    left = len(results) - len(shown)
    more = f"; {count(left, 'weaker result')} not shown, see --all" if left else ""
    print(paint(f"{count(len(shown), 'result')} in {found['took_ms']:.0f} ms{more}", "dim"))


def _print_result(place: int, result: Answer, texts: dict[str, str], *, explain: bool) -> None:
    what = result["category"] or "passage"
    head = f"{place:2}. {paint(short(result['id']), 'cyan')}  {paint(what, 'bold')}  {when(result['created_at'])}"
    print(f"{head}  {paint(format(result['score'], '.2f'), 'dim')}")
    print_text(result["content"], indent=4)
    if result["doubt"]:
        print_text(f"doubtful: {with_texts(result['doubt'], texts)}", "yellow", indent=4)
    print_text("; ".join(with_texts(reason, texts) for reason in result["reasons"]), "dim", indent=4)
    if explain:
        for line in _explained(result["explanation"]):
            print_text(line, "dim", indent=6)


def _explained(explanation: Answer) -> Iterator[str]:
    for name, arm in explanation["arms"].items():
        place = f"place {arm['rank']}" if arm["rank"] else "looked up"
        yield f"by {name}: {place}, score {arm['score']:.3g}, evidence {arm['evidence']:+.2f}"
    for name, boost in explanation["boosts"].items():
        yield f"{label(name)}: evidence {boost:+.2f}"
    for step in explanation["path"]:
        yield f"link: {step['source']} {label(step['kind'])} {step['target']}, {step['carried']:.2f} carried over"
    if explanation["reranked_from"] is not None:
        yield f"reranked from place {explanation['reranked_from']}"
    yield f"evidence in all: {explanation['evidence']:.2f}"


def add_list(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, ListMemories)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_list))


def _list(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(ListMemories, given_by(ListMemories, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    memories = answer["memories"]
    scopes = [memory["scope"].partition(":")[0] for memory in memories]
    with_scope = any(scope != "project" for scope in scopes)
    head = ("id", "category", *(["scope"] if with_scope else []), "created", "content")
    rows = [
        (
            short(memory["id"]),
            memory["category"],
            *([scope] if with_scope else []),
            day(memory["created_at"]),
            f"(doubtful) {memory['content']}" if _is_doubtful(memory) else memory["content"],
        )
        for memory, scope in zip(memories, scopes, strict=True)
    ]
    print_numbered(arguments, head, rows, [memory["id"] for memory in memories])
    print(paint(count(len(memories), "memory"), "dim"))
    return 0


def _is_doubtful(memory: Answer) -> bool:
    return bool(memory["flagged"]) or memory["confidence"] < DOUBTED_BELOW


def _contradicted(ask: Asker, record: Answer) -> dict[str, str]:
    """What the memories say that a memory may contradict."""
    against = [id for doubt in record["doubts"] for id in doubt["against"]]
    return {other["id"]: other["content"] for other in (ask(Show, {"id": id})["record"] for id in against)}


def add_show(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Show)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_show))


def _show(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(Show, given_by(Show, arguments))
    record = answer["record"]
    if arguments.json:
        print_json(record)
        return 0
    of_memory = answer["kind"] == "memory"
    if of_memory:
        print_text(record["content"], "bold")
    rows = [("said by", answer["said_by"])] if of_memory else []
    texts = _contradicted(ask, record) if of_memory else {}
    for name, value in record.items():
        shown = in_words(value, name)
        if shown != NOTHING and not is_empty(value) and name not in (*_NOT_SHOWN, *(["content"] if of_memory else [])):
            rows.append((label(name), with_texts(shown, texts) if name == "flagged" else shown))
    print_table(("", ""), rows, whole=True)
    for message in record.get("messages", ()):
        print(f"{paint(message['role'], 'bold')} {paint(in_words(message['at']), 'dim')}")
        print_text(message["text"], indent=2)
    return 0
