"""Messages of real chats, labelled by readers who saw no rule: BEAM (people and an assistant) and LoCoMo (friends).

The chats are not in this repository; `real_talk.jsonl` names messages and where in them stands what a memory should
keep. Rows marked `read` were looked at while rules were made, the others were only scored. Rows marked `tune` are for
training (`python -m train.deep --talk FOLDER`), from other chats than those that are only scored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.recall import beam, locomo
from bench.recall.locomo import Conversation
from nightgarden.remember.extract.own_words import own_lines

LABELS = Path(__file__).parents[1] / "data" / "judgement" / "real_talk.jsonl"
BEFORE_CHARS = 400  # of what was said before, as the readers saw it
TALK = "talk"  # who wrote the messages for training
CAPTION = " [image: "  # what follows is no word of the speaker's

Row = dict[str, Any]


def labelled(data: Path) -> Iterator[tuple[str, list[Row]]]:
    """The labelled messages by set, as far as its chats are in the folder."""
    labels = {row["id"]: row for row in _labels() if "tune" not in row}
    if (data / "beam").is_dir():
        yield from _by_kind("chats with an assistant", beam.read(data / "beam"), labels)
    if (data / "locomo" / "locomo10.json").is_file():
        yield from _by_kind("chats between friends", locomo.read(data / "locomo" / "locomo10.json"), labels)


def to_learn(beam_folder: Path) -> list[Row]:
    """The messages for training, as a labelled message is elsewhere; of each the speaker's own words."""
    labels = {row["id"]: row for row in _labels() if "tune" in row}
    return [{**row, "w": TALK, "text": own} for row in _rows(beam.read(beam_folder), labels) if (own := _own(row))]


def _own(row: Row) -> str:
    """Without code and what else is no word of the speaker; empty where that cuts through what is to be kept."""
    own = "\n".join(own_lines(row["text"])).strip()
    return own if all(kept["from"] in own for kept in row["keep"]) else ""


def _labels() -> Iterator[Row]:
    yield from map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())


def _by_kind(name: str, chats: list[Conversation], labels: dict[str, Row]) -> Iterator[tuple[str, list[Row]]]:
    found = list(_rows(chats, labels))
    yield name, [row for row in found if not row["read"]]
    yield f"{name}, read", [row for row in found if row["read"]]


def _rows(chats: list[Conversation], labels: dict[str, Row]) -> Iterator[Row]:
    for chat in chats:
        for session in chat.sessions:
            before = ""
            for message in session.messages:
                text = message.text.partition(CAPTION)[0]
                if message.id in labels:
                    label = labels[message.id]
                    keep = [_kept(text, *place) for place in label.get("keep", ())]
                    row = {"w": "", "prev": before, "text": text, "keep": keep, "why": ""}
                    yield row | {"read": "read" in label}
                before = text[-BEFORE_CHARS:]


def _kept(text: str, start: int, end: int, category: str = "fact", whose: str = "project") -> Row:
    said = text[start:end]
    return {"from": said, "say": said, "cat": category, "whose": whose, "change": False}
