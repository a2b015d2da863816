"""Names and values found by their shape."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.remember.compare.entities import EntityKind, find_entities


@pytest.mark.parametrize(
    ("text", "kind", "found", "value"),
    [
        ("see src/app/main.py.", EntityKind.PATH, "src/app/main.py", "src/app/main.py"),
        ("open ~/notes/todo.md", EntityKind.PATH, "~/notes/todo.md", "~/notes/todo.md"),
        ("logs go to /var/log/app.log", EntityKind.PATH, "/var/log/app.log", "/var/log/app.log"),
        (
            "at https://example.com/a?b=1, always",
            EntityKind.URL,
            "https://example.com/a?b=1",
            "https://example.com/a?b=1",
        ),
        ("released v2.3.1 today", EntityKind.VERSION, "v2.3.1", "2.3.1"),
        ("API port is 8080", EntityKind.PORT, "8080", "8080"),
        ("on localhost:3000 now", EntityKind.PORT, "3000", "3000"),
        ("after 500ms it stops", EntityKind.QUANTITY, "500ms", "0.5 s"),
        ("takes 60 minutes", EntityKind.QUANTITY, "60 minutes", "3600 s"),
        ("it costs $1,500", EntityKind.QUANTITY, "$1,500", "1500 $"),
        ("on March 5th we meet", EntityKind.DATE, "March 5th", "03-05"),
        ("due 2026-04-01", EntityKind.DATE, "2026-04-01", "2026-04-01"),
        ("due 24.12.2026", EntityKind.DATE, "24.12.2026", "2026-12-24"),
        ("at 3 pm sharp", EntityKind.TIME, "3 pm", "15:00"),
        ("call parse_config first", EntityKind.IDENTIFIER, "parse_config", "parse_config"),
        ("the HttpServer class", EntityKind.IDENTIFIER, "HttpServer", "HttpServer"),
        ("we like postgres", EntityKind.TECHNOLOGY, "postgres", "postgresql"),
        ("written in Go", EntityKind.TECHNOLOGY, "Go", "go"),
        ("ask Anna Schmidt about it", EntityKind.NAME, "Anna Schmidt", "anna schmidt"),
    ],
)
def test_an_entity_is_found_with_its_kind_and_value(text: str, kind: EntityKind, found: str, value: str) -> None:
    matches = [(entity.text, entity.value) for entity in find_entities(text) if entity.kind is kind]
    assert matches == [(found, value)]


def test_common_words_are_no_tools_unless_written_as_names() -> None:
    assert not find_entities("we go and rest, then express it")


@given(st.text(max_size=300))
def test_spans_lie_in_the_text_in_order_and_never_overlap(text: str) -> None:
    end = 0
    for entity in find_entities(text):
        assert entity.start >= end
        assert text[entity.start : entity.end] == entity.text
        end = entity.end
