"""The account of a cycle: its transcript, kept from its beginning on, and what the user is told when it has ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nightgarden.ambient.cycles import Cycle, CyclePhase, StepState
from nightgarden.domain.conversation import Utterance
from nightgarden.garden import Garden
from nightgarden.safety.gated import action_log
from nightgarden.safety.messages import EventName, SafetyEvent
from nightgarden.safety.notify import Notifier
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import Urgency
from nightgarden.safety.safety_documents import TRANSCRIPT, ActionLabels, LabelledShelf
from nightgarden.safety.transcripts import (
    CycleStatus,
    Spending,
    Todo,
    Transcript,
    counts_of,
    redacted,
    render_conversation,
    summarise,
)

_STATUS = {
    CyclePhase.RUNNING: CycleStatus.RUNNING,
    CyclePhase.COMPLETE: CycleStatus.COMPLETE,
    CyclePhase.INCOMPLETE: CycleStatus.INCOMPLETE,
    CyclePhase.PAUSED: CycleStatus.INTERRUPTED,
    CyclePhase.STOPPED: CycleStatus.INTERRUPTED,
    CyclePhase.INTERRUPTED: CycleStatus.INTERRUPTED,
}


def transcripts(garden: Garden) -> LabelledShelf[Transcript]:
    return LabelledShelf(garden.store, TRANSCRIPT, lambda transcript: ActionLabels(status=transcript.status.value))


async def keep_transcript(
    garden: Garden, cycle: Cycle, utterances: Sequence[Utterance] = (), directives: Sequence[str] = ()
) -> Transcript:
    """Writes it as it stands. One of a cycle that is running says so until the cycle has ended, however that ends."""
    shelf = transcripts(garden)
    before = await shelf.get(cycle.id)
    transcript = Transcript(
        id=cycle.id,
        started_at=cycle.started_at,
        ended_at=cycle.ended_at,
        status=_STATUS[cycle.status],
        summary=cycle.summary,
        todos=tuple(Todo(text=todo.text, done=todo.state is StepState.DONE) for todo in cycle.todos),
        actions=tuple(await action_log(garden, cycle=cycle.id)),
        spending=Spending(provider=cycle.provider, model=cycle.model, tokens=cycle.tokens, cost_usd=cycle.cost_usd),
        memories_changed=cycle.memories_modified,
        compactions=cycle.compactions,
        pending=tuple(request.id for request in await Permissions(garden).pending()),
        directives=tuple(directives),
        proactive_work=cycle.proactive_work,
        next_wake=cycle.next_wake_at,
        next_context=cycle.next_context,
        conversation=render_conversation(utterances) if utterances else before.value.conversation if before else "",
        problems=tuple(filter(None, (cycle.warning,))),
    )
    await shelf.put(cycle.id, redacted(transcript), None, at=garden.now())
    return transcript


async def tell_user(garden: Garden, cycle: Cycle, transcript: Transcript) -> None:
    """Once a cycle. A night in which nothing happened is not worth a message."""
    asks = garden.settings.ambient.enabled and bool(transcript.pending)
    if not (cycle.memories_modified or transcript.pending or transcript.actions or cycle.warning):
        return
    await Notifier(garden).send(
        SafetyEvent(
            name=EventName.CYCLE_SUMMARY,
            urgency=Urgency.HIGH if asks else Urgency.LOW,
            counts=counts_of(transcript),
            detail=summarise(transcript),
            subject_id=cycle.id,
        )
    )


async def mark_interrupted(garden: Garden, cycle: Cycle) -> None:
    """The transcript of a cycle that nobody goes on with says so."""
    held = await transcripts(garden).get(cycle.id)
    if held is not None and held.value.status is CycleStatus.RUNNING:
        marked = replace(held.value, status=CycleStatus.INTERRUPTED, ended_at=cycle.ended_at)
        await transcripts(garden).put(cycle.id, marked, None, at=garden.now())
