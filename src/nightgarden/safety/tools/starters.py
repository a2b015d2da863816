"""What one command does in a walk: those that start others are followed, the rest is described.

Shells, `eval`, `xargs`, `find -exec`, `ssh` and the like lead on to the commands they run; builtins change the state.
"""

from __future__ import annotations

import posixpath
import shlex
from dataclasses import replace

from nightgarden.safety.reading import UNKNOWN, Command, Effect
from nightgarden.safety.shell.state import EMPTY, NOTHING, Stream
from nightgarden.safety.shell.walk import Call, Walk, sensitive_variable
from nightgarden.safety.tools.builtins import ASSIGNED, BUILTINS, Follow, note
from nightgarden.safety.tools.code import read_code
from nightgarden.safety.tools.described import Describe, Described, Invocation
from nightgarden.safety.tools.files import FILE_PROGRAMS
from nightgarden.safety.tools.git import describe_git
from nightgarden.safety.tools.options import Spec, read_arguments
from nightgarden.safety.tools.outside import OUTSIDE_PROGRAMS
from nightgarden.safety.tools.prefixes import ELEVATING, ELSEWHERE, INTERPRETERS, PREFIXES, RUNNERS, SHELLS
from nightgarden.safety.tools.printed import printed

KNOWN: dict[str, Describe] = FILE_PROGRAMS | OUTSIDE_PROGRAMS | {"git": describe_git}
ITEMS_MAX = 64  # arguments that xargs takes from a known input
_CODE_VARIABLES = frozenset(
    "GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_SEQUENCE_EDITOR GIT_ASKPASS PAGER EDITOR "
    "VISUAL".split()
)


def interpret(walk: Walk, call: Call) -> Stream:
    """Notes what the command does and gives what it prints."""
    name = program_name(call.argv[0])
    for variable, value in call.variables.items():
        if variable in _CODE_VARIABLES and value:
            walk.run_text(value, call.state.copy(), via=(*call.via, variable))
    if UNKNOWN in call.argv[0]:
        return _unknown_program(walk, call)
    if name in call.state.functions and "/" not in call.argv[0]:
        return walk.run_function(call, call.state.functions[name])
    if (follow := _FOLLOWED.get(name)) is not None:
        return follow(walk, replace(call, argv=(name, *call.argv[1:])))
    if name in SHELLS:
        return _shell(walk, replace(call, argv=(name, *call.argv[1:])))
    if name in PREFIXES:
        return _prefix(walk, replace(call, argv=(name, *call.argv[1:])))
    if (interpreter := _interpreter(name)) is not None:
        return _code(walk, replace(call, argv=(name, *call.argv[1:])), interpreter)
    if "/" in call.argv[0] and name not in KNOWN:
        return _run_file(walk, call, call.argv[0])
    if (name, call.argv[1] if len(call.argv) > 1 else "") in RUNNERS:
        return _runner(walk, replace(call, argv=(name, *call.argv[1:])))
    if name == "docker" and call.argv[1:2] == ("compose",):
        return interpret(walk, replace(call, argv=("docker-compose", *call.argv[2:])))
    return _leaf(walk, replace(call, argv=(name, *call.argv[1:])))


def program_name(word: str) -> str:
    """How a program is called here: without its folder, and without Windows' ending."""
    return posixpath.basename(word.rstrip("/")).removesuffix(".exe").lower() or word


def _interpreter(name: str) -> str | None:
    """The option that takes code, with or without a version in the name: `python3.11`."""
    return INTERPRETERS.get(name) or INTERPRETERS.get(name.rstrip("0123456789."))


def _leaf(walk: Walk, call: Call) -> Stream:
    """A command that is described, not followed."""
    name, args = call.argv[0], call.argv[1:]
    invocation = Invocation(name=name, args=args, cwd=call.state.cwd, home=call.state.home, stdin=call.io.stdin)
    describe = KNOWN.get(name)
    if describe is None:
        command = invocation.command(unknown=(f"{name!r} is not a program that is known here",))
        described = Described(command=command)
    else:
        described = describe(invocation)
    text = printed(name, args, call.io.stdin)
    note(walk, call, described.command, text)
    command = described.command
    fetched = command.downloads or call.io.stdin.fetched
    for path in command.writes:
        if command.downloads or name in ("tee", "sponge"):
            walk.files[path] = Stream(text=call.io.stdin.text if name == "tee" else None, fetched=fetched)
    for script in described.scripts:
        walk.run_text(script, call.state.copy(), via=(*call.via, name))
    return Stream(text=text, fetched=command.downloads)


def _opaque(walk: Walk, call: Call, reason: str, *, fetched: bool, executes: tuple[str, ...] = ()) -> Stream:
    """Runs code that is not known here."""
    effects = frozenset({Effect.REMOTE_CODE, Effect.CODE} if fetched else {Effect.CODE})
    note(walk, call, Command(words=call.argv, effects=effects, executes=executes, unknown=(reason,)))
    return Stream(fetched=fetched)


def _unknown_program(walk: Walk, call: Call) -> Stream:
    return _opaque(walk, call, "which program runs is only known when it runs", fetched=call.fetched)


# -- shells and code -----------------------------------------------------------------------------------------------
def _text_of_code(walk: Walk, call: Call, text: str, parameters: tuple[str, ...] | None, *, inside: bool) -> Stream:
    """Runs a text as shell, in this shell (`inside`) or in one of its own."""
    if UNKNOWN in text and not text.replace(UNKNOWN, "").strip():
        return _opaque(walk, call, "the code is only known when it runs", fetched=call.fetched)
    if call.fetched and UNKNOWN in text:
        _opaque(walk, call, "a part of the code is only known when it runs", fetched=True)
    state = call.state if inside else call.state.copy()
    if parameters is not None:
        state = replace(state, parameters=parameters)
    via = call.via if inside else (*call.via, call.argv[0])
    stream = walk.run_text(text, state, call.io.stdin, via=via)
    return replace(stream, fetched=stream.fetched or call.fetched)


_SHELL = Spec.of(
    "c", "s", "i", "l|login", "o:", "O:", "rcfile:", "init-file:", "e", "u", "x", "v", "n", "norc", "noprofile"
)


def _shell(walk: Walk, call: Call) -> Stream:
    args = tuple("-" + word[1:] if word.startswith("+") else word for word in call.argv[1:])
    given = read_arguments(args, _SHELL, stop_at_operand=True)
    for file in given.of("rcfile", "init-file"):
        _run_file(walk, call, file)
    for name in call.variables:
        if sensitive_variable(name):  # the shell itself acts on it, whatever it is told to do
            note(walk, call, Command(words=call.argv, effects=frozenset({Effect.CODE})))
    if given.has("c"):
        if not given.operands:
            return NOTHING
        return _text_of_code(walk, call, given.operands[0], given.operands[1:] or (call.argv[0],), inside=False)
    if given.operands and not given.has("s"):
        file = given.operands[0]
        if file not in ("-", "/dev/stdin", "/proc/self/fd/0"):
            return _run_file(walk, call, file, given.operands)
    return _run_stream(walk, call, call.io.stdin, (call.argv[0], *given.operands))


def _run_stream(walk: Walk, call: Call, stream: Stream, parameters: tuple[str, ...], *, inside: bool = False) -> Stream:
    if stream.text is None or (stream.fetched and UNKNOWN in stream.text):
        return _opaque(walk, call, "the code it reads is only known when it runs", fetched=stream.fetched)
    if not stream.text.strip():
        return EMPTY
    code = replace(call, fetched=call.fetched or stream.fetched)
    return _text_of_code(walk, code, stream.text, parameters, inside=inside)


def _run_file(walk: Walk, call: Call, file: str, parameters: tuple[str, ...] = (), *, inside: bool = False) -> Stream:
    """Runs a file: one written on the way is read, any other is named."""
    path = call.state.path(file)
    if (stream := walk.files.get(path)) is not None:
        return _run_stream(walk, call, stream, parameters or (file,), inside=inside)
    note(walk, call, Command(words=call.argv, reads=(path,), executes=(path,), effects=frozenset({Effect.CODE})))
    return NOTHING


def _source(walk: Walk, call: Call) -> Stream:
    if len(call.argv) < 2:
        return EMPTY
    if call.argv[1] in ("/dev/stdin", "-"):
        return _run_stream(walk, call, call.io.stdin, call.argv[1:], inside=True)
    return _run_file(walk, call, call.argv[1], call.argv[1:], inside=True)


def _eval(walk: Walk, call: Call) -> Stream:
    return _text_of_code(walk, call, " ".join(call.argv[1:]), None, inside=True)


def _code(walk: Walk, call: Call, option: str) -> Stream:
    """Python and its kind: the code's strings are looked at, and the rest stays unread."""
    args = call.argv[1:]
    if args and all(word in ("--version", "-V", "-v", "--help") for word in args):
        note(walk, call, Command(words=call.argv))
        return NOTHING
    stdin = call.io.stdin
    code = next((args[at + 1] for at, word in enumerate(args[:-1]) if word == option or _ends_in(word, option)), None)
    fetched = call.fetched
    if code is None and (not args or args[0] == "-"):
        code, fetched = stdin.text or "", fetched or stdin.fetched
    if code is None:
        return _program_file(walk, call, args)
    found = read_code(code)
    paths = [tuple(call.state.path(text) for text in texts) for texts in (found.reads, found.writes, found.deletes)]
    effects = frozenset({Effect.CODE, Effect.REMOTE_CODE} if fetched else {Effect.CODE})
    note(walk, call, Command(words=call.argv, reads=paths[0], writes=paths[1], deletes=paths[2], effects=effects))
    for script in found.scripts:
        if program_name(script.split()[0]) in KNOWN or program_name(script.split()[0]) in (
            *SHELLS,
            *PREFIXES,
            *_FOLLOWED,
        ):
            walk.run_text(script, call.state.copy(), via=(*call.via, call.argv[0]))
    return NOTHING


def _ends_in(word: str, option: str) -> bool:
    """`-pe` for `-e`, `-Ic` for `-c`."""
    return (
        option.startswith("-")
        and len(option) == 2
        and word[:1] == "-"
        and word[1:2] != "-"
        and word.endswith(option[1])
    )


def _program_file(walk: Walk, call: Call, args: tuple[str, ...]) -> Stream:
    if args[0] == "-m" and len(args) > 1 and (args[1] in KNOWN or args[1] in PREFIXES):
        return interpret(walk, call.starting(args[1:]))
    file = next((word for word in args if not word.startswith("-")), "")
    path = call.state.path(file) if file and "-m" not in args else ""
    if path and (stream := walk.files.get(path)) is not None and (stream.fetched or stream.text is not None):
        return _code(walk, replace(call, argv=(call.argv[0],), io=replace(call.io, stdin=stream)), "-")
    executes = (path,) if path else ()
    note(walk, call, Command(words=call.argv, reads=executes, executes=executes, effects=frozenset({Effect.CODE})))
    return NOTHING


# -- programs that start others ------------------------------------------------------------------------------------
def _prefix(walk: Walk, call: Call) -> Stream:
    name = call.argv[0]
    words = PREFIXES[name].command_of(call.argv[1:])
    variables = dict(call.variables)
    while words and (assigned := ASSIGNED.fullmatch(words[0])):
        variables[assigned[1]] = assigned[2]
        words = words[1:]
    if words:
        return interpret(walk, replace(call.starting(words), variables=variables))
    if name in ELEVATING and call.io.stdin.text != "":
        return _run_stream(walk, call.starting(("sh",)), call.io.stdin, ("sh",))
    note(walk, call, Command(words=call.argv, effects=frozenset({Effect.ELEVATED} if name in ELEVATING else ())))
    return NOTHING


def _env(walk: Walk, call: Call) -> Stream:
    spec = Spec.of("u|unset:", "C|chdir:", "S|split-string:", "i|ignore-environment", "0|null", "v|debug")
    given = read_arguments(call.argv[1:], spec, stop_at_operand=True)
    state, words, variables = call.state, given.operands, dict(call.variables)
    for folder in given.of("chdir"):
        state = replace(state, cwd=state.path(folder))
    for text in given.of("split-string"):
        return _text_of_code(walk, call, " ".join((text, *map(shlex.quote, words))), None, inside=False)
    while words and (assigned := ASSIGNED.fullmatch(words[0])):
        variables[assigned[1]] = assigned[2]
        words = words[1:]
    if not words:
        note(walk, call, Command(words=call.argv))
        return NOTHING
    return interpret(walk, replace(call.starting(words, state=state), variables=variables))


def _command(walk: Walk, call: Call) -> Stream:
    words = [word for word in call.argv[1:] if word != "-p"]
    if not words or words[0] in ("-v", "-V"):
        note(walk, call, Command(words=call.argv))
        return Stream(text=words[1] + "\n") if words[:1] == ["-v"] and len(words) == 2 else NOTHING
    return interpret(walk, call.starting(words))


def _runner(walk: Walk, call: Call) -> Stream:
    """`uv run …`, `docker exec …`: itself, and the command in it."""
    stream = _leaf(walk, call)
    words = RUNNERS[call.argv[0], call.argv[1]].command_of(call.argv[2:])
    if not words:
        return stream
    elsewhere = call.argv[0] in ELSEWHERE
    state = replace(call.state.copy(), cwd=UNKNOWN) if elsewhere else call.state
    return interpret(walk, call.starting([word for word in words if word != "--"], state=state))


def _joined(walk: Walk, call: Call) -> Stream:
    """`watch`, `parallel`, `tmux`: words that are put together and given to a shell."""
    words = [word for word in call.argv[1:] if word != ":::"]
    while words and (words[0].startswith("-") or words[0].isdigit()):
        words = words[1:]
    long = [word for word in words if " " in word]
    text = "\n".join(long) if long and call.argv[0] in ("tmux", "screen") else " ".join(words)
    return _text_of_code(walk, call, text, None, inside=False)


def _option_c(walk: Walk, call: Call) -> Stream:
    """`su -c`, `script -c`, `flock file -c`: shell text in an option, or a command after the operand."""
    given = read_arguments(call.argv[1:], Spec.of("c|command:", "s|shell:", "w|timeout:", "E:", "l|login"))
    if texts := given.of("command"):
        return _text_of_code(walk, call, texts[0], None, inside=False)
    if call.argv[0] == "flock":
        words = read_arguments(call.argv[1:], Spec.of("w|timeout:", "E:"), stop_at_operand=True).operands[1:]
        return interpret(walk, call.starting(words)) if words else NOTHING
    if call.argv[0] in ("su", "runuser"):
        return _run_stream(walk, call.starting(("sh",)), call.io.stdin, ("sh",))
    note(walk, call, Command(words=call.argv))
    return NOTHING


_SSH = Spec.of(
    "p:", "i:", "l:", "o:", "F:", "L:", "R:", "D:", "J:", "b:", "c:", "E:", "m:", "S:", "W:", "w:", "B:", "e:", "Q:"
)


def _ssh(walk: Walk, call: Call) -> Stream:
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


def _xargs(walk: Walk, call: Call) -> Stream:
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
        return interpret(walk, replace(started, argv=(*words, *items)))
    stream = EMPTY
    for item in items:
        stream = interpret(walk, replace(started, argv=tuple(word.replace(mark, item) for word in words)))
    return stream


def _find(walk: Walk, call: Call) -> Stream:
    args = call.argv[1:]
    starts = next((at for at, word in enumerate(args) if word[:1] in ("-", "(", "!")), len(args))
    roots = args[:starts] or (".",)
    paths = tuple(call.state.path(root) for root in roots)
    writes = tuple(
        call.state.path(args[at + 1]) for at, word in enumerate(args[:-1]) if word.startswith(("-fprint", "-fls"))
    )
    note(walk, call, Command(words=call.argv, deletes=paths if "-delete" in args else (), writes=writes))
    at = starts
    while at < len(args):
        if args[at] in ("-exec", "-execdir", "-ok", "-okdir"):
            end = next((i for i in range(at + 1, len(args)) if args[i] in (";", "+")), len(args))
            words = args[at + 1 : end]
            inner = [part for word in words for part in (paths if word == "{}" else (word.replace("{}", paths[0]),))]
            if inner:
                interpret(walk, call.starting(inner, stdin=EMPTY))
            at = end
        at += 1
    return NOTHING


def _trap(walk: Walk, call: Call) -> Stream:
    if len(call.argv) > 2 and call.argv[1] not in ("-", "-p", "-l"):
        return _text_of_code(walk, call, call.argv[1], None, inside=True)
    return EMPTY


_FOLLOWED: dict[str, Follow] = {
    **BUILTINS,
    "env": _env,
    "command": _command,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "xargs": _xargs,
    "find": _find,
    "ssh": _ssh,
    "trap": _trap,
    "su": _option_c,
    "runuser": _option_c,
    "script": _option_c,
    "flock": _option_c,
    "watch": _joined,
    "parallel": _joined,
    "tmux": _joined,
    "screen": _joined,
}
