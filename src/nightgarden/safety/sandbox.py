"""Commands in a sandbox: no network, only the worktree writable, a private /tmp and home, no secrets of the user.

Uses bubblewrap where it is installed and user namespaces work; there is no other sandbox, and without one a command
that does more than read is asked about first. Limits hold on time, memory, processes and output.

Not covered: a fault in the kernel; files with secrets inside the worktree that are not named like ones; what is left in
the worktree for the user to run later (a changed Makefile); git objects and branches of the repository, which a commit
has to write. The repository's hooks and settings are read-only in it.
"""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from nightgarden.machine import programs
from nightgarden.machine.plain_files import read_small
from nightgarden.safety.secret_files import is_secret
from nightgarden.scope import git_folder_at

PROBE_SECONDS = 5.0
OUTPUT_CHARS_MAX = 60_000
FILES_LOOKED_AT = 20_000
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/etc/alternatives", "/etc/ssl", "/etc/pki")
_SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/mime.types",
)
_SKIPPED = frozenset({"node_modules", ".venv", "__pycache__"})
_ENVIRONMENT = ("LANG", "TZ", "TERM")  # and LC_*; nothing else of the user's


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """Where a command is cut off."""

    seconds: float = 300.0
    memory_bytes: int = 4_000_000_000
    processes: int = 512
    file_bytes: int = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command did: its status (None: it was cut off) and its output, shortened in the middle."""

    status: int | None
    output: str

    @property
    def ok(self) -> bool:
        return self.status == 0


def find_sandbox(env: Mapping[str, str] | None = None) -> str | None:
    """The path of a bubblewrap that works here; None where there is none."""
    path = programs.clean(os.environ if env is None else env).get("PATH", os.defpath)
    found = shutil.which("bwrap", path=path)
    return found if found is not None and _works(os.path.realpath(found)) else None


@cache
def _works(program: str) -> bool:
    """Asked once a process: some machines have the program and forbid what it needs."""
    words = [program, "--unshare-all", "--ro-bind", "/", "/", "--", "true"]
    try:
        return programs.run(words, cwd="/", env={"PATH": os.defpath}, seconds=PROBE_SECONDS).returncode == 0
    except (OSError, TimeoutError):
        return False


async def run_sandboxed(
    command: str,
    *,
    worktree: Path,
    directory: Path | None = None,
    limits: SandboxLimits | None = None,
    env: Mapping[str, str] | None = None,
) -> Ran:
    """Runs a line of shell in the sandbox. Raises OSError where there is no sandbox."""
    program = find_sandbox(env)
    if program is None:
        raise OSError("there is no working bubblewrap (bwrap) on this machine")
    limits = limits or SandboxLimits()
    words = await asyncio.to_thread(sandbox_words, program, worktree, directory or worktree)
    shell = ["/bin/sh", "-c", f'{_limits(limits)}; exec /bin/sh -c "$1"', "sh", command]
    try:
        status, out, err = await programs.run_group(
            [*words, "--", *shell], cwd="/", env={"PATH": os.defpath}, given=b"", seconds=limits.seconds
        )
    except TimeoutError:
        return Ran(status=None, output=f"cut off after {limits.seconds:g} s")
    text = (out + (b"\n" if out and err else b"") + err).decode("utf-8", "replace")
    return Ran(status=status, output=shortened(text))


def sandbox_words(program: str, worktree: Path, directory: Path) -> list[str]:
    """The command line of bubblewrap up to the command."""
    tree = os.path.realpath(worktree)
    words = [program, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    for path in map(Path, _SYSTEM):
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    words += [w for path in _SYSTEM_FILES if Path(path).is_file() for w in ("--ro-bind", path, path)]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/home/agent"]
    words += [*_tree_binds(Path(tree)), "--chdir", os.path.realpath(directory)]
    for name, value in _environment().items():
        words += ["--setenv", name, value]
    return words


def _tree_binds(tree: Path) -> Iterator[str]:
    yield from ("--bind", str(tree), str(tree))
    folder = git_folder_at(tree)
    if folder is not None:
        common = _common(folder)
        if not common.is_relative_to(tree):
            yield from ("--bind", str(common), str(common))
        for name in ("hooks", "config", "config.worktree", "info"):
            for place in dict.fromkeys((common, folder)):
                if (place / name).exists():
                    yield from ("--ro-bind", str(place / name), str(place / name))
    for path in _secrets_in(tree):
        yield from ("--ro-bind", "/dev/null", path)


def _common(folder: Path) -> Path:
    with suppress(OSError, UnicodeDecodeError):
        said = read_small(folder / "commondir").text.strip()
        return Path(os.path.realpath(folder / said))
    return folder


def _secrets_in(tree: Path) -> Iterator[str]:
    """Files named like ones with secrets: empty in the sandbox."""

    def walk() -> Iterator[Path]:
        for root, folders, names in os.walk(tree):
            folders[:] = [name for name in folders if name not in _SKIPPED]
            yield from (Path(root, name) for name in names)

    for path in islice(walk(), FILES_LOOKED_AT):
        if is_secret(str(path)) and path.is_file() and not path.is_symlink():
            yield str(path)


def _environment() -> dict[str, str]:
    kept = {n: v for n, v in os.environ.items() if n in _ENVIRONMENT or n.startswith("LC_")}
    own = {"HOME": "/home/agent", "PATH": "/usr/local/bin:/usr/bin:/bin", "TMPDIR": "/tmp", "GIT_TERMINAL_PROMPT": "0"}
    return kept | own


def _limits(limits: SandboxLimits) -> str:
    """As the shell sets them, on itself and so on all that it starts. What the machine does not take is left."""
    blocks = limits.file_bytes // 512
    ceiling = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    processes = limits.processes if ceiling < 0 else min(limits.processes, ceiling)
    return (
        f"ulimit -v {limits.memory_bytes // 1024} 2>/dev/null; ulimit -f {blocks} 2>/dev/null; "
        f"ulimit -u {processes} 2>/dev/null; ulimit -c 0 2>/dev/null"
    )


def shortened(text: str) -> str:
    """A long output without its middle."""
    if len(text) <= OUTPUT_CHARS_MAX:
        return text
    half = OUTPUT_CHARS_MAX // 2
    return f"{text[:half]}\n… {len(text) - OUTPUT_CHARS_MAX:,} characters left out …\n{text[-half:]}"
