"""What the shipped networks hear in a session as people talk day by day, and what they leave."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightgarden.domain.classify import Classifier
from nightgarden.domain.memory import Category
from nightgarden.domain.session import Message
from nightgarden.models.classifier_files import FOLDER_VARIABLE
from nightgarden.models.models_of_settings import load_classifier
from nightgarden.remember.draft import Draft
from nightgarden.remember.extract import extract

AT = datetime(2026, 11, 1, tzinfo=UTC)
WRONG_SHARE_MAX = 0.03  # every line is read right today; of a network trained again a few may differ
ROLES = {"U": "user", "A": "assistant"}


@pytest.fixture
def classifier(monkeypatch: pytest.MonkeyPatch) -> Classifier:
    monkeypatch.delenv(FOLDER_VARIABLE)
    shipped = load_classifier(())
    assert shipped is not None
    return shipped


def read(dialogue: str, classifier: Classifier) -> list[Draft]:
    """A dialogue stands on one line, its turns separated by `||`."""
    turns = dialogue.split(" || ")
    messages = [Message(id=str(number), role=ROLES[turn[0]], text=turn[3:], at=AT) for number, turn in enumerate(turns)]
    return extract(messages, classifier=classifier)


@pytest.mark.parametrize(("name", "kept"), [("everyday_kept.txt", True), ("everyday_left.txt", False)])
def test_everyday_ways_to_say_lasting_things_are_heard_and_everyday_talk_leaves_nothing(
    name: str, kept: bool, classifier: Classifier
) -> None:
    dialogues = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    wrong = [dialogue for dialogue in dialogues if bool(read(dialogue, classifier)) is not kept]
    assert len(wrong) <= WRONG_SHARE_MAX * len(dialogues), wrong


STATEMENTS = [
    ("I prefer short answers", Category.PREFERENCE, "Prefers short answers"),
    ("I don't like one-letter names", Category.PREFERENCE, "Doesn't like one-letter names"),
    ("I like my commits small, one thing each.", Category.PREFERENCE, "Prefers small commits, one thing each"),
    (
        "we decided to go with Postgres because of jsonb",
        Category.DECISION,
        "We decided to go with Postgres because of jsonb",
    ),
    ("Sarah is our new PM", Category.ENTITY, "Sarah is our new PM"),
    ("All PRs need two approvals before merging.", Category.CONVENTION, "All PRs need two approvals before merging"),
    ("never commit .env files", Category.NEGATIVE, "Never commit .env files"),
    ("wir deployen nie freitags", Category.NEGATIVE, "Wir deployen nie freitags"),
    ("nunca hagas push directo a main", Category.NEGATIVE, "Nunca hagas push directo a main"),
    ("on ne déploie jamais le vendredi", Category.NEGATIVE, "On ne déploie jamais le vendredi"),
    ("I'm vegetarian", Category.FACT, "User is vegetarian"),
]


@pytest.mark.parametrize(("said", "category", "content"), STATEMENTS)
def test_a_lasting_statement_is_kept_in_the_words_of_a_note_with_its_kind(
    said: str, category: Category, content: str, classifier: Classifier
) -> None:
    assert [(draft.category, draft.content) for draft in read("U: " + said, classifier)] == [(category, content)]
