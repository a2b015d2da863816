"""A clause read as a lasting statement, and what speaks against it. Knows no dialogue."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nightgarden.domain.memory import Category
from nightgarden.remember.language import Guard, Lexicon

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


def guards_of(text: str, lexicon: Lexicon) -> frozenset[Guard]:
    """All that speaks against the text as a lasting statement of its speaker."""
    return frozenset(guard for guard, pattern in lexicon.guards if pattern.search(text))


def holds_secret(text: str) -> bool:
    """Whether the text seems to give away a credential. A first sieve; the write pipeline has the full rules."""
    return _SECRET.search(text) is not None
