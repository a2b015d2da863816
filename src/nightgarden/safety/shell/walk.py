"""Which simple commands a script would run, in order, with their words worked out as far as they can be.

Conditions are not decided: every branch counts. Loops are read once,
    with their variable standing for all of its values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from nightgarden.domain.secret_names import tellings
from nightgarden.safety.command_reading import UNKNOWN, Command
from nightgarden.safety.shell.expand import Expander, TooMuch
from nightgarden.safety.shell.parse import parse
from nightgarden.safety.shell.state import EMPTY, NOTHING, ShellState, Stream, Value
from nightgarden.safety.shell.tree import (
    Assignment,
    CommandGroup,
    Function,
    Literal,
    Loop,
    Node,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Variable,
)
from nightgarden.safety.shell.words import NotShell

COMMANDS_MAX = 400
DEPTH_MAX = 16  # shells in shells, functions in functions
CHARS_MAX = 400_000  # of all texts that are read as shell, together
CHOICES_MAX = 16
_QUIET_FILES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/random", "/dev/urandom")


@dataclass(slots=True, kw_only=True)
class Io:
    """Where the input and output of one command lead."""

    stdin: Stream
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()
    noted: bool = False  # it is part of a command that was found


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellCall:
    """A command whose words are known."""

    argv: tuple[str, ...]
    state: ShellState
    io: Io
    variables: dict[str, str] = field(default_factory=dict)  # set for this command only
    via: tuple[str, ...] = ()
    fetched: bool = False  # its words hold text from the network
    secrets: frozenset[str] = frozenset()  # variables of the environment that its words hold

    def starting(
        self, argv: Sequence[str], *, state: ShellState | None = None, stdin: Stream | None = None
    ) -> ShellCall:
        """The command that this one starts."""
        io = self.io if stdin is None else Io(stdin=stdin)
        return replace(self, argv=tuple(argv), via=(*self.via, self.argv[0]), state=state or self.state, io=io)


@dataclass(slots=True)
class Walk:
    """Collects what it meets. `meaning` notes what a command does, and gives what it prints."""

    meaning: Callable[[Walk, ShellCall], Stream]
    found: list[Command] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    files: dict[str, Stream] = field(default_factory=dict)  # what is known to be in files written on the way
    depth: int = 0
    chars: int = 0

    def run_text(self, text: str, state: ShellState, stdin: Stream = EMPTY, *, via: tuple[str, ...] = ()) -> Stream:
        """Reads a text as shell. What cannot be read is noted as unknown."""
        self.chars += len(text)
        self.depth += 1
        try:
            if self.depth > DEPTH_MAX or self.chars > CHARS_MAX:
                raise TooMuch("shells start shells too often")
            return self._script(parse(text), state, stdin, via)
        except NotShell as error:
            self.unknown.append(f"a part of it cannot be read as shell: {error}")
            return NOTHING
        finally:
            self.depth -= 1

    def add(self, command: Command) -> None:
        if len(self.found) >= COMMANDS_MAX:
            raise TooMuch(f"it runs more than {COMMANDS_MAX} commands")
        self.found.append(command)

    # -- the tree --------------------------------------------------------------------------------------------------
    def _script(self, script: Script, state: ShellState, stdin: Stream, via: tuple[str, ...]) -> Stream:
        texts: list[str] | None = []
        fetched = False
        for pipeline in script:
            stream = self._pipeline(pipeline, state, stdin, via)
            fetched = fetched or stream.fetched
            if stream.text is None:
                texts = None
            elif texts is not None:
                texts.append(stream.text)
        return Stream(text=None if texts is None else "".join(texts), fetched=fetched)

    def _pipeline(self, pipeline: Pipeline, state: ShellState, stdin: Stream, via: tuple[str, ...]) -> Stream:
        flow = stdin
        for number, node in enumerate(pipeline):
            fetched, before = flow.fetched, len(self.found)
            flow = self._node(node, state if len(pipeline) == 1 else state.copy(), flow, via)
            flow = replace(flow, fetched=flow.fetched or fetched)
            if number and before and self.found[before - 1].shows == ("*",) and _picks(self.found[before:]):
                self.found[before - 1] = replace(self.found[before - 1], shows=())
        return flow

    def _node(self, node: Node, state: ShellState, stdin: Stream, via: tuple[str, ...]) -> Stream:
        match node:
            case Simple():
                return self._simple(node, state, stdin, via)
            case CommandGroup(body=body, redirects=redirects, subshell=subshell):
                io = self._io(redirects, state, stdin, via)
                stream = self._script(body, state.copy() if subshell else state, io.stdin, via)
                self._note_io(io, (), stream)
                return stream
            case Loop(name=name, words=words):
                texts = tuple(self._expander(state, via).fields(words))
                state.variables[name] = Value(texts=texts or (UNKNOWN,), choice=True)
                return EMPTY
            case Function(name=name, body=body):
                state.functions[name] = body
                return EMPTY

    def _expander(self, state: ShellState, via: tuple[str, ...], stdin: Stream = NOTHING) -> Expander:
        """Substitutions read what their command would read."""
        return Expander(state, lambda body: self._script(body, state.copy(), stdin, via), self.files)

    def _simple(self, node: Simple, state: ShellState, stdin: Stream, via: tuple[str, ...]) -> Stream:
        expander = self._expander(state, via, stdin)
        node = self._unaliased(node, state)
        io = self._io(node.redirects, state, stdin, via)
        if not node.words:
            for assignment in node.assignments:
                self._assign(assignment, state, via, stdin)
            stream = NOTHING if node.redirects else EMPTY
            self._note_io(io, (), stream)
            return stream
        variables = {each.name: expander.text(each.values[0]) for each in node.assignments if each.values}
        stream = NOTHING
        for argv in self._argvs(node, state, expander):
            call = ShellCall(
                argv=argv,
                state=state,
                io=io,
                variables=variables,
                via=via,
                fetched=expander.fetched,
                secrets=frozenset(expander.secrets),
            )
            stream = self.meaning(self, call)
        self._note_io(io, (), stream)
        return stream

    def _argvs(self, node: Simple, state: ShellState, expander: Expander) -> list[tuple[str, ...]]:
        """The words; once for each value where a loop's variable is among them."""
        variables = (part for word in node.words for part in word if isinstance(part, Variable))
        name = next((each.name for each in variables if (value := state.find(each.name)) and value.choice), None)
        if name is None:
            fields = expander.fields(node.words)
            return [tuple(fields)] if fields else []
        choice, found = state.variables[name], []
        texts = choice.texts if len(choice.texts) <= CHOICES_MAX else (*choice.texts[:CHOICES_MAX], UNKNOWN)
        for text in texts:
            state.variables[name] = Value(texts=(text,))
            found.append(tuple(expander.fields(node.words)))
        state.variables[name] = choice
        return [fields for fields in found if fields]

    def _unaliased(self, node: Simple, state: ShellState) -> Simple:
        match node.words[:1]:
            case ((Literal(text, False),),) if text in state.aliases:
                try:
                    script = parse(state.aliases[text])
                except NotShell:
                    return node
                if len(script) == 1 and len(script[0]) == 1 and isinstance(inner := script[0][0], Simple):
                    return replace(
                        inner,
                        words=(*inner.words, *node.words[1:]),
                        assignments=(*node.assignments, *inner.assignments),
                        redirects=(*inner.redirects, *node.redirects),
                    )
                words = ((Literal("eval"),), (Literal(state.aliases[text], True),), *node.words[1:])
                return replace(node, words=words)
        return node

    def _assign(self, assignment: Assignment, state: ShellState, via: tuple[str, ...], stdin: Stream) -> None:
        expander = self._expander(state, via, stdin)
        if assignment.array:
            texts = tuple(expander.fields(assignment.values))
        else:
            texts = (expander.text(assignment.values[0]) if assignment.values else "",)
        known = state.variables.get(assignment.name)
        if assignment.append:
            before = known.texts if known is not None else ()
            texts = (*before, *texts) if assignment.array else ("".join((*before[:1], *texts)),)
        fetched = expander.fetched or (known is not None and assignment.append and known.fetched)
        secrets = frozenset(expander.secrets) | (known.secrets if known is not None and assignment.append else set())
        value = Value(texts=texts, array=assignment.array, fetched=fetched, secrets=secrets)
        self.assign(state, assignment.name, value, via)

    def assign(self, state: ShellState, name: str, value: Value, via: tuple[str, ...] = ()) -> None:
        state.variables[name] = value
        if reason := sensitive_variable(name):
            words = ("export", f"{name}={' '.join(value.texts)}")
            self.add(Command(words=words, via=via, sets=(name,), unknown=(reason,)))

    # -- input and output ------------------------------------------------------------------------------------------
    def _io(self, redirects: Sequence[Redirect], state: ShellState, stdin: Stream, via: tuple[str, ...]) -> Io:
        io = Io(stdin=stdin)
        for redirect in redirects:
            if redirect.operator in ("<&", ">&"):
                io.stdin = NOTHING if redirect.operator == "<&" else io.stdin
                continue
            expander = self._expander(state, via)
            text = expander.text(redirect.target)
            if redirect.operator in ("<<", "<<<"):
                text = text + "\n" if redirect.operator == "<<<" else text
                io.stdin = Stream(text=text, fetched=expander.fetched)
                continue
            self._target(redirect.operator, text, state, io)
        return io

    def _target(self, operator: str, text: str, state: ShellState, io: Io) -> None:
        if text.startswith(("/dev/tcp/", "/dev/udp/")):
            io.sends = (*io.sends, text.split("/")[3] or UNKNOWN)
            io.stdin = Stream(fetched=True) if operator == "<" else io.stdin
            return
        path = state.path(text)
        if operator == "<" and path in self.files:
            io.stdin = self.files[path]
        if path in _QUIET_FILES or path.startswith(("/dev/fd/", "/proc/self/fd/")) or path == "/dev/stdin":
            return
        if operator == "<":
            io.reads = (*io.reads, path)
            io.stdin = self.files.get(path, NOTHING)
        else:
            io.writes = (*io.writes, path)

    def _note_io(self, io: Io, words: tuple[str, ...], stream: Stream) -> None:
        """What a command prints is then in the files it is sent to."""
        for path in io.writes:
            self.files[path] = stream
        if not io.noted and (io.reads or io.writes or io.sends):
            text = (stream.text or "") if io.writes else ""
            self.add(Command(words=words or (">",), reads=io.reads, writes=io.writes, sends=io.sends, text=text))
        io.noted = True

    # -- one command -----------------------------------------------------------------------------------------------
    def run_function(self, call: ShellCall, body: Script) -> Stream:
        self.depth += 1
        try:
            if self.depth > DEPTH_MAX:
                raise TooMuch("functions call functions too often")
            state = replace(call.state, parameters=call.argv)
            return self._script(body, state, call.io.stdin, call.via)
        finally:
            self.depth -= 1


_PICKED = re.compile(r"\^?[A-Za-z_]{3,40}=?(?:\|\^?[A-Za-z_]{3,40}=?){0,9}")


def _picks(commands: Sequence[Command]) -> bool:
    """Whether a pipe ends in a search for plain names, so that of `env | grep NODE` only those are seen."""
    if len(commands) != 1 or commands[0].program not in ("grep", "egrep", "rg"):
        return False
    words = commands[0].words[1:]
    patterns = [word for word in words if word not in ("-i", "-E", "-w", "-n", "-c", "-q", "-iE", "-Ei")]
    if len(patterns) != 1 or _PICKED.fullmatch(patterns[0]) is None:
        return False
    low = patterns[0].lower()
    return not tellings(low) and not any(cloud in low for cloud in ("aws", "gcp", "google", "arm_", "tf_"))


_NAMES_MEAN = frozenset("PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV PS4".split())
_PROGRAMS_DO = frozenset(
    "PROMPT_COMMAND SHELLOPTS GIT_EXEC_PATH GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_TEMPLATE_DIR GIT_PROXY_COMMAND "
    "NODE_OPTIONS PYTHONSTARTUP PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS LESS LESSKEYIN MANOPT HUSKY HUSKY_SKIP_HOOKS".split()
)


def sensitive_variable(name: str) -> str:
    """Why setting this variable changes what later commands mean; empty when it does not."""
    if name in _NAMES_MEAN:
        return f"{name} is changed, so names may mean other programs"
    if name in _PROGRAMS_DO or name.startswith(("GIT_CONFIG", "NIGHTGARDEN_")):
        return f"{name} is changed, so programs may do other things"
    return ""
