"""What sort of action something is, in a few words: "git push origin", "make test", "edit *.md". Pure.

Decisions of the user are remembered by it: a rejected kind is not asked about again, and one that is always approved is
offered as a rule. So it is made from what was read, never from what an agent says about it, where there is a call.
"""

from __future__ import annotations

import posixpath
import re

from nightgarden.safety.command_reading import UNKNOWN, Command, CommandReading, Edit

CHARS_MAX = 120
_PARTS_MAX = 4
# Their next word is a file or a value, not what they are to do.
_ALONE = frozenset(
    "rm rmdir mv cp touch mkdir chmod chown ln kill pkill killall curl wget python python3 node deno bun perl ruby sh "
    "bash zsh dash tee sed awk tar zip unzip patch ssh scp rsync dd truncate install".split()
)
_WORD = re.compile(r"[A-Za-z][\w:.-]{0,40}\Z")


def kind_of(tool: str, reading: CommandReading) -> str:
    """The kind of a tool call. The same for calls that differ only in files, messages and the like."""
    parts = [_of_command(command) for command in reading.commands if not command.reads_only]
    parts += [_of_edit(edit) for edit in reading.edits]
    parts += [f"fetch {_plain(host)}" for host in reading.sends]
    distinct = list(dict.fromkeys(parts)) or [f"tool {tool.lower()}"]
    more = " …" if len(distinct) > _PARTS_MAX else ""
    return (" + ".join(distinct[:_PARTS_MAX]) + more)[:CHARS_MAX]


def kind_of_action(action: str) -> str:
    """The kind of something that is no tool call: the words of the action itself."""
    return " ".join(action.lower().split())[:CHARS_MAX]


def allowing_rule(kind: str) -> str | None:
    """The rule of `safety.always_allow` that allows this kind, if there is one: a kind of a single command."""
    if " + " in kind or kind.startswith(("edit ", "fetch ", "tool ", "delete ")) or "…" in kind:
        return None
    return kind


def _of_command(command: Command) -> str:
    words = [_plain(word) for word in command.words]
    if not words:
        return "command"
    if command.git is not None:
        target = [command.git.remote] if command.git.verb == "push" and command.git.remote else []
        return " ".join([words[0], command.git.verb, *map(_plain, target)])
    program = posixpath.basename(words[0])
    if program in _ALONE:
        return program
    verb = next((word for word in words[1:] if not word.startswith("-")), "")
    return f"{program} {verb}" if _WORD.match(verb) else program


def _of_edit(edit: Edit) -> str:
    suffix = posixpath.splitext(edit.path)[1]
    what = f"*{suffix}" if suffix else posixpath.basename(edit.path)
    return f"{'delete' if edit.deletes else 'edit'} {_plain(what)}"


def _plain(text: str) -> str:
    return text.replace(UNKNOWN, "…")
