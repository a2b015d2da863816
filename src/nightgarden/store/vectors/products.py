"""Products of a matrix with one vector, in pieces small enough that the linear algebra library stays in the calling
thread. Woken helper threads cost more than they bring: with both cores busy a product of 2 MB took 8 ms instead of
0.04.
"""

from __future__ import annotations

import numpy as np

from nightgarden.store.vectors.codes import Floats

# 512 kB of float32: within a core's second cache, and well under the 460,800 numbers from which OpenBLAS wakes threads.
PIECE_NUMBERS = 1 << 17


def rows_per_piece(dimension: int) -> int:
    return max(1, PIECE_NUMBERS // dimension)


def products(matrix: Floats, vector: Floats) -> Floats:
    """The product of each row with the vector."""
    found = np.empty(len(matrix), dtype=np.float32)
    height = rows_per_piece(len(vector))
    for start in range(0, len(matrix), height):
        np.dot(matrix[start : start + height], vector, out=found[start : start + height])
    return found
