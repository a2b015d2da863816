"""Asking the model about one thought or reply: a bounded conversation with tools, and its last words."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from nightgarden.domain.conversation import ConversationEnding, ConversationLimits, Converser, Role, Utterance
from nightgarden.initiative.chat_prompt import PromptContext, build_prompt, system_prompt
from nightgarden.initiative.chat_tools import ChatTools
from nightgarden.initiative.decision import Decision, NotUsable, read_decision

TOOL_SECONDS_MAX = 30.0  # then no more tools, and the decision is asked for
SECONDS_MAX = 120.0
TOKENS_MAX = 40_000  # a prompt is at most 8 000, and comes again with each round of tools


@dataclass(frozen=True, slots=True, kw_only=True)
class Consulted:
    """What the model decided, and what it took."""

    decision: Decision
    tokens: int
    tools: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class _Rounds:
    """Counts rounds of tool calls and their time, and says when the last one is over."""

    tools: ChatTools
    rounds_max: int
    began: float = field(default_factory=time.monotonic)

    async def step(self, utterances: Sequence[Utterance], tokens: int) -> str | None:
        rounds = sum(1 for each in utterances if each.role is Role.ASSISTANT and each.calls)
        late = rounds > 0 and time.monotonic() - self.began > TOOL_SECONDS_MAX
        if (rounds >= self.rounds_max or late) and not self.tools.closed:
            self.tools.closed = True
            return "That was the last round of tools. Answer with your decision now, as JSON."
        return None


async def consult(converser: Converser, context: PromptContext, tools: ChatTools, *, purpose: str) -> Consulted:
    """Never raises for what the model does wrong."""
    settings = tools.settings.text
    conversation = await converser.converse(
        system=system_prompt(),
        utterances=[Utterance(role=Role.USER, text=build_prompt(context))],
        toolbox=tools,
        limits=ConversationLimits(tokens=TOKENS_MAX, steps=settings.max_tool_steps + 2, seconds=SECONDS_MAX),
        purpose=purpose,
        watcher=_Rounds(tools=tools, rounds_max=max(1, settings.max_tool_steps)),
    )
    said = [each.text for each in conversation.utterances if each.role is Role.ASSISTANT and each.text.strip()]
    decision: Decision
    if said and conversation.ending in (ConversationEnding.STOPPED, ConversationEnding.ENDED, ConversationEnding.STEPS):
        channels = {room.channel.id for room in context.rooms}
        messages = {message.id for room in context.rooms for message in room.messages}
        decision = read_decision(said[-1], channels=channels, messages=messages)
    else:
        detail = f": {conversation.detail[:200]}" if conversation.detail else ""
        decision = NotUsable(reason=f"the conversation ended with {conversation.ending}{detail}")
    return Consulted(decision=decision, tokens=conversation.tokens, tools=tuple(tools.used))
