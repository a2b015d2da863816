"""Search in one SQLite garden: by words with FTS5, by meaning with the in-process index, never past the view."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Hit, View
from nightgarden.domain.time import write_moment
from nightgarden.store.sqlite import rows
from nightgarden.store.sqlite.rows import Q

# How many matching rows one text search may rank: FTS5 takes about a microsecond for each (docs/why/store.md).
RANKED_MAX = 5_000
CANDIDATES_MIN = 120
K1, B = 1.2, 0.75  # BM25 as FTS5 has it


def view_columns(view: View) -> dict[str, Any]:
    """The parameters that the statements with a view share."""
    return {
        "scopes": rows.array(view.scopes),
        "kind": view.kinds[0] if len(set(view.kinds)) == 1 else None,
        "categories": rows.array(c.value for c in view.categories) if view.categories is not None else None,
        "now": write_moment(view.now),
        "as_of": write_moment(view.as_of) if view.as_of else None,
    }


def search_text(db: sqlite3.Connection, terms: Sequence[str], view: View, *, limit: int) -> list[Hit]:
    """BM25, best first. When the terms match too many rows, only rows with a rare term are ranked (by all terms).

    FTS5 chooses the candidates; their scores are computed anew, because its own idf is all but zero for a term that
    stands in half of the items, which in a small garden is any term.
    """
    frequency = dict(db.execute(Q["term_frequencies"], {"terms": rows.array(dict.fromkeys(terms))}).fetchall())
    known = sorted(frequency, key=lambda term: (frequency[term], term))
    if not known or not view.kinds:
        return []
    rare, common = _split(known, frequency)
    candidates = max(CANDIDATES_MIN, 2 * limit)
    after = _newest(db, rare[0]) if frequency[rare[0]] > RANKED_MAX else 0
    numbers = _match(db, _any(rare), view, candidates, after=after)
    if common and len(numbers) == candidates:  # more rows have a rare term than fit: let the common ones choose too
        numbers += _match(db, f"({_any(rare)}) AND ({_any(common)})", view, candidates, after=after)
    scored = _score(db, list(dict.fromkeys(numbers)), frequency)
    return sorted(scored, key=lambda hit: (-hit.score, hit.id))[:limit]


def _score(db: sqlite3.Connection, numbers: list[int], frequency: dict[str, int]) -> list[Hit]:
    items, all_terms = db.execute(Q["corpus"]).fetchone()
    average = all_terms / max(1, items)
    idf = {term: math.log1p((items - n + 0.5) / (n + 0.5)) for term, n in frequency.items()}
    hits = []
    for each, kind, text, length in db.execute(Q["terms_of"], {"numbers": rows.array(numbers)}):
        norm = K1 * (1.0 - B + B * length / average)
        counts = Counter(term for term in text.split(" ") if term in idf)
        score = sum(idf[term] * tf * (K1 + 1.0) / (tf + norm) for term, tf in sorted(counts.items()))
        hits.append(Hit(each, kind, score))
    return hits


def _split(known: list[str], frequency: dict[str, int]) -> tuple[list[str], list[str]]:
    """The rarest terms that together stay within the bound (at least one), and the others."""
    total, count = 0, 0
    for term in known:
        total += frequency[term]
        if count and total > RANKED_MAX:
            break
        count += 1
    return known[:count], known[count:]


def _any(terms: Sequence[str]) -> str:
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def _match(db: sqlite3.Connection, match: str, view: View, limit: int, *, after: int) -> list[int]:
    found = db.execute(Q["search_text"], view_columns(view) | {"match": match, "limit": limit, "after": after})
    return [row[0] for row in found]


def _newest(db: sqlite3.Connection, term: str) -> int:
    """The item after which the newest rows with this term begin; the bound for a query of nothing but common words."""
    row = db.execute(Q["nth_newest"], {"match": _any([term]), "skip": RANKED_MAX}).fetchone()
    return int(row[0]) if row else 0


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
    found = [rows.read_memory(row) for row in db.execute(Q["triggered"])]
    allowed = visible(db, [memory.id for memory in found], view)
    return [memory for memory in found if memory.id in allowed]
