"""Search in one SQLite garden: by words with FTS5, by meaning with the in-process index, never past the view."""

from __future__ import annotations

import heapq
import json
import math
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Hit, View
from nightgarden.domain.time import write_moment
from nightgarden.store.sqlite import rows
from nightgarden.store.sqlite.rows import Q

# How many rows with a rare term one text search looks at; about half a microsecond each (docs/why/store.md).
MATCHES_MAX = 8_000
CANDIDATES_MIN = 240  # the best by which terms they hold; these are read and scored by how often and how long as well
COMMON_MAX = 4  # common terms that help to choose the candidates; all of them count in the scores
CANDIDATES_SHARE = 1.6  # of the hits asked for; 4 changed no figure of recall (docs/why/fusion.md)
K1, B = 1.2, 0.75  # BM25 as FTS5 has it


def view_columns(view: View) -> dict[str, Any]:
    """The parameters that the statements with a view share."""
    return {
        "scopes": rows.array(view.scopes),
        "kind": view.kinds[0] if len(set(view.kinds)) == 1 else None,
        "categories": rows.array(c.value for c in view.categories) if view.categories is not None else None,
        "now": write_moment(view.now),
        "as_of": write_moment(view.as_of) if view.as_of else None,
        "replaced": int(view.replaced),
    }


def all_visible_numbers(db: sqlite3.Connection, view: View) -> list[int]:
    """Every item number that the view may return, in no order."""
    numbers: list[int] = json.loads(db.execute(Q["all_visible_numbers"], view_columns(view)).fetchone()[0])
    return numbers


def search_text(db: sqlite3.Connection, terms: Sequence[str], view: View, *, limit: int) -> list[Hit]:
    """BM25, best first. When the terms match too many rows, only rows with a rare term are looked at (for all terms).

    FTS5 says which rows hold which term; the scores are our own, because FTS5's idf is all but zero for a term that
    stands in half of the items, which in a small garden is any term, and because its ranking takes three times as long.
    """
    frequency = dict(db.execute(Q["term_frequencies"], {"terms": rows.array(dict.fromkeys(terms))}).fetchall())
    known = sorted(frequency, key=lambda term: (frequency[term], term))
    if not known or not view.kinds:
        return []
    items, all_terms = db.execute(Q["corpus"]).fetchone()
    idf = {term: math.log1p((items - n + 0.5) / (n + 0.5)) for term, n in frequency.items()}
    rare, common = _split(known, frequency)
    weights = _weigh(db, rare, common, idf, after=_newest(db, rare[0]) if frequency[rare[0]] > MATCHES_MAX else 0)
    candidates = max(CANDIDATES_MIN, int(CANDIDATES_SHARE * limit))
    best = _heaviest(candidates, weights)
    hits = _score(db, best, view, idf, average=all_terms / max(1, items))
    if len(hits) < limit and len(weights) > candidates:  # the view hides most of them: look at all it shows
        visible = weights.keys() & all_visible_numbers(db, view)
        best = _heaviest(candidates, {number: weights[number] for number in visible})
        hits = _score(db, best, view, idf, average=all_terms / max(1, items))
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def _split(known: list[str], frequency: dict[str, int]) -> tuple[list[str], list[str]]:
    """The rarest terms that together stay within the bound (at least one), and the others."""
    total, count = 0, 0
    for term in known:
        total += frequency[term]
        if count and total > MATCHES_MAX:
            break
        count += 1
    return known[:count], known[count:]


def _weigh(
    db: sqlite3.Connection, rare: Sequence[str], common: Sequence[str], idf: dict[str, float], *, after: int
) -> dict[int, float]:
    """For each row with a rare term, the sum of the weights of all terms it holds."""
    weights: dict[int, float] = {}
    for term in rare:
        weight = idf[term]
        for (number,) in db.execute(Q["rows_with"], {"match": _any([term]), "after": after}):
            weights[number] = weights.get(number, 0.0) + weight
    for term in common[:COMMON_MAX]:
        weight = idf[term]
        for (number,) in db.execute(Q["rows_with"], {"match": f"({_any(rare)}) AND {_any([term])}", "after": after}):
            weights[number] += weight
    return weights


def _heaviest(count: int, weights: dict[int, float]) -> list[int]:
    """The rows with the greatest weights, of equals the newest. Pairs need no key, which takes a third of the time."""
    return [number for _, number in heapq.nlargest(count, zip(weights.values(), weights.keys(), strict=True))]


def _newest(db: sqlite3.Connection, term: str) -> int:
    """The item after which the newest rows with this term begin; the bound for a query of nothing but common words."""
    row = db.execute(Q["nth_newest"], {"match": _any([term]), "skip": MATCHES_MAX}).fetchone()
    return int(row[0]) if row else 0


def _any(terms: Sequence[str]) -> str:
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def _score(
    db: sqlite3.Connection, numbers: Sequence[int], view: View, idf: dict[str, float], *, average: float
) -> list[Hit]:
    """BM25 of those items that the view shows."""
    hits = []
    for each, kind, text, length in db.execute(Q["terms_of"], view_columns(view) | {"numbers": rows.array(numbers)}):
        held = [term for term in text.split(" ") if term in idf]
        norm = K1 * (1.0 - B + B * length / average)
        score = 0.0
        for term in sorted(set(held)):  # sums of one order, so that equal texts have equal scores
            times = held.count(term)
            score += idf[term] * times * (K1 + 1.0) / (times + norm)
        hits.append(Hit(each, kind, score))
    return hits


def said_between(
    db: sqlite3.Connection, spans: Sequence[tuple[datetime, datetime]], view: View, *, limit: int
) -> list[Hit]:
    """Items from any of the spans, newest first."""
    found: dict[str, tuple[str, Hit]] = {}
    if not view.kinds:
        return []
    for start, end in spans:
        columns = view_columns(view) | {"start": write_moment(start), "end": write_moment(end), "limit": limit}
        for each, kind, created in db.execute(Q["said_between"], columns):
            found[each] = (created, Hit(each, kind, 1.0))
    newest = sorted(found.values(), key=lambda made: (made[0], made[1].id), reverse=True)
    return [hit for _, hit in newest[:limit]]


def visible(db: sqlite3.Connection, ids: Sequence[str], view: View) -> set[str]:
    return {row[0] for row in db.execute(Q["visible_ids"], view_columns(view) | {"ids": rows.array(ids)})}


def triggered(db: sqlite3.Connection, view: View) -> list[Memory]:
    return [_read_triggered(row) for row in db.execute(Q["triggered"], view_columns(view))]


# They are asked for at every turn and seldom change: a row that was read before is not taken apart again.
_read_triggered = lru_cache(maxsize=2048)(rows.read_memory)
