"""Recall without a query, similar memories, newness, tags with descriptions, what related went through, strict agents,
procedures that compare by their steps."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from nightgarden import Garden
from nightgarden.domain.verdict import Refused, Reinforced, Saved
from nightgarden.errors import NotFound
from nightgarden.facade.opened import REFINED_EVERY
from nightgarden.surfaces.operations.perform import perform
from tests.conftest import BY_WORDS, Open, Ticking


async def test_recall_without_a_query_finds_what_fits_the_work_that_is_being_done(garden: Garden) -> None:
    await garden.remember("The tax table of the checkout is loaded from the finance bucket")
    await garden.remember("The office cat is called Mori")
    assert (await garden.recall()).results == ()
    await garden.learn.core().edit(focus="the tax table of the checkout")
    found = await garden.recall()
    assert found.query == "the tax table of the checkout"
    assert "finance bucket" in found.results[0].content
    asked = await perform(garden, "recall", {})
    assert asked["results"][0]["content"] == found.results[0].content


async def test_similar_memories_leave_out_the_one_that_is_asked_about(garden: Garden) -> None:
    first = await garden.remember("The checkout loads its tax table from the finance bucket")
    second = await garden.remember("The checkout writes its receipts to the finance bucket")
    await garden.remember("The office cat is called Mori")
    assert first.id is not None
    found = await garden.similar(first.id)
    assert found.results[0].id == second.id
    assert first.id not in {result.id for result in found.results}
    with pytest.raises(NotFound):
        await garden.similar("nothing")


async def test_newness_counts_as_much_as_is_wished(open_garden: Open) -> None:
    clock = Ticking()
    async with open_garden(clock=clock) as garden:
        old = await garden.remember("Deploys of the shop are announced in the kitchen")
        clock.moment += timedelta(days=80)
        new = await garden.remember("Deploys of the shop are celebrated on the roof")
        query = "where are deploys of the shop announced?"
        assert [r.id for r in (await garden.recall(query)).results][:2] == [old.id, new.id]
        assert [r.id for r in (await garden.recall(query, recency=1.0)).results][:2] == [new.id, old.id]


async def test_a_tag_can_be_described_and_related_names_what_it_went_through(garden: Garden) -> None:
    first = await garden.remember("The checkout loads its tax table at start", tags=["money"])
    second = await garden.remember("Receipts are printed in two colours", tags=["money"])
    assert first.id is not None
    tag = await garden.learn.tiers.describe_tag("money", "Everything about payments")
    assert tag in await garden.tags()
    with pytest.raises(NotFound):
        await garden.learn.tiers.describe_tag("nothing", "x")
    shown = await perform(garden, "related", {"id": first.id, "depth": 2})
    assert [(each["memory"]["id"], each["through"]) for each in shown["related"]] == [(second.id, "tag money")]


async def test_strict_is_the_agents_mode_when_the_user_says_so(open_garden: Open) -> None:
    strict = replace(BY_WORDS, agent=replace(BY_WORDS.agent, strict=True))
    async with open_garden(settings=strict) as garden:
        refused = await perform(garden, "remember", {"text": "The build takes nine minutes"})
        assert refused["rule"] == "strict-mode"
        rule = {"text": "Orders are numbered by year", "category": "convention", "importance": "high"}
        assert (await perform(garden, "remember", rule))["memory"]["status"] == "promoted"
        assert not isinstance(await garden.remember("The build takes nine minutes"), Refused)  # the user's own word


async def test_procedures_compare_by_their_steps(garden: Garden) -> None:
    one = await garden.remember(
        "To release:\n1. run the tests\n2. tag the commit\n3. push the tag", category="procedure"
    )
    other = await garden.remember(
        "To release:\n1. call Mori\n2. wait for the seal\n3. open the gate", category="procedure"
    )
    assert isinstance(one, Saved)
    assert isinstance(other, Saved)
    same = await garden.remember(
        "To make a version:\n1. run the tests\n2. tag the commit\n3. push the tag", category="procedure"
    )
    assert isinstance(same, Reinforced)
    assert same.memory.id == one.id


async def test_clusters_are_looked_at_after_many_searches_and_an_undo_passes_over_that(garden: Garden) -> None:
    saved = await garden.remember("The office cat is called Mori")
    for _ in range(REFINED_EVERY):
        await garden.recall("cat")
    await garden.settle()
    outcomes = (await garden.stats()).background
    assert outcomes.get("refine clusters: done", 0) + sum(n for k, n in outcomes.items() if "refine" in k) >= 1
    first, *_ = await garden.undo()
    assert first.subject_id == saved.id
