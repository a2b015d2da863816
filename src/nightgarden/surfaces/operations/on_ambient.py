"""Performs the operation on the ambient agent."""

from __future__ import annotations

from nightgarden.domain.requests.ambient import AmbientPanel
from nightgarden.garden import Garden
from nightgarden.surfaces.operations import answer_types as answers
from nightgarden.surfaces.operations.performer import Perform
from nightgarden.surfaces.operations.who_speaks import Speaker


async def panel(garden: Garden, asked: AmbientPanel, speaker: Speaker) -> answers.AmbientAnswer:
    # about 60 ms, and only the dashboard asks
    from nightgarden.ambient.ambient import Ambient
    from nightgarden.ambient.ambient_status import cycle_line, status_of

    agent = Ambient(garden)
    status = await status_of(agent)
    return {
        "status": status.shape(),
        "cycles": [cycle_line(cycle) for cycle in await agent.records.cycles(limit=asked.cycles)],
    }


PERFORM: dict[str, Perform] = {
    "ambient": panel,
}
