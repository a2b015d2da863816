"""What took the place of something is found by what it replaced, and says so; what was replaced is no result."""

from __future__ import annotations

import pytest

from nightgarden import Garden, Refused, Superseded
from nightgarden.domain.journal import Change, Origin
from nightgarden.remember.edit import superseded
from tests.conftest import Open

CHANGES = [
    ("Errors are collected in Sentry", "We replaced Sentry with GlitchTip", "where are errors collected?"),
    ("Die Tickets liegen in Jira", "Wir haben Jira durch Linear ersetzt", "wo liegen die Tickets?"),
    ("Le cache est Memcached", "Nous avons remplacé Memcached par Redis", "quel cache ?"),
    ("Los informes salen de Crystal", "Reemplazamos Crystal por Metabase", "¿de dónde salen los informes?"),
]


async def replace_with(garden: Garden, before: str, after: str) -> None:
    """Whatever rules alone make of the two in their language."""
    old, new = await garden.remember(before), await garden.remember(after)
    assert not isinstance(old, Refused)
    assert not isinstance(new, Refused)
    if not isinstance(new, Superseded):
        past = superseded(old.memory, by=new.memory.id, at=garden.now(), now=garden.now())
        await garden.store.apply([Change(old.memory, past)], Origin(actor="user"), at=garden.now())


@pytest.mark.parametrize(("before", "after", "question"), CHANGES)
async def test_a_question_about_the_old_one_finds_the_new_one(
    open_garden: Open, before: str, after: str, question: str
) -> None:
    async with open_garden() as garden:
        await replace_with(garden, before, after)
        await garden.remember("The office plants are watered on Mondays")
        found = (await garden.recall(question)).results
        assert found[0].content == after
        assert f"replaced “{before}”" in found[0].reasons
        assert all(each.content != before for each in found)


async def test_the_last_of_a_chain_is_found_by_the_first(open_garden: Open) -> None:
    async with open_garden() as garden:
        await garden.remember("The mail relay of the billing service is Postfix")
        assert isinstance(await garden.remember("We replaced Postfix with Exim"), Superseded)
        assert isinstance(await garden.remember("We replaced Exim with OpenSMTPD"), Superseded)
        found = (await garden.recall("mail relay of billing")).results
        assert [each.content for each in found] == ["We replaced Exim with OpenSMTPD"]


async def test_what_was_forgotten_since_is_found_by_nothing(open_garden: Open) -> None:
    async with open_garden() as garden:
        await garden.remember("The linter is Flake8")
        after = await garden.remember("We replaced Flake8 with Ruff")
        assert isinstance(after, Superseded)
        await garden.forget(after.memory.id)
        assert (await garden.recall("which linter do we use?")).results == ()


async def test_as_of_a_moment_the_old_one_is_the_answer(open_garden: Open) -> None:
    async with open_garden() as garden:
        await garden.remember("The linter is Flake8")
        then = garden.now()
        await garden.remember("We replaced Flake8 with Ruff")
        found = (await garden.recall("which linter do we use?", as_of=then)).results
        assert [each.content for each in found] == ["The linter is Flake8"]


async def test_a_memory_that_answers_by_itself_does_not_quote_what_it_replaced(open_garden: Open) -> None:
    async with open_garden() as garden:
        await replace_with(garden, "The worker listens on port 9000", "The worker listens on port 9100")
        (found,) = (await garden.recall("which port does the worker listen on?")).results
        assert not any("replaced" in reason for reason in found.reasons)
