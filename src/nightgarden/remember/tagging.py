"""When two tags are one in different spellings. Pure.

Knows plurals, word forms, separators, and names of tools under which a tag is filed. Does not know synonyms of ordinary
words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from nightgarden.domain.text import stem
from nightgarden.remember.compare.lexicon.technologies import tag_of


def key_of(name: str) -> str:
    """Equal for tags that differ in form only: unit-tests, unit_test and unittests; postgres and postgresql."""
    if filed := tag_of(name):
        return filed
    parts = [stem(part) for part in re.split(r"[-_\s]+", name.lower()) if part]
    whole = "".join(parts)
    return stem(whole) if whole.isalpha() else whole


def spellings(name: str) -> tuple[str, ...]:
    """Other ways in which people write a tag, to look for among the tags there are; itself first."""
    joined = (name, name.replace("_", "-"), name.replace("-", "_"), name.replace("-", "").replace("_", ""))
    numbers = [form for each in joined for form in (each, each + "s", each.removesuffix("s"), each.removesuffix("es"))]
    filed = [tag] if (tag := tag_of(name)) else []
    alike = [form for form in (*numbers, *filed) if form and key_of(form) == key_of(name)]
    return tuple(dict.fromkeys((name, *alike)))


def settle_tags(tags: tuple[str, ...], uses: Mapping[str, int]) -> tuple[str, ...]:
    """The tags in the spelling that is used most already; `uses` counts memories by tag."""
    chosen = {
        max(spellings(name), key=lambda form: (uses.get(form, 0), form == name, form)) if name not in uses else name
        for name in tags
    }
    return tuple(sorted(chosen))
