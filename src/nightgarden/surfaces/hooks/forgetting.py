"""What happens when the user says in conversation that something is to be forgotten: what plainly is about the topic is
forgotten at once and can be restored; where too much matches, the agent is told to ask which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nightgarden.domain.memory import Memory
from nightgarden.domain.taint import fence
from nightgarden.domain.taking_back import share_named, topic_taken_back
from nightgarden.garden import Garden
from nightgarden.recall.line import memory_line

AT_ONCE_MAX = 2  # taste: one fact is often remembered in two sentences; more is a topic, of which a part may be meant
ASKED_MAX = 8
TYPED_CHARS_MAX = 400  # a request to forget is a sentence or two; in a longer prompt it may be pasted text that says so
_REASON = "the user asked for it in conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """What was forgotten, and what the agent is to ask about. Both empty: nothing matched, or nothing was asked."""

    done: tuple[Memory, ...] = ()
    unsure: tuple[Memory, ...] = ()

    @property
    def context(self) -> str:
        """For the model."""
        if self.done:
            lines = [memory_line(memory).text for memory in self.done]
            head = "The user asked to forget this; it is out of long-term memory now. Confirm in a word what it was:"
        elif self.unsure:
            lines = [f"{memory_line(memory).text} id {memory.id}" for memory in self.unsure]
            head = "The user asked to forget something. Show them what matches and ask which; then memory_forget by id:"
        else:
            return ""
        return fence("\n".join([head, *lines]), note='kind="forgotten"' if self.done else 'kind="data"')


async def forget_as_asked(garden: Garden, prompt: str) -> Forgetting:
    """Looks at what the user says now. A topic that no word of a memory names matches nothing."""
    topic = topic_taken_back(prompt) if len(prompt) <= TYPED_CHARS_MAX else frozenset()
    if not topic:
        return Forgetting()
    visible = await garden.list(limit=None, newest_first=False)
    about = [memory for memory in visible if memory.live and share_named(topic, memory.content) == 1.0]
    if len(about) > AT_ONCE_MAX:
        return Forgetting(unsure=_newest(about))
    return Forgetting(done=tuple([await garden.forget(memory.id, reason=_REASON) for memory in about]))


def _newest(memories: Sequence[Memory]) -> tuple[Memory, ...]:
    return tuple(sorted(memories, key=lambda memory: (memory.created_at, memory.id), reverse=True)[:ASKED_MAX])
