"""Whether a sentence says two things: "the API is on Go 1.22 and Petra is off on Fridays". Pure.

Told as one statement, the one falls when the other changes. Two main clauses joined by "and", each with a subject and a
verb of its own, are two where the subjects differ and neither refers to the other. Where grammar leaves that open the
sentence stays whole: what stands in a condition, a reason or in somebody's words is not cut.
"""

from __future__ import annotations

import re

CLAUSE_WORDS_MIN = 3

_AND = re.compile(r"(?:,\s*|\s)(?:and|und|et|y|e|en)\s+", re.IGNORECASE)
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
    r"|instead|otherwise|er|ihn|ihm|sie|ihr\w*|es|dort|auch|dann|deshalb|sonst|selbe\w*|aussi|alors|donc|y|eux|lui|leur"
    r"|también|entonces|allí|ellos|ellas|anche|quindi|lì|também|então|lá|ook|dan|daar|hem|haar|hun)\b",
    re.IGNORECASE,
)


def second_clause(said: str) -> tuple[int, int] | None:
    """Where the first of two main clauses ends and the second begins, if the sentence is made of two."""
    for joint in _AND.finditer(said):
        first, second = said[: joint.start()], said[joint.end() :]
        if _stands(first) and _stands(second) and not _REFERS.search(second) and _subject(first) != _subject(second):
            return joint.start(), joint.end()
    return None


def _stands(clause: str) -> bool:
    """Whether it is a main clause and nothing hangs on another."""
    return (
        len(clause.split()) >= CLAUSE_WORDS_MIN
        and _MAIN_CLAUSE.match(clause) is not None
        and _SUBORDINATE.search(clause) is None
    )


def _subject(clause: str) -> str:
    found = _SUBJECT.match(clause)
    words = found[0].lower().split() if found is not None else []
    return words[0] if words and re.fullmatch(_FIRST_PERSON, words[0], re.IGNORECASE) else " ".join(words)
