"""Objects of a git repository, read as data: git itself is never asked, because a repository's settings can make it run
commands.

Reads loose objects and packs with their index (version 2), each bounded in size. What it does not know (SHA-256, tables
of refs, objects kept elsewhere or still to be fetched) is as if it were not there.
"""

from __future__ import annotations

import os
import re
import struct
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nightgarden.machine.plain_files import open_plain, read_plain

OBJECT_BYTES_MAX = 4_000_000  # of a commit or a tree; a tree of 100,000 files has as much
REFS_BYTES_MAX = 16_000_000
PACKS_MAX = 200
DELTAS_MAX = 60  # git makes at most 50 in a row
_ID = re.compile(r"[0-9a-f]{40}")
_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_OFFSET_DELTA, _NAMED_DELTA = 6, 7
_CHUNK = 65_536


class UnreadableObject(Exception):
    """An object is not there, or is not what it should be."""


def head_of(git_folder: Path, common: Path) -> str | None:
    """The commit that is checked out."""
    with suppress(OSError, UnicodeDecodeError, ValueError):
        text = read_plain(git_folder / "HEAD", bytes_max=4096).decode("ascii").strip()
        if _ID.fullmatch(text):
            return text
        name = text.removeprefix("ref: ")
        if name == text or ".." in name or not name.startswith("refs/"):
            return None
        return _loose_ref(common, name) or _packed_ref(common, name)
    return None


def _loose_ref(common: Path, name: str) -> str | None:
    with suppress(OSError, UnicodeDecodeError):
        text = read_plain(common / name, bytes_max=4096).decode("ascii").strip()
        return text if _ID.fullmatch(text) else None
    return None


def _packed_ref(common: Path, name: str) -> str | None:
    with suppress(OSError):
        for line in (
            read_plain(common / "packed-refs", bytes_max=REFS_BYTES_MAX).decode("utf-8", "replace").splitlines()
        ):
            id, _, named = line.partition(" ")
            if named == name and _ID.fullmatch(id):
                return id
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One name in a tree."""

    name: str
    id: str
    folder: bool


class Objects:
    """The objects of one repository. Opens packs while it is used as a context."""

    def __init__(self, common: Path) -> None:
        self._folder = common / "objects"
        self._packs: list[_Pack] = []

    def __enter__(self) -> Objects:
        with suppress(OSError):
            names = sorted(path for path in (self._folder / "pack").iterdir() if path.suffix == ".idx")
            for path in names[:PACKS_MAX]:
                with suppress(OSError, UnreadableObject):
                    self._packs.append(_Pack(path))
        return self

    def __exit__(self, *_: object) -> None:
        for pack in self._packs:
            pack.close()

    def read(self, id: str, kind: str) -> bytes:
        """The content of an object of this kind. Raises Unreadable."""
        found, content = self._read(id, DELTAS_MAX)
        if found != kind:
            raise UnreadableObject(f"{id} is a {found}")
        return content

    def tree(self, id: str) -> list[Entry]:
        """The names in a tree. Raises Unreadable."""
        content, at, found = self.read(id, "tree"), 0, []
        while at < len(content):
            space, end = content.find(b" ", at), content.find(b"\0", at)
            if not 0 <= space < end or end + 21 > len(content):
                raise UnreadableObject(f"tree {id} is damaged")
            name = content[space + 1 : end].decode("utf-8", "replace")
            found.append(Entry(name=name, id=content[end + 1 : end + 21].hex(), folder=content[at:space] == b"40000"))
            at = end + 21
        return found

    def _read(self, id: str, deltas: int) -> tuple[str, bytes]:
        if not _ID.fullmatch(id) or deltas <= 0:
            raise UnreadableObject(f"{id} cannot be read")
        for pack in self._packs:
            if (offset := pack.find(bytes.fromhex(id))) is not None:
                return self._packed(pack, offset, deltas)
        return self._loose(id)

    def _loose(self, id: str) -> tuple[str, bytes]:
        try:
            raw = read_plain(self._folder / id[:2] / id[2:], bytes_max=OBJECT_BYTES_MAX)
            whole = zlib.decompressobj().decompress(raw, OBJECT_BYTES_MAX + 64)
        except (OSError, zlib.error) as error:
            raise UnreadableObject(f"{id}: {error}") from None
        head, mark, content = whole.partition(b"\0")
        kind, _, size = head.decode("ascii", "replace").partition(" ")
        if not mark or size != str(len(content)):
            raise UnreadableObject(f"{id} is damaged or too large")
        return kind, content

    def _packed(self, pack: _Pack, offset: int, deltas: int) -> tuple[str, bytes]:
        if deltas <= 0:
            raise UnreadableObject("too many deltas in a row")
        kind, start, back, named = pack.entry(offset)
        if kind in _KINDS:
            return _KINDS[kind], pack.content(start)
        if kind == _OFFSET_DELTA and 0 < back <= offset:
            found, base = self._packed(pack, offset - back, deltas - 1)
        elif kind == _NAMED_DELTA:
            found, base = self._read(named, deltas - 1)
        else:
            raise UnreadableObject("an entry of an unknown kind")
        return found, _patched(base, pack.content(start))


class _Pack:
    """One pack with its index."""

    def __init__(self, index: Path) -> None:
        self._index = open_plain(index, follow=False)
        try:
            self._pack = open_plain(index.with_suffix(".pack"), follow=False)
        except OSError:
            self._index.close()
            raise
        head = self._at(8 + 256 * 4, 0)
        if len(head) < 8 + 256 * 4 or head[:8] != b"\xfftOc\x00\x00\x00\x02":
            self.close()
            raise UnreadableObject(f"{index} is of an unknown version")
        self._fan = struct.unpack(">256I", head[8:])

    def close(self) -> None:
        self._index.close()
        self._pack.close()

    def _at(self, count: int, offset: int) -> bytes:
        return os.pread(self._index.fileno(), count, offset)

    def find(self, id: bytes) -> int | None:
        """Where in the pack an object begins."""
        low, high = self._fan[id[0] - 1] if id[0] else 0, self._fan[id[0]]
        names, total = 8 + 256 * 4, self._fan[255]
        while low < high:
            middle = (low + high) // 2
            found = self._at(20, names + 20 * middle)
            if found == id:
                return self._offset(names + 24 * total, middle, total)
            low, high = (middle + 1, high) if found < id else (low, middle)
        return None

    def _offset(self, table: int, place: int, total: int) -> int:
        (offset,) = struct.unpack(">I", self._at(4, table + 4 * place))
        if offset & 0x80000000:
            (offset,) = struct.unpack(">Q", self._at(8, table + 4 * total + 8 * (offset & 0x7FFFFFFF)))
        return int(offset)

    def entry(self, offset: int) -> tuple[int, int, int, str]:
        """Kind, where its data begins, how far back its base is, or the name of its base."""
        head = os.pread(self._pack.fileno(), 64, offset)
        if not head:
            raise UnreadableObject("beyond the end of a pack")
        kind, at = (head[0] >> 4) & 7, 1
        while head[at - 1] & 0x80:
            at = _next(at, head)
        back, named = 0, ""
        if kind == _OFFSET_DELTA:
            back = head[at] & 0x7F
            while head[at] & 0x80:
                at = _next(at, head)
                back = ((back + 1) << 7) | (head[at] & 0x7F)
            at += 1
        elif kind == _NAMED_DELTA:
            named, at = head[at : at + 20].hex(), at + 20
        return kind, offset + at, back, named

    def content(self, start: int) -> bytes:
        """What was compressed from there on."""
        inflating, content = zlib.decompressobj(), b""
        while not inflating.eof:
            piece = os.pread(self._pack.fileno(), _CHUNK, start)
            start += len(piece)
            try:
                content += inflating.decompress(piece, OBJECT_BYTES_MAX + 1 - len(content))
            except zlib.error as error:
                raise UnreadableObject(str(error)) from None
            if not piece or len(content) > OBJECT_BYTES_MAX or inflating.unconsumed_tail:
                raise UnreadableObject("an object that is cut off or too large")
        return content


def _next(at: int, head: bytes) -> int:
    if at + 1 >= len(head):
        raise UnreadableObject("a damaged entry of a pack")
    return at + 1


def _patched(base: bytes, delta: bytes) -> bytes:
    """The object that a delta makes of its base. Raises Unreadable."""
    try:
        size, at = _varint(delta, 0)
        wanted, at = _varint(delta, at)
        if size != len(base) or wanted > OBJECT_BYTES_MAX:
            raise UnreadableObject("a delta for another object")
        made = bytearray()
        while at < len(delta):
            command, at = delta[at], at + 1
            if command & 0x80:
                numbers = []
                for bits, count in ((command & 0x0F, 4), ((command >> 4) & 0x07, 3)):
                    number = 0
                    for place in range(count):
                        if bits >> place & 1:
                            number, at = number | delta[at] << 8 * place, at + 1
                    numbers.append(number)
                made += base[numbers[0] : numbers[0] + (numbers[1] or 0x10000)]
            else:
                made += delta[at : at + command]
                at += command
            if not command or len(made) > wanted:
                raise UnreadableObject("a damaged delta")
    except IndexError:
        raise UnreadableObject("a damaged delta") from None
    if len(made) != wanted:
        raise UnreadableObject("a damaged delta")
    return bytes(made)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte, at = data[at], at + 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return number, at
