"""Requests are kept, decided once, carried out at most once, and remembered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from nightgarden.domain.memory import Category
from nightgarden.errors import BadInput, Conflict, NotAllowed, NotFound
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import (
    ActionCall,
    ActionProposal,
    AlreadyAsked,
    PermissionRequest,
    Queued,
    Rejected,
    RequestStatus,
    Review,
)
from tests.conftest import BY_WORDS, Open
from tests.safety.requirements import requirement

PUSH = ActionCall(tool="bash", arguments={"command": "git push origin x"}, directory="/srv/app")
ASK = ActionProposal(action="bash", description="run git push origin x", kind="git push origin", call=PUSH)


class Stopped:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def clock() -> Stopped:
    return Stopped()


@pytest.fixture
async def permissions(open_garden: Open, clock: Stopped) -> AsyncIterator[Permissions]:
    async with open_garden(settings=BY_WORDS, clock=clock) as garden:
        yield Permissions(garden)


async def ask(permissions: Permissions, proposal: ActionProposal = ASK) -> PermissionRequest:
    asked = await permissions.ask(proposal)
    assert isinstance(asked, Queued)
    return asked.request


async def test_a_request_survives_whole(permissions: Permissions) -> None:
    review = Review(summary="s", why="w", steps=("a", "b"), risks=("r",), rollback="undo", diff="+x")
    request = await ask(permissions, replace(ASK, review=review, facts=("runs: git push",), tainted=True, cycle="c1"))
    assert await permissions.get(request.id) == request
    assert await permissions.pending() == [request]


async def test_the_same_question_is_asked_once(permissions: Permissions) -> None:
    request = await ask(permissions)
    again = await permissions.ask(replace(ASK, description="in other words"))
    assert again == AlreadyAsked(request=request)
    other = replace(ASK, call=replace(PUSH, directory="/srv/other"))
    assert isinstance(await permissions.ask(other), Queued)


@requirement("approval-once")
async def test_double_approval_is_refused_and_counts_once(permissions: Permissions) -> None:
    request = await ask(permissions)
    await permissions.decide(request.id, approve=True, by="anna")
    with pytest.raises(Conflict, match="approved already"):
        await permissions.decide(request.id, approve=True, by="anna")
    with pytest.raises(Conflict):
        await permissions.decide(request.id, approve=False, by="bert")
    assert len(await permissions.claim_approved("c1")) == 1
    assert await permissions.claim_approved("c2") == []


async def test_of_two_deciders_at_once_one_gets_through(permissions: Permissions) -> None:
    request = await ask(permissions)
    both = await asyncio.gather(
        permissions.decide(request.id, approve=True, by="anna"),
        permissions.decide(request.id, approve=False, by="bert"),
        return_exceptions=True,
    )
    assert sorted(isinstance(each, Conflict) for each in both) == [False, True]


@requirement("approval-once")
async def test_of_two_cycles_at_once_one_gets_it(permissions: Permissions) -> None:
    for number in range(5):
        await ask(permissions, replace(ASK, call=replace(PUSH, arguments={"command": f"git push origin {number}"})))
    for request in await permissions.pending():
        await permissions.decide(request.id, approve=True, by="anna")
    one, other = await asyncio.gather(permissions.claim_approved("c1"), permissions.claim_approved("c2"))
    assert len(one) + len(other) == 5
    assert not {request.id for request in one} & {request.id for request in other}


@requirement("approval-crash")
async def test_a_crash_after_the_claim_frees_it_and_after_the_start_asks_again(permissions: Permissions) -> None:
    request = await ask(permissions)
    await permissions.decide(request.id, approve=True, by="anna")
    (claimed,) = await permissions.claim_approved("c1")
    assert await permissions.recover(living=["c1"]) == []
    assert await permissions.recover(living=[]) == []
    (claimed,) = await permissions.claim_approved("c2")
    assert await permissions.start(claimed, "c2")
    assert not await permissions.start(claimed, "c2")
    (again,) = await permissions.recover(living=["c3"])
    assert (await permissions.get(request.id)).status is RequestStatus.UNCERTAIN
    assert (again.status, again.replaces) == (RequestStatus.PENDING, request.id)
    assert "may have happened" in again.description
    assert await permissions.claim_approved("c3") == []


async def test_only_the_cycle_that_has_it_ends_it(permissions: Permissions) -> None:
    request = await ask(permissions)
    await permissions.decide(request.id, approve=True, by="anna")
    (claimed,) = await permissions.claim_approved("c1")
    with pytest.raises(NotAllowed):
        await permissions.finish(request.id, cycle="c2", ok=True)
    await permissions.start(claimed, "c1")
    done = await permissions.finish(request.id, cycle="c1", ok=False, outcome="no network")
    assert (done.status, done.outcome) == (RequestStatus.FAILED, "no network")


@requirement("approval-time")
async def test_what_nobody_answers_expires_and_cannot_be_approved_late(
    permissions: Permissions, clock: Stopped
) -> None:
    first = await ask(permissions)
    clock.moment += timedelta(hours=73)
    with pytest.raises(Conflict, match="expired"):
        await permissions.decide(first.id, approve=True, by="anna")
    second = await ask(permissions)
    clock.moment += timedelta(hours=73)
    assert [request.id for request in await permissions.expire()] == [second.id]
    assert await permissions.pending() == []
    assert await permissions.claim_approved("c1") == []


async def test_a_request_can_be_withdrawn_until_it_is_decided(permissions: Permissions) -> None:
    request = await ask(permissions)
    assert (await permissions.withdraw(request.id, by="agent")).status is RequestStatus.WITHDRAWN
    with pytest.raises(Conflict):
        await permissions.decide(request.id, approve=True, by="anna")
    other = await ask(permissions)
    await permissions.decide(other.id, approve=True, by="anna")
    with pytest.raises(Conflict):
        await permissions.withdraw(other.id, by="agent")
    with pytest.raises(NotFound):
        await permissions.withdraw("nothing", by="agent")


async def test_alike_requests_are_one_batch(permissions: Permissions) -> None:
    first = await ask(permissions)
    second = await ask(permissions, replace(ASK, call=replace(PUSH, arguments={"command": "git push origin y"})))
    await ask(permissions, replace(ASK, kind="make deploy", call=replace(PUSH, arguments={"command": "make deploy"})))
    assert {request.id for request in await permissions.alike(first)} == {first.id, second.id}


async def test_a_rule_is_offered_after_three_approvals_in_a_row(permissions: Permissions) -> None:
    async def decide(approve: bool, *, tainted: bool = False) -> None:
        request = await ask(permissions, replace(ASK, kind="make test", tainted=tainted))
        await permissions.decide(request.id, approve=approve, by="anna", once=True)
        for claimed in await permissions.claim_approved("c1"):
            await permissions.start(claimed, "c1")
            await permissions.finish(claimed.id, cycle="c1", ok=True)

    for _ in range(2):
        await decide(True)
    assert await permissions.offers() == []
    await decide(True)
    (offer,) = await permissions.offers()
    assert (offer.kind, offer.rule, offer.approvals) == ("make test", "make test", 3)
    await decide(False)
    assert await permissions.offers() == []
    for _ in range(3):
        await decide(True, tainted=True)
    assert await permissions.offers() == []  # outside text earns nothing


@requirement("decision-memory")
async def test_each_decision_becomes_a_memory_of_the_project(open_garden: Open) -> None:
    async with open_garden() as garden:
        permissions = Permissions(garden)
        request = await ask(permissions)
        decided = await permissions.decide(request.id, approve=False, by="anna", reason="I push myself")
        assert decided.answer is not None
        memory = await garden.get(decided.answer.memory_id)
        assert "rejected" in memory.content
        assert "git push origin" in memory.content
        assert "I push myself" in memory.content
        assert (memory.category, memory.scope) == (Category.PREFERENCE, garden.place.scope)
        other = await ask(permissions, replace(ASK, kind="make docs", call=None, description="write docs"))
        decided = await permissions.decide(other.id, approve=True, by="anna")
        assert decided.answer is not None
        assert "approved" in (await garden.get(decided.answer.memory_id)).content


@requirement("rejected-kind")
async def test_a_rejected_kind_is_not_proposed_again_until_that_is_taken_back(permissions: Permissions) -> None:
    request = await ask(permissions)
    await permissions.decide(request.id, approve=False, by="anna", reason="no")
    again = await permissions.ask(ASK)
    assert isinstance(again, Rejected)
    assert again.rejection.request_id == request.id
    assert isinstance(await permissions.ask(replace(ASK, kind="git push upstream")), Queued)
    assert await permissions.rejected.take_back("git push origin")
    assert not await permissions.rejected.take_back("git push origin")
    assert isinstance(await permissions.ask(ASK), AlreadyAsked)


async def test_denied_once_may_be_asked_again(permissions: Permissions) -> None:
    request = await ask(permissions)
    await permissions.decide(request.id, approve=False, by="anna", once=True)
    assert isinstance(await permissions.ask(ASK), Queued)


async def test_tokens_are_kept_as_digests_and_find_their_request(permissions: Permissions) -> None:
    request = await ask(permissions)
    token = await permissions.issue_token(request.id)
    other = await permissions.issue_token(request.id)
    assert token != other
    assert token not in str(await permissions.get(request.id))
    for each in (token, other):
        found = await permissions.by_token(each)
        assert found is not None
        assert found.id == request.id
    assert await permissions.by_token(token[:-1] + "A" if token[-1] != "A" else token[:-1] + "B") is None
    assert await permissions.by_token("") is None


@requirement("secrets-kept-out")
async def test_secrets_are_blacked_out_of_words_and_refused_in_calls(permissions: Permissions) -> None:
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    request = await ask(permissions, replace(ASK, description=f"push with {secret}", review=Review(why=secret)))
    assert secret not in str(request)
    with pytest.raises(BadInput, match="secret"):
        await permissions.ask(replace(ASK, call=replace(PUSH, arguments={"command": f"curl -u {secret} x"})))
