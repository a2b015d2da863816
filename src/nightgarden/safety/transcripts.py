"""The transcript of one cycle: what was planned, done, asked and spent, and how it ended; its summary for people.

Values and pure functions. Texts are redacted when a transcript is made; nothing unredacted is ever part of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from nightgarden.domain.conversation import Utterance
from nightgarden.domain.gate import scrubbed
from nightgarden.safety.action_log import ActionEntry, ActionStatus, ActionTier

CONVERSATION_CHARS_MAX = 400_000
_DONE_SHOWN = 12


class CycleStatus(StrEnum):
    """How a cycle ended."""

    RUNNING = "running"
    COMPLETE = "complete"  # the agent ended it
    INTERRUPTED = "interrupted"  # the program ended, or the user came back
    INCOMPLETE = "incomplete"  # the model stopped without ending it


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """Something the agent planned."""

    text: str
    done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What a cycle took, and what is left for the next ones."""

    provider: str = ""
    model: str = ""
    tokens: int = 0
    cost_usd: float | None = None
    tokens_left: int | None = None
    steps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One cycle, whole."""

    id: str  # of the cycle
    started_at: datetime
    ended_at: datetime | None = None
    status: CycleStatus = CycleStatus.RUNNING
    summary: str = ""
    todos: tuple[Todo, ...] = ()
    actions: tuple[ActionEntry, ...] = ()
    spending: Spending = Spending()
    memories_changed: int = 0
    compactions: int = 0
    pending: tuple[str, ...] = ()  # ids of requests that wait
    directives: tuple[str, ...] = ()
    proactive_work: str = ""
    next_wake: datetime | None = None
    next_context: str = ""
    conversation: str = ""
    problems: tuple[str, ...] = ()


def redacted(transcript: Transcript) -> Transcript:
    """As it may be stored and sent."""
    return replace(
        transcript,
        summary=scrubbed(transcript.summary),
        todos=tuple(replace(todo, text=scrubbed(todo.text)) for todo in transcript.todos),
        proactive_work=scrubbed(transcript.proactive_work),
        next_context=scrubbed(transcript.next_context),
        conversation=scrubbed(transcript.conversation)[:CONVERSATION_CHARS_MAX],
        problems=tuple(scrubbed(problem) for problem in transcript.problems),
    )


def render_conversation(utterances: Sequence[Utterance]) -> str:
    """The conversation as Markdown: who said what, which tools were called with what, what they answered."""
    parts = []
    for said in utterances:
        head = f"## {said.role.value}{' (failed)' if said.failed else ''}"
        calls = "\n".join(f"- calls `{call.name}` with `{dict(call.arguments)}`" for call in said.calls)
        parts.append("\n\n".join(part for part in (head, said.text.strip(), calls) if part))
    return scrubbed("\n\n".join(parts))[:CONVERSATION_CHARS_MAX]


def summarise(transcript: Transcript) -> str:
    """The four blocks that a person reads: done, needs review, next cycle, budget left."""
    return "\n\n".join(
        f"{title}\n{body}"
        for title, body in (
            ("Done", _done(transcript)),
            ("Needs review", _review(transcript)),
            ("Next cycle", _next(transcript)),
            ("Budget left", _budget(transcript)),
        )
    )


def counts_of(transcript: Transcript) -> dict[str, int]:
    """Numbers only, for channels that anybody may read."""
    return {
        "actions": len(transcript.actions),
        "memories_changed": transcript.memories_changed,
        "requests_waiting": len(transcript.pending),
        "actions_denied": sum(entry.tier is ActionTier.DENY for entry in transcript.actions),
    }


def daily_line(transcript: Transcript) -> str:
    """One cycle in the log of its day."""
    counted = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts_of(transcript).items())
    end = transcript.ended_at or transcript.started_at
    first = transcript.summary.split("\n", 1)[0][:200] or "no summary"
    return f"{transcript.started_at:%H:%M}–{end:%H:%M} UTC  {transcript.status.value}  {counted}  {first}"


def _done(transcript: Transcript) -> str:
    lines = [transcript.summary or f"The cycle is {transcript.status.value}; the agent left no summary."]
    lines += [f"  {transcript.memories_changed} memories changed"] if transcript.memories_changed else []
    lines += [f"  work: {transcript.proactive_work}"] if transcript.proactive_work else []
    made = [e for e in transcript.actions if e.status is ActionStatus.DONE and "reads" not in e.rules]
    lines += [f"  {entry.description}" for entry in made[:_DONE_SHOWN]]
    lines += [f"  and {len(made) - _DONE_SHOWN} more"] if len(made) > _DONE_SHOWN else []
    lines += [f"  not done: {todo.text}" for todo in transcript.todos if not todo.done]
    return "\n".join(lines)


def _review(transcript: Transcript) -> str:
    asked = [e for e in transcript.actions if e.status is ActionStatus.ASKED]
    denied = [e for e in transcript.actions if e.status is ActionStatus.DENIED]
    lines = [f"  {e.description} [{', '.join(e.rules)}] request {e.request_id[-8:]}" for e in asked]
    lines += [f"  denied: {e.description} [{', '.join(e.rules)}]" for e in denied]
    lines += [f"  {problem}" for problem in transcript.problems]
    if transcript.pending:
        lines.append(f"  {len(transcript.pending)} waiting: nightgarden permissions list")
    return "\n".join(lines) or "  nothing"


def _next(transcript: Transcript) -> str:
    if transcript.next_wake is None:
        return "  not scheduled"
    about = f": {transcript.next_context}" if transcript.next_context else ""
    return f"  {transcript.next_wake:%Y-%m-%d %H:%M} UTC{about}"


def _budget(transcript: Transcript) -> str:
    spent = transcript.spending
    used = f"{spent.tokens:,} tokens used" + (f", {spent.cost_usd:.2f} $" if spent.cost_usd is not None else "")
    left = "not known" if spent.tokens_left is None else f"{spent.tokens_left:,} tokens"
    return f"  {left} ({used})"
