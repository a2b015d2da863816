"""Transcripts of cycles in the garden: written when one begins and ends, listed, and a log for each day."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from nightgarden.domain.conversation import Utterance
from nightgarden.errors import NotFound
from nightgarden.garden import Garden
from nightgarden.safety.gated import action_log
from nightgarden.safety.messages import EventName, SafetyEvent
from nightgarden.safety.notify import Notifier
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import Urgency
from nightgarden.safety.safety_documents import TRANSCRIPT, ActionLabels, LabelledShelf
from nightgarden.safety.transcripts import (
    Transcript,
    counts_of,
    daily_line,
    redacted,
    render_conversation,
    summarise,
)


class Transcripts:
    """The cycles of one garden, as they are told."""

    def __init__(self, garden: Garden) -> None:
        self._garden = garden
        self._shelf: LabelledShelf[Transcript] = LabelledShelf(
            garden.store, TRANSCRIPT, lambda t: ActionLabels(status=t.status.value)
        )

    async def begin(self, cycle: str) -> Transcript:
        """Notes that a cycle runs: one that dies is found by it."""
        transcript = Transcript(id=cycle, started_at=self._garden.now())
        await self._put(transcript)
        return transcript

    async def end(self, transcript: Transcript, *, utterances: Sequence[Utterance] = ()) -> Transcript:
        """Writes a cycle down as it ended, redacted, with its actions from the log and what waits for the user."""
        pending = await Permissions(self._garden).pending()
        done = redacted(
            replace(
                transcript,
                ended_at=transcript.ended_at or self._garden.now(),
                actions=tuple(await action_log(self._garden, cycle=transcript.id)),
                pending=tuple(request.id for request in pending),
                conversation=render_conversation(utterances) if utterances else transcript.conversation,
            )
        )
        await self._put(done)
        return done

    async def get(self, cycle: str) -> Transcript:
        """Raises NotFound."""
        held = await self._shelf.get(cycle)
        if held is None:
            raise NotFound(f"there is no cycle {cycle!r}; `nightgarden ambient log` shows them")
        return held.value

    async def list(self, *, limit: int | None = None) -> builtins.list[Transcript]:
        """The newest first."""
        return [held.value for held in await self._shelf.list(limit=limit, newest_first=True)]

    async def day(self, day: date) -> str:
        """The log of one day (UTC): a line a cycle, in order."""
        cycles = [each for each in await self.list() if each.started_at.date() == day]
        lines = [daily_line(each) for each in sorted(cycles, key=_started)]
        return "\n".join([f"{day:%Y-%m-%d}: {len(lines)} cycles", *lines])

    async def tell(self, transcript: Transcript) -> None:
        """Sends the summary of a cycle that has ended; urgent when something waits for the user."""
        urgency = Urgency.NORMAL if transcript.pending else Urgency.LOW
        await Notifier(self._garden).send(
            SafetyEvent(
                name=EventName.CYCLE_SUMMARY,
                urgency=urgency,
                counts=counts_of(transcript),
                detail=summarise(transcript),
                subject_id=transcript.id,
            )
        )

    async def _put(self, transcript: Transcript) -> None:
        await self._shelf.put(transcript.id, transcript, None, at=self._garden.now())


def _started(transcript: Transcript) -> tuple[datetime, str]:
    return transcript.started_at, transcript.id
