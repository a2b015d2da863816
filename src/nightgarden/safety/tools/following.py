"""Programs whose arguments lead on to commands in a way of their own: `xargs`, `find -exec`, `ssh`, `tmux`, `trap`."""

from __future__ import annotations

import posixpath
from dataclasses import replace

from nightgarden.safety.command_reading import UNKNOWN, Command, Effect
from nightgarden.safety.shell.state import EMPTY, NOTHING, Stream
from nightgarden.safety.shell.walk import ShellCall, Walk
from nightgarden.safety.tools.arguments import Spec, read_arguments
from nightgarden.safety.tools.builtins import note
from nightgarden.safety.tools.shells import run_stream, text_of_code

ITEMS_MAX = 64  # arguments that xargs takes from a known input


def joined(walk: Walk, call: ShellCall) -> Stream:
    """`watch`, `parallel`, `tmux`: words that are put together and given to a shell."""
    words = [word for word in call.argv[1:] if word != ":::"]
    while words and (words[0].startswith("-") or words[0].isdigit()):
        words = words[1:]
    long = [word for word in words if " " in word]
    each = call.argv[0] in ("tmux", "screen", "hyperfine", "concurrently")
    text = "\n".join(long) if long and each else " ".join(words)
    return text_of_code(walk, call, text, None, inside=False)


def option_c(walk: Walk, call: ShellCall) -> Stream:
    """`su -c`, `script -c`, `flock file -c`: shell text in an option, or a command after the operand."""
    given = read_arguments(call.argv[1:], Spec.of("c|command:", "s|shell:", "w|timeout:", "E:", "l|login"))
    if texts := given.of("command"):
        return text_of_code(walk, call, texts[0], None, inside=False)
    if call.argv[0] == "flock":
        words = read_arguments(call.argv[1:], Spec.of("w|timeout:", "E:"), stop_at_operand=True).operands[1:]
        return walk.meaning(walk, call.starting(words)) if words else NOTHING
    if call.argv[0] in ("su", "runuser"):
        return run_stream(walk, call.starting(("sh",)), call.io.stdin, ("sh",))
    writes = tuple(call.state.path(word) for word in given.operands or ("typescript",))
    note(walk, call, Command(words=call.argv, writes=writes, effects=frozenset({Effect.CODE})))
    return run_stream(walk, call.starting(("sh",)), call.io.stdin, ("sh",)) if call.io.stdin.text else NOTHING


_SSH = Spec.of(
    "p:", "i:", "l:", "o:", "F:", "L:", "R:", "D:", "J:", "b:", "c:", "E:", "m:", "S:", "W:", "w:", "B:", "e:", "Q:"
)


def ssh(walk: Walk, call: ShellCall) -> Stream:
    given = read_arguments(call.argv[1:], _SSH, stop_at_operand=True)
    host = given.operands[0].rpartition("@")[2] if given.operands else UNKNOWN
    reads = tuple(call.state.path(text) for text in given.of("i", "F"))
    note(walk, call, Command(words=call.argv, sends=(host,), reads=reads, downloads=True))
    for text in given.of("o"):
        name, _, value = text.partition("=")
        if name.lower() in ("proxycommand", "localcommand", "knownhostscommand"):
            walk.run_text(value, call.state.copy(), via=(*call.via, "ssh"))
    if given.operands[1:]:
        state = replace(call.state.copy(), cwd=UNKNOWN, home=UNKNOWN)
        walk.run_text(" ".join(given.operands[1:]), state, call.io.stdin, via=(*call.via, "ssh"))
    return Stream(fetched=True)


_XARGS = Spec.of("I:", "i", "n|max-args:", "P|max-procs:", "L|max-lines:", "d|delimiter:", "E:", "s|max-chars:",
    "a|arg-file:",
                 "0|null", "r|no-run-if-empty", "t|verbose", "p|interactive", "x|exit", "J:", "R:")  # fmt: skip


def xargs(walk: Walk, call: ShellCall) -> Stream:
    given = read_arguments(call.argv[1:], _XARGS, stop_at_operand=True)
    words = given.operands or ("echo",)
    stdin = call.io.stdin
    for file in given.of("arg-file"):
        stdin = walk.files.get(call.state.path(file), NOTHING)
    lines = given.has("I", "i", "null", "delimiter", "max-lines")
    items = [UNKNOWN] if stdin.text is None else (stdin.text.split("\n") if lines else stdin.text.split())
    items = [item for item in items if item][:ITEMS_MAX]
    mark = (given.of("I") or ("{}",))[0] if given.has("I", "i") else None
    started = call.starting(words, stdin=EMPTY)
    started = replace(started, fetched=call.fetched or stdin.fetched)
    if mark is None:
        return walk.meaning(walk, replace(started, argv=(*words, *items)))
    stream = EMPTY
    for item in items:
        stream = walk.meaning(walk, replace(started, argv=tuple(word.replace(mark, item) for word in words)))
    return stream


_FIND_NAMES = ("-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename")


def fd(walk: Walk, call: ShellCall) -> Stream:
    args = call.argv[1:]
    note(walk, call, Command(words=call.argv))
    for at, word in enumerate(args):
        if word.partition("=")[0] in ("-x", "-X", "--exec", "--exec-batch"):
            words = (*((word.partition("=")[2],) if "=" in word else ()), *args[at + 1 :])
            inner = [call.state.cwd if each in ("{}", "{/}", "{//}", "{.}") else each for each in words if each != ";"]
            named = inner if len(inner) > 1 or not inner else [*inner, call.state.cwd]
            return walk.meaning(walk, call.starting(named, stdin=EMPTY)) if named else NOTHING
    return NOTHING


def find(walk: Walk, call: ShellCall) -> Stream:
    args = call.argv[1:]
    starts = next((at for at, word in enumerate(args) if word[:1] in ("-", "(", "!")), len(args))
    roots = args[:starts] or (".",)
    paths = tuple(call.state.path(root) for root in roots)
    writes = tuple(
        call.state.path(args[at + 1]) for at, word in enumerate(args[:-1]) if word.startswith(("-fprint", "-fls"))
    )
    note(walk, call, Command(words=call.argv, deletes=paths if "-delete" in args else (), writes=writes))
    prints = [word for word in args if word not in ("-print", "-print0")]
    if names := [args[at + 1] for at, word in enumerate(args[:-1]) if word in _FIND_NAMES]:
        paths = tuple(f"{path}/{posixpath.basename(name)}" for path in paths for name in names)
    at = starts
    while at < len(args):
        if args[at] in ("-exec", "-execdir", "-ok", "-okdir"):
            end = next((i for i in range(at + 1, len(args)) if args[i] in (";", "+")), len(args))
            words = args[at + 1 : end]
            inner = [part for word in words for part in (paths if word == "{}" else (word.replace("{}", paths[0]),))]
            if inner:
                walk.meaning(walk, call.starting(inner, stdin=EMPTY))
            at = end
        at += 1
    if not names or any(word.startswith(("-exec", "-ok", "-print", "-fprint", "-ls", "-fls")) for word in prints):
        return NOTHING
    return Stream(text="".join(f"{path}\n" for path in paths))  # with the pattern in the place of names


def trap(walk: Walk, call: ShellCall) -> Stream:
    if len(call.argv) > 2 and call.argv[1] not in ("-", "-p", "-l"):
        return text_of_code(walk, call, call.argv[1], None, inside=True)
    return EMPTY
