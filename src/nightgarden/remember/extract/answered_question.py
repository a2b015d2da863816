"""A short answer with the question it answers. Where English grammar allows it without guessing they become one
statement ("The default page size is 50, max 200"); otherwise the question stands before the answer."""

from __future__ import annotations

import re

from nightgarden.remember.extract.references import points_back

QUESTION_WORDS_MIN = 2
ALONE_WORDS_MIN = 4  # of what follows a yes or no, for it to say what it is about

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
    r"^(?:no|nope|nah|yes|yeah|yep|nein|ja|sí|si|non|oui)[,.!:]\s+(?P<rest>.+)$", re.IGNORECASE | re.S
)
# A verb that says something of somebody or something, or whose it is: such an answer mostly names what it is about.
_STATES = re.compile(
    r"\b(?:is|isn't|isnt|are|aren't|am|im|was|has|have|goes?|gets?|runs?|uses?|needs?|stays?|lives?|does|do|don't|dont|must|can|i|we|our"
    r"|my|ist|sind|hat|haben|wird|geht|läuft|nehmen|machen|muss|darf|ich|wir|unser\w*|mein\w*|es|son|está|están|va|van|usamos"
    r"|tiene|tenemos|hay|mi|nuestr[oa]s?|est|sont|nous|notre|nos)\b|[a-z]'(?:s|m|re|ve)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def with_question(question: str, said: str, *, first_sentence: str) -> str:
    """What was answered, as it can be understood later. Its first sentence tells whether the question is needed."""
    asked = _PURPOSE.sub("", _LEAD.sub("", question.strip()))
    if len(_WORD.findall(asked)) < QUESTION_WORDS_MIN:  # a row of a table, "Next?"
        return said
    answer = _YES_OR_NO.match(said)
    if answer is not None and len(answer["rest"].split()) >= ALONE_WORDS_MIN and not points_back(answer["rest"]):
        return answer["rest"]
    named = len(first_sentence.split()) >= ALONE_WORDS_MIN and _STATES.search(first_sentence) is not None
    if named and not points_back(said):
        return said
    if answer is None:
        if (what := _WHAT_IS.match(asked)) is not None:
            return f"{_begun(what['what'])} {'is' if what['one'] else 'are'} {said}"
        if (what := _WHAT_SHOULD_BE.match(asked)) is not None:
            return f"{_begun(what['what'])} should be {said}"
        if (what := _BARE.match(asked)) is not None:
            return f"{_begun(what['what'])}: {said}"
    return f"{_begun(asked)} {said}"


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
