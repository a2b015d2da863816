"""Builds the labelled month: noisy sessions with what is worth keeping in them. Same input, same files.

    python bench/month.py        writes bench/data/month/sessions.jsonl and gold.jsonl

Sessions h… are written by hand, whole (written/a.txt, b.txt). Sessions g… are put together from hand-written exchanges
(facts.txt, noise.txt). Every third session, and every third fact, is held out from tuning.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

HERE = Path(__file__).parent / "data" / "month"
WRITTEN = HERE / "written"
ROLES = {"U": "user", "A": "assistant", "T": "tool", "E": "tool"}
GENERATED = 30
SEED = 20260301
FILES = (
    "src/app.py",
    "core/orders.py",
    "web/views.ts",
    "tests/test_flow.py",
    "lib/parser.go",
    "pkg/store.rs",
    "ui/Panel.tsx",
)
NAMES = (
    "load_rows",
    "parseDate",
    "mergeItems",
    "compute_total",
    "flush_cache",
    "renderList",
    "sync_users",
    "build_index",
)


@dataclass
class Turn:
    """One message and the statements worth keeping from it."""

    kind: str
    text: str
    gold: list[dict[str, object]] = field(default_factory=list)


@dataclass
class Script:
    """One session before it gets times and ids."""

    id: str
    title: str
    turns: list[Turn] = field(default_factory=list)


def parse_turns(text: str) -> list[Turn]:
    """Turns from `U:`/`A:`/`T:`/`E:` lines; two leading spaces continue a message, `=` lines are its gold."""
    turns: list[Turn] = []
    for line in text.splitlines():
        if line.startswith("  ") and turns:
            turns[-1].text += "\n" + line[2:]
        elif line.startswith("= "):
            category, statement, keywords, *marks = [part.strip() for part in line[2:].split(" | ")] + [""]
            turns[-1].gold.append(
                {
                    "category": category,
                    "statement": statement,
                    "must_contain": [word.strip().lower() for word in keywords.rstrip(" |").split(",")],
                    "mark": marks[0].strip(" |") if marks else "",
                }
            )
        elif line[1:3] == ": ":
            turns.append(Turn(line[0], line[3:]))
    return turns


def written_sessions() -> Iterator[Script]:
    for name in ("a.txt", "b.txt"):
        for block in (WRITTEN / name).read_text(encoding="utf-8").split("\n# "):
            head, _, body = block.removeprefix("# ").partition("\n")
            ident, title = head.partition(" | ")[::2]
            yield Script(ident.split()[0], title, parse_turns(body))


def pieces(name: str) -> list[str]:
    return (WRITTEN / name).read_text(encoding="utf-8").split("\n--\n")


def filled(text: str, rng: random.Random) -> str:
    """The exchange with its slots filled in."""
    slots = {
        "{file}": rng.choice(FILES),
        "{fn2}": rng.choice(NAMES),
        "{fn}": rng.choice(NAMES),
        "{n}": str(rng.randint(2, 90)),
    }
    for slot, value in slots.items():
        text = text.replace(slot, value)
    return text


def generated_sessions(rng: random.Random) -> Iterator[Script]:
    """Sessions of facts among noise; a fact comes up in two or three sessions, held-out facts only in held-out ones."""
    facts, noise = pieces("facts.txt"), pieces("noise.txt")
    pools = {held: [f for i, f in enumerate(facts) if (i % 3 == 0) is held] * 3 for held in (True, False)}
    for pool in pools.values():
        rng.shuffle(pool)
    for number in range(1, GENERATED + 1):
        pool = pools[number % 3 == 0]
        chosen = [filled(piece, rng) for piece in rng.sample(noise, 13)]
        for _ in range(rng.randint(3, 5)):
            if pool:
                chosen.insert(rng.randrange(1, len(chosen)), pool.pop())
        yield Script(
            f"g{number:02d}", "mixed", [turn for piece in dict.fromkeys(chosen) for turn in parse_turns(piece)]
        )


def padded(script: Script, rng: random.Random) -> Script:
    """The hand-written session with some ordinary exchanges before and after it."""
    noise = pieces("noise.txt")
    extra = [parse_turns(filled(piece, rng)) for piece in rng.sample(noise, 6)]
    before = [turn for piece in extra[:2] for turn in piece]
    after = [turn for piece in extra[2:] for turn in piece]
    return Script(script.id, script.title, before + script.turns + after)


def is_held_out(session_id: str) -> bool:
    return int(session_id[1:]) % 3 == 0


def write() -> tuple[int, int]:
    """Writes both files; the number of sessions and of messages."""
    rng = random.Random(SEED)
    scripts = [padded(script, rng) for script in written_sessions()] + list(generated_sessions(rng))
    start = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
    sessions, gold, count = [], [], 0
    for number, script in enumerate(scripts):
        at = start + timedelta(hours=10 * number)
        messages = []
        for position, turn in enumerate(script.turns):
            ident = f"{script.id}-{position:03d}"
            at += timedelta(seconds=20 + 7 * (position % 9))
            row = {"id": ident, "role": ROLES[turn.kind], "text": turn.text, "at": at.isoformat()}
            messages.append(row | ({"is_error": True} if turn.kind == "E" else {}))
            gold += [{"session": script.id, "message": ident, **entry} for entry in turn.gold]
        count += len(messages)
        sessions.append(
            {"id": script.id, "title": script.title, "held_out": is_held_out(script.id), "messages": messages}
        )
    for name, rows in (("sessions.jsonl", sessions), ("gold.jsonl", gold)):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (HERE / name).write_text(lines, encoding="utf-8")
    return len(sessions), count


if __name__ == "__main__":
    sessions, messages = write()
    print(f"{sessions} sessions, {messages} messages")
