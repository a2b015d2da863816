"""A toolbox behind the gate: every call is read, decided, logged, and only then allowed, asked about or denied.

The decision is made at dispatch, by rule, and not by what a prompt says. An approved call is carried out by the gate
itself, exactly as it was asked, at most once, and only if the world is as it was; anything else is asked again.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nightgarden.domain.conversation import ToolAnswer, Toolbox, ToolCall, ToolSpec
from nightgarden.domain.ids import IdMaker
from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.safety.action_log import ActionEntry, ActionStatus, ActionTier
from nightgarden.safety.check import circumstances
from nightgarden.safety.cleaning import clean
from nightgarden.safety.command_reading import CommandReading
from nightgarden.safety.decide import Allow, Ask, Decision, Deny, decide
from nightgarden.safety.describe import describe, facts_of, review_of
from nightgarden.safety.exposure import Exposure, Taint, taint_of
from nightgarden.safety.kinds import kind_of
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.propose import REQUEST_PERMISSION, read_proposal
from nightgarden.safety.read_action import read_action
from nightgarden.safety.requests import (
    ActionCall,
    ActionProposal,
    AlreadyAsked,
    Asked,
    PermissionRequest,
    Queued,
    Rejected,
    RequestStatus,
    Review,
    World,
)
from nightgarden.safety.safety_documents import ACTION, ActionLabels, LabelledShelf
from nightgarden.safety.world import world_of
from nightgarden.scope import real_directory

Read = Callable[[ToolCall], CommandReading]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """What came of an approved request: the call's answer, or why it was not carried out."""

    request: PermissionRequest
    answer: ToolAnswer
    ran: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    reading: CommandReading
    decision: Decision
    kind: str
    description: str

    @property
    def tier(self) -> ActionTier:
        match self.decision:
            case Allow():
                return ActionTier.ALLOW
            case Ask():
                return ActionTier.ASK
            case Deny():
                return ActionTier.DENY


class GatedToolbox:
    """The tools of one conversation, each call through the gate."""

    def __init__(  # noqa: PLR0913 - all that the gate asks
        self,
        inner: Toolbox,
        *,
        garden: Garden,
        cycle: str,
        permissions: Permissions | None = None,
        read: Read | None = None,
        directory: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        exposure: Exposure | None = None,
        sandboxed: bool = False,
        session_id: str = "",
        asked: Callable[[PermissionRequest], None] | None = None,
        review: Callable[[ToolCall, Review], Awaitable[Review]] | None = None,
    ) -> None:
        """`read` says what a call of a tool would do where `read_action` does not know the tool; `asked` hears of each
        new request; `review` adds to what the user is shown of a call. `sandboxed`: the tools run commands where these
        can neither send nor write outside the worktree; the gate only judges a call, and leaves running it to them."""
        self.exposure = exposure or Exposure()
        self.permissions = permissions or Permissions(garden)
        self._inner = inner
        self._garden = garden
        self._cycle = cycle
        self._directory = real_directory(directory or garden.place.root)
        self._env = os.environ if env is None else env
        self._read = read or self._read_by_name
        self._sandboxed = sandboxed
        self._session_id = session_id
        self._asked = asked
        self._review = review
        self._ids = IdMaker(lambda: int.from_bytes(os.urandom(10)))
        self._log: LabelledShelf[ActionEntry] = LabelledShelf(garden.store, ACTION, _labels)

    @property
    def specs(self) -> Sequence[ToolSpec]:
        return (*self._inner.specs, REQUEST_PERMISSION)

    async def call(self, call: ToolCall) -> ToolAnswer:
        if call.malformed:
            return ToolAnswer(text=f"The arguments of {call.name} could not be read: {call.malformed}", failed=True)
        if call.name == REQUEST_PERMISSION.name:
            return await self._request_permission(call)
        judged = await self._judge(call)
        match judged.decision:
            case Deny():
                await self._note(call, judged, ActionStatus.DENIED)
                return ToolAnswer(text=_denied(judged), failed=True)
            case Ask():
                return await self._ask(call, judged)
            case Allow():
                return await self._run(call, judged)

    async def resume_approved(self, *, only: str | None = None) -> list[Resumed]:
        """Carries out what the user has approved for this directory since it was asked. Call it at the start of a cycle
        and between steps. `only`: this one request."""
        claimed = await self.permissions.claim_approved(self._cycle, directory=str(self._directory), only=only)
        return [await self._resume(request) for request in claimed]

    # -- one call ----------------------------------------------------------------------------------------------------
    def _read_by_name(self, call: ToolCall) -> CommandReading:
        return read_action(call.name, call.arguments, cwd=str(self._directory), home=str(Path.home()))

    async def _judge(self, call: ToolCall, *, tainted: bool | None = None) -> _Judged:
        def judge() -> _Judged:
            reading = self._read(call)
            where = circumstances(
                self._directory,
                self._env,
                tainted=self.exposure.tainted if tainted is None else tainted,
                sandboxed=self._sandboxed,
            )
            return _Judged(
                reading=reading,
                decision=decide(reading, where),
                kind=kind_of(call.name, reading),
                description=describe(call.name, call.arguments, reading),
            )

        return await asyncio.to_thread(judge)

    async def _run(self, call: ToolCall, judged: _Judged, request_id: str = "") -> ToolAnswer:
        entry = await self._note(call, judged, ActionStatus.STARTED, request_id)
        if not request_id and type((await self._judge(call)).decision) is not Allow:  # a link was moved meanwhile
            await self._end(entry, ActionStatus.DENIED, "what it would do changed between the check and the run")
            return ToolAnswer(text="Not done: what it would do has just changed. Look again.", failed=True)
        try:
            answer = await self._inner.call(call)
        except BaseException as error:
            await self._end(entry, ActionStatus.FAILED, str(error) or type(error).__name__)
            raise
        await self._end(entry, ActionStatus.FAILED if answer.failed else ActionStatus.DONE, answer.text)
        self._expose(judged, answer)
        return answer

    def _expose(self, judged: _Judged, answer: ToolAnswer) -> None:
        level = taint_of(judged.reading, str(self._directory))
        self.exposure.take(Taint.OUTSIDE if answer.outside else level)
        self.exposure.take_text(answer.text)

    async def _ask(self, call: ToolCall, judged: _Judged) -> ToolAnswer:
        review = review_of(judged.reading, judged.decision)
        proposal = ActionProposal(
            action=call.name,
            description=judged.description,
            kind=judged.kind,
            cycle=self._cycle,
            session_id=self._session_id,
            call=self._exact(call),
            review=await self._review(call, review) if self._review is not None else review,
            facts=facts_of(judged.reading, judged.decision),
            rules=tuple(each.rule.id for each in judged.decision.because),
            tainted=self.exposure.tainted,
            world=await self._world(judged.reading),
        )
        return await self._put(call, judged, proposal)

    async def _put(self, call: ToolCall, judged: _Judged, proposal: ActionProposal) -> ToolAnswer:
        try:
            asked = await self.permissions.ask(proposal)
        except BadInput as error:
            await self._note(call, judged, ActionStatus.DENIED, detail=str(error))
            return ToolAnswer(text=f"Not done: {error}.", failed=True)
        match asked:
            case Rejected(rejection=rejection):
                await self._note(call, judged, ActionStatus.DENIED, rejection.request_id)
            case AlreadyAsked(request=request) if request.status is RequestStatus.APPROVED:
                return await self._run_approved(request)
            case AlreadyAsked(request=request):
                await self._note(call, judged, ActionStatus.ASKED, request.id)
            case Queued(request=request):
                await self._note(call, judged, ActionStatus.ASKED, request.id)
                if self._asked is not None:
                    self._asked(request)
        return ToolAnswer(text=_answer(asked), failed=isinstance(asked, Rejected))

    async def _run_approved(self, request: PermissionRequest) -> ToolAnswer:
        """The agent made the very call again that was approved meanwhile."""
        claimed = await self.permissions.claim_approved(self._cycle, only=request.id)
        if not claimed:
            return ToolAnswer(text=f"Request {request.id} is being carried out already.")
        return (await self._resume(claimed[0])).answer

    async def _resume(self, request: PermissionRequest) -> Resumed:
        assert request.call is not None
        call = ToolCall(id=request.id, name=request.call.tool, arguments=request.call.arguments)
        judged = await self._judge(call, tainted=request.tainted)
        if isinstance(judged.decision, Deny):
            await self.permissions.finish(request.id, cycle=self._cycle, ok=False, outcome=_denied(judged))
            await self._note(call, judged, ActionStatus.DENIED, request.id)
            return Resumed(request=request, answer=ToolAnswer(text=_denied(judged), failed=True), ran=False)
        now = await self._world(judged.reading)
        if request.world is not None and (changed := request.world.differences(now)):
            why = "; ".join(changed[:5])
            again = await self.permissions.outdate(request, cycle=self._cycle, why=why, world=now)
            await self._note(call, judged, ActionStatus.ASKED, again.id)
            if self._asked is not None:
                self._asked(again)
            text = f"Request {request.id} was approved, but {why}. The user is asked again as request {again.id}."
            return Resumed(request=again, answer=ToolAnswer(text=text), ran=False)
        if not await self.permissions.start(request, self._cycle):
            text = f"Request {request.id} is being carried out by another cycle."
            return Resumed(request=request, answer=ToolAnswer(text=text), ran=False)
        answer = await self._run(call, judged, request.id)
        outcome = answer.text
        done = await self.permissions.finish(request.id, cycle=self._cycle, ok=not answer.failed, outcome=outcome)
        return Resumed(request=done, answer=answer, ran=True)

    # -- asking in words ---------------------------------------------------------------------------------------------
    async def _request_permission(self, call: ToolCall) -> ToolAnswer:
        """The agent's own question. With a call in it, that call is what is judged and carried out."""
        try:
            proposal, inner = read_proposal(call.arguments)
        except BadInput as error:
            return ToolAnswer(text=str(error), failed=True)
        proposal = replace(proposal, cycle=self._cycle, session_id=self._session_id, tainted=self.exposure.tainted)
        if inner is None:
            nothing = _Judged(
                reading=CommandReading(), decision=Ask(because=()), kind="", description=proposal.description
            )
            return await self._put(call, nothing, proposal)
        wanted = ToolCall(id=call.id, name=inner.tool, arguments=inner.arguments)
        judged = await self._judge(wanted)
        if isinstance(judged.decision, Deny):
            await self._note(wanted, judged, ActionStatus.DENIED)
            return ToolAnswer(text=_denied(judged), failed=True)
        if isinstance(judged.decision, Allow):
            return ToolAnswer(text=f"No permission is needed for this: call {wanted.name} itself.")
        proposal = replace(
            proposal,
            kind=judged.kind,
            call=self._exact(wanted),
            facts=facts_of(judged.reading, judged.decision),
            rules=tuple(each.rule.id for each in judged.decision.because),
            world=await self._world(judged.reading),
        )
        return await self._put(wanted, judged, proposal)

    def _exact(self, call: ToolCall) -> ActionCall:
        return ActionCall(tool=call.name, arguments=dict(call.arguments), directory=str(self._directory))

    async def _world(self, reading: CommandReading) -> World:
        return await asyncio.to_thread(world_of, reading, str(self._directory))

    # -- the log -----------------------------------------------------------------------------------------------------
    async def _note(
        self, call: ToolCall, judged: _Judged, status: ActionStatus, request_id: str = "", detail: str = ""
    ) -> ActionEntry:
        now = self._garden.now()
        entry = ActionEntry(
            id=self._ids.make(now),
            at=now,
            cycle=self._cycle,
            scope=self._garden.place.scope,
            tool=clean(call.name),
            description=clean(judged.description),
            tier=judged.tier,
            rules=tuple(each.rule.id for each in judged.decision.because),
            reasons=tuple(
                clean(f"{e.rule.sentence}: {e.what}" if e.what else e.rule.sentence) for e in judged.decision.because
            ),
            status=status,
            request_id=request_id,
            tainted=self.exposure.tainted,
            detail=clean(detail),
        )
        await self._log.add(entry.id, entry, at=now)
        return entry

    async def _end(self, entry: ActionEntry, status: ActionStatus, detail: str) -> None:
        ended = replace(entry, status=status, detail=clean(detail)[:400])
        await self._log.put(entry.id, ended, None, at=self._garden.now())


def _labels(entry: ActionEntry) -> ActionLabels:
    return ActionLabels(owner=entry.cycle, status=entry.status.value)


async def action_log(garden: Garden, *, cycle: str | None = None, limit: int | None = None) -> list[ActionEntry]:
    """What agents did, were asked about and were denied: the newest first, or in order for one cycle."""
    shelf: LabelledShelf[ActionEntry] = LabelledShelf(garden.store, ACTION, _labels)
    found = await shelf.list(owner=cycle, limit=limit, newest_first=cycle is None)
    return [held.value for held in found]


def _denied(judged: _Judged) -> str:
    why = "; ".join(
        f"{each.rule.sentence}{f' ({each.what})' if each.what else ''} [{each.rule.id}]"
        for each in judged.decision.because
    )
    return f"Denied: {why}. Do not try it in another way; go on with other work."


def _answer(asked: Asked) -> str:
    match asked:
        case Queued(request=request):
            return (
                f"This needs the user's permission. They are asked: request {request.id}. Go on with other work; once "
                "it is approved it is carried out exactly as you called it, now or in a later cycle."
            )
        case AlreadyAsked(request=request):
            return f"This was asked already: request {request.id} is {request.status.value}. Go on with other work."
        case Rejected(rejection=rejection):
            why = f": {rejection.reason}" if rejection.reason else ""
            return f"The user has rejected this kind of action here ({rejection.kind}){why}. Do not propose it again."
