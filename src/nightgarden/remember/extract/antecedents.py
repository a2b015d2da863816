"""Who or what a sentence that begins with "he" or "it" is about, by the sentence before it. Pure.

"Write a reply to Marco. He is our landlord." is a task and a lasting statement; kept without its task, the statement
needs the name. It is put in where the sentence before names one person or one thing and nothing else that could be
meant; everywhere else the words stay. Seven languages for people, English for things.
"""

from __future__ import annotations

import re

from nightgarden.domain.text import fold
from nightgarden.remember.compare.lexicon.alike import lemma
from nightgarden.remember.compare.lexicon.classes import classes_of
from nightgarden.remember.extract.spans import sentence_spans

_PERSON = re.compile(
    r"(?P<joint>(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|en|maar) )?(?:(?P<is>(?:he|she)'s) (?!got\b|been\b|had\b)"
    r"|(?:he|she|él|ella|lui|lei|ele|ela|hij) (?!and\b|or\b|y\b|o\b|e\b)"
    r"|er (?=\w+t\b|ist\b|kann\b|muss\b|darf\b|will\b|soll\b|mag\b|war\b)"
    r"|sie (?=ist\b|hat\b|kann\b|muss\b|darf\b|will\b|soll\b|mag\b|war\b|wird\b|heißt\b|arbeitet\b|wohnt\b|isst\b)"
    r"|(?:il|elle) (?!y\b|faut\b|pleut\b|s'agit\b|est (?:tard|tôt|temps|possible|important)\b)"
    r"|z(?:e|ij) (?=is\b|heeft\b|kan\b|moet\b|mag\b|wil\b|werkt\b|woont\b))(?=\w)",
    re.IGNORECASE,
)
_THING = re.compile(
    r"(?P<joint>(?:and|but) )?it (?=(?:must|should|has to|needs?|can't|cannot|can only|may only|runs?|uses|listens"
    r"|lives|takes|belongs|accepts|expects|only|never|always|is (?:on|in|at|under|behind|called|written|based|owned"
    r"|hosted|never|always|only))\b)",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(
    r"(?<![\w.@/-])(?:(?:Mrs?|Ms|Dr|Prof|Hr|Fr|Sr|Sra)\. )?[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]+(?:[ -][A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]+){0,2}"
    r"(?![\w@/]|\.\w)"
)
# A German noun is written with a capital as well, but stands behind an article or an adjective.
_ARTICLE = re.compile(
    r"(?:\b(?:d(?:er|ie|as|en|em|es)|(?:k?ein|mein|dein|sein|ihr|unser|euer|jed|dies|all|viel|zw)\w*|zum|zur|im|am|vom"
    r"|beim|ins|ans|the|our|my|le|la|les|une?|el|los|las|il|lo|gli|o|os|as|het|een)|\b[a-zäöüß]{3,}e[nrsm]?) $",
)
_MINE = r"(?:k?ein|mein|dein|sein|ihr|unser|dies|jed)"
# In these languages things are he and she as well: by their articles, what else the pronoun may mean.
_RIVALS = {
    "er": re.compile(rf"\b(?:de[rnm]|{_MINE}(?:e[nmr])?) ", re.IGNORECASE),
    "sie": re.compile(rf"\b(?:die|der|{_MINE}er?) ", re.IGNORECASE),
    "il": re.compile(r"\b(?:le|un|mon|ton|son|notre|ce) |\bl'", re.IGNORECASE),
    "elle": re.compile(r"\b(?:la|une|ma|ta|sa|notre|cette) |\bl'", re.IGNORECASE),
    "ele": re.compile(r"\b(?:o|um|meu|nosso|este) ", re.IGNORECASE),
    "ela": re.compile(r"\b(?:a|uma|minha|nossa|esta) ", re.IGNORECASE),
    "hij": re.compile(r"\b(?:de|het|een|mijn|onze?|deze|dit) ", re.IGNORECASE),
}
_CLASSES_OF_NO_NAMES = frozenset(("weekday", "month", "nationality", "season"))
_NO_NAMES = frozenset(
    """english german french spanish italian portuguese dutch polish russian chinese japanese deutsch englisch
    franzosisch spanisch slack github gitlab jira excel word google notion teams""".split()
)
_ENGLISH_ARTICLE = re.compile(r"\ban? $")  # elsewhere both say to whom
_ENGLISH = re.compile(r"(?:and |but )?s?he\b", re.IGNORECASE)
_ARTICLES = re.compile(r"\b(?:the|our|my|this|that|these|those|an?|his|her|their|some)\b", re.IGNORECASE)
# What an order is about: "tune the search endpoint". Behind "about" or "for" something else may be meant.
_OBJECT = re.compile(
    r"(?<!\babout )(?<!\bfor )(?<!\bin )(?<!\bto )(?<!\bof )(?<!\bwith )(?<!\bon )(?<!\bfrom )(?<!\bat )(?<!\bby )"
    r"(?<!\binto )(?<=[a-z] )(?P<thing>(?:the|our|my) (?:(?!(?:is|are|was|were|has|have|does|can|must|should|will|needs"
    r"|runs|not|to|for|in|on|of|with|from|and|or|so|that|please)\b)[\w'/-]+(?: (?=\w))?){1,3})[.!]?$",
)


def named(text: str) -> str:
    """The text with a name in place of each pronoun that begins a sentence and can only mean that one."""
    parts: list[str] = []
    before, known, at = "", "", 0
    for start, end in sentence_spans(text):
        said = text[start:end].lstrip()
        parts.append(text[at : end - len(said)])
        before, known = _with_name(said, before, known, parts)
        parts.append(before)
        at = end
    return "".join([*parts, text[at:]])


def _with_name(said: str, before: str, known: str, told: list[str]) -> tuple[str, str]:
    """The sentence with a name for its pronoun, if there is one; and the person it is about, for the next sentence."""
    if (pronoun := _PERSON.match(said)) is not None:
        english = _ENGLISH.match(said) is not None
        rivals = _RIVALS.get(pronoun[0].split()[-1].lower())
        if rivals is not None and rivals.search(before) is not None:
            return said, ""
        person = _person(before, told, english=english) or ("" if _people(before, english=english) else known)
        return (_put(said, pronoun, person), person) if person else (said, "")
    if (pronoun := _THING.match(said)) is not None and (thing := _thing(before)):
        return _put(said, pronoun, thing), ""
    return said, ""


def _put(said: str, pronoun: re.Match[str], name: str) -> str:
    joint, verb = pronoun["joint"] or "", "is " if pronoun.groupdict().get("is") else ""
    text = f"{joint}{name} {verb}{said[pronoun.end() :]}"
    return text[0].upper() + text[1:]


def _person(before: str, told: list[str], *, english: bool) -> str:
    """The one person a sentence names, if no other is named in all that was told."""
    people = _people(before, english=english)
    others = {name for part in told for name in _people(part, english=english)}
    return people[0] if len(people) == 1 and others <= set(people) else ""


def _people(said: str, *, english: bool) -> list[str]:
    found = []
    for match in _CAPITALISED.finditer(said, 1):
        name, at = match[0], match.start()
        common = _ARTICLE.search(said, 0, at) or (english and _ENGLISH_ARTICLE.search(said, 0, at))
        if not (common or _is_no_name(name) or _begins_sentence(said, at)):
            found.append(name)
    return list(dict.fromkeys(found))


def _is_no_name(word: str) -> bool:
    plain = fold(word).lower()
    return plain in _NO_NAMES or bool(classes_of(lemma(plain)) & _CLASSES_OF_NO_NAMES)


def _begins_sentence(said: str, at: int) -> bool:
    return said[:at].rstrip()[-1:] in ("", ".", "!", "?", ":", '"', "“")


def _thing(before: str) -> str:
    """The one thing an order is about, where nothing else could be meant."""
    found = _OBJECT.search(before)
    if found is None or len(_ARTICLES.findall(before)) != 1:
        return ""
    return found["thing"].strip()
