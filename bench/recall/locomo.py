"""LoCoMo at turn level: long conversations go in as sessions, questions are asked, evidence turns are what is wanted.

The set is not in this repository (CC BY-NC 4.0): give its path. Its answers are partly wrong, its evidence is what
counts.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.recall.metrics import Judged
from nightgarden.domain.ports import Embedder, Reranker, Store
from nightgarden.domain.session import Message, Session
from nightgarden.recall.options import RecallOptions, Request
from nightgarden.recall.recall import recall
from nightgarden.sessions.passages import cut_passages

CATEGORIES = {1: "multi", 2: "temporal", 3: "open", 4: "single", 5: "adversarial"}
NOW = datetime(2026, 1, 1, tzinfo=UTC)  # fixed, so that "last week" means the same in every run
_BATCH = 512
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")  # some are written D:11:26, some several in one string


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    category: str
    wanted: frozenset[str]  # message ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    name: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]


def read(path: Path) -> list[Conversation]:
    """All conversations, with the questions whose evidence exists."""
    return [_conversation(number, raw) for number, raw in enumerate(json.loads(path.read_text("utf-8")))]


def _conversation(number: int, raw: dict[str, Any]) -> Conversation:
    name = str(raw.get("sample_id", number))
    sessions = tuple(_sessions(name, raw["conversation"]))
    known = {message.id for session in sessions for message in session.messages}
    questions = []
    for asked in raw["qa"]:
        turns = (f"{name}/D{s}:{t}" for text in asked["evidence"] for s, t in _EVIDENCE.findall(text))
        wanted = frozenset(turn for turn in turns if turn in known)
        if wanted:
            category = CATEGORIES[asked["category"]]
            questions.append(Question(text=asked["question"], category=category, wanted=wanted))
    return Conversation(name=name, sessions=sessions, questions=tuple(questions))


def _sessions(name: str, raw: dict[str, Any]) -> Iterator[Session]:
    for key in sorted((k for k in raw if re.fullmatch(r"session_\d+", k)), key=lambda k: int(k.split("_")[1])):
        at = datetime.strptime(raw[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        messages = tuple(
            Message(
                id=f"{name}/{turn['dia_id']}",
                role=turn["speaker"],
                text=turn["text"] + (f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""),
                at=at + timedelta(seconds=place),
            )
            for place, turn in enumerate(raw[key])
        )
        if messages:
            yield Session(id=f"{name}/{key}", messages=messages, started_at=at)


async def fill(store: Store, conversations: Sequence[Conversation], embedder: Embedder) -> None:
    """Puts conversations in as sessions, and waits for every vector."""
    for conversation in conversations:
        for session in conversation.sessions:
            await store.put_session(session, cut_passages(session))
    while pending := await store.pending_vectors(embedder.model.id, limit=_BATCH):
        vectors = await asyncio.to_thread(embedder.embed, [item.text for item in pending])
        await store.put_vectors(embedder.model, [item.id for item in pending], vectors)


async def ask(
    store: Store,
    questions: Sequence[Question],
    *,
    embedder: Embedder,
    options: RecallOptions | None = None,
    reranker: Reranker | None = None,
) -> list[Judged]:
    """Asks every question once, after one to warm up."""
    options = options or RecallOptions()
    answers = []
    for question in (*questions[:1], *questions):
        request = Request(
            query=question.text, limit=20, kinds=("passage",), rerank=reranker is not None, options=options
        )
        found = await recall(request, store=store, embedder=embedder, reranker=reranker, now=NOW)
        ranked = tuple(dict.fromkeys(message for result in found.results for message in result.message_ids))
        answers.append(Judged(category=question.category, wanted=question.wanted, ranked=ranked, took_ms=found.took_ms))
    return answers[1:]
