"""Titles and shortened tool output hold no secret, not even half of one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.sessions.readers.progress import Call
from nightgarden.sessions.readers.speech import TITLE_CHARS_MAX, TOOL_CHARS_MAX, shorten, title_of, tool_said
from tests.sessions.transcripts import NOON

_KEY = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hJ3kL6"  # has the shape of a token, and opens nothing


def test_a_title_is_the_first_line_cut_at_a_word() -> None:
    assert title_of("\n  fix the gate  \nnow") == "fix the gate"
    long = title_of("word " * 40)
    assert long.endswith("word…")
    assert len(long) <= TITLE_CHARS_MAX + 1


def test_a_title_holds_no_secret() -> None:
    assert _KEY not in title_of(f"use {_KEY} for it")
    assert _KEY[:12] not in title_of("x" * 60 + f" {_KEY}")


@pytest.mark.parametrize("end", [True, False])
@given(shift=st.integers(0, 60))
def test_cutting_tool_output_leaves_no_part_of_a_secret(end: bool, shift: int) -> None:
    edge = (TOOL_CHARS_MAX - 3) // 2 - shift
    filler, rest = "line of output\n" * 500, "done\n" * 500
    text = filler[:edge] + f" {_KEY} " + rest
    if end:
        text = rest + f" {_KEY} " + filler[:edge]
    (message,) = tool_said("m", Call(name="shell"), text, NOON, is_error=False)
    assert len(message.text) <= TOOL_CHARS_MAX + 3
    assert _KEY[:10] not in message.text
    assert _KEY[-10:] not in message.text


def test_short_output_stays_as_it_is() -> None:
    assert shorten("fine", TOOL_CHARS_MAX) == "fine"
