"""Bytes of a garden's file damaged by chance: flipped bits, a page of noise, a lost end."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_PAGE = 4096
NO_LOSS = "nothing was lost"  # as a repair says it


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """How a file was damaged, how many memories are left after its repair, what the repair said, and what is wrong."""

    kind: str
    left: int
    said: str
    wrong: list[str]

    def shape(self) -> dict[str, Any]:
        return asdict(self)


def damage(garden: Path, chance: random.Random) -> str:
    """Damages the file, and says in what way."""
    data = bytearray(garden.read_bytes())
    match chance.randrange(4):
        case 0:
            kind = "one flipped bit"
            data[chance.randrange(100, len(data))] ^= 1 << chance.randrange(8)
        case 1:
            kind = "5 to 20 flipped bits"
            for _ in range(chance.choice((5, 20))):
                data[chance.randrange(100, len(data))] ^= 1 << chance.randrange(8)
        case 2:
            kind = "a page of noise"
            start = _PAGE * chance.randrange(1, len(data) // _PAGE)
            data[start : start + _PAGE] = chance.randbytes(_PAGE)
        case _:
            kind = "the end cut off"
            del data[-_PAGE * chance.randrange(1, max(2, len(data) // (10 * _PAGE))) :]
    garden.write_bytes(data)
    return kind
