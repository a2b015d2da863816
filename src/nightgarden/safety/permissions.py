"""Asking the user: requests are kept, decided once, carried out at most once, and remembered.

Every step from one status to the next is a compare-and-set, so two deciders, two cycles or a repeated reply cannot both
get through. A process that dies between `start` and `finish` leaves a request of which nobody knows whether it
happened: it is not repeated, but asked again. Who may decide is for the channel to know; an agent's channel may not.
"""

from __future__ import annotations

import builtins
import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.memory import Category, Provenance
from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.shelf import Kept
from nightgarden.domain.verdict import Refused
from nightgarden.errors import BadInput, Conflict, NotAllowed, NotFound
from nightgarden.garden import Garden
from nightgarden.safety.cleaning import LIST_MAX, clean, clean_review, text_of
from nightgarden.safety.kinds import allowing_rule, kind_of_action
from nightgarden.safety.rejections import Rejections
from nightgarden.safety.requests import (
    ActionProposal,
    AlreadyAsked,
    Answer,
    Asked,
    PermissionRequest,
    Queued,
    Rejected,
    RequestStatus,
    World,
)
from nightgarden.safety.safety_documents import REQUEST, LabelledShelf, request_labels

OFFER_AFTER = 3  # taste: so many approvals of a kind in a row, and a rule is offered
OPEN_MAX = 200  # more is an agent in a loop
_OPEN = tuple(status.value for status in RequestStatus if status.open)


def new_token() -> str:
    """What a reply must carry: 128 random bits."""
    return secrets.token_urlsafe(16)


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionOffer:
    """A rule that would spare the user questions about a kind."""

    kind: str
    rule: str  # for safety.always_allow
    approvals: int


class Permissions:
    """The requests of one garden, as somebody at a place has them."""

    def __init__(self, garden: Garden, *, token: Callable[[], str] = new_token) -> None:
        self._garden = garden
        self._token = token
        self._ids = IdMaker(lambda: int.from_bytes(os.urandom(10)))
        self._requests: LabelledShelf[PermissionRequest] = LabelledShelf(garden.store, REQUEST, request_labels)
        self.rejected = Rejections(garden)

    # -- asking ------------------------------------------------------------------------------------------------------
    async def ask(self, proposal: ActionProposal) -> Asked:
        """Keeps a request for the user, unless the same waits already or its kind was rejected here before. Raises
        BadInput for what cannot be kept: a call with a secret in it, or too many open requests."""
        now = self._garden.now()
        kind = proposal.kind or kind_of_action(proposal.action)
        if rejection := await self.rejected.of(kind):
            return Rejected(rejection=rejection)
        if proposal.call is not None and find_secrets(text_of(proposal.call.arguments)):
            raise BadInput("the call contains a secret, which is not stored; do it without the secret")
        open_ones = await self._list(_OPEN)
        for held in open_ones:
            if _same(held.value, proposal, kind):
                return AlreadyAsked(request=held.value)
        if len(open_ones) >= OPEN_MAX:
            raise BadInput(f"{OPEN_MAX} requests wait for the user already; go on with other work")
        hours = self._garden.settings.safety.request_hours
        request = PermissionRequest(
            id=self._ids.make(now),
            kind=clean(kind),
            action=clean(proposal.action),
            description=clean(proposal.description),
            rationale=clean(proposal.rationale),
            urgency=proposal.urgency,
            wait=proposal.wait,
            created_at=now,
            expires_at=now + timedelta(hours=hours),
            scope=self._garden.place.scope,
            cycle=proposal.cycle,
            session_id=proposal.session_id,
            call=proposal.call,
            review=clean_review(proposal.review),
            facts=tuple(clean(fact) for fact in proposal.facts[:LIST_MAX]),
            rules=proposal.rules,
            tainted=proposal.tainted,
            world=proposal.world,
            replaces=proposal.replaces,
        )
        await self._requests.add(request.id, request, at=now)
        return Queued(request=request)

    async def ask_again(self, request: PermissionRequest, why: str, world: World | None) -> PermissionRequest:
        """The same question once more, because an approval no longer fits."""
        note = f"Asked again: {why}. {request.description}"
        again = replace(
            request,
            id=self._ids.make(self._garden.now()),
            description=clean(note),
            created_at=self._garden.now(),
            expires_at=self._garden.now() + timedelta(hours=self._garden.settings.safety.request_hours),
            world=world,
            status=RequestStatus.PENDING,
            answer=None,
            claimed_by="",
            ended_at=None,
            outcome="",
            replaces=request.id,
            tokens=(),
        )
        await self._requests.add(again.id, again, at=again.created_at)
        return again

    async def issue_token(self, request_id: str) -> str:
        """A new token by which a reply can decide this request, once. Only its digest is kept."""
        token = self._token()

        def note(request: PermissionRequest) -> PermissionRequest:
            return replace(request, tokens=(*request.tokens, _digest(token))[-LIST_MAX:])

        await self._change(request_id, note)
        return token

    async def by_token(self, token: str) -> PermissionRequest | None:
        """The open or settled request that a token belongs to."""
        wanted = _digest(token)
        for held in await self._requests.list(newest_first=True):
            if any(hmac.compare_digest(wanted, each) for each in held.value.tokens):
                return held.value
        return None

    # -- looking -----------------------------------------------------------------------------------------------------
    async def get(self, request_id: str) -> PermissionRequest:
        """Raises NotFound."""
        held = await self._requests.get(request_id)
        if held is None:
            raise NotFound(f"there is no request {request_id!r}; `nightgarden permissions list --all` shows them")
        return held.value

    async def pending(self) -> builtins.list[PermissionRequest]:
        """What waits for the user, everywhere in the garden: urgent first, then oldest."""
        await self.expire()
        found = [held.value for held in await self._list((RequestStatus.PENDING.value,))]
        order = {"high": 0, "normal": 1, "low": 2}
        return sorted(found, key=lambda request: (order[request.urgency.value], request.id))

    async def list(
        self, statuses: Sequence[RequestStatus] | None = None, *, limit: int | None = None
    ) -> builtins.list[PermissionRequest]:
        """Requests of any status, the newest first."""
        names = [status.value for status in statuses] if statuses is not None else None
        found = await self._requests.list(statuses=names, limit=limit, newest_first=True)
        return [held.value for held in found]

    async def alike(self, request: PermissionRequest) -> builtins.list[PermissionRequest]:
        """The pending requests of the same kind and project, this one included: a batch that one answer can settle."""
        return [r for r in await self.pending() if r.kind == request.kind and r.scope == request.scope]

    async def offers(self) -> builtins.list[PermissionOffer]:
        """Kinds that were approved several times in a row and are not allowed yet."""
        decided = [r for r in await self.list() if r.answer is not None and r.scope == self._garden.place.scope]
        decided.sort(key=lambda r: (r.answer.at if r.answer else r.created_at, r.id), reverse=True)
        found = []
        for kind in dict.fromkeys(request.kind for request in decided):
            rule = allowing_rule(kind)
            answers = [r.approved and not r.tainted for r in decided if r.kind == kind][:OFFER_AFTER]
            if rule and len(answers) == OFFER_AFTER and all(answers) and not self._is_allowed(rule):
                found.append(
                    PermissionOffer(kind=kind, rule=rule, approvals=sum(r.approved for r in decided if r.kind == kind))
                )
        return found

    def _is_allowed(self, rule: str) -> bool:
        return any(known.rpartition(": ")[2] == rule for known in self._garden.settings.safety.always_allow)

    # -- deciding ----------------------------------------------------------------------------------------------------
    async def decide(
        self, request_id: str, *, approve: bool, by: str, via: str = "cli", reason: str = "", once: bool = False
    ) -> PermissionRequest:
        """The user's decision. Raises Conflict when it was decided before, differently or not. A rejection holds for
        the kind in this project, unless `once`. The decision becomes a memory."""
        now = self._garden.now()
        reason = clean(reason)

        def settle(request: PermissionRequest) -> PermissionRequest | None:
            if request.status is not RequestStatus.PENDING:
                return None
            if request.expires_at <= now:
                return request.with_status(RequestStatus.EXPIRED, now)
            seconds = (now - request.created_at).total_seconds()
            answer = Answer(approved=approve, by=by, via=via, at=now, reason=reason, response_seconds=seconds)
            status = RequestStatus.APPROVED if approve else RequestStatus.DENIED
            if approve and (request.call is None or not request.wait):
                status = RequestStatus.DONE  # nothing is to be resumed: the agent is told the answer
            return replace(request, answer=answer).with_status(status, now)

        request, mine = await self._change(request_id, settle)
        if not mine:
            raise Conflict(f"request {request_id} is {request.status.value} already; nothing was changed")
        if request.status is RequestStatus.EXPIRED:
            raise Conflict(f"request {request_id} has expired; the agent may ask again")
        memory_id = await self._remember(request)
        if not approve and not once:
            await self.rejected.add(request, by=by, reason=reason, memory_id=memory_id)

        def note(request: PermissionRequest) -> PermissionRequest | None:
            return replace(request, answer=replace(request.answer, memory_id=memory_id)) if request.answer else None

        return (await self._change(request_id, note))[0]

    async def withdraw(self, request_id: str, *, by: str, reason: str = "") -> PermissionRequest:
        """Takes back a question that was not answered. Raises Conflict when it was."""
        now = self._garden.now()

        def take_back(request: PermissionRequest) -> PermissionRequest | None:
            if request.status is not RequestStatus.PENDING:
                return None
            return request.with_status(RequestStatus.WITHDRAWN, now, clean(reason) or f"withdrawn by {by}")

        request, mine = await self._change(request_id, take_back)
        if not mine and request.status is not RequestStatus.WITHDRAWN:
            raise Conflict(f"request {request_id} is {request.status.value} already; nothing was changed")
        return request

    async def expire(self) -> builtins.list[PermissionRequest]:
        """Ends what was not answered in time; returns those."""
        now = self._garden.now()
        expired = []
        for held in await self._requests.list(statuses=(RequestStatus.PENDING.value,), due_before=now):
            late = held.value.with_status(RequestStatus.EXPIRED, now, "nobody answered in time")
            if await self._put(late, held):
                expired.append(late)
        return expired

    # -- carrying out ------------------------------------------------------------------------------------------------
    async def claim_approved(
        self, cycle: str, *, directory: str | None = None, only: str | None = None
    ) -> builtins.list[PermissionRequest]:
        """What the user approved and nobody has taken up: each is given to one cycle only. `directory`: what is to
        happen there; `only`: this one request."""
        claimed = []
        for held in await self._list((RequestStatus.APPROVED.value,)):
            request = held.value
            if only not in (None, request.id) or (request.call and directory not in (None, request.call.directory)):
                continue
            mine = replace(held.value, status=RequestStatus.CLAIMED, claimed_by=cycle)
            if await self._put(mine, held):
                claimed.append(mine)
        return claimed

    async def start(self, request: PermissionRequest, cycle: str) -> bool:
        """From here on it may have happened. False: somebody else has it."""

        def begin(now: PermissionRequest) -> PermissionRequest | None:
            if now.status is not RequestStatus.CLAIMED or now.claimed_by != cycle:
                return None
            return replace(now, status=RequestStatus.RUNNING)

        return (await self._change(request.id, begin))[1]

    async def finish(self, request_id: str, *, cycle: str, ok: bool, outcome: str = "") -> PermissionRequest:
        """What came of it."""
        status = RequestStatus.DONE if ok else RequestStatus.FAILED
        return await self._end(request_id, cycle, status, outcome)

    async def outdate(
        self, request: PermissionRequest, *, cycle: str, why: str, world: World | None
    ) -> PermissionRequest:
        """The world is not as approved: ends this one and asks again. Returns the new question."""
        await self._end(request.id, cycle, RequestStatus.OUTDATED, why)
        return await self.ask_again(request, why, world)

    async def recover(self, living: Sequence[str]) -> builtins.list[PermissionRequest]:
        """After a crash: what a dead cycle had only claimed is free again; what may have happened is asked again.
        `living` are the cycles that still run. Returns the new questions."""
        again = []
        for held in await self._list((RequestStatus.CLAIMED.value, RequestStatus.RUNNING.value)):
            request = held.value
            if request.claimed_by in living:
                continue
            if request.status is RequestStatus.CLAIMED:
                await self._put(replace(request, status=RequestStatus.APPROVED, claimed_by=""), held)
                continue
            why = "the program ended while it ran, so it may have happened already"
            if await self._put(request.with_status(RequestStatus.UNCERTAIN, self._garden.now(), why), held):
                again.append(await self.ask_again(request, why, None))
        return again

    # -- remembering ---------------------------------------------------------------------------------------------------
    async def _remember(self, request: PermissionRequest) -> str:
        """The decision as a memory of the project; empty when a rule refused it. Made of what was read, not of what an
        agent said: it will shape what is proposed next."""
        assert request.answer is not None
        verb = "approved" if request.answer.approved else "rejected"
        why = f": {request.answer.reason.rstrip('.')}" if request.answer.reason else ""
        verdict = await self._garden.remember(
            f"The user {verb} it when the agent wanted to do this: {request.kind}{why}.",
            category=Category.PREFERENCE,
            scope=request.scope,
            tags=("permission", verb),
            provenance=Provenance.USER_STATED,
            tainted=request.tainted,
            confidence_reason=f"decided by {request.answer.by} via {request.answer.via}, request {request.id}",
            allow=("code-derivable", "personal-data"),
            cycle=request.cycle or None,
        )
        return "" if isinstance(verdict, Refused) else verdict.id

    # -- the shelf ---------------------------------------------------------------------------------------------------
    async def _list(self, statuses: Sequence[str]) -> builtins.list[Kept[PermissionRequest]]:
        return await self._requests.list(statuses=statuses)

    async def _put(self, request: PermissionRequest, held: Kept[PermissionRequest]) -> bool:
        try:
            await self._requests.put(request.id, request, held.version, at=self._garden.now())
        except Conflict:
            return False
        return True

    async def _change(
        self, request_id: str, change: Callable[[PermissionRequest], PermissionRequest | None]
    ) -> tuple[PermissionRequest, bool]:
        request, mine = await self._requests.change(request_id, change, at=self._garden.now())
        if request is None:
            raise NotFound(f"there is no request {request_id!r}; `nightgarden permissions list --all` shows them")
        return request, mine

    async def _end(self, request_id: str, cycle: str, status: RequestStatus, outcome: str) -> PermissionRequest:
        now = self._garden.now()

        def end(request: PermissionRequest) -> PermissionRequest | None:
            if request.status not in (RequestStatus.CLAIMED, RequestStatus.RUNNING) or request.claimed_by != cycle:
                return None
            return request.with_status(status, now, clean(outcome))

        request, mine = await self._change(request_id, end)
        if not mine:
            raise NotAllowed(f"request {request_id} is {request.status.value} and not with cycle {cycle}")
        return request


def _same(request: PermissionRequest, proposal: ActionProposal, kind: str) -> bool:
    if proposal.call is not None or request.call is not None:
        return request.call == proposal.call
    return (request.kind, request.description) == (clean(kind), clean(proposal.description))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
