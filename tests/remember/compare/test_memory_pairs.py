"""The labelled memory pairs, from words alone: the promises hold without any model."""

from __future__ import annotations

import json
from pathlib import Path

from nightgarden.remember.compare import Relation, compare

PAIRS = Path(__file__).parents[3] / "bench" / "data" / "memory_pairs.jsonl"


def test_no_opposite_pair_merges_and_a_sure_contradiction_is_one_nine_times_in_ten() -> None:
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    sure: list[bool] = []
    for row in rows:
        if row["label"] == "contradicts":
            # A cosine that says "the same" is the hardest case. Pairs of kind "hard" need knowledge of the world.
            cosine = None if row["kind"] == "hard" else 0.95
            assert compare(row["old"], row["new"], cosine=cosine).relation is not Relation.SAME, row
        if compare(row["old"], row["new"], cosine=None).relation is Relation.CONTRADICTS_SURE:
            sure.append(row["label"] == "contradicts")
    assert sum(sure) / len(sure) >= 0.9
    assert sum(sure) / sum(row["label"] == "contradicts" for row in rows) >= 0.8
