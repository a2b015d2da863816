"""What the weights for talk with an agent are worth on a conversation that they were not fitted on.

For each conversation the weights are searched on all others, one after the other over a few values each, with the
product's own ranking; then that conversation is asked. The mean of recall@10 and NDCG@10 decides.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.recall import locomo
from bench.recall.locomo import Conversation, Question
from bench.recall.metrics import Judged, score
from nightgarden.domain.ports import Embedder, View
from nightgarden.recall import rank
from nightgarden.recall.gather import RecallCandidates, gather
from nightgarden.recall.many import session_losses
from nightgarden.recall.options import RecallOptions, Request
from nightgarden.recall.query import Query, understand
from nightgarden.recall.support import Weights
from nightgarden.store.engine_of_address import open_store

START = Weights(reply=1.0)  # the two arms, and who is asked about
VALUES: dict[str, tuple[float, ...]] = {
    "reply": (0.0, 0.5, 1.0),
    "answers": (0.0, 0.2, 0.42),
    "neighbour": (0.0, 0.28),
    "question": (0.0, 1.0),
    "length": (0.0, 1.1),
    "instruction": (0.0, 0.5, 1.0, 1.5),
    "preference": (0.0, 0.5, 1.0),
}
OPTIONS = RecallOptions()
REQUEST = Request(query="", options=OPTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question with all that the arms found for it."""

    conversation: str
    question: Question
    query: Query
    found: RecallCandidates

    def judge(self, weights: Weights) -> Judged:
        boosts = rank.passage_boosts(self.found, self.query, REQUEST, locomo.NOW, weights)
        evidence = {id: self.found.base[id] + sum(gained.values()) for id, gained in boosts.items()}
        for id in rank.worse_pieces(rank.in_order(evidence), self.found.passages):
            del evidence[id]
        if self.query.many:
            for id, loss in session_losses(rank.in_order(evidence), self.found.passages).items():
                evidence[id] -= loss
        ranked = tuple(self.found.passages[id].message_ids[0] for id in rank.in_order(evidence)[:20])
        return Judged(category=self.question.category, wanted=self.question.wanted, ranked=ranked)


async def cases(conversations: Sequence[Conversation], embedder: Embedder) -> list[Case]:
    """Every question, each conversation in a garden of its own."""
    made = []
    view = View(now=locomo.NOW, scopes=None, kinds=("passage",), as_of=None, categories=None)
    for conversation in conversations:
        with tempfile.TemporaryDirectory() as folder:
            store = await open_store(os.fspath(Path(folder) / "garden.db"))
            try:
                await locomo.fill(store, [conversation], embedder)
                for question in conversation.questions:
                    query = understand(question.text, now=locomo.NOW)
                    found = await gather(query, store, view, OPTIONS, embedder=embedder, now=locomo.NOW)
                    made.append(Case(conversation=conversation.name, question=question, query=query, found=found))
            finally:
                await store.close()
    return made


def leave_one_out(asked: Sequence[Case]) -> tuple[list[Judged], dict[str, Weights]]:
    """The answers of each conversation by weights fitted on the others, and those weights."""

    @cache
    def merits(weights: Weights) -> tuple[float, ...]:
        figures = [score(case.judge(weights)) for case in asked]
        return tuple((each["recall@10"] + each["ndcg@10"]) / 2 for each in figures)

    answers: list[Judged] = []
    fitted: dict[str, Weights] = {}
    for name in dict.fromkeys(case.conversation for case in asked):
        others = [place for place, case in enumerate(asked) if case.conversation != name]
        best = START
        for key in VALUES:
            changes: list[dict[str, Any]] = [{key: value} for value in VALUES[key]]
            tried = [best, *(replace(best, **change) for change in changes)]
            best = max(tried, key=lambda weights: fmean(merits(weights)[place] for place in others))
        fitted[name] = best
        answers += [case.judge(best) for case in asked if case.conversation == name]
    return answers, fitted
