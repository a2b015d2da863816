"""Changing JSON files by structure."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nightgarden.errors import BadInput
from nightgarden.surfaces.connect import jsonc

COMMENTED = """\
{
  // my own
  "theme": "dark", // not light
  "list": [1, 2], /* two */
  "last": {"a": 1}  // the end
}
"""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)
# On a busy machine the first drawing alone may take a second, which says nothing about the code.
patient = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
LAYOUTS = st.sampled_from(
    [{"indent": 2}, {"indent": 4}, {"indent": "\t"}, {"separators": (",", ":")}, {"ensure_ascii": False}]
)


@patient
@given(OBJECTS, LAYOUTS, VALUES)
def test_what_was_put_in_is_read_back_and_taking_it_out_leaves_the_bytes_as_they_were(
    before: dict[str, Any], layout: dict[str, Any], value: Any
) -> None:
    before.pop("ours", None)
    text = json.dumps(before, **layout)
    after = jsonc.put(text, ("ours", "deep"), value)
    assert json.loads(after) == {**before, "ours": {"deep": value}}
    assert jsonc.drop_with_empty(after, ("ours", "deep"), before) == text


@patient
@given(st.lists(VALUES, max_size=3), LAYOUTS, VALUES)
def test_an_entry_of_a_list_comes_and_goes_without_touching_the_others(
    before: list[Any], layout: dict[str, Any], value: Any
) -> None:
    text = json.dumps({"list": before}, **layout)
    after = jsonc.append(text, ("list",), value)
    assert json.loads(after) == {"list": [*before, value]}
    assert jsonc.drop(after, ("list", len(before))) == text


def test_comments_and_order_stay() -> None:
    after = jsonc.put(COMMENTED, ("mcp", "nightgarden"), {"enabled": True})
    for line in COMMENTED.splitlines():
        assert line.strip().rstrip("}").replace("  // the end", "") in after
    assert "// the end" in after
    assert jsonc.read(after)["mcp"] == {"nightgarden": {"enabled": True}}
    assert jsonc.drop_with_empty(after, ("mcp", "nightgarden"), jsonc.read(COMMENTED)) == COMMENTED


@pytest.mark.parametrize("text", ['{\n  "a": 1,\n}\n', '{\r\n  "a": 1,\r\n}\r\n', '{\r\n  "a": [1]\r\n}\r\n'])
def test_a_trailing_comma_and_the_files_own_line_ends_stay(text: str) -> None:
    after = jsonc.put(text, ("b", "c"), {"d": [2]})
    assert jsonc.read(after) == {**jsonc.read(text), "b": {"c": {"d": [2]}}}
    assert after.count("\r\n") in (0, after.count("\n"))
    edited = after.replace('"a"', '"of the user"')
    assert jsonc.drop_with_empty(edited, ("b", "c"), jsonc.read(text)) == text.replace('"a"', '"of the user"')


@pytest.mark.parametrize("text", ["", "\n", "  \n", "// nothing yet\n"])
def test_an_empty_file_counts_as_an_empty_object(text: str) -> None:
    assert jsonc.read(jsonc.put(text, ("a",), 1)) == {"a": 1}


@pytest.mark.parametrize("text", ["{", '{"a" 1}', "[1, 2", '{"a": }', "{} {}", "{'a': 1}"])
def test_a_broken_file_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(BadInput, match="line 1"):
        jsonc.put(text, ("b",), 1)


def test_a_value_of_another_shape_is_not_overwritten() -> None:
    with pytest.raises(BadInput):
        jsonc.append('{"hooks": {"Stop": "mine"}}', ("hooks", "Stop"), {})
    with pytest.raises(BadInput):
        jsonc.put('{"mcp": [1]}', ("mcp", "nightgarden"), {})
