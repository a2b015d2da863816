"""A file that holds an index, laid out so that the bytes of the vectors can be mapped instead of read. A cache: losing
it costs a rebuild.

    magic, length of header │ header (JSON) │ bits, numbers, steps │ padding │ bytes of the vectors

The header carries the checksum of what stands between it and the bytes; the size of the file covers the bytes, which
are on the disk before the file gets its name. Not covered: a disk that later changes bytes of the vectors themselves;
they would then be ranked wrongly, and the store's own check of its database finds that.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from nightgarden.machine.plain_files import open_plain
from nightgarden.store import private
from nightgarden.store.vectors.blocks import Block
from nightgarden.store.vectors.codes import Levels, words_for

MAGIC = b"nightgarden vectors 2\n"
PREFIX = struct.Struct(f"<{len(MAGIC)}sII")  # magic, bytes of header, checksum of header
PAGE = 4096  # maps begin at a page


def write(path: Path, blocks: Sequence[Block], dimension: int, generation: str) -> None:
    kept = [block.compacted() if block.removed else block for block in blocks]
    small = b"".join(
        (
            *(block.words[:, : block.count].astype("<u8", copy=False).tobytes() for block in kept),
            *(block.numbers[: block.count].astype("<i8", copy=False).tobytes() for block in kept),
            *(block.steps[: block.count].astype("<f4", copy=False).tobytes() for block in kept),
        )
    )
    facts = {
        "dimension": dimension,
        "counts": [block.count for block in kept],
        "generation": generation,
        "checksum": zlib.crc32(small),
    }
    header = json.dumps(facts).encode()
    front = PREFIX.pack(MAGIC, len(header), zlib.crc32(header)) + header + small
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with private.open_new(unfinished) as file:
            file.write(front + bytes(-len(front) % PAGE))
            for block in kept:
                file.write(block.levels[: block.count].data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def read(path: Path, dimension: int, *, rows_max: int) -> tuple[tuple[Block, ...], str] | None:
    """What the file holds and its stamp; None if it is missing, torn, foreign, of another dimension, or in blocks of
    more than `rows_max`."""
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
            counts: list[int] = [count for count in facts["counts"] if count]
            if facts["dimension"] != dimension or max(counts, default=0) > rows_max:
                return None
            rows = sum(counts)
            small = file.read(rows * (12 + 8 * words_for(dimension)))
            begin = file.tell() + -file.tell() % PAGE
            complete = os.fstat(file.fileno()).st_size == begin + rows * dimension
            if not complete or zlib.crc32(small) != facts["checksum"]:
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if rows else b""
    except OSError:
        return None
    levels = np.frombuffer(mapped, dtype=np.int8, count=rows * dimension, offset=begin if rows else 0)
    return tuple(_blocks(small, levels.reshape(rows, dimension), counts)), str(facts["generation"])


def _blocks(small: bytes, levels: Levels, counts: Sequence[int]) -> Iterator[Block]:
    rows, dimension = levels.shape
    words = words_for(dimension)
    bits = np.frombuffer(small, dtype="<u8", count=rows * words)
    numbers = np.frombuffer(small, dtype="<i8", count=rows, offset=bits.nbytes)
    steps = np.frombuffer(small, dtype="<f4", count=rows, offset=bits.nbytes + numbers.nbytes)
    start = 0
    for count in counts:
        end = start + count
        yield Block(
            numbers=numbers[start:end],
            words=bits[start * words : end * words].reshape(words, count),
            levels=levels[start:end],
            steps=steps[start:end],
            count=count,
        )
        start = end
