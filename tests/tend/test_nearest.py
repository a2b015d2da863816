"""The search for neighbours by groups finds what comparing everything with everything finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nightgarden.tend import nearest


def clustered(count: int, seed: int = 3) -> np.ndarray:
    """Unit vectors around middles, each second one next to the one before it."""
    chance = np.random.default_rng(seed)
    middles = chance.standard_normal((count // 25, 48))
    vectors = middles[chance.integers(0, len(middles), count)] + 0.6 * chance.standard_normal((count, 48))
    vectors[1::2] = vectors[0::2] + 0.1 * chance.standard_normal((count // 2, 48))
    unit: np.ndarray = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.mark.parametrize("step", [1, 7])
def test_groups_find_nearly_all_of_the_nearest_and_every_twin(monkeypatch: Any, step: int) -> None:
    vectors, rows = clustered(6_000), np.arange(0, 6_000, step)
    exact = nearest.find_nearest(vectors, rows, 10)
    monkeypatch.setattr(nearest, "EXACT_PRODUCTS", 0.0)
    found = nearest.find_nearest(vectors, rows, 10)
    assert found.positions.shape == found.cosines.shape == (len(rows), 10)
    assert not (found.positions == rows[:, None]).any()  # nobody is its own neighbour
    assert (np.diff(found.cosines, axis=1) <= 0).all()
    share = (exact.positions[:, :, None] == found.positions[:, None, :]).any(axis=2)
    assert share.mean() >= 0.95
    assert share[exact.cosines >= 0.95].mean() >= 0.999
    where = found.positions >= 0
    computed = np.einsum("rkd,rd->rk", vectors[found.positions], vectors[rows])
    assert np.allclose(computed[where], found.cosines[where], atol=1e-5)


def test_too_few_to_fill_a_row_leave_the_rest_empty(monkeypatch: Any) -> None:
    monkeypatch.setattr(nearest, "EXACT_PRODUCTS", 0.0)
    monkeypatch.setattr(nearest, "GROUPS_LOOKED_AT", 1)
    vectors = clustered(200)
    found = nearest.find_nearest(vectors, np.arange(200), 60)
    assert (found.positions[:, -1] == -1).any()
    assert (found.cosines[found.positions == -1] == -1.0).all()
