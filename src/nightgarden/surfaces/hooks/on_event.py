"""What the daemon does at each event of a client, on an open garden. The answer comes at once; reading and extracting
sessions happens after it.

Nothing here may hold up a client: whoever calls it sets a deadline. Transcripts are read only of clients whose
sessions the user allowed.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from nightgarden.ambient.lease import ambient_word
from nightgarden.domain.memory import Memory
from nightgarden.domain.taint import fence, instruction_like, strip_injected
from nightgarden.domain.taking_back import speaks_of_forgetting
from nightgarden.domain.verdict import Saved, Superseded
from nightgarden.garden import Garden
from nightgarden.learn.flush import BOUNDARIES_MAX, REQUEST
from nightgarden.recall.inject import HEAD, Injection, inject
from nightgarden.recall.line import Heading, memory_line
from nightgarden.recall.options import Request
from nightgarden.safety.command_reading import UNKNOWN
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.read_action import read_action
from nightgarden.scope import branch_at
from nightgarden.sessions.harvest import SessionCue
from nightgarden.sessions.hooked import FORGETTING_TURNS, OUTSIDE_TURNS, HookedSession, Said, TurnState
from nightgarden.sessions.turn_class import classify_turn
from nightgarden.surfaces.hooks import notes
from nightgarden.surfaces.hooks.client_reply import CONTEXT_CHARS_MAX, SILENCE, HookReply
from nightgarden.surfaces.hooks.event import HookEvent
from nightgarden.surfaces.hooks.forgetting import forget_as_asked
from nightgarden.surfaces.hooks.guard import Forbidden, SearchFirst, UsersOwn, Warned, decide

_BRIEFED_ANEW = ("opencode",)  # its briefing goes with each request and is not kept in the conversation
_REINJECTED_MAX = 12  # memories; a compaction is meant to make room
_REINJECTED_TOKENS = 900
_ERROR_ITEMS = 2  # a failing tool brings at most so many memories
_REASON_CHARS = 40  # clients say clear, logout, other …
_ERROR_CHARS = 600  # of an error, to search with


async def serve(garden: Garden, event: HookEvent) -> HookReply:
    """The reply to one event. What the session's hooks have told by then is noted in the garden, after the answer."""
    if not event.session_id:
        return SILENCE
    garden = await garden.acting(session_id=event.session_id, agent=event.agent)
    live, id = garden.turns.live, event.session_id
    before = (await live.open_hooked(id)).notes
    try:
        return await _answer(garden, event)
    finally:
        if live.hooked(id).notes != before:
            garden.later("note what hooks told", lambda: live.save(id))


async def _answer(garden: Garden, event: HookEvent) -> HookReply:  # noqa: C901 - one case per event
    match event.name:
        case "SessionStart":
            return await _session_start(garden, event)
        case "UserPromptSubmit":
            return await _prompt(garden, event)
        case "PreToolUse":
            return await _before_tool(garden, event)
        case "PostToolUse":
            failed = event.client == "codex" and event.tool.looks_failed
            _note_tool(garden, event, failed=failed)
            return await _after_failure(garden, event) if failed else SILENCE
        case "PostToolUseFailure":
            _note_tool(garden, event, failed=True)
            return await _after_failure(garden, event)
        case "PreCompact":
            boundaries = _hooked(garden, event).signals.compactions
            _keep(garden, event, _hooked(garden, event).telling(compactions=boundaries + 1))
            garden.later("keep where a session stands", lambda: _checkpoint(garden, event))
            await _read_later(garden, event)
            return HookReply(instructions=REQUEST) if boundaries < BOUNDARIES_MAX else SILENCE
        case "SubagentStart":
            told = await garden.briefing("mission", size="lite")  # tasks that are due are for who talks with the user
            return HookReply(context=told.text)
        case "Stop":
            if event.answer:
                said = Said(role="assistant", text=event.answer)
                _keep(garden, event, _hooked(garden, event).having_said(said))
            await _read_later(garden, event)
            return SILENCE
        case "SessionEnd":
            _keep(garden, event, _hooked(garden, event).telling(end_reason=event.reason[:_REASON_CHARS]))
            await _read_later(garden, event)
            garden.later("forget what held in a session", lambda: _forget_session(garden, event.session_id))
            return SILENCE
        case "StatusLine":
            return HookReply(line=await _status_line(garden, event))
        case "PostCompact":
            await _read_later(garden, event)  # the summary may list what was learned
            return SILENCE  # the start of the session after it brings everything back


def _hooked(garden: Garden, event: HookEvent) -> HookedSession:
    return garden.turns.live.hooked(event.session_id)


def _keep(garden: Garden, event: HookEvent, session: HookedSession) -> None:
    garden.turns.live.keep_hooked(event.session_id, session, at=garden.now())


async def _session_start(garden: Garden, event: HookEvent) -> HookReply:
    """A briefing, which counts as shown. After a compaction also what this session had been shown and had taught us;
    at a resume only what is new since, because what was told is still in the conversation."""
    if event.spooled:
        return SILENCE
    live, files = garden.turns.live, _hooked(garden, event).notes.files
    state = await live.get(event.session_id, now=garden.now())
    resumed = event.source == "resume" and event.client not in _BRIEFED_ANEW
    told = await garden.briefing("session", files=files, known=[item.id for item in state.shown] if resumed else ())
    kept = await _kept_of(garden, event.session_id, without=set(told.ids)) if event.source == "compact" else None
    if event.source in ("compact", "clear"):
        state = replace(state, surfaced=(), shown=(), payload_digest="", payload_at=None, headed=False)
    lines = [*told.lines, *(kept.lines if kept is not None else ())]
    if lines:
        state = state.after_showing([(line.id, line.digest) for line in lines], "", garden.now())
    live.keep(state)
    garden.later("note a briefing", lambda: live.save(event.session_id))
    stood = await garden.learn.core().told_of_checkpoint(event.session_id) if event.source == "compact" else ""
    parts = [told.text, stood, kept.text if kept is not None else ""]
    garden.later("note a digest", garden.learn.digest.mark_told)
    note = _noted(garden, notes.briefed(len(lines)), notes.learned(garden.turns.live.take_learned(garden.place.scope)))
    return HookReply(context="\n".join(part for part in parts if part)[:CONTEXT_CHARS_MAX], note=note)


async def _checkpoint(garden: Garden, event: HookEvent) -> None:
    session = _hooked(garden, event)
    stored = await garden.lookup.session(event.session_id)
    doing = next((said.text for said in reversed(session.recent) if said.role == "user"), "")
    await garden.learn.core().checkpoint(
        event.session_id, doing=doing, files=session.notes.files, messages=stored.messages if stored is not None else ()
    )


async def _forget_session(garden: Garden, session_id: str) -> None:
    await garden.learn.forget_session(session_id)


async def _kept_of(garden: Garden, session_id: str, *, without: set[str]) -> Injection | None:
    learned = await garden.lookup.learned_in(session_id)
    live = await garden.turns.live.find(session_id)
    surfaced = await garden.lookup.memories(list(reversed(live.surfaced)) if live is not None else [])
    wanted = {memory.id: memory for memory in (*learned, *surfaced) if memory.live and memory.id not in without}
    lines = [memory_line(memory) for memory in list(wanted.values())[:_REINJECTED_MAX]]
    return inject(lines, tokens_max=_REINJECTED_TOKENS, head=not without)


async def _prompt(garden: Garden, event: HookEvent) -> HookReply:
    text = strip_injected(event.prompt)
    session = _hooked(garden, event)
    turn = TurnState(
        turn_class=classify_turn(text, attachments=event.attachments),
        prompt=text,
        stopped_before=frozenset(session.signals.stopped),
        just_stopped=session.turn.stopped,
    )
    asked = FORGETTING_TURNS if speaks_of_forgetting(text) else max(0, session.notes.forgetting - 1)
    kept = replace(session.notes, forgetting=asked)
    session = replace(session, turn=turn, notes=kept, outside=max(0, session.outside - 1))
    _keep(garden, event, session)
    if event.spooled:
        return SILENCE
    forgetting = await forget_as_asked(garden, text)
    began = time.monotonic()
    shown = await garden.turn(
        text,
        session_id=event.session_id,
        files=session.notes.files,
        recent=session.recent,
        attachments=event.attachments,
    )
    in_time = (time.monotonic() - began) * 1000 < garden.settings.turn.deadline_ms
    session = _hooked(garden, event)  # another event may have come meanwhile
    session = replace(session, turn=replace(session.turn, looked=in_time))
    if shown is not None:
        recalled = sum(line.group is not Heading.DUE for line in shown.lines)
        session = session.having_shown(recalled)
    _keep(garden, event, session.having_said(Said(role="user", text=text)))
    note = _noted(
        garden,
        notes.forgot(forgetting.done),
        notes.recalled([line for line in shown.lines if line.group is not Heading.DUE] if shown is not None else ()),
        notes.learned(garden.turns.live.take_learned(garden.place.scope)),
    )
    parts = (forgetting.context, shown.text if shown is not None else "")
    return HookReply(context="\n".join(part for part in parts if part), note=note)


def _noted(garden: Garden, *said: str) -> str:
    return notes.together(*said) if garden.settings.turn.notify else ""


async def _before_tool(garden: Garden, event: HookEvent) -> HookReply:
    session = _hooked(garden, event)
    if event.tool.searches_memory:
        _keep(garden, event, replace(session, turn=replace(session.turn, searched=True)))
        return SILENCE
    if event.spooled or not event.tool.guarded:
        return SILENCE
    home = str(Path.home())
    decision = decide(
        read_action(event.tool.name, event.tool.input, cwd=event.directory or UNKNOWN, home=home),
        said=event.tool.action,
        branch=branch_at(Path(event.directory)) if event.directory else "",
        mode=garden.settings.guard.mode,
        turn=session.turn,
        negatives=await garden.lookup.warnings(),
    )
    match decision:
        case Forbidden(memories=memories):
            _keep(garden, event, session.having_stopped(memory.id for memory in memories))
            return HookReply(deny=decision.reason, note=_noted(garden, notes.stopped(memories)))
        case UsersOwn():
            return HookReply(deny=decision.reason)
        case SearchFirst():
            _keep(garden, event, replace(session, turn=replace(session.turn, asked=True)))
            return HookReply(deny=decision.reason)
        case Warned(memories=memories):
            return HookReply(context=_block(memories))
        case None:
            return SILENCE


def _note_tool(garden: Garden, event: HookEvent, *, failed: bool) -> None:
    session = _hooked(garden, event).with_files(event.tool.files)
    session = session.telling(tools=session.signals.tools + 1, failures=session.signals.failures + failed)
    outside = OUTSIDE_TURNS if _brings_outside_text(event) else session.outside
    _keep(garden, event, replace(session, outside=outside, scope=str(garden.place.scope)))


def _brings_outside_text(event: HookEvent) -> bool:
    """Whether what the tool brought was written by others than the user and their project, or gives orders."""
    if event.tool.searches_memory:
        return False
    reading = read_action(event.tool.name, event.tool.input, cwd=event.directory or UNKNOWN, home=str(Path.home()))
    fetched = reading.sends or any(command.sends or command.downloads for command in reading.commands)
    return bool(fetched) or event.tool.name.startswith("mcp__") or bool(instruction_like(event.tool.output))


async def _after_failure(garden: Garden, event: HookEvent) -> HookReply:
    """What memory knows of an error like this one, once a session for each memory."""
    error = strip_injected(event.tool.output).strip()
    if event.spooled or not error:
        return SILENCE
    query, scopes = error[-_ERROR_CHARS:], garden.scopes(None)
    found = await garden.recall_request(
        Request(query=query, limit=_ERROR_ITEMS, kinds=("memory",), scopes=scopes, gated=True)
    )
    memories = [memory for memory in await garden.lookup.memories([r.id for r in found.results]) if memory.live]
    live = garden.turns.live
    state = await live.get(event.session_id, now=garden.now())
    fresh = [line for line in map(memory_line, memories) if line.id not in (*state.surfaced, *state.wrote)]
    shown = inject(fresh, tokens_max=garden.settings.turn.token_budget, head=not state.headed)
    if shown is None:
        return SILENCE
    items = [(line.id, line.digest) for line in shown.lines]
    live.keep(state.after_showing(items, shown.digest, garden.now()))
    garden.later("note what an error brought", lambda: live.save(event.session_id))
    _keep(garden, event, _hooked(garden, event).having_shown(len(shown.lines)))
    return HookReply(context=shown.text, note=_noted(garden, notes.recalled(shown.lines)))


async def _read_later(garden: Garden, event: HookEvent) -> None:
    """Reads what is new of the session, keeps what its hooks told, then looks for memories in it. After the answer."""
    if event.client not in await garden.sessions.allowed():
        return

    async def read() -> None:
        await garden.sessions.scan([event.client], only=event.session_id)
        if await garden.sessions.note_hooks(event.session_id, _hooked(garden, event).signals):
            state = await garden.turns.live.get(event.session_id, now=garden.now())
            cue = SessionCue(ended=event.name == "SessionEnd", topic_changed=0 < state.turns == state.topic_turn)
            harvest = await garden.sessions.extract(event.session_id, cue=cue)
            new = [found.memory for _, found in harvest.verdicts if isinstance(found, Saved | Superseded)]
            garden.turns.live.note_learned(garden.place.scope, new)
            if event.name == "SessionEnd":
                await garden.learn.after_session(event.session_id)

    garden.later("read a session", read)


async def _status_line(garden: Garden, event: HookEvent) -> str:
    told = _hooked(garden, event).signals
    parts = [f"{told.shown} recalled" if told.shown else "nothing recalled yet"]
    if told.stopped:
        parts.append(f"{len(told.stopped)} stopped")
    if due := await garden.schedule.count_due():
        parts.append(f"{due} due")
    if garden.settings.ambient.enabled:
        parts += [word] if (word := await ambient_word(garden)) else []
        asked = len(await Permissions(garden).pending())
        parts += [f"{asked} to approve"] if asked else []
    flagged = await garden.list(flagged=True, limit=10)
    if flagged:
        parts.append(f"{len(flagged)}{'+' if len(flagged) == 10 else ''} to decide")
    return "❀ " + " · ".join(parts)


def _block(memories: tuple[Memory, ...]) -> str:
    return fence("\n".join([HEAD, *(memory_line(memory).text for memory in memories)]), note='kind="data"')
