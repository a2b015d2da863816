"""What a client asked and what the script answers, free of any wire format."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """The model wants a tool run."""

    name: str
    arguments: Mapping[str, Any]
    raw: str = ""  # Chat Completions and Responses only: sent in place of the arguments, as it is
    id: str = ""
    namespace: str = ""  # Responses only: Codex offers some tools in groups


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer of the model: words, tool calls, or a failure when the status is not 200."""

    text: str = ""
    thinking: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    status: int = 200
    error_type: str = "api_error"
    headers: Mapping[str, str] = field(default_factory=dict)
    input_tokens: int = 100
    output_tokens: int = 20
    raw: bytes | None = None  # sent as the body in place of everything else, whatever it is
    cut: bool = False  # the connection ends in the middle of the answer
    delay: threading.Event | None = None  # not answered before this is set


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request, reduced to what scripts and assertions look at; the whole body is kept beside it."""

    endpoint: str  # /messages, /chat/completions, /responses, or Gemini's
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    model: str
    system: str
    user_text: str  # of the last message that a user wrote, tool results left aside
    tool_results: tuple[str, ...]  # those that follow the model's last answer
    tool_names: tuple[str, ...]  # offered

    @property
    def everything(self) -> str:
        """System text, all messages, all tools as one string, to assert on what reached the model."""
        return str(self.body)


def words_of(content: Any, kinds: tuple[str, ...]) -> str:
    """The text of a content field: a plain string, or a list of typed blocks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(
        str(block.get("text", "")) for block in content if isinstance(block, dict) and block.get("type") in kinds
    )


def chunks(text: str, size: int = 16) -> list[str]:
    """Cut as a model would stream it."""
    return [text[i : i + size] for i in range(0, len(text), size)]
