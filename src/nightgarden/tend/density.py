"""Clusters by density, of any shape and size, from a graph of nearest neighbours. Pure.

The method of HDBSCAN: distances are stretched where points are sparse, the closest are joined first, and of the tree
that results those branches are kept that stay together longest. Points that belong nowhere stay out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors.codes import Floats

CORE_NEIGHBOURS = 3  # a point is as dense as its third neighbour is near
DISTANCE_MIN = 1e-4  # of equals; float16 vectors tell no less apart
DISTANCE_MAX = 1.0  # of what hangs together nowhere: a cosine of 0


@dataclass(slots=True)
class _Branch:
    """A branch of the tree that is large enough to be a cluster."""

    node: int
    born: float  # density at which it came off its parent
    stability: float = 0.0
    children: list[int] = field(default_factory=list)


def find_clusters(
    positions: npt.NDArray[np.int32], cosines: Floats, *, size_min: int, size_max: int
) -> list[npt.NDArray[np.intp]]:
    """Members of each cluster, as sorted row numbers, in the order of their first member."""
    count = len(positions)
    if count < size_min:
        return []
    left, right, far = _joins(positions, cosines)
    tree = _Tree(count, left, right, far)
    branches = _branches(tree, size_min)
    chosen = _choose(branches, tree, size_max)
    found = [np.sort(tree.leaves(branches[each].node)) for each in chosen]
    return sorted(found, key=lambda members: int(members[0]))


def _joins(
    positions: npt.NDArray[np.int32], cosines: Floats
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.float64]]:
    """Edges of the neighbour graph by mutual reachability, nearest first."""
    distances = np.where(positions >= 0, np.clip(1.0 - cosines, DISTANCE_MIN, DISTANCE_MAX), np.inf).astype(np.float64)
    nearest = np.sort(distances, axis=1)
    core = nearest[:, min(CORE_NEIGHBOURS, nearest.shape[1]) - 1]
    rows, columns = np.nonzero(positions >= 0)
    one, other = rows.astype(np.intp), positions[rows, columns].astype(np.intp)
    far = np.maximum(distances[rows, columns], np.maximum(core[one], core[other]))
    low, high = np.minimum(one, other), np.maximum(one, other)
    _, first = np.unique(low * len(positions) + high, return_index=True)
    first = first[np.isfinite(far[first])]
    order = np.lexsort((high[first], low[first], far[first]))
    taken = first[order]
    return low[taken], high[taken], far[taken]


class _Tree:
    """The tree of joins: leaves are points, an inner node is a join at a distance."""

    def __init__(
        self, count: int, left: npt.NDArray[np.intp], right: npt.NDArray[np.intp], far: npt.NDArray[np.float64]
    ) -> None:
        self.count = count
        self.below: list[tuple[int, int]] = []
        self.far: list[float] = []
        self.size = [1] * count
        top = list(range(count))  # the node that stands for a set of joined points
        parent = list(range(count))

        def root(point: int) -> int:
            while parent[point] != point:
                parent[point] = parent[parent[point]]
                point = parent[point]
            return point

        for one, other, distance in zip(left.tolist(), right.tolist(), far.tolist(), strict=True):
            a, b = root(one), root(other)
            if a != b:
                self.below.append((top[a], top[b]))
                self.far.append(distance)
                self.size.append(self.size[top[a]] + self.size[top[b]])
                if self.size[top[a]] < self.size[top[b]]:
                    a, b = b, a
                parent[b] = a
                top[a] = len(self.size) - 1
        self.roots = sorted({top[root(point)] for point in range(count)})
        self._place()

    def _place(self) -> None:
        """Lays the leaves out so that those of any node are neighbours."""
        self.start = [0] * len(self.size)
        at = 0
        for node in self.roots:
            self.start[node] = at
            at += self.size[node]
        for node in range(len(self.size) - 1, self.count - 1, -1):
            one, other = self.below[node - self.count]
            self.start[one] = self.start[node]
            self.start[other] = self.start[node] + self.size[one]
        self._order = np.empty(self.count, np.intp)
        self._order[np.array(self.start[: self.count], np.intp)] = np.arange(self.count)

    def leaves(self, node: int) -> npt.NDArray[np.intp]:
        return self._order[self.start[node] : self.start[node] + self.size[node]]


def _branches(tree: _Tree, size_min: int) -> list[_Branch]:
    """The tree without twigs: a branch goes on while less than a cluster falls off it, and ends where two come off."""
    branches = [_Branch(node, 1.0 / DISTANCE_MAX) for node in tree.roots if tree.size[node] >= size_min]
    at = 0
    while at < len(branches):
        branch = branches[at]
        node = branch.node
        while node >= tree.count:
            one, other = tree.below[node - tree.count]
            density = 1.0 / tree.far[node - tree.count]
            large = [each for each in (one, other) if tree.size[each] >= size_min]
            if len(large) == 1:
                branch.stability += (tree.size[node] - tree.size[large[0]]) * (density - branch.born)
                node = large[0]
                continue
            branch.stability += tree.size[node] * (density - branch.born)
            for each in large:
                branch.children.append(len(branches))
                branches.append(_Branch(each, density))
            break
        at += 1
    return branches


def _choose(branches: list[_Branch], tree: _Tree, size_max: int) -> list[int]:
    """Of each branch and its offspring, whichever stays together longer; what is too large gives way."""
    worth = [0.0] * len(branches)
    chosen: list[set[int]] = [set() for _ in branches]
    for at in range(len(branches) - 1, -1, -1):
        branch = branches[at]
        offspring = sum(worth[child] for child in branch.children)
        too_large = tree.size[branch.node] > size_max and branch.children
        if branch.children and (too_large or offspring > branch.stability):
            worth[at] = offspring
            chosen[at] = set().union(*(chosen[child] for child in branch.children))
        else:
            worth[at] = branch.stability
            chosen[at] = {at}
    children = {child for branch in branches for child in branch.children}
    return sorted(each for at in range(len(branches)) if at not in children for each in chosen[at])
