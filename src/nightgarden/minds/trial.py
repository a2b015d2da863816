"""A conversation that only shows that conversations work: one tool, which the model is asked to call once. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nightgarden.domain.conversation import (
    Conversation,
    ConversationEnding,
    ConversationLimits,
    Role,
    ToolAnswer,
    ToolCall,
    ToolSpec,
    Utterance,
)
from nightgarden.errors import ModelUnavailable

SYSTEM = "You try out a tool. Call the tool `number` once, and nothing else."
OPENING = (Utterance(role=Role.USER, text="Which number comes after 41? Answer by calling the tool `number` with it."),)
LIMITS = ConversationLimits(tokens=40_000, steps=4, seconds=180.0)
NUMBER = ToolSpec(
    name="number",
    description="Takes your answer.",
    parameters={"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
)


@dataclass(slots=True, kw_only=True)
class Trial:
    """A toolbox of one tool, which ends the conversation."""

    specs: Sequence[ToolSpec] = (NUMBER,)
    answers: list[str] = field(default_factory=list)

    async def call(self, call: ToolCall) -> ToolAnswer:
        self.answers.append(str(call.arguments.get("number")))
        return ToolAnswer(text="Thank you.", ends=True)


def answer_of(trial: Trial, talked: Conversation) -> str:
    """What the model answered by the tool. Raises ModelUnavailable when it did not."""
    if trial.answers:
        return trial.answers[0]
    if talked.ending is ConversationEnding.FAILED:
        raise ModelUnavailable(talked.detail)
    said = next((each.text for each in reversed(talked.utterances) if each.role is Role.ASSISTANT), "")
    ended = talked.detail or f"the conversation ended ({talked.ending.value})"
    raise ModelUnavailable(
        f"{talked.model or talked.provider or 'the model'} did not call the tool: {said[:120] or ended}. "
        "A model that can use tools is needed for background work."
    )
