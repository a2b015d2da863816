"""Named SQL statements are read as they are written."""

from __future__ import annotations

import pytest

from nightgarden.store.sqlfile import parse_queries


def test_statements_are_found_by_name_without_their_comments():
    text = "-- a file\n-- name: one\n-- What it is for.\nSELECT 1; \n\n-- name: two\nSELECT 2 -- kept\nFROM t\n"
    assert dict(parse_queries(text)) == {"one": "SELECT 1", "two": "SELECT 2 -- kept\nFROM t"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("-- name: one\nSELECT 1;\n-- name: one\nSELECT 2;", "twice"),
        ("-- name: One\nSELECT 1;", "lower-case"),
        ("-- name: one\n-- nothing\n", "no statement"),
    ],
)
def test_a_malformed_file_is_refused(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_queries(text)
