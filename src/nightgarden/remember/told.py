"""What the newer of two statements says outright of its relation to the older one, whatever classifier or signs made
of the two: that it took the place of something, that it adds, that it is an exception, or that a rule is
taken back. Pure.

It only ever holds back, but for two things that are told in so many words: a replacement of what the older one says is
used, and a rule that is taken back as a whole. What is the same to the letter is not looked at.
"""

from __future__ import annotations

from nightgarden.domain.memory import Memory
from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.beside import (
    adds,
    differ_in_one_word,
    forbids,
    forbids_one_more,
    has_narrower_subject,
    is_lifted,
    is_of_a_case,
    is_on_the_same,
    lifts,
    permits,
    says_nothing_new,
    says_of_what,
    says_when,
    shared_words,
    takes_back,
    tells_a_change,
)
from nightgarden.remember.compare.bounds import are_opposite_bounds, leave_no_room, share_a_number
from nightgarden.remember.compare.ended import denies_it, is_over_elsewhere, says_it_goes_on
from nightgarden.remember.compare.guards import says_more
from nightgarden.remember.compare.relation import CHANGED, DETAIL, EXACT, NEGATION, OPPOSITE, perhaps, surely
from nightgarden.remember.compare.replacement import Replacement, find_replacement
from nightgarden.remember.compare.statement import read
from nightgarden.remember.compare.unreal import is_unreal
from nightgarden.remember.relations import (
    ADDED,
    LEARNED_EXCEPTION,
    LEARNED_NARROWER,
    TAKEN_BACK,
    PairEvidence,
    is_forbidden,
    stands_until_reversed,
)
from nightgarden.remember.whose import is_of_another_party, tells_own_name

_SHARED_MIN = 2  # words, for a case to be linked to what it is a case of
_ADDED = Comparison(relation=Relation.ADDS, rule=ADDED)
_EXCEPTION = Comparison(relation=Relation.ADDS, rule=LEARNED_EXCEPTION)
_NARROWER = Comparison(relation=Relation.ADDS, rule=LEARNED_NARROWER)


def as_told(comparison: Comparison, known: Memory, new: Memory, evidence: PairEvidence) -> Comparison:
    """The comparison to act upon."""
    if comparison.rule is EXACT or (known.procedure is not None and new.procedure is not None):
        return comparison
    if are_opposite_bounds(known.content, new.content):
        return _of_two_bounds(comparison, known, new)
    told = _as_told(comparison, known, new, evidence)
    if not _is_sure(told):
        return told
    weighed = _is_sure(comparison) and evidence.scores is not None  # what only the older one says, too
    spared = _ends_nothing(known, new) or (not weighed and says_more(known.content, new.content))
    return perhaps(told.rule) if spared else told


def _as_told(comparison: Comparison, known: Memory, new: Memory, evidence: PairEvidence) -> Comparison:
    if (found := _goes_on(comparison, known, new)) is not None:
        return found
    if (found := _replaced(comparison, known, new, evidence)) is not None:
        return found
    for look in (_introduced, _added, _against_a_rule, _beside):
        if (found := look(comparison, known, new)) is not None:
            return found
    return comparison


def _of_two_bounds(comparison: Comparison, known: Memory, new: Memory) -> Comparison:
    """ "At least 5" is never "at most 5": with one number the two are asked about, and else they are both ends."""
    if comparison.relation is Relation.SAME:
        asked = share_a_number(known.content, new.content)
        return perhaps(OPPOSITE) if asked else Comparison(relation=Relation.ADDS, rule=DETAIL)
    if _is_sure(comparison) and not leave_no_room(known.content, new.content):
        return perhaps(OPPOSITE)
    return comparison


def _ends_nothing(known: Memory, new: Memory) -> bool:
    """Whether what it tells is wished, planned or somebody else's, and the known statement is not; or is the end of
    something with a name of its own ("we dropped Svelte for React") that the known one does not name."""
    if is_unreal(new.content) and not is_unreal(known.content):
        return True
    if is_over_elsewhere(known.content, new.content) or is_of_another_party(new.content, known.content):
        return True
    told = find_replacement(new.content)
    if told is None or told.concerns(read(known.content)):
        return False
    names = [word.low for word in told.old if word.text[:1].isupper()]
    return bool(names) and not any(name in known.content.casefold() for name in names)


def _goes_on(comparison: Comparison, known: Memory, new: Memory) -> Comparison | None:
    """ "We have not replaced Sentry" ends nothing, and tells more than "We use Sentry"; to "We replaced Sentry" it is
    the opposite."""
    if not says_it_goes_on(new.content) or says_it_goes_on(known.content) or denies_it(known.content, new.content):
        return None
    return _NARROWER if comparison.contradicts or comparison.relation is Relation.SAME else None


def _replaced(comparison: Comparison, known: Memory, new: Memory, evidence: PairEvidence) -> Comparison | None:
    told, before = find_replacement(new.content), read(known.content)
    if told is None or not told.concerns(before):
        return None
    if not told.happened or forbids(known.content):
        return _NARROWER if comparison.relation is Relation.SAME else None
    of_use = told.ends(before) or _came_with(known, told)
    if of_use and not told.narrower(before) and not evidence.stands_beside:
        return surely(CHANGED)
    if comparison.relation is Relation.CONTRADICTS_MAYBE or (_is_sure(comparison) and not of_use):
        return comparison
    return perhaps(CHANGED)


def _came_with(known: Memory, told: Replacement) -> bool:
    """Whether the known statement tells how that came which now went: "Exim replaced Postfix", "OpenSMTPD Exim"."""
    earlier = find_replacement(known.content)
    return earlier is not None and earlier.happened and {w.key for w in earlier.new} == {w.key for w in told.old}


def _introduced(comparison: Comparison, known: Memory, new: Memory) -> Comparison | None:
    """What the user is called ends and repeats nothing but what they were called."""
    if not comparison.contradicts and comparison.relation is not Relation.SAME:
        return None
    alone = tells_own_name(new.content) and not tells_own_name(known.content)
    return Comparison(relation=Relation.ADDS, rule=DETAIL) if alone else None


def _added(comparison: Comparison, known: Memory, new: Memory) -> Comparison | None:
    near = comparison.relation is not Relation.UNRELATED
    return _ADDED if near and adds(known.content, new.content) else None


def _against_a_rule(comparison: Comparison, known: Memory, new: Memory) -> Comparison | None:
    """What was forbidden: it falls to what takes it back as a whole and nothing less."""
    if not stands_until_reversed(known) or not forbids(known.content) or forbids(new.content):
        return None
    if is_lifted(known.content, new.content):
        return surely(TAKEN_BACK)
    unlifted = is_forbidden(known.content) and not lifts(new.content)
    unsaid = unlifted and _is_sure(comparison) and not says_nothing_new(known.content, new.content)
    if not is_on_the_same(known.content, new.content):
        return perhaps(NEGATION) if unsaid else None
    narrower = says_of_what(known.content, new.content) or says_when(new.content)
    if takes_back(new.content):
        if not narrower:
            return perhaps(NEGATION) if unlifted else surely(TAKEN_BACK)
        return perhaps(comparison.rule) if comparison.contradicts else None
    if narrower:
        return None if comparison.relation is Relation.SAME else _EXCEPTION
    return perhaps(NEGATION) if unsaid else None  # the plain opposite of the whole rule


def _beside(comparison: Comparison, known: Memory, new: Memory) -> Comparison | None:
    """Exceptions, special cases and one more of a kind are neither asked about nor left without a link."""
    one, other = known.content, new.content
    if comparison.relation is Relation.SAME or takes_back(other) or tells_a_change(other):
        return None
    if forbids_one_more(one, other) and (comparison.contradicts or differ_in_one_word(one, other)):
        return _ADDED
    if has_narrower_subject(one, other):
        return None if _is_sure(comparison) and not stands_until_reversed(known) else _NARROWER
    if _is_sure(comparison):
        return None
    if permits(other) and not permits(one) and shared_words(one, other):
        return _EXCEPTION
    case = is_of_a_case(other) or (says_when(other) and not comparison.contradicts)
    near = is_on_the_same(one, other) or (not comparison.contradicts and shared_words(one, other) >= _SHARED_MIN)
    if case and near and not is_of_a_case(one) and not says_when(one):
        return _NARROWER
    return None


def _is_sure(comparison: Comparison) -> bool:
    return comparison.relation is Relation.CONTRADICTS_SURE
