"""How `claude -p` is asked for one answer, and what its events say. Pure. Formats as written by 2.1.325."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.ports import Clock
from nightgarden.minds.backend import ANSWER_TOKENS_MAX, CallFailed, Completion, Usage, said, system_text
from nightgarden.minds.limits import Limits, merge, read_claude_event
from nightgarden.minds.program import EndedProgram, json_lines, not_started
from nightgarden.minds.program_talk import ProgramPlace, Sounds, tools_prefix
from nightgarden.minds.speaker import STEP_TOKENS_MAX
from nightgarden.minds.tool_server import NAME
from nightgarden.minds.wire_formats import read_cost, read_usage

PROVIDER = "claude"
DEFAULT_MODEL = "haiku"  # the program's own name for its newest small one
STRONGEST_MODEL = "opus"  # and for its newest large one
_APART = (  # nothing of the user's own surroundings, and no tool of its own: no servers, hooks, skills, settings
    *("--tools", "", "--restricted", "--strict-mcp-config", "--disable-slash-commands"),
    *("--permission-prompts", "none", "--setting-sources", "", "--settings", '{"disableAllHooks": true}'),
    "--no-session-persistence",
)
_OUTCOMES = {
    401: CallOutcome.NOT_ALLOWED,
    403: CallOutcome.NOT_ALLOWED,
    404: CallOutcome.UNKNOWN_MODEL,
    429: CallOutcome.RATE_LIMITED,
    400: CallOutcome.REFUSED,
}


class Claude:
    """The dialect of Claude Code."""

    provider = PROVIDER
    reports_cost = True
    files: Mapping[str, str] = {}
    env: Mapping[str, str] = {
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(ANSWER_TOKENS_MAX),
        "CLAUDE_CODE_MAX_RETRIES": "0",  # whether to ask again is decided here, where it is counted
        "MAX_THINKING_TOKENS": "0",
    }

    def words(self, program: str, model: str, folder: Path, schema: Mapping[str, object]) -> list[str]:
        return [
            *(program, "-p", "--output-format", "stream-json", "--verbose"),
            *_APART,
            *("--model", model or DEFAULT_MODEL, "--system-prompt", system_text(schema)),
        ]

    def prompt(self, prompt: str, schema: Mapping[str, object]) -> str:
        return prompt

    def read(self, ended: EndedProgram, clock: Clock) -> Completion:
        result: Mapping[str, Any] | None = None
        limits = Limits()
        for event in json_lines(ended.output):
            if event.get("type") == "rate_limit_event" and isinstance(event.get("rate_limit_info"), dict):
                limits = merge(limits, read_claude_event(event["rate_limit_info"], clock.now()))
            elif event.get("type") == "result":
                result = event
        if result is None:
            raise not_started(PROVIDER, ended)
        usage = _usage(result)
        text = result.get("result")
        if result.get("is_error") or not isinstance(text, str):
            raise _failed(result, limits, usage)
        return Completion(text=text, usage=usage, limits=limits)


class ClaudeTalk(Claude):
    """How Claude Code has a conversation with our tools, and none of its own."""

    strongest = STRONGEST_MODEL
    talk_env: Mapping[str, str] = {
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(STEP_TOKENS_MAX),
        "CLAUDE_CODE_MAX_RETRIES": "2",
        "MCP_TOOL_TIMEOUT": "600000",  # milliseconds; a tool has as long as the conversation
    }

    def talk_files(self, place: ProgramPlace) -> Mapping[str, str]:
        server = {"type": "http", "url": place.url, "headers": {"Authorization": f"Bearer {place.token}"}}
        return {
            "mcp.json": json.dumps({"mcpServers": {NAME: server | {"alwaysLoad": True}}}),
            "system.md": place.system,
        }

    def talk_words(self, program: str, model: str, place: ProgramPlace) -> list[str]:
        return [
            *(program, "-p", "--output-format", "stream-json", "--verbose", *_APART),
            *("--mcp-config", str(place.folder / "mcp.json"), "--allowedTools", tools_prefix()),
            *("--model", model or STRONGEST_MODEL, "--system-prompt-file", str(place.folder / "system.md")),
        ]

    def hear(self, event: Mapping[str, Any], sounds: Sounds) -> None:
        match event:
            case {"type": "assistant", "message": {"id": str(answer), "content": list(blocks), **told}}:
                for block in blocks:
                    match block:
                        case {"type": "text", "text": str(words)}:
                            sounds.said(words)
                        case {"type": "tool_use"}:
                            sounds.calls += 1
                figures = told.get("usage")
                if isinstance(figures, dict) and (tokens := read_usage(figures).tokens) is not None:
                    sounds.counted[answer] = max(tokens, sounds.counted.get(answer, 0))


def _usage(result: Mapping[str, Any]) -> Usage:
    told = result.get("usage")
    read = read_usage(told) if isinstance(told, dict) else Usage()
    return Usage(
        tokens_in=read.tokens_in,
        tokens_out=read.tokens_out,
        tokens_cached=read.tokens_cached,
        cost_usd=read_cost(result.get("total_cost_usd")),
    )


def _failed(result: Mapping[str, Any], limits: Limits, usage: Usage) -> CallFailed:
    words = str(result.get("result") or result.get("subtype") or "no reason given")
    status = result.get("api_error_status")
    outcome = _OUTCOMES.get(status) if isinstance(status, int) else None
    if outcome is None and "/login" in words:
        outcome = CallOutcome.NOT_ALLOWED
    hint = " Run `claude` once and log in." if outcome is CallOutcome.NOT_ALLOWED else ""
    hint = " Check mind.model." if outcome is CallOutcome.UNKNOWN_MODEL else hint
    message = f"claude could not answer: {said(words)}.{hint}"
    return CallFailed(message, outcome or CallOutcome.SERVER_ERROR, limits=limits, usage=usage)
