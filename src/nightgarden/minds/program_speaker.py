"""A conversation that a program of the user has: `claude` and `codex` run the loop, and reach our tools by MCP.

The program works in an empty folder of ours, with no tools of its own and nothing of the user's settings; only the
toolbox acts. Its calls are the safe points: there the limits are looked at, and the watcher speaks. When the
conversation is over the program is told so, and ended with all it started if it does not end by itself. It is one call
in the ledger, put down with the most it may take and set right by what it reports.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nightgarden.domain.conversation import (
    Conversation,
    ConversationEnding,
    Interrupted,
    Role,
    ToolAnswer,
    ToolCall,
    Utterance,
)
from nightgarden.domain.mind_call import CallOutcome
from nightgarden.machine import programs
from nightgarden.machine.home import INSIDE, mind_folder
from nightgarden.minds.backend import CHARACTERS_PER_TOKEN, CallFailed, Completion, Usage, sendable
from nightgarden.minds.metered import CapReached, Ledger
from nightgarden.minds.program import OVERHEAD_TOKENS, EndedProgram, ProgramMind, json_lines
from nightgarden.minds.program_talk import TOKEN_VARIABLE, ProgramPlace, Sounds, TalkDialect, opening
from nightgarden.minds.speaker import StepRequest, Talk, tellable, tokens_in_at_most, unknown_tool
from nightgarden.minds.tool_server import Serving, served

GRACE_SECONDS = 30.0  # for a program that was told that the conversation is over
TOKENS_MIN = 4_000  # of a conversation; what a program adds of its own would leave nothing of less
CALLS_AFTER_MAX = 3  # calls of a program that was told that it is over
_STALE_SECONDS = 86_400.0  # longer than any conversation may last
OVER = "This conversation is over. Call nothing more, and answer with the word: done."


@dataclass(slots=True, kw_only=True)
class _Desk:
    """The conversation as its tools see it: answers calls, keeps what was said, and knows when it is over."""

    talk: Talk
    utterances: list[Utterance]
    sounds: Sounds = field(default_factory=Sounds)
    lines: list[str] = field(default_factory=list)
    calls: int = 0
    said_at: list[int] = field(default_factory=list)  # where the calls stand among the utterances
    guessed: int = 0  # tokens, where the program does not tell as it goes
    ending: ConversationEnding | None = None
    calls_after: int = 0
    note: str = ""  # of the watcher, not yet passed on
    broken: BaseException | None = None  # what a tool raised
    told: asyncio.Event = field(default_factory=asyncio.Event)  # that it is over
    gone_on: asyncio.Event = field(default_factory=asyncio.Event)  # although it was told

    @property
    def tokens(self) -> int:
        return sum(self.sounds.counted.values()) or self.guessed

    def hear(self, dialect: TalkDialect, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        for event in json_lines(text):
            self.lines.append(text)
            dialect.hear(event, self.sounds)
        if self.ending is None and sum(self.sounds.counted.values()) > self.talk.limits.tokens:
            self.ending = ConversationEnding.TOKENS
            self.gone_on.set()

    async def answer(self, call: ToolCall) -> ToolAnswer:
        if self.ending is None:
            await self._look()
        if self.ending is not None:
            self.calls_after += 1
            if self.calls_after > CALLS_AFTER_MAX:
                self.gone_on.set()
            self.told.set()
            return ToolAnswer(text=OVER, failed=True)
        self.calls += 1
        self.said_at.append(len(self.utterances))
        self.utterances.append(Utterance(role=Role.ASSISTANT, calls=(call,)))
        wrong = unknown_tool(call, self.talk.toolbox.specs)
        try:
            found = ToolAnswer(text=wrong, failed=True) if wrong else await self.talk.toolbox.call(call)
        except Exception as error:  # noqa: BLE001 - raised again where the conversation was asked for
            self.broken, self.ending = error, ConversationEnding.FAILED
            self.gone_on.set()
            return ToolAnswer(text=OVER, failed=True)
        text = sendable(tellable(found.text))
        self.utterances.append(Utterance(role=Role.TOOL, text=text, answers=call.id, failed=found.failed))
        if found.ends:
            self.ending = ConversationEnding.ENDED
            self.told.set()
            text = f"{text}\n\n{OVER}"
        return ToolAnswer(text=text + self._note(), failed=found.failed)

    async def _look(self) -> None:
        """Whether it goes on: the limits, and the watcher."""
        request = StepRequest(
            system=self.talk.system,
            utterances=tuple(self.utterances),
            specs=tuple(self.talk.toolbox.specs),
            tokens_out_max=0,
        )
        step = tokens_in_at_most(request) + OVERHEAD_TOKENS
        self.guessed += step
        if self.tokens + step > self.talk.limits.tokens:
            self.ending = ConversationEnding.TOKENS
        elif self.calls >= self.talk.limits.steps:
            self.ending = ConversationEnding.STEPS
        elif self.calls and self.talk.watcher is not None:
            self._keep_said()
            try:
                self.note = await self.talk.watcher.step(tuple(self.utterances), self.tokens) or ""
            except Interrupted:
                self.ending = ConversationEnding.INTERRUPTED

    def _note(self) -> str:
        """What the watcher puts in, with the answer: a program takes no message of its own in between."""
        note, self.note = self.note, ""
        if not note:
            return ""
        self.utterances.append(Utterance(role=Role.USER, text=note))
        return f"\n\nA message to you from outside this tool: {note}"

    def _keep_said(self) -> None:
        """Puts what was heard to the calls it belongs to."""
        for number, index in enumerate(self.said_at):
            self.utterances[index] = replace(self.utterances[index], text=self.sounds.before(number))

    def close(self, last_words: str, ending: ConversationEnding) -> None:
        """Keeps what was said after the last call, if it was the model that said it, and not the program's failure."""
        self._keep_said()
        text = self.sounds.after(self.calls) or ("" if self.calls else last_words)
        if text and ending is ConversationEnding.STOPPED:
            self.utterances.append(Utterance(role=Role.ASSISTANT, text=text))
        answered = {each.answers for each in self.utterances}
        for call in [call for each in self.utterances for call in each.calls if call.id not in answered]:
            words = "The conversation was cut off here; whether this was done is not known."
            self.utterances.append(Utterance(role=Role.TOOL, text=words, answers=call.id, failed=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramSpeaker:
    """A speaker that runs a program."""

    mind: ProgramMind
    dialect: TalkDialect
    model: str

    @property
    def provider(self) -> str:
        return self.dialect.provider

    @property
    def name(self) -> str:
        return f"{self.provider} ({self.model or 'its own choice of model'})"

    @property
    def reports_cost(self) -> bool:
        return self.dialect.reports_cost

    def check(self) -> None:
        self.mind.check()

    async def converse(self, ledger: Ledger, talk: Talk) -> Conversation:
        room = await ledger.room(self)
        tokens = talk.limits.tokens if room is None else min(talk.limits.tokens, room)
        talk = replace(talk, limits=replace(talk.limits, tokens=tokens))
        desk = _Desk(talk=talk, utterances=list(talk.utterances))
        size = len(talk.system) + sum(len(each.text) for each in talk.utterances)
        if tokens < TOKENS_MIN + size // CHARACTERS_PER_TOKEN:
            detail = "" if room is None or room > tokens else f"The caps of {ledger.budget} leave no room today."
            return self._conversation(desk, ConversationEnding.TOKENS, Usage(), detail)
        try:
            call = await ledger.open(self, tokens, purpose=talk.purpose, cycle=talk.cycle)
        except CapReached as reached:
            return self._conversation(desk, ConversationEnding.TOKENS, Usage(), str(reached))
        outcome, found, detail = CallOutcome.CANCELLED, Completion(text=""), ""
        try:
            found = await self._run(talk, desk)
            outcome = CallOutcome.ANSWERED if found.text.strip() or desk.calls else CallOutcome.EMPTY
        except TimeoutError:  # of the conversation: what it had to do may have been too much
            desk.ending = desk.ending or ConversationEnding.SECONDS
        except CallFailed as failed:
            outcome, detail = failed.outcome, str(failed)
            found = Completion(text="", usage=failed.usage, limits=failed.limits)
        finally:
            usage = found.usage if found.usage.tokens is not None else _counted(desk)
            await ledger.close(call, outcome, usage, found.limits, detail)
        if desk.broken is not None:
            raise desk.broken
        ending = desk.ending or (ConversationEnding.FAILED if detail else ConversationEnding.STOPPED)
        desk.close(found.text, ending)
        return self._conversation(desk, ending, usage, detail)

    def _conversation(self, desk: _Desk, ending: ConversationEnding, usage: Usage, detail: str) -> Conversation:
        said_last = bool(desk.utterances) and desk.utterances[-1].role is Role.ASSISTANT
        return Conversation(
            ending=ending,
            utterances=tuple(desk.utterances),
            provider=self.provider,
            model=self.model,
            tokens=usage.tokens if usage.tokens is not None else desk.tokens,
            cost_usd=usage.cost_usd,
            steps=desk.calls + said_last,
            detail=detail if ending in (ConversationEnding.FAILED, ConversationEnding.TOKENS) else "",
        )

    async def _run(self, talk: Talk, desk: _Desk) -> Completion:
        """Runs the program until it ends, or is ended. Raises CallFailed and TimeoutError."""
        async with served(talk.toolbox.specs, desk.answer) as serving, self._place(talk, serving) as place:
            run = asyncio.ensure_future(self._follow(talk, desk, place))
            try:
                async with asyncio.timeout(talk.limits.seconds):
                    await _finished(run, desk)
                if not run.done():
                    return Completion(text="", usage=_counted(desk))
                status, errors = run.result()
            except TimeoutError:
                raise
            except OSError as error:
                words = f"{self.mind.program} cannot be run ({error.strerror or type(error).__name__})."
                raise CallFailed(words, CallOutcome.UNREACHABLE) from None
            finally:
                run.cancel()
                await asyncio.gather(run, return_exceptions=True)
        ended = EndedProgram(status=status, output="".join(desk.lines), errors=errors.decode("utf-8", "replace"))
        return self.dialect.read(ended, self.mind.clock)

    async def _follow(self, talk: Talk, desk: _Desk, place: ProgramPlace) -> tuple[int, bytes]:
        env = self.mind.environment() | dict(self.dialect.talk_env)
        env |= {INSIDE: "1", TOKEN_VARIABLE: place.token, "NO_PROXY": f"{env.get('NO_PROXY', '')},127.0.0.1".strip(",")}
        return await programs.follow_group(
            self.dialect.talk_words(self.mind.program, self.model, place),
            cwd=place.folder / "work",
            env=env,
            given=sendable(opening(talk.utterances)).encode("utf-8"),
            hear=lambda line: desk.hear(self.dialect, line),
        )

    @asynccontextmanager
    async def _place(self, talk: Talk, serving: Serving) -> AsyncIterator[ProgramPlace]:
        """A private folder for the conversation, gone after it; where it lies marks its session as ours."""
        parent = Path(mind_folder(self.mind.env))
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        await asyncio.to_thread(_sweep, parent, self.mind.clock.now().timestamp())
        folder = Path(tempfile.mkdtemp(prefix="talk-", dir=parent))
        place = ProgramPlace(folder=folder, url=serving.url, token=serving.token, system=sendable(talk.system))
        try:
            (folder / "work").mkdir(mode=0o700)
            for name, text in self.dialect.talk_files(place).items():
                (folder / name).touch(mode=0o600)
                (folder / name).write_text(text, encoding="utf-8")
            yield place
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _sweep(parent: Path, now: float) -> None:
    """Folders of conversations whose process was killed: nobody else removes them, and their tokens open nothing."""
    for folder in parent.glob("talk-*"):
        with suppress(OSError):
            if now - folder.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


async def _finished(run: asyncio.Future[tuple[int, bytes]], desk: _Desk) -> None:
    """Waits until the program ends; no longer than a while after it was told that it is over."""
    told, gone_on = (asyncio.ensure_future(event.wait()) for event in (desk.told, desk.gone_on))
    first: set[asyncio.Future[Any]] = {run, told, gone_on}
    then: set[asyncio.Future[Any]] = {run, gone_on}
    try:
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        if not run.done() and not gone_on.done():
            await asyncio.wait(then, timeout=GRACE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    finally:
        told.cancel()
        gone_on.cancel()


def _counted(desk: _Desk) -> Usage:
    """What the program told while it went on; nothing where it does not."""
    counted = sum(desk.sounds.counted.values())
    return Usage(tokens_in=counted, tokens_out=0) if counted else Usage()
