"""Which word pieces ship: all of the common ones, and every single character, so that no script is unreadable."""

from __future__ import annotations

from nightgarden.models.wordpiece import bert_uncased

# The vocabulary is sorted by how common a word was, after marks and single characters; the last are rare names.
COMMON = 16_100


def used_pieces() -> set[int]:
    """Ids that get a row of their own."""
    words = bert_uncased().pieces()
    short = {number for word, number in words.items() if len(word.removeprefix("##")) <= 2}
    marks = {number for word, number in words.items() if word.startswith("[unused")}
    common = {number for number in words.values() if number < COMMON}
    return (common | short | {words["[PAD]"]}) - marks
