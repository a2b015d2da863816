"""Programs that only start another one: which of their words are their own. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nightgarden.safety.tools.arguments import Spec, read_arguments


@dataclass(frozen=True, slots=True)
class Prefix:
    """Options that take a value, and how many words stand before the command."""

    spec: Spec
    before: int = 0

    def command_of(self, args: Sequence[str]) -> tuple[str, ...]:
        given = read_arguments(args, self.spec, stop_at_operand=True)
        return given.operands[self.before :]


_NONE = Spec.of()
_SUDO = Spec.of("u|user:", "g|group:", "h|host:", "p|prompt:", "C|close-from:", "D|chdir:", "R|chroot:",
    "T|command-timeout:",
                "U|other-user:", "r|role:", "t|type:", "s|shell", "i|login")  # fmt: skip
PREFIXES: dict[str, Prefix] = {
    "sudo": Prefix(_SUDO),
    "doas": Prefix(Spec.of("u:", "C:")),
    "pkexec": Prefix(Spec.of("user:")),
    "gosu": Prefix(_NONE, 1),
    "chroot": Prefix(Spec.of("userspec:", "groups:"), 1),
    "time": Prefix(Spec.of("f|format:", "o|output:")),
    "nice": Prefix(Spec.of("n|adjustment:")),
    "ionice": Prefix(Spec.of("c|class:", "n|classdata:", "p|pid:")),
    "chrt": Prefix(_NONE, 1),
    "taskset": Prefix(_NONE, 1),
    "timeout": Prefix(Spec.of("k|kill-after:", "s|signal:"), 1),
    "gtimeout": Prefix(Spec.of("k|kill-after:", "s|signal:"), 1),
    "nohup": Prefix(_NONE),
    "setsid": Prefix(_NONE),
    "stdbuf": Prefix(Spec.of("i|input:", "o|output:", "e|error:")),
    "unbuffer": Prefix(_NONE),
    "chronic": Prefix(_NONE),
    "builtin": Prefix(_NONE),
    "exec": Prefix(Spec.of("a:")),
    "busybox": Prefix(_NONE),
    "toybox": Prefix(_NONE),
    "strace": Prefix(Spec.of("o|output:", "e|trace:", "p|attach:", "s|string-limit:", "E|env:", "u|user:")),
    "ltrace": Prefix(Spec.of("o:", "e:", "p:", "s:")),
    "caffeinate": Prefix(Spec.of("t:", "w:")),
    "xvfb-run": Prefix(Spec.of("n|server-num:", "s|server-args:", "e|error-file:", "f|auth-file:")),
    "unshare": Prefix(_NONE),
    "nsenter": Prefix(Spec.of("t|target:")),
    "firejail": Prefix(_NONE),
    "faketime": Prefix(_NONE, 1),
    "dotenv": Prefix(Spec.of("f|file:")),
    "rlwrap": Prefix(_NONE),
    "catchsegv": Prefix(_NONE),
    "winpty": Prefix(_NONE),
    "chpst": Prefix(Spec.of("u:", "U:", "b:", "e:", "n:", "l:", "L:", "m:", "d:", "o:", "p:", "f:", "c:")),
    "systemd-run": Prefix(Spec.of("u|unit:", "p|property:", "M|machine:", "E|setenv:", "on-calendar:", "on-active:")),
    "systemd-inhibit": Prefix(Spec.of("what:", "who:", "why:", "mode:")),
    "flatpak-spawn": Prefix(Spec.of("directory:", "env:")),
    "dbus-run-session": Prefix(_NONE),
    "fakeroot": Prefix(_NONE),
    "eatmydata": Prefix(_NONE),
    "proxychains": Prefix(Spec.of("f:")),
    "proxychains4": Prefix(Spec.of("f:")),
    "torsocks": Prefix(_NONE),
    "torify": Prefix(_NONE),
    "watchexec": Prefix(Spec.of("e|exts:", "w|watch:", "i|ignore:", "f|filter:", "d|debounce:", "s|signal:")),
    "entr": Prefix(_NONE),
    "cpulimit": Prefix(Spec.of("l|limit:", "p|pid:")),
    "prlimit": Prefix(Spec.of("p|pid:")),
    "setarch": Prefix(_NONE, 1),
    "numactl": Prefix(Spec.of("N|cpunodebind:", "m|membind:", "C|physcpubind:")),
    "valgrind": Prefix(_NONE),
    "tini": Prefix(_NONE),
    "dumb-init": Prefix(_NONE),
    "envdir": Prefix(_NONE, 1),
}
BEYOND = frozenset({"systemd-run", "flatpak-spawn"})  # what they start runs outside of where they are started
ELEVATING = frozenset({"sudo", "doas", "pkexec", "su", "runuser", "gosu", "chroot", "nsenter"})
# Programs with a verb after which a command follows.
_CONTAINER = Spec.of(
    "e|env:", "v|volume:", "w|workdir:", "u|user:", "name:", "p|publish:", "network:", "entrypoint:", "env-file:",
    "mount:",
    "l|label:", "h|hostname:", "platform:", "memory:", "m:", "cpus:", "add-host:", "gpus:", "index:", "f|file:",
    "n|namespace:",
    "c|container:", "restart:", "pull:", "shm-size:", "ulimit:", "cap-add:", "cap-drop:", "device:", "tmpfs:",
    "log-driver:",
)  # fmt: skip
RUNNERS: dict[tuple[str, str], Prefix] = {
    ("uv", "run"): Prefix(
        Spec.of("with:", "p|python:", "project:", "directory:", "extra:", "group:", "env-file:", "m|module:")
    ),
    ("poetry", "run"): Prefix(_NONE),
    ("pipenv", "run"): Prefix(_NONE),
    ("pdm", "run"): Prefix(_NONE),
    ("hatch", "run"): Prefix(_NONE),
    ("rye", "run"): Prefix(_NONE),
    ("pixi", "run"): Prefix(_NONE),
    ("bundle", "exec"): Prefix(_NONE),
    ("mise", "exec"): Prefix(_NONE),
    ("mise", "x"): Prefix(_NONE),
    ("direnv", "exec"): Prefix(_NONE, 1),
    ("conda", "run"): Prefix(Spec.of("n|name:", "p|prefix:")),
    ("op", "run"): Prefix(Spec.of("env-file:")),
    ("doppler", "run"): Prefix(Spec.of("p|project:", "c|config:")),
    **{
        (name, verb): Prefix(Spec.of("c|call:", "p|package:"))
        for name in ("npm", "pnpm", "yarn", "bun")
        for verb in ("exec", "x", "dlx")
    },
    ("pipx", "run"): Prefix(Spec.of("spec:", "python:", "pip-args:")),
    ("foreman", "run"): Prefix(Spec.of("e|env:")),
    ("honcho", "run"): Prefix(Spec.of("e|env:")),
    ("docker", "exec"): Prefix(_CONTAINER, 1),
    ("docker", "run"): Prefix(_CONTAINER, 1),
    ("podman", "exec"): Prefix(_CONTAINER, 1),
    ("podman", "run"): Prefix(_CONTAINER, 1),
    ("kubectl", "exec"): Prefix(_CONTAINER, 1),
    ("docker-compose", "exec"): Prefix(_CONTAINER, 1),
    ("docker-compose", "run"): Prefix(_CONTAINER, 1),
}
ELSEWHERE = frozenset(
    {"docker", "podman", "kubectl", "docker-compose", "ssh", "chroot"}
)  # paths there are not paths here
SHELLS = frozenset("sh bash zsh dash ksh mksh ash fish rbash csh tcsh".split())
# Interpreters, and the options after which code stands.
_NODE = ("-e", "--eval", "-p", "--print")
INTERPRETERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "tclsh"), ("-c",)),
    **dict.fromkeys(("node", "nodejs", "bun"), _NODE),
    "deno": ("eval",),
    "perl": ("-e", "-E"),
    "php": ("-r", "--run"),
    **dict.fromkeys(("ruby", "lua", "osascript", "Rscript"), ("-e",)),
}
