"""Which word pieces ship: the common ones, figures, and every single character, so that no script is unreadable. The
rest are read as the one most like them."""

from __future__ import annotations

from nightgarden.models.wordpiece import bert_uncased

# The vocabulary is sorted by how common a word was, after marks and single characters; the last are rare names.
COMMON = 13_300


def used_pieces() -> tuple[set[int], set[int]]:
    """Ids that get a row of their own, and those of the pieces that are read as another."""
    words = bert_uncased().pieces()
    figures = {number for word, number in words.items() if word.removeprefix("##").isdecimal()}  # 341 is not 175
    short = {number for word, number in words.items() if len(word.removeprefix("##")) <= 2}
    marks = {number for word, number in words.items() if word.startswith("[unused")}
    common = {number for number in words.values() if number < COMMON}
    used = (common | figures | short | {words["[PAD]"]}) - marks
    return used, set(words.values()) - used - marks
