"""Expected ids were made once with the reference tokenizer of bge-small-en-v1.5."""

from __future__ import annotations

import gzip
import hashlib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.models.wordpiece import CLS, SEP, bert_uncased

KNOWN = [
    ("", [101, 102]),
    ("The quick brown fox.", [101, 1996, 4248, 2829, 4419, 1012, 102]),
    (
        "parse_config calls HTTPServer(port=8080)",
        [101, 11968, 3366, 1035, 9530, 8873, 2290, 4455, 16770, 2121, 6299, 1006, 3417, 1027, 3770, 17914, 1007, 102],
    ),
    ("Caf\xe9 na\xefve \xc5NGSTR\xd6M \u0130stanbul", [101, 7668, 15743, 17076, 15687, 9960, 102]),
    (
        "\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3 \u03c3\u03c4\u03af\u03c7\u03bf\u03c2",
        [101, 1169, 29722, 29735, 29733, 29733, 29723, 29735, 29733, 1173, 29734, 18199, 29737, 15297, 102],
    ),
    ("\u6771\u4eac\u30bf\u30ef\u30fc\u3068\u6f22\u5b57", [101, 1879, 1755, 1709, 30262, 30265, 30192, 1904, 100, 102]),
    (
        "\uc548\ub155\ud558\uc138\uc694 \uc138\uacc4",
        [101, 1463, 30006, 30021, 29992, 30010, 30025, 30005, 30006, 29997, 30009, 29999, 30013, 100, 102],
    ),
    (
        "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd",
        [101, 1266, 29799, 29792, 29800, 1259, 29792, 29799, 29800, 102],
    ),
    ("tab\tline\r\nnext\xa0space\u2028end", [101, 21628, 2240, 2279, 2686, 2203, 102]),
    ("zero\u200bwidth \x00nul\x07bell \ufffd", [101, 5717, 9148, 11927, 2232, 16371, 20850, 5349, 102]),
    ("emoji \U0001f600\U0001f680 and \u2705", [101, 7861, 29147, 2072, 100, 1998, 100, 102]),
    (
        "don't-stop_believin' \u2026 \u201cquoted\u201d",
        [101, 2123, 1005, 1056, 1011, 2644, 1035, 19337, 2666, 6371, 1005, 1529, 1523, 9339, 1524, 102],
    ),
    ("x" * 101 + " tail", [101, 100, 5725, 102]),
    ("1,234.56\u20ac \xbd \xb2", [101, 1015, 1010, 22018, 1012, 5179, 30102, 1092, 1082, 102]),
    ("e\u0301 combining", [101, 1041, 11566, 102]),
]


@pytest.mark.parametrize(("text", "ids"), KNOWN)
def test_a_text_becomes_the_ids_of_the_reference_tokenizer(text: str, ids: list[int]) -> None:
    assert bert_uncased().encode(text, tokens_max=512) == ids


def test_a_pair_marks_which_token_belongs_to_which_text() -> None:
    ids, segments = bert_uncased().encode_pair("Who sings?", "The bird.", tokens_max=64)
    assert ids == [101, 2040, 10955, 1029, 102, 1996, 4743, 1012, 102]
    assert segments == [0, 0, 0, 0, 0, 1, 1, 1, 1]


def test_the_longer_text_of_a_pair_gives_way() -> None:
    ids, segments = bert_uncased().encode_pair("one two", "word " * 100, tokens_max=20)
    assert len(ids) == len(segments) == 20
    assert segments.count(0) == 4
    ids, segments = bert_uncased().encode_pair("word " * 100, "one two", tokens_max=20)
    assert len(ids) == 20
    assert segments.count(1) == 3


def test_special_marks_inside_a_text_are_plain_words() -> None:
    inner = bert_uncased().encode("a [SEP] b [CLS]", tokens_max=64)[1:-1]
    assert SEP not in inner
    assert CLS not in inner


def test_ten_megabytes_are_read_no_further_than_needed() -> None:
    for text in ("x" * 10_000_000, "x-" * 5_000_000, "many words " * 900_000):
        assert len(bert_uncased().encode(text, tokens_max=512)) <= 512


def test_the_vocabulary_is_the_original_byte_for_byte() -> None:
    packed = resources.files("nightgarden.models").joinpath("data/bert-base-uncased-vocab.txt.gz").read_bytes()
    notice = resources.files("nightgarden.models").joinpath("data/NOTICE").read_text(encoding="utf-8")
    assert hashlib.sha256(gzip.decompress(packed)).hexdigest() in notice
    assert "Apache-2.0" in notice


@given(st.text(st.characters(), max_size=300), st.integers(min_value=3, max_value=64))
def test_any_text_becomes_known_ids_between_its_marks_within_the_limit(text: str, tokens_max: int) -> None:
    ids = bert_uncased().encode(text, tokens_max=tokens_max)
    assert ids[0] == CLS
    assert ids[-1] == SEP
    assert len(ids) <= tokens_max
    assert all(0 <= number < 30_522 for number in ids)


@given(st.text(), st.text(), st.integers(min_value=5, max_value=64))
def test_any_pair_fits_the_limit(first: str, second: str, tokens_max: int) -> None:
    ids, segments = bert_uncased().encode_pair(first, second, tokens_max=tokens_max)
    assert len(ids) == len(segments) <= tokens_max
    assert segments == sorted(segments)
