"""A set of our own where the answer can be reached only through links: it shares no word with the question.

Each case is a hub (found by its words) and an answer (words from another field), tied by a tag, a cluster, a
relation, an origin or a replacement; around them stand strangers, some with the same words, some with links of their
own.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bench.recall.metrics import Judged
from nightgarden.domain.graph import Cluster, Edge, EdgeKind
from nightgarden.domain.journal import Change, Node, Origin
from nightgarden.domain.memory import GLOBAL, Memory
from nightgarden.garden import Garden
from nightgarden.recall.options import RecallOptions, Request

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LINKS = ("tag", "cluster", "relation", "origin", "replaced")
_THINGS = "orders invoices sessions tokens images exports alerts backups tickets payments reports feeds".split()
_PLACES = "atlas borealis cygnus draco eridanus fornax gemini hydra indus lyra mensa norma".split()
_ANSWERS = (
    "vacuum runs on {n} Sundays", "the on-call phone has extension {n}", "restart takes {n} minutes",
    "the certificate expires after {n} days", "Marta approves changes above {n} euros", "keep {n} copies",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    question: str
    link: str
    wanted: str


def make(count: int, seed: int = 7) -> tuple[list[Node], list[Case]]:
    """Nodes to store, and the questions. Equal seeds give equal sets."""
    chance = random.Random(seed)
    nodes: list[Node] = []
    cases: list[Case] = []
    for number in range(count):
        link = LINKS[number % len(LINKS)]
        thing, place = chance.choice(_THINGS), f"{chance.choice(_PLACES)}{number}"
        tags = (f"topic-{number}",) if link == "tag" else ()
        hub = _memory(f"hub{number:04}", f"The {thing} service of {place} lives in the blue cluster", tags)
        answer = _memory(f"ans{number:04}", chance.choice(_ANSWERS).format(n=number + 3), tags)
        nodes += [hub, answer, *_links(link, number, hub, answer)]
        question = f"What should I know about {thing} of {place}?"
        cases.append(Case(question=question, link=link, wanted=answer.id))
        cases.append(
            Case(question=question, link="no link: the hub itself", wanted=hub.id)
        )  # the cascade must not hurt
        for extra in range(4):  # strangers: the same field, or linked elsewhere
            nodes.append(
                _memory(f"oth{number:04}{extra}", f"{chance.choice(_THINGS)} report {number}-{extra} is filed")
            )
    return nodes, cases


def _memory(id: str, content: str, tags: tuple[str, ...] = ()) -> Memory:
    return Memory(id=id, content=content, tags=tags, created_at=NOW, updated_at=NOW)


def _links(link: str, number: int, hub: Memory, answer: Memory) -> Iterator[Node]:
    match link:
        case "cluster":
            yield Cluster(id=f"cluster:{number:04}", name=f"group {number}", scope=GLOBAL, created_at=NOW,
                          updated_at=NOW, member_ids=(hub.id, answer.id))  # fmt: skip
        case "relation":
            yield _edge(hub, answer, EdgeKind.RELATES_TO, 0.8)
        case "origin":
            yield _edge(answer, hub, EdgeKind.DERIVED_FROM)
        case "replaced":
            old = replace(_memory(f"old{number:04}", f"former rule {number}"), superseded_by=answer.id)
            yield from (old, _edge(hub, old, EdgeKind.RELATES_TO, 0.8), _edge(answer, old, EdgeKind.SUPERSEDES))


def _edge(source: Memory, target: Memory, kind: EdgeKind, weight: float = 1.0) -> Edge:
    return Edge(source=source.id, target=target.id, kind=kind, weight=weight, created_at=NOW, updated_at=NOW)


async def fill(garden: Garden, nodes: list[Node]) -> None:
    order = {Memory: 0, Cluster: 1, Edge: 2}
    changes = [Change(None, node) for node in sorted(nodes, key=lambda node: order[type(node)])]
    await garden.store.apply(changes, Origin(actor="bench", reason="graph set"), at=NOW)
    await garden.settle()


async def ask(garden: Garden, cases: list[Case], options: RecallOptions) -> list[Judged]:
    answers = []
    for case in cases:
        request = Request(query=case.question, limit=20, options=options)
        found = await garden.recall_request(request)
        ranked = tuple(result.id for result in found.results)
        answers.append(
            Judged(category=case.link, wanted=frozenset({case.wanted}), ranked=ranked, took_ms=found.took_ms)
        )
    return answers
