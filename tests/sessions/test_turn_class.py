"""What a turn wants of memory, as a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.sessions.turn_class import TurnClass, classify_turn

NONE, SOFT, REQUIRED = TurnClass.NONE, TurnClass.SOFT, TurnClass.REQUIRED


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", NONE),
        ("hi", NONE),
        ("Hello there!", NONE),
        ("thanks, that works", NONE),
        ("Vielen Dank, perfekt!", NONE),
        ("merci beaucoup", NONE),
        ("muchas gracias", NONE),
        ("ok, go ahead please", NONE),
        ("/compact the conversation please", NONE),
        ("test test", NONE),
        ("<system-reminder>fix the build in src/a.py</system-reminder>", NONE),
        ("[Request interrupted by user]", NONE),
        ("fix the login bug", REQUIRED),
        ("Please debug the failing import", REQUIRED),
        ("implement the export button", REQUIRED),
        ("refactor this module", REQUIRED),
        ("look at src/app/main.py please", REQUIRED),
        ("what is in settings.toml?", REQUIRED),
        ("```py\nprint(1)\n```", REQUIRED),
        ("Behebe den Fehler im Login", REQUIRED),
        ("Schreibe bitte einen Test dafür", REQUIRED),
        ("corrige l'erreur du formulaire", REQUIRED),
        ("arregla el formulario de entrada", REQUIRED),
        ("añade un campo al modelo", REQUIRED),
        ("explain the retry policy", SOFT),
        ("why is the cache cold?", SOFT),
        ("how does billing work here", SOFT),
        ("Warum ist die Seite so langsam?", SOFT),
        ("Pourquoi la page est-elle lente ?", SOFT),
        ("¿Por qué es tan lenta la página?", SOFT),
        ("the customers in the Azores are unhappy with the mails", SOFT),
        ("no idea yet", NONE),
    ],
)
def test_a_turn_has_the_class_of_its_words(text, wanted):
    assert classify_turn(text) is wanted


def test_an_attachment_makes_even_a_short_turn_required():
    assert classify_turn("see this", attachments=1) is REQUIRED


@given(st.text(max_size=400))
def test_no_text_is_without_a_class(text):
    assert classify_turn(text) in TurnClass


def test_a_huge_paste_is_classified_without_reading_all_of_it():
    assert classify_turn("word " * 2_000_000) is SOFT
