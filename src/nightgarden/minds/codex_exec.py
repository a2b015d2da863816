"""How `codex exec` is asked for one answer, and what its events say. Pure. Formats as written by 0.166.0.

The user's config.toml is left out, for the servers, hooks and programs it names would be started at every question;
the login counts all the same. What a gateway needs is given by the setting mind.codex_config.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.ports import Clock
from nightgarden.minds.backend import CallFailed, Completion, Usage, said, system_text
from nightgarden.minds.limits import Limits, read_moment
from nightgarden.minds.program import EndedProgram, json_lines, not_started
from nightgarden.minds.program_talk import TOKEN_VARIABLE, ProgramPlace, Sounds
from nightgarden.minds.tool_server import NAME

PROVIDER = "codex"
_INSTRUCTIONS = "codex-instructions.md"
# Everything that would offer the model a tool, or start another program.
_FEATURES = (
    *("shell_tool", "unified_exec", "multi_agent", "hooks", "plugins", "apps", "view_image", "image_generation"),
    *("goals", "sleep_tool", "tool_suggest", "memories"),
)
_CONFIG = (
    'web_search="disabled"',
    "tools.experimental_request_user_input.enabled=false",
    "skills.bundled.enabled=false",
    "skills.include_instructions=false",
    "project_doc_max_bytes=0",
    "include_environment_context=false",
    "include_permissions_instructions=false",
)
_QUICK = 'model_reasoning_effort="low"'
_STATUS = re.compile(r"\bstatus:? (\d{3})\b")
_TRY_AGAIN = re.compile(r"try again (?:in|at) ([^.]{1,60})", re.IGNORECASE)
_WORDS_FOR_SPANS = ((" days", "d"), (" day", "d"), (" hours", "h"), (" hour", "h"), (" minutes", "m"), (" minute", "m"))
_OUTCOMES = {
    401: CallOutcome.NOT_ALLOWED,
    403: CallOutcome.NOT_ALLOWED,
    404: CallOutcome.UNKNOWN_MODEL,
    429: CallOutcome.RATE_LIMITED,
    400: CallOutcome.REFUSED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CodexMind:
    """The dialect of Codex."""

    config: tuple[str, ...] = ()  # what the user adds, as `key=value`

    @property
    def provider(self) -> str:
        return PROVIDER

    @property
    def reports_cost(self) -> bool:
        return False

    @property
    def files(self) -> Mapping[str, str]:
        return {_INSTRUCTIONS: "You answer questions about text with JSON. You have no tools.\n"}

    @property
    def env(self) -> Mapping[str, str]:
        return {}

    def words(self, program: str, model: str, folder: Path, schema: Mapping[str, object]) -> list[str]:
        return self._words(program, model, folder / _INSTRUCTIONS, _QUICK)

    def _words(self, program: str, model: str, instructions: Path, *more: str) -> list[str]:
        config = (*_CONFIG, f"model_instructions_file={json.dumps(str(instructions))}", *more, *self.config)
        return [
            *(program, "exec", "--json", "--skip-git-repo-check", "--ephemeral", "--sandbox", "read-only"),
            *("--ignore-user-config", "--ignore-rules"),
            *(word for feature in _FEATURES for word in ("--disable", feature)),
            *(word for each in config for word in ("-c", each)),
            *(("--model", model) if model else ()),
            "-",
        ]

    def prompt(self, prompt: str, schema: Mapping[str, object]) -> str:
        return f"{prompt}\n\n{system_text(schema)}"

    def read(self, ended: EndedProgram, clock: Clock) -> Completion:
        text, usage, failure = "", None, ""
        for event in json_lines(ended.output):
            match event:
                case {"type": "item.completed", "item": {"type": "agent_message", "text": str(words)}}:
                    text = words
                case {"type": "turn.completed", "usage": dict(told)}:
                    usage = _usage(told)
                case {"type": "turn.failed", "error": {"message": str(words)}} | {
                    "type": "error",
                    "message": str(words),
                }:
                    failure = words
        if usage is not None:
            return Completion(text=text, usage=usage)
        if failure:
            raise _failed(failure, clock)
        raise not_started(PROVIDER, ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodexTalk(CodexMind):
    """How Codex has a conversation with our tools, and none of its own. It says what it took at the end only."""

    @property
    def strongest(self) -> str:
        return ""  # what it takes by itself

    @property
    def talk_env(self) -> Mapping[str, str]:
        return {}

    def talk_files(self, place: ProgramPlace) -> Mapping[str, str]:
        return {_INSTRUCTIONS: place.system}

    def talk_words(self, program: str, model: str, place: ProgramPlace) -> list[str]:
        server = f"mcp_servers.{NAME}"
        return self._words(
            program,
            model,
            place.folder / _INSTRUCTIONS,
            f"{server}.url={json.dumps(place.url)}",
            f"{server}.bearer_token_env_var={json.dumps(TOKEN_VARIABLE)}",
            f'{server}.default_tools_approval_mode="approve"',  # whether a call is allowed, the toolbox decides
            f"{server}.required=true",
            f"{server}.tool_timeout_sec=600",
        )

    def hear(self, event: Mapping[str, Any], sounds: Sounds) -> None:
        match event:
            case {"type": "item.completed", "item": {"type": "agent_message", "text": str(words)}}:
                sounds.said(words)
            case {"type": "item.started", "item": {"type": "mcp_tool_call", "server": server}} if server == NAME:
                sounds.calls += 1


def _usage(told: Mapping[str, Any]) -> Usage:
    counts = {name: value for name, value in told.items() if type(value) is int and value >= 0}
    return Usage(
        tokens_in=counts.get("input_tokens"),
        tokens_out=counts.get("output_tokens"),
        tokens_cached=counts.get("cached_input_tokens"),
    )


def _failed(words: str, clock: Clock) -> CallFailed:
    found = _STATUS.search(words)
    outcome = _OUTCOMES.get(int(found[1]), CallOutcome.SERVER_ERROR) if found else CallOutcome.SERVER_ERROR
    limits = Limits()
    if "usage limit" in words.lower() or "rate limit" in words.lower():
        outcome = CallOutcome.RATE_LIMITED
    if outcome is CallOutcome.RATE_LIMITED and (again := _TRY_AGAIN.search(words)):
        span = again[1]
        for word, unit in _WORDS_FOR_SPANS:
            span = span.replace(word, unit)
        limits = Limits(retry_at=read_moment(span.strip(), clock.now()))
    hint = " Run `codex login`." if outcome is CallOutcome.NOT_ALLOWED else ""
    hint = " Check mind.model." if outcome is CallOutcome.UNKNOWN_MODEL else hint
    return CallFailed(f"codex could not answer: {said(words)}.{hint}", outcome, limits=limits)
