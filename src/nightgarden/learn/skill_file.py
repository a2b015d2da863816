"""A procedure as the text of a SKILL.md, and back. Pure.

Reading is lenient: a file that people wrote, or edited, may order its sections as it likes. Steps are the numbered
items (else the bullets) of the section on steps, or of the whole text when it has none.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass

from nightgarden.domain.memory import Memory, Procedure
from nightgarden.domain.text import fold, squash

SLUG_CHARS_MAX = 48
DESCRIPTION_CHARS_MAX = 900  # clients cut at 1024
STEPS_MAX = 40
STEP_CHARS_MAX = 600
_MARK = re.compile(r"<!-- made by nightgarden from procedure ([0-9a-z]{26}) -->")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_NUMBERED = re.compile(r"\s{0,3}\d{1,3}[.)]\s+(.*)")
_BULLET = re.compile(r"\s{0,3}[-*+]\s+(.*)")
_FIELD = re.compile(r"([A-Za-z_-]{1,40}):\s*(.*)")
_ABOUT = "When the task is about: "
_EXAMPLES = "For example:"
_SECTIONS = (
    ("steps", ("step", "procedure", "how to", "instructions", "workflow", "process")),
    ("prerequisites", ("before", "prerequisite", "requirement", "needs")),
    ("warnings", ("watch out", "warning", "gotcha", "pitfall", "caution", "don't", "avoid")),
    ("trigger", ("when",)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillText:
    """What a SKILL.md says."""

    procedure: Procedure
    made_from: str | None = None  # id of the procedure that its mark names


def slug_of(name: str) -> str:
    """A name for a folder that every client takes."""
    words = _NOT_SLUG.sub("-", fold(name).lower()).strip("-")
    if len(words) > SLUG_CHARS_MAX:  # at the end of a word
        words = words[: SLUG_CHARS_MAX + 1].rpartition("-")[0] or words[:SLUG_CHARS_MAX]
    return words.rstrip("-") or "procedure"


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def render(memory: Memory, slug: str) -> str:
    """The whole file. The same procedure always gives the same text."""
    procedure = memory.procedure
    assert procedure is not None
    about = procedure.trigger or procedure.name
    asked = [f'"{task}"' for task in procedure.asked_as]
    when = f"for tasks such as {', '.join(asked)}" if asked else f"when the task is about: {about}"
    told = f"{procedure.name}. Use it {when}."
    lines = [
        "---",
        f"name: {slug}",
        f"description: {json.dumps(told[:DESCRIPTION_CHARS_MAX], ensure_ascii=False)}",
        "---",
        "",
        f"# {procedure.name}",
        "",
        "## When to use",
        "",
        f"{_ABOUT}{about}",
        *(["", _EXAMPLES, "", *(f"- {task}" for task in asked)] if asked else []),
        *_listed("Before you start", procedure.prerequisites, "- "),
        *_listed("Steps", procedure.steps, ""),
        *_listed("Watch out", procedure.warnings, "- "),
        "",
        f"<!-- made by nightgarden from procedure {memory.id} -->",
        "",
    ]
    return "\n".join(lines)


def _listed(title: str, items: tuple[str, ...], bullet: str) -> list[str]:
    if not items:
        return []
    return ["", f"## {title}", "", *(f"{bullet or f'{number}. '}{item}" for number, item in enumerate(items, start=1))]


def parse(text: str, *, fallback_name: str) -> SkillText | None:
    """What a file says; None when it has no steps."""
    mark = _MARK.search(text)
    head, body = _front_matter(_MARK.sub("", text))
    sections, title = _sections(body)
    steps = _items(sections.get("steps") or [line for lines in sections.values() for line in lines])
    if not steps:
        return None
    name = title or head.get("name") or fallback_name
    when = [line for line in sections.get("trigger", ()) if line.strip() != _EXAMPLES]
    about = " ".join(line for line in when if line.strip() and not _BULLET.match(line))
    procedure = Procedure(
        name=squash(name)[:120],
        trigger=squash(about.removeprefix(_ABOUT))[:STEP_CHARS_MAX] or head.get("description", "")[:STEP_CHARS_MAX],
        steps=steps,
        prerequisites=_items(sections.get("prerequisites", [])),
        warnings=_items(sections.get("warnings", [])),
        asked_as=tuple(item.strip('"') for item in _items([line for line in when if _BULLET.match(line)])),
    )
    return SkillText(procedure=procedure, made_from=mark[1] if mark else None)


def _front_matter(text: str) -> tuple[dict[str, str], list[str]]:
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---" or "---" not in [line.strip() for line in lines[1:]]:
        return {}, lines
    end = next(at for at, line in enumerate(lines[1:], start=1) if line.strip() == "---")
    fields = (_FIELD.match(line) for line in lines[1:end])
    return {found[1].lower(): found[2].strip().strip("\"'") for found in fields if found}, lines[end + 1 :]


def _sections(lines: list[str]) -> tuple[dict[str, list[str]], str]:
    """Lines by what their heading is about, and the first heading. Headings inside code are code."""
    found: dict[str, list[str]] = {}
    title, here, fenced = "", "text", False
    for line in lines:
        fenced ^= line.lstrip().startswith("```")
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            found.setdefault(here, []).append(line)
            continue
        said = heading[1].strip()
        title = title or said
        here = next((name for name, words in _SECTIONS if any(word in said.lower() for word in words)), "text")
    return found, title


def _items(lines: list[str]) -> tuple[str, ...]:
    """Numbered items, else bullets, each with the lines that belong to it."""
    for pattern in (_NUMBERED, _BULLET):
        items: list[list[str]] = []
        for line in lines:
            if found := pattern.match(line):
                items.append([found[1]])
            elif items and line.strip() and not line.lstrip().startswith("```"):
                items[-1].append(line)
        if items:
            texts = (squash(" ".join(item))[:STEP_CHARS_MAX] for item in items)
            return tuple(text for text in texts if text)[:STEPS_MAX]
    return ()
