"""Other languages in English words, and the way back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.models.glossary import in_english, language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Das Team trifft sich immer montags um neun", "de"),
        ("läuft jetzt auf dem neuen Server", "de"),
        ("El servidor de correo ya no está en Madrid", "es"),
        ("siempre con tabuladores, nunca espacios", "es"),
        ("The build runs on the old server", None),
        ("no, a guest", None),
        ("no", None),
        ("No weekend work unless payouts fail", None),
        ("die Bestelldaten liegen in postgres", "de"),
        ("deploy prod", None),
        ("Le serveur est à Paris depuis hier", "fr"),
        ("Il server è a Milano da ieri", "it"),
        ("O servidor está em Lisboa desde ontem", "pt"),
        ("De server staat sinds gisteren niet meer in Utrecht", "nl"),
        ("Serwer jest od wczoraj w Krakowie", "pl"),
        ("Сервер со вчерашнего дня в Казани", "ru"),
        ("サーバーは昨日から大阪にあります", "ja"),
        ("服务器从昨天起在上海", None),
        ("See ya!", None),
        ("", None),
    ],
)
def test_the_language_of_a_text(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_a_short_text_is_read_in_the_language_of_what_it_stands_beside() -> None:
    short = "okta durch authentik ersetzt"
    assert in_english(short).text == short
    assert in_english(short, beside="wir loggen uns per okta ein").text == "okta through authentik replaced"
    assert in_english("Squash merges only", beside="wir mergen nie am Freitag").text == "Squash merges only"


def test_words_stand_in_english_in_their_order_and_the_rest_as_it_was() -> None:
    glossed = in_english("Der Server heißt kiwi-03 und läuft nicht auf Port 8443.").text
    assert "kiwi-03" in glossed
    assert glossed.endswith("8443.")
    assert "not" in glossed.split()
    assert "runs" in glossed.split()


def test_endings_and_compounds_are_understood() -> None:
    words = in_english("Die Rechnungsadresse und die Serverräume sind neu.").text.split()
    assert {"address", "new"} <= {word.strip(".") for word in words}


def test_what_is_written_without_spaces_is_taken_apart() -> None:
    glossed = in_english("サーバーは東京にあります")
    assert "server" in glossed.text.split()
    start = glossed.text.index("server")
    assert glossed.original(start, start + len("server")) == (0, 4)


def test_an_apostrophe_parts_two_words() -> None:
    words = in_english("L'équipe n'utilise jamais d'espaces dans les noms").text.lower().split()
    assert {"team", "never", "names"} <= set(words)


def test_english_is_left_alone() -> None:
    text = "We moved the wiki to Outline, and the old one is gone."
    assert in_english(text).text == text
    assert in_english(text).replaced == ()


def test_a_stretch_leads_back_to_the_words_it_came_from() -> None:
    text = "Die Freigabe macht jetzt Frau Özdemir, nicht mehr Jan."
    glossed = in_english(text)
    at = glossed.text.index("Özdemir")
    start, end = glossed.original(at, at + len("Özdemir"))
    assert text[start:end] == "Özdemir"
    for start, end, old_start, old_end in glossed.replaced:
        assert glossed.original(start, end) == (old_start, old_end)
        assert glossed.original(start, start + 1) == (old_start, old_end)


PIECES = st.sampled_from(
    [*"der nicht Rechnungsnummer ist el siempre está x9 ß 日本 です サーバー l'an не -".split(), " ", ", "]
)


@given(st.lists(PIECES, max_size=20).map(" ".join) | st.text(max_size=60))
def test_every_place_of_any_text_leads_back_into_it(text: str) -> None:
    glossed = in_english(text)
    last = 0
    for at in range(len(glossed.text)):
        start, end = glossed.original(at, at + 1)
        assert 0 <= start <= end <= len(text)
        assert start >= last
        last = start
    unchanged = [at for at in range(len(glossed.text)) if not any(a <= at < b for a, b, _, _ in glossed.replaced)]
    assert all(glossed.text[at] == text[glossed.original(at, at + 1)[0]] for at in unchanged)


def test_no_word_takes_long() -> None:
    """Work grows with the length of the text and not faster: a word without end is left as it is."""
    began = time.perf_counter()
    in_english("der die das " + "haus" * 10_000 + " und " + " ".join("hausbootsteghaus" + "en" * n for n in range(12)))
    assert time.perf_counter() - began < 10
