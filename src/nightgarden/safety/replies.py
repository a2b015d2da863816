"""What a reply means: approve, deny, or something else that the user wants to say. Pure.

An approval begins with a word that means yes, as a whole word, and says nothing beside it but what is known to add
nothing ("please", "looks good to me"): no word that means no, no condition, no question. Whatever else has a yes or a
no in it denies: a clear no the kind of action, what is unclear this one request. Letters that only look like ours are
not ours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

LINE_CHARS_MAX = 2_000
TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")  # as permissions.new_token makes them
_SUBJECT = re.compile(r"\[ng:([A-Za-z0-9_-]{22})\]")
_REFERENCE = re.compile(r"<ng\.([A-Za-z0-9_-]{22})\.[^<>@\s]{1,60}@[^<>\s]{1,200}>")
_NOTE = re.compile(r"<ng\.note\.([^<>@\s]{1,60})@[^<>\s]{1,200}>")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*+")
_YES = frozenset("approve approved yes yep yeah ok okay lgtm sure allow allowed accept accepted".split())
_NO = frozenset(
    "deny denied no nope not reject rejected stop never don't dont cancel refuse refused decline declined abort nein "
    "non wait hold later".split()
)
# What people say beside a plain yes. Any other word may be a condition ("once CI is green", "the other one").
_BESIDE = frozenset(
    "please thanks thank you very much many cheers hi hello do it that this go ahead on fine good great nice perfect "
    "looks look sounds seems to me us i i'm am we are is it's that's agree agreed confirm confirmed proceed run push "
    "merge send of course absolutely definitely certainly indeed right correct thing the a an tests test ci build "
    "green passing passed request change diff plan work works well done now all man mate team for from my "
    "side happy with so and y ng nightgarden".split()
)
_MARKS = ".,;:!?()\"'`"  # what people write around a token
_QUOTE = re.compile(
    r"^(?:>|On .{5,200}wrote:\s*$|Am .{5,200}schrieb.{0,80}:\s*$|-{2,}\s*Original Message|_{10,}|From: )"
)
_SIGNATURE = re.compile(r"^--\s?$|^Sent from my ")


class Meaning(StrEnum):
    """What a reply says to a request."""

    APPROVE = "approve"
    DENY = "deny"
    UNCLEAR = "unclear"  # has a yes or a no, and is neither: counts as a denial of this one request
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestReply:
    """One message of somebody on a channel, as it came in."""

    channel: str  # mail, matrix…
    sender: str
    text: str
    message_id: str  # unique on its channel: the same one never counts twice
    subject: str = ""
    references: str = ""  # what it replies to
    automatic: bool = False  # an out-of-office or a bounce


def own_words(text: str) -> str:
    """A reply without what it quotes and without its signature."""
    kept: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if _QUOTE.match(line.strip()[:400]) or _SIGNATURE.match(line.strip()):
            break
        kept.append(line[:LINE_CHARS_MAX])
    return "\n".join(kept).strip()


def meaning_of(text: str) -> Meaning:
    """Of a reply's own words; tokens in it are passed over."""
    plain = _without_name(TOKEN.sub(" ", text))
    words = [word.lower().replace("’", "'") for word in _WORD.findall(plain)]
    said = set(words)
    if not said & (_YES | _NO) and words[:2] != ["go", "ahead"]:
        return Meaning.OTHER
    first = words[0] in _YES or words[:2] == ["go", "ahead"]
    if first and plain.isascii() and "?" not in plain and said <= _YES | _BESIDE:
        return Meaning.APPROVE
    return Meaning.DENY if words[0] in _NO and not said & _YES else Meaning.UNCLEAR


_CLOSING = frozenset("best kind kindest warm regards wishes cheers greetings thanks sincerely yours br".split())


def _without_name(text: str) -> str:
    """Without the name, and the greeting before it, that people put under a mail."""
    lines = [line for line in text.split("\n") if line.strip()]
    while len(lines) > 1:
        words = [word.strip(",.!") for word in lines[-1].split()]
        greets = all(word.lower() in _CLOSING for word in words)
        names = len(words) <= 3 and all(word.isalpha() and word.istitle() for word in words)
        if not (greets or names) or not {word.lower() for word in words}.isdisjoint(_YES | _NO):
            break
        lines.pop()
    return "\n".join(lines)


def tokens_of(reply: RequestReply) -> tuple[str, ...]:
    """The tokens that a reply carries: in its subject, in what it answers, or in its own words."""
    found = [*_SUBJECT.findall(reply.subject), *_REFERENCE.findall(reply.references)]
    words = [word.strip(_MARKS) for word in own_words(reply.text).split()]
    found += [word for word in words if TOKEN.fullmatch(word)]
    return tuple(dict.fromkeys(found))


def answers_us(reply: RequestReply) -> bool:
    """Whether a mail answers one of ours."""
    return bool(_SUBJECT.search(reply.subject) or "<ng." in reply.references)


def subject_id_of(reply: RequestReply) -> str:
    """The cycle or other thing that the message was about which this one answers; empty when that is not known."""
    found = _NOTE.search(reply.references)
    return found[1] if found else ""
