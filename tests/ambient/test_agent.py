"""Cycles with a model that follows a script: the real loop, gate, ledger and store; only the model is scripted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycle_account import transcripts
from nightgarden.ambient.cycle_prompt import CONTINUE
from nightgarden.ambient.cycles import Cycle, CyclePhase, CycleState
from nightgarden.ambient.events import Trigger
from nightgarden.ambient.run_gate import Delay, GateReason, Run
from nightgarden.domain.conversation import ToolCall
from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.schedule import Outcome
from nightgarden.domain.session import Message, Session, SessionStatus
from nightgarden.minds.backend import CallFailed, Usage
from nightgarden.minds.scripted import ScriptedStepper, calls, in_turn, says
from nightgarden.minds.speaker import Spoken
from nightgarden.safety.directing import Directives
from nightgarden.safety.gated import action_log
from nightgarden.safety.transcripts import CycleStatus
from tests.ambient.conftest import NOW, Standing

END = {"summary": "Tidied up", "memories_modified": 0, "compactions": 0}


def ends(minutes: float | None = 25, **more: Any) -> Spoken:
    wake = {} if minutes is None else {"next_schedule": {"wake_in_minutes": minutes, "context": "verify the rest"}}
    return calls("end_ambient_cycle", **END, **wake, **more)


class Talks:
    """An ambient agent whose model says these things one after the other."""

    def __init__(self, garden: Garden, script: Sequence[Spoken] | Callable[..., Spoken]) -> None:
        self.stepper = ScriptedStepper(script=script if callable(script) else in_turn(script))
        self.ambient = Ambient(garden, converser=garden.minds.converser_over(self.stepper))

    async def run(self, told: Callable[[Cycle], None] | None = None) -> Cycle:
        await self.ambient.records.change_state(lambda s: _warmed_up(s), at=NOW)
        decision = await self.ambient.look(command=True)
        assert isinstance(decision, Run)
        assert decision.mind
        return await self.ambient.run(decision, told)

    @property
    def system(self) -> str:
        return self.stepper.asked[0].system

    def answers(self) -> list[str]:
        return [each.text for each in self.stepper.asked[-1].utterances if each.answers]


def _warmed_up(state: CycleState) -> CycleState:
    return replace(state, cycles=max(state.cycles, 9))


async def test_a_cycle_ends_with_its_contract_and_the_wish_is_clamped(garden: Garden) -> None:
    talks = Talks(garden, [calls("todos", items=[{"text": "look", "state": "begun"}]), ends(25)])
    cycle = await talks.run()
    assert cycle.status is CyclePhase.COMPLETE
    assert cycle.summary.startswith("Tidied up")
    assert [todo.text for todo in cycle.todos] == ["look"]
    state = await talks.ambient.records.state()
    assert cycle.next_wake_at is not None
    assert state.next_wake_at == cycle.next_wake_at >= NOW + timedelta(minutes=25)
    assert state.next_context == "verify the rest"
    assert cycle.tokens == 2 * 120  # usage is recorded
    assert {call.cycle for call in await garden.store.mind_calls(since=NOW - timedelta(days=1))} == {cycle.id}
    held = await transcripts(garden).get(cycle.id)
    assert held is not None
    assert held.value.status is CycleStatus.COMPLETE
    assert "end_ambient_cycle" in held.value.conversation
    assert [entry.tool for entry in await action_log(garden, cycle=cycle.id)] == ["todos", "end_ambient_cycle"]


async def test_the_prompt_has_every_block_filled_with_real_data(garden: Garden, clock: Standing) -> None:
    await garden.remember("The staging database listens on port 5433")  # in a project: it counts too
    await garden.sessions.add(
        Session(
            id="broke-off",
            client="claude-code",
            title="Fix the login",
            status=SessionStatus.CRASHED,
            messages=(Message(id="1", role="user", text="hello", at=NOW - timedelta(minutes=10)),),
        )
    )
    await garden.schedule.add("check CI", wake_in_minutes=1, target="ambient", background="auth branch")
    await Directives(garden).add("leave the wiki alone")
    clock.pass_(minutes=2)
    talks = Talks(garden, [ends()])
    await talks.run()
    for words in (
        "## What the user told you\nleave the wiki alone",
        "- First cycle",
        "- Cycle budget: about",
        "check CI; background: auth branch",
        "broke-off (crashed, 0 min, extracted): Fix the login",
        "- Total memories: 1 (1 active, 0 inactive)",
        "- Unresolved contradictions: 0",
        "## Feedback of the user\nnone yet",
        "- User usage rate:",
        "- Budget for this cycle: stay under",
        "No work on code in this cycle (not yet: ",
        "you MUST call end_ambient_cycle",
    ):
        assert words in talks.system, words


async def test_an_unexpected_stop_is_asked_about_once_then_the_cycle_is_forced_to_its_end(garden: Garden) -> None:
    talks = Talks(garden, [says("I am done, I think"), says("Really.")])
    cycle = await talks.run()
    assert cycle.status is CyclePhase.INCOMPLETE
    assert "stopped twice" in cycle.warning
    assert [each.text for each in talks.stepper.asked[1].utterances if each.text == CONTINUE]
    assert len(talks.stepper.asked) == 2
    assert cycle.next_wake_at is not None
    held = await transcripts(garden).get(cycle.id)
    assert held is not None
    assert held.value.status is CycleStatus.INCOMPLETE


async def test_one_that_goes_on_after_being_asked_completes(garden: Garden) -> None:
    cycle = await Talks(garden, [says("hm"), ends()]).run()
    assert cycle.status is CyclePhase.COMPLETE


async def test_no_wish_for_the_next_wake_is_warned_about_and_a_wake_is_set_all_the_same(garden: Garden) -> None:
    cycle = await Talks(garden, [ends(None)]).run()
    assert cycle.warning == "the agent said nothing about its next wake"
    assert cycle.next_wake_at is not None


async def test_numbers_sent_as_text_are_understood(garden: Garden) -> None:
    said = calls("end_ambient_cycle", summary="x", memories_modified="8", compactions="2")
    cycle = await Talks(garden, [said]).run()
    assert (cycle.status, cycle.memories_modified, cycle.compactions) == (CyclePhase.COMPLETE, 8, 2)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (calls("memory_merge_all"), "no tool 'memory_merge_all'"),
        (calls("todos"), "the argument 'items' is missing"),
        (calls("todos", items=["a"], colour="red"), "there is no argument 'colour'"),
        (calls("schedule_ambient", context="x", wake_in_minutes="soon"), "wake_in_minutes must be number"),
        (Spoken(calls=(ToolCall(id="", name="todos", arguments={}, malformed="half an object"),)), "half an object"),
        (calls("read_file", path="/etc/passwd"), "in no project that may be looked at"),
    ],
)
async def test_a_call_that_is_wrong_is_answered_and_the_cycle_goes_on(
    garden: Garden, said: Spoken, answer: str
) -> None:
    talks = Talks(garden, [said, ends()])
    assert (await talks.run()).status is CyclePhase.COMPLETE
    assert any(answer in text for text in talks.answers()), talks.answers()


async def test_an_endless_loop_is_warned_about_then_ended(garden: Garden) -> None:
    talks = Talks(garden, lambda request: calls("memory_search", query="the same"))
    cycle = await talks.run()
    assert cycle.status is CyclePhase.INCOMPLETE
    assert "same tool again and again" in cycle.warning
    assert len(talks.stepper.asked) == 6


async def test_a_cycle_stops_at_its_limit_of_steps_and_of_tokens(open_here: Callable[..., Any]) -> None:
    def busy(request: Any) -> Spoken:
        return calls("memory_search", query=f"question {len(request.utterances)}")

    async with open_here({"cycle_steps": 4}) as garden:
        talks = Talks(garden, busy)
        cycle = await talks.run()
        assert (cycle.status, cycle.warning) == (CyclePhase.INCOMPLETE, "it took too many steps")
        assert len(talks.stepper.asked) == 4
    async with open_here({"cycle_tokens": 30_000}) as garden:
        usage = Usage(tokens_in=9000, tokens_out=100)
        cycle = await Talks(garden, lambda r: Spoken(calls=busy(r).calls, usage=usage)).run()
        assert (cycle.status, cycle.warning) == (CyclePhase.INCOMPLETE, "its tokens were used up")
        assert cycle.tokens <= 30_000


async def test_a_task_of_the_queue_is_closed_by_the_agent_and_never_shown_again(
    garden: Garden, clock: Standing
) -> None:
    task = await garden.schedule.add("check CI", wake_in_minutes=1, target="ambient")
    clock.pass_(minutes=2)
    talks = Talks(garden, [calls("task_done", id=task.id, result="CI is green"), ends()])
    cycle = await talks.run()
    done = await garden.schedule.get(task.id)
    assert (done.outcome, done.result, done.taken_by) == (Outcome.DONE, "CI is green", cycle.id)
    again = Talks(garden, [ends()])
    clock.pass_(hours=3)
    await again.run()
    assert "check CI" not in again.system


async def test_what_the_agent_writes_and_schedules_is_taken_back_with_its_cycle(garden: Garden) -> None:
    talks = Talks(
        garden,
        [
            calls("memory_remember", text="The nightly build takes 40 minutes on the small runner"),
            calls("schedule_ambient", context="look at the build again", wake_in_minutes=90),
            ends(),
        ],
    )
    cycle = await talks.run()
    assert len(await garden.list(scope="all")) == 1
    assert [task.task for task in await garden.schedule.list(scope="all")] == ["look at the build again"]
    await garden.undo(cycle.id)
    assert await garden.list(scope="all") == []
    assert await garden.schedule.list(scope="all") == []


async def test_only_a_rate_limit_counts_as_one_and_makes_it_back_off(garden: Garden, clock: Standing) -> None:
    def refuse(outcome: CallOutcome) -> Callable[[Any], Spoken]:
        def script(request: Any) -> Spoken:
            raise CallFailed("scripted is rate limited" if outcome is CallOutcome.RATE_LIMITED else "gone", outcome)

        return script

    talks = Talks(garden, refuse(CallOutcome.REFUSED))
    cycle = await talks.run()
    assert cycle.status is CyclePhase.INCOMPLETE
    assert (await talks.ambient.records.state()).limited == 0
    talks = Talks(garden, refuse(CallOutcome.RATE_LIMITED))
    clock.pass_(hours=3)
    await talks.run()
    state = await talks.ambient.records.state()
    assert state.limited == 1
    assert state.backoff_until is not None
    clock.pass_(minutes=6)
    await talks.ambient.note(Trigger.SESSION_CRASHED, "s")
    decision = await talks.ambient.look()
    assert isinstance(decision, Delay)
    assert decision.why in (GateReason.BACKOFF, GateReason.BUDGET)


async def test_a_full_window_is_compacted_and_counted(open_here: Callable[..., Any]) -> None:
    step = 0

    def talk(request: Any) -> Spoken:
        nonlocal step
        step += 1
        return ends() if step == 12 else calls("memory_search", query=f"number {step} " + "of the list " * 150)

    async with open_here({"context_tokens": 4000}) as garden:
        talks = Talks(garden, talk)
        cycle = await talks.run()
    assert cycle.status is CyclePhase.COMPLETE
    assert cycle.compactions > 0
    assert any("This conversation was compacted" in each.text for each in talks.stepper.asked[-1].utterances)


async def test_the_first_cycles_only_learn_how_much_the_user_uses(garden: Garden) -> None:
    talks = Talks(garden, [ends()])
    decision = await talks.ambient.look(command=True)
    assert isinstance(decision, Run)
    assert not decision.mind
    await talks.ambient.run(decision)
    assert talks.stepper.asked == []
