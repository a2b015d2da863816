"""The decisions themselves, asked of the product's own functions, one labelled row at a time."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from train.corpus import Corpus

from bench.judgement.count import Table
from nightgarden.domain.classify import Classifier
from nightgarden.domain.memory import GLOBAL, Category, Memory, Provenance, Scope, ScopeKind
from nightgarden.domain.ports import Embedder
from nightgarden.domain.session import Message
from nightgarden.domain.text import words
from nightgarden.domain.verdict import Refused
from nightgarden.garden import Garden
from nightgarden.remember.build import build
from nightgarden.remember.draft import Draft
from nightgarden.remember.extract import extract
from nightgarden.remember.judge import Flag, Reinforce, Save, Supersede, judge
from nightgarden.remember.note import Note
from nightgarden.remember.pair_reading import Neighbour
from nightgarden.remember.refuse import refuse, refuse_chatter
from nightgarden.sessions.turn import TurnUpdate
from nightgarden.settings import Settings

Row = dict[str, Any]
Groups = Mapping[str, tuple[str, ...]]
NOW = datetime(2026, 11, 16, 10, 0, tzinfo=UTC)
COVERED = 0.6  # of a gold statement's words, from which a draft says it
PART = 0.8  # of a draft's words, from which it is a part of a gold statement
HERE = Scope(ScopeKind.PROJECT, "bench")


def extraction(rows: Sequence[Row], classifier: Classifier | None, groups: Groups, table: Table) -> None:
    """Each message alone with what the assistant said before it."""
    for row in rows:
        messages = [Message(id="a", role="assistant", text=row["prev"], at=NOW)] if row["prev"] else []
        messages.append(Message(id="u", role="user", text=row["text"], at=NOW))
        drafts = [d for d in extract(messages, classifier=classifier) if d.provenance is not Provenance.EXTRACTED]
        mine = groups[row["w"]]
        for gold in row["keep"]:
            table.add("kept: recall", any(says(d, gold) for d in drafts), *mine, f"category {gold['cat']}")
        for draft in drafts:
            good = any(belongs_to(draft, gold) for gold in row["keep"])
            table.add("kept: junk", not good, *mine)
            if not good:
                table.add("kept: junk by reason", True, row["why"] or "other part of a message with something to keep")
        if not row["keep"]:
            table.add("nothing to keep: disturbed", bool(drafts), *mine, f"why {row['why']}")


def says(draft: Draft, gold: Row) -> bool:
    """Whether a draft covers most of the words of what should be kept, as said or as a statement."""
    bag = words(draft.content)
    return any((wanted := words(gold[form])) and len(wanted & bag) >= COVERED * len(wanted) for form in ("from", "say"))


def belongs_to(draft: Draft, gold: Row) -> bool:
    """Whether a draft says what should be kept or a part of it, such as one of two sentences: then it is no junk."""
    bag = words(draft.content)
    return says(draft, gold) or any(len(words(gold[form]) & bag) >= PART * len(bag) for form in ("from", "say"))


def verdict_on(older: str, newer: str, embedder: Embedder | None, classifier: Classifier | None) -> str:
    """What `remember` would do with the newer one when the older one is the only memory there is."""
    known, new = (_memory(text, number) for number, text in enumerate((older, newer)))
    cosine, said = None, None
    if embedder is not None:
        one, other = (embedder.embed([text])[0] for text in (older, newer))
        cosine = embedder.model.nearness(float(one @ other))
        said = classifier.compare_vectors(embedder.model.name, other, [one]) if classifier is not None else None
    neighbour = Neighbour(memory=known, cosine=cosine, by_vectors=said[0] if said else None)
    match judge(new, [neighbour], classifier=classifier):
        case Reinforce():
            return "same"
        case Supersede():
            return "changes"
        case Flag():
            return "flag"
        case Save():
            return "save"


def _memory(text: str, number: int) -> Memory:
    note = Note(content=text, scope=HERE, created_at=NOW + timedelta(days=number))
    built = build(note, text, category=Category.FACT, memory_id=f"m{number}", now=note.created_at, machine_id="bench")
    assert isinstance(built, Memory)
    return built


def pairs(
    rows: Sequence[Row],
    embedder: Embedder | None,
    classifier: Classifier | None,
    groups: Groups,
    table: Table,
) -> None:
    """Each pair alone. A row has a, b and rel."""
    for row in rows:
        verdict, mine = verdict_on(row["a"], row["b"], embedder, classifier), groups[row["w"]]
        rel = row["rel"]
        if rel == "same":
            table.add("duplicates: recall", verdict == "same", *mine)
        if verdict == "same":
            table.add("duplicates: precision", rel == "same", *mine)
        if rel == "changes":
            table.add("supersede: recall", verdict == "changes", *mine)
            table.add("supersede: recall, flagged counted", verdict in ("changes", "flag"), *mine)
            table.add("opposites merged", verdict == "same", *mine)
        if verdict == "changes":
            table.add("supersede: precision", rel == "changes", *mine)
        if rel in ("narrows", "excepts", "compatible", "unrelated"):
            table.add("true facts lost", verdict == "changes", *mine, f"relation {rel}")
            table.add("flagged without need", verdict == "flag", *mine, f"relation {rel}")


def writes(
    rows: Sequence[Row],
    embedder: Embedder | None,
    classifier: Classifier | None,
    groups: Groups,
    table: Table,
) -> None:
    """Each sentence to the gate of `remember`. A row has text, label and values."""
    for row in rows:
        passed = refuse(row["text"], classifier=classifier)
        if embedder is not None and not isinstance(passed, Refused):
            vector, name = embedder.embed([passed.text])[0], embedder.model.name
            chatter = refuse_chatter(passed.text, vector, name, allowed=frozenset(), classifier=classifier)
            passed = chatter or passed
        mine = groups[row["w"]]
        refused = passed.rule.id if isinstance(passed, Refused) else ""
        if row["label"] == "secret":
            inside = not isinstance(passed, Refused) and any(v in passed.text for v in row["values"])
            table.add("secrets let in", inside, *mine)
        elif row["label"] == "junk":
            table.add("junk let in", not refused, *mine)
        else:
            table.add("good ones saved", not refused, *mine)
            if row["label"] == "lookalike":
                table.add("look-alikes refused as secrets", refused == "secret", *mine)


async def turns(
    garden_rows: Sequence[Row],
    turn_rows: Sequence[Row],
    settings: Settings,
    groups: Groups,
    table: Table,
) -> None:
    """One writer's garden, filled by `remember`; each turn is the first of a session of its own."""
    with tempfile.TemporaryDirectory() as folder:
        async with Garden.open(Path(folder) / "garden.db", settings=settings) as garden:
            ids: dict[str, int] = {}
            for row in garden_rows:
                verdict = await garden.remember(
                    row["text"], scope=GLOBAL, category=Category(row["cat"]), allow=("not-lasting",)
                )
                if not isinstance(verdict, Refused):
                    ids[verdict.memory.id] = row["m"]
            await garden.settle()
            complete = not any("not" in row for row in turn_rows)  # else nobody said of most memories whether they help
            for number, row in enumerate(turn_rows):
                update = TurnUpdate(session_id=f"s{number}", text=row["turn"], scopes=(GLOBAL,))
                shown = await garden.turns.take(update, deadline_ms=20_000)
                found = {ids[id] for id in shown.ids if id in ids} if shown is not None else set()
                wanted, mine = set(row["helps"]), groups[row["w"]]
                if "not" in row:
                    continue
                if wanted:
                    table.add("turns: recall", bool(found & wanted), *mine)
                else:
                    table.add("turns: quiet", not found, *mine)
                for number_shown in found if complete else ():
                    table.add("turns: precision", number_shown in wanted, *mine)


def session(row: Row, classifier: Classifier | None, table: Table) -> None:
    """A whole session with gold statements, each a list of keyword alternatives that must all be there."""
    roles = {"u": "user", "a": "assistant", "t": "tool"}
    messages = [
        Message(id=str(number), role=roles[said[0]], text=said[1], at=NOW + timedelta(seconds=number))
        for number, said in enumerate(row["messages"])
    ]
    drafts = [draft.content.lower() for draft in extract(messages, classifier=classifier)]

    def fits(draft: str, keys: Sequence[str]) -> bool:
        return all(any(part in draft for part in key.lower().split("|")) for key in keys)

    for _, keys in row["gold"]:
        table.add("sessions: recall", any(fits(draft, keys) for draft in drafts))
    for draft in drafts:
        table.add("sessions: junk", not any(fits(draft, keys) for _, keys in row["gold"]))


def costs(corpus: Corpus, classifier: Classifier) -> dict[str, float]:
    """What the network adds to each decision, in milliseconds; texts as writers wrote them."""
    stored = [row["a"] for row in corpus.pairs[:200]]
    pairs, texts, said = corpus.pairs[:60], corpus.writes[:60], corpus.messages[:60]
    asked: dict[str, list[Callable[[], object]]] = {
        "relation of a new statement to one known one": [
            partial(classifier.relate_to, row["b"], [row["a"]]) for row in pairs
        ],
        "relation of a new statement to six known ones": [
            partial(classifier.relate_to, row["b"], stored[n : n + 6]) for n, row in enumerate(pairs)
        ],
        "screening of a text to store": [partial(classifier.screen, row["text"]) for row in texts],
        "reading of a message": [partial(classifier.read_message, row["text"], previous=row["prev"]) for row in said],
        "five memories for a turn": [
            partial(classifier.helps, row["b"], stored[n : n + 5]) for n, row in enumerate(pairs)
        ],
    }
    return {name: statistics.median(map(_milliseconds, calls)) for name, calls in asked.items()}


def _milliseconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def run_turns(*arguments: Any) -> None:
    asyncio.run(turns(*arguments))
