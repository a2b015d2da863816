"""A newer statement that names the number it puts an end to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.remember.compare.ended import names_what_it_ends


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("During a ride we take a GPS fix every 10 seconds", "we raise the GPS interval from 10 to 20 seconds"),
        ("Files on scratch are deleted after 14 days", "They cut the scratch retention from 14 to 7 days"),
        ("A comparison is the mean of three seeds", "Five seeds from now on instead of three"),
        ("Sitzungen enden nach 30 Minuten", "wir haben die Sitzungsdauer von 30 auf 60 Minuten verlängert"),
        ("El límite es de 50 filas", "subimos el límite de 50 a 200 filas"),
    ],
)
def test_the_old_number_is_named_as_the_past(older: str, newer: str) -> None:
    assert names_what_it_ends(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The desk is open at 10", "The shop is open from 10 to 18"),  # a range moves nothing
        ("We keep 3 replicas", "we went from 5 to 7 replicas"),  # another old value
        ("Buffers go from 64 KB to 256 KB", "we raised the buffer from 64 KB to 256 KB"),  # known already
        ("All our apps use the company font", "the kiosk uses Arial instead of our font"),  # a thing, not a number
    ],
)
def test_what_names_no_number_of_the_older_statement_as_the_past_ends_nothing(older: str, newer: str) -> None:
    assert not names_what_it_ends(older, newer)


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_get_an_answer(older: str, newer: str) -> None:
    assert names_what_it_ends(older, newer) in (True, False)
