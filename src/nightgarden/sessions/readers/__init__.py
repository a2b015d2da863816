"""One reader per client whose transcripts we can read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nightgarden.sessions.readers import claude_code, codex, opencode, plain
from nightgarden.sessions.readers.transcript import Read, Reader, TranscriptRef

__all__ = ["READERS", "Read", "Reader", "TranscriptRef"]

READERS: Mapping[str, Callable[[], Reader]] = {
    claude_code.CLIENT: claude_code.ClaudeCode,
    codex.CLIENT: codex.CodexReader,
    opencode.CLIENT: opencode.OpenCode,
    plain.CLIENT: plain.Plain,
}
