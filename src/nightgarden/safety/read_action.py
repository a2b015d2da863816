"""A tool call of any client, read: shells by their command, edits by path and new text, tools that read by what "
"they read.

Knows the tools of Claude Code,
    Codex and OpenCode by name. A tool it does not know is unknown; tools of MCP servers are,
but for our own.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from nightgarden.safety.command_reading import CommandReading, Edit
from nightgarden.safety.patches import read_patch
from nightgarden.safety.read_command import read_command
from nightgarden.safety.shell.state import resolved
from nightgarden.safety.tools.file_programs import host_of

SHELLS = frozenset("bash shell local_shell exec_command shell_command container.exec unified_exec write_stdin".split())
PATCHES = frozenset({"apply_patch", "patch"})
EDITS = frozenset("write edit multiedit notebookedit create str_replace insert".split())
READS = frozenset("read glob grep ls list view view_image codesearch notebookread lsp".split())
FETCHES = frozenset("webfetch websearch web_search fetch browse".split())
# Changes nothing but the agent's own notes, or asks the user.
OWN = frozenset(
    "todowrite todoread todo update_plan task agent exitplanmode askuserquestion skill bashoutput killshell question "
    "toolsearch conversation_search session_search".split()
)
_OLD, _NEW = (
    ("old_string", "oldString", "old_str"),
    ("new_string", "newString", "new_str", "content", "new_source", "file_text"),
)
_PATHS = ("file_path", "filePath", "notebook_path", "path", "file")


def is_memory_tool(tool: str) -> bool:
    """One of our own tools, under whatever prefix a client gives an MCP server."""
    return tool.startswith(("memory_", "nightgarden_")) or "nightgarden" in tool.split("__")[:2]


def read_action(tool: str, given: Mapping[str, Any], *, cwd: str, home: str) -> CommandReading:
    """What the call would do. Never raises: what is missing or of another type is unknown."""
    name = tool.lower()
    folder = _text(given, ("workdir", "cwd", "working_directory"))
    cwd = resolved(folder, cwd, home) if folder else cwd
    if is_memory_tool(tool) or name in OWN:
        return CommandReading()
    if name in SHELLS:
        return _shell(given, cwd, home)
    if name in PATCHES:
        text = _text(given, ("input", "patch", "patchText", "command", "diff"))
        edits = read_patch(text, lambda path: resolved(path, cwd, home))
        return CommandReading(edits=edits) if edits else CommandReading(unknown=("the patch cannot be read",))
    if name in EDITS:
        return _edits(given, cwd, home)
    path = _text(given, _PATHS)
    if name in READS:
        return CommandReading(reads=(resolved(path, cwd, home),) if path else (cwd,))
    if name in FETCHES:
        url = _text(given, ("url", "uri"))
        return CommandReading(sends=(host_of(url) if url else "web search",))
    return CommandReading(unknown=(f"{tool!r} is not a tool that is known here",))


def _shell(given: Mapping[str, Any], cwd: str, home: str) -> CommandReading:
    command = next((given[key] for key in ("command", "cmd", "chars", "script") if key in given), None)
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        command = shlex.join(command)
    if not isinstance(command, str):
        return CommandReading(unknown=("the call has no command",))
    return read_command(command, cwd=cwd, home=home)


def _edits(given: Mapping[str, Any], cwd: str, home: str) -> CommandReading:
    path = _text(given, _PATHS)
    if not path:
        return CommandReading(unknown=("the edit names no file",))
    several = given.get("edits")
    each = [edit for edit in several if isinstance(edit, Mapping)] if isinstance(several, list) else [given]
    added = "\n".join(_text(edit, _NEW) for edit in each)
    removed = "\n".join(_text(edit, _OLD) for edit in each)
    return CommandReading(edits=(Edit(path=resolved(path, cwd, home), added=added, removed=removed),))


def _text(given: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((value for key in keys if isinstance(value := given.get(key), str) and value), "")
