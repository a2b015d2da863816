"""Figures of merit for ranked answers. Pure."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

DEPTHS = (1, 5, 10, 20)
_SHARES = frozenset({*(f"recall@{depth}" for depth in DEPTHS), "hit@10", "all@10", "mrr", "ndcg@10"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One question: what was wanted, and what came back, best first."""

    category: str
    wanted: frozenset[str]
    ranked: tuple[str, ...]
    took_ms: float = 0.0


def score(judged: Judged) -> dict[str, float]:
    """All figures of one question."""
    hits = [item in judged.wanted for item in judged.ranked]
    figures = {f"recall@{depth}": sum(hits[:depth]) / len(judged.wanted) for depth in DEPTHS}
    figures["hit@10"] = float(any(hits[:10]))
    figures["all@10"] = float(sum(hits[:10]) == len(judged.wanted))
    figures["mrr"] = next((1.0 / place for place, hit in enumerate(hits, start=1) if hit), 0.0)
    gained = sum(1.0 / math.log2(place + 1) for place, hit in enumerate(hits[:10], start=1) if hit)
    best = sum(1.0 / math.log2(place + 1) for place in range(1, min(10, len(judged.wanted)) + 1))
    figures["ndcg@10"] = gained / best
    return figures


def summarise(answers: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """Means for all questions and for each category, with latencies."""
    groups = {"all": list(answers)} | {
        category: [answer for answer in answers if answer.category == category]
        for category in sorted({answer.category for answer in answers})
    }
    return {name: _means(group) for name, group in groups.items()}


def _means(group: Sequence[Judged]) -> dict[str, float]:
    scores = [score(answer) for answer in group]
    figures = {name: fmean(each[name] for each in scores) for name in scores[0]}
    took = [answer.took_ms for answer in group]
    figures["p50_ms"], figures["p95_ms"] = percentile(took, 50), percentile(took, 95)
    return figures | {"questions": float(len(group))}


def interval(values: Sequence[float], *, times: int = 2000) -> tuple[float, float]:
    """Where the mean of 95 in 100 resamplings of the questions lies. The same values give the same interval."""
    dice = random.Random(0)
    means = sorted(fmean(dice.choices(values, k=len(values))) for _ in range(times))
    return means[round(0.025 * times)], means[round(0.975 * times) - 1]


def percentile(values: Sequence[float], share: int) -> float:
    return sorted(values)[round(share / 100 * (len(values) - 1))]


def table(rows: Mapping[str, Mapping[str, float]], columns: Sequence[str]) -> str:
    """Rows of figures as a Markdown table."""
    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    for name, figures in rows.items():
        lines.append(f"| {name} | " + " | ".join(_shown(column, figures[column]) for column in columns) + " |")
    return "\n".join(lines)


def _shown(column: str, figure: float) -> str:
    if column in ("questions", "disk_mb", "rss_mb"):
        return f"{figure:.0f}"
    return f"{figure:.3f}" if column in _SHARES else f"{figure:.1f}"
