"""Vectors in the database, and the files in which an index of them is saved between two starts.

Numpy takes 60 ms to import and comes with the first vector: whoever only lists does without.
"""

from __future__ import annotations

import glob
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from nightgarden.domain.ports import EmbeddingModel, Vector, View
from nightgarden.errors import BadInput
from nightgarden.store.sqlite.rows import Q
from nightgarden.store.sqlite.search import view_columns


def write_vectors(db: sqlite3.Connection, model: EmbeddingModel, ids: Sequence[str], vectors: Vector) -> None:
    """Ids that no longer exist are left out."""
    if vectors.shape != (len(ids), model.dimension):
        raise BadInput(f"{len(ids)} vectors of {model.dimension} numbers expected, got an array of {vectors.shape}")
    columns = {"id": model.id, "name": model.name, "dimension": model.dimension, "pooling": model.pooling}
    db.execute(Q["write_model"], columns)
    blobs = [row.tobytes() for row in vectors.astype("<f2")]
    db.executemany(Q["remove_vector"], [(model.id, each) for each in ids])
    db.executemany(Q["write_vector"], [(model.id, blob, each) for each, blob in zip(ids, blobs, strict=True)])


def read_vector(blob: bytes) -> Vector:
    import numpy as np  # 60 ms; only where there are vectors

    return np.frombuffer(blob, "<f2").astype(np.float32)


def all_vectors(db: sqlite3.Connection, model_id: str, view: View) -> tuple[list[str], Vector]:
    """Every visible item's vector, ids in order."""
    import numpy as np  # 60 ms; only where there are vectors

    found = db.execute(Q["all_vectors"], view_columns(view) | {"model_id": model_id}).fetchall()
    if not found:
        return [], np.zeros((0, 0), np.float32)
    data = np.frombuffer(b"".join(row[1] for row in found), "<f2").reshape(len(found), -1)
    return [row[0] for row in found], data.astype(np.float32)


def drop_snapshots(garden_path: Path) -> None:
    """Lets go of saved indexes: what was purged or numbered anew must not come back from them."""
    for snapshot in garden_path.parent.glob(f"{glob.escape(garden_path.name)}.*.vectors*"):
        with suppress(OSError):  # it only saves time at the next start
            snapshot.unlink()
