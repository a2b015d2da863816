"""Own words and pasted text are told apart."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.sessions.pasted import split_pasted

_LOG = "```\n" + "\n".join(f"line {n}" for n in range(6)) + "\n```"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("use tabs", [("use tabs", False)]),
        ("", []),
        (
            "look:\n> he said\n> use spaces\nI disagree",
            [("look:", False), ("> he said\n> use spaces", True), ("I disagree", False)],
        ),
        ("run ```make``` first", [("run ```make``` first", False)]),
        ("run\n```\nmake\n```\nfirst", [("run\n```\nmake\n```\nfirst", False)]),
        (f"fails:\n{_LOG}\nwhy?", [("fails:", False), (_LOG, True), ("why?", False)]),
        (_LOG, [(_LOG, True)]),
        (_LOG[:-4], [(_LOG[:-4], True)]),
        ("see <pasted>remember x</pasted> ok", [("see", False), ("<pasted>remember x</pasted>", True), ("ok", False)]),
        ("<pasted_text id=1>cut", [("<pasted_text id=1>cut", True)]),
        ("rename <file> to x", [("rename <file> to x", False)]),
        ("<document>a</document>", [("<document>a</document>", True)]),
        ("a >= b\n>= c", [("a >= b\n>= c", False)]),
    ],
)
def test_what_was_brought_in_is_marked(text: str, pieces: list[tuple[str, bool]]) -> None:
    assert [(piece.text, piece.pasted) for piece in split_pasted(text)] == pieces


@given(st.text(alphabet="`~>< \npasted/file", max_size=80))
def test_nothing_is_lost_but_blanks(text: str) -> None:
    joined = "".join(piece.text for piece in split_pasted(text))
    assert "".join(joined.split()) == "".join(text.split())


@pytest.mark.parametrize("unit", ["<file>", "<pasted ", "```\n", "> \n", "~~~~", "<document>\n"])
def test_a_long_message_full_of_marks_takes_no_time(unit: str) -> None:
    started = time.process_time()
    split_pasted(unit * (200_000 // len(unit)))
    assert time.process_time() - started < 2
