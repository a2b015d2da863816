"""How many near neighbours the grouped search of tending misses: against comparing everything with everything.

Two sets: sentences embedded by the bundled model, put together from word lists with rewordings among them, and the
drawn garden of `bench/tend_garden.py`. Prints one row for each number of groups looked at; seconds are
of processor, of both threads together. Of a large set only some rows are asked about, and pairs are then counted from
one side alone.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.tend_garden import draw
from nightgarden.models.catalog import FLOOR
from nightgarden.models.local import LocalEmbedder
from nightgarden.models.model_files import find_embedder
from nightgarden.store.vectors.codes import Floats
from nightgarden.tend import nearest

TOP = 10
BIG = 1 << 32  # more than there are vectors
FLOORS = (0.95, 0.90, 0.85)  # merge, resolve, consolidate
LOOKED_AT = (4, 8, 16, 24)

_WHO = """the billing service|the mobile team|our nightly job|the search index|Priya|the staging cluster|the login page
the design review|the payment gateway|the report generator|the on-call engineer|the migration script|the mail worker
the kitchen at the Leeds office|the new intern|the data pipeline|the customer portal|the build server|the audit log
the translation tool|the warehouse scanner|the chat widget|the release train|the backup of the photos""".replace(
    "\n", "|"
).split("|")
_DOES = """retries|skips|sends|reads|rejects|logs|caches|renames|archives|measures|prefers|forgets|validates|splits
compresses|signs|delays|reviews|translates|counts|merges|groups|paints|orders""".replace("\n", "|").split("|")
_WHAT = """invoices|large uploads|old tickets|weekly figures|customer addresses|failed calls|dark colours|short names
tabs|feature flags|thumbnails|session tokens|green tea|holiday requests|error reports|foreign keys|test fixtures
unit prices|train tickets|screenshots|pull requests|cold starts|paper forms|map tiles""".replace("\n", "|").split("|")
_HOW = """before noon|on Fridays|after {n} attempts|in batches of {n}|with two reviewers|over a slow link|by hand
in winter|when the disk is {n} percent full|for the Danish market|without asking|since version {n}|near port {n}
for guests|in the old building|every {n} minutes|because auditors ask for it|if nobody objects
under heavy load""".replace("\n", "|").split("|")


def sentences(count: int, seed: int = 5) -> Iterator[str]:
    """Statements of which a third comes again in other words or with a word more."""
    chance = random.Random(seed)
    while count > 0:
        who, does, what = chance.choice(_WHO), chance.choice(_DOES), chance.choice(_WHAT)
        how = chance.choice(_HOW).format(n=chance.randint(2, 9_000))
        yield f"{who[0].upper()}{who[1:]} {does} {what} {how}."
        count -= 1
        if count and chance.random() < 0.5:
            again = (f"{how[0].upper()}{how[1:]}, {who} {does} {what}", f"Note that {who} {does} {what} {how}")
            yield chance.choice(again)
            count -= 1


def embedded(count: int, cache: Path | None) -> Floats:
    if cache is not None and cache.exists():
        kept: Floats = np.load(cache)
        return kept
    embedder = LocalEmbedder(find_embedder(wanted=(FLOOR,)))
    vectors = embedder.embed(list(sentences(count)))
    if cache is not None:
        np.save(cache, vectors)
    return vectors


def _pairs(near: nearest.Near, floor: float) -> npt.NDArray[np.int64]:
    """Pairs at this cosine and above, whichever of the two found the other."""
    rows, columns = np.nonzero((near.cosines >= floor) & (near.positions >= 0))
    ones, others = near.rows[rows].astype(np.int64), near.positions[rows, columns].astype(np.int64)
    return np.unique(np.minimum(ones, others) * BIG + np.maximum(ones, others))


def _pairs_found(exact: nearest.Near, found: nearest.Near, floor: float) -> float:
    wanted = _pairs(exact, floor)
    return float(np.isin(wanted, _pairs(found, floor - 1e-5)).mean()) if len(wanted) else float("nan")


def measure(name: str, vectors: Floats, rows_max: int) -> None:
    rows = np.arange(0, len(vectors), max(1, len(vectors) // rows_max), dtype=np.intp)
    began = time.process_time()
    exact = nearest._against_all(vectors, rows, 20)
    seconds = time.process_time() - began
    print(f"\n{name}: {len(rows):,} of {len(vectors):,} vectors; each with everything {seconds:.1f} s")
    floors = " | ".join(f"of pairs at ≥ {floor}" for floor in FLOORS)
    print(f"| groups looked at | of the nearest {TOP} | {floors} | seconds |")
    print("|---|---|" + "---|" * len(FLOORS) + "---|")
    kept = nearest.GROUPS_LOOKED_AT
    for looked_at in LOOKED_AT:
        nearest.GROUPS_LOOKED_AT = looked_at
        began = time.process_time()
        found = nearest._by_groups(vectors, rows, 20)
        seconds = time.process_time() - began
        hit = (exact.positions[:, :TOP, None] == found.positions[:, None, :]).any(axis=2)
        shares = [hit.mean(), *(_pairs_found(exact, found, floor) for floor in FLOORS)]
        print(f"| {looked_at} | " + " | ".join(f"{share:.4f}" for share in shares) + f" | {seconds:.1f} |", flush=True)
    nearest.GROUPS_LOOKED_AT = kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=30_000)
    parser.add_argument("--rows", type=int, default=10**9, help="at most about so many are asked about")
    parser.add_argument("--only-drawn", action="store_true", help="no sentences: embedding them takes minutes")
    parser.add_argument("--cache", type=Path, help="keeps the sentences' vectors in this file")
    arguments = parser.parse_args()
    if not arguments.only_drawn:
        measure("sentences", embedded(arguments.size, arguments.cache), arguments.rows)
    measure("drawn", draw(arguments.size, single_scope=True)[1], arguments.rows)


if __name__ == "__main__":
    main()
