"""A cycle's work that needs no model: due tasks that say what to run, missed sessions, tending, a summary in words.

Useful on its own and free of charge; a cycle with a model does the same first, so that the model sees a tidy garden.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.ambient import cycle_plan
from nightgarden.ambient.agent import Agent
from nightgarden.ambient.context import CycleContext
from nightgarden.ambient.cycles import CYCLE_PREFIX, CycleStep
from nightgarden.ambient.running import Running
from nightgarden.domain.schedule import Outcome, Target
from nightgarden.errors import GardenBusy
from nightgarden.garden import Garden
from nightgarden.tend.report import Report


async def free_tasks(garden: Garden, running: Running) -> None:
    """A task that an earlier cycle had, as after an undo of that cycle, may be taken again."""
    for task in await garden.schedule.list(scope="all"):
        by = task.taken_by or ""
        if by.startswith(CYCLE_PREFIX) and by != running.cycle.id:
            await garden.schedule.give_back(task.id, by=by)


async def prepare(garden: Garden, running: Running, context: CycleContext) -> None:
    """Writes the plan down. What a cycle that broke off has planned already stays. Tasks of projects that are closed to
    the agent are told to the user instead, else they would wake it again and again."""
    for task in context.shut_out:
        await garden.schedule.tell_instead(task.id, why="its project is closed to the ambient agent")
    steps = [
        CycleStep(name=cycle_plan.GRANTED),
        *cycle_plan.plan_tasks(context.due),
        *cycle_plan.plan_garden(context.pending, context.worth),
    ]
    await running.save(lambda cycle: cycle.planned(steps))


async def work(garden: Garden, running: Running, agent: Agent) -> None:
    """Does every step that is open and needs no model. Raises Halted at a safe point."""
    await running.look()  # one that broke off may have been stopped meanwhile
    async with running.watched():
        for step in running.cycle.steps:
            match step.name:
                case cycle_plan.GRANTED:
                    await running.do(step.key, lambda: _carry_out_granted(agent))
                case cycle_plan.TASK:
                    await _do_task(garden, running, step)
                case cycle_plan.EXTRACT:
                    await _read_session(garden, running, step)
                case cycle_plan.TEND:
                    await _tend(garden, running, step)


async def _carry_out_granted(agent: Agent) -> tuple[str, int]:
    """What the user approved or rejected since it was asked, and what became of earlier work."""
    told = [*await agent.carry_out_approved(), *await agent.clear_decided()]
    await agent.tell_of_requests()
    return "; ".join(told), 0


async def _do_task(garden: Garden, running: Running, step: CycleStep) -> None:
    cycle = running.cycle.id

    async def carry_out() -> tuple[str, int]:
        task = await garden.schedule.take(step.subject, by=cycle)
        if task is None:
            return f"task {step.subject[-8:]} was taken by somebody else", 0
        report = await _run_operations(garden, running, cycle_plan.operations_of(task) or ())
        line = f"{task.task}: {report.sentence()}"
        await garden.schedule.finish(task.id, by=cycle, outcome=Outcome.DONE, result=line, cycle=cycle)
        return line, report.changes

    await running.do(step.key, carry_out)


async def _read_session(garden: Garden, running: Running, step: CycleStep) -> None:
    async def read() -> tuple[str, int]:
        harvest = await garden.sessions.extract(step.subject, cycle=running.cycle.id)
        gained = len(harvest.verdicts) - harvest.count("refused")
        return f"read session {step.subject[:20]}: {gained} memories", gained

    await running.do(step.key, read)


async def _tend(garden: Garden, running: Running, step: CycleStep) -> None:
    async def tend() -> tuple[str, int]:
        report = await _run_operations(garden, running, cycle_plan.operations(step))
        if report.stopped_at is not None:
            return f"tending {report.sentence()}", report.changes
        told = [f"{name}: {o.words()}" for name, o in report.operations.items() if o.changes or o.noted]
        return "; ".join(told), report.changes

    await running.do(step.key, tend)


async def _run_operations(garden: Garden, running: Running, operations: Sequence[str]) -> Report:
    """Tends under the id of the cycle. Between two operations it may be halted; a run that breaks off is gone on with
    by the same step of the same cycle."""

    def progress(operation: str, made: int, of: int) -> None:  # noqa: ARG001 - as `tend` calls it
        if not made and not of:
            running.safe_point()

    try:
        return await garden.tend(*operations, progress=progress, cycle=running.cycle.id)
    except GardenBusy:
        return Report(cycle=running.cycle.id)  # somebody else tends right now: nothing is left to do


async def tell_the_rest(garden: Garden, context: CycleContext, *, has_mind: bool) -> None:
    """Tasks that need a model wait for a cycle that has one; where there is none at all, the user is told."""
    for task in context.due:
        if not has_mind and cycle_plan.operations_of(task) is None:
            await garden.schedule.tell_instead(task.id, why="no model is set up that could do it")


async def tell_due_tasks(garden: Garden) -> None:
    """While the agent is off nobody comes for its tasks: the user is told of them."""
    for task in await garden.schedule.list(scope="all"):
        if task.takeable(garden.now(), (Target.AMBIENT,)):
            await garden.schedule.tell_instead(task.id, why="the ambient agent is off")
