"""Performs the operations on the ambient agent and on tending."""

from __future__ import annotations

from nightgarden.domain.requests.ambient import AmbientControl, AmbientPanel, TendRequest
from nightgarden.errors import GardenBusy
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


async def control(garden: Garden, asked: AmbientControl, speaker: Speaker) -> answers.ControlledAnswer:
    # about 60 ms, and only the dashboard asks
    from nightgarden.ambient.ambient import Ambient
    from nightgarden.ambient.run_gate import Delay

    agent = Ambient(garden)
    match asked.action:
        case "pause":
            return {"sentence": f"paused: {(await agent.control.pause(asked.reason)).paused}"}
        case "resume":
            await agent.control.resume()
            return {"sentence": "it may run again"}
        case "stop":
            stopping = await agent.control.stop()
            return {"sentence": "the cycle ends at its next safe point" if stopping else "no cycle is running"}
        case _:
            decision = await agent.look(command=True)
            if isinstance(decision, Delay):
                raise GardenBusy(f"no cycle was run: {decision.words}")
            cycle = await agent.run(decision)
            return {"sentence": f"{cycle.status.value}: {cycle.line}"}


async def tend(garden: Garden, asked: TendRequest, speaker: Speaker) -> answers.TendedAnswer:
    report = await garden.tend()
    return {"cycle": report.cycle, "changes": report.changes, "sentence": report.sentence()}


PERFORM: dict[str, Perform] = {
    "ambient": panel,
    "ambient_control": control,
    "tend": tend,
}
