"""What one clause means for memory: a lasting statement of a kind, or nothing, with the reason. Knows no dialogue."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nightgarden.domain.memory import Category
from nightgarden.remember.language import Guard, Lexicon, LexiconCue

WORDS_MIN = 2  # "I'm vegetarian" is the shortest statement worth keeping
TRAP_WORDS_MIN = 5  # a cause or a trap takes a sentence; "the solution is simple" is none
HEAD_WORDS_MIN = 3  # "heads up" alone is no statement
_WORD = re.compile(r"[^\W_][\w'.+#/-]*", re.UNICODE)
_ASIDE = re.compile(r",\s|(?<!\s)\s++[-–—(]|;\s", re.IGNORECASE)
_LEADING_PHRASE = re.compile(
    r"^(?:during|in|on|at|for|within|inside|under|before|after|with|as for|regarding"
    r"|while)\s+[\w'`./-]+(?:\s+[\w'`./-]+){0,4}?"
    r"(?:,\s*|\s+(?=(?:we|nobody|no one|all|every|the|don't|never|always|use|our|only|everyone|i"
    r"|please)\b))|^[\w-]+:\s+",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"\b(?:pass(?:word|wd|phrase|wort)?|pwd|secret|token|api[ _-]?key|access[ _-]?key|private key"
    r"|credentials?|mot de passe|contraseña|clave|kennwort|pin)"
    r"\b[^.]{0,30}?(?:\bis\b|\bist\b|\best\b|\bes\b|[:=])\s*[\"'`]?(?=\S*[\d!@#$%&*_-])[^\s\"'`]{5,}"
    r"|\b(?:sk|pk|ghp|gho|xox[abp]|AKIA|glpat|hf|npm)[-_]?[A-Za-z0-9_-]{12,}\b"
    r"|://[^\s/:@]+:[^\s/@]+@"
    r"|(?-i:\b(?=[A-Za-z0-9+_]*\d)(?=[A-Za-z0-9+_]*[A-Z])(?=[A-Za-z0-9+_]*[a-z])[A-Za-z0-9+_]{24,}\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseReading:
    """A clause that says something lasting."""

    text: str
    category: Category
    confidence: float
    reason: str


def read_clause(text: str, lexicon: Lexicon) -> ClauseReading | None:
    """The lasting statement in a clause, by the first cue that matches and no guard that holds against it.

    What follows the statement as a consequence or an aside is dropped when a guard holds against it alone:
    "branches are named <ticket>, so that should have been SHOP-1" keeps its first half.
    """
    if len(_WORD.findall(text)) < WORDS_MIN or holds_secret(text):
        return None
    bare = lexicon.session_only.sub("", text).strip(" ,")  # "today" makes it session-only, not a passing remark
    cue, end = _cue_and_end(bare, lexicon)
    if cue is None:
        cue, end = _cue_and_end(text, lexicon)
    if cue is None or (cue.category is Category.GOTCHA and len(_WORD.findall(bare)) < TRAP_WORDS_MIN):
        return None
    if not guards_of(bare, lexicon) - cue.ignores:
        return ClauseReading(text=text, category=cue.category, confidence=cue.confidence, reason=cue.reason)
    aside = _ASIDE.search(bare, end)
    if aside is None or guards_of(bare[: aside.start()], lexicon) - cue.ignores:
        return None
    head = bare[: aside.start()]
    if len(_WORD.findall(head)) < HEAD_WORDS_MIN:
        return None
    return ClauseReading(text=head, category=cue.category, confidence=cue.confidence, reason=cue.reason)


def _cue_and_end(text: str, lexicon: Lexicon) -> tuple[LexiconCue | None, int]:
    """The first cue, looked for at the start of the clause and after a leading "in …" or "during …"; where it ends."""
    starts = [0]
    if (lead := _LEADING_PHRASE.match(text)) is not None:
        starts.append(lead.end())
    for start in starts:
        for cue in lexicon.cues:
            if (match := cue.pattern.search(text[start:])) is not None:
                return cue, start + match.end()
    return None, 0


def first_cue(text: str, lexicon: Lexicon) -> LexiconCue | None:
    """The first cue of the language that the text carries."""
    return _cue_and_end(text, lexicon)[0]


def guards_of(text: str, lexicon: Lexicon) -> frozenset[Guard]:
    """All that speaks against the text as a lasting statement of its speaker."""
    return frozenset(guard for guard, pattern in lexicon.guards if pattern.search(text))


def holds_secret(text: str) -> bool:
    """Whether the text seems to give away a credential. A first sieve; the write pipeline has the full rules."""
    return _SECRET.search(text) is not None
