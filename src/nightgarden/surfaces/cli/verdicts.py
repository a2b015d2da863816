"""What became of a statement, in words: with the texts that it replaced or contradicts, and how to take it back."""

from __future__ import annotations

from nightgarden.surfaces.cli.screen import count, paint, short

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def describe(verdict: Mapping[str, Any]) -> str:
    """A line, and below it what the user needs to judge and to undo the verdict."""
    if verdict["verdict"] == "refused":
        return _refused(verdict)
    memory, texts = verdict["memory"], verdict.get("texts", {}).values()
    id, new = short(memory["id"]), f"new: {memory['content']}"
    because = f"why: {verdict['sentence']}"
    match verdict["verdict"]:
        case "reinforced":
            said = f"known already, now seen {count(memory['observation_count'], 'time')}"
            known = f"known: {memory['content']}"
            return _lines(f"{paint('reinforced', 'green')} {id}: {said}", known, because)
        case "superseded":
            old = " ".join(map(short, verdict["replaced_ids"]))
            return _lines(
                f"{paint('superseded', 'yellow')} {old} by {id}",
                *[f"old: {text}" for text in texts],
                new,
                because,
                f"if both are true: nightgarden restore {old}",
                f"if the new one is wrong: nightgarden undo (the last action), or nightgarden restore {old} later",
            )
        case "flagged":
            return _lines(
                f"{paint('flagged', 'yellow')} {id}: stored, but it may contradict what is known",
                *[f"known: {text}" for text in texts],
                new,
                because,
                f"to decide: nightgarden flagged {id} --keep, --drop or --both",
            )
        case _:
            everywhere = ", for every project" if memory["scope"] == "global" else ""
            return f"{paint('saved', 'green')} {id} ({memory['category']}{everywhere})"


def _refused(verdict: Mapping[str, Any]) -> str:
    what = ", ".join(dict.fromkeys(finding["what"] for finding in verdict["findings"] if finding["what"]))
    flags = " ".join(f"--allow {rule}" for rule in (verdict["rule"], *verdict.get("further_rules", ())))
    lift = f" If you are sure, add {flags}." if verdict["may_be_allowed"] else ""
    sentence = verdict["sentence"].rstrip(".")
    return f"{paint('refused', 'red')} ({verdict['rule']}): {sentence}{': ' + what if what else ''}.{lift}"


def _lines(first: str, *more: str) -> str:
    return "\n".join([first, *(f"  {' '.join(line.split())}" for line in more)])
