"""Builtins of a shell that change its state, and how a command is noted."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from nightgarden.safety.reading import UNKNOWN, Command, Effect
from nightgarden.safety.shell.state import EMPTY, Stream, Value
from nightgarden.safety.shell.walk import Call, Walk, sensitive_variable
from nightgarden.safety.tools.prefixes import ELEVATING

ASSIGNED = re.compile(r"([A-Za-z_]\w*+)\+?=(.*)", re.DOTALL)
Follow = Callable[[Walk, Call], Stream]


def note(walk: Walk, call: Call, command: Command, text: str | None = None) -> None:
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
            sets=tuple(name for name in call.variables if sensitive_variable(name)),
            text=command.text or ((text or "") if io.writes or command.program == "tee" else ""),
            unknown=tuple(dict.fromkeys(reasons)),
        )
    )
    io.noted = True


def cd(walk: Walk, call: Call) -> Stream:
    words = [word for word in call.argv[1:] if word not in ("-L", "-P", "-e", "--")]
    call.state.cwd = UNKNOWN if words[:1] == ["-"] else call.state.path(words[0] if words else "~")
    note(walk, call, Command(words=call.argv))
    return EMPTY


def popd(walk: Walk, call: Call) -> Stream:
    call.state.cwd = UNKNOWN
    note(walk, call, Command(words=call.argv))
    return EMPTY


def declare(walk: Walk, call: Call) -> Stream:
    for word in call.argv[1:]:
        if assigned := ASSIGNED.fullmatch(word):
            walk.assign(call.state, assigned[1], Value(texts=(assigned[2],), fetched=call.fetched), call.via)
    note(walk, call, Command(words=call.argv))
    return EMPTY


def alias(walk: Walk, call: Call) -> Stream:
    for word in call.argv[1:]:
        name, equals, text = word.partition("=")
        if equals:
            call.state.aliases[name] = text
    note(walk, call, Command(words=call.argv))
    return EMPTY


def set_(walk: Walk, call: Call) -> Stream:  # noqa: ARG001 - called as the others
    if "--" in call.argv:
        call.state.parameters = ("sh", *call.argv[call.argv.index("--") + 1 :])
    return EMPTY


def read(walk: Walk, call: Call) -> Stream:
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
    "read": read,
    "mapfile": read,
    "readarray": read,
}
