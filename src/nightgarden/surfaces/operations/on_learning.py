"""Performs the operations on episodes, procedures and tasks for later."""

from __future__ import annotations

from nightgarden.domain.record import to_record
from nightgarden.domain.requests import learning, schedule
from nightgarden.domain.schedule import late
from nightgarden.garden import Garden
from nightgarden.surfaces.operations import answer_types as answers
from nightgarden.surfaces.operations.answers import memory_shape, procedure_shape, task_shape
from nightgarden.surfaces.operations.performer import Perform
from nightgarden.surfaces.operations.who_speaks import Speaker, need_own


async def episodes(garden: Garden, asked: learning.Episodes, speaker: Speaker) -> answers.EpisodesAnswer:
    found = await garden.learn.episodes(outcome=asked.outcome, scope=asked.scope, limit=asked.limit)
    return {"episodes": [memory_shape(memory) for memory in found]}


async def episode(garden: Garden, asked: learning.EpisodeRequest, speaker: Speaker) -> answers.MemoryRecord:
    return memory_shape(await garden.learn.episode(asked.id))


async def procedures(garden: Garden, asked: learning.Procedures, speaker: Speaker) -> answers.ProceduresAnswer:
    found = await garden.learn.procedures(archived=asked.archived, scope=asked.scope, limit=asked.limit)
    return {"procedures": [memory_shape(memory) for memory in found]}


async def procedure(garden: Garden, asked: learning.ProcedureRequest, speaker: Speaker) -> answers.ProcedureAnswer:
    return procedure_shape(await garden.learn.procedure(asked.id))


async def procedure_add(garden: Garden, asked: learning.ProcedureAdd, speaker: Speaker) -> answers.MemoryRecord:
    if asked.supersedes is not None:
        need_own(speaker, (await garden.learn.procedure(asked.supersedes)).memory)
    given = {name: value for name, value in vars(asked).items() if name not in ("name", "steps")}
    return memory_shape(await garden.learn.add_procedure(asked.name, asked.steps, actor=speaker, **given))


async def procedure_outcome(garden: Garden, asked: learning.ProcedureOutcome, speaker: Speaker) -> answers.MemoryRecord:
    return memory_shape(await garden.learn.outcome(asked.id, asked.outcome, reason=asked.reason, actor=speaker))


async def procedure_history(garden: Garden, asked: learning.ProcedureHistory, speaker: Speaker) -> answers.UsesAnswer:
    return {"uses": [to_record(use) for use in await garden.learn.procedure_history(asked.id)]}


async def schedule_add(garden: Garden, asked: schedule.ScheduleRequest, speaker: Speaker) -> answers.TaskRecord:
    given = {name: value for name, value in vars(asked).items() if name != "task"}
    return task_shape(await garden.schedule.add(asked.task, actor=speaker, **given), garden.now())


async def scheduled(garden: Garden, asked: schedule.Scheduled, speaker: Speaker) -> answers.TasksAnswer:
    now = garden.now()
    found = await garden.schedule.list(include_closed=asked.closed, scope=asked.scope)
    return {"tasks": [task_shape(task, now) | {"late": late(task, now) if task.is_due(now) else ""} for task in found]}


async def schedule_close(garden: Garden, asked: schedule.ScheduleClose, speaker: Speaker) -> answers.TaskRecord:
    close = garden.schedule.done if asked.outcome == "done" else garden.schedule.cancel
    return task_shape(await close(asked.id), garden.now())


PERFORM: dict[str, Perform] = {
    "episodes": episodes,
    "episode": episode,
    "procedures": procedures,
    "procedure": procedure,
    "procedure_add": procedure_add,
    "procedure_outcome": procedure_outcome,
    "procedure_history": procedure_history,
    "schedule": schedule_add,
    "scheduled": scheduled,
    "schedule_close": schedule_close,
}
