"""The measurements, each giving tables of figures by name. Where results go is said elsewhere."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.recall import baselines, graph_set, held_out, latency, locomo
from bench.recall.kept import KeptEmbedder, KeptReranker
from bench.recall.locomo import Conversation, Question
from bench.recall.metrics import Judged, interval, percentile, score, summarise
from nightgarden.domain.ports import Embedder, Reranker, Store
from nightgarden.garden import Garden
from nightgarden.recall.options import Fusion, RecallOptions
from nightgarden.recall.support import Weights
from nightgarden.store.engine_of_address import open_store

Table = dict[str, dict[str, float]]
ALL = RecallOptions()
_PARTS = ("text", "vector", "when", "names", "neighbours", "sessions", "shape", "cascade", "diverse")


def _without(part: str) -> RecallOptions:
    switched: dict[str, Any] = {part: False}
    return replace(ALL, **switched)


ABLATIONS: dict[str, RecallOptions] = {
    "everything": ALL,
    **{f"without {part}": _without(part) for part in _PARTS},
    "fusion by z-scores": replace(ALL, fusion=Fusion.ZSCORE),
    "fusion by ranks": replace(ALL, fusion=Fusion.RANKS),
    "two arms and nothing else": replace(
        ALL, when=False, names=False, neighbours=False, sessions=False, shape=False, diverse=False
    ),
}
SIZES = (1_000, 10_000, 100_000)
LATENCY_QUESTIONS = 210
GRAPH_CASES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What every measurement needs."""

    conversations: Sequence[Conversation]  # between people
    chats: Sequence[Conversation]  # with an agent
    embedder: KeptEmbedder
    reranker: KeptReranker | None
    step: int  # ask every so many-th question
    models: str  # folder


def groups(bench: Bench, *, together: bool) -> list[list[Conversation]]:
    return [list(bench.conversations)] if together else [[each] for each in bench.conversations]


def questions_of(group: Sequence[Conversation], step: int) -> list[Question]:
    return [question for conversation in group for question in conversation.questions][::step]


@asynccontextmanager
async def filled(address: str, group: Sequence[Conversation], embedder: Embedder) -> AsyncIterator[Store]:
    store = await open_store(address)
    try:
        await locomo.fill(store, group, embedder)
        yield store
    finally:
        await store.close()


async def ask_all(
    bench: Bench, options: dict[str, RecallOptions], *, together: bool, step: int, reranker: Reranker | None = None
) -> dict[str, list[Judged]]:
    """The answers of each setting on SQLite, conversations each in a garden of its own or all in one."""
    answers: dict[str, list[Judged]] = {name: [] for name in options}
    for group in groups(bench, together=together):
        with tempfile.TemporaryDirectory() as folder:
            async with filled(os.fspath(Path(folder) / "garden.db"), group, bench.embedder) as store:
                for name, each in options.items():
                    answers[name] += await locomo.ask(
                        store, questions_of(group, step), embedder=bench.embedder, options=each, reranker=reranker
                    )
    return answers


async def quality(bench: Bench) -> dict[str, Table]:
    """All questions: ours in both settings and by category, and the simple baselines."""
    own = summarise((await ask_all(bench, {"own": ALL}, together=False, step=bench.step))["own"])
    one = summarise((await ask_all(bench, {"one": ALL}, together=True, step=bench.step))["one"])
    simple: dict[str, list[Judged]] = {}
    for group in groups(bench, together=False):
        turns = baselines.Turns(group, bench.embedder)
        for name, found in baselines.answer(turns, questions_of(group, bench.step)).items():
            simple.setdefault(name, []).extend(found)
    tables = {name: summarise(found) for name, found in simple.items()}
    overall = {name: table["all"] for name, table in tables.items()}
    overall |= {"recall, a garden per conversation": own["all"], "recall, all in one garden": one["all"]}
    return {
        "overall": overall,
        "own": own,
        "one": one,
        **{f"baseline {name}": table for name, table in tables.items()},
    }


async def chats(bench: Bench) -> dict[str, Table]:
    """Talk with an agent: the simple baselines, recall as it is, and recall by weights fitted on the other chats."""
    asked = replace(bench, conversations=bench.chats)
    answers: dict[str, list[Judged]] = {}
    for group in groups(asked, together=False):
        turns = baselines.Turns(group, bench.embedder)
        for name, found in baselines.answer(turns, questions_of(group, bench.step)).items():
            answers.setdefault(name, []).extend(found)
    settings = {"recall": ALL, "recall, the two arms and nothing else": ABLATIONS["two arms and nothing else"]}
    answers |= await ask_all(asked, settings, together=False, step=bench.step)
    fitted: dict[str, Weights] = {}
    if bench.step == 1:
        cases = await held_out.cases(bench.chats, bench.embedder)
        answers["recall, weights fitted on the other chats"], fitted = held_out.leave_one_out(cases)
    return {
        "overall": {name: summarise(found)["all"] for name, found in answers.items()},
        "categories": summarise(answers["recall"]),
        "intervals": {name: _intervals(found, answers["cosine"]) for name, found in answers.items()},
        "fitted": {name: asdict(weights) for name, weights in fitted.items()},
    }


def _intervals(answers: Sequence[Judged], others: Sequence[Judged]) -> dict[str, float]:
    """Bounds of recall@10 and NDCG@10, and of what each is ahead of other answers to the same questions."""
    mine, theirs = [score(each) for each in answers], [score(each) for each in others]
    bounds: dict[str, float] = {}
    for figure in ("recall@10", "ndcg@10"):
        bounds[f"{figure} from"], bounds[f"{figure} to"] = interval([each[figure] for each in mine])
        ahead = [one[figure] - other[figure] for one, other in zip(mine, theirs, strict=True)]
        bounds[f"{figure} ahead from"], bounds[f"{figure} ahead to"] = interval(ahead)
    return bounds


async def ablations(bench: Bench) -> dict[str, Table]:
    """Every part left out, in both settings."""
    tables = {}
    for name, together in (("own", False), ("one", True)):
        answers = await ask_all(bench, ABLATIONS, together=together, step=bench.step)
        tables[name] = {setting: summarise(found)["all"] for setting, found in answers.items()}
    return tables


async def engines(bench: Bench) -> dict[str, Table]:
    """The same questions on SQLite and on PostgreSQL, all conversations in one garden."""
    from tests.store.server import running_server  # the server that the tests use; only this part needs it

    group = groups(bench, together=True)[0]
    asked = questions_of(group, bench.step)
    figures: Table = {}
    ranked: dict[str, list[tuple[str, ...]]] = {}
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as server:
        for engine, address in (
            ("SQLite", os.fspath(Path(folder) / "garden.db")),
            ("PostgreSQL", server.url(server.new_schema("bench"))),
        ):
            async with filled(address, group, bench.embedder) as store:
                answers = await locomo.ask(store, asked, embedder=bench.embedder)
            figures[engine] = summarise(answers)["all"]
            ranked[engine] = [answer.ranked[:10] for answer in answers]
    same = sum(one == other for one, other in zip(*ranked.values(), strict=True)) / len(asked)
    return {"engines": figures, "agreement": {"same first ten, in order": {"share": same}}}


async def reranking(bench: Bench) -> dict[str, Table]:
    """With and without the cross-encoder, on the same sample."""
    if bench.reranker is None:
        return {}
    tables: dict[str, Table] = {}
    for name, conversations in (("own", bench.conversations), ("chats", bench.chats)):
        asked = replace(bench, conversations=conversations)
        for label, reranker in (("without", None), ("with the cross-encoder", bench.reranker)):
            found = await ask_all(asked, {"all": ALL}, together=False, step=bench.step, reranker=reranker)
            tables.setdefault(name, {})[label] = summarise(found["all"])["all"]
    return tables


class _Stopped:
    """The clock of the graph set: links fade with time, and the set is to give the same figures next year."""

    def now(self) -> datetime:
        return graph_set.NOW


async def graph(bench: Bench) -> dict[str, Table]:
    """The graph set with and without the cascade."""
    nodes, cases = graph_set.make(GRAPH_CASES)
    tables = {}
    with tempfile.TemporaryDirectory() as folder:
        async with Garden.open(Path(folder) / "garden.db", directory=folder, clock=_Stopped()) as garden:
            await graph_set.fill(garden, nodes)
            for name, options in (("with", ALL), ("without", replace(ALL, cascade=False))):
                tables[name] = summarise(await graph_set.ask(garden, cases, options))
    return tables


async def pace(bench: Bench, sizes: Sequence[int] = SIZES) -> dict[str, Table]:
    """Latency of a warm recall, and the cost of the index, by size."""
    sentences = [message.text for each in bench.conversations for s in each.sessions for message in s.messages]
    asked = [question.text for question in questions_of(bench.conversations, 1)]
    asked = asked[:: max(1, len(asked) // LATENCY_QUESTIONS)][:LATENCY_QUESTIONS]
    rows: Table = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "garden.db"
            found = await latency.measure(path, sentences, asked, size, embedder=bench.embedder, models=bench.models)
        rows[f"{size:,}"] = {
            **{f"{name} p{share}": percentile(took, share) for name, took in
               (("wall", found.wall_ms), ("cpu", found.cpu_ms)) for share in (50, 95, 99)},
            "fill_s": found.fill_seconds, "index_s": found.index_seconds,
            "disk_mb": found.disk_mb, "rss_mb": found.rss_mb,
        }  # fmt: skip
    return {"pace": rows}
