"""What a reply means: whole words, and whatever is not clear is no approval."""

from __future__ import annotations

from typing import Any

import pytest

from nightgarden.safety.replies import Meaning, RequestReply, meaning_of, own_words, tokens_of
from tests.safety.requirements import requirement

TOKEN = "abcdefghijklmnopqrstuv"


@pytest.mark.parametrize(
    "text",
    [
        "approve", "Approved", "YES", "yes.", "ok", "Okay!", "lgtm", "sure, thanks", "go ahead", "Go ahead, looks good",
        "yes please", f"approve {TOKEN}", "Allow", "Yes, the tests are green", "yep", "accepted",
        "Yes, do it.", "ok thank you very much", "Approved, looks good to me", "sure thing",
        "Yes, that is fine with me", "Yes\n\nAnna", "Approve.\n\nBest regards,\nAnna Müller", "ok\nCheers",
    ],
)  # fmt: skip
@requirement("reply-clear")
def test_approvals(text: str) -> None:
    assert meaning_of(text) is Meaning.APPROVE


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "No!",
        "deny",
        "denied, I do that myself",
        "nope",
        "stop",
        "reject",
        "don't",
        "never",
        f"deny {TOKEN}",
        "not now",
    ],
)
def test_denials(text: str) -> None:
    assert meaning_of(text) is Meaning.DENY


@pytest.mark.parametrize(
    "text",
    [
        "yes no", "yes, but not main", "ok if CI is green", "approve?", "yes, except the last step",
        "I know you asked, no", "please approve nothing, no", "this looks ok", "I would say yes", "ok, wait",
        "yes after CI is green", "approve once tests pass", "ok as soon as Ann has reviewed it", "approve tomorrow",
        "ok provided that it builds", "yes assuming it is small", "sure, as long as CI passes",
        "approved pending review", "yes\n\nActually undo that", "yes\n\nNo", "ok\n\nStop\n\nAnna",
        "yes with two changes", "ok, revert it", "approve the other one", "yes for request 2", "approved by Bob",
        "sure would be bad", "ok hmm", "yes subject to legal", "allow nothing", "accept none", "approve neither",
        "yes. Actually, undo that.", "ok so what does it do",
        "yes don't", "approve unless it fails", "yes, later", "sure, only the docs", "аpprove yes",
        "yes, dоn't", "ｙｅｓ ok",
    ],
)  # fmt: skip
@requirement("reply-clear")
def test_what_is_unclear_is_no_approval(text: str) -> None:
    assert meaning_of(text) is Meaning.UNCLEAR


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What does it do",
        "I know nothing about it",
        "Look at the flaky tests",
        "knowledge",
        "yesterday",
        "аpprove",
        "notes",
    ],
)
def test_words_inside_words_and_look_alikes_decide_nothing(text: str) -> None:
    assert meaning_of(text) is Meaning.OTHER


def test_quotes_and_signatures_are_left_out() -> None:
    text = "deny\r\n\r\nOn Mon, 16 Nov 2026, nightgarden wrote:\r\n> reply with approve\r\n-- \r\nyes man"
    assert own_words(text) == "deny"
    assert own_words("> approve") == ""


def test_tokens_are_found_where_replies_carry_them() -> None:
    def of(**more: Any) -> tuple[str, ...]:
        return tokens_of(RequestReply(channel="mail", sender="a", message_id="1", **({"text": ""} | more)))

    assert of(subject=f"Re: x [ng:{TOKEN}]") == (TOKEN,)
    assert of(references=f"<ng.{TOKEN}.01abc@example.org>") == (TOKEN,)
    assert of(text=f"approve {TOKEN}") == (TOKEN,)
    assert of(text=f"yes, `{TOKEN}`!") == (TOKEN,)
    assert of(text=f"approve\n> {TOKEN}") == ()
    assert of(subject="[ng:short]", references="<ng.x@y>") == ()
