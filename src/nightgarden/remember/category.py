"""The kind of a statement: by its form where that is plain, else as the networks see it. Pure, given them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nightgarden.domain.classify import CATEGORIES, Classifier, WordScores
from nightgarden.domain.memory import Category
from nightgarden.domain.text import fold, squash
from nightgarden.remember.shape import parse_procedure

_NEVER = frozenset("never nie niemals nunca jamas jamais mai nooit nigdy никогда".split())

_HOW = re.compile(r"\W*(?:to|how to|um|wie man|pour|comment|para|cómo)\s", re.IGNORECASE)


def category_of(text: str, classifier: Classifier | None) -> Category:
    """The kind of a bare text. Without a classifier whatever has no plain form is a fact."""
    by_form = category_by_form(text)
    if by_form is not None or classifier is None:
        return by_form or Category.FACT
    return category_by_words(classifier.read_message(text, previous="").words, text)


def category_by_form(text: str) -> Category | None:
    """Steps are a procedure, "never …" forbids; anything else has no plain form."""
    if parse_procedure(text, told=True) is not None:
        return Category.PROCEDURE
    return Category.NEGATIVE if forbids(text) else None


def forbids(text: str) -> bool:
    """Whether it says in plain words what never to do, in four languages."""
    from nightgarden.remember.language import lexicon_of  # compiles the rules of four languages
    from nightgarden.remember.language.english import ENGLISH  # the same

    return any(
        lexicon.forbids.search(lexicon.openers.sub("", squash(text), count=1)) is not None
        for lexicon in dict.fromkeys((lexicon_of(text), ENGLISH))
    )


def category_by_words(words: Sequence[WordScores], text: str) -> Category:
    """What most of the words of a text are said to be part of; a fact where there are none. That it forbids is believed
    only of what says "never": such a memory may stop a tool, and the networks take "you need no approval" for one. That
    it is a procedure is believed only of what tells how: "migrations need the database first" is no steps to follow."""
    forbids_nothing = not _NEVER & set(fold(text).casefold().split())
    tells_how = _HOW.match(text) is not None or parse_procedure(text, told=True) is not None
    total = {
        category: sum(word.categories[number] for word in words)
        for number, category in enumerate(CATEGORIES)
        if not (category is Category.NEGATIVE and forbids_nothing)
        and not (category is Category.PROCEDURE and not tells_how)
    }
    return max(total, key=total.__getitem__)
