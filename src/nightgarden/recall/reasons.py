"""Why a result is there, in short sentences for people. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from nightgarden.domain.memory import Memory
from nightgarden.domain.searchable import word_text
from nightgarden.domain.session import Passage
from nightgarden.domain.text import squash, terms
from nightgarden.recall.file_arm import shared_files
from nightgarden.recall.query import Query
from nightgarden.recall.result import ArmFound, RecallStep
from nightgarden.recall.tag_arm import named_tags
from nightgarden.recall.triggers import Fired

_WORDS_SHOWN = 4
_QUOTED_CHARS_MAX = 100
_SHOWN_SUPPORT = 0.5  # evidence from which a boost is worth a sentence


def explain(
    item: Memory | Passage,
    query: Query,
    arms: Mapping[str, ArmFound],
    boosts: Mapping[str, float],
    path: tuple[RecallStep, ...],
    fired: Fired | None,
    *,
    replaced: Memory | None = None,
) -> tuple[str, ...]:
    """One sentence for each thing that spoke for an item, the strongest kinds first."""
    said: list[str] = []
    if fired is not None:
        said.append(f"its trigger '{fired.pattern}' matches")
    said += _alike(item, query, arms)
    if "occasion" in arms and len(said) < 1:
        said.append("matters in work like this")
    if replaced is not None:
        said.append(f"replaced {named(replaced)}")
    if path:
        said.append(walked(path))
    if isinstance(item, Memory):
        said += [f"carries the tag {tag}" for tag in named_tags(item, query.tags)]
        said += [f"is about {path}" for path in shared_files(item, query.files)]
    if boosts.get("date", 0.0) > _SHOWN_SUPPORT:
        said.append(f"from the time asked about ('{query.spans[0].words}')")
    if boosts.get("speaker", 0.0) > 0 and isinstance(item, Passage):
        said.append("said by the person asked about")
    if boosts.get("standing", 0.0) > _SHOWN_SUPPORT:
        said.append("a standing instruction from the user")
    if boosts.get("answers", 0.0) > _SHOWN_SUPPORT:
        said.append("answers a message that matches")
    elif boosts.get("neighbour", 0.0) > _SHOWN_SUPPORT:
        said.append("next to a message that matches")
    return tuple(said or ["a weak match, the closest there is"])


def _alike(item: Memory | Passage, query: Query, arms: Mapping[str, ArmFound]) -> list[str]:
    said: list[str] = []
    if "text" in arms:
        matched = matched_words(item, query)
        said += [f"matches {', '.join(repr(word) for word in matched)}"] if matched else []
    if "vector" in arms and arms["vector"].evidence > 0:
        said.append(f"similar meaning ({arms['vector'].score:.2f})")
    return said


def matched_words(item: Memory | Passage, query: Query) -> list[str]:
    """Words of the query, as the query writes them, whose terms the item has."""
    have = frozenset(terms(word_text(item)))
    shown: list[str] = []
    for word in query.text.split():
        plain = word.strip(".,;:!?\"'()[]{}")
        if set(terms(plain)) & have & set(query.terms) and plain.lower() not in map(str.lower, shown):
            shown.append(plain)
    return shown[:_WORDS_SHOWN]


def named(memory: Memory) -> str:
    """By its text; by its id where that came from outside and is not to be taken at its word."""
    if memory.tainted:
        return memory.id
    text = squash(memory.content)
    return f"“{text if len(text) <= _QUOTED_CHARS_MAX else text[: _QUOTED_CHARS_MAX - 1] + '…'}”"


def walked(path: tuple[RecallStep, ...]) -> str:
    """The way through the graph as a sentence."""
    through = [step.target for step in path[:-1]]
    names = [f"tag {node.removeprefix('tag:')}" if node.startswith("tag:") else node for node in through]
    return f"linked to {path[0].source}{' through ' + ' and '.join(names) if names else ''}"
