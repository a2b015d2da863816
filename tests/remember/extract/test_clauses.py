"""Which clauses of a sentence are kept, given how its words score."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from tests.remember.scripted import Scripted

from nightgarden.remember.extract.clauses import BELONGS_MIN, belonging, clause_spans, features

SENTENCE = "No hurry with merging, launches are on Thursdays"


def kept(text: str, *clauses: str) -> list[str]:
    """The clauses that belong to what a sentence says, if the words of these score high and all others low."""
    wanted = set(" ".join(clauses).replace(",", "").split())
    words = Scripted(keep=lambda word: word in wanted).read_message(text, previous="").words
    spans = list(clause_spans(text, 0, len(text)))
    likely = belonging(text, words, spans)
    return [text[start:end] for (start, end), each in zip(spans, likely, strict=True) if each >= BELONGS_MIN]


def test_a_request_beside_the_statement_is_left_out() -> None:
    assert kept(SENTENCE, "launches are on Thursdays") == ["launches are on Thursdays"]


def test_a_sentence_all_of_whose_words_score_high_is_kept_whole() -> None:
    assert kept(SENTENCE, SENTENCE) == ["No hurry with merging", "launches are on Thursdays"]


@given(st.text(alphabet="ab,;:()- —，、\n.", max_size=60))
def test_clauses_stand_in_order_and_hold_all_but_the_marks(text: str) -> None:
    spans = list(clause_spans(text, 0, len(text)))
    assert all(start <= end for start, end in spans)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
    said = "".join(text[start:end] for start, end in spans)
    assert [char for char in said if char in "ab"] == [char for char in text if char in "ab"]


@given(st.text(max_size=60))
def test_every_clause_of_any_text_gets_a_share(text: str) -> None:
    words = Scripted(keep=lambda word: len(word) > 3).read_message(text, previous="").words
    spans = list(clause_spans(text, 0, len(text)))
    assert all(0.0 <= each <= 1.0 for each in belonging(text, words, spans))
    assert len(features(text, words, spans)) == len(spans)
