"""The step loop: a model speaks, its tools are called one after the other, it is told, and speaks again.

Every step is a call of its own in the ledger, put down with the most it may take before it is made. A step that fails
for a reason that passes is made once more; tools run only after a whole answer came in, so none runs twice for it.
"""

from __future__ import annotations

import asyncio
import math
import random
from dataclasses import dataclass, field, replace

from nightgarden.domain.conversation import (
    Conversation,
    ConversationEnding,
    Interrupted,
    Role,
    ToolAnswer,
    ToolCall,
    Utterance,
)
from nightgarden.domain.mind_call import CallOutcome
from nightgarden.errors import ModelUnavailable
from nightgarden.minds.backend import CallFailed, Usage, sendable
from nightgarden.minds.limits import NO_LIMITS, free_at
from nightgarden.minds.metered import ATTEMPTS_MAX, CapReached, Ledger
from nightgarden.minds.pausing import retry_seconds
from nightgarden.minds.speaker import (
    STEP_TOKENS_MAX,
    STEP_TOKENS_MIN,
    Spoken,
    Step,
    Stepper,
    StepRequest,
    Talk,
    tellable,
    tokens_in_at_most,
    unknown_tool,
)

# Limits by the minute are waited for within a conversation; nobody sits before it.
WAIT_MAX = 65.0  # seconds
_CUT_OFF = "The conversation was cut off here; whether this was done is not known."
_NOT_RUN = "Not run: the conversation had ended."


@dataclass(slots=True, kw_only=True)
class _Progress:
    """A conversation so far."""

    utterances: list[Utterance]
    tokens: int = 0
    cost_usd: float | None = None
    steps: int = 0
    detail: str = ""
    correction: float = 1.0
    ids: set[str] = field(default_factory=set)

    def tokens_in_at_most(self, request: StepRequest) -> int:
        """The estimate, set right by what the provider counted for the step before: scripts and servers differ."""
        return math.ceil(tokens_in_at_most(request) * self.correction)

    def count(self, usage: Usage, request: StepRequest) -> None:
        self.steps += 1
        bound = self.tokens_in_at_most(request) + request.tokens_out_max
        self.tokens += usage.tokens if usage.tokens is not None else bound
        if usage.tokens_in is not None:
            self.correction = max(1.0, usage.tokens_in / tokens_in_at_most(request))
        if usage.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + usage.cost_usd

    def own_id(self, call: ToolCall) -> ToolCall:
        """Some servers send no id, or one id for several calls; answers are matched by it."""
        number, name = len(self.ids), call.id
        while not name or name in self.ids:
            name = f"call_{number}"
            number += 1
        self.ids.add(name)
        return ToolCall(id=name, name=call.name, arguments=call.arguments, malformed=call.malformed)

    def answer_rest(self, text: str) -> None:
        """Every call has its answer: providers turn down a conversation with a call left open."""
        answered = {each.answers for each in self.utterances}
        for utterance in [each for each in self.utterances if each.calls]:
            for call in utterance.calls:
                if call.id not in answered:
                    self.utterances.append(Utterance(role=Role.TOOL, text=text, answers=call.id, failed=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class SteppedSpeaker:
    """A speaker over a stepper."""

    stepper: Stepper

    @property
    def provider(self) -> str:
        return self.stepper.provider

    @property
    def model(self) -> str:
        return self.stepper.model

    @property
    def name(self) -> str:
        return self.stepper.name

    @property
    def reports_cost(self) -> bool:
        return self.stepper.reports_cost

    def check(self) -> None:
        self.stepper.check()

    async def converse(self, ledger: Ledger, talk: Talk) -> Conversation:
        progress = _Progress(utterances=list(talk.utterances))
        progress.ids.update(call.id for each in talk.utterances for call in each.calls)
        deadline = asyncio.timeout(talk.limits.seconds)
        try:
            async with deadline, self.stepper.opened() as step:
                ending = await self._steps(ledger, talk, step, progress)
        except TimeoutError:
            if not deadline.expired():
                raise
            ending = ConversationEnding.SECONDS
        progress.answer_rest(_NOT_RUN if ending is ConversationEnding.ENDED else _CUT_OFF)
        return Conversation(
            ending=ending,
            utterances=tuple(progress.utterances),
            provider=self.provider,
            model=self.model,
            tokens=progress.tokens,
            cost_usd=progress.cost_usd,
            steps=progress.steps,
            detail=progress.detail,
        )

    async def _steps(self, ledger: Ledger, talk: Talk, step: Step, progress: _Progress) -> ConversationEnding:
        while progress.steps < talk.limits.steps:
            if not await _watched(talk, progress):
                return ConversationEnding.INTERRUPTED
            request = _next_request(talk, progress)
            if request is None:
                return ConversationEnding.TOKENS
            try:
                spoken = await self._attempts(ledger, talk, step, request, progress)
            except CapReached as reached:
                progress.detail = str(reached)
                return ConversationEnding.TOKENS
            except (CallFailed, ModelUnavailable) as failed:
                progress.detail = str(failed)
                return ConversationEnding.FAILED
            progress.count(spoken.usage, request)
            calls = tuple(progress.own_id(call) for call in spoken.calls)
            progress.utterances.append(Utterance(role=Role.ASSISTANT, text=spoken.text, calls=calls))
            if not calls:
                return ConversationEnding.STOPPED
            if await _call_tools(talk, calls, progress):
                return ConversationEnding.ENDED
        return ConversationEnding.STEPS

    async def _attempts(
        self, ledger: Ledger, talk: Talk, step: Step, request: StepRequest, progress: _Progress
    ) -> Spoken:
        bound = progress.tokens_in_at_most(request) + request.tokens_out_max
        for attempt in range(1, ATTEMPTS_MAX + 1):
            try:
                return await self._once(ledger, talk, step, request, bound)
            except CallFailed as failed:
                now = ledger.clock.now()
                wait = retry_seconds(failed.outcome, failed.limits, chance=random.random(), now=now, wait_max=WAIT_MAX)
                if attempt == ATTEMPTS_MAX or wait is None:
                    raise
                await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, ledger: Ledger, talk: Talk, step: Step, request: StepRequest, bound: int) -> Spoken:
        await _wait_for_room(ledger, self.provider, bound)
        call = await ledger.open(self, bound, purpose=talk.purpose, cycle=talk.cycle)
        try:
            spoken = await step(request)
        except CallFailed as failed:
            await ledger.close(call, failed.outcome, failed.usage, failed.limits, str(failed))
            raise
        except Exception:
            await ledger.close(call, CallOutcome.LOST, Usage(), NO_LIMITS, "")
            raise
        except BaseException:  # the deadline, or whoever asked went away
            await ledger.close(call, CallOutcome.CANCELLED, Usage(), NO_LIMITS, "")
            raise
        empty = not spoken.text.strip() and not spoken.calls
        outcome = CallOutcome.EMPTY if empty else CallOutcome.ANSWERED
        await ledger.close(call, outcome, spoken.usage, spoken.limits, "")
        return spoken


async def _watched(talk: Talk, progress: _Progress) -> bool:
    """Lets the watcher look, between two steps. False: it ends the conversation."""
    if talk.watcher is None or progress.steps == 0:
        return True
    try:
        note = await talk.watcher.step(tuple(progress.utterances), progress.tokens)
    except Interrupted:
        return False
    if note:
        progress.utterances.append(Utterance(role=Role.USER, text=note))
    return True


def _next_request(talk: Talk, progress: _Progress) -> StepRequest | None:
    """What is asked next; None when the limit on tokens leaves no room for it."""
    request = StepRequest(
        system=sendable(talk.system),
        utterances=tuple(progress.utterances),
        specs=tuple(talk.toolbox.specs),
        tokens_out_max=STEP_TOKENS_MAX,
    )
    room = talk.limits.tokens - progress.tokens - progress.tokens_in_at_most(request)
    if room < STEP_TOKENS_MIN:
        return None
    return replace(request, tokens_out_max=min(STEP_TOKENS_MAX, room))


async def _call_tools(talk: Talk, calls: tuple[ToolCall, ...], progress: _Progress) -> bool:
    """Calls the tools in the order the model named them. True: an answer ended the conversation."""
    for call in calls:
        wrong = unknown_tool(call, talk.toolbox.specs)
        answer = ToolAnswer(text=wrong, failed=True) if wrong else await talk.toolbox.call(call)
        text = sendable(tellable(answer.text))
        progress.utterances.append(Utterance(role=Role.TOOL, text=text, answers=call.id, failed=answer.failed))
        if answer.ends:
            return True
    return False


async def _wait_for_room(ledger: Ledger, provider: str, tokens: int) -> None:
    """Waits once for a limit that is about to begin anew; what the provider says after that counts."""
    now = ledger.clock.now()
    free = free_at((await ledger.state_of(provider)).limits, tokens, now) if ledger.caps else None
    if free is not None and (seconds := (free - now).total_seconds()) <= WAIT_MAX:
        await asyncio.sleep(seconds)
