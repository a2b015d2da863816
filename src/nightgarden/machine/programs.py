"""How other programs are started: the one place that names Python, and the only one that starts a process.

A directory that a user works in holds the code of strangers, and so may its environment (tools that load a project's
`.env`). Nothing of either may run in us. So our own Python is started with two switches: `-P`, because `python -m` puts
the working directory first on its path, where a `json.py` would be imported instead of the real one; and `-E`, because
an empty part in `PYTHONPATH` means the working directory too. Not with `-I`, which is both of these and leaves out the
user's site packages: an installation by `pip install --user` lies there. Our package is started by its path, so that it
is found wherever it was installed, and what it starts gets a cleaned environment and a working directory of its own.

Not covered: `python -m nightgarden` typed by a user in such a directory; the command `nightgarden` is safe there.
Imports `os` and `sys` alone, for hooks start daemons and every import delays them.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs hooks 4 ms
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterable, Mapping, Sequence

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_HOOK = os.path.join(_PACKAGE, "surfaces", "hooks", "process.py")
# What makes a program load code or run commands of somebody else's choice: beginnings of names, and whole names.
_DANGEROUS = ("PYTHON", "LD_", "DYLD_", "GIT_", "PERL", "RUBY", "NODE_", "JAVA_TOOL_", "BASH_FUNC_", "OPENSSL_")
_DANGEROUS_NAMES = ("ENV", "BASH_ENV", "PAGER", "EDITOR", "VISUAL", "GCONV_PATH")
# What a process that lives for everybody needs of the one who happened to start it: who the user is and where their
# things are, language and time, and how the network is reached.
_LASTING = frozenset(
    {
        *("HOME", "USER", "LOGNAME", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP"),
        *("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"),
        "NG_CLASSIFIER_FOLDER",  # where the classifier's files are, if not in the package
        *("CLAUDE_CONFIG_DIR", "CODEX_HOME"),  # where the user's clients keep their sessions
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"),
        *("PGPASSFILE", "PGSERVICEFILE", "PGSSLMODE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY", "PGPASSWORD"),
        *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME", "USERDOMAIN"),
        *("APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "NUMBER_OF_PROCESSORS"),
    }
)

_ERRORS_BYTES_MAX = 64 << 10
_LINE_BYTES_MAX = 16 << 20


def own_words(*arguments: str) -> list[str]:
    """The command line that runs us with these arguments, by absolute paths."""
    return python_words(os.path.join(_PACKAGE, "__main__.py"), *arguments)


def hook_words(home: str) -> list[str]:
    """The hook's own file: it needs nothing installed, so it goes without site packages, 10 to 20 ms faster."""
    return [_python(), "-I", "-S", _HOOK, "--home", home]


def python_words(*words: str) -> list[str]:
    """This Python with a script by path, or with `-m` and an installed module."""
    return [_python(), "-E", "-P", *words]


def _python() -> str:
    return sys.executable


def one_line(words: Sequence[str]) -> str:
    """A command line as one text for a shell."""
    if os.name == "nt":
        import subprocess  # 8 ms, and never in a hook

        return subprocess.list2cmdline(words)
    import shlex  # 5 ms, and never in a hook

    return shlex.join(words)


def clean(env: Mapping[str, str]) -> dict[str, str]:
    """The environment without what makes programs load foreign code."""
    return {name: _plain(name, value) for name, value in env.items() if not _is_dangerous(name.upper())}


def lasting(env: Mapping[str, str], named: Iterable[str] = ()) -> dict[str, str]:
    """What of the environment a process may have that outlives its caller and serves others; `named` goes with it."""
    wanted = _LASTING | set(named)
    kept = {n: v for n, v in env.items() if n in wanted or n.upper() in wanted or n.startswith("LC_")}
    return {name: _plain(name, value) for name, value in kept.items() if not _is_dangerous(name.upper())}


def _is_dangerous(name: str) -> bool:
    return name in _DANGEROUS_NAMES or name.startswith(_DANGEROUS)


def _plain(name: str, value: str) -> str:
    """A path of programs without its relative parts: those mean the working directory."""
    if name.upper() != "PATH":
        return value
    return os.pathsep.join(part for part in value.split(os.pathsep) if os.path.isabs(part))


def run(
    words: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    env: Mapping[str, str] | None = None,
    given: bytes = b"",
    seconds: float | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Runs a program to its end, in a cleaned environment. Raises OSError, or TimeoutError after so many seconds."""
    import subprocess  # 8 ms, which a hook on its usual way does without

    cleaned = clean(os.environ if env is None else env)
    try:
        return subprocess.run(
            words, cwd=cwd, env=cleaned, input=given, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"{words[0]} took longer than {seconds:g} s") from None


def converse(
    words: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    env: Mapping[str, str],
    given: bytes,
    until: Callable[[bytes], bool],
    seconds: float,
) -> bytes:
    """The first line for which `until` holds, of a program that answers only while its input stays open. It is ended
    then. Raises OSError, also when it ends without such a line, or TimeoutError after so many seconds."""
    import subprocess  # as above, and the others in the same way
    import threading
    from contextlib import suppress

    process = subprocess.Popen(
        words,
        cwd=cwd,
        env=clean(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    late = threading.Timer(seconds, _kill_group, [process])
    late.start()
    try:
        process.stdin.write(given)
        process.stdin.flush()
        for line in process.stdout:
            if until(line):
                return line
        if not late.is_alive():
            raise TimeoutError(f"{words[0]} took longer than {seconds:g} s")
        raise OSError(f"{words[0]} ended without an answer")
    finally:
        late.cancel()
        _kill_group(process)
        process.wait()
        process.stdout.close()
        with suppress(OSError):  # it did not read everything
            process.stdin.close()


async def run_group(
    words: Sequence[str], *, cwd: str | os.PathLike[str], env: Mapping[str, str], given: bytes, seconds: float
) -> tuple[int, bytes, bytes]:
    """Runs a program in a process group of its own, to its end: status, output, errors. Whatever happens, nothing of
    the group is left running: it is killed after so many seconds (TimeoutError), when the caller is cancelled, and
    what the program itself left behind goes too. Raises OSError when it cannot be started."""
    import asyncio  # 40 ms; whoever awaits has it
    import subprocess
    from concurrent.futures import ThreadPoolExecutor

    # Not asyncio's own: cancelled while it is still connecting pipes, it ends the program alone and waits for the rest.
    process = subprocess.Popen(  # noqa: ASYNC220 - milliseconds, and never cancelled halfway
        words,
        cwd=cwd,
        env=clean(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=os.name != "nt",
    )
    thread = ThreadPoolExecutor(1, thread_name_prefix="nightgarden-program")
    ended = asyncio.get_running_loop().run_in_executor(thread, process.communicate, given)
    try:
        async with asyncio.timeout(seconds):
            out, err = await asyncio.shield(ended)
    except TimeoutError:
        raise TimeoutError(f"{words[0]} took longer than {seconds:g} s") from None
    finally:
        _kill_group(process)
        await ended  # at once: nobody is left who holds its pipes
        thread.shutdown()
    return process.returncode, out, err


async def follow_group(
    words: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    env: Mapping[str, str],
    given: bytes,
    hear: Callable[[bytes], None],
) -> tuple[int, bytes]:
    """Runs a program like `run_group`, without an end of its own: each line of its output is heard as it comes, in the
    caller's loop. Returns status and errors. The caller cancels it, and then nothing of the group is left running."""
    import asyncio  # as above
    import subprocess
    import tempfile
    from concurrent.futures import ThreadPoolExecutor

    loop = asyncio.get_running_loop()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: ASYNC220 - milliseconds, and never cancelled halfway
            words,
            cwd=cwd,
            env=clean(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=os.name != "nt",
        )
        thread = ThreadPoolExecutor(2, thread_name_prefix="nightgarden-program")
        told = loop.run_in_executor(thread, _tell, process, given)
        heard = loop.run_in_executor(thread, _listen, process, lambda line: loop.call_soon_threadsafe(hear, line))
        try:
            await asyncio.shield(heard)
        finally:
            _kill_group(process)
            await asyncio.gather(told, heard, return_exceptions=True)  # at once: nobody is left who holds its pipes
            thread.shutdown()
            process.wait()
        errors.seek(0)
        return process.returncode, errors.read(_ERRORS_BYTES_MAX)


def _tell(process: subprocess.Popen[bytes], given: bytes) -> None:
    assert process.stdin is not None
    try:
        with process.stdin as into:
            into.write(given)
    except OSError:
        pass  # it ended without reading everything, and says why


def _listen(process: subprocess.Popen[bytes], hear: Callable[[bytes], object]) -> None:
    assert process.stdout is not None
    with process.stdout as out:
        while line := out.readline(_LINE_BYTES_MAX):
            hear(line)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """A program and what it started: clients are often a script around the real one."""
    try:
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, 9)
    except (ProcessLookupError, PermissionError):
        pass  # nobody is left, or only what has ended and was not yet collected


def start(
    words: Sequence[str], *, cwd: str | os.PathLike[str], env: Mapping[str, str], silent: bool = True
) -> subprocess.Popen[bytes]:
    """Starts a program that its caller waits for or ends. `silent` throws away its standard error."""
    import subprocess  # as above

    return subprocess.Popen(words, cwd=cwd, env=clean(env), stderr=subprocess.DEVNULL if silent else None)


def start_detached(words: Sequence[str], *, cwd: str, env: Mapping[str, str]) -> int | None:
    """Starts a program that goes its own way; the process to be reaped, if there is one. The program itself leaves the
    working directory where that cannot be said beforehand."""
    env = clean(env)
    if os.name == "nt":
        import subprocess  # 8 ms, and only when a daemon is started

        flags = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        subprocess.Popen(words, cwd=cwd, env=env, creationflags=flags, close_fds=True)
        return None
    silent = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_RDWR, 0) for n in (0, 1, 2)]
    return os.posix_spawn(words[0], list(words), env, file_actions=silent, setpgroup=0)
