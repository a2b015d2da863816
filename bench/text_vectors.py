"""Embeds real texts and questions to measure the vector index with: messages of LoCoMo and BEAM in pieces of a few
sentences. Neither set is in this repository.

    python -m bench.text_vectors LOCOMO.json BEAM_FOLDER OUT.npz [--texts 20000]
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.recall import beam, locomo
from nightgarden.models.catalog import FLOOR
from nightgarden.models.local import LocalEmbedder
from nightgarden.models.model_files import find_embedder

QUESTIONS = 600
PIECE_CHARS = 220
_SENTENCE_END = re.compile(r"(?<=[.!?\n])\s+")


def pieces(text: str) -> Iterator[str]:
    """Sentences of a message, as many together as fit."""
    piece = ""
    for sentence in _SENTENCE_END.split(text):
        if piece and len(piece) + len(sentence) > PIECE_CHARS:
            yield piece
            piece = ""
        piece = f"{piece} {sentence}".strip()
    yield piece


def chosen(texts: list[str], count: int) -> list[str]:
    chance = np.random.default_rng(3)
    return [texts[at] for at in np.sort(chance.choice(len(texts), size=min(count, len(texts)), replace=False))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("locomo", type=Path)
    parser.add_argument("beam", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--texts", type=int, default=20_000)
    options = parser.parse_args()
    talks = locomo.read(options.locomo) + beam.read(options.beam)
    messages = [message.text for talk in talks for session in talk.sessions for message in session.messages]
    every = dict.fromkeys(piece for text in messages for piece in pieces(text) if len(piece) > 20)
    embedder = LocalEmbedder(find_embedder(wanted=(FLOOR,)), threads=1)
    texts = embedder.embed(chosen(list(every), options.texts))
    asked = embedder.embed(chosen([question.text for talk in talks for question in talk.questions], QUESTIONS))
    np.savez(options.out, texts=texts, questions=asked)


if __name__ == "__main__":
    main()
