"""How two statements relate by exact signs alone, where no network reads them. Pure.

Sees nearly the same words, and in nearly the same words another value, a denial or an opposite. It never replaces
anything by itself, but for what names the very value that it ends. What is said in other words stands beside.
"""

from __future__ import annotations

from nightgarden.domain.text import dedupe_key, jaccard, words
from nightgarden.remember.compare.align import agree, align
from nightgarden.remember.compare.guards import PairSigns, directions
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.lexicon.alike import lemma
from nightgarden.remember.compare.lexicon.classes import classes_of
from nightgarden.remember.compare.lexicon.opposites import opposed
from nightgarden.remember.compare.relation import (
    APART,
    CHANGED,
    DETAIL,
    NEGATION,
    OPPOSITE,
    OTHER_NUMBER,
    SAME_MEANING,
    SAME_WORDS,
    Comparison,
    Relation,
    perhaps,
    surely,
)
from nightgarden.remember.compare.statement import Word, read

JACCARD_SAME = 0.85  # taken over from an earlier system of this kind; not measured here
COSINE_SAME = 0.90  # of bge-small
COSINE_TOPIC = 0.72  # of bge-small; unrelated memories have 0.42 to 0.75, half of them below 0.60
SHARED_MIN = 0.7  # of the words that are no values, from which a sign of conflict is asked about; taste
_EITHER_WAY = grammar.COPULAS | {"by"}
_DAYS = {"weekday", "month"}
_QUANTIFIER_STEP = 1  # "all" and "most" are one step apart, "all" and "some" more


def is_exact(older: str, newer: str) -> bool:
    """Whether the two are the same to the letter, or but for how a number is written: "2 GB" and "2048 MB"."""
    return dedupe_key(older) == dedupe_key(newer) or _differ_in_notation(older, newer)


def compare_by_signs(older: str, newer: str, signs: PairSigns, *, cosine: float | None) -> Comparison:
    """How the newer statement relates to the older one, where they are not the same to the letter."""
    if signs.names_what_it_ends and not signs.shares_little and not signs.older_says_more:
        return surely(CHANGED)
    near, conflict = (cosine or 0.0) >= COSINE_SAME, _conflict(older, newer, signs)
    if conflict is not None and _shared(older, newer) >= SHARED_MIN:
        return conflict
    clear = conflict is None and signs.mergeable and not signs.doubtful
    if clear and not _says_something_new(older, newer) and not _may_be_turned_round(older, newer):
        if signs.repeats or jaccard(words(older), words(newer)) >= JACCARD_SAME:
            return Comparison(relation=Relation.SAME, rule=SAME_WORDS)
        if near:
            return Comparison(relation=Relation.SAME, rule=SAME_MEANING)
    if signs.shared_terms > 1 or (cosine or 0.0) >= COSINE_TOPIC:
        return Comparison(relation=Relation.ADDS, rule=DETAIL)
    return Comparison(relation=Relation.UNRELATED, rule=APART)


def _conflict(older: str, newer: str, signs: PairSigns) -> Comparison | None:
    before, after = read(older), read(newer)
    if signs.one_denies or before.negators != after.negators:  # "without approval", "never without approval"
        return perhaps(NEGATION)
    if signs.another_value or _another_day(older, newer):
        return perhaps(OTHER_NUMBER)
    gone, come = before.lows - after.lows, after.lows - before.lows
    turned = any(opposed(lemma(one), lemma(other)) for one in gone for other in come)
    return perhaps(OPPOSITE) if turned or signs.opposed or _other_quantifier(gone, come) else None


def _another_day(older: str, newer: str) -> bool:
    """Whether each names one day or month, and not the same."""
    days = [{word.key for word in read(text).content if classes_of(word.key) & _DAYS} for text in (older, newer)]
    return len(days[0]) == len(days[1]) == 1 and days[0] != days[1]


def _shared(older: str, newer: str) -> float:
    """The share of the longer one's telling words, values left out, that the other has too."""
    one, other = ([word for word in read(text).content if not _is_value(word)] for text in (older, newer))
    there = sum(any(agree(word, each) or opposed(word.key, each.key) for each in other) for word in one)
    return min(there, len(other)) / max(len(one), len(other), 1)


def _is_value(word: Word) -> bool:
    return word.numeric or bool(classes_of(word.key) & _DAYS)


def _other_quantifier(gone: frozenset[str], come: frozenset[str]) -> bool:
    ranks = [[grammar.QUANTIFIERS[word] for word in each if word in grammar.QUANTIFIERS] for each in (gone, come)]
    return any(abs(one - other) > _QUANTIFIER_STEP for one in ranks[0] for other in ranks[1])


def _says_something_new(older: str, newer: str) -> bool:
    """Whether the newer one has a word of its own. In an else equal frame that is as often an opposite as a synonym,
    and no likeness of the two tells which."""
    laid = align(read(older), read(newer))
    return len(laid.pairs) + len(laid.moved) < len(read(newer).content)


def _may_be_turned_round(older: str, newer: str) -> bool:
    """ "Migrate before deploying", "deploy before migrating"; "the file overrides the variables", "the variables
    override the file". What is said in the passive, or of a value ("main is the default"), may be told either way."""
    one, other = read(older), read(newer)
    if directions(newer) and align(one, other).moved:
        return True
    if (one.lows | other.lows) & _EITHER_WAY or not (one.content and other.content):
        return False
    return not agree(one.content[0], other.content[0]) and not agree(one.content[-1], other.content[-1])


def _differ_in_notation(older: str, newer: str) -> bool:
    one, other = read(older), read(newer)
    if len(one.words) != len(other.words) or not any(word.numeric for word in one.content):
        return False
    pairs = zip(one.words, other.words, strict=True)
    return all(agree(a, b) if a.numeric and a.kind is b.kind else a.low == b.low for a, b in pairs)
