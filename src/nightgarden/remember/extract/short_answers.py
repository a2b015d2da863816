"""What a short correction or a short "yes" means, given what the assistant said before. Knows one turn back only."""

from __future__ import annotations

import re

from nightgarden.remember.extract.own_words import own_lines
from nightgarden.remember.extract.sentences import sentences
from nightgarden.remember.language import Lexicon

_ASSISTANT_LEAD = re.compile(
    r"^(?:(?:ok|okay|sure|got it|understood|done|great|right|alright|perfect"
    r"|no problem)[,.!:–-]*\s+)*(?:i'll|i will|i've|i have|i'm going to|i am going to|let me"
    r"|(?:should|shall) (?:i|we)|(?:do you )?want me to|i)\s+(?:now\s+|just\s+|go ahead and\s+)*",
    re.IGNORECASE,
)
_CONFIRMING = re.compile(
    r"^(?:(?:ok|okay|got it|understood|right|alright|i see|thanks|noted)[,.!:–-]*\s+)*(?:just )?(?:so"
    r"|to confirm|just to confirm|to be sure|to summari[sz]e|if i understand (?:you )?correctly"
    r"|in other words|you mean|also|alors|donc|entonces|heißt das|das heißt"
    r"|verstehe)[,:]?\s+(?:that\s+)?",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:[,–-]|(?<!\s))\s*+(?:right|correct|is that (?:right|correct|it)|yes|no|richtig|oder|korrekt|c'est ça"
    r"|n'est-ce pas|correcto|verdad|did i get that right|have i got that right)\s*+\?\s*+$",
    re.IGNORECASE,
)
_SELF = re.compile(r"\bI(?:'ll|'ve|'m|'d)?\b|\bshall we\b|\blet me\b|\bdo you want\b|\bwould you like\b|\bshould we\b")
_NUMBER = re.compile(r"\bv?\d[\d.:]*\d\b|\b\d\b")
_CODE = re.compile(r"`[^`]+`")
_YOU = (
    (r"\byou are\b|\byou're\b", "the user is"),
    (r"\byou have\b|\byou've\b", "the user has"),
    (r"\byour\b", "the user's"),
    (r"\byou don't\b", "the user doesn't"),
    (
        r"\byou (always |never |usually |only )?(use|prefer|want|like|need|deploy|run|work|keep|write)\b",
        r"the user \1\2s",
    ),
    (r"\byou\b", "the user"),
)


def replaced_value(said: str, *, value: str, old: str | None) -> str | None:
    """What the other one said, with the corrected value in it; None when it is not clear what was corrected."""
    value = value.strip("\"'")
    for sentence in reversed(_spoken(said)):
        wrong = _wrong_part(sentence, value=value, old=old)
        if wrong is not None and len(sentence) <= 240:
            claim = _ASSISTANT_LEAD.sub("", sentence).rstrip(".!? ")
            return f"{claim.replace(wrong, value, 1)} (not {wrong.strip('`')})"
    return f"{value}, not {old}" if old and len(value) > 2 else None


def _wrong_part(sentence: str, *, value: str, old: str | None) -> str | None:
    if old is not None:
        bare = old.strip("`\"'")
        match = re.search(rf"`?{re.escape(bare)}`?(?!\w)", sentence, re.IGNORECASE)
        return match[0] if match else None
    if value.startswith("`"):
        shape = _CODE
    elif _NUMBER.fullmatch(value.strip("`")):
        shape = _NUMBER
    else:
        return None
    found = {match for match in shape.findall(sentence) if match != value}
    return next(iter(found)) if len(found) == 1 else None


def confirmed_statement(said: str, lexicon: Lexicon, *, asked_to_keep: bool) -> str | None:
    """The statement a plain "yes, exactly" confirms: what the other one put as its understanding, last."""
    spoken = _spoken(said)
    if not spoken:
        return None
    last = spoken[-1]
    statement = _TAG.sub("", _CONFIRMING.sub("", last)).strip()
    if statement == last.strip() and not (asked_to_keep and not last.rstrip().endswith("?")):
        return None
    if _SELF.search(statement) or len(statement.split()) < 4:
        return None
    if lexicon.code == "en":
        for pattern, replacement in _YOU:
            statement = re.sub(pattern, replacement, statement, flags=re.IGNORECASE)
    return statement.rstrip("?. ")


def last_words(said: str, *, chars_max: int) -> str:
    """The end of what was said, for the context snippet."""
    text = " ".join(_spoken(said)[-2:])
    return text if len(text) <= chars_max else "…" + text[-chars_max + 1 :]


def _spoken(said: str) -> list[str]:
    return [sentence.text for sentence in sentences(own_lines(said))]
