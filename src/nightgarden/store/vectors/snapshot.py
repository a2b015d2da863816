"""A file that holds an index, laid out so that the vectors can be mapped instead of read. A cache: losing it costs a
rebuild.

    magic, length of header │ header (JSON) │ centres, sizes of lists, item numbers, steps │ padding │ high bytes │
    low bytes

The header carries the checksum of what stands between it and the vectors; the size of the file covers the vectors,
which are on the disk before the file gets its name. Not covered: a disk that later changes bytes of the vectors
themselves; their scores would then be wrong, and the store's own check of its database finds that.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from nightgarden.machine.plain_files import open_plain
from nightgarden.store import private
from nightgarden.store.vectors.codes import Codes, Highs, Lows
from nightgarden.store.vectors.lists import Lists
from nightgarden.store.vectors.rows import Rows

MAGIC = b"nightgarden vectors 1\n"
PREFIX = struct.Struct(f"<{len(MAGIC)}sII")  # magic, bytes of header, checksum of header
PAGE = 4096  # maps begin at a page


def write(path: Path, lists: Lists, generation: str) -> None:
    kept = [rows.compacted() if rows.removed else rows for rows in lists.lists]
    small = b"".join(
        (
            lists.centres.astype("<f4").tobytes(),
            np.array([rows.count for rows in kept], dtype="<i8").tobytes(),
            b"".join(rows.numbers[: rows.count].astype("<i8").tobytes() for rows in kept),
            b"".join(rows.step[: rows.count].astype("<f4").tobytes() for rows in kept),
        )
    )
    header = json.dumps(
        {
            "dimension": lists.centres.shape[1],
            "centres": len(lists.centres),
            "lists": len(kept),
            "rows": sum(rows.count for rows in kept),
            "grouped_rows": lists.grouped_rows,
            "probes": lists.probes,
            "generation": generation,
            "checksum": zlib.crc32(small),
        }
    ).encode()
    front = PREFIX.pack(MAGIC, len(header), zlib.crc32(header)) + header + small
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with private.open_new(unfinished) as file:
            file.write(front + bytes(-len(front) % PAGE))
            for rows in kept:
                file.write(rows.high[: rows.count].data)
            for rows in kept:
                file.write(rows.low[: rows.count].data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def read(path: Path, dimension: int) -> tuple[Lists, str] | None:
    """What the file holds and its stamp; None if it is missing, torn, foreign, or of another dimension."""
    try:
        with open_plain(path) as file:
            prefix = file.read(PREFIX.size)
            if len(prefix) < PREFIX.size:
                return None
            magic, length, checksum = PREFIX.unpack(prefix)
            header = file.read(length)
            if magic != MAGIC or zlib.crc32(header) != checksum:
                return None
            facts = json.loads(header)
            if facts["dimension"] != dimension:
                return None
            rows, centres, lists = facts["rows"], facts["centres"], facts["lists"]
            small = file.read(4 * centres * dimension + 8 * lists + 12 * rows)
            begin = file.tell() + -file.tell() % PAGE
            complete = os.fstat(file.fileno()).st_size == begin + 2 * rows * dimension
            if not complete or zlib.crc32(small) != facts["checksum"]:
                return None
            planes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if rows else b""
    except OSError:
        return None
    high = np.frombuffer(planes, dtype=np.int8, count=rows * dimension, offset=begin if rows else 0)
    low = np.frombuffer(planes, dtype=np.uint8, count=rows * dimension, offset=begin + len(high) if rows else 0)
    found = _lists(small, high.reshape(rows, dimension), low.reshape(rows, dimension), centres, lists)
    return replace(found, grouped_rows=facts["grouped_rows"], probes=facts["probes"]), facts["generation"]


def _lists(small: bytes, high: Highs, low: Lows, centres: int, lists: int) -> Lists:
    rows, dimension = high.shape
    sizes_at = 4 * centres * dimension
    numbers_at = sizes_at + 8 * lists
    steps_at = numbers_at + 8 * rows
    sizes = np.frombuffer(small, dtype="<i8", count=lists, offset=sizes_at)
    numbers = np.frombuffer(small, dtype="<i8", count=rows, offset=numbers_at)
    steps = np.frombuffer(small, dtype="<f4", count=rows, offset=steps_at)
    ends = np.cumsum(sizes).tolist()
    return Lists(
        centres=np.frombuffer(small, dtype="<f4", count=centres * dimension).reshape(centres, dimension),
        lists=tuple(
            Rows.of(numbers[a:b], Codes(high=high[a:b], low=low[a:b], step=steps[a:b]))
            for a, b in zip([0, *ends], ends, strict=False)
        ),
    )
