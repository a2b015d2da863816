"""Which episodes did the same kind of thing. Pure; the answer does not depend on the order they are given in.

Two episodes are as alike as the actions they share, each weighed by how rare it is among all episodes. Groups are
joined from the nearest on, by the mean likeness of their members, so that one episode in between does not chain two
kinds of work together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from nightgarden.learn.common import prior

# Share of weight that two groups must have in common. On the four sets of sessions in tests/learn anything from 0.38 to
# 0.50 finds the five workflows of each and nothing else.
ALIKE_MIN = 0.42
# As if so many episodes had been seen, and each action in so many of them: among three, being in one only says little.
_PRIOR_EPISODES, _PRIOR_SEEN = 10, 2
EPISODES_MAX = 600  # compared with each other, the newest; more would take seconds and say nothing new


def weights_of(done: Mapping[str, frozenset[str]]) -> dict[str, float]:
    """What each action tells: more the fewer episodes have it, little when every kind of work has it."""
    count = Counter(action for actions in done.values() for action in actions)
    every = len(done) + _PRIOR_EPISODES
    return {action: prior(action) * math.log(1 + every / (number + _PRIOR_SEEN)) for action, number in count.items()}


def likeness(one: frozenset[str], other: frozenset[str], weights: Mapping[str, float]) -> float:
    """Shared weight over the larger of the two."""
    larger = max(_weigh(one, weights), _weigh(other, weights))
    return _weigh(one & other, weights) / larger if larger else 0.0


def _weigh(actions: frozenset[str], weights: Mapping[str, float]) -> float:
    return math.fsum(weights.get(action, prior(action)) for action in actions)


def cluster(done: Mapping[str, frozenset[str]], *, at_least: float = ALIKE_MIN) -> list[tuple[str, ...]]:
    """Groups of ids, each sorted, by their first id. `done` has the actions of each episode."""
    ids = sorted(done)
    weights = weights_of(done)
    near: dict[int, dict[int, float]] = {at: {} for at in range(len(ids))}  # sums of likeness between groups
    for left, one in enumerate(ids):
        for right in range(left + 1, len(ids)):
            value = likeness(done[one], done[ids[right]], weights)
            if value > 0:
                near[left][right] = near[right][left] = value
    groups = {at: [at] for at in range(len(ids))}
    while (pair := _nearest(near, groups)) is not None and pair[0] >= at_least:
        _join(near, groups, pair[1], pair[2])
    return sorted(tuple(ids[at] for at in sorted(members)) for members in groups.values())


def _nearest(
    near: Mapping[int, Mapping[int, float]], groups: Mapping[int, Sequence[int]]
) -> tuple[float, int, int] | None:
    best: tuple[float, int, int] | None = None
    for left, others in near.items():
        for right, total in others.items():
            if left < right:
                # Rounded, so that sums made in another order do not decide a tie.
                mean = round(total / (len(groups[left]) * len(groups[right])), 9)
                if best is None or (-mean, left, right) < (-best[0], best[1], best[2]):
                    best = (mean, left, right)
    return best


def _join(near: dict[int, dict[int, float]], groups: dict[int, list[int]], kept: int, gone: int) -> None:
    groups[kept] += groups.pop(gone)
    for other, total in near.pop(gone).items():
        near[other].pop(gone)
        if other != kept:
            near[kept][other] = near[other][kept] = near[kept].get(other, 0.0) + total
