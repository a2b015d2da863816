"""A mind that answers the same prompt always in the same way: some texts well, some verdicts, some nonsense."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping, Sequence

from nightgarden.settings import Settings, TendSettings
from nightgarden.tend.tending import LentTending
from tests.tend.given import MODEL

_KEYS = re.compile(r"depot (\d+).*?drawer (\d+)|drawer (\d+).*?depot (\d+)")
_PAIR = re.compile(r"PAIR (\d+)\n  first: (.*)\n  second: (.*)")
ASKING = Settings(
    tend=TendSettings(mind_questions=10_000)
)  # a run that is gone on with may ask as often as a whole one


class Steady:
    """Composes for even depots, and finds by a checksum of a pair's texts what holds, whichever way round it is put."""

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        if pairs := _PAIR.findall(prompt):
            verdicts = [{"pair": int(number), "holds": _find(one, other)} for number, one, other in pairs]
            return json.dumps({"verdicts": verdicts})
        if (found := _KEYS.search(prompt)) is None:
            return "I would rather not say"
        depot, drawer = (found[1], found[2]) if found[1] else (found[4], found[3])
        extra = "" if int(depot) % 2 == 0 else " on Mondays"
        return json.dumps({"text": f"The depot {depot} keeps the spare keys in drawer {drawer}{extra}"})


def _find(one: str, other: str) -> str:
    low, high = sorted((one, other))
    match zlib.crc32(f"{low}\n{high}".encode()) % 4:
        case 0:
            return "both"
        case 1:
            return "unsure"
        case 2:
            return "first" if one == low else "second"
        case _:
            return "first" if one == high else "second"


async def near(text: str, others: Sequence[str]) -> list[float]:
    return [0.93] * len(others)


LENT = LentTending(model=MODEL, mind=Steady(), nearness=near)
