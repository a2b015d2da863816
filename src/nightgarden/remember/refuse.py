"""What is not stored, and why: the rules in the order they are asked. Pure.

Each rule has an id that a person can lift (`--allow ID`). Does not look at other memories; duplicates and
contradictions are decided later.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from nightgarden.domain.classify import Classifier, Screening
from nightgarden.domain.derivable import DERIVABLE_RULES, find_derivable
from nightgarden.domain.personal import PERSONAL_DATA, find_personal
from nightgarden.domain.ports import Vector
from nightgarden.domain.redact import NOTE, redact, scrub
from nightgarden.domain.secrets import SECRET, find_secrets
from nightgarden.domain.taint import INSTRUCTION_LIKE, OWN_INJECTION, contains_injected, instruction_like
from nightgarden.domain.verdict import Finding, Refused, Rule
from nightgarden.remember.nothing_left import NOTHING_LEFT, says_nothing
from nightgarden.remember.screening import is_junk, is_junk_by_vector, learned_secrets, may_be_junk
from nightgarden.remember.whose import orders_manner, tells_own_name

EMPTY = Rule(id="empty", sentence="there is nothing in it to remember", overridable=False)
TOO_LONG = Rule(id="too-long", sentence="it is longer than a memory should be; keep the point of it")
NOT_LASTING = Rule(
    id="not-lasting", sentence="it says nothing that would matter in a later session; say it so that it stands alone"
)
IGNORED_FILE = Rule(id="ignored-file", sentence="it is from a file that an ignore file excludes")
CODE_DERIVABLE = "code-derivable"  # allows all rules of that kind at once

# The write gate we started from cut texts at 2,000 characters without a word. We say so instead, and leave room for
# procedures and episodes (taste).
LENGTH_MAX = 8_000
# Fewer words than this left after redaction say nothing worth keeping (taste).
WORDS_LEFT_MIN = 6

RULES: tuple[Rule, ...] = (
    EMPTY,
    TOO_LONG,
    OWN_INJECTION,
    SECRET,
    PERSONAL_DATA,
    IGNORED_FILE,
    NOTHING_LEFT,
    *DERIVABLE_RULES,
    INSTRUCTION_LIKE,
    NOT_LASTING,
)
ALLOWABLE = frozenset(rule.id for rule in RULES if rule.overridable) | {CODE_DERIVABLE}

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_VISIBLE = re.compile(r"\w")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """No rule stands against it. `text` is what may be stored: storable characters, secrets redacted if asked."""

    text: str
    redacted: tuple[Finding, ...] = ()  # places in the text as it was given


def clean(text: str) -> str:
    """The text without what databases cannot hold: NUL is left out, half a character becomes the sign for one lost."""
    return _UNSTORABLE.sub(lambda match: "" if match[0] == "\x00" else "\ufffd", text)


def refuse(
    text: str,
    *,
    tainted: bool = False,
    sources: tuple[str, ...] = (),
    allowed: frozenset[str] = frozenset(),
    personal_allowed: frozenset[str] = frozenset(),
    redact_secrets: bool = False,
    ignored: Callable[[str], bool] = lambda path: False,
    length_max: int = LENGTH_MAX,
    classifier: Classifier | None = None,
) -> Refused | Passed:
    """The first rule that stands against a text, or the text as it may be stored.

    `tainted`: outside text shaped it. `sources`: paths of the files whose content it is; a path that is only mentioned
    is not one. `allowed`: ids of rules that a person lifted. Without a `classifier` only exact rules are asked.
    """
    allowed = allowed & ALLOWABLE
    text = clean(text)
    if not _VISIBLE.search(text):
        return Refused(rule=EMPTY)
    if len(text) > length_max and TOO_LONG.id not in allowed:
        return Refused(rule=TOO_LONG, findings=(after_limit(text, length_max),))
    if contains_injected(text):
        return Refused(rule=OWN_INJECTION)
    screened = _Screened(text, classifier)
    hidden: tuple[Finding, ...] = ()
    if SECRET.id not in allowed and (hidden := screened.secrets()):
        redacted = _redacted(text, hidden) if redact_secrets else None
        if redacted is None:
            return Refused(rule=SECRET, findings=hidden)
        text = redacted
    if refused := _refuse_rest(text, tainted, sources, allowed, personal_allowed, ignored):
        return refused
    if NOT_LASTING.id not in allowed and not _lasts_by_its_words(text) and screened.junk():
        return Refused(rule=NOT_LASTING)
    return Passed(text=text, redacted=hidden)


def refuse_chatter(
    text: str, vector: Vector, model_name: str, *, allowed: frozenset[str], classifier: Classifier | None
) -> Refused | None:
    """Whether a text that passed is chatter by its vector: asked for what the classifier cannot read."""
    if classifier is None or NOT_LASTING.id in allowed or _lasts_by_its_words(text):
        return None
    junk = is_junk_by_vector(text, classifier.chatter(model_name, vector))
    return Refused(rule=NOT_LASTING) if junk else None


def _lasts_by_its_words(text: str) -> bool:
    return orders_manner(text) or tells_own_name(text)


class _Screened:
    """A text and what the classifier says of it, asked once and only when the rules found nothing."""

    def __init__(self, text: str, classifier: Classifier | None) -> None:
        self._text, self._classifier = text, classifier
        self._screening: Screening | None = None

    def secrets(self) -> tuple[Finding, ...]:
        return find_secrets(self._text) or self._learned()

    def _learned(self) -> tuple[Finding, ...]:
        """What the classifier takes for a credential, unless that is only a telephone number and the like."""
        found = learned_secrets(self._text, screening) if (screening := self._ask()) is not None else ()
        if not found or self._classifier is None or not (personal := find_personal(self._text, frozenset())):
            return found
        masked = redact(self._text, personal)
        return found if learned_secrets(masked, self._classifier.screen(masked)) else ()

    def junk(self) -> bool:
        if self._classifier is None or (found := self._ask()) is None or not may_be_junk(self._text, found):
            return False
        return is_junk(self._text, self._classifier.read_message(self._text, previous=""), deep=found.deep)

    def _ask(self) -> Screening | None:
        if self._screening is None and self._classifier is not None:
            self._screening = self._classifier.screen(self._text)
        return self._screening


def _refuse_rest(
    text: str,
    tainted: bool,
    sources: tuple[str, ...],
    allowed: frozenset[str],
    personal_allowed: frozenset[str],
    ignored: Callable[[str], bool],
) -> Refused | None:
    if PERSONAL_DATA.id not in allowed and (found := find_personal(text, personal_allowed)):
        return Refused(rule=PERSONAL_DATA, findings=found)
    if IGNORED_FILE.id not in allowed and any(map(ignored, sources)):
        return Refused(rule=IGNORED_FILE)
    if NOTHING_LEFT.id not in allowed and says_nothing(text):
        return Refused(rule=NOTHING_LEFT)
    if CODE_DERIVABLE not in allowed:
        derivable = tuple(finding for finding in find_derivable(text) if finding.rule.id not in allowed)
        if derivable:
            return Refused(rule=derivable[0].rule, findings=derivable)
    if tainted and INSTRUCTION_LIKE.id not in allowed and (orders := instruction_like(text)):
        return Refused(rule=INSTRUCTION_LIKE, findings=orders)
    return None


def _redacted(text: str, found: tuple[Finding, ...]) -> str | None:
    """The text without its secrets, or None when too little is left to be worth keeping."""
    redacted = scrub(redact(text, found), find_secrets)
    enough = len(NOTE.sub(" ", redacted).split()) >= WORDS_LEFT_MIN and not says_nothing(redacted)
    return redacted if enough else None


def after_limit(text: str, length_max: int) -> Finding:
    """What of a text is too much."""
    return Finding(rule=TOO_LONG, start=length_max, end=len(text), what=f"more than {length_max} characters")
