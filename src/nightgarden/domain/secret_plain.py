"""Secrets made of plain words or short groups, where the sentence says that they are the secret and says nothing else.

"The password is swordfish" gives one away; "the password is required" does not. So a word counts only at the end of its
sentence, and only if it does not describe: participles and words of condition are none. English alone; a phrase whose
words hold a sentence together ("the passphrase is kept in the vault") is prose. What stands between quotation marks
("the password is 'blue otter', with the blank") is told to the letter, in whatever language and wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nightgarden.domain.secret_value import is_stand_in

_END = r"[\"'`]?[.!]?(?=\s*(?:\Z|\n))"
_WORD = re.compile(
    r"\b(?:password|passphrase|passcode|passwd)(?: (?:for|of|to|on) (?:[\w.@/-]{1,40} ){1,4}?| )(?:is|was)[ \t]*:?"
    r"[ \t]+[\"'`]?(?P<value>[A-Za-z]{6,30})" + _END,
    re.IGNORECASE,
)
_PHRASE = re.compile(
    r"\b(?:password|passphrase)(?: (?:for|of|to|on) (?:[\w.@/-]{1,40} ){1,4}?|[ \t]?)(?:is|was|:|=)[ \t]*:?[ \t]+"
    r"[\"'`]?(?P<value>[a-z]{3,12}(?:[ -][a-z]{3,12}){3,7})" + _END,
    re.IGNORECASE,
)
_VARIABLE = re.compile(
    r"(?<![\w$])[A-Z0-9_]{0,40}(?:PASS|PASSWORD|PASSWD|PASSPHRASE|PWD)=(?P<quote>[\"'])"
    r"(?P<value>[A-Za-z]{3,12}(?: [A-Za-z]{3,12}){2,7})(?P=quote)"
)
_CODE = re.compile(
    r"\b(?:recovery|backup|2fa|mfa|emergency|scratch|one-time)(?:[ -](?:backup|recovery|login|account))? codes?"
    r"(?: (?:for|of) (?:[\w.@/-]{1,40} ){1,3}?|[ \t]?)(?:is|are|:|=)[ \t]*"
    r"(?P<value>[A-Za-z0-9][A-Za-z0-9-]{5,40}(?:,? (?:and )?[A-Za-z0-9-]*\d[A-Za-z0-9-]*){0,20})",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\b(?:password|passphrase|passcode|passwd|passwort|kennwort|mot de passe|contraseña|senha"
    r"|wachtwoord|parola d'ordine|hasło|пароль)"
    r"(?: (?:for|of|to|on|für|zum|zur|von|vom|pour|du|de|del|della|di|para|do|da|van|voor) (?:[\w.@/-]{1,40} ){1,4}?"
    r"|[ \t])"
    r"(?:is|was|ist|lautet|war|est|es|era|é|è|:|=)[ \t]*:?[ \t]+(?:still |now |noch |immer |jetzt |toujours )?"
    r"(?:\"(?P<double>[^\"\n]{4,60})\"|'(?P<single>[^'\n]{4,60})'(?!\w)|[“„](?P<curly>[^“”\n]{4,60})[”“]"
    r"|[«»](?P<angled>[^«»\n]{4,60})[«»]|‘(?P<thin>[^‘’\n]{4,60})’)",
    re.IGNORECASE,
)
_NO_PASSWORD = re.compile(
    r"(?:not|required|invalid|wrong|incorrect|missing|empty|enter|your|must)\b|\W*\Z|[<${]", re.IGNORECASE
)
_DIGITS_MIN = 4  # of a code; "recovery codes are printed" has none
# What is said of passwords: how they are, were made, or have to be.
_DESCRIBES = re.compile(
    r"\w+(?:ed|able|ible|ing|ive|less|ful|ly|ory|ary|ent|ant|ic|ous)|hidden|wrong|correct|weak|strong|optional|secret"
    r"|global|manual|stolen|broken|written|shown|known|unknown|chosen|given|taken|forgotten|somewhere|nowhere|there"
    r"|mandatory|random|unique|common|simple|secure|insecure|private|public|external|internal|identical|different"
    r"|plaintext|useless|outdated|complex|longer|shorter|unsafe|static|dynamic|local|temporary|still|always|never"
    r"|nothing|something|everything|enough|sent|bcrypt|argon|mine|yours|theirs|himself|itself|elsewhere|stale",
    re.IGNORECASE,
)
_MADE = re.compile(r"\w+(?:ed|en|ing|ly)\b", re.IGNORECASE)
_JOINS = re.compile(
    r"\b(?:the|and|for|with|from|into|that|this|not|our|your|you|are|was|has|have|can|may|must|should|will|when|where"
    r"|which|who|than|then|only|before|after|every|each|any|all|once|per|via|same|between|until|because|but|least)\b",
    re.IGNORECASE,
)


def find_plain(text: str, low: str) -> Iterator[tuple[int, int, str]]:
    """Where they stand, and what they are. `low` is `text` in lower case, of the same length."""
    if "pass" in low or "pwd" in low:
        for match in _WORD.finditer(text):
            if not _DESCRIBES.fullmatch(match["value"]) and not is_stand_in(match["value"]):
                yield match.start("value"), match.end("value"), "password"
        for match in _PHRASE.finditer(text):
            if not _is_prose(match["value"]):
                yield match.start("value"), match.end("value"), "passphrase"
        for match in _VARIABLE.finditer(text):
            if not _is_prose(match["value"]):
                yield match.start("value"), match.end("value"), "password"
    yield from _quoted(text)
    if "code" in low:
        for match in _CODE.finditer(text):
            if sum(map(str.isdigit, match["value"])) >= _DIGITS_MIN:
                yield match.start("value"), match.end("value"), "recovery code"


def _quoted(text: str) -> Iterator[tuple[int, int, str]]:
    """Passwords between quotation marks."""
    for match in _QUOTED.finditer(text):
        kind = match.lastgroup
        assert kind is not None
        value = match[kind]
        if not (_NO_PASSWORD.match(value) or _DESCRIBES.fullmatch(value) or is_stand_in(value)):
            yield match.start(kind), match.end(kind), "password"


def _is_prose(value: str) -> bool:
    return _MADE.match(value) is not None or _JOINS.search(value) is not None or is_stand_in(value)
