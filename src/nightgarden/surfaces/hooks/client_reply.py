"""What a client is told after an event, and how each client wants to hear it. Pure.

As seen with Claude Code 2.1.325 and Codex 0.166.0: `additionalContext` and a deny reason reach the model. Before a
compaction Claude Code takes plain words as instructions, and would show JSON to the model as it stands; Codex takes
nothing. Our OpenCode plugin takes the parts as they are.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

# Claude Code puts longer context into a file that the model may never open.
CONTEXT_CHARS_MAX = 9_500
_SHOWS_NOTES = ("claude-code", "codex")  # take a `systemMessage`; seen to be shown by the first only


@dataclass(frozen=True, slots=True, kw_only=True)
class HookReply:
    """Silence is the normal one."""

    context: str = ""  # for the model
    deny: str = ""  # why a tool must not run, for the model
    instructions: str = ""  # for the model that writes a compaction's summary
    line: str = ""  # for a person, in the status line
    note: str = ""  # for a person, beside what the agent is told; not for the model


SILENCE = HookReply()


def write_reply(client: str, event_name: str, reply: HookReply) -> str:
    """What the hook prints; empty when there is nothing to say."""
    if client == "opencode":
        parts = {
            "context": reply.context,
            "deny": reply.deny,
            "instructions": reply.instructions,
        }
        there = {name: words for name, words in parts.items() if words}
        return json.dumps(there, ensure_ascii=False) if there else ""
    if event_name == "StatusLine":
        return reply.line
    if event_name == "PreCompact":
        return reply.instructions if client == "claude-code" else ""
    inner: dict[str, str] = {"hookEventName": event_name}
    if reply.deny:
        inner |= {"permissionDecision": "deny", "permissionDecisionReason": reply.deny}
    elif reply.context:
        inner["additionalContext"] = reply.context
    said: dict[str, object] = {"hookSpecificOutput": inner} if len(inner) > 1 else {}
    if reply.note and client in _SHOWS_NOTES:
        said["systemMessage"] = reply.note
    return json.dumps(said, ensure_ascii=False) if said else ""
