"""Whether two statements that do not conflict say the same. Pure.

Knows words, gaps and the cosine. Signs of contradiction were looked for before, in `decide`.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.domain.text import jaccard, words
from nightgarden.remember.compare import relation as found
from nightgarden.remember.compare.align import Alignment, agree
from nightgarden.remember.compare.differences import Difference, Sign
from nightgarden.remember.compare.lexicon.opposites import opposed
from nightgarden.remember.compare.relation import Comparison, Relation
from nightgarden.remember.compare.statement import Statement

# Measured in docs/why/duplicates-and-contradictions.md.
JACCARD_SAME = 0.85  # taken over from an earlier system of this kind; not measured here
COSINE_SAME = 0.88  # 0.90 would do for cosine alone; here nothing that differs may conflict
COSINE_SAME_CLEAN = 0.85  # three quarters of the words shared, the rest is said by one side only
COSINE_SAME_OTHER_WORDS = 0.90  # words it does not know stand in each other's place, and it is not the only difference
COSINE_SAME_NEW_NAME = 0.92  # the newer names something the older does not


def compare_words_alone(old: str, new: str, one: Statement, other: Statement) -> Comparison:
    if one.negators == other.negators and jaccard(words(old), words(new)) >= JACCARD_SAME and words(old):
        return Comparison(relation=Relation.SAME, rule=found.SAME_WORDS)
    return Comparison(relation=Relation.UNRELATED, rule=found.APART)


def differ_in_notation(one: Statement, other: Statement) -> bool:
    """Whether all that differs is how a number is written: "90 jours" and "quatre-vingt-dix jours", "2 GB" and "2048
    MB"."""
    if len(one.words) != len(other.words) or not any(word.numeric for word in one.content):
        return False
    pairs = zip(one.words, other.words, strict=True)
    return all(agree(a, b) if a.numeric and a.kind is b.kind else a.low == b.low for a, b in pairs)


def find_same(
    old: str,
    new: str,
    one: Statement,
    other: Statement,
    laid: Alignment,
    differences: list[Difference],
    cosine: float | None,
) -> Comparison | None:
    turned = sum(
        one.content[i].key != other.content[j].key and opposed(one.content[i].key, other.content[j].key)
        for i, j in laid.pairs
    )
    if abs(one.negators - other.negators) != turned:  # "not enabled" and "disabled": one negator less, one word turned
        return None
    replaced = [d for d in differences if d.sign is not Sign.EXTRA]
    added = any(word.specific for d in differences for word in d.new)
    if not replaced and not added and (laid.overlap >= 0.95 or jaccard(words(old), words(new)) >= JACCARD_SAME):
        return Comparison(relation=Relation.SAME, rule=found.SAME_WORDS)
    if (replaced and is_minimal(one, other) and not all(map(_spelled_alike, replaced))) or _differs_in_one(one, other):
        return None  # one unknown word for another in an equal frame: similarity cannot tell a synonym from an opposite
    if added:
        numbers = any(word.numeric for d in differences for word in d.new)
        if numbers or (not is_long(one, other) and (replaced or laid.overlap < 0.8)):
            return None
        needed = COSINE_SAME_NEW_NAME
    elif replaced:
        needed = COSINE_SAME_OTHER_WORDS
    else:
        needed = COSINE_SAME_CLEAN if laid.overlap >= 0.75 else COSINE_SAME
    if cosine is not None and cosine >= needed:
        return Comparison(relation=Relation.SAME, rule=found.SAME_MEANING, detail=f"{cosine:.2f}")
    return None


def is_long(one: Statement, other: Statement) -> bool:
    """Sentences of ten content words and more: one name said or left out does not make another fact of them."""
    return min(len(one.content), len(other.content)) >= 10


def _spelled_alike(difference: Difference) -> bool:
    """A slip of the pen or another form of the word: colour/color, playing/palying, migration/migrating."""
    if len(difference.old) != 1 or len(difference.new) != 1:
        return False
    one, other = difference.old[0].low, difference.new[0].low
    shared = _run(one, other)
    return (
        (one + other).isalpha()
        and len(one) > 4
        and (shared >= 0.6 * max(len(one), len(other)) or sorted(one) == sorted(other))
    )


def is_minimal(one: Statement, other: Statement, *, run: int = 3, spots: int = 2) -> bool:
    """Do they differ in one short run of words or in two words only, the rest being the same to the letter?"""
    left, right = [word.low for word in one.words], [word.low for word in other.words]
    start = _run(left, right)
    end = _run(left[start:][::-1], right[start:][::-1])
    if max(len(left), len(right)) - start - end <= run:
        return True
    return len(left) == len(right) and sum(a != b for a, b in zip(left, right, strict=True)) <= spots


def _differs_in_one(one: Statement, other: Statement) -> bool:
    """Is one word with a meaning of its own exchanged for a small one ("often", "always"), and nothing else?"""
    if len(one.words) != len(other.words):
        return False
    spots = [(a, b) for a, b in zip(one.words, other.words, strict=True) if not agree(a, b)]
    return len(spots) == 1 and spots[0][0].content != spots[0][1].content


def _run(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items the two begin with in common."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
