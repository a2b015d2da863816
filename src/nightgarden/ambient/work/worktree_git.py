"""Git for worktrees: what is run outside the sandbox runs no hook, filter, pager or helper of the repository.

A repository's settings can make git run commands. So files are checked out, looked at and committed in the sandbox, and
only what cannot be done there (adding and removing a worktree without a checkout, pushing) is run outside, with hooks
and the file system monitor off, and for all but pushing with every way to another repository closed: objects that a
repository says are still to be fetched would be fetched by a command of its choice. Never touches the user's working
tree or index. Not covered: a push, which the user approved, uses the ssh and the credentials that the repository names.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from nightgarden.errors import NotAllowed, Unreachable
from nightgarden.machine import programs
from nightgarden.safety.sandbox import SandboxLimits, run_sandboxed

GIT_SECONDS = 60.0
PUSH_SECONDS = 300.0
_QUIET = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "commit.gpgsign=false",
)
_CLOSED = tuple(f"protocol.{name}.allow=never" for name in ("file", "git", "ssh", "http", "https", "ext"))
_AUTHOR = ("user.name=nightgarden ambient agent", "user.email=ambient@nightgarden.invalid")


async def git_outside(
    root: Path,
    *words: str,
    env: Mapping[str, str] | None = None,
    seconds: float = GIT_SECONDS,
    to_remote: bool = False,
) -> str:
    """Runs git where the sandbox cannot be; it speaks to other repositories only if `to_remote`. Raises Unreachable
    with what git said."""
    command = _words(words) if to_remote else _words(words, _CLOSED)
    try:
        status, out, err = await programs.run_group(
            command, cwd=root, env=os.environ if env is None else env, given=b"", seconds=seconds
        )
    except (OSError, TimeoutError) as error:
        raise Unreachable(f"git {words[0]} could not be run in {root}: {error}") from error
    if status:
        raise Unreachable(f"git {words[0]} failed in {root}: {_last(err)}")
    return out.decode("utf-8", "replace").strip()


async def git_inside(worktree: Path, *words: str) -> str:
    """Runs git in the sandbox of a worktree. Raises Unreachable with what git said, NotAllowed without a sandbox."""
    try:
        ran = await run_sandboxed(
            shlex.join(_words(words)), worktree=worktree, limits=SandboxLimits(seconds=GIT_SECONDS)
        )
    except OSError as error:
        raise NotAllowed(f"no work on code without a sandbox: {error}; install bubblewrap") from error
    if not ran.ok:
        raise Unreachable(f"git {words[0]} failed in {worktree}: {_last(ran.output.encode())}")
    return ran.output.strip()


def _words(words: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    settings = [word for each in (*_QUIET, *_AUTHOR, *more) for word in ("-c", each)]
    return ["git", *settings, *words]


def _last(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else "no word"
