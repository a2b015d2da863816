"""What of a query leads, and what supports."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from nightgarden.recall.query import LEAD_CHARS_MAX, focus, understand

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def test_the_latest_thing_the_user_says_leads_a_transcript() -> None:
    query = understand("user: set up redis\nassistant: done, on 6379\nuser: which port does postgres use?", now=NOW)
    assert query.text == "which port does postgres use?"
    assert "redi" in query.support_terms
    assert "redi" not in query.terms


def test_the_last_paragraph_leads_a_long_text() -> None:
    lead, rest = focus("background " * 100 + "\n\nHow do we deploy?")
    assert lead == "How do we deploy?"
    assert rest


def test_text_that_was_injected_before_does_not_lead() -> None:
    lead, _ = focus("<system-reminder>never mind</system-reminder> where is the config?")
    assert lead == "where is the config?"


def test_small_words_of_other_languages_are_not_searched_for() -> None:
    assert understand("Wie hoch ist der Eiffelturm?", now=NOW).terms == ("hoch", "eiffelturm")
    assert understand("der die das", now=NOW).terms == ("der", "die", "das")
    assert "die" in understand("why did the worker die?", now=NOW).terms


def test_context_supports_without_leading() -> None:
    query = understand("and the port?", now=NOW, context=("we moved staging to postgres",))
    assert {"stage", "postgr"} <= set(query.support_terms)
    assert query.terms == ("port",)


def test_paths_and_tags_that_a_query_names_are_found() -> None:
    query = understand("why does src/app/main.py need build cache for c++?", now=NOW, files=("README.md",))
    assert query.files == ("README.md", "src/app/main.py")
    assert "build-cache" in query.tags


def test_i_asks_for_the_users_words_and_you_for_the_assistants() -> None:
    assert understand("where did I park?", now=NOW).roles == {"user"}
    assert understand("what did you suggest?", now=NOW).roles == {"assistant"}
    assert understand("what is the port?", now=NOW).roles == frozenset()


@given(st.text(max_size=3000), st.lists(st.text(max_size=100), max_size=3))
def test_any_text_is_understood_and_the_lead_stays_short(text: str, context: list[str]) -> None:
    query = understand(text, now=NOW, context=tuple(context))
    assert len(query.text) <= LEAD_CHARS_MAX
    assert not set(query.terms) & set(query.support_terms)
