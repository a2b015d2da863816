"""The agent of one cycle: what it is given (tasks, directives, tools behind the gate), the conversation, and its end.

Every call passes the gate. What the user approved meanwhile is carried out by the gate itself, also in cycles without a
model.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nightgarden.ambient import cycle_plan
from nightgarden.ambient.context import CycleContext, sessions_words
from nightgarden.ambient.cycle_prompt import Brief, Opportunity, Purse, write_prompt
from nightgarden.ambient.cycle_with_mind import Talked, talk
from nightgarden.ambient.cycles import CyclePhase, CycleStep
from nightgarden.ambient.running import Running
from nightgarden.ambient.tools.code_reading import code_tools
from nightgarden.ambient.tools.cycle import EndedCycle, cycle_tools
from nightgarden.ambient.tools.memory import memory_tools
from nightgarden.ambient.tools.toolbox import AmbientTool, AmbientTools, spec, text
from nightgarden.ambient.tools.work import PUSH, push_tool, work_tools
from nightgarden.ambient.trust import Trust
from nightgarden.ambient.wake import WakeWish
from nightgarden.ambient.work.scout import scout
from nightgarden.ambient.work.work_records import WorkStatus
from nightgarden.ambient.work.worktree import Worktrees
from nightgarden.domain.conversation import (
    ConversationEnding,
    ConversationLimits,
    Converser,
    ToolAnswer,
    ToolCall,
    ToolSpec,
    Utterance,
)
from nightgarden.domain.schedule import ScheduledTask
from nightgarden.garden import Garden
from nightgarden.safety.command_reading import CommandReading, Edit
from nightgarden.safety.directing import Directives
from nightgarden.safety.exposure import Exposure, Taint
from nightgarden.safety.gated import GatedToolbox
from nightgarden.safety.messages import EventName, SafetyEvent
from nightgarden.safety.notify import Notifier
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.read_action import read_action
from nightgarden.safety.requests import PermissionRequest, RequestStatus, Review

_CLOSED = (RequestStatus.DENIED, RequestStatus.EXPIRED, RequestStatus.WITHDRAWN)
_ENDINGS = {
    ConversationEnding.TOKENS: "its tokens were used up",
    ConversationEnding.STEPS: "it took too many steps",
    ConversationEnding.SECONDS: "its time was up",
}


@dataclass(slots=True, kw_only=True)
class AgentOutcome:
    """How the conversation ended, for whoever closes the cycle."""

    status: CyclePhase
    warning: str = ""
    wish: WakeWish | None = None
    limited: bool = False
    utterances: tuple[Utterance, ...] = ()
    directives: tuple[str, ...] = field(default_factory=tuple)


async def waits_here(request: PermissionRequest, worktrees: Worktrees) -> bool:
    """Whether what the user approved is for the agent on this machine to carry out."""
    if request.call is None or request.call.directory != str(worktrees.folder):
        return False
    return request.call.tool != PUSH or not await worktrees.elsewhere(str(request.call.arguments.get("slug", "")))


class Agent:
    """Everything that one cycle lets the model do."""

    def __init__(
        self,
        garden: Garden,
        running: Running,
        context: CycleContext,
        *,
        trust: Trust,
        env: Mapping[str, str],
        end: Callable[[EndedCycle], Awaitable[None]],
    ) -> None:
        self._garden = garden
        self._running = running
        self._context = context
        self._trust = trust
        self._env = env
        self._end = end
        self._ended = False
        self._worktrees = Worktrees(garden, env)
        self._branches: dict[str, str] = {}  # by slug, of work that is to be delivered
        self._directives = Directives(garden)
        self.exposure = Exposure()
        self.asked: list[PermissionRequest] = []
        self.tools = AmbientTools(self._tools(), running.holding.fence)
        self._worktrees.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.gate = GatedToolbox(
            self.tools,
            garden=garden,
            cycle=running.cycle.id,
            read=self._read,
            directory=self._worktrees.folder,
            env=env,
            exposure=self.exposure,
            asked=self.asked.append,
            review=self._review,
        )

    @property
    def proactive(self) -> bool:
        """Whether work on code is open to this cycle."""
        return self._trust.earned and any(project.proactive for project in self._context.projects.allowed)

    async def carry_out_approved(self) -> list[str]:
        """What the user approved since it was asked, in words. Work of another machine waits for that one."""
        told = []
        self._branches |= {work.slug: work.branch for work in await self._worktrees.list()}
        for request in await Permissions(self._garden).list(statuses=(RequestStatus.APPROVED,)):
            if await waits_here(request, self._worktrees):
                told += [
                    f"request {resumed.request.id[-8:]} ({resumed.request.kind}): {resumed.answer.text}"
                    for resumed in await self.gate.resume_approved(only=request.id)
                ]
        return told

    async def clear_decided(self) -> list[str]:
        """Takes away work on this machine that nothing more will come of: rejected, not answered, or never finished.
        A delivery that was approved and failed is asked about again."""
        told, cycle = [], self._running.cycle.id
        asked = [r for r in await Permissions(self._garden).list() if r.call is not None and r.call.tool == PUSH]
        for work in await self._worktrees.list():
            if await self._worktrees.elsewhere(work.slug):
                continue
            about = {"slug": work.slug, "commit": work.commit}
            requests = [r for r in asked if r.call is not None and about.items() <= r.call.arguments.items()]
            last = max(requests, key=lambda r: (r.created_at, r.id), default=None)
            if last is None and work.cycle != cycle:
                await self._worktrees.drop(work.slug, "its cycle ended before it was finished")
                told.append(f"work {work.slug} was never finished; its branch and worktree are gone")
            elif last is not None and last.status in _CLOSED:
                rejected = last.status is RequestStatus.DENIED
                await self._worktrees.drop(work.slug, f"{last.status.value} by the user", rejected=rejected)
                told.append(f"work {work.slug} was {last.status.value}; its branch and worktree are gone")
            elif last is not None and last.status is RequestStatus.FAILED:
                self.asked.append(await self.gate.permissions.ask_again(last, f"it failed ({last.outcome})", None))
                told.append(f"work {work.slug} could not be delivered; you are asked again")
        return told

    # -- the conversation --------------------------------------------------------------------------------------------
    async def converse(self, converser: Converser, purse: Purse, context: CycleContext) -> AgentOutcome:
        """Talks with the model to the end of the cycle; `context` is how things are by now. Raises Halted."""
        self._context = context
        running, settings = self._running, self._garden.settings.ambient
        await running.save(lambda cycle: cycle.planned([CycleStep(name=cycle_plan.AGENT)]).begun(cycle_plan.AGENT))
        tasks = await self._take_tasks()
        told = await self._take_directives()
        opportunities = (
            await scout(
                self._garden,
                self._context,
                [project for project in self._context.projects.allowed if project.proactive],
                {(Path(w.root).name, w.kind) for w in await self._worktrees.list(all=True) if w.rejected},
            )
            if self.proactive
            else ()
        )
        brief = Brief(
            context=self._context,
            cycle=running.cycle,
            trust=self._trust,
            purse=purse,
            tasks=tuple(tasks),
            directives=told,
            decisions=await self._decisions(),
            proactive=self.proactive,
            opportunities=opportunities,
        )
        self._expose(tasks, opportunities)
        limits = ConversationLimits(
            tokens=purse.tokens, steps=settings.cycle_steps, seconds=settings.cycle_minutes * 60.0
        )
        talked = await talk(
            converser,
            running,
            self,
            system=write_prompt(brief),
            limits=limits,
            is_ended=lambda: self._ended,
            news=self._news,
            window=settings.context_tokens,
        )
        await self.tell_of_requests()
        return await self._outcome(talked, told)

    def _expose(self, tasks: Sequence[ScheduledTask], opportunities: Sequence[Opportunity]) -> None:
        """Whose text the prompt brings in."""
        self.exposure.begin()
        for task in tasks:
            self.exposure.take_text(f"{task.task} {task.background}")
            self.exposure.take(Taint.OUTSIDE if task.tainted else Taint.NONE)
        for opportunity in opportunities:
            self.exposure.take(Taint.PROJECT)
            self.exposure.take_text(f"{opportunity.what} {opportunity.evidence}")
        for line in (*sessions_words(self._context.sessions), *(gap.snippet for gap in self._context.gaps)):
            self.exposure.take_text(line)

    async def _outcome(self, talked: Talked, told: tuple[str, ...]) -> AgentOutcome:
        outcome = AgentOutcome(
            status=CyclePhase.COMPLETE, utterances=talked.utterances, directives=told, limited=talked.limited
        )
        if talked.ended:
            return outcome
        outcome.status = CyclePhase.INCOMPLETE
        if self.tools.looped:
            outcome.warning = "it called the same tool again and again"
        elif talked.ending is ConversationEnding.FAILED:
            outcome.warning = f"the model could not be reached: {talked.detail}"[:400]
        else:
            outcome.warning = _ENDINGS.get(talked.ending, "the model stopped twice without ending the cycle")
        line = outcome.warning
        await self._running.save(lambda cycle: cycle.failed(cycle_plan.AGENT, line))
        return outcome

    async def _take_tasks(self) -> list[ScheduledTask]:
        cycle = self._running.cycle.id
        mine = [t for t in await self._garden.schedule.list(scope="all") if t.taken_by == cycle]
        for task in self._context.due:
            if cycle_plan.operations_of(task) is None and (
                taken := await self._garden.schedule.take(task.id, by=cycle)
            ):
                mine.append(taken)
        return mine

    async def _take_directives(self) -> tuple[str, ...]:
        cycle = self._running.cycle.id
        await self._directives.take(cycle)
        return tuple(each.text for each in await self._directives.list() if each.taken_by == cycle)

    async def _decisions(self) -> tuple[str, ...]:
        """What the user decided since the last cycle."""
        since = self._context.since
        return tuple(
            f"the user {'approved' if r.approved else 'rejected'}: {r.kind}"
            + (f" ({r.answer.reason})" if r.answer.reason else "")
            for r in await Permissions(self._garden).list()
            if r.answer is not None and r.answer.at >= since
        )

    async def _news(self) -> str:
        """What the user said or approved meanwhile: a soft interrupt."""
        told = [f"The user says: {each.text}" for each in await self._directives.take(self._running.cycle.id)]
        await self.tell_of_requests()
        return "\n".join([*told, *await self.carry_out_approved()])

    # -- the toolbox that the model sees -----------------------------------------------------------------------------
    @property
    def specs(self) -> Sequence[ToolSpec]:
        return self.gate.specs

    async def call(self, call: ToolCall) -> ToolAnswer:
        """Through the gate; nobody is asked about a push that could not be made."""
        if call.name == PUSH and not call.malformed:
            kept = await self._worktrees.shelf.get(str(call.arguments.get("slug", "")))
            commit = call.arguments.get("commit")
            if kept is None or kept.value.status is not WorkStatus.ASKED or kept.value.commit != commit:
                return ToolAnswer(
                    text="Not asked: finish the work first, and name the commit it told you.", failed=True
                )
            self._branches[kept.key] = kept.value.branch
        return await self.gate.call(call)

    # -- tools -------------------------------------------------------------------------------------------------------
    def _tools(self) -> list[AmbientTool]:
        garden, running, projects = self._garden, self._running, self._context.projects
        tools = [
            *cycle_tools(garden, running, self._end_cycle),
            *memory_tools(garden, running, projects),
            *code_tools(projects),
            self._message_tool(),
            push_tool(self._worktrees, projects, self._env),
        ]
        return [*tools, *work_tools(self._worktrees, projects, running)] if self.proactive else tools

    async def _end_cycle(self, ended: EndedCycle) -> None:
        await self._end(ended)
        self._ended = True

    def _message_tool(self) -> AmbientTool:
        notifier, cycle = Notifier(self._garden, env=self._env), self._running.cycle.id

        async def send(given: Mapping[str, Any]) -> str:
            event = SafetyEvent(name=EventName.MESSAGE, detail=given["message"][:2000], subject_id=cycle)
            sent = await notifier.send(event)
            if not sent:
                return "the user has set up no channel; put it into the summary instead"
            return "\n".join(f"{each.channel}: will be sent" for each in sent)

        return AmbientTool(
            spec=spec(
                "send_message",
                "Send the user a short message by the channels they set up.",
                required=("message",),
                message=text("one to three sentences"),
            ),
            answer=send,
        )

    async def tell_of_requests(self) -> None:
        """New questions go to the user's channels."""
        while self.asked:
            await Notifier(self._garden, env=self._env).send_request(self.asked.pop(0))

    async def _review(self, call: ToolCall, review: Review) -> Review:
        """With a push the user sees what it is about: description, tests, diff."""
        kept = await self._worktrees.shelf.get(str(call.arguments.get("slug", ""))) if call.name == PUSH else None
        if kept is None:
            return review
        work = kept.value
        tests = f"tests before: {work.before.words}; after: {work.after.words}"
        return replace(
            review,
            summary=work.title,
            why=work.description,
            notes=f"branch {work.branch}, {work.lines} lines in {work.files} files; {tests}",
            diff=work.diff,
        )

    def _read(self, call: ToolCall) -> CommandReading:
        """What a call would do, for the gate. Tools that only look are bound to the projects by themselves."""
        given = call.arguments
        folder = self._worktrees.folder / str(given.get("slug", ""))
        match call.name:
            case "worktree_write":
                path = str(Path(folder, str(given.get("file", ""))))
                return CommandReading(edits=(Edit(path=path, added=str(given.get("content", ""))),))
            case "worktree_open" | "worktree_finish" | "worktree_test":
                return CommandReading(edits=(Edit(path=str(folder)),))
            case "worktree_read":
                self.exposure.take(Taint.PROJECT)
                return CommandReading(reads=(str(Path(folder, str(given.get("file", "")))),))
            case "read_file" | "search_code" | "list_files" | "git_history":
                self.exposure.take(Taint.PROJECT)
                return CommandReading()
            case _ if call.name == PUSH:
                branch = self._branches.get(folder.name, folder.name)
                command = f"git push {given.get('remote')} {given.get('commit')}:refs/heads/{branch}"
                return read_action("bash", {"command": command}, cwd=str(folder), home=str(Path.home()))
            case _:
                return CommandReading()
