"""What a query asks for: its words, the tags, files and days it names, and what of a long text leads. Pure.

A whole transcript as query is known to ruin recall (measured elsewhere: .81 to .58), so the latest intent leads and
what came before it supports. It does not understand grammar: "not", "except" and the like are words as any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from nightgarden.domain.other_languages import small_words
from nightgarden.domain.text import fold, query_terms, squash, tag_name, terms
from nightgarden.recall.many import asks_for_many
from nightgarden.recall.when import Span, read_spans

LEAD_CHARS_MAX = 600  # taste: four or five sentences; the embedding model reads about that much well
SUPPORT_MESSAGES_MAX = 4  # the turns before the latest that may still be about the same thing
SUPPORT_TERMS_MAX = 16  # enough for a topic; more would outvote the query
_TAG_WORDS_MAX = 3
_QUERY_TAGS_MAX = 64

_TURN = re.compile(
    r"^[ \t]*+(?:\*\*)?(user|human|you|me|assistant|ai|agent|system|tool)(?:\*\*)?[ \t]*+:\s*", re.I | re.M
)
_SPEAKS_FOR_USER = frozenset({"user", "human", "you", "me"})
_REMINDER = re.compile(r"<(system-reminder|nightgarden[\w-]*)\b[^>]*>.*?(?:</\1>|\Z)", re.S | re.I)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.S)
_PATH = re.compile(r"(?<![\w/.-])(?:~?/|\.{1,2}/)?(?:[\w.-]++/)++[\w.-]+|(?<![\w-])[\w-]++\.[A-Za-z][A-Za-z0-9]{0,4}\b")
_WORD = re.compile(r"[^\W_][\w.+#-]*", re.UNICODE)
_FIRST_PERSON = frozenset(
    "i me my mine we us our ours ich mich mir mein meine wir je moi mon ma mes nous yo mi mis eu meu".split()
)
_SECOND_PERSON = frozenset("you your yours du dein deine dir tu ton ta tes toi".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query as understood."""

    text: str  # what leads; embedded and read by the cross-encoder
    terms: tuple[str, ...]  # in the order in which they were last said
    support_terms: tuple[str, ...]  # from what came before; they lift, they do not lead
    words: frozenset[str]  # lower case, for names of speakers
    tags: frozenset[str]  # names a tag could have
    files: tuple[str, ...]  # at hand, or named
    spans: tuple[Span, ...]
    many: bool  # it asks for a list, an order or a summary
    roles: frozenset[str]  # whose words it asks for, by "I" and "you": user, assistant

    @property
    def empty(self) -> bool:
        return not self.text


def understand(text: str, *, now: datetime, context: tuple[str, ...] = (), files: tuple[str, ...] = ()) -> Query:
    """Reads a query. `context` is what was said before it, oldest first."""
    lead, rest = focus(text)
    asked = _terms(lead)
    words = [word.lower() for word in _WORD.findall(fold(lead))]
    return Query(
        text=lead,
        terms=asked,
        support_terms=_support((*context, *rest), known=frozenset(asked)),
        words=frozenset(piece for word in words for piece in (word, word.rstrip(".+#-"), *word.split("-"))),
        tags=_possible_tags(words),
        files=tuple(dict.fromkeys((*files, *_PATH.findall(lead)))),
        spans=read_spans(lead, now),
        many=asks_for_many(lead),
        roles=_roles(words),
    )


def _terms(text: str) -> tuple[str, ...]:
    """The distinct terms to search for, in the order in which they were last said: a long query asks at its end."""
    last_said = {term: place for place, term in enumerate(terms(text))}
    found = sorted(query_terms(text), key=last_said.__getitem__)
    idle = {term for word in small_words(text) for term in terms(word)}  # "wie hoch ist der Eiffelturm"
    return tuple([term for term in found if term not in idle] or found)


def focus(text: str) -> tuple[str, tuple[str, ...]]:
    """What leads in a text, and what came before it: the latest thing the user says, in a transcript; the last
    paragraph, in a long text; else all of it."""
    clean = _REMINDER.sub(" ", text).strip()
    turns = _turns(clean)
    if len(turns) > 1:
        latest = next((i for i in range(len(turns) - 1, -1, -1) if turns[i][0] in _SPEAKS_FOR_USER), len(turns) - 1)
        before = tuple(said for _, said in turns[:latest] if said)
        lead, rest = focus(turns[latest][1])
        return lead, (*before, *rest)
    if len(clean) <= LEAD_CHARS_MAX:
        return squash(clean), ()
    paragraphs = [p for p in (squash(p) for p in re.split(r"\n\s*\n", _FENCE.sub("\n\n", clean))) if p] or [
        squash(clean)
    ]
    lead = paragraphs[-1]
    if len(lead) > LEAD_CHARS_MAX:
        cut = lead[-LEAD_CHARS_MAX:]
        return cut.split(" ", 1)[-1], (*paragraphs[:-1], lead[:-LEAD_CHARS_MAX])
    return lead, tuple(paragraphs[:-1])


def _turns(text: str) -> list[tuple[str, str]]:
    """The turns of a transcript written with "user:" and the like at the start of lines; one turn for other texts."""
    marks = list(_TURN.finditer(text))
    if len(marks) < 2:
        return [("user", text)]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [(mark[1].lower(), text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=True)]


def _support(before: tuple[str, ...], *, known: frozenset[str]) -> tuple[str, ...]:
    """Terms of the latest messages before the query, the latest first; those said twice before those said once."""
    counts: dict[str, int] = {}
    for message in reversed(before[-SUPPORT_MESSAGES_MAX:]):
        for term in query_terms(_FENCE.sub(" ", message)[-2000:]):
            if term not in known:
                counts[term] = counts.get(term, 0) + 1
    ranked = sorted(counts, key=lambda term: -counts[term])  # stable: the latest stay first among equals
    return tuple(ranked[:SUPPORT_TERMS_MAX])


def _possible_tags(words: list[str]) -> frozenset[str]:
    """Every run of up to three words, written as a tag would be."""
    runs = (
        tag_name(" ".join(words[start : start + length]))
        for length in range(1, _TAG_WORDS_MAX + 1)
        for start in range(min(len(words) - length + 1, _QUERY_TAGS_MAX))
    )
    return frozenset(run for run in runs if run)


def _roles(words: list[str]) -> frozenset[str]:
    said = set(words)
    roles = {"user"} if said & _FIRST_PERSON else set()
    return frozenset(roles | ({"assistant"} if said & _SECOND_PERSON else set()))
