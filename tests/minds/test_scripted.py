"""Minds that are functions, as whoever builds on a garden uses them in tests."""

from __future__ import annotations

from pathlib import Path

from nightgarden import Garden, Settings
from nightgarden.domain.conversation import ConversationEnding, ConversationLimits, Role, Utterance
from nightgarden.minds.scripted import ScriptedMind, ScriptedStepper, calls, in_turn, says
from nightgarden.settings import EmbeddingSettings
from tests.minds.test_converser import Tools

SETTINGS = Settings(embedding=EmbeddingSettings(model="off"))


async def test_a_scripted_stepper_runs_through_the_real_loop_and_the_ledger(tmp_path: Path) -> None:
    stepper = ScriptedStepper(script=in_turn([calls("note", text="a rose"), says("Done.")]))
    async with Garden.open(tmp_path / "garden.db", settings=SETTINGS) as garden:
        tools = Tools()
        found = await garden.minds.converser_over(stepper).converse(
            system="Tend.",
            utterances=[Utterance(role=Role.USER, text="Begin.")],
            toolbox=tools,
            limits=ConversationLimits(tokens=100_000, steps=5, seconds=30.0),
            purpose="ambient",
        )
        assert (found.ending, found.tokens) == (ConversationEnding.STOPPED, 240)
        assert [dict(each.arguments) for each in tools.called] == [{"text": "a rose"}]
        assert stepper.asked[1].utterances[-1].text == "noted"
        assert (await garden.minds.usage()).total.calls == 2


async def test_a_scripted_mind_answers_and_what_it_took_is_in_the_ledger(tmp_path: Path) -> None:
    mind = ScriptedMind(reply=lambda prompt: '{"number": 42}')
    async with Garden.open(tmp_path / "garden.db", settings=SETTINGS, mind=mind) as garden:
        assert (await garden.minds.test()).answer == '{"number": 42}'
        assert (await garden.minds.usage()).total.tokens_in == 100
    assert mind.asked == ["Which number comes after 41?"]
