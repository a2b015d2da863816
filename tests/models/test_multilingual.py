"""The multilingual model: read as its carrier reads it, and one memory for people who speak several languages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.conftest import Open

from nightgarden.domain.verdict import Refused, Saved
from nightgarden.errors import ModelUnavailable
from nightgarden.models.catalog import MULTILINGUAL
from nightgarden.models.classifier_files import FOLDER_VARIABLE
from nightgarden.models.local import LocalEmbedder
from nightgarden.models.model_files import ModelFile, find_model
from nightgarden.models.sentencepiece import END, START, UNKNOWN, SentencePiece
from nightgarden.settings import EmbeddingSettings, Settings

# Ids, and the first numbers of the vector, that the carrier package's own code gives.
READ: list[tuple[str, list[int], list[float]]] = [
    (
        "The deployment runs on Fridays after the tests are green.",
        [1, 76, 53849, 7565, 54, 5529, 9, 511, 12, 12007, 69, 5898, 8, 2],
        [-0.02301, 0.05797, -0.03143, 0.0693],
    ),
    (
        "Wir haben die Datenbank von MySQL auf PostgreSQL umgestellt.",
        [1, 7249, 1104, 86, 330, 112403, 292, 909, 20667, 341, 5670, 16459, 20667, 168, 27544, 8, 2],
        [-0.00156, 0.03101, -0.0575, -0.01525],
    ),
    (
        "会議は金曜日の10時です。",
        [1, 6, 40934, 89, 64470, 11334, 551, 532, 120, 27, 2],
        [-0.01101, -0.04101, 0.03799, 0.04492],
    ),
    (
        "ﬁnance ½ Å e\u0301 한국 ｶﾀｶﾅ\u3000x\u00a0y\tz",
        [1, 19794, 32259, 73359, 165, 12288, 6, 39015, 56125, 257, 51, 381, 2],
        [-0.02246, -0.09483, -0.03752, 0.0719],
    ),
]
TRANSLATIONS = {
    "We moved the database from MySQL to PostgreSQL.": (
        "Wir haben die Datenbank von MySQL auf PostgreSQL umgestellt.",
        "Przenieśliśmy bazę danych z MySQL do PostgreSQL.",
        "データベースをMySQLからPostgreSQLに移行しました。",
    ),
    "I am allergic to peanuts.": (
        "Ich bin gegen Erdnüsse allergisch.",
        "Mam alergię na orzeszki ziemne.",
        "私はピーナッツアレルギーです。",
    ),
}


@pytest.fixture(scope="module")
def tokenizer(multilingual_cache: Path) -> SentencePiece:
    assert MULTILINGUAL.vocabulary is not None
    return SentencePiece((multilingual_cache / MULTILINGUAL.vocabulary.file_name).read_bytes())


@pytest.mark.parametrize(("text", "ids", "begins"), READ)
def test_a_text_is_read_as_the_carrier_reads_it(
    tokenizer: SentencePiece, multilingual: LocalEmbedder, text: str, ids: list[int], begins: list[float]
) -> None:
    assert tokenizer.encode(text, tokens_max=512) == ids
    assert np.allclose(multilingual.embed([text])[0][:4], begins, atol=2e-5)


def test_a_translation_is_nearer_than_a_stranger_in_the_same_language(multilingual: LocalEmbedder) -> None:
    (first, others), (second, strangers) = TRANSLATIONS.items()
    for english, same, far in ((first, others, strangers), (second, strangers, others)):
        known = multilingual.embed_query(english)
        assert min(multilingual.embed(same) @ known) > max(multilingual.embed(far) @ known) + 0.3


def test_marks_of_the_model_in_a_text_are_plain_text(tokenizer: SentencePiece) -> None:
    ids = tokenizer.encode("<s> hello </s>", tokens_max=512)
    assert (ids[0], ids[-1]) == (START, END)
    assert not {START, END} & set(ids[1:-1])


@pytest.mark.parametrize("text", ["", " \u3000\t", "\x00", "\ud800"])
def test_what_says_nothing_is_still_read(tokenizer: SentencePiece, text: str) -> None:
    ids = tokenizer.encode(text, tokens_max=512)
    assert (ids[0], ids[-1]) == (START, END)
    assert len(ids) > 2


def test_a_long_text_is_cut_to_the_limit(tokenizer: SentencePiece) -> None:
    assert len(tokenizer.encode("word " * 100_000, tokens_max=512)) == 512
    unheard_of = tokenizer.encode("\ue000" * 100_000, tokens_max=16)
    assert unheard_of[2:-1] == [UNKNOWN] * 13


@pytest.mark.parametrize("damaged", ["weights", "vocabulary"])
def test_a_damaged_file_is_unavailable_in_words(multilingual_cache: Path, tmp_path: Path, damaged: str) -> None:
    file = find_model(MULTILINGUAL, [multilingual_cache])
    assert file is not None
    broken = tmp_path / "broken"
    broken.write_bytes(b"PK\x03\x04 or something else")
    path = broken if damaged == "weights" else file.path
    vocabulary = broken if damaged == "vocabulary" else file.vocabulary
    with pytest.raises(ModelUnavailable, match="models fetch --multilingual"):
        LocalEmbedder(ModelFile(model=MULTILINGUAL, path=path, vocabulary=vocabulary)).embed(["text"])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("danke, das passt so für mich", False),
        ("der Build ist gerade rot, ich schaue mal", False),
        ("今ビルド中です", False),
        ("Ich bin Vegetarier und trinke keinen Kaffee", True),
        ("no usamos punto y coma en este proyecto", True),
        ("プルリクエストは日本語で書く", True),
    ],
)
async def test_chatter_in_other_languages_is_refused_and_what_matters_is_kept(
    multilingual_cache: Path, open_garden: Open, monkeypatch: pytest.MonkeyPatch, text: str, kept: bool
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    embedding = EmbeddingSettings(model="multilingual", folder=str(multilingual_cache))
    async with open_garden(settings=Settings(embedding=embedding)) as garden:
        verdict = await garden.remember(text)
        if kept:
            assert isinstance(verdict, Saved)
        else:
            assert isinstance(verdict, Refused)
            assert verdict.rule.id == "not-lasting"
            assert isinstance(await garden.remember(text, allow=("not-lasting",)), Saved)


async def test_a_turn_in_german_is_shown_what_matters_and_small_talk_nothing(
    multilingual_cache: Path, open_garden: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    embedding = EmbeddingSettings(model="multilingual", folder=str(multilingual_cache))
    async with open_garden(settings=Settings(embedding=embedding)) as garden:
        for text in (
            "Nach vier Uhr nachmittags wird nichts mehr ausgerollt.",
            "Commit-Nachrichten stehen im Imperativ, höchstens 60 Zeichen.",
            "Anna prüft den Code für Zahlungen.",
            "Die Staging-Datenbank läuft auf Port 5433.",
            "Die Versionshinweise schreibt Tom.",
        ):
            assert isinstance(await garden.remember(text), Saved), text
        await garden.settle()
        for turn, needed in (
            ("schreib bitte eine Commit-Nachricht für die Änderungen", "Imperativ"),
            ("wer soll die Änderung an den Zahlungen anschauen?", "Anna"),
            ("verbinde dich mit der Staging-Datenbank", "5433"),
        ):
            shown = await garden.turn(turn, session_id=turn, deadline_ms=60_000)
            assert shown is not None
            assert [line for line in shown.lines if needed in line.text]
            assert len(shown.lines) == 1
        assert await garden.turn("Moin! Eiskalt draußen heute", session_id="b", deadline_ms=60_000) is None


async def test_a_german_question_finds_an_english_memory_and_stats_name_the_model(
    multilingual_cache: Path, open_garden: Open
) -> None:
    embedding = EmbeddingSettings(model="multilingual", folder=str(multilingual_cache))
    async with open_garden(settings=Settings(embedding=embedding)) as garden:
        for text in (
            "The invoices are sent on the first day of every month",
            "Anna reviews everything under payments",
            "The kitchen has been painted green",
        ):
            await garden.remember(text)
        await garden.settle()
        found = await garden.recall("An welchem Tag verschicken wir die Rechnungen?")
        assert found.results[0].content == "The invoices are sent on the first day of every month"
        assert (await garden.stats()).embedding.model_id == MULTILINGUAL.id
