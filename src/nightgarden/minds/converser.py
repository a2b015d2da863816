"""The converser that everybody gets: the first way to a model that may be asked, in the ledger and under the caps.

Speakers whose provider the user is busy with come last. One that fails before it said anything is passed over; once a
model has spoken, the conversation stays with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from nightgarden.domain.conversation import (
    Conversation,
    ConversationEnding,
    ConversationLimits,
    Toolbox,
    Utterance,
    Watcher,
)
from nightgarden.domain.mind_call import Caps
from nightgarden.errors import ModelUnavailable
from nightgarden.minds.metered import Busy, Ledger, nobody_busy
from nightgarden.minds.speaker import Speaker, Talk


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteredConverser:
    """The Converser port over one or more speakers."""

    speakers: Sequence[Speaker]
    ledger: Ledger
    lower_caps: Mapping[str, Caps] = field(default_factory=dict)  # by provider: what is paid by the token
    busy: Busy = nobody_busy

    async def in_order(self) -> list[Speaker]:
        """The speakers, those last whose tokens the user is using right now."""
        if len(self.speakers) < 2:
            return list(self.speakers)
        busy = await self.busy()
        return sorted(self.speakers, key=lambda speaker: speaker.provider in busy)

    async def converse(
        self,
        *,
        system: str,
        utterances: Sequence[Utterance],
        toolbox: Toolbox,
        limits: ConversationLimits,
        purpose: str,
        cycle: str | None = None,
        watcher: Watcher | None = None,
        resume: str = "",
    ) -> Conversation:
        talk = Talk(
            system=system,
            utterances=tuple(utterances),
            toolbox=toolbox,
            limits=limits,
            purpose=purpose,
            cycle=cycle,
            watcher=watcher,
            resume=resume,
        )
        failures: list[str] = []
        for speaker in await self.in_order():
            if reason := await self.ledger.why_not(speaker, 0):
                failures.append(f"{speaker.name} is not asked now, {reason}")
                continue
            try:
                speaker.check()
            except ModelUnavailable as error:
                failures.append(str(error))
                continue
            caps = self.lower_caps.get(speaker.provider, self.ledger.caps)
            conversation = await speaker.converse(replace(self.ledger, caps=caps), talk)
            if conversation.ending is not ConversationEnding.FAILED or conversation.steps:
                return conversation
            failures.append(conversation.detail)
        return Conversation(ending=ConversationEnding.FAILED, utterances=talk.utterances, detail=" ".join(failures))
