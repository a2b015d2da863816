"""The part of a cycle that a model does: one conversation with tools, kept within its limits and to its contract.

A model that stops without ending the cycle is asked once to go on or to end; after a second stop the cycle is ended for
it, marked incomplete. When the conversation has filled four fifths of its window it is compacted: what was done is put
in a few lines, and the conversation goes on from there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from nightgarden.ambient.cycle_prompt import BEGIN, CONTINUE
from nightgarden.ambient.cycles import Cycle
from nightgarden.ambient.running import Halted, Running
from nightgarden.domain.conversation import (
    Conversation,
    ConversationEnding,
    ConversationLimits,
    Converser,
    Interrupted,
    Role,
    Toolbox,
    Utterance,
)

COMPACT_AT = 0.8  # of the window
CHARS_PER_TOKEN = 3.5  # of English and code, on the safe side
KEPT_UTTERANCES = 6  # the last ones stay word for word
COMPACTIONS_MAX = 10
PURPOSE = "ambient"
_SHOWN = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Talked:
    """How the conversation went, all its parts together."""

    ending: ConversationEnding
    ended: bool  # by end_ambient_cycle
    utterances: tuple[Utterance, ...]
    provider: str = ""
    model: str = ""
    tokens: int = 0
    cost_usd: float | None = None
    compactions: int = 0
    continued: bool = False
    detail: str = ""

    @property
    def limited(self) -> bool:
        """Whether the provider had enough of us. Other failures are not its limits."""
        words = self.detail.lower()
        return self.ending is ConversationEnding.FAILED and any(
            sign in words for sign in ("rate limit", "rate_limit", "429")
        )


class _Watch:
    """Looks between two steps: ends for the user, the clock or another machine; passes on what the user says."""

    def __init__(self, running: Running, news: Callable[[], Awaitable[str]], window: int) -> None:
        self._running = running
        self._news = news
        self._window = window
        self.compact = False
        self.halted: Halted | None = None

    async def step(self, utterances: Sequence[Utterance], tokens: int) -> str | None:
        await self._running.look()
        try:
            self._running.safe_point()
        except Halted as halted:
            self.halted = halted
            raise Interrupted from halted
        if size_of(utterances) >= COMPACT_AT * self._window:
            self.compact = True
            raise Interrupted
        return await self._news() or None


async def talk(
    converser: Converser,
    running: Running,
    toolbox: Toolbox,
    *,
    system: str,
    limits: ConversationLimits,
    is_ended: Callable[[], bool],
    news: Callable[[], Awaitable[str]],
    window: int,
) -> Talked:
    """The conversation from its beginning to its end. Raises Halted at a safe point."""
    talked = Talked(ending=ConversationEnding.STOPPED, ended=False, utterances=(Utterance(role=Role.USER, text=BEGIN),))
    spent_steps = 0
    while True:
        watch = _Watch(running, news, window)
        left = replace(limits, tokens=limits.tokens - talked.tokens, steps=limits.steps - spent_steps)
        if left.tokens <= 0 or left.steps <= 0:
            return replace(
                talked,
                ending=ConversationEnding.TOKENS if left.tokens <= 0 else ConversationEnding.STEPS,
                ended=is_ended(),
            )
        part = await converser.converse(
            system=system,
            utterances=talked.utterances,
            toolbox=toolbox,
            limits=left,
            purpose=PURPOSE,
            cycle=running.cycle.id,
            watcher=watch,
        )
        spent_steps += max(1, part.steps)
        talked = await _joined(running, talked, part, ended=is_ended())
        if watch.halted is not None and not talked.ended:
            raise watch.halted
        if talked.ended or part.ending in (
            ConversationEnding.ENDED,
            ConversationEnding.TOKENS,
            ConversationEnding.STEPS,
            ConversationEnding.SECONDS,
            ConversationEnding.FAILED,
        ):
            return talked
        if watch.compact and talked.compactions < COMPACTIONS_MAX:
            talked = replace(
                talked, utterances=compacted(talked.utterances, running.cycle), compactions=talked.compactions + 1
            )
            await running.save(lambda cycle: replace(cycle, compactions=cycle.compactions + 1))
        elif talked.continued:
            return talked
        else:
            asked = Utterance(role=Role.USER, text=CONTINUE)
            talked = replace(talked, continued=True, utterances=(*talked.utterances, asked))


async def _joined(running: Running, before: Talked, part: Conversation, *, ended: bool) -> Talked:
    """Both together; what it took is stored at once, because nobody pays it back."""
    cost = None if part.cost_usd is None and before.cost_usd is None else (part.cost_usd or 0) + (before.cost_usd or 0)
    talked = replace(
        before,
        ending=part.ending,
        ended=ended,
        utterances=part.utterances,
        provider=part.provider or before.provider,
        model=part.model or before.model,
        tokens=before.tokens + part.tokens,
        cost_usd=cost,
        detail=part.detail,
    )
    await running.save(
        lambda cycle: replace(
            cycle, provider=talked.provider, model=talked.model, tokens=cycle.tokens + part.tokens, cost_usd=cost
        )
    )
    return talked


def size_of(utterances: Sequence[Utterance]) -> int:
    """About how many tokens they take."""
    chars = sum(
        len(each.text) + sum(len(call.name) + len(str(dict(call.arguments))) for call in each.calls)
        for each in utterances
    )
    return int(chars / CHARS_PER_TOKEN)


def compacted(utterances: Sequence[Utterance], cycle: Cycle) -> tuple[Utterance, ...]:
    """The same conversation in few words: what was called and what came of it, the plan, and the last words whole."""
    cut = max(0, len(utterances) - KEPT_UTTERANCES)
    while cut < len(utterances) and utterances[cut].role is Role.TOOL:
        cut += 1  # an answer never stands without its call
    calls = {call.id: call for each in utterances[:cut] for call in each.calls}
    told = [
        f"- {calls[each.answers].name}: {' '.join(each.text.split())[:_SHOWN]}"
        for each in utterances[:cut]
        if each.role is Role.TOOL and each.answers in calls
    ]
    plan = [f"- [{todo.state.value}] {todo.text}" for todo in cycle.todos]
    text = "\n".join(
        ["This conversation was compacted. What you did so far:", *told[-60:], "Your plan:", *(plan or ["- none"])]
    )
    return (Utterance(role=Role.USER, text=text), *utterances[cut:])
