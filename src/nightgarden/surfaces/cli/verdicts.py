"""What became of a statement, in words: with the texts that it replaced or contradicts, and how to take it back."""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.domain.verdict import Flagged, Refused, Reinforced, Saved, Superseded, Verdict
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.ids import short
from nightgarden.surfaces.cli.screen import count, paint


async def describe(garden: Garden, verdict: Verdict) -> str:
    """A line, and below it what the user needs to judge and to undo the verdict."""
    match verdict:
        case Saved(memory=memory):
            return f"{paint('saved', 'green')} {short(memory.id)} ({memory.category})"
        case Reinforced(memory=memory, rule=rule):
            said = f"known already, now seen {count(memory.observation_count, 'time')}"
            return _lines(
                f"{paint('reinforced', 'green')} {short(memory.id)}: {said}",
                f"known: {memory.content}",
                f"why: {rule.sentence}",
            )
        case Superseded(memory=memory, replaced_ids=ids, rule=rule):
            old = " ".join(map(short, ids))
            return _lines(
                f"{paint('superseded', 'yellow')} {old} by {short(memory.id)}",
                *[f"old: {text}" for text in await _texts(garden, ids)],
                f"new: {memory.content}",
                f"why: {rule.sentence}",
                f"if both are true: nightgarden restore {old}",
                f"if the new one is wrong: nightgarden undo (the last action), or nightgarden restore {old} later",
            )
        case Flagged(memory=memory, conflicting_ids=ids, rule=rule):
            return _lines(
                f"{paint('flagged', 'yellow')} {short(memory.id)}: stored, but it may contradict what is known",
                *[f"known: {text}" for text in await _texts(garden, ids)],
                f"new: {memory.content}",
                f"why: {rule.sentence}",
                f"to decide: nightgarden flagged {short(memory.id)} --keep, --drop or --both",
            )
        case Refused(rule=rule, findings=findings):
            what = ", ".join(dict.fromkeys(finding.what for finding in findings if finding.what))
            lift = f" If you are sure, add --allow {rule.id}." if rule.overridable else ""
            sentence = rule.sentence.rstrip(".")
            return f"{paint('refused', 'red')} ({rule.id}): {sentence}{': ' + what if what else ''}.{lift}"


async def _texts(garden: Garden, ids: Sequence[str]) -> list[str]:
    return [memory.content for memory in await garden.store.memories(ids)]


def _lines(first: str, *more: str) -> str:
    return "\n".join([first, *(f"  {' '.join(line.split())}" for line in more)])
