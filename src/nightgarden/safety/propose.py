"""The tool `request_permission`: how an agent asks in its own words, and how its arguments are read. Pure.

Models name the same thing in many ways, so several names are taken for each part of the review. With `tool` and
`arguments` the request is for that very call; without, the answer is only told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nightgarden.domain.conversation import ToolSpec
from nightgarden.errors import BadInput
from nightgarden.safety.kinds import kind_of_action
from nightgarden.safety.requests import ActionCall, ActionProposal, Review, Urgency

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
REQUEST_PERMISSION = ToolSpec(
    name="request_permission",
    description=(
        "Ask the user for permission. Does not block: go on with other work. Give tool and arguments of the exact call "
        "you want to make; once approved it is carried out for you, now or in a later cycle. Without them the user's "
        "answer is only told to you later."
    ),
    parameters={
        "type": "object",
        "properties": {
            "action": _TEXT | {"description": "what you want to do, in a few words, such as open a pull request"},
            "description": _TEXT | {"description": "one or two sentences for the user"},
            "rationale": _TEXT | {"description": "why it is worth doing"},
            "urgency": {"type": "string", "enum": [each.value for each in Urgency]},
            "wait": {"type": "boolean", "description": "carry it out once approved (default true)"},
            "tool": _TEXT | {"description": "the tool to call"},
            "arguments": {"type": "object", "description": "its exact arguments"},
            "context": {
                "type": "object",
                "description": "the review",
                "properties": {
                    "summary": _TEXT,
                    "why_permission_needed": _TEXT,
                    "current_activity": _TEXT,
                    "expected_outcome": _TEXT,
                    "impact": _TEXT,
                    "rollback_plan": _TEXT,
                    "planned_steps": _TEXTS,
                    "files": _TEXTS,
                    "commands": _TEXTS,
                    "risks": _TEXTS,
                    "diff": _TEXT,
                },
            },
        },
        "required": ["action", "description"],
    },
)
_NAMES: dict[str, tuple[str, ...]] = {
    "summary": ("summary", "title", "overview"),
    "why": ("why_permission_needed", "why", "reason", "justification"),
    "current_activity": ("current_activity", "activity", "background"),
    "expected_outcome": ("expected_outcome", "outcome", "result", "success_criteria"),
    "impact": ("impact", "effects", "scope"),
    "rollback": ("rollback_plan", "rollback", "undo", "recovery"),
    "notes": ("notes", "note", "details"),
    "diff": ("diff", "patch"),
}
_LISTS: dict[str, tuple[str, ...]] = {
    "steps": ("planned_steps", "steps", "plan"),
    "files": ("files", "file_paths", "paths"),
    "commands": ("commands", "command", "cmds"),
    "risks": ("risks", "risk", "dangers"),
}


def read_proposal(given: Mapping[str, Any]) -> tuple[ActionProposal, ActionCall | None]:
    """What the agent asks for, and the call it wants to make, if it gave one. Raises BadInput."""
    action, description = _text(given.get("action")), _text(given.get("description"))
    if not action or not description:
        raise BadInput("request_permission needs action and description: what you want to do, in plain words")
    review = _review(given.get("context"))
    proposal = ActionProposal(
        action=action,
        description=description,
        kind=kind_of_action(action),
        rationale=_text(given.get("rationale")),
        urgency=_urgency(given.get("urgency")),
        wait=str(given.get("wait", True)).lower() not in ("false", "0", "no"),
        review=review,
    )
    tool, arguments = _text(given.get("tool")), given.get("arguments")
    if not tool:
        return proposal, None
    if not isinstance(arguments, Mapping):
        raise BadInput("request_permission: arguments must be the object that the tool is to be called with")
    if tool == REQUEST_PERMISSION.name:
        raise BadInput("request_permission cannot ask for itself")
    return proposal, ActionCall(tool=tool, arguments=dict(arguments), directory="")


def _review(context: Any) -> Review:
    if not isinstance(context, Mapping):
        return Review(notes=_text(context))
    context = dict(context.get("review", {})) | dict(context) if isinstance(context.get("review"), Mapping) else context
    parts: dict[str, Any] = {ours: _first(context, names) for ours, names in _NAMES.items()}
    parts |= {ours: _several(context, names) for ours, names in _LISTS.items()}
    return Review(**parts)


def _first(context: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := _text(context.get(name)))), "")


def _several(context: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        value = context.get(name)
        if isinstance(value, list | tuple):
            return tuple(text for each in value if (text := _text(each)))
        if text := _text(value):
            return tuple(line.strip(" -*") for line in text.splitlines() if line.strip(" -*"))
    return ()


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)


def _urgency(value: Any) -> Urgency:
    try:
        return Urgency(_text(value).lower() or "normal")
    except ValueError:
        return Urgency.NORMAL
