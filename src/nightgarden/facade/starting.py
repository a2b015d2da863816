"""What an agent is told when it starts, before the briefing of memories: its core memory, and what was changed in the
project outside of known sessions. Put together here because a briefing of recall knows neither."""

from __future__ import annotations

from dataclasses import replace

from nightgarden.learn.digest_values import digest_text
from nightgarden.learn.verbs import Learning
from nightgarden.recall.brief import Briefing, Mode

_WITH_CORE = (Mode.SESSION, Mode.WAKE, Mode.MISSION, Mode.PREVIEW)
_WITH_DIGEST = (Mode.SESSION, Mode.WAKE)


async def before_memories(mode: Mode, told: Briefing, learn: Learning, *, read_only: bool) -> Briefing:
    """The briefing with the core memory and the digest before it."""
    parts = [await learn.core().told()] if mode in _WITH_CORE else []
    if mode in _WITH_DIGEST:
        digest = await (learn.digest.pending() if read_only else learn.digest.look())
        parts += [digest_text(digest)] if digest is not None else []
    text = "\n".join(part for part in (*parts, told.text) if part)
    return replace(told, text=text)
