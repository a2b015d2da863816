"""Builtins of a shell that change its state, and how a command is noted."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from nightgarden.safety.command_reading import UNKNOWN, Command, Effect, GitAct
from nightgarden.safety.shell.state import EMPTY, Stream, Value
from nightgarden.safety.shell.walk import ShellCall, Walk, sensitive_variable
from nightgarden.safety.tools.prefixes import ELEVATING

ASSIGNED = re.compile(r"([A-Za-z_]\w*+)\+?=(.*)", re.DOTALL)
Follow = Callable[[Walk, ShellCall], Stream]


def note(walk: Walk, call: ShellCall, command: Command, text: str | None = None) -> None:
    """Adds a command, with where its input and output lead and how it was started."""
    io = call.io
    reasons = [*command.unknown, *(reason for name in call.variables if (reason := sensitive_variable(name)))]
    if any(UNKNOWN in path for path in (*command.writes, *command.deletes, *io.writes)):
        reasons.append("a path is only known when it runs")
    effects = command.effects | ({Effect.ELEVATED} if not ELEVATING.isdisjoint(call.via) else frozenset())
    walk.add(
        replace(
            command,
            via=call.via,
            reads=(*command.reads, *(io.reads if not io.noted else ())),
            writes=(*command.writes, *(io.writes if not io.noted else ())),
            sends=(*command.sends, *(io.sends if not io.noted else ())),
            effects=frozenset(effects),
            sets=(*command.sets, *(name for name in call.variables if sensitive_variable(name))),
            shows=(*command.shows, *sorted(call.secrets)),
            git=_without_hooks(command.git, call),
            text=command.text or ((text or "") if io.writes or command.program == "tee" else ""),
            unknown=tuple(dict.fromkeys(reasons)),
        )
    )
    io.noted = True


_SKIPPING_HOOKS = frozenset({"HUSKY", "HUSKY_SKIP_HOOKS", "SKIP", "PRE_COMMIT_ALLOW_NO_CONFIG"})


def _without_hooks(act: GitAct | None, call: ShellCall) -> GitAct | None:
    """What is committed or pushed while a variable switches the hooks off."""
    off = any(name in call.variables or name in call.state.variables for name in _SKIPPING_HOOKS)
    return replace(act, skips_hooks=True) if off and act is not None and act.verb in _WITH_HOOKS else act


_WITH_HOOKS = frozenset({"commit", "push", "merge", "rebase", "cherry-pick", "am"})


def cd(walk: Walk, call: ShellCall) -> Stream:
    words = [word for word in call.argv[1:] if word not in ("-L", "-P", "-e", "--")]
    call.state.cwd = UNKNOWN if words[:1] == ["-"] else call.state.path(words[0] if words else "~")
    note(walk, call, Command(words=call.argv))
    return EMPTY


def popd(walk: Walk, call: ShellCall) -> Stream:
    call.state.cwd = UNKNOWN
    note(walk, call, Command(words=call.argv))
    return EMPTY


def declare(walk: Walk, call: ShellCall) -> Stream:
    for word in call.argv[1:]:
        if assigned := ASSIGNED.fullmatch(word):
            value = Value(texts=(assigned[2],), fetched=call.fetched, secrets=call.secrets)
            walk.assign(call.state, assigned[1], value, call.via)
    shown = call.argv[1:] in ((), ("-p",), ("-x",), ("-px",), ("-xp",))
    note(walk, call, Command(words=call.argv, shows=("*",) if shown else ()))
    return EMPTY


def unset(walk: Walk, call: ShellCall) -> Stream:
    names = tuple(word for word in call.argv[1:] if not word.startswith("-"))
    for name in names:
        call.state.variables.pop(name, None)
    note(walk, call, Command(words=call.argv, sets=tuple(name for name in names if sensitive_variable(name))))
    return EMPTY


def alias(walk: Walk, call: ShellCall) -> Stream:
    for word in call.argv[1:]:
        name, equals, text = word.partition("=")
        if equals:
            call.state.aliases[name] = text
    note(walk, call, Command(words=call.argv))
    return EMPTY


def set_(walk: Walk, call: ShellCall) -> Stream:
    if "--" in call.argv:
        call.state.parameters = ("sh", *call.argv[call.argv.index("--") + 1 :])
    if len(call.argv) == 1:
        note(walk, call, Command(words=call.argv, shows=("*",)))
    return EMPTY


def read(walk: Walk, call: ShellCall) -> Stream:
    for word in call.argv[1:]:
        if not word.startswith("-"):
            text = call.io.stdin.text
            value = text.rstrip("\n") if text is not None and "\n" not in text.rstrip("\n") else UNKNOWN
            call.state.variables[word] = Value(texts=(value,), fetched=call.io.stdin.fetched)
    note(walk, call, Command(words=call.argv))
    return EMPTY


BUILTINS: dict[str, Follow] = {
    "cd": cd,
    "chdir": cd,
    "pushd": cd,
    "popd": popd,
    "export": declare,
    "declare": declare,
    "typeset": declare,
    "local": declare,
    "readonly": declare,
    "alias": alias,
    "set": set_,
    "unset": unset,
    "read": read,
    "mapfile": read,
    "readarray": read,
}
