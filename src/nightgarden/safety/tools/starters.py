"""What one command does in a walk: those that start others are followed, the rest is described.

Shells, `eval`, `xargs`, `find -exec`, `ssh` and the like lead on to the commands they run; builtins change the state.
"""

from __future__ import annotations

import posixpath
import shlex
from dataclasses import replace

from nightgarden.safety.command_reading import UNKNOWN, Command, Effect
from nightgarden.safety.secret_files import is_secret
from nightgarden.safety.shell.state import NOTHING, Stream
from nightgarden.safety.shell.walk import ShellCall, Walk, sensitive_variable
from nightgarden.safety.tools.arguments import Spec, read_arguments
from nightgarden.safety.tools.builtins import ASSIGNED, BUILTINS, Follow, note
from nightgarden.safety.tools.described import Describe, Described, Invocation
from nightgarden.safety.tools.file_programs import FILE_PROGRAMS, host_of
from nightgarden.safety.tools.following import fd, find, joined, option_c, ssh, trap, xargs
from nightgarden.safety.tools.git import describe_git
from nightgarden.safety.tools.inline_code import read_code
from nightgarden.safety.tools.outside import OUTSIDE_PROGRAMS, REMOTE_RUNS, secrets_among
from nightgarden.safety.tools.prefixes import BEYOND, ELEVATING, ELSEWHERE, INTERPRETERS, PREFIXES, RUNNERS, SHELLS
from nightgarden.safety.tools.printed import printed
from nightgarden.safety.tools.shells import evaluate, opaque, run_file, run_shell, run_stream, source, text_of_code

KNOWN: dict[str, Describe] = FILE_PROGRAMS | OUTSIDE_PROGRAMS | {"git": describe_git}
_CODE_VARIABLES = frozenset(
    "GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_SEQUENCE_EDITOR GIT_ASKPASS SSH_ASKPASS PAGER "
    "EDITOR VISUAL BROWSER MANPAGER BAT_PAGER LESSOPEN LESSCLOSE LESSEDIT".split()
)
_OF_THE_SYSTEM = ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin",
                  "/opt/local/bin", "/snap/bin", "/run/current-system/sw/bin")  # fmt: skip


def interpret(walk: Walk, call: ShellCall) -> Stream:  # noqa: C901 - a table of cases
    """Notes what the command does and gives what it prints."""
    name = program_name(call.argv[0])
    for variable, value in call.variables.items():
        if variable in _CODE_VARIABLES and value:
            walk.run_text(value, call.state.copy(), via=(*call.via, variable))
    if UNKNOWN in call.argv[0]:
        return _unknown_program(walk, call)
    if "/" in call.argv[0] and posixpath.dirname(path := call.state.path(call.argv[0])) not in _OF_THE_SYSTEM:
        if path in walk.files or not _is_known(name):
            return run_file(walk, call, call.argv[0])
        # Only its name is known: it is a file like any other, and does what is in it.
        walk.add(Command(words=call.argv, via=call.via, executes=(path,), effects=frozenset({Effect.CODE})))
    if name in call.state.functions and "/" not in call.argv[0]:
        return walk.run_function(call, call.state.functions[name])
    if (follow := _FOLLOWED.get(name)) is not None:
        return follow(walk, replace(call, argv=(name, *call.argv[1:])))
    if name in SHELLS:
        return run_shell(walk, replace(call, argv=(name, *call.argv[1:])))
    if name in PREFIXES:
        return _prefix(walk, replace(call, argv=(name, *call.argv[1:])))
    if (options := _code_options(name)) is not None:
        return _code(walk, replace(call, argv=(name, *call.argv[1:])), options)
    if "/" in call.argv[0] and name not in KNOWN:
        return run_file(walk, call, call.argv[0])
    if name in REMOTE_RUNS:
        return _remote_runner(walk, replace(call, argv=(name, *call.argv[1:])))
    if (name, call.argv[1] if len(call.argv) > 1 else "") in RUNNERS:
        return _runner(walk, replace(call, argv=(name, *call.argv[1:])))
    if name == "docker" and call.argv[1:2] == ("compose",):
        return interpret(walk, replace(call, argv=("docker-compose", *call.argv[2:])))
    return _leaf(walk, replace(call, argv=(name, *call.argv[1:])))


def program_name(word: str) -> str:
    """How a program is called here: without its folder, and without Windows' ending."""
    return posixpath.basename(word.rstrip("/")).removesuffix(".exe").lower() or word


def _is_known(name: str) -> bool:
    return any(name in known for known in (KNOWN, _FOLLOWED, SHELLS, PREFIXES)) or _code_options(name) is not None


def _code_options(name: str) -> tuple[str, ...] | None:
    """The options that take code, with or without a version in the name: `python3.11`."""
    return INTERPRETERS.get(name) or INTERPRETERS.get(name.rstrip("0123456789."))


def _leaf(walk: Walk, call: ShellCall) -> Stream:
    """A command that is described, not followed."""
    name, args = call.argv[0], call.argv[1:]
    invocation = Invocation(name=name, args=args, cwd=call.state.cwd, home=call.state.home, stdin=call.io.stdin)
    describe = KNOWN.get(name)
    if describe is None:
        command = invocation.command(
            reads=secrets_among(invocation), unknown=(f"{name!r} is not a program that is known here",)
        )
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


def _unknown_program(walk: Walk, call: ShellCall) -> Stream:
    return opaque(walk, call, "which program runs is only known when it runs", fetched=call.fetched)


# -- code ----------------------------------------------------------------------------------------------------------
def _code(walk: Walk, call: ShellCall, options: tuple[str, ...]) -> Stream:
    """Python and its kind: the code's strings are looked at, and the rest stays unread."""
    args = call.argv[1:]
    if args and all(word in ("--version", "-V", "-v", "--help") for word in args):
        note(walk, call, Command(words=call.argv))
        return NOTHING
    stdin = call.io.stdin
    code, files = _code_in(args, options)
    fetched = call.fetched
    if code is None and (not args or args[0] == "-"):
        code, fetched = stdin.text or "", fetched or stdin.fetched
    if code is None:
        return _program_file(walk, call, args)
    found = read_code(code)
    paths = [tuple(call.state.path(text) for text in texts) for texts in (found.reads, found.writes, found.deletes)]
    if call.argv[0].startswith(("perl", "ruby")):  # -n and -p go through files, -i changes them
        each = tuple(call.state.path(file) for file in files)
        flags = "".join(word[1:] for word in args if word[:1] == "-" and word[1:2] != "-")
        paths[0] += each if any(flag in flags for flag in "np") else ()
        paths[1] += each if "i" in flags else ()
    effects = frozenset({Effect.CODE, Effect.REMOTE_CODE} if fetched else {Effect.CODE})
    note(walk, call, Command(words=call.argv, reads=paths[0], writes=paths[1], deletes=paths[2], effects=effects))
    for script in found.scripts:
        if script.split() and _is_known(program_name(script.split()[0])):
            walk.run_text(script, call.state.copy(), via=(*call.via, call.argv[0]))
    return NOTHING


def _code_in(args: tuple[str, ...], options: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The code among the arguments, and the files that follow it."""
    for at, word in enumerate(args):
        name, equals, text = word.partition("=")
        if equals and name in options and name.startswith("--"):
            return text, tuple(each for each in args[at + 1 :] if not each.startswith("-"))
        if at + 1 < len(args) and (word in options or any(_ends_in(word, option) for option in options)):
            return args[at + 1], tuple(each for each in args[at + 2 :] if not each.startswith("-"))
    return None, ()


def _ends_in(word: str, option: str) -> bool:
    """`-pe` for `-e`, `-Ic` for `-c`."""
    return (
        option.startswith("-")
        and len(option) == 2
        and word[:1] == "-"
        and word[1:2] != "-"
        and word.endswith(option[1])
    )


def _program_file(walk: Walk, call: ShellCall, args: tuple[str, ...]) -> Stream:
    module = next((at for at, word in enumerate(args) if word[:2] == "-m"), None)
    if module is not None and call.argv[0].startswith(("python", "pypy")):
        words = (args[module][2:], *args[module + 1 :]) if args[module] != "-m" else args[module + 1 :]
        name = words[0].partition(".")[0] if words else ""
        if name in KNOWN or name in PREFIXES:
            return interpret(walk, call.starting((name, *words[1:])))
    file = next((word for word in args if not word.startswith("-") and word not in _VERBS), "")
    path = call.state.path(file) if file and module is None else ""
    if "://" in file:
        note(walk, call, Command(words=call.argv, sends=(host_of(file),), effects=frozenset({Effect.REMOTE_CODE})))
        return NOTHING
    if path and (stream := walk.files.get(path)) is not None and (stream.fetched or stream.text is not None):
        return _code(walk, replace(call, argv=(call.argv[0],), io=replace(call.io, stdin=stream)), ("-",))
    executes = (path,) if path else ()
    reads = (*executes, *(path for path in map(call.state.path, args) if is_secret(path) and path not in executes))
    note(walk, call, Command(words=call.argv, reads=reads, executes=executes, effects=frozenset({Effect.CODE})))
    return NOTHING


_VERBS = ("run", "test", "bench", "serve", "watch")  # of deno and bun: a file follows


# -- programs that start others ------------------------------------------------------------------------------------
def _prefix(walk: Walk, call: ShellCall) -> Stream:
    name = call.argv[0]
    words = PREFIXES[name].command_of(call.argv[1:])
    variables = dict(call.variables)
    while words and (assigned := ASSIGNED.fullmatch(words[0])):
        variables[assigned[1]] = assigned[2]
        words = words[1:]
    if name in BEYOND:
        walk.add(Command(words=call.argv, via=call.via, effects=frozenset({Effect.SERVICE})))
    if words:
        return interpret(walk, replace(call.starting(words), variables=variables))
    if name in ELEVATING and call.io.stdin.text != "":
        return run_stream(walk, call.starting(("sh",)), call.io.stdin, ("sh",))
    note(walk, call, Command(words=call.argv, effects=frozenset({Effect.ELEVATED} if name in ELEVATING else ())))
    return NOTHING


def _env(walk: Walk, call: ShellCall) -> Stream:
    spec = Spec.of("u|unset:", "C|chdir:", "S|split-string:", "i|ignore-environment", "0|null", "v|debug")
    given = read_arguments(call.argv[1:], spec, stop_at_operand=True)
    state, words, variables = call.state, given.operands, dict(call.variables)
    for folder in given.of("chdir"):
        state = replace(state, cwd=state.path(folder))
    if unset := tuple(name for name in given.of("unset") if sensitive_variable(name)):
        walk.add(Command(words=call.argv, via=call.via, sets=unset))
    for text in given.of("split-string"):
        return text_of_code(walk, call, " ".join((text, *map(shlex.quote, words))), None, inside=False)
    while words and (assigned := ASSIGNED.fullmatch(words[0])):
        variables[assigned[1]] = assigned[2]
        words = words[1:]
    if not words:
        note(walk, call, Command(words=call.argv, shows=() if given.has("ignore-environment") else ("*",)))
        return NOTHING
    return interpret(walk, replace(call.starting(words, state=state), variables=variables))


def _command(walk: Walk, call: ShellCall) -> Stream:
    words = [word for word in call.argv[1:] if word != "-p"]
    if not words or words[0] in ("-v", "-V"):
        note(walk, call, Command(words=call.argv))
        return Stream(text=words[1] + "\n") if words[:1] == ["-v"] and len(words) == 2 else NOTHING
    return interpret(walk, call.starting(words))


def _runner(walk: Walk, call: ShellCall) -> Stream:
    """`uv run …`, `docker exec …`: itself, and the command in it."""
    stream = _leaf(walk, call)
    runner = RUNNERS[call.argv[0], call.argv[1]]
    for text in read_arguments(call.argv[2:], runner.spec, stop_at_operand=True).of("call"):
        return text_of_code(walk, call, text, None, inside=False)
    words = runner.command_of(call.argv[2:])
    if not words:
        return stream
    elsewhere = call.argv[0] in ELSEWHERE
    state = replace(call.state.copy(), cwd=UNKNOWN) if elsewhere else call.state
    return interpret(walk, call.starting([word for word in words if word != "--"], state=state))


def _remote_runner(walk: Walk, call: ShellCall) -> Stream:
    """`npx …`, `uvx …`: fetches a program and runs it; one that is known here does what it always does."""
    stream = _leaf(walk, call)
    spec = Spec.of("c|call:", "p|package:", "from:", "with:", "python:")
    given = read_arguments(call.argv[1:], spec, stop_at_operand=True)
    for text in given.of("call"):
        return text_of_code(walk, call, text, None, inside=False)
    words = given.operands
    return interpret(walk, call.starting(words)) if words and _is_known(program_name(words[0])) else stream


def _later(walk: Walk, call: ShellCall) -> Stream:
    """`at`, `batch`: what they are given runs later."""
    stream = _leaf(walk, call)
    if call.io.stdin.text:
        return run_stream(walk, call.starting(("sh",)), call.io.stdin, ("sh",))
    return stream


_FOLLOWED: dict[str, Follow] = {
    **BUILTINS,
    "env": _env,
    "command": _command,
    "eval": evaluate,
    "source": source,
    ".": source,
    "xargs": xargs,
    "find": find,
    "fd": fd,
    "fdfind": fd,
    "at": _later,
    "batch": _later,
    "hyperfine": joined,
    "concurrently": joined,
    "ssh": ssh,
    "trap": trap,
    "su": option_c,
    "runuser": option_c,
    "script": option_c,
    "flock": option_c,
    "watch": joined,
    "parallel": joined,
    "tmux": joined,
    "screen": joined,
}
