"""Many clients on one daemon at the same time: mixed reads and writes, then a count of what was acknowledged.

    python -m bench.load --clients 200 --seconds 300

Each client keeps one connection and asks, rests a while, and asks again, as agents do. Reports the percentiles of each
operation, every error, and whether every acknowledged write is there afterwards. Exit code 1 when anything was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nightgarden.errors import DaemonAway, DaemonSlow
from nightgarden.garden import Garden
from nightgarden.surfaces import client
from nightgarden.surfaces.daemon import protocol
from nightgarden.surfaces.daemon.folder import DaemonFolder
from nightgarden.surfaces.daemon.holder import stop_holder

NOUNS = "gateway ledger planner mailer importer indexer scheduler notifier exporter resolver balancer archiver".split()
VERBS = "listens writes retries reports restarts flushes rotates polls".split()
PLACES = "Lisbon Oslo Lagos Quito Hanoi Turin Perth Osaka Accra Malmö".split()
# Of a hundred requests. Turns and recalls are most of what agents do; a write comes every few turns.
MIX = (("recall", 40), ("turn", 25), ("remember", 20), ("list", 10), ("feedback", 5))


@dataclass(slots=True)
class Seen:
    """What the clients saw."""

    took_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    acknowledged: set[str] = field(default_factory=set)


def statement(chance: random.Random) -> str:
    noun, verb, place = chance.choice(NOUNS), chance.choice(VERBS), chance.choice(PLACES)
    return f"The {noun} {chance.randrange(10_000)} in {place} {verb} every {chance.randrange(2, 90)} minutes"


def request(chance: random.Random, seen: Seen, name: str) -> tuple[str, dict[str, Any]]:
    op = chance.choices([op for op, _ in MIX], [weight for _, weight in MIX])[0]
    if op == "feedback" and not seen.acknowledged:
        op = "recall"
    noun, place = chance.choice(NOUNS), chance.choice(PLACES)
    arguments: dict[str, dict[str, Any]] = {
        "recall": {"query": f"how often does the {noun} in {place} run?", "limit": 5},
        "turn": {
            "text": f"Please look at the {noun} in {place}, it {chance.choice(VERBS)} too often",
            "session_id": name,
        },
        "remember": {"text": statement(chance)},
        "list": {"limit": 20},
    }
    if op == "feedback":
        return op, {"id": chance.choice(sorted(seen.acknowledged)[-50:]), "helpful": True}
    return op, arguments[op]


async def one_client(number: int, socket: str, directory: str, until: float, pause: float, seen: Seen) -> None:
    chance = random.Random(number)
    reader, writer = await asyncio.open_unix_connection(socket, limit=protocol.LINE_BYTES_MAX)
    await asyncio.sleep(chance.random() * pause)
    try:
        while time.monotonic() < until:
            op, arguments = request(chance, seen, f"load-{number}")
            began = time.perf_counter()
            writer.write(protocol.encode({"id": 1, "op": op, "arguments": arguments, "directory": directory}))
            answer = protocol.decode(await asyncio.wait_for(reader.readline(), 60))
            seen.took_ms[op].append((time.perf_counter() - began) * 1000)
            if not answer["ok"]:
                seen.errors[f"{op}: {answer['error']['kind']}: {answer['error']['message'][:80]}"] += 1
            elif op == "remember" and answer["result"]["id"]:
                seen.acknowledged.add(answer["result"]["id"])
            await asyncio.sleep(pause * (0.5 + chance.random()))
    except (OSError, ValueError, TimeoutError) as error:
        seen.errors[f"connection: {type(error).__name__}"] += 1
    finally:
        writer.close()


def percentiles(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        f"p{share}": round(ordered[min(len(ordered) - 1, len(ordered) * share // 100)], 1) for share in (50, 95, 99)
    }


async def measure(home: Path, clients: int, seconds: float, pause: float) -> dict[str, Any]:
    folder = DaemonFolder(home)
    client.start_in_background(str(home), even_if_disabled=True)
    socket = await wait_for_daemon(home)
    seen = Seen()
    until = time.monotonic() + seconds
    try:
        await asyncio.gather(*(one_client(n, socket, str(home), until, pause, seen) for n in range(clients)))
        status = await asyncio.to_thread(client.ask, "status", home=str(home), timeout_ms=30_000)
        memory_kb = resident_kb(status["pid"])
    finally:
        await asyncio.to_thread(stop_holder, folder)
        client.reap()
    async with Garden.open(home / "garden.db", directory=home) as garden:
        there = {memory.id for memory in await garden.store.memories(sorted(seen.acknowledged))}
    everything = [took for each in seen.took_ms.values() for took in each]
    return {
        "clients": clients,
        "seconds": seconds,
        "pause_seconds": pause,
        "requests": len(everything),
        "per_second": round(len(everything) / seconds, 1),
        "errors": dict(seen.errors),
        "faults": status["faults"],
        "acknowledged": len(seen.acknowledged),
        "lost": len(seen.acknowledged - there),
        "resident_mb": round(memory_kb / 1024),
        "took_ms": {op: percentiles(each) for op, each in sorted({**seen.took_ms, "all": everything}.items())},
    }


async def wait_for_daemon(home: Path) -> str:
    while True:
        try:
            await asyncio.to_thread(client.ask, "ping", home=str(home))
            return str(client.read_address(str(home))["socket"])
        except (DaemonAway, DaemonSlow):
            await asyncio.sleep(0.05)


def resident_kb(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pause", type=float, default=15.0, help="seconds that a client rests between two requests")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nightgarden-load-") as folder:
        report = asyncio.run(measure(Path(folder), arguments.clients, arguments.seconds, arguments.pause))
    print(json.dumps(report, indent=2))
    return 1 if report["lost"] or report["errors"] or report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
