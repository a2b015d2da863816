"""`make bench-remember`: secrets, duplicates, contradictions, extraction and the wait for a verdict, on labelled data.

Writes docs/bench/remember.md.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bench import remember_extract, remember_latency, remember_pairs, remember_secrets
from bench.machine import describe_machine
from nightgarden.models.local import LocalEmbedder
from nightgarden.models.model_files import find_embedder

PAGE = Path(__file__).resolve().parent.parent / "docs" / "bench" / "remember.md"


def main(sizes: tuple[int, ...]) -> None:
    machine = describe_machine()
    secrets = remember_secrets.run(remember_secrets.default_data_dir())
    embedder = LocalEmbedder(find_embedder())
    pairs = remember_pairs.run(embedder=embedder)
    words = remember_pairs.run()
    extraction = remember_extract.run()
    waits = remember_latency.run(sizes)
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(_page(machine, embedder.model.id, secrets, pairs, words, extraction, waits), encoding="utf-8")
    print(json.dumps({"extraction": extraction, "waits": waits}, indent=2))


def _page(
    machine: str,
    model: str,
    secrets: Any,
    pairs: Any,
    words: Any,
    extraction: dict[str, Any],
    waits: list[dict[str, Any]],
) -> str:
    parts = ["tuned", "held_out", "all"]
    rows = [
        f"| {part.replace('_', ' ')} | {extraction[part]['sessions']} / {extraction[part]['messages']} "
        f"| {extraction[part]['gold']} | {extraction[part]['drafts']} | {extraction[part]['junk_rate']:.1%} "
        f"| {extraction[part]['recall']:.1%} | {extraction[part]['category_right']:.1%} |"
        for part in parts
    ]
    latency = [f"| {w['memories']:,} | {w['p50_ms']} | {w['p95_ms']} | {w['p99_ms']} |" for w in waits]
    notes = (PAGE.parent / "remember-notes.md").read_text(encoding="utf-8")
    return f"""# What is worth keeping lands once

Made by `make bench-remember` on {machine}. Cosines by {model}.

{notes}
## Secrets

{remember_secrets.as_markdown(secrets)}

## Duplicates and contradictions by exact signs, without the networks

{remember_pairs.as_markdown(pairs)}

## The same without cosines

{remember_pairs.as_markdown(words)}

## Extraction from a month of noisy sessions, with the shipped networks

| part | sessions / messages | gold | drafts | junk | recall | category right |
|---|---|---:|---:|---:|---:|---:|
{chr(10).join(rows)}

## The wait for a verdict, embedding included

| memories in the garden | p50 ms | p95 ms | p99 ms |
|---:|---:|---:|---:|
{chr(10).join(latency)}
"""


if __name__ == "__main__":
    main(tuple(int(size) for size in sys.argv[1:]) or (1_000, 10_000, 100_000))
