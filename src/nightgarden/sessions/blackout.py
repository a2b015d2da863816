"""What is blacked out of a conversation beside what the rules find: credentials in plain words, whoever says them, and
every further place where a value stands that was found to be one.

What a user types is read whole. Of an assistant's text only sentences that point at a credential are read (a word such
as "password" or "login", or a value shaped like one), and of those not more than a few: a reply of thousands of words
costs a fraction of a second. Not seen: a password of plain words in an assistant's sentence that names no credential,
unless the user gave it away before, and what a file or a tool printed, beyond the rules and the values already known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nightgarden.domain.classify import Classifier
from nightgarden.domain.redact import redact
from nightgarden.domain.secret_names import promises_secret
from nightgarden.domain.secret_value import is_mixed, is_stand_in
from nightgarden.domain.secrets import SECRET
from nightgarden.domain.verdict import Finding
from nightgarden.remember.screening import learned_secrets

SENTENCES_MAX = 12  # of one message, 10 to 25 ms each with the deep network
SENTENCE_CHARS_MAX = 400  # a longer one is prose without full stops, or data; it is cut
VALUE_CHARS_MIN = 4  # a PIN; what is shorter stands in too many places
WORD_CHARS_MIN = 6  # of a value that could be an ordinary word

_SENTENCE = re.compile(r"[^\n.!?]+(?:[.!?]+(?=\S)[^\n.!?]+)*[.!?]*")
# Whoever says one of these speaks of a credential more often than not.
_TELLING = re.compile(
    r"pass(?:word|phrase|code|wor[td])|passw|kennwort|zugangsdaten|zugangscode|geheimzahl|credential|\blog[ -]?in\b"
    r"|\blog(?:ged|ging)? in\b|\bsign in\b|\bpins?\b|mots? de passe|identifiant|contraseña|\bclaves?\b|inicia\w* sesión"
    r"|anmeld|einlogg|senha|wachtwoord|hasło|парол|パスワード|密码",
    re.IGNORECASE,
)
# Whoever says one of these may.
_HINTING = re.compile(
    r"\b(?:keys?|tokens?|codes?|secrets?|api|access|wifi|wi-fi|wlan|account|user|admin|schlüssel|zugang|konto|benutzer"
    r"|clé|jeton|compte|accès|código|usuario|cuenta|llave)\b",
    re.IGNORECASE,
)
# Letters with figures or signs behind or among them, as people make passwords: Blumenkohl99, Tournesol!9, Piper@Dawn.
_SHAPED = re.compile(
    r"(?<![\w/@.:`$#=-])(?=[^\s`]{7,40}(?![^\s`]))(?:[A-Za-zÀ-ÿ]{4,30}[#$&!%*+@^~]{0,2}\d{1,8}[#$&!%*+@^~!]{0,2}"
    r"|[A-Za-zÀ-ÿ0-9_]{2,20}[#$&!%*+@^~]{1,3}[A-Za-zÀ-ÿ0-9_]{1,20})[.,;:!?)\"']{0,2}(?=\s|\Z|`)"
)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n.*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_EDGES = " \t\n\"'`“”„«».,;:!?()[]{}"
_WORDS = re.compile(r"\S+")


def secrets_in_words(text: str, classifier: Classifier, *, whole: bool) -> tuple[Finding, ...]:
    """What the classifier sees of credentials in a text, read `whole` or only where it points at one."""
    if whole:
        return tuple(f for f in learned_secrets(text, classifier.screen(text)) if f.end - f.start < len(text))
    found: list[Finding] = []
    for start, end in pointed_at(text):
        piece = text[start:end]
        for finding in learned_secrets(piece, classifier.screen(piece)):
            if finding.end - finding.start < len(piece):
                found.append(
                    Finding(rule=SECRET, start=start + finding.start, end=start + finding.end, what=finding.what)
                )
    return tuple(found)


def pointed_at(text: str) -> list[tuple[int, int]]:
    """The sentences of a text that may hold a credential, in order: those with a telling word and a value shaped like
    one first, when there are too many."""
    code = [match.span() for match in _FENCE.finditer(text)] if "```" in text or "~~~" in text else []
    ranked: list[tuple[int, int, int]] = []
    for start, end in _sentences(text):
        if any(start < last and first < end for first, last in code):
            continue  # of code the rules know more
        if points := _points(text[start:end]):
            ranked.append((-points, start, end))
    return sorted((start, end) for _, start, end in sorted(ranked)[:SENTENCES_MAX])


def _points(sentence: str) -> int:
    telling, shaped = _TELLING.search(sentence) is not None, _SHAPED.search(sentence) is not None
    if telling and (shaped or any(map(str.isdigit, sentence))):
        return 4
    if shaped:
        return 3
    if telling:
        return 2
    return int(_HINTING.search(sentence) is not None and any(map(str.isdigit, sentence)))


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    for match in _SENTENCE.finditer(text):
        for start in range(match.start(), match.end(), SENTENCE_CHARS_MAX):
            yield start, min(start + SENTENCE_CHARS_MAX, match.end())


def values_of(text: str, findings: Sequence[Finding]) -> list[str]:
    """What of the findings in a text is sought elsewhere in the same session: the value, and of a longer piece the
    words that look like a password. Short ordinary words are not: they stand in too many places."""
    values: list[str] = []
    for finding in findings:
        if finding.rule is not SECRET:
            continue
        piece = text[finding.start : finding.end].strip(_EDGES)
        parts = [word[0].strip(_EDGES) for word in _WORDS.finditer(piece)]
        telling = [part for part in parts if _is_distinct(part)]
        if telling and len(parts) > 1:
            values += telling
        elif piece and "\n" not in piece and (_is_distinct(piece) or _is_plain(piece)):
            values.append(piece)
    return list(dict.fromkeys(values))


def _is_distinct(value: str) -> bool:
    return len(value) >= VALUE_CHARS_MIN and (is_mixed(value) or value.isdigit()) and not is_stand_in(value)


def _is_plain(value: str) -> bool:
    return len(value) >= WORD_CHARS_MIN and not promises_secret(value) and _TELLING.search(value) is None


def without_values(text: str, values: Sequence[str]) -> str:
    """The text with each value blacked out wherever it stands as a word of its own."""
    found = [
        Finding(rule=SECRET, start=match.start(), end=match.end(), what="credential")
        for value in sorted(values, key=len, reverse=True)
        if value in text
        for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text)
    ]
    return redact(text, found) if found else text
