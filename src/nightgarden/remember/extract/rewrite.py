"""Turns a clause as said into a statement that stands alone, as somebody would note it down. Third person for the user,
wishes without a subject ("Prefers short answers"), orders to the agent as orders; otherwise as said.

English only for persons and verbs; in other languages filler is stripped and the words stay.
"""

from __future__ import annotations

import re

from nightgarden.domain.text import squash
from nightgarden.remember.draft import CONTENT_CHARS_MAX
from nightgarden.remember.language import Lexicon

_ADVERB = (
    r"(?:(?:much|always|also|still|just|never|often|already"
    r"|(?!(?:rely|apply|supply|fly|reply|multiply|comply|imply|ally|rally|tally|bully)\b)[a-z]+ly)\s+)*+"
)
_CONTRACTED = (
    (r"\bI(?:'m| am)\b", "the user is"),
    (r"\bI(?:'ve| have)\b", "the user has"),
    (r"\bI(?:'d| would)\b", "the user would"),
    (r"\bI(?:'ll| will)\b", "the user will"),
    (r"\bI (?:do not|don't|dont)\b", "the user doesn't"),
    (
        r"\bI (can't|cannot|can|could|would|should|must|may|might|was|had|did|didn't|won't|tried|used"
        r"|cant|wont|didnt|wasnt|couldnt|wouldnt|shouldnt)\b",
        r"the user \1",
    ),
    (r"\bim (?=(?:not|on|off|a|an|the|always|never|only|\w{2,}ing)\b)", "the user is "),
    (r"\bive (?=(?:got|been|moved|\w{2,}ed)\b)", "the user has "),
)
_PLAIN_VERB = re.compile(rf"\bI\s+({_ADVERB})(?!')([a-z]+)\b(?!-)", re.IGNORECASE)
_POSSESSIVE = (
    (r"\bmy\b", "the user's"),
    (r"\bmine\b", "the user's"),
    (r"\bmyself\b", "themselves"),
    (r"\bme\b", "the user"),
    (r"\bI\b", "the user"),
)
# A form of the past, which "the user" leaves as it is; also with a syllable before it, as in "rewrote".
_PAST = re.compile(
    r"\w+ed|(?:re|un|over|under|mis|out|with|be|for)?(?:ate|began|bent|bit|blew|bore|bought|broke|brought|built|burnt"
    r"|came|caught|chose|chosen|dealt|did|drank|drew|drove|dug|fed|fell|felt|flew|forgot|fought|found|froze|gave|got|grew"
    r"|heard|held|hid|hung|kept|knew|laid|learnt|led|left|lent|lost|made|meant|met|paid|ran|rang|rode|rose|sang|sat|saw"
    r"|said|sent|shook|shot|slept|slid|sold|sought|spent|spoke|spun|stole|stood|struck|stuck|swam|swept|swore|taught"
    r"|threw|told|took|tore|thought|went|woke|won|wore|wrote)"
)
# In a question of the agent "I" is the agent and "you" the user.
_ASKED = (
    (r"\bdo you\b", "does the user"),
    (r"\bare you\b", "is the user"),
    (r"\bhave you\b", "has the user"),
    (r"\bam I\b", "is the agent"),
    (r"\bhave I\b", "has the agent"),
    (r"\bdo I\b", "does the agent"),
    (r"\byour\b", "the user's"),
    (r"\byou\b", "the user"),
    (r"\bI(?:'ll| will)\b", "the agent will"),
    (r"\bI(?:'ve| have)\b", "the agent has"),
    (r"\bI(?:'d| would)\b", "the agent would"),
    (r"\bI(?:'m| am)\b", "the agent is"),
    (r"\bI\b", "the agent"),
    (r"\bmy\b", "the agent's"),
    (r"\bme\b", "the agent"),
)
# "I plan to ship it": where no verb stands before the "I" of the agent, the one after it goes with "the agent".
_AGENT_VERB = re.compile(
    r"(?<!\bdo )(?<!\bdid )(?<!\bam )(?<!\bhave )(?<!\bhad )(?<!\bcan )(?<!\bcould )(?<!\bshould )(?<!\bwould )"
    r"(?<!\bwill )(?<!\bmust )(?<!\bmay )(?<!\bshall )(?<!\bwas )\bI "
    rf"({_ADVERB})(?!(?:am|was|have|had|can|could|should|would|will|must|may|might|shall|cannot|did|do|don't)\b)([a-z]+)\b"
    r"(?!['-])",
    re.IGNORECASE,
)
# "How do I phrase it": the verb stays, and what stood before "I" goes with the user.
_INVERTED = re.compile(
    r"\b(do|did|am|was|have|had|can|could|should|would|will|must|may|shall|don't|didn't|can't|shouldn't|won't)\s+I\b",
    re.IGNORECASE,
)
_WITH_THE_USER = {"do": "does", "am": "is", "have": "has", "don't": "doesn't"}
_NOT_PROSE = re.compile(r"^[`\"'/.~@$-]|^\w*[\d_./-]\w|^[a-z]+[A-Z]")
# What breaks in on the agent before the rule that it says.
_STOPPED = re.compile(
    r"^(?:please )?(?:stop|wait|hold on|no+|hey|careful)(?: (?:it|that|right there))?[.!,]+\s+(?=\S)", re.IGNORECASE
)
_ORDER = re.compile(
    r"^you (?:(?:really )?(?:should|must|may|can|are to|have to|need to|ought to)) (?P<how>never|always|not)\b"
    r"(?: ever\b)? ?",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"^the user (?:(?:really|just|also) )?(?:(?P<no>doesn't want|doesn't like|would rather not have|hates|would hate)"
    r"|wants|would like|would prefer|would rather|prefers|likes)(?: it)?(?: when| if| that| for)? you (?:to )?"
    r"(?P<not>not |don't |didn't )?(?P<how>always |never |only )?(?P<verb>[a-z]+)\b"
    r"(?: the user(?= (?:before|first|when|if)\b))?"
)
_WISH = re.compile(
    r"^the user (?P<wish>(?:(?:really|much|strongly|generally|usually|always|also|still|personally|definitely) )*"
    r"(?:prefers|likes|loves|hates|dislikes|wants|would (?:rather|prefer|like)|doesn't (?:like|want)|can't stand)\b)"
)
_KEPT_SO = re.compile(
    r"^the user (?:really )?(?:likes|prefers|wants|loves) (?:their|the user's) (?P<what>[a-z-]+(?: [a-z-]+)?) "
    r"(?P<how>small|short|simple|clean|tidy|brief|concise|flat|explicit|terse|readable|minimal|focused|atomic|separate|plain|tiny)(?=[,;.]|$)"
)
_MEANT = re.compile(r",? ?\bI mean\b,? ?", re.IGNORECASE)  # "we, I mean Olaf and I, review it"
# Whoever is the subject already need not be named again: "User uses vim, and the user has no mouse".
_AGAIN = re.compile(r"(?P<mark>,?) (?P<joint>and|but) (?:so )?the user (?=[a-z])")
_SUBJECT = re.compile(r"^(?:the user |prefers |likes |loves |hates |dislikes |wants )", re.IGNORECASE)
_SOMEBODY_ELSE = re.compile(r"\b(?:he|she|they|we|it|who|which|you)\b", re.IGNORECASE)
_SECOND_VERB = re.compile(
    r"\band (have|hate|like|prefer|want|need|live|drink|eat|speak|work(?= (?:for|at|as|from)\b))\b"
)
_ANOTHER_SUBJECT = re.compile(r"\b(?:to|can|could|would|will|should|must|may|we|they|you|that|which|who)\b|[,;:]")
_HANGING = re.compile(  # the beginning of a question that was cut off
    r",? (?:and |but |so )?(?:how|what|why|when|where|which|so|and|but|or|then|und|aber|wie|was|warum|et|mais|y"
    r"|pero)\Z",
    re.IGNORECASE,
)
_OPENING_USER = re.compile(r"(?<=[.!?] )the user\b")
_LEAD_PLACE = re.compile(r"^(?:i said|i told you|i already told you|i meant|i mean)[\s,:]+", re.IGNORECASE)


# Of "Übrigens verwenden wir UTC" the first word is left out, and the rest would read as a question.
_TURNS_ROUND = re.compile(
    r"\b(?:übrigens|außerdem|eigentlich|jedenfalls|nebenbei|grundsätzlich|normalerweise) \Z", re.IGNORECASE
)
_VERB_BEFORE = re.compile(
    r"\A(?P<verb>(?i:[a-zäöüß]+(?:en|n|e|t)|ist|sind|hat)) (?P<who>wir|ich|er|es|man"
    r"|(?:Frau|Herr) [A-ZÄÖÜ]\w+|(?:(?:der|die|das|unsere?|mein) )?[A-ZÄÖÜ]\w+)\b(?=\s)"
)
_MENDED = {
    "dont": "don't",
    "doesnt": "doesn't",
    "didnt": "didn't",
    "cant": "can't",
    "wont": "won't",
    "isnt": "isn't",
    "arent": "aren't",
    "im": "I'm",
    "ive": "I've",
    "thats": "that's",
    "lets": "let's",
    "youre": "you're",
    "teh": "the",
    "taht": "that",
    "allways": "always",
    "alway": "always",
    "nver": "never",
    "plz": "please",
    "pls": "please",
    "insted": "instead",
    "rember": "remember",
    "remeber": "remember",
    "becuase": "because",
}
_MISSPELT = re.compile(rf"(?<![\w`'/.-])(?:{'|'.join(_MENDED)})(?![\w`'/-])", re.IGNORECASE)


def mended(text: str, lexicon: Lexicon) -> str:
    """The commonest slips of fast typing put right, so that requests are heard; English only."""
    return _MISSPELT.sub(lambda m: _MENDED[m[0].lower()], text) if lexicon.code == "en" else text


def strip_filler(clause: str, lexicon: Lexicon) -> str:
    """The clause without small talk before and after it."""
    text = whole = squash(clause)
    for _ in range(4):  # openers pile up: "ok so btw, …"
        shorter = lexicon.closers.sub("", lexicon.openers.sub("", text, count=1)).strip(" ,;:")
        if shorter == text or not shorter:
            break
        text = shorter
    if lexicon.code == "de" and text and _TURNS_ROUND.search(whole.partition(text)[0]) is not None:
        text = _VERB_BEFORE.sub(r"\g<who> \g<verb>", text, count=1)
    return _LEAD_PLACE.sub("", text)


def stand_alone(clause: str, lexicon: Lexicon) -> str:
    """A statement of at most 300 characters that can be read without its dialogue."""
    text = strip_filler(clause, lexicon)
    if lexicon.code == "en":
        text = third_person(_MEANT.sub(_comma_instead, text))
        text = _as_noted(_one_subject(text))
    text = shorten(_HANGING.sub("", text.strip().rstrip(".!,;: ")).strip())
    first, said, rest = text.partition("the user")
    text = first + said + rest.replace(" the user's ", " their ")
    text = _OPENING_USER.sub("The user", text)
    if text.startswith("the user"):
        text = "User" + text.removeprefix("the user")
    if text and not _NOT_PROSE.match(text):
        text = text[0].upper() + text[1:]
    return text


def _comma_instead(meant: re.Match[str]) -> str:
    return ", " if meant.start() else ""


def _one_subject(text: str) -> str:
    """A statement about the user with the user named once: "User is left-handed and hates dialogs"."""
    if not _SUBJECT.match(text):
        return text
    again = _AGAIN.search(text)
    if again is not None and _SOMEBODY_ELSE.search(text, 0, again.start()) is None:
        mark = again["mark"] if again["joint"] == "but" else ""
        text = f"{text[: again.start()]}{mark} {again['joint']} {text[again.end() :]}"
    second = _SECOND_VERB.search(text)
    if second is None or _ANOTHER_SUBJECT.search(text, 0, second.start()) is not None:
        return text
    return text[: second.start(1)] + _conjugated(second[1]) + text[second.end(1) :]


def _as_noted(text: str) -> str:
    """A wish or an order in the words of a note: "Prefers small commits", "Never delete the fixtures"."""
    text = _STOPPED.sub("", text, count=1)
    if (order := _ORDER.match(text)) is not None:
        return ("Don't " if order["how"].lower() == "not" else f"{order['how'].capitalize()} ") + text[order.end() :]
    if (kept := _KEPT_SO.match(text)) is not None:
        return f"Prefers {kept['how']} {kept['what']}" + text[kept.end() :]
    if (wanted := _WANTED.match(text)) is not None:
        never = bool(wanted["no"]) != bool(wanted["not"])
        how = "Don't " if never else (wanted["how"] or "").capitalize()
        verb = wanted["verb"] if how else wanted["verb"].capitalize()
        return how + verb + text[wanted.end() :]
    if (wish := _WISH.match(text)) is not None:
        return wish["wish"][0].upper() + wish["wish"][1:] + text[wish.end() :]
    return text


def said_by_agent(words: str, lexicon: Lexicon) -> str:
    """What the agent asked or told as it can stand before the user's answer to it; English only."""
    if lexicon.code == "en":
        words = _AGENT_VERB.sub(lambda m: f"the agent {m[1]}{_conjugated(m[2])}", words)
        for pattern, replacement in _ASKED:
            words = re.sub(pattern, replacement, words, flags=re.IGNORECASE)
    return words[:1].upper() + words[1:]


def third_person(text: str) -> str:
    """First person singular becomes "the user"; quoted and code spans stay."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _third_person(part) for part in parts)


def _third_person(text: str) -> str:
    for pattern, replacement in _CONTRACTED:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE if pattern.startswith(r"\bI(?:'") else 0)
        text = re.sub(pattern.replace("I ", "i "), replacement, text)
    text = _INVERTED.sub(lambda m: f"{_WITH_THE_USER.get(m[1].lower(), m[1])} the user", text)
    text = _PLAIN_VERB.sub(lambda m: f"the user {m[1]}{_conjugated(m[2])}", text)
    for pattern, replacement in _POSSESSIVE:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    return text


def _conjugated(verb: str) -> str:
    if _PAST.fullmatch(verb) and verb not in {"need", "embed", "feed", "speed", "read", "proceed", "succeed", "shed"}:
        return verb
    if verb in {"have", "do", "go"}:
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def shorten(text: str) -> str:
    """Cut at the last clause or word that fits."""
    if len(text) <= CONTENT_CHARS_MAX:
        return text
    head = text[:CONTENT_CHARS_MAX]
    cut = max(head.rfind(mark) for mark in (", ", "; ", " - ", " – ", " ("))
    return (head[:cut] if cut > CONTENT_CHARS_MAX // 2 else head.rsplit(" ", 1)[0]).rstrip(" ,;-–(")
