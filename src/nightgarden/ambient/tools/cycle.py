"""Tools by which the agent plans, schedules, speaks and ends: todos, schedule_ambient, task_done, end_ambient_cycle.

The end is stored inside the call: a process that dies right after it has lost nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from nightgarden.ambient.cycles import TODOS_MAX, CycleTodo, StepState
from nightgarden.ambient.running import Running
from nightgarden.ambient.tools.toolbox import AmbientTool, Answer, number, spec, text, whole
from nightgarden.ambient.wake import WakeWish
from nightgarden.domain.conversation import ToolAnswer
from nightgarden.domain.schedule import Outcome, Priority, Target
from nightgarden.errors import BadInput
from nightgarden.garden import Garden

SUMMARY_CHARS_MAX = 4000
WAKE_MINUTES = 30  # of schedule_ambient, when none are given
_STATES = [state.value for state in StepState]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedCycle:
    """What the agent said when it ended the cycle."""

    summary: str
    memories_modified: int
    compactions: int
    proactive_work: str
    wish: WakeWish | None


End = Callable[[EndedCycle], Awaitable[None]]


def cycle_tools(garden: Garden, running: Running, end: End) -> list[AmbientTool]:
    """The tools every cycle has."""

    async def todos(given: Mapping[str, Any]) -> str:
        plan = tuple(_todo(item) for item in given["items"][:TODOS_MAX])
        await running.save(lambda cycle: replace(cycle, todos=plan))
        return "noted:\n" + "\n".join(f"[{todo.state.value}] {todo.text}" for todo in plan)

    async def schedule(given: Mapping[str, Any]) -> str:
        wake_at, minutes = given.get("wake_at"), given.get("wake_in_minutes")
        if wake_at is None and minutes is None:
            minutes = WAKE_MINUTES
        task = await garden.schedule.add(
            given["context"],
            wake_in_minutes=minutes if wake_at is None else None,
            wake_at=wake_at,
            priority=given.get("priority", Priority.NORMAL),
            target=Target.AMBIENT,
            scope="global",
            actor="ambient",
            cycle=running.cycle.id,
        )
        return f"scheduled {task.id} for {task.wake_at:%Y-%m-%d %H:%M} UTC"

    async def task_done(given: Mapping[str, Any]) -> str:
        cycle, outcome = running.cycle.id, Outcome(given.get("outcome", Outcome.DONE))
        result = given["result"]
        if not await garden.schedule.finish(given["id"], by=cycle, outcome=outcome, result=result, cycle=cycle):
            raise BadInput(f"task {given['id']} is not one of this cycle, or is closed already")
        return f"task {given['id']} is {outcome.value}"

    async def end_cycle(given: Mapping[str, Any]) -> ToolAnswer:
        wake = given.get("next_schedule") or {}
        await end(
            EndedCycle(
                summary=given["summary"][:SUMMARY_CHARS_MAX],
                memories_modified=max(0, given["memories_modified"]),
                compactions=max(0, given["compactions"]),
                proactive_work=given.get("proactive_work", ""),
                wish=_wish(wake),
            )
        )
        return ToolAnswer(text="the cycle is over; its summary and the next wake are stored", ends=True)

    return _as_tools(todos, schedule, task_done, end_cycle)


def _as_tools(todos: Answer, schedule: Answer, task_done: Answer, end_cycle: Answer) -> list[AmbientTool]:
    return [
        AmbientTool(
            spec=spec(
                "todos",
                "Write down the plan of this cycle, whole, each time it changes.",
                required=("items",),
                items={
                    "type": "array",
                    "description": "the whole list, in order",
                    "items": {
                        "type": "object",
                        "properties": {"text": text("what"), "state": text("where it stands", enum=_STATES)},
                        "required": ["text"],
                    },
                },
            ),
            answer=todos,
        ),
        AmbientTool(
            spec=spec(
                "schedule_ambient",
                "Queue work for a later cycle.",
                required=("context",),
                context=text("what to do then, understandable without this conversation"),
                wake_in_minutes=number("due so many minutes from now; 30 when left out"),
                wake_at=text("or due then, ISO 8601 with a time zone"),
                priority=text("normal when left out", enum=["low", "normal", "high"]),
            ),
            answer=schedule,
        ),
        AmbientTool(
            spec=spec(
                "task_done",
                "Close a task of the queue that this cycle was given, once it is carried out.",
                required=("id", "result"),
                id=text("id of the task"),
                result=text("what came of it, in a sentence"),
                outcome=text("done when left out", enum=["done", "cancelled"]),
            ),
            answer=task_done,
        ),
        AmbientTool(
            spec=spec(
                "end_ambient_cycle",
                "End this cycle. Required: every cycle ends with this call.",
                required=("summary", "memories_modified", "compactions"),
                summary=text("what was done, for the user, in plain words"),
                memories_modified=whole("how many memories were made, merged, archived or changed"),
                compactions=whole("how many times the conversation was compacted"),
                proactive_work=text("what was changed in code, if anything"),
                next_schedule={
                    "type": "object",
                    "description": "when to wake next: wake_in_minutes and context",
                    "properties": {
                        "wake_in_minutes": number("minutes from now"),
                        "context": text("what to do then"),
                        "priority": text("low, normal or high"),
                    },
                },
            ),
            answer=end_cycle,
        ),
    ]


def _todo(item: Any) -> CycleTodo:
    if isinstance(item, str):
        return CycleTodo(text=item[:300])
    state = str(item.get("state", item.get("status", StepState.PLANNED)))
    words = {"pending": "planned", "in_progress": "begun", "completed": "done"}  # as other tools of this kind call them
    state = words.get(state, state)
    known = StepState(state) if state in _STATES else StepState.PLANNED
    return CycleTodo(text=str(item.get("text", item.get("content", "")))[:300], state=known)


def _wish(wake: Mapping[str, Any]) -> WakeWish | None:
    try:
        minutes = float(wake["wake_in_minutes"])
    except (KeyError, TypeError, ValueError):
        return None
    if minutes != minutes:
        return None
    return WakeWish(minutes=minutes, context=str(wake.get("context") or "")[:600])
