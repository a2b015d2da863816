"""Rows of a SQLite file read from its pages one by one, without the table of contents and the inner pages that lead to
them. For files where those are damaged; the format is described at https://sqlite.org/fileformat2.html.

Does not cover what stands only in a write-ahead log, nor rows on free pages: those were removed.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nightgarden.store.sqlite.damage import text_or_bytes

_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_SIZES = frozenset(1 << power for power in range(9, 17))
_DEFAULT_SIZE = 4096
_INDEX_INNER, _INDEX_LEAF, _TABLE_LEAF = 0x02, 0x0A, 0x0D  # inner pages of an index hold rows too
_COLUMNS_MAX = 100
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _File:
    data: bytes | mmap.mmap
    page_size: int
    usable: int

    @property
    def count(self) -> int:
        return -(-len(self.data) // self.page_size)

    def page(self, number: int) -> bytes:
        """A page by its number, which begins with 1. Raises IndexError where the file has none."""
        if not 1 <= number <= self.count:
            raise IndexError(number)
        return self.data[(number - 1) * self.page_size : number * self.page_size]


def rows_of_pages(data: bytes | mmap.mmap) -> Iterator[Row]:
    """Every row that stands in a page in use, columns in the order in which they are stored. Rows that do not hold
    together are left out. Rows of indexes are among them: they are rows with few columns."""
    file = _file(data)
    free = _free_pages(file)
    for number in range(1, file.count + 1):
        if number not in free:
            yield from _rows_of_page(file, number)


def _file(data: bytes | mmap.mmap) -> _File:
    """With the sizes that its header tells, or those that every garden has."""
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    if data[: len(_MAGIC)] != _MAGIC or size not in _SIZES:
        return _File(data, _DEFAULT_SIZE, _DEFAULT_SIZE)
    return _File(data, size, size - data[20])


def _free_pages(file: _File) -> set[int]:
    found: set[int] = set()
    trunk = int.from_bytes(file.data[32:36], "big")
    while 1 < trunk <= file.count and trunk not in found:
        found.add(trunk)
        page = file.page(trunk)
        trunk, leaves = struct.unpack(">II", page[:8]) if len(page) >= 8 else (0, 0)
        leaves = min(leaves, file.usable // 4 - 2)
        listed = page[8 : 8 + 4 * leaves]
        found.update(struct.unpack(f">{len(listed) // 4}I", listed[: len(listed) // 4 * 4]))
    return found


def _rows_of_page(file: _File, number: int) -> Iterator[Row]:
    page = file.page(number)
    start = _HEADER if number == 1 else 0
    kind = page[start] if len(page) > start else 0
    if kind not in (_INDEX_INNER, _INDEX_LEAF, _TABLE_LEAF):
        return
    cells = int.from_bytes(page[start + 3 : start + 5], "big")
    first = start + (12 if kind == _INDEX_INNER else 8)
    for place in range(first, min(first + 2 * cells, len(page) - 1), 2):
        try:
            yield _row(_payload(file, page, int.from_bytes(page[place : place + 2], "big"), kind))
        except (ValueError, IndexError, struct.error):
            continue


def _payload(file: _File, page: bytes, at: int, kind: int) -> bytes:
    """The bytes of a cell, with those that did not fit into its page."""
    at += 4 if kind == _INDEX_INNER else 0
    length, at = _varint(page, at)
    if kind == _TABLE_LEAF:
        _, at = _varint(page, at)
    if length > len(file.data):
        raise ValueError("longer than the file")
    usable = file.usable
    most = usable - 35 if kind == _TABLE_LEAF else (usable - 12) * 64 // 255 - 23
    if length <= most:
        return _exactly(page[at : at + length], length)
    least = (usable - 12) * 32 // 255 - 23
    local = least + (length - least) % (usable - 4)
    local = local if local <= most else least
    parts, left = [_exactly(page[at : at + local], local)], length - local
    following = int.from_bytes(_exactly(page[at + local : at + local + 4], 4), "big")
    while left:
        overflow = file.page(following)
        following = int.from_bytes(overflow[:4], "big")
        part = overflow[4 : 4 + min(left, usable - 4)]
        parts.append(_exactly(part, min(left, usable - 4)))
        left -= len(part)
    return b"".join(parts)


def _exactly(part: bytes, length: int) -> bytes:
    if len(part) != length:
        raise ValueError("cut off")
    return part


def _row(payload: bytes) -> Row:
    header, at = _varint(payload, 0)
    if not at <= header <= len(payload):
        raise ValueError("no header of a row")
    types = []
    while at < header:
        each, at = _varint(payload, at)
        types.append(each)
    if at != header or not 0 < len(types) <= _COLUMNS_MAX:
        raise ValueError("no header of a row")
    values = []
    for each in types:
        value, at = _value(payload, at, each)
        values.append(value)
    if at != len(payload):
        raise ValueError("the columns do not fill the row")
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    match kind:
        case 0:
            return None, at
        case 8 | 9:
            return kind - 8, at
        case 7:
            return struct.unpack(">d", payload[at : at + 8])[0], at + 8
        case _ if kind in _INTEGER_BYTES:
            size = _INTEGER_BYTES[kind]
            return int.from_bytes(_exactly(payload[at : at + size], size), "big", signed=True), at + size
        case _ if kind >= 12:
            size = (kind - 12) // 2
            part = _exactly(payload[at : at + size], size)
            return (text_or_bytes(part) if kind % 2 else part), at + size
        case _:
            raise ValueError("a type that SQLite does not have")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = data[at + count]
        if count == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    raise ValueError("unreachable")
