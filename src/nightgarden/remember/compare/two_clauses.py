"""Whether a sentence says two things: "the API is on Go 1.22 and Petra is off on Fridays". Pure.

Told as one statement, the one falls when the other changes. Two main clauses joined by "and" or a comma, each with a
subject and a verb of its own, are two where the subjects differ and neither refers to the other; before ", and" a note
without a verb will do: "ceiling 5500 for all speakers, and the vowels are on tier 2". Where grammar leaves that open
the sentence stays whole: what stands in a condition, a reason or in somebody's words is not cut.
"""

from __future__ import annotations

import itertools
import re

CLAUSE_WORDS_MIN = 3

_JOINT = re.compile(r",\s*+(?P<after>and|und|et|y|e|en)\s++|\s(?:and|und|et|y|e|en)\s++|[,;]\s++", re.IGNORECASE)
_VERB = (
    r"(?:is|isn't|are|aren't|was|were|has|have|must|should|can|cannot|can't|will|won't|needs?|uses?|runs?|lives?|goes|go"
    r"|stays?|gets?|belongs?|does|doesn't|do|don't|starts?|ends?|opens?|closes?|works?|owns?|takes?|deploys?|wants?|likes?"
    r"|prefers?|expects?|listens?|ist|sind|war|hat|haben|muss|müssen|soll|sollen|kann|können|darf|dürfen|wird|werden|läuft"
    r"|laufen|liegt|liegen|heißt|gehört|braucht|nutzt|nutzen|geht|gehen|wohnt|arbeitet|est|sont|a|ont|doit|doivent|peut"
    r"|va|vont|utilise|tourne|habite|es|son|está|están|tiene|tienen|debe|deben|usa|usan|vive|è|sono|ha|hanno|deve|gira"
    r"|abita|é|são|tem|têm|fica|mora|zijn|heeft|hebben|moet|moeten|draait|staat|gaat|woont|werkt)"
)
_FIRST_PERSON = (
    r"(?:we|i|wir|ich|nous|on|je|nosotros|yo|noi|io|nós|eu|wij|ik)(?:'(?:re|ve|ll|m|d))?\b"
    r"(?! (?:and|or|und|et|y|e|en)\b)"
)
_NAMED = (
    r"(?:(?:the|our|my|all|every|no|der|die|das|unser\w*|mein\w*|alle|jede[rs]?|le|la|les|l'|notre|nos|mon|ma|mes|el|los|las"
    r"|nuestr\w+|mi|mis|il|lo|gli|i|il nostro|la nostra|o|os|as|nosso\w*|nossa\w*|het|de|ons|onze|mijn)\s?[\w'./-]+"
    r"(?: [\w'./-]+){0,3}?|(?-i:[A-ZÀ-Þ][\w'./-]*)(?: (?-i:[A-ZÀ-Þ])[\w'./-]*)?)"
)
_MAIN_CLAUSE = re.compile(rf"(?:{_FIRST_PERSON} \w+|{_NAMED} {_VERB}\b)", re.IGNORECASE)
_CALLED = (  # without an article, as one types: "marisol has the releases"
    r"(?!(?:it|this|that|these|those|there|here|what|which|who|how|where|when|why|he|she|they|you|not|so|then|one|es|das|dies"
    r"|der|sie|er|ça|cela|ce|eso|esto|quello|isso|dat|dit)\b)[^\W\d][\w'./-]+(?: [\w'./-]+)?"
)
_STATEMENT = re.compile(rf"{_MAIN_CLAUSE.pattern}|{_CALLED} {_VERB}\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?]\s++|\n++")
_SEMICOLON = re.compile(r"[\w)];\s")
_SUBJECT = re.compile(r"[\w'./-]+(?: [\w'./-]+)?")
_SUBORDINATE = re.compile(
    r"\b(?:if|when|whenever|since|because|while|although|unless|until|after|before|as|so|that|which|who|whose|where|whether"
    r"|once|between|both|either|said|says|wenn|weil|da|falls|dass|ob|sobald|obwohl|damit|während|zwischen|sagt"
    r"|si|quand|lorsque|comme|parce|que|qui|dont|entre|cuando|porque|aunque|donde|quien|se|quando|perché|che|mentre|porque"
    r"|als|omdat|terwijl|dat|die wir|tussen)\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|same|too|also|then|therefore|there|else|both"
    r"|instead|otherwise|ones?|er|ihn|ihm|sie|ihr\w*|es|dort|auch|dann|deshalb|sonst|selbe\w*|aussi|alors|donc|y|eux|lui|leur"
    r"|también|entonces|allí|ellos|ellas|anche|quindi|lì|também|então|lá|ook|dan|daar|hem|haar|hun)\b",
    re.IGNORECASE,
)


def second_clause(said: str) -> tuple[int, int] | None:
    """Where the first of two main clauses ends and the second begins, if the sentence is made of two."""
    for joint in _JOINT.finditer(said):
        first, second = said[: joint.start()], said[joint.end() :]
        if not (_is_main(second) and _hangs_on_nothing(second)) or _REFERS.search(second) is not None:
            continue
        paused = joint["after"] is not None
        if _hangs_on_nothing(first) and (paused or _is_main(first)) and _subject(first) != _subject(second):
            return joint.start(), joint.end()
    return None


def is_two(said: str) -> bool:
    """Whether a text says two things that can be told one without the other."""
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(said)), len(said)]
    alone = sum(stands(said[start:end].strip(" .!?")) for start, end in itertools.pairwise(ends))
    return alone >= 2 or second_clause(said) is not None or _SEMICOLON.search(said) is not None


def stands(clause: str) -> bool:
    """Whether a clause can be read without those around it."""
    return _STATEMENT.match(clause) is not None and _hangs_on_nothing(clause) and _REFERS.search(clause) is None


def _is_main(clause: str) -> bool:
    """Whether it has a subject and a verb."""
    return _MAIN_CLAUSE.match(clause) is not None


def _hangs_on_nothing(clause: str) -> bool:
    return len(clause.split()) >= CLAUSE_WORDS_MIN and _SUBORDINATE.search(clause) is None


def _subject(clause: str) -> str:
    found = _SUBJECT.match(clause)
    words = found[0].lower().split() if found is not None else []
    return words[0] if words and re.fullmatch(_FIRST_PERSON, words[0], re.IGNORECASE) else " ".join(words)
