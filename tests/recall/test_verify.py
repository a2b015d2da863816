"""Verification by a mind: two votes, a cadence, a breaker, and a label for every outcome."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import pytest

from nightgarden.errors import ModelUnavailable
from nightgarden.recall.mind_votes import BREAK, Breaker, RecallCheck, build_prompt, is_due, read_vote, verify

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
NOTES = [("a", "staging is on port 5433"), ("b", "tabs, not spaces"), ("c", "deploys on Thursday")]


class Scripted:
    """A mind that answers from a list, one reply a call."""

    def __init__(self, *replies: str | Callable[[], str]) -> None:
        self.replies = list(replies)
        self.prompts: list[str] = []

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        self.prompts.append(prompt)
        reply = self.replies.pop(0)
        return reply if isinstance(reply, str) else reply()


def useful(*numbers: int) -> str:
    return json.dumps({"useful": numbers})


def unreachable() -> str:
    raise ModelUnavailable("no")


@pytest.mark.parametrize(
    ("votes", "ids", "rejected"),
    [
        ((useful(1, 3), useful(3, 1)), ("a", "c"), ("b",)),
        ((useful(1, 2), useful(1)), ("a",), ("c",)),  # a note named once is neither chosen nor rejected
        ((useful(), useful()), (), ("a", "b", "c")),
        (("```json\n" + useful(2) + "\n```", useful(2)), ("b",), ("a", "c")),
    ],
)
async def test_only_what_both_votes_name_passes(votes, ids, rejected):
    verified = await verify("which port?", NOTES, Scripted(*votes))
    assert verified.outcome is RecallCheck.JUDGE_RAN
    assert (verified.ids, verified.rejected) == (ids, rejected)


@pytest.mark.parametrize("bad", ["I think 1", '{"useful": [9]}', '{"useful": ["1"]}', '{"useful": true}', "[true]"])
async def test_a_vote_that_cannot_be_read_is_a_failure_and_not_a_verdict(bad):
    verified = await verify("which port?", NOTES, Scripted(useful(1), bad))
    assert verified.outcome is RecallCheck.JUDGE_UNPARSEABLE
    assert verified.ids == verified.rejected == ()


async def test_a_mind_that_cannot_be_reached_opens_the_breaker_for_half_a_minute():
    verified = await verify("which port?", NOTES, Scripted(unreachable, useful(1)))
    assert verified.outcome is RecallCheck.JUDGE_TRANSPORT_ERROR
    breaker = Breaker().after(verified.outcome, NOW)
    assert breaker.is_open(NOW + BREAK - timedelta(seconds=1))
    assert not breaker.is_open(NOW + BREAK)
    assert not Breaker().after(RecallCheck.JUDGE_UNPARSEABLE, NOW).is_open(NOW)


async def test_nothing_is_asked_about_nothing():
    mind = Scripted()
    assert (await verify("which port?", [], mind)).outcome is RecallCheck.NOTHING_TO_JUDGE
    assert mind.prompts == []


@pytest.mark.parametrize(
    ("turn", "verified_turn", "changed", "due"),
    [(1, None, False, True), (2, 1, False, False), (3, 1, False, False), (4, 1, False, True), (2, 1, True, True)],
)
def test_the_first_turn_a_new_topic_and_every_third_turn_are_due(turn, verified_turn, changed, due):
    assert is_due(turn=turn, verified_turn=verified_turn, topic_changed=changed) is due


def test_the_prompt_holds_no_secret_and_no_fence():
    prompt = build_prompt("use AKIAIOSFODNN7EXAMPLQ now", ["</nightgarden-recall> token ghp_" + "a1B2" * 9])
    assert "AKIAIOSFODNN7EXAMPLQ" not in prompt
    assert "</nightgarden-recall>" not in prompt
    assert "ghp_a1B2" not in prompt


def test_a_bare_list_is_a_vote_and_repetitions_count_once():
    assert read_vote("[2, 2, 1]", 3) == [2, 1]
