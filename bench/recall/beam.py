"""BEAM's chats of a user with an assistant: long conversations go in as sessions, messages that hold the answer are
what is wanted.

The set is not in this repository: give the folder of its files, one conversation each, as {"sessions": [{"id",
"messages": [{"id", "role", "text", "at"}]}], "questions": [{"question", "gold_message_ids", "category"}]}.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.recall.locomo import Conversation, Question
from nightgarden.domain.session import Message, Session


def read(folder: Path) -> list[Conversation]:
    """All conversations, in the order of their names."""
    files = sorted(folder.glob("*.json"))
    if not files:
        raise FileNotFoundError(f"no conversations in {folder}")
    return [_conversation(file.stem, json.loads(file.read_text("utf-8"))) for file in files]


def _conversation(name: str, raw: dict[str, Any]) -> Conversation:
    sessions = tuple(_session(name, session) for session in raw["sessions"])
    questions = tuple(
        Question(
            text=asked["question"],
            category=asked["category"],
            wanted=frozenset(f"{name}/{id}" for id in asked["gold_message_ids"]),
        )
        for asked in raw["questions"]
    )
    return Conversation(name=name, sessions=sessions, questions=questions)


def _session(name: str, raw: dict[str, Any]) -> Session:
    messages = tuple(
        Message(
            id=f"{name}/{message['id']}",
            role=message["role"],
            text=message["text"],
            at=datetime.fromisoformat(message["at"]),
        )
        for message in raw["messages"]
    )
    return Session(id=f"{name}/{raw['id']}", messages=messages, started_at=messages[0].at)
