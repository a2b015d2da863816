"""What the classifier's screening of a text means: a credential in it, or nothing that will matter later. Pure.

Rules of format stand before it and see what is exact; this sees "the alarm at the studio is nine-four-one-two". Much
evidence is needed for either, because a refused statement has to be said again; a word shaped like a password needs
little. Thresholds: docs/why/classifier.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nightgarden.domain.classify import MessageScores, Screening
from nightgarden.domain.other_languages import is_plainly_english
from nightgarden.domain.personal import find_personal, test_cards
from nightgarden.domain.redact import NOTE
from nightgarden.domain.secrets import SECRET
from nightgarden.domain.verdict import Finding
from nightgarden.remember.identifiers import identifiers

# Of the whole text, with a word that stands out; look-alikes of secrets are then refused now and then.
SECRET_MIN, SECRET_MIN_DEEP = 0.5, 0.35
SECRET_SURE_MIN = 0.6  # no word has to stand out: "pone L U N A y abre" gives itself away by all of its words
SECRET_MIN_SHAPED = 0.2  # where a word looks like a password: a mark among letters and digits
WORD_SHOWN_MIN, WORD_SHOWN_MIN_DEEP = 0.3, 0.2  # words that are blacked out once a secret was found
# Asked whether a text is chatter, the classifier says so of short preferences too ("I'm vegetarian"); asked whether a
# message holds anything to keep, it knows those. So both answers must agree.
JUNK_MIN, JUNK_MIN_DEEP = 0.38, 0.3
JUNK_KEEPS_MAX, JUNK_KEEPS_MAX_DEEP = 0.4, 0.35
# With a number or a name in the text: "The office is in Lisbon now" reads like "CI is red now".
JUNK_KEEPS_MAX_CONCRETE, JUNK_KEEPS_MAX_CONCRETE_DEEP = 0.1, 0.25
JUNK_CHARS_MAX = 400  # somebody who writes more has something to say
# What vectors say of a text that is not plainly English, which the network reads badly; log-odds. Of the validating
# writers' good sentences none reaches it, of what is worth keeping in messages one in seventy.
JUNK_BY_VECTOR_MIN = 0.0
# A number, a name inside a sentence, an identifier.
_CONCRETE = re.compile(r"\d|(?<=[\w,;:'’\")] )[A-ZÀ-Þ][\w-]|[a-z][A-Z]|`|\w[_/]\w")
# "I like small commits", but not "I like it".
_PREFERS = re.compile(
    r"^\W*(?:(?:i|the user|user) (?:(?:really|also|generally|usually|always|do) ){0,2}"
    r"(?:likes?|loves?|prefers?|hates?|dislikes?|don't like|can't stand)"
    r"|ich (?:mag|bevorzuge|hasse)|je (?:préfère|déteste)|j'aime|prefiero|me gustan?|odio)"
    r"(?! (?:it|this|that|these|those|them|how|what|where|your?|the (?:idea|sound|look)|es|das|ça|cela|esto|eso)\b)"
    r" [^\W\d]",
    re.IGNORECASE,
)
# Inside a word, not at its ends; addresses, paths, code in backticks and "R&D" are no passwords.
_SHAPED = re.compile(
    r"(?<![\w`@/.:&#$-])(?=[\w#$&!%*+=@^~]{7,40}(?![\w/@`]|\.\w))[A-Za-zÀ-ÿ0-9_]{2,}[#$&!%*+=@^~]{1,3}[A-Za-zÀ-ÿ0-9_]{1,}"
)
# A note of what was cut out, with the address that it stands in.
_NOTE_GLUED = re.compile(rf"(?:(?<![^\s\"'(<])[a-z][a-z0-9+.]{{1,20}}://\S{{0,100}})?{NOTE.pattern}(?:@\S{{1,200}})?")

# Read from elsewhere, left to be filled in, or an address without a password: they stand where a credential would.
_DATABASE = r"(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mqtts?|jdbc:\w{2,12})"
_STANDS_FOR_ONE = re.compile(
    r"(?<![\w$])\$\{?\{? ?[A-Z_][A-Z0-9_.]{1,60} ?\}?\}?(?!\w)"
    rf"|\b{_DATABASE}://(?:\w{{1,40}}:<[\w -]{{1,30}}>@|USER(?:NAME)?:PASS(?:WORD)?@|[\w.-]{{1,60}}@)?"
    r"[\w.-]{1,120}+(?::(?:\d{1,5}|PORT))?+(?:/[\w./-]{0,120})?+(?![\w@:?&=$!%#-])"
    r"|(?<!\w)<[A-Za-z][\w -]{1,30}>|\b[A-Z0-9]{8,40}EXAMPLE\b"
)
# A colour: nobody's password. Figures alone may be a code.
_COLOUR = re.compile(r"\W*#(?=\d*[a-f])(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})\W*", re.IGNORECASE)


def learned_secrets(text: str, screening: Screening) -> tuple[Finding, ...]:
    """The parts of the text that give a credential away. Empty when none does."""
    known = _known_to_rules(text)
    spans = tuple(
        each
        for each in screening.spans
        if _COLOUR.fullmatch(text[each[0] : each[1]]) is None and not _overlaps(each[0], each[1], known)
    )
    explained = len(spans) < len(screening.spans)  # what looks like a credential may be what a rule knows
    screening = replace(screening, spans=spans)
    peak = max((score for _, _, score in spans), default=0.0)
    if _SHAPED.search(text) is not None and screening.secret >= SECRET_MIN_SHAPED:
        return _parts(text, screening, peak)
    least = SECRET_MIN_DEEP if screening.deep else SECRET_MIN
    sure = screening.secret >= SECRET_SURE_MIN and not explained
    stands_out = peak >= _shown_min(screening) or sure
    return _parts(text, screening, peak) if screening.secret >= least and stands_out else ()


def _known_to_rules(text: str) -> list[tuple[int, int]]:
    """Where a rule says what stands there, so that a guess is not asked: what was cut out and what hangs on it
    ("[redacted: password]@db.internal"), personal numbers, which have a rule of their own, published test cards, what
    only stands for a credential ("$LAGER_PW", "postgres://ledger_rw@db:5432"), and identifiers that open nothing."""
    glued = [match.span() for match in _NOTE_GLUED.finditer(text)] if "[redacted: " in text else []
    personal = [(found.start, found.end) for found in find_personal(text)]
    stands_for_one = [match.span() for match in _STANDS_FOR_ONE.finditer(text)]
    return [*glued, *personal, *test_cards(text), *stands_for_one, *identifiers(text)]


def _overlaps(start: int, end: int, places: Sequence[tuple[int, int]]) -> bool:
    return any(start < last and first < end for first, last in places)


def _parts(text: str, screening: Screening, peak: float) -> tuple[Finding, ...]:
    found: list[Finding] = []
    shown_min = _shown_min(screening)
    for start, end, score in screening.spans:
        if score < min(shown_min, peak):
            continue
        if found and start - found[-1].end <= 1:
            start = found.pop().start
        found.append(Finding(rule=SECRET, start=start, end=end, what="credential"))
    return tuple(found) if peak >= shown_min else (_all_of(text),)


def _shown_min(screening: Screening) -> float:
    return WORD_SHOWN_MIN_DEEP if screening.deep else WORD_SHOWN_MIN


def _all_of(text: str) -> Finding:
    return Finding(rule=SECRET, start=0, end=len(text), what="credential")


_STEPS = re.compile(r"(?<!\S)1[.)]\s+\S[\s\S]{0,400}?\s2[.)]\s+\S")  # numbered: how something is done


def may_be_junk(text: str, screening: Screening) -> bool:
    """Whether the text looks like chatter, news of the moment, or says nothing by itself."""
    least = JUNK_MIN_DEEP if screening.deep else JUNK_MIN
    if len(text) > JUNK_CHARS_MAX or _PREFERS.match(text) is not None or _STEPS.search(text) is not None:
        return False
    return screening.junk >= least


def is_junk(text: str, message: MessageScores, *, deep: bool) -> bool:
    """Of a text that may be junk: whether, read as a message, it holds nothing to keep."""
    if _CONCRETE.search(text) is None:
        return message.keeps <= (JUNK_KEEPS_MAX_DEEP if deep else JUNK_KEEPS_MAX)
    return message.keeps <= (JUNK_KEEPS_MAX_CONCRETE_DEEP if deep else JUNK_KEEPS_MAX_CONCRETE)


def is_junk_by_vector(text: str, log_odds: float | None) -> bool:
    """Of a text that is not plainly English: whether its vector says that it is chatter."""
    if log_odds is None or log_odds < JUNK_BY_VECTOR_MIN or len(text) > JUNK_CHARS_MAX:
        return False
    return not is_plainly_english(text)
