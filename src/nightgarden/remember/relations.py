"""How a new statement relates to a known one: learned likelihood, weighed by what a mistake costs.

Replacing a true fact or merging opposites loses something; a flag or a second copy costs a glance. So a replacement
needs near certainty and no sign of an exception; nothing is merged against a number or an opposite, and little against
a denial or the order of names; what is only likely is flagged. Thresholds were chosen on writers whose texts the
classifier had not seen: docs/why/classifier.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nightgarden.domain.classify import RelationScores, VectorScores
from nightgarden.domain.memory import Category, Memory
from nightgarden.domain.text import fold
from nightgarden.domain.verdict import Rule
from nightgarden.remember.among import AmongOthers
from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.guards import PairSigns, denied
from nightgarden.remember.compare.relation import APART, CHANGED, DETAIL, EXACT, SAME_MEANING, perhaps, surely
from nightgarden.remember.likelihood import Likelihood, likelihood

SAME_MIN = 0.7  # to merge, with nothing exact against it
SAME_MIN_DOUBTFUL = 0.8  # where a sign speaks against it
# Of the validating writers' merges where the deep networks see another relation as well a fourth were opposites, and
# most of the rest special cases.
SAME_RIVAL_MAX, SAME_ALONE_MIN = 0.1, 0.8  # of a change, and of what the networks alone say
SAME_BESIDE_MAX = 0.19  # narrower or an exception
REPLACES_MIN = 0.8
REPLACES_MIN_TOLD = 0.77  # where the newer one speaks of a change: moved to, now, no longer
REPLACES_MIN_MOVED = 0.5  # where it names another file or host as well: "moved to src/load.ts"
REPLACES_MIN_NAMED = 0.45  # where it names what it ends: "from 10 to 20 seconds", "five instead of three"
REPLACES_MIN_NEWS = 0.6  # where the message that it was said in tells a change, as the classifier reads it
NEWS_MIN = 0.7  # of what the classifier says of a statement, for it to be told as a change
REPLACES_MIN_ANOTHER_VALUE = 0.85  # of same and changes together, where the two tell different values of one kind
REPLACES_MIN_APART = 0.74  # where the words do not say that the two are about one thing; the deep network alone knows
# Said by the networks alone: "550 pounds" and "580 a day" are no two units then.
REPLACES_CERTAIN = 0.95
REPLACES_WHOLE = 0.9  # where the older one has a clause more that does not stand alone
STANDS_BESIDE_MAX = 0.3  # narrower or an exception: then nothing is replaced
FLAG_MIN = 0.45
# A sentence that tells of a change reads like one beside any other. So the two must be about one thing by their words,
# or by fewer words and the embedding model; without that, near certainty is asked for.
SHARED_TERMS_MIN = 2
SHARED_TERMS_MIN_NEAR = 1
NEAR_MIN = 0.7  # cosine of bge-small
PARAPHRASE_MIN = 0.8  # of the same, for what shares no word at all
PARAPHRASE_MIN_CERTAIN = 0.65  # where the deep networks, reading both ways, say so much: "hours go into Clockodo"
SAME_CERTAIN = 0.97
LINKED_MIN = 0.9  # of one score
# Among several neighbours: docs/why/classifier.md, "Among others".
AMONG_ENDS_MIN = 0.65
AMONG_ENDS_PAIR_MIN = 0.3  # of the two alone
AMONG_ENDS_PAIR_MIN_APART = 0.5  # where the words do not say that the two are about one thing
AMONG_FLAG_MIN, AMONG_FLAG_KEPT_MIN = 0.35, 0.2
AMONG_SAME_MIN, AMONG_SAME_MIN_DOUBTFUL = 0.6, 0.7
AMONG_SAME_PAIR_MIN = 0.4  # of the two alone
AMONG_RIVAL_MAX = 0.2  # of a change, for a repetition: "the why first" and "the code first" are much alike
AMONG_STANDS_BESIDE_MAX = 0.4  # narrower or an exception

_FALLS_TO_REVERSALS = (Category.NEGATIVE, Category.CORRECTION)
_WISHES = (Category.PREFERENCE, Category.CONVENTION)
_FORBIDS = frozenset(
    "never don't don’t nie niemals nunca jamas jamais ne nao mai non nooit nigdy никогда не".split()
)  # as the first word, whatever kind it is filed as
_FORBIDS_WORDS = 7  # at the start of a wish, among which it says what is not wanted
LEARNED_CHANGE = Rule(id="outdated", sentence="The newer one makes the older one outdated.")
LEARNED_NARROWER = Rule(id="narrower", sentence="The newer one is a special case of the older one, or adds to it.")
LEARNED_EXCEPTION = Rule(id="exception", sentence="The newer one is an exception to the older one.")

ADDED = Rule(id="in-addition", sentence="The newer one adds to the older one, and ends nothing.")
TAKEN_BACK = Rule(id="taken-back", sentence="The newer one takes back what the older one forbids.")
BESIDE = (LEARNED_NARROWER, LEARNED_EXCEPTION, ADDED)  # linked to what they stand beside


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEvidence:
    """What is known of two statements that are not the same to the letter."""

    scores: RelationScores | None  # None: the classifier was not asked
    cosine: float | None = None
    by_vectors: VectorScores | None = None
    signs: PairSigns = field(default_factory=PairSigns)
    news: float = 0.0  # how much the newer one was told as a change, by the message that it was read from

    @property
    def likelihood(self) -> Likelihood | None:
        """None when the classifier was not asked, or has not learned to read one of the two."""
        if self.scores is None or self.signs.unread:
            return None
        return likelihood(self.scores, self.signs, self.by_vectors)

    @property
    def stands_beside(self) -> bool:
        """Whether the classifier takes the newer one for a special case or an exception."""
        return self.scores is not None and self.scores.narrows + self.scores.excepts >= STANDS_BESIDE_MAX

    @property
    def about_one_thing(self) -> bool:
        near = self.cosine is not None and self.cosine >= NEAR_MIN
        enough = self.signs.shared_terms >= (SHARED_TERMS_MIN_NEAR if near else SHARED_TERMS_MIN)
        return enough and not self.signs.shares_little


def weigh(evidence: PairEvidence) -> Comparison | None:
    """The relation to act upon; None where nobody has read the two."""
    likely, scores = evidence.likelihood, evidence.scores
    if scores is None or likely is None:
        return None
    if _is_same(evidence, scores, likely):
        return Comparison(relation=Relation.SAME, rule=SAME_MEANING)
    about = evidence.about_one_thing or (scores.deep and likely.changes >= REPLACES_MIN_APART)
    if evidence.signs.goes_with or not about:
        return _beside(scores)
    if _replaces(evidence, scores, likely):
        return surely(LEARNED_CHANGE)
    if likely.changes >= FLAG_MIN or _differs_in_value(evidence, likely):
        return perhaps(LEARNED_CHANGE)
    return _beside(scores)


def weigh_among(
    evidence: PairEvidence,
    alone: Comparison,
    judged: AmongOthers,
    *,
    likeliest_to_end: bool,
    likeliest_the_same: bool,
) -> Comparison:
    """The relation to act upon where there are other neighbours: `alone` is what the two say by themselves. One
    neighbour at most is ended, and one repeated."""
    scores, signs, likely = evidence.scores, evidence.signs, evidence.likelihood
    if scores is None or likely is None or alone.rule is EXACT:
        return alone
    ends = judged.changes >= judged.same
    told_apart = likely.changes < AMONG_RIVAL_MAX and scores.narrows + scores.excepts < STANDS_BESIDE_MAX
    if likeliest_the_same and not ends and told_apart and _repeats_among(evidence, judged, likely):
        return Comparison(relation=Relation.SAME, rule=SAME_MEANING)
    if alone.relation is Relation.SAME:
        return alone
    blocked = signs.goes_with or signs.roles_swapped or signs.older_says_more
    narrower = scores.narrows + scores.excepts >= AMONG_STANDS_BESIDE_MAX
    needed = AMONG_ENDS_PAIR_MIN if evidence.about_one_thing else AMONG_ENDS_PAIR_MIN_APART
    sure = judged.changes >= AMONG_ENDS_MIN and likely.changes >= needed
    sure = sure or (signs.names_what_it_ends and likely.changes >= REPLACES_MIN_NAMED)
    if likeliest_to_end and sure and not blocked and not narrower:
        return surely(LEARNED_CHANGE)
    if likeliest_to_end and judged.changes >= AMONG_FLAG_MIN and ends:
        return alone if alone.contradicts else perhaps(LEARNED_CHANGE)
    if alone.contradicts and not (likeliest_to_end and judged.changes >= AMONG_FLAG_KEPT_MIN):
        return _beside(scores)
    return alone


def _repeats_among(evidence: PairEvidence, judged: AmongOthers, likely: Likelihood) -> bool:
    """The company adds to what a pair says, and does not take its place: what is forbidden and what is not are two
    rules, however far off the others are, and so are two that share no word and lie apart."""
    signs = evidence.signs
    if not evidence.about_one_thing and (evidence.cosine is None or evidence.cosine < PARAPHRASE_MIN_CERTAIN):
        return False
    if not signs.mergeable or signs.one_denies or likely.same < AMONG_SAME_PAIR_MIN:
        return False
    return judged.same >= (AMONG_SAME_MIN_DOUBTFUL if signs.doubtful else AMONG_SAME_MIN)


def may_fall(known: Memory, comparison: Comparison, evidence: PairEvidence) -> bool:
    """Whether a sure conflict is enough to replace this memory. What the user forbade or corrected falls only to an
    explicit reversal: one that the classifier takes for a change and nothing else or, without it, one that says itself
    that something changed."""
    if comparison.rule is TAKEN_BACK or not stands_until_reversed(known):
        return True
    if evidence.scores is None or evidence.signs.unread:
        return comparison.rule is CHANGED
    return evidence.scores.changes >= REPLACES_MIN


def is_forbidden(text: str) -> bool:
    """Whether it forbids outright, by the word that it begins with: "Never use eval". "We don't use eval" tells what is
    so, and ends with it."""
    start = fold(text).split()[:1]
    return bool(start) and start[0].casefold().strip(",:") in _FORBIDS


def stands_until_reversed(known: Memory) -> bool:
    """Whether it is something the user forbade or corrected, which an exception or a special case does not end. "I
    don't want the database mocked" forbids, whatever it was filed under."""
    start = known.content.split()[:_FORBIDS_WORDS]
    if known.category in _FALLS_TO_REVERSALS or is_forbidden(known.content):
        return True
    return known.category in _WISHES and denied(" ".join(start))


def _is_same(evidence: PairEvidence, scores: RelationScores, likely: Likelihood) -> bool:
    signs = evidence.signs
    if signs.repeats:
        return True
    if not signs.mergeable or _may_be_another(scores, likely):
        return False
    certain = scores.deep and scores.same >= SAME_CERTAIN and not signs.doubtful
    near = evidence.cosine is not None and evidence.cosine >= (PARAPHRASE_MIN_CERTAIN if certain else PARAPHRASE_MIN)
    if not (near or evidence.about_one_thing):
        return False
    return likely.same >= (SAME_MIN_DOUBTFUL if signs.doubtful else SAME_MIN)


def _may_be_another(scores: RelationScores, likely: Likelihood) -> bool:
    """Whether what looks the same may as well be a change, or narrower."""
    changed = likely.changes > SAME_RIVAL_MAX and scores.same < SAME_ALONE_MIN
    return scores.deep and (changed or scores.narrows + scores.excepts > SAME_BESIDE_MAX)


def _replaces(evidence: PairEvidence, scores: RelationScores, likely: Likelihood) -> bool:
    """Near certainty; no special case, no exception, and nothing lost that only the older one says."""
    signs = evidence.signs
    if signs.older_says_more and not _falls_whole(evidence, likely):
        return False
    if signs.older_narrower or signs.roles_swapped:  # who reviews whom: the reverse may hold as well
        return False
    if signs.other_units and scores.changes < REPLACES_CERTAIN:
        return False
    needed = REPLACES_MIN_TOLD if signs.told_as_change else REPLACES_MIN
    if signs.told_as_change and signs.other_paths:
        needed = REPLACES_MIN_MOVED
    if evidence.news >= NEWS_MIN:
        needed = min(needed, REPLACES_MIN_NEWS)
    if signs.names_what_it_ends:
        needed = min(needed, REPLACES_MIN_NAMED)
    if not evidence.about_one_thing:
        needed = REPLACES_MIN_APART if scores.deep else 1.0
    elif _differs_in_value(evidence, likely):
        needed = 0.0
    return likely.changes >= needed and scores.narrows + scores.excepts < STANDS_BESIDE_MAX


def _falls_whole(evidence: PairEvidence, likely: Likelihood) -> bool:
    """Whether what only the older one says hangs on what it says of the same thing: "Darko is our backend guy, all API
    questions go to him" ends with "Mirela took over the backend"."""
    return likely.changes >= REPLACES_WHOLE and not evidence.signs.older_is_two


def _differs_in_value(evidence: PairEvidence, likely: Likelihood) -> bool:
    """Two statements of one matter with different values: to the classifier "at 1 am" and "at 03:15" are much alike, so
    it may take them for the same; which of the two it is, the values tell."""
    return evidence.signs.another_value and likely.same + likely.changes >= REPLACES_MIN_ANOTHER_VALUE


def _beside(scores: RelationScores) -> Comparison:
    """Both stand; a clear special case or exception is told apart, because it is linked to what it narrows."""
    if scores.unrelated > max(scores.narrows, scores.excepts, scores.compatible):
        return Comparison(relation=Relation.UNRELATED, rule=APART)
    named = LEARNED_NARROWER if scores.narrows >= scores.excepts else LEARNED_EXCEPTION
    clear = max(scores.narrows, scores.excepts) >= LINKED_MIN
    return Comparison(relation=Relation.ADDS, rule=named if clear else DETAIL)
