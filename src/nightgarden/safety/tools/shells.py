"""Text and files that are run as shell: `sh -c`, `eval`, `source`, here-documents, scripts written on the way."""

from __future__ import annotations

from dataclasses import replace

from nightgarden.safety.command_reading import UNKNOWN, Command, Effect
from nightgarden.safety.shell.state import EMPTY, NOTHING, Stream
from nightgarden.safety.shell.walk import ShellCall, Walk, sensitive_variable
from nightgarden.safety.tools.arguments import Spec, read_arguments
from nightgarden.safety.tools.builtins import note


def opaque(walk: Walk, call: ShellCall, reason: str, *, fetched: bool, executes: tuple[str, ...] = ()) -> Stream:
    """Runs code that is not known here."""
    effects = frozenset({Effect.REMOTE_CODE, Effect.CODE} if fetched else {Effect.CODE})
    note(walk, call, Command(words=call.argv, effects=effects, executes=executes, unknown=(reason,)))
    return Stream(fetched=fetched)


def text_of_code(walk: Walk, call: ShellCall, text: str, parameters: tuple[str, ...] | None, *, inside: bool) -> Stream:
    """Runs a text as shell, in this shell (`inside`) or in one of its own."""
    if UNKNOWN in text and not text.replace(UNKNOWN, "").strip():
        return opaque(walk, call, "the code is only known when it runs", fetched=call.fetched)
    if call.fetched and UNKNOWN in text:
        opaque(walk, call, "a part of the code is only known when it runs", fetched=True)
    state = call.state if inside else call.state.copy()
    if parameters is not None:
        state = replace(state, parameters=parameters)
    via = call.via if inside else (*call.via, call.argv[0])
    stream = walk.run_text(text, state, call.io.stdin, via=via)
    return replace(stream, fetched=stream.fetched or call.fetched)


_SHELL = Spec.of(
    "c", "s", "i", "l|login", "o:", "O:", "rcfile:", "init-file:", "e", "u", "x", "v", "n", "norc", "noprofile"
)


def run_shell(walk: Walk, call: ShellCall) -> Stream:
    args = tuple("-" + word[1:] if word.startswith("+") else word for word in call.argv[1:])
    given = read_arguments(args, _SHELL, stop_at_operand=True)
    for file in given.of("rcfile", "init-file"):
        run_file(walk, call, file)
    for name in call.variables:
        if sensitive_variable(name):  # the shell itself acts on it, whatever it is told to do
            note(walk, call, Command(words=call.argv, effects=frozenset({Effect.CODE})))
    if given.has("c"):
        if not given.operands:
            return NOTHING
        return text_of_code(walk, call, given.operands[0], given.operands[1:] or (call.argv[0],), inside=False)
    if given.operands and not given.has("s"):
        file = given.operands[0]
        if file not in ("-", "/dev/stdin", "/proc/self/fd/0"):
            return run_file(walk, call, file, given.operands)
    if call.io.sends:  # whoever is at the other end says what it does
        return opaque(walk, call, "the code it reads comes from the network", fetched=True)
    return run_stream(walk, call, call.io.stdin, (call.argv[0], *given.operands))


def run_stream(
    walk: Walk, call: ShellCall, stream: Stream, parameters: tuple[str, ...], *, inside: bool = False
) -> Stream:
    if stream.text is None or (stream.fetched and UNKNOWN in stream.text):
        return opaque(walk, call, "the code it reads is only known when it runs", fetched=stream.fetched)
    if not stream.text.strip():
        return EMPTY
    code = replace(call, fetched=call.fetched or stream.fetched)
    return text_of_code(walk, code, stream.text, parameters, inside=inside)


def run_file(
    walk: Walk, call: ShellCall, file: str, parameters: tuple[str, ...] = (), *, inside: bool = False
) -> Stream:
    """Runs a file: one written on the way is read, any other is named."""
    path = call.state.path(file)
    if (stream := walk.files.get(path)) is not None:
        return run_stream(walk, call, stream, parameters or (file,), inside=inside)
    note(walk, call, Command(words=call.argv, reads=(path,), executes=(path,), effects=frozenset({Effect.CODE})))
    return NOTHING


def source(walk: Walk, call: ShellCall) -> Stream:
    if len(call.argv) < 2:
        return EMPTY
    if call.argv[1] in ("/dev/stdin", "-"):
        return run_stream(walk, call, call.io.stdin, call.argv[1:], inside=True)
    return run_file(walk, call, call.argv[1], call.argv[1:], inside=True)


def evaluate(walk: Walk, call: ShellCall) -> Stream:
    return text_of_code(walk, call, " ".join(call.argv[1:]), None, inside=True)
