"""A short answer with the question it answers. Where English grammar allows it without guessing they become one
statement ("The default page size is 50, max 200"); otherwise the question stands before the answer. A reply that says
nothing without what the agent told ("not by day") stands behind its words."""

from __future__ import annotations

import re

from nightgarden.domain.text import fold
from nightgarden.remember.extract.references import points_back
from nightgarden.remember.extract.spans import sentence_spans
from nightgarden.remember.language import lexicon_of

QUESTION_WORDS_MIN = 2
ALONE_WORDS_MIN = 4  # of what follows a yes or no, for it to say what it is about
REPLY_WORDS_MAX = 6  # of one that only says where, when or how far
VALUE_WORDS_MAX = 3  # of an answer before what is said about it

_LEAD = re.compile(
    r"^(?:(?:and|so|but|also|ok|okay|great|quick question|one more(?: thing| question)?|last (?:one|question)"
    r"|by the way)\b[,:.]?\s+)+",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r",? so (?:that )?(?:the agent|we) (?:can|know|knows)\b[^?]{0,120}(?=\?)")
_THING = r"(?P<what>(?:the|our|its|their|this) [^?,;]{2,100}?)"
_WHAT_IS = re.compile(rf"^what(?:(?P<one>'s| is| was)| are| were) {_THING}\?$", re.IGNORECASE)
_WHAT_SHOULD_BE = re.compile(rf"^what should {_THING} be(?: set to)?\?$", re.IGNORECASE)
_BARE = re.compile(
    r"^(?P<what>(?:the|our|default|max|maximum|min|minimum)\b(?![^?]*\b(?:is|are|was|do|does|did|should|shall|can|could"
    r"|will|would|has|have|be)\b)[^?,;]{2,100})\?$",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(
    r"^(?:(?:no|nope|nah|yes|yeah|yep|yup|nein|nee|nö|ja|sí|si|non|oui|sì|sim|não|nao|tak|nie|да|нет)(?: please)?"
    r" ?[,.!:;–—-]+\s*|(?:是的?|对|不是?|没有|有|はい|いいえ|ええ)[，、,。！!]\s*)(?P<rest>.+)$",
    re.IGNORECASE | re.S,
)
# A verb that says something of somebody or something, or whose it is: such an answer mostly names what it is about.
_STATES = re.compile(
    r"\b(?:is|isn't|isnt|are|aren't|am|im|was|has|have|goes?|gets?|runs?|uses?|needs?|stays?|lives?|does|do|don't|dont|must|can|i|we|our"
    r"|my|ist|sind|hat|haben|wird|geht|läuft|nehmen|machen|muss|darf|ich|wir|unser\w*|mein\w*|es|son|está|están|va|van|usamos"
    r"|tiene|tenemos|hay|mi|nuestr[oa]s?|est|sont|nous|notre|nos)\b|[a-z]'(?:s|m|re|ve)\b",
    re.IGNORECASE,
)
_VERB_FIRST = re.compile(
    r"(?:is|isn't|are|aren't|was|has|have|goes|gets|runs|uses|needs|stays|lives|does|must|can|ist|sind|hat|haben|wird|geht|läuft"
    r"|muss|darf|es|son|está|están|va|van|tiene|tienen|hay|est|sont|a|ont)\b",
    re.IGNORECASE,
)
_WHERE_OR_WHEN = (
    r"(?:on|in|at|for|from|by|with|without|before|after|until|during|auf|im|am|an|bei|für|mit|ohne|vor|nach|bis|zum|zur"
    r"|sur|dans|en|à|au|aux|chez|pour|avec|sans|avant|après|con|sin|por|para|antes|después|su|nel\w*|per|senza|prima|dopo"
    r"|com|sem|no|na|nos|nas|até|depois|op|bij|voor|met|zonder|na|tot)"
)
# What only says where, when or how far holds what was asked.
_LEANS = re.compile(
    r"(?:but|only|except|unless|if|when|just|also|because|aber|nur|außer|wenn|falls|auch|weil|mais|seulement"
    r"|uniquement|sauf|quand|aussi|parce|pero|s[oó]lo|solamente|salvo|excepto|cuando|también|porque|ma|soltanto|tranne"
    r"|quando|anche|perché|mas|só|apenas|exceto|também|maar|alleen|behalve|als|ook|omdat|ale|tylko|oprócz|kiedy|też"
    r"|но|только|кроме|если|когда|тоже"
    rf"|(?:(?:never|always|not|nie|niemals|immer|nicht|jamais|toujours|pas|nunca|siempre|no|mai|sempre|non|não|nooit"
    rf"|altijd|niet) )?{_WHERE_OR_WHEN})\b",
    re.IGNORECASE,
)
_EXISTS = re.compile(r"(?:there|es gibt|il y a|hay|this)\b", re.IGNORECASE)  # points at nothing said before
_HEAD = re.compile(r"(?P<head>[^,;:.–—]{1,40}?)(?:[,;:]\s|\s[–—-]\s)(?=\S)")
_MARKS, _REST = " ,.!:;–—-，、。！", "x"
_WORD = re.compile(r"[^\W\d_]{2,}")


def with_question(question: str, said: str, *, first_sentence: str) -> str:
    """What was answered, as it can be understood later. Its first sentence tells whether the question is needed."""
    asked = _PURPOSE.sub("", _LEAD.sub("", question.strip()))
    if len(_WORD.findall(asked)) < QUESTION_WORDS_MIN:  # a row of a table, "Next?"
        return said
    answer = _YES_OR_NO.match(said)
    if answer is not None:
        alone = without_yes_or_no(said)
        return alone if alone != said else f"{_begun(asked)} {said}"
    if _STATES.search(first_sentence) is not None and _says_of_what(first_sentence) and not points_back(said):
        return said
    if (what := _WHAT_IS.match(asked)) is not None:
        return f"{_begun(what['what'])} {'is' if what['one'] else 'are'} {said}"
    if (what := _WHAT_SHOULD_BE.match(asked)) is not None:
        return f"{_begun(what['what'])} should be {said}"
    if (what := _BARE.match(asked)) is not None:
        return f"{_begun(what['what'])}: {said}"
    return f"{_begun(asked)} {said}"


def with_told(told: str, said: str) -> str:
    """A reply behind what the agent had told, marked as the agent's words."""
    return f"Agent: “{told}” – {said}"


def replies(first_sentence: str) -> bool:
    """Whether a statement says nothing without what it replies to: "90 since the new disks", "not by day", "it
    can't"."""
    answer = _YES_OR_NO.match(first_sentence)
    if answer is not None:
        return not _names_its_matter(answer["rest"])
    if first_sentence[:1].isdigit() or (points_back(first_sentence) and _EXISTS.match(first_sentence) is None):
        return True
    if len(first_sentence.split()) < QUESTION_WORDS_MIN:
        return True
    leans = _LEANS.match(first_sentence) is not None or _VERB_FIRST.match(first_sentence) is not None
    short = len(first_sentence.split()) <= REPLY_WORDS_MAX
    return leans and short and _STATES.search(first_sentence, 1) is None


def needs_question(said: str, kept: str) -> bool:
    """Whether what was kept of a no does not tell what it is about: "no, never on Fridays"."""
    answer = _YES_OR_NO.match(said)
    return answer is not None and fold(kept) in fold(answer["rest"]) and not _names_its_matter(answer["rest"])


def without_yes_or_no(said: str) -> str:
    """A statement without the yes or no before it, where it needs none."""
    answer = _YES_OR_NO.match(said)
    return answer["rest"] if answer is not None and _names_its_matter(answer["rest"]) else said


def says_yes_or_no(said: str) -> bool:
    """Whether an answer begins with a yes or no."""
    return _YES_OR_NO.match(said) is not None


def is_yes_or_no(said: str) -> bool:
    """Whether it is one and nothing else."""
    found = _YES_OR_NO.match(f"{said.rstrip(_MARKS)}, {_REST}")
    return found is not None and found["rest"] == _REST


def _names_its_matter(rest: str) -> bool:
    """Whether what follows a yes or no is a statement of its own: "no, exceptions belong in Archer"."""
    first = rest[: next(sentence_spans(rest), (0, 0))[1]]
    return _says_of_what(first) and not points_back(rest) and not rest[0].isdigit()


def _says_of_what(said: str) -> bool:
    if len(said.split()) < ALONE_WORDS_MIN:
        return False
    return _LEANS.match(said) is None and _VERB_FIRST.match(said) is None and not begins_with_value(said)


def begins_with_value(said: str) -> bool:
    """ "Freshwater Biology, we settled on it on Friday": the answer, and then something about it."""
    head = _HEAD.match(said)
    if head is None or len(head["head"].split()) > VALUE_WORDS_MAX or _STATES.search(head["head"]) is not None:
        return False
    openers = lexicon_of(said).openers
    return openers.sub("", said, count=1) == said


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
