"""What a later message takes back is not kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from nightgarden.domain.session import Message
from nightgarden.remember.extract.extraction import extract

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def kept(*said: str) -> list[str]:
    messages = [
        Message(id=str(number), role="user", text=text, at=NOW + timedelta(minutes=number))
        for number, text in enumerate(said)
    ]
    return [draft.content for draft in extract(messages)]


@pytest.mark.parametrize(
    "word",
    [
        "scratch that, I mixed up two repos",
        "Actually, forget what I just said.",
        "wait, I take that back",
        "disregard my last message",
        "Nein, vergiss das wieder.",
        "olvida lo que dije",
    ],
)
def test_the_last_thing_said_is_taken_back(word):
    assert kept("Remember that releases go out on Tuesdays.") != []
    assert kept("Remember that releases go out on Tuesdays.", word) == []


def test_a_named_topic_takes_back_what_was_said_about_it_and_nothing_else():
    said = ("Remember that releases go out on Tuesdays.", "Remember that the staging database is called orchid.")
    left = kept(*said, "please forget what I said about releases")
    assert len(left) == 1
    assert "orchid" in left[0]


@pytest.mark.parametrize("word", ["never mind, found it", "ignore the warnings for now", "forget it, let's go on"])
def test_ending_a_search_takes_nothing_back(word):
    assert kept("Remember that releases go out on Tuesdays.", word) != []


def test_what_is_said_after_taking_back_counts():
    left = kept("Remember that releases go out on Tuesdays.", "Scratch that. Remember that releases go out on Mondays.")
    assert len(left) == 1
    assert "Mondays" in left[0]
