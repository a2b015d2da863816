"""A mind may add to what was read without it; it can never spoil it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest

from nightgarden.domain.session import Message
from nightgarden.errors import ModelUnavailable
from nightgarden.remember.extract import extract
from nightgarden.remember.extract.mind_prompt import EXAMPLES, build_prompt
from nightgarden.remember.extract.with_mind import extract_with_mind

NOW = datetime(2026, 3, 2, tzinfo=UTC)
MESSAGES = [
    Message(id="m1", role="user", text="remember that we use pnpm here", at=NOW),
    Message(id="m2", role="assistant", text="Fine.", at=NOW),
    Message(id="m3", role="user", text="the lads in ops go home at four, mind you\n> we use tabs everywhere", at=NOW),
]
GOOD = {"category": "fact", "content": "Ops leaves at four", "message_id": "m3", "evidence": "ops go home at four"}


class FunctionMind:
    """A mind that is a function."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        self._answer = answer

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        return self._answer(prompt)


def saying(*memories: Mapping[str, str]) -> FunctionMind:
    return FunctionMind(lambda _: json.dumps({"memories": memories}))


async def test_a_mind_adds_what_it_found_with_evidence() -> None:
    result = await extract_with_mind(MESSAGES, saying(GOOD))
    assert [draft.content for draft in result.drafts] == ["We use pnpm here", "Ops leaves at four"]
    assert result.failure == ""
    assert result.drafts[-1].tainted  # its message quotes somebody


@pytest.mark.parametrize(
    "reply",
    [
        "Sure! Here is what I found: []",
        "",
        "[]",
        '{"memories": "none"}',
        '{"memories": [{"category": "fact"}]}',
        json.dumps({"memories": [GOOD | {"category": "rumour"}]}),
        json.dumps({"memories": [GOOD | {"content": "x" * 401}]}),
        json.dumps({"memories": [GOOD] * 21}),
        json.dumps({"memories": [GOOD]}) + "\nHope this helps!",
    ],
)
async def test_a_talkative_mind_is_a_failure_and_the_deterministic_result_stands(reply: str) -> None:
    result = await extract_with_mind(MESSAGES, FunctionMind(lambda _: reply))
    assert list(result.drafts) == extract(MESSAGES)
    assert result.failure


async def test_a_mind_that_cannot_be_reached_is_a_failure_and_the_deterministic_result_stands() -> None:
    def down(_: str) -> str:
        raise ModelUnavailable("the mind is down; try later")

    result = await extract_with_mind(MESSAGES, FunctionMind(down))
    assert list(result.drafts) == extract(MESSAGES)
    assert result.failure == "the mind is down; try later"


@pytest.mark.parametrize("content", [content for _, _, content in EXAMPLES if content])
async def test_an_echoed_example_is_never_stored(content: str) -> None:
    result = await extract_with_mind(MESSAGES, saying(GOOD | {"content": content}))
    assert list(result.drafts) == extract(MESSAGES)
    assert result.rejected == 1


@pytest.mark.parametrize(
    "change",
    [
        {"evidence": "never said anywhere"},
        {"evidence": "we use tabs everywhere"},
        {"message_id": "m9"},
        {"message_id": "m2", "evidence": "Fine. Fine."},
        {"content": "The password is hunter2hunter2"},
    ],
)
async def test_a_memory_without_evidence_in_the_users_own_words_is_rejected(change: dict[str, str]) -> None:
    result = await extract_with_mind(MESSAGES, saying(GOOD | change))
    assert list(result.drafts) == extract(MESSAGES)
    assert result.rejected == 1


async def test_a_rewording_of_what_was_read_already_is_not_added() -> None:
    again = {
        "category": "convention",
        "content": "We use pnpm in here",
        "message_id": "m1",
        "evidence": "use pnpm here",
    }
    result = await extract_with_mind(MESSAGES, saying(again))
    assert list(result.drafts) == extract(MESSAGES)


def test_the_prompt_carries_what_is_known_and_marks_its_examples() -> None:
    prompt = build_prompt(MESSAGES, ["The sky is blue"])
    assert "- The sky is blue" in prompt
    assert prompt.count("example_only") == len(EXAMPLES)
    assert '"id": "m3"' in prompt
