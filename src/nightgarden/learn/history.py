"""The commits of a repository, read with git and nothing that the repository could make git do.

A repository's settings can name programs that git runs: a monitor, a pager, a signer, a way to fetch what is missing.
All that are known to matter for reading a log are switched off here on the command line, which goes before the
repository's own; the environment is cleaned by whoever starts programs. A git folder that says its contents lie
elsewhere, without being a worktree, is not read.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from nightgarden import programs
from nightgarden.learn.digest_values import Commit
from nightgarden.scope import git_folder_at

COMMITS_MAX = 300
FILES_MAX = 500  # of a commit; more is an import of somebody's code
SECONDS_MAX = 5.0
BYTES_MAX = 8_000_000
_PROTOCOLS = ("ext", "file", "git", "http", "https", "ssh")
_OFF = (
    *("core.fsmonitor=false", "core.hooksPath=/dev/null", "core.sshCommand=false", "core.gitProxy=false"),
    *("core.askPass=false", "credential.helper=", "core.pager=cat", "gpg.program=false", "log.showSignature=false"),
    *("log.mailmap=false", "core.quotePath=true", "diff.external=", "core.alternateRefsCommand=false"),
    *("protocol.allow=never", *(f"protocol.{name}.allow=never" for name in _PROTOCOLS)),
)
_FORMAT = "%x1e%H%x1f%an%x1f%at%x1f%ct%x1f%s%x1f"


def read_history(root: Path) -> list[Commit] | None:
    """The latest commits, newest first; None where there is no repository, no git, or it does not answer."""
    folder, program = git_folder_at(root), shutil.which("git")
    if folder is None or program is None or not Path(program).is_absolute():
        return None
    words = [program, f"--git-dir={folder}", "--no-pager", "--no-optional-locks", "--no-replace-objects"]
    for setting in _OFF:
        words += ["-c", setting]
    words += ["log", f"--max-count={COMMITS_MAX}", f"--format={_FORMAT}", "--name-only", "--no-renames", "--no-notes"]
    words += ["--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-mailmap", "HEAD", "--"]
    try:
        done = programs.run(words, cwd=folder, seconds=SECONDS_MAX)
    except (OSError, TimeoutError):
        return None
    if done.returncode != 0:
        return None
    text = done.stdout[:BYTES_MAX].decode("utf-8", "replace")
    return [commit for part in text.split("\x1e")[1:] if (commit := _read(part)) is not None]


def _read(part: str) -> Commit | None:
    try:
        id, author, authored, committed, subject, files = part.split("\x1f", 5)
        return Commit(
            id=id,
            author=author,
            authored_at=datetime.fromtimestamp(int(authored), UTC),
            committed_at=datetime.fromtimestamp(int(committed), UTC),
            subject=subject,
            files=tuple(line for line in files.splitlines() if line)[:FILES_MAX],
        )
    except (ValueError, OverflowError, OSError):
        return None
