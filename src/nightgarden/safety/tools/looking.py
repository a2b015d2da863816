"""Programs that look at the system or print what they are told, and the few options with which they do more. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from nightgarden.safety.command_reading import Command, Effect
from nightgarden.safety.tools.arguments import Arguments, Spec, read_arguments
from nightgarden.safety.tools.described import Describe, Described, Invocation

HARMLESS = frozenset(
    "echo printf pwd ls ll dir vdir tree exa eza stat du df date cal uptime whoami id groups who w uname hostname "
    "arch nproc "
    "free ps top htop pgrep pidof lsof which whereis type hash help man info whatis apropos true false : test [ [[ "
    "expr seq "
    "sleep wait jobs tty basename dirname realpath readlink cksum yes tput clear reset locale getconf ulimit umask "
    "times "
    "printenv tr numfmt factor bc dc shuf lscpu lsblk lsusb lspci dmesg vmstat iostat netstat ss ip ifconfig nproc "
    "sw_vers "
    "cloc tokei scc locate history fc dirs popd exit return break continue shift getopts shopt set unset "
    "local "
    "declare typeset readonly export alias unalias bg fg disown let caller compgen complete bind enable builtin "
    "suspend "
    "logout read mapfile readarray cd pushd chdir command hostnamectl timedatectl".split()
)  # fmt: skip
_LOADING = ("hash", "enable", "bind")  # with options they change what a name or a key means


def _never(_: Arguments) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class _More:
    """What some options of a program do; `alters` says whether these arguments change the system or the shell."""

    spec: Spec
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()  # their values are commands
    reads_operands: bool = False
    alters: Callable[[Arguments], bool] = _never


def _begins_with(*verbs: str) -> Callable[[Arguments], bool]:
    return lambda given: bool(given.operands) and given.operands[0].startswith(verbs)


def _sets_the_date(given: Arguments) -> bool:
    told = any(not word.startswith("+") for word in given.operands)
    return given.has("set") or (told and not given.has("j"))  # -j: BSD's way to say "only show"


_IP_CHANGES = frozenset(
    "add a del delete d change replace set flush append prepend exec restore attach detach up down".split()
)
_MORE: dict[str, _More] = {
    "tree": _More(spec=Spec.of("o:", "L:", "P:", "I:", "H:", "T:", "filelimit:", "gitfile:", "sort:"), writes=("o",)),
    "shuf": _More(
        spec=Spec.of("o|output:", "n|head-count:", "i|input-range:", "random-source:", "e|echo"),
        writes=("output",),
        reads_operands=True,
    ),
    "date": _More(
        spec=Spec.of("s|set:", "f|file:", "r|reference:", "d|date:", "v:", "j"), reads=("file",), alters=_sets_the_date
    ),
    "du": _More(spec=Spec.of("files0-from:", "exclude:", "X|exclude-from:", "d|max-depth:", "t|threshold:", "B:"),
                reads=("files0-from", "exclude-from")),
    "hostname": _More(
        spec=Spec.of("F|file:", "b|boot"), alters=lambda given: bool(given.operands) or given.has("file", "boot")
    ),
    "hostnamectl": _More(spec=Spec.of("H|host:"), alters=lambda given: given.operands[:1] not in ((), ("status",))),
    "timedatectl": _More(spec=Spec.of(), alters=_begins_with("set", "ntp-")),
    "ip": _More(spec=Spec.of("b|batch:"), alters=lambda given: not _IP_CHANGES.isdisjoint(given.operands[1:])),
    "ifconfig": _More(spec=Spec.of(), alters=lambda given: len(given.operands) > 1),
    "ss": _More(spec=Spec.of("K|kill", "D|diag:", "F|filter:", "f|family:"), writes=("diag",), reads=("filter",),
                alters=lambda given: given.has("kill")),
    "dmesg": _More(
        spec=Spec.of("C|clear", "c|read-clear", "D|console-off", "E|console-on", "n|console-level:", "F|file:"),
        reads=("file",),
        alters=lambda given: given.has("clear", "read-clear", "console-off", "console-on", "console-level"),
    ),
    "history": _More(
        spec=Spec.of("w:", "a:", "d:", "s:", "p:"),
        writes=("w", "a"),
        alters=lambda given: given.has("c", "d", "w", "a", "r", "n", "s"),
    ),
    "fc": _More(spec=Spec.of("e:"), runs=("e",), alters=lambda given: not given.has("l")),
    "compgen": _More(spec=Spec.of("C:", "F:", "W:"), runs=("C", "F", "W")),
    "jobs": _More(spec=Spec.of("x:"), runs=("x",)),
    "man": _More(spec=Spec.of("P|pager:", "H|html", "C|config-file:", "M|manpath:", "k", "f", "s:", "S:", "a"),
                 runs=("pager",), alters=lambda given: given.has("html", "config-file", "manpath")),
    "info": _More(spec=Spec.of("o|output:", "f|file:", "n|node:"), writes=("output",)),
    "bc": _More(spec=Spec.of("e|expression:", "f|file:"), reads=("file",), reads_operands=True),
    "dc": _More(spec=Spec.of("e|expression:", "f|file:"), reads=("file",), reads_operands=True),
}  # fmt: skip


def _look(call: Invocation) -> Described:
    if call.name in _LOADING and any(word.startswith("-") for word in call.args):
        return Described(command=call.command(unknown=(f"{call.name} may change what names mean",)))
    more = _MORE.get(call.name)
    if more is None:
        return Described(command=_shown(call, call.command()))
    given = read_arguments(call.args, more.spec)
    named = given.operands if more.reads_operands and not given.has("echo") else ()
    command = call.command(reads=call.paths(*given.of(*more.reads), *named), writes=call.paths(*given.of(*more.writes)))
    runs = tuple(text for text in given.of(*more.runs) if text)
    if runs or (call.name == "dc" and _dc_runs(call, given)):
        command = replace(command, effects=frozenset({Effect.CODE}))
    if more.alters(given):
        command = replace(command, effects=command.effects | {Effect.SERVICE})
    return Described(command=_shown(call, command), scripts=runs)


def _dc_runs(call: Invocation, given: Arguments) -> bool:
    """In dc, `!` starts a command."""
    code = [*given.of("expression"), call.stdin.text if call.stdin.text is not None else "!"]
    return given.has("file") or bool(given.operands) or any("!" in text for text in code)


def _shown(call: Invocation, command: Command) -> Command:
    """With the variables of the environment that it prints."""
    match call.name, call.args:
        case "printenv", names:
            shown = tuple(word for word in names if not word.startswith("-")) or ("*",)
        case "ps", (first, *_) if not first.startswith("-") and "e" in first:  # BSD's way to show it
            shown = ("*",)
        case _:
            shown = ()
    return replace(command, shows=shown)


LOOKING_PROGRAMS: dict[str, Describe] = dict.fromkeys(HARMLESS, _look)
